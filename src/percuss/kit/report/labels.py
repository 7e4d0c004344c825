"""What each label source says of a response's claims, where a protocol has no reading of its own."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from percuss.core.labels import Reason
from percuss.core.ports import ScoredResponse
from percuss.core.records import Verdict
from percuss.judging.extract import is_truncated
from percuss.judging.sources import HUMAN, NOT_JUDGED, Said, said_by

__all__ = ["entries", "of_aspect", "sources"]


def sources(scored: ScoredResponse, policy: str) -> dict[str, tuple[Said, ...]]:
    """Return label source -> what it says, one entry a claim, labelled or with its reason.

    Args:
        scored: a response with its verdicts. policy: `agreement` or `majority`, the name of the judge's source.
    """
    given: dict[str, list[Verdict]] = {claim.id: [] for claim in scored.claims}
    for verdict in scored.verdicts:
        if verdict.subject in given:
            given[verdict.subject].append(verdict)
    found = [said_by(verdicts, policy) for verdicts in given.values()]
    names = dict.fromkeys(name for one in found for name in one)
    return {name: _left_out(scored, [one.get(name) or _missing(name) for one in found]) for name in names}


def of_aspect(aspect: str) -> Callable[[Any, ScoredResponse], Mapping[str, Sequence[Said]]]:
    """Return the part `sources` of a protocol whose headline counts the verdicts of one aspect alone.

    Args:
        aspect: of a verdict, such as `support`; verdicts of others (metrics, notes) say nothing of a claim.
    """

    def told(report: Any, scored: ScoredResponse) -> Mapping[str, Sequence[Said]]:
        counted = tuple(verdict for verdict in scored.verdicts if verdict.aspect == aspect)
        return sources(replace(scored, verdicts=counted), report.results.policy)

    told.__name__ = "sources"  # parts are found by name
    return told


def entries(found: Mapping[str, Sequence[Said]], scored: ScoredResponse, source: str) -> Sequence[Said]:
    """Return the entries of one source; where it labelled nothing, all are left out by a reason.

    Args:
        found: of `sources`. scored: whose claims. source: the headline's.
    """
    held = found.get(source)
    if held is not None:
        return held
    return (Said(reason=scored.left_out) if scored.left_out else _missing(source),) * len(scored.claims)


def _missing(source: str) -> Said:
    return Said(reason=NOT_JUDGED if source == HUMAN else Reason.ERROR.value)


def _left_out(scored: ScoredResponse, said: Sequence[Said]) -> tuple[Said, ...]:
    """Override what cannot count: an unfinished last sentence, or a response that could not be checked."""
    return tuple(
        Said(reason=Reason.TRUNCATED.value) if is_truncated(claim)
        else Said(reason=scored.left_out) if scored.left_out else one
        for claim, one in zip(scored.claims, said, strict=True)
    )  # fmt: skip
