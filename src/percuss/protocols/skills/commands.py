"""Commands of the protocol's own: the catalogue."""

from percuss.core.protocol import Command
from percuss.protocols.skills.catalogue.listing import ListOptions, list_tasks

__all__ = ["COMMANDS"]

COMMANDS = {
    "list": Command(
        options=ListOptions, run=list_tasks, help="Print the 63 tasks by track and dimension, with formats and metrics."
    ),
}  # fmt: skip
