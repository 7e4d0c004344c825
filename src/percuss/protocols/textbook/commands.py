"""Commands of the protocol's own."""

from percuss.core.protocol import Command
from percuss.protocols.textbook.ingest.command import IngestOptions, ingest

__all__ = ["COMMANDS"]

COMMANDS = {
    "ingest": Command(
        options=IngestOptions,
        run=ingest,
        help="Read books into passages, and say how many paragraphs fell where.",
    ),
}
