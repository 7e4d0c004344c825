"""May two models be compared by a rule? Only where it reads the one's own text as well as the other's (reading.md, section 2)."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from percuss.core.records import Estimate
from percuss.measure.quantity import result_of
from percuss.stats.intervals import mover_difference

__all__ = ["MOST_APART", "OWN_TEXT", "RECALL", "blanked", "not_comparable"]

OWN_TEXT = "own_text"
"""Estimate of a model: 1 where a rule is within its floors in that model's own text, 0 where it isn't; `note` says by what."""
RECALL = "certificate_recall"
MOST_APART = 0.10
"""What the recalls of two models on seeded errors may differ by, interval included."""


def not_comparable(estimates: Sequence[Estimate], labels: str, models: tuple[str, str]) -> str:
    """Return why two models can't be compared by a rule; "" where they can, or where nothing says how a rule reads their own text.

    Args:
        estimates: of both models, of one run or of several. labels: the rule as label source. models: the pair.
    """
    if not labels.startswith("rule:"):
        return ""
    own = {e.model: e for e in estimates if e.name == OWN_TEXT and e.labels == labels}
    lacking = [model for model in models if model in own and own[model].value != 1]
    if not lacking or _recalls_agree(estimates, labels, models):
        return ""
    said = "; ".join(f"{own[model].note or own[model].undefined} ({model})" for model in lacking)
    return f"the rule is not known to read both models alike: {said}"


def _recalls_agree(estimates: Iterable[Estimate], labels: str, models: tuple[str, str]) -> bool:
    """Whether the certificate finds as many seeded errors of either model, in every arm, the interval of the difference included."""
    found: dict[str, dict[str, Estimate]] = {model: {} for model in models}
    for e in estimates:
        if e.name == RECALL and e.labels == labels and e.stratum is None and e.model in found:
            found[e.model][e.arm] = e
    one, other = (found[model] for model in models)
    return bool(one) and one.keys() == other.keys() and all(_near(one[arm], other[arm]) for arm in one)


def _near(one: Estimate, other: Estimate) -> bool:
    gap = mover_difference(result_of(one), result_of(other))
    return gap.low is not None and gap.high is not None and max(-gap.low, gap.high) <= MOST_APART


def blanked(d: Estimate, undefined: str, withheld: str) -> Estimate:
    """Return a difference without its figures.

    Args:
        d: the difference. undefined: why it has none. withheld: why nothing may rest on it.
    """
    return replace(
        d, value=None, low=None, high=None, sided="both", p=None, p_adjusted=None, detectable=None, bounds=None,
        undefined=undefined, withheld=withheld,
    )  # fmt: skip
