"""Commands of the protocol's own: the catalogue, and the answers of a run as a submission."""

from pathlib import Path

from percuss.core.protocol import Command
from percuss.protocols.skills.catalogue.listing import ListOptions, list_tasks
from percuss.protocols.skills.items.predicting import PredictionOptions, predictions
from percuss.protocols.skills.people.command import ReliabilityOptions, reliability_table

__all__ = ["COMMANDS"]

COMMANDS = {
    "list": Command(
        options=ListOptions, run=list_tasks, help="Print the 63 tasks by track and dimension, with formats and metrics."
    ),
    "predictions": Command(
        options=PredictionOptions, run=predictions, help="Write the answers of a run in the layout of its items, for whoever holds the references.",
        output=lambda options: Path(options.out),
    ),
    "reliability": Command(
        options=ReliabilityOptions, run=reliability_table, help="Say how far people agree on answers, and scores with people: ICC, Spearman, quadratic kappa.",
    ),
}  # fmt: skip
