"""The parts of a stressors report: what leads, and what only this protocol shows; all else is the kit's."""

from collections.abc import Iterator, Sequence

from percuss.core.ports import RunView
from percuss.core.records import Estimate
from percuss.core.sections import Section
from percuss.kit.report import Outline, Shown
from percuss.kit.report import sections as kit_sections
from percuss.protocols.stressors.estimate.names import METRICS, PRIMARY_ARM, arm_words, exists
from percuss.protocols.stressors.estimate.numbers import COMPARED, PRIMARY
from percuss.protocols.stressors.estimate.sections import findings, judged, method, reader, stressing, where
from percuss.protocols.stressors.options import StressorsOptions
from percuss.protocols.stressors.scenario.information_flow import FACTORIAL, PLACEBOS

__all__ = ["sections"]

ALL = "omission+contradiction+delay"
FEW = 24
"""Cases below which an interval of an effect is known to be short (definitions, section 8)."""
LEAD = Shown(
    PRIMARY, "contradictions noticed", PRIMARY_ARM, missing="the arm was not asked", lower_first=False
)
COLUMNS = (
    LEAD,
    Shown("gdr", "missing data named", "omission", missing="the arm was not asked"),
    Shown("rur", "diagnosis updated", "delay", missing="the arm was not asked"),
    Shown("hpr", "made-up statements that stay", "baseline", missing="the arm was not asked"),
    Shown("fcr", "unsupported evidence", "baseline", missing="the arm was not asked"),
)


def _compared(name: str) -> Shown:
    metric = next(m for m in METRICS if m.quantity.name == name)
    arm = PRIMARY_ARM if exists(metric, PRIMARY_ARM) else ALL
    return Shown(name, metric.quantity.label, arm, lower_first=metric.quantity.better == "lower")


OUTLINE = Outline(
    lead=LEAD, columns=COLUMNS, rated="unsupported_rate", counted=("statement", "statements"), index=LEAD,
    variants=((f"{PRIMARY}_pooled", "pooled over items"),), compared=(LEAD, *map(_compared, COMPARED[1:])),
    arms=(*FACTORIAL, *PLACEBOS), arm=PRIMARY_ARM, arm_words=arm_words, few=FEW,
    chapters={"evidence": "What does each stressor do?"},
)  # fmt: skip
PARTS = {
    name: part for room in (findings, stressing, where, reader, judged, method) for name, part in vars(room).items()
    if name in room.__all__
}  # fmt: skip


def sections(run: RunView, estimates: Sequence[Estimate], options: StressorsOptions) -> Iterator[Section]:
    """Yield the sections of a scoring.

    Args:
        run: all rows of the scoring. estimates: made of them. options: settings of the scoring.
    """
    yield from kit_sections(
        run, estimates, options, outline=method.with_method(OUTLINE, options), parts=PARTS
    )
