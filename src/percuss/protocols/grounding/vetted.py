"""Numbers that carry no headline say so themselves: no word stands in them, and nothing compares models by them."""

from collections.abc import Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from percuss.core.ports import RunView
from percuss.core.records import Estimate
from percuss.kit.report import Report
from percuss.measure.comparable import blanked, not_comparable
from percuss.measure.wording import source_words
from percuss.protocols.grounding.estimate.owntext import own_text
from percuss.protocols.grounding.estimate.sections import outline_of
from percuss.protocols.grounding.estimate.sections.trust import doubt, layout_of
from percuss.protocols.grounding.estimate.word import CANT_TELL
from percuss.protocols.grounding.options import GroundingOptions

__all__ = ["vetted"]

OF_SUPPORT = (
    "hdi", "unsupported", "supported", "case_unsupported", "delta_u", "u_all", "answered_clean", "pattern", "mode", "certified", "gamma"
)  # fmt: skip
"""How names of numbers begin that rest on labels of support."""


def vetted(run: RunView, estimates: Sequence[Estimate], options: GroundingOptions) -> Iterator[Estimate]:
    """Yield the estimates; those of real models by a reader that carries no headline with why, and their pattern without a word.

    Args:
        run: all rows of the scoring. estimates: made of them, readers named. options: settings of the scoring.
    """
    doubts = {
        source: _doubt(run, estimates, options, source)
        for source in dict.fromkeys(e.labels for e in estimates)
    }
    own = tuple(own_text(estimates, layout_of(_report(run, estimates, options))))
    every = (*estimates, *own)
    for made in map(partial(_alone, every), estimates):
        why = "" if made.simulated or not made.name.startswith(OF_SUPPORT) else doubts[made.labels]
        if not why:
            yield made
        elif made.name == "pattern":
            yield replace(made, value=None, undefined=why, note=f"{CANT_TELL}: {why}", withheld=why)
        elif made.name != "pattern_probability":
            yield replace(made, withheld=why)
    yield from own


def _doubt(run: RunView, estimates: Sequence[Estimate], options: GroundingOptions, source: str) -> str:
    """Return why labels of one source would carry no headline; "" where they would."""
    report = _report(run, estimates, options)
    report.results.labels = source
    return doubt(report)


def _report(run: RunView, estimates: Sequence[Estimate], options: GroundingOptions) -> Report:
    return Report(run, estimates, options, outline=outline_of(estimates, options))


def _alone(every: Sequence[Estimate], d: Estimate) -> Estimate:
    """Return a difference of two models without its figures where a rule may not compare them; all else as it is."""
    if d.versus is None or d.simulated or not d.name.startswith(OF_SUPPORT):
        return d
    why = not_comparable(every, d.labels, (d.model, d.versus))
    return blanked(d, f"not comparable by {source_words(d.labels)}: {why}", why) if why else d
