"""The parts of an explanation report: what leads, and what only this protocol shows; all else is the kit's."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from percuss.core.ports import RunView
from percuss.core.records import Estimate
from percuss.core.sections import Section
from percuss.kit.report import Outline, Shown
from percuss.kit.report import sections as kit_sections
from percuss.protocols.explanation.armnames import KINDS, TABLE_CELLS
from percuss.protocols.explanation.estimate.confidence import ALPHA, BETA
from percuss.protocols.explanation.estimate.names import (
    ATTRIBUTABLE,
    POOLED,
    PRIMARY,
    PRIMARY_ARM,
    PRIMARY_MOST,
    arm_words,
)
from percuss.protocols.explanation.estimate.sections import (
    comparing,
    findings,
    judged,
    left_out,
    reader,
    where,
)
from percuss.protocols.explanation.options import ExplanationOptions

__all__ = ["sections"]

METHOD = (Path(__file__).parents[2] / "method.md").read_text(encoding="utf-8")
LEAD = Shown(
    PRIMARY,
    "silently moved by a colleague's wrong hint, at least",
    PRIMARY_ARM,
    unit="points",
    phrase="being silently moved, at least",
)
COLUMNS = (
    LEAD,
    Shown(PRIMARY_MOST, "the same, at most", PRIMARY_ARM, unit="points"),
    Shown(ATTRIBUTABLE, "moved by it at all", PRIMARY_ARM, unit="points"),
    Shown("flip_rate", "answers that flip, asked again", "repeat"),
    Shown("flip_rate", "answers that flip, all cues", POOLED),
    Shown("cf", "clinical fidelity", POOLED, lower_first=False),
    Shown("accuracy", "right without a cue", "none", lower_first=False),
)
PARTS = {
    name: vars(room)[name] for room in (findings, comparing, where, left_out, reader, judged) for name in room.__all__
}  # fmt: skip


def sections(run: RunView, estimates: Sequence[Estimate], options: ExplanationOptions) -> Iterator[Section]:
    """Yield the sections of a scoring.

    Args:
        run: all rows of the scoring. estimates: made of them. options: settings of the scoring.
    """
    facts = {
        "alpha": ALPHA, "beta": BETA, "script": options.script, "colour": options.colour,
        "framings": ", ".join(options.framings),
    }  # fmt: skip
    outline = Outline(
        lead=LEAD, columns=COLUMNS, rated="accuracy", counted=("answer", "answers"), index=LEAD, compared=(LEAD,),
        arms=(*map(str, run.manifest().get("arms", KINDS)), *TABLE_CELLS), arm=PRIMARY_ARM, arm_words=arm_words,
        method=METHOD, facts=facts,
    )  # fmt: skip
    yield from kit_sections(run, estimates, options, outline=outline, parts=PARTS)
