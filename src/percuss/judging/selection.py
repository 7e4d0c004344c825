"""Choosing among judges: a seeded, stratified dev/test split; chosen on dev, reported on test (papers/1 5.2, appendix F)."""

from collections.abc import Sequence
from typing import Literal

from percuss.core import seeds
from percuss.core.errors import UsageError
from percuss.core.judgement import Judgement
from percuss.core.strict import Record
from percuss.judging.card import Card, Number
from percuss.judging.how import How
from percuss.judging.macro import difference, macro_of
from percuss.judging.validation import judges_of, validate_with

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
        ahead: the chosen judge's macro coefficient minus that of the best other on test, paired over items.
    """

    chosen: str | None
    why: str
    gates: str
    split: Split
    dev: tuple[Card, ...]
    test: tuple[Card, ...]
    ahead: Number | None = None
    ahead_of: str = ""


def split_items(judgements: Sequence[Judgement], *, seed: int) -> Split:
    """Split the items that people judged in two halves, stratified: every stratum of two items or more is in both.

    Args:
        judgements: of anyone; an item's stratum is the first one that a person's row names, else a judge's.
        seed: of the shuffle within strata.
    """
    stratum: dict[str, str] = {}
    for one in sorted(judgements, key=lambda one: not one.human):
        if one.human or one.item in stratum:
            stratum[one.item] = stratum.get(one.item) or one.stratum
    strata: dict[str, list[str]] = {}
    for item, name in stratum.items():
        strata.setdefault(name, []).append(item)
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
    judgements: Sequence[Judgement], how: How, *, gates: Gates = "binding", judges: Sequence[str] = ()
) -> Selection:
    """Choose a judge on one half of the items and report all judges on the other.

    Args:
        judgements: of people and judges.
        how: settings; the seed is that of the split too.
        gates: `binding` leaves out judges that fail a gate on dev; `report` only says so.
        judges: rater ids; () takes all.

    Raises:
        UsageError: fewer than two judges, or too few items to split.
    """
    names = tuple(judges) or judges_of(judgements)
    if len(names) < 2:
        raise UsageError(
            f"a choice needs two judges; got {', '.join(names) or 'none'}; validate a single one without --select"
        )
    split = split_items(judgements, seed=how.seed)
    if not split.dev or not split.test:
        raise UsageError(
            "too few items to split in two; a choice needs at least two items that people judged"
        )
    parts = {
        part: [one for one in judgements if one.item in set(items)]
        for part, items in (("dev", split.dev), ("test", split.test))
    }
    dev = sorted((validate_with(parts["dev"], name, how, split="dev") for name in names), key=_rank)
    test = tuple(validate_with(parts["test"], card.judge, how, split="test") for card in dev)
    chosen, why = _choose(dev, gates)
    other = next((card.judge for card in dev if card.judge != chosen and card.macro.value is not None), "")
    ahead = None
    if chosen and other:
        ahead = difference(macro_of(parts["test"], chosen, how), macro_of(parts["test"], other, how))
    return Selection(
        chosen=chosen,
        why=why,
        gates=gates,
        split=split,
        dev=tuple(dev),
        test=test,
        ahead=ahead,
        ahead_of=other,
    )


def _rank(card: Card) -> tuple[float, str]:
    return (-2.0 if card.macro.value is None else -card.macro.value, card.judge)


def _choose(dev: Sequence[Card], gates: Gates) -> tuple[str | None, str]:
    defined = [card for card in dev if card.macro.value is not None]
    if not defined:
        return None, "no judge's agreement with people is defined"
    open_to = [card for card in defined if gates == "report" or not card.failed_gates]
    if not open_to:
        return None, "every judge fails a gate on dev; --gates report makes gates advisory"
    best = max(card.macro.value or 0.0 for card in open_to)
    tied = [card for card in open_to if best - (card.macro.value or 0.0) <= TIE]
    chosen = min(tied, key=_diagnostics)
    if len(tied) == 1:
        return chosen.judge, f"highest agreement on dev ({best:.3f})"
    others = ", ".join(card.judge for card in tied if card is not chosen)
    return chosen.judge, (
        f"tied within {TIE} on dev with {others}; decided by sham false positives, then invalid replies, then abstentions"
    )


def _diagnostics(card: Card) -> tuple[float, float, float, float]:
    """Return what breaks ties, lowest first: sham false positives, invalid, abstentions; then agreement."""
    rates = {line.name: line.rate.value or 0.0 for line in card.gates if not line.metric}
    shams = [line.rate.value or 0.0 for line in card.gates if line.name.startswith("fpr_")]
    return (
        max(shams, default=0.0),
        rates.get("invalid", 0.0),
        rates.get("abstain", 0.0),
        -(card.macro.value or 0.0),
    )
