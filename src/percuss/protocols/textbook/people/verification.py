"""Experiment 1: flags, relevance and yields of generated items (paper, Table 1, equations 1 and 2; definitions, "Hallucination labels")."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from percuss.core.strict import Record
from percuss.protocols.textbook.items.item import TYPES
from percuss.protocols.textbook.people.columns import SETTLED, YES, kind_of, rater_of
from percuss.stats.intervals import wilson, z_value
from percuss.stats.kappa import cohen_kappa
from percuss.stats.result import Result

__all__ = [
    "Judged",
    "Made",
    "TypeRow",
    "Yields",
    "ideal_bounds",
    "judged_of",
    "odds_ratio",
    "settled",
    "table_1",
    "yields",
]

MOST = 5  # relevance


class Judged(Record):
    """One person's verification of one item.

    Args:
        item, type, rater: who said it of what. relevance: 1 to 5. dispute, feedback: the two flags.
    """

    item: str
    type: str
    rater: str
    relevance: int
    dispute: bool = False
    feedback: bool = False

    @property
    def flagged(self) -> bool:
        """Whether either flag is up."""
        return self.dispute or self.feedback


class TypeRow(Record):
    """One row of Table 1.

    Args:
        single, double: items with one and with two judgements. feedback, dispute: items with the flag.
        relevance: grade -> items, the lower of two. validity, gp: kappa over double-judged items, pooled.
        validity_of_pairs, gp_of_pairs: the mean of the kappas of each two raters; those that are undefined are left out.
        pairs: double-judged items. differ_validity, differ_relevance: where the two differ.
    """

    type: str
    single: int
    double: int
    feedback: int
    dispute: int
    relevance: dict[str, int]
    pairs: int
    differ_validity: int
    differ_relevance: int
    validity: float | None = None
    gp: float | None = None
    validity_of_pairs: float | None = None
    gp_of_pairs: float | None = None
    why: str = ""


class Made(NamedTuple):
    """What a generation gave: questions asked for, and those of them that are structurally valid."""

    generated: int
    valid: int


class Yields(Record):
    """Plausibility, answerability and ideal-pair yield with Wilson intervals; hallucination is either flag.

    Args:
        odds: of a flag among plausible items over the others: ratio, low, high, Fisher's p; None where all are alike.
        table: plausible items with and without a flag, other items with and without one.
        ideal_of_generated: the ideal-pair yield over all questions that were asked for, invalid ones too; None where
            nobody said how many those were.
    """

    n: int
    plausible: int
    flagged: int
    ideal: int
    plausibility: tuple[float, float, float]
    answerability: tuple[float, float, float]
    hallucination: tuple[float, float, float]
    ideal_pair_yield: tuple[float, float, float]
    odds: tuple[float, float, float, float] | None = None
    table: tuple[int, int, int, int] = (0, 0, 0, 0)
    ideal_of_generated: tuple[float, float, float] | None = None


def judged_of(rows: Iterable[Mapping[str, Any]]) -> list[Judged]:
    """Return verifications of a study's export, or of any table with the same columns.

    Args:
        rows: with item, type (or kind), rater (or annotator), relevance (or gp_relevance), dispute, feedback; repeats and
            abstentions are left out.
    """
    out = []
    for row in rows:
        relevance = row.get("relevance", row.get("gp_relevance"))
        if relevance in (None, "") or str(row.get("repeat", "")).lower() in YES or row.get("cant"):
            continue
        flags = {
            name: str(row.get(name, row.get(f"has_{name}", "")) or "").lower() in YES
            for name in ("dispute", "feedback")
        }
        out.append(
            Judged(item=str(row["item"]), type=kind_of(row), rater=rater_of(row), relevance=int(relevance), **flags)
        )  # fmt: skip
    return out


def _by_item(judged: Sequence[Judged]) -> dict[str, list[Judged]]:
    by: dict[str, list[Judged]] = {}
    for one in judged:
        by.setdefault(one.item, []).append(one)
    return by


def table_1(judged: Sequence[Judged]) -> list[TypeRow]:
    """Return Table 1: a row a type, the total last; sums of columns are those of the total."""
    people = [one for one in judged if one.rater != SETTLED]
    rows = [
        _row(kind, [one for one in people if one.type == kind])
        for kind in TYPES
        if any(one.type == kind for one in people)
    ]
    return [*rows, _row("total", people)]


def _row(kind: str, judged: Sequence[Judged]) -> TypeRow:
    by = _by_item(judged)
    double = [(held[0], held[1]) for held in by.values() if len(held) >= 2]
    validity, gp = (_kappa([(of(a), of(b)) for a, b in double], scale) for of, scale in _ASKED)
    grades = Counter(str(min(one.relevance for one in held)) for held in by.values())
    why = "; ".join(r.undefined for r in (validity, gp) if r.undefined)
    return TypeRow(
        type=kind, single=sum(len(held) == 1 for held in by.values()), double=len(double),
        feedback=sum(any(one.feedback for one in held) for held in by.values()), dispute=sum(any(one.dispute for one in held) for held in by.values()),
        relevance={str(grade): grades[str(grade)] for grade in range(1, MOST + 1)}, pairs=len(double),
        differ_validity=sum(a.flagged != b.flagged for a, b in double), differ_relevance=sum(a.relevance != b.relevance for a, b in double),
        validity=validity.value, gp=gp.value, validity_of_pairs=_of_pairs(by, *_ASKED[0]), gp_of_pairs=_of_pairs(by, *_ASKED[1]), why=why,
    )  # fmt: skip


def _flagged(one: Judged) -> bool:
    return one.flagged


def _relevance(one: Judged) -> int:
    return one.relevance


_ASKED: tuple[tuple[Callable[[Judged], Any], list[Any]], ...] = (
    (_flagged, [False, True]),
    (_relevance, list(range(1, MOST + 1))),
)
"""What agreement is computed of, validity and relevance, with the scale of each."""


def _of_pairs(by: Mapping[str, list[Judged]], of: Callable[[Judged], Any], scale: list[Any]) -> float | None:
    """Return the mean over each two raters of their kappa on the items that both judged."""
    held: dict[tuple[str, str], list[tuple[Any, Any]]] = {}
    for judged in by.values():
        for one, other in combinations(sorted(judged, key=lambda each: each.rater), 2):
            held.setdefault((one.rater, other.rater), []).append((of(one), of(other)))
    kappas = [found for pairs in held.values() if (found := _kappa(pairs, scale).value) is not None]
    return float(np.mean(kappas)) if kappas else None


def _kappa(pairs: Sequence[tuple[Any, Any]], scale: Sequence[Any]) -> Result:
    if not pairs:
        return Result(
            value=None, low=None, high=None, level=0.95, method="none", n=0, undefined="nobody judged twice"
        )
    return cohen_kappa([a for a, _ in pairs], [b for _, b in pairs], weights="quadratic", scale=list(scale))


def yields(judged: Sequence[Judged], made: Made | None = None) -> Yields:
    """Return the yields at item level: what was adjudicated counts, else an item is flagged if anybody flagged it.

    Args:
        judged: of all raters, `adjudicated` among them. made: how many questions were asked for, and were valid; of the
            valid ones that nobody judged the same share counts as ideal.
    """
    held = list(settled(judged).values())
    n, plausible, flagged = (
        len(held),
        sum(one.relevance == MOST for one in held),
        sum(one.flagged for one in held),
    )
    both = sum(one.relevance == MOST and one.flagged for one in held)
    ideal = plausible - both
    table = (both, plausible - both, flagged - both, n - plausible - flagged + both)
    return Yields(
        n=n, plausible=plausible, flagged=flagged, ideal=ideal, plausibility=_share(plausible, n), answerability=_share(n - flagged, n),
        hallucination=_share(flagged, n), ideal_pair_yield=_share(ideal, n), odds=odds_ratio(*table) if 0 < plausible < n else None, table=table,
        ideal_of_generated=None if made is None else _of_generated(ideal, n, made),
    )  # fmt: skip


def settled(judged: Sequence[Judged]) -> dict[str, Judged]:
    """Return item -> what was adjudicated, else the flags of anybody and the lowest relevance.

    Args:
        judged: of all raters, `adjudicated` among them.
    """
    return {
        item: next((one for one in held if one.rater == SETTLED), None) or _joined(held)
        for item, held in _by_item(judged).items()
    }


def _of_generated(ideal: int, n: int, made: Made) -> tuple[float, float, float]:
    if made.valid <= n:
        return _share(ideal, made.generated)
    value, low, high = (share * made.valid / made.generated for share in _share(ideal, n))
    return value, low, high


def odds_ratio(a: int, b: int, c: int, d: int) -> tuple[float, float, float, float]:
    """Return the odds ratio a d / b c with half a case added to each cell, its 95% limits (Woolf) and Fisher's exact p.

    Args:
        a, b: with and without the outcome in the first group. c, d: in the second.
    """
    from scipy.stats import fisher_exact

    cells = np.array([a, b, c, d]) + 0.5
    log = float(np.log(cells[0] * cells[3] / (cells[1] * cells[2])))
    error = z_value(0.95) * float(np.sqrt((1 / cells).sum()))
    p = float(fisher_exact([[a, b], [c, d]])[1])
    return (float(np.exp(log)), float(np.exp(log - error)), float(np.exp(log + error)), p)


def _joined(held: Sequence[Judged]) -> Judged:
    first = held[0]
    return Judged(
        item=first.item, type=first.type, rater="all", relevance=min(one.relevance for one in held),
        dispute=any(one.dispute for one in held), feedback=any(one.feedback for one in held),
    )  # fmt: skip


def _share(k: int, n: int) -> tuple[float, float, float]:
    made = wilson(k, n)
    return (made.value or 0.0, made.low or 0.0, made.high or 0.0)


def ideal_bounds(n: int, plausible: int, flagged: int) -> tuple[float, float]:
    """Return where the ideal-pair yield can lie when only the margins are printed.

    Args:
        n: items. plausible: rated 5. flagged: with either flag.

    >>> [round(x, 3) for x in ideal_bounds(5543, 5476, 1090)]
    [0.791, 0.803]
    """
    low = max(0, plausible - flagged)
    return low / n, min(plausible, n - flagged) / n
