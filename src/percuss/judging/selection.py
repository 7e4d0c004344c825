"""Choosing among judges: a seeded, stratified dev/test split; chosen on dev, reported on test (papers/1 5.2, appendix F)."""

from collections.abc import Mapping, Sequence
from typing import Literal

from percuss.core import seeds
from percuss.core.errors import UsageError
from percuss.core.judgement import Judgement
from percuss.core.strict import Record
from percuss.judging.card import Card
from percuss.judging.validation import judges_of, validate
from percuss.stats import PAPER_GATES

__all__ = ["TIE", "Selection", "Split", "select", "split_items"]

TIE = 0.02
"""Macro coefficients within this are tied; the diagnostics break the tie (papers/1 section 5.2)."""
Gates = Literal["binding", "report"]


class Split(Record):
    """Which items a choice was made on, and which it is reported on, written down."""

    seed: int
    dev: tuple[str, ...]
    test: tuple[str, ...]


class Selection(Record):
    """A choice among judges.

    Args:
        chosen: None where every judge failed a binding gate or no coefficient is defined; `why` says it in words.
        dev, test: one card a judge, in the order of the ranking on dev.
    """

    chosen: str | None
    why: str
    gates: str
    split: Split
    dev: tuple[Card, ...]
    test: tuple[Card, ...]


def split_items(judgements: Sequence[Judgement], *, seed: int) -> Split:
    """Split items in two halves, stratified: every stratum with at least two items is in both.

    Args:
        judgements: of anyone; an item's stratum is the first one named.
        seed: of the shuffle within strata.
    """
    strata: dict[str, list[str]] = {}
    seen: set[str] = set()
    for one in judgements:
        if one.item not in seen:
            seen.add(one.item)
            strata.setdefault(one.stratum, []).append(one.item)
    dev: list[str] = []
    test: list[str] = []
    for name in sorted(strata):
        items = sorted(strata[name])
        seeds.generator(seed, "split", name).shuffle(items)
        half = len(items) // 2
        # An odd item goes where fewer are, so that the halves stay equal over many small strata.
        odd = 1 if len(items) % 2 and len(dev) < len(test) else 0
        dev += items[: half + odd]
        test += items[half + odd :]
    return Split(seed=seed, dev=tuple(sorted(dev)), test=tuple(sorted(test)))


def select(
    judgements: Sequence[Judgement],
    *,
    seed: int,
    gates: Gates = "binding",
    judges: Sequence[str] = (),
    thresholds: Mapping[str, float] = PAPER_GATES,
    double_count_abstain: bool = False,
    resamples: int = 10_000,
) -> Selection:
    """Choose a judge on one half of the items and report all judges on the other.

    Args:
        judgements: of people and judges.
        seed: of the split and the bootstraps.
        gates: `binding` leaves out judges that fail a gate on dev; `report` only says so.
        judges: rater ids; () takes all.
        thresholds, double_count_abstain, resamples: as in `validate`.

    Raises:
        UsageError: fewer than two judges, or too few items to split.
    """
    names = tuple(judges) or judges_of(judgements)
    if len(names) < 2:
        raise UsageError(
            f"a choice needs two judges; got {', '.join(names) or 'none'}; validate a single one instead"
        )
    split = split_items(judgements, seed=seed)
    if not split.dev or not split.test:
        raise UsageError("too few items to split in two; a choice needs at least two items")

    def cards(part: str, items: tuple[str, ...]) -> list[Card]:
        inside = set(items)
        rows = [one for one in judgements if one.item in inside]
        settings = {
            "thresholds": thresholds,
            "double_count_abstain": double_count_abstain,
            "resamples": resamples,
        }
        return [validate(rows, name, seed=seed, split=part, **settings) for name in names]  # type: ignore[arg-type]

    dev = sorted(cards("dev", split.dev), key=_rank)
    order = [card.judge for card in dev]
    test = sorted(cards("test", split.test), key=lambda card: order.index(card.judge))
    chosen, why = _choose(dev, gates)
    return Selection(chosen=chosen, why=why, gates=gates, split=split, dev=tuple(dev), test=tuple(test))


def _rank(card: Card) -> tuple[float, str]:
    return (-2.0 if card.macro.value is None else -card.macro.value, card.judge)


def _choose(dev: Sequence[Card], gates: Gates) -> tuple[str | None, str]:
    open_to = [
        card for card in dev if card.macro.value is not None and (gates == "report" or card.passes_gates)
    ]
    if not open_to:
        undefined = [card.judge for card in dev if card.macro.value is None]
        if len(undefined) == len(dev):
            return None, "no judge's agreement with people is defined"
        return (
            None,
            "every judge with a defined agreement fails a gate on dev; --gates report would make them advisory",
        )
    best = max(card.macro.value or 0.0 for card in open_to)
    tied = [card for card in open_to if best - (card.macro.value or 0.0) <= TIE]
    chosen = min(tied, key=_diagnostics)
    words = f"highest agreement on dev ({chosen.macro.value:.3f})"
    if len(tied) > 1:
        words = f"within {TIE} of the highest agreement on dev with {len(tied) - 1} other, and the fewest failures among them"
    return chosen.judge, words


def _diagnostics(card: Card) -> tuple[float, float, float, float]:
    """Return what breaks ties, lowest first: sham false positives, invalid, abstentions; then agreement."""
    rates = {line.name: line.rate.value or 0.0 for line in card.gates}
    return (
        rates.get("fpr_sham", 0.0),
        rates.get("invalid", 0.0),
        rates.get("abstain", 0.0),
        -(card.macro.value or 0.0),
    )
