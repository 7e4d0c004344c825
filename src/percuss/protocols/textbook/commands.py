"""Commands of the protocol's own: books in, a shared task, a short form, what it costs."""

from pathlib import Path

from percuss.core.protocol import Command
from percuss.protocols.textbook.cost import CostOptions, cost_table
from percuss.protocols.textbook.ingest.command import IngestOptions, ingest
from percuss.protocols.textbook.people.command import TablesOptions, tables
from percuss.protocols.textbook.response.command import ShortFormOptions, choose_short_form
from percuss.protocols.textbook.tasks.command import (
    CheckOptions,
    RankOptions,
    TaskOptions,
    check_submission,
    prepare_task,
    rank_teams,
)
from percuss.protocols.textbook.tasks.release import ReleaseOptions, release

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
    "release": Command(
        options=ReleaseOptions,
        run=release,
        help="Write items in the released layout, with a canary, licences, sources and what people settled on.",
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
    "short-form": Command(
        options=ShortFormOptions,
        run=choose_short_form,
        help="Fit difficulty and discrimination of items on runs, and choose a short form that ranks models alike.",
        output=lambda options: Path(options.out),
    ),
    "cost": Command(
        options=CostOptions,
        run=cost_table,
        help="Say what a question costs by model and cloud, alone and with verification.",
    ),
    "tables": Command(
        options=TablesOptions,
        run=tables,
        help="Print the paper's tables of what people said: verification and yields, or rankings, labels and bias.",
    ),
}
