"""What is counted where claims carry their speech act: assertions decided, hedged ones, availability, knowledge, echoes."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from percuss.core.labels import Reason, Support
from percuss.core.ports import ScoredResponse
from percuss.core.records import Cell
from percuss.judging.extract import is_truncated
from percuss.protocols.grounding.estimate.countings import ASSERTED, WHOLE, Counting
from percuss.protocols.grounding.estimate.labelled import Labelled
from percuss.protocols.grounding.speaking import (
    ABSTAINS,
    ABSTENTION_ASPECT,
    AVAILABILITY_ASPECT,
    MISREADS,
    NO_ASSERTIONS,
)

__all__ = ["Sums", "act_cells", "answered_cells", "spoken_cells", "summed"]


class Making(Protocol):
    """Makes a cell of one response."""

    def __call__(
        self, name: str, labels: str, num: float, den: float, excluded: Counter[str] | None = None
    ) -> Cell:
        """Return the cell of a name and label source."""
        ...


@dataclass(frozen=True)
class Sums:
    """Assertions of a response: unsupported, supported, and both with what the paper's rule leaves between them."""

    bad: int
    good: int
    decided: int


def summed(entries: Sequence[Labelled], *, read: bool) -> Sums:
    """Return how many assertions are unsupported, supported and decided.

    Args:
        entries: of assertions under one source. read: whether claims carry their speech act: then a partial one is one
            supported and one unsupported assertion (definitions/grounding.md, version 2, "What is counted").
    """
    labels = Counter(entry.label for entry in entries if entry.label is not None)
    both = labels[Support.PARTIAL.value] if read else 0
    return Sums(
        bad=labels[Support.UNSUPPORTED.value] + both,
        good=labels[Support.SUPPORTED.value] + both,
        decided=labels.total() + both,
    )


def spoken_cells(
    made: Making, source: str, labelled: Sequence[Labelled], sums: Sums, left_out: str | None
) -> Iterator[Cell]:
    """Yield what one source says of a response's assertions beside the two rates.

    Args:
        made: makes a cell. source: the label source. labelled: its entries. sums: of the assertions among them.
        left_out: why nothing of the response counts; None: it was checked.

    `u_all` and the cells called `all:..` count what is said as likely, too; `undecided` what no label came for, of what is posed.
    """
    whole = [entry.whole for entry in labelled]
    both = summed([entry for entry in whole if entry.posed], read=True)
    yield made(WHOLE.rate, source, both.bad, both.decided, _open(whole))
    yield from _per_answer(made, source, labelled, sums, left_out, ASSERTED)
    yield from _per_answer(made, source, whole, both, left_out, WHOLE)
    if left_out:
        return
    told = [entry for entry in whole if entry.posed and entry.reason != Reason.TRUNCATED.value]
    yield made(WHOLE.decided, source, sum(entry.label is not None for entry in told), len(told))
    if both.decided or not told:
        yield made(WHOLE.any_one, source, float(both.bad > 0), 1)
    else:
        yield made(WHOLE.any_one, source, 0, 0, Counter(list(_open(whole))[:1]))


def _open(entries: Sequence[Labelled]) -> Counter[str]:
    return Counter(str(entry.reason) for entry in entries if entry.posed and entry.label is None)


def _per_answer(
    made: Making, source: str, entries: Sequence[Labelled], sums: Sums, left_out: str | None, way: Counting
) -> Iterator[Cell]:
    """Yield what one way to count leaves undecided, and how many unsupported claims the answer holds by it."""
    reasons = _open(entries)
    if left_out:
        yield made(way.undecided, source, 0, 0, Counter([left_out]))
    else:
        yield made(way.undecided, source, reasons.total(), sums.decided + reasons.total())
    if sums.decided or not reasons:
        yield made(way.per_answer, source, sums.bad, 1)
    else:
        yield made(way.per_answer, source, 0, 0, Counter(list(reasons)[:1]))


def act_cells(made: Making, rule: str, assessed: ScoredResponse) -> Iterator[Cell]:
    """Yield what a checked answer does beside asserting: knowledge, echoes, hedges, what it says of the data, abstention.

    Args:
        made: makes a cell. rule: label source. assessed: the response.
    """
    whole = [claim for claim in assessed.claims if not is_truncated(claim)]
    acts = Counter(claim.payload.get("act") for claim in whole)
    given = sum(bool(claim.payload.get("given")) for claim in whole)
    if whole:
        yield made("general_share", rule, acts["general"], len(whole))
        yield made("echo_share", rule, given, len(whole))
        yield made("hedged_share", rule, acts["hedged"], len(whole))
    asserts = any(c.payload.get("act") not in NO_ASSERTIONS and not c.payload.get("given") for c in whole)
    yield made("no_assertion", rule, float(not asserts), 1)
    yield from _by_aspect(made, rule, assessed)


def _by_aspect(made: Making, rule: str, assessed: ScoredResponse) -> Iterator[Cell]:
    rules = [v for v in assessed.verdicts if v.rater.startswith("rule:")]
    told = [v for v in rules if v.aspect == AVAILABILITY_ASPECT]
    if told:
        wrong = sum(v.label == MISREADS for v in told)
        out = Counter(v.unscored for v in told if v.unscored)
        yield made("misread_availability", rule, wrong, len(told) - out.total(), out or None)
    found = next((v for v in rules if v.aspect == ABSTENTION_ASPECT), None)
    if found is not None and found.unscored:
        yield made("abstention", rule, 0, 0, Counter([found.unscored]))
    elif found is not None:
        yield made("abstention", rule, float(found.label == ABSTAINS), 1)


def answered_cells(made: Making, rule: str, assessed: ScoredResponse) -> Iterator[Cell]:
    """Yield whether an answer came and was cut at the limit of tokens; refused and failed ones count as none.

    Args:
        made: makes a cell. rule: label source. assessed: any response that was asked for.
    """
    came = assessed.response.status == "done" and not assessed.left_out
    yield made("cut_share", rule, float(came and assessed.response.finish == "length"), 1)
