"""Commands of the protocol's own: books in, and a shared task."""

from percuss.core.protocol import Command
from percuss.protocols.textbook.ingest.command import IngestOptions, ingest
from percuss.protocols.textbook.tasks.command import (
    CheckOptions,
    RankOptions,
    TaskOptions,
    check_submission,
    prepare_task,
    rank_teams,
)

__all__ = ["COMMANDS"]

COMMANDS = {
    "ingest": Command(
        options=IngestOptions,
        run=ingest,
        help="Read books into passages, and say how many paragraphs fell where.",
    ),
    "prepare-task": Command(
        options=TaskOptions,
        run=prepare_task,
        help="Split items into public and private ones, and commit to the gold by hash.",
    ),
    "submission-check": Command(
        options=CheckOptions,
        run=check_submission,
        help="Check a submission against the gold: every fault with its line.",
    ),
    "rank": Command(
        options=RankOptions,
        run=rank_teams,
        help="Rank the teams of a shared task: scores, rank intervals, tie letters, a page for each.",
    ),
}
