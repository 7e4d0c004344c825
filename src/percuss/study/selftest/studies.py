"""The human studies of five papers, each with its design, numbers of items and raters, and what is planted in its raters."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from percuss.core.records import AnnotationItem
from percuss.study.selftest.planted import (
    Habit,
    expected_bias,
    expected_ceiling,
    expected_kappa,
    expected_same,
    expected_share,
    of_all,
)

__all__ = ["STUDIES", "Planned"]

GRADES = ("good", "okay", "bad")
MODELS = tuple(f"example/m{n}" for n in range(8))


@dataclass(frozen=True)
class Planned:
    """One study.

    Args:
        paper, design: which, and the form. options: what `percuss study create` is told beside.
        items: how many. make: item number -> item. truth: share of each value. values: of the question.
        habits: of each rater. judge: of the machine; None where there is none.
        beside: items that the machine judged and nobody else. corrected: index of the value whose share is corrected by it.
        copied: share of answers that the last rater takes over from the one before.
        expected: name of a figure -> planted value.
    """

    name: str
    paper: str
    design: str
    question: str
    values: tuple[str, ...]
    items: int
    truth: tuple[float, ...]
    habits: tuple[Habit, ...]
    make: Callable[[int, dict[str, Any]], AnnotationItem]
    expected: dict[str, float]
    quadratic: bool = False
    judge: Habit | None = None
    beside: int = 0
    corrected: int | None = None
    copied: float = 0.0


def _item(n: int, shown: dict[str, Any], content: dict[str, Any], hidden: dict[str, Any]) -> AnnotationItem:
    model = MODELS[n % 5]
    return AnnotationItem(
        id=f"i{n}",
        subject=f"i{n}",
        response_id=f"i{n}",
        model=model,
        shown=shown,
        content=content,
        hidden={"case": f"case {n}", **hidden},
    )


def _claim(n: int, hidden: dict[str, Any]) -> AnnotationItem:
    return _item(n, {"evidence": {"clinical": {"number": n}}}, {"claim": f"Statement number {n}."}, hidden)


def _explained(n: int, hidden: dict[str, Any]) -> AnnotationItem:
    from percuss.study.selftest.pixels import blob

    picture = blob(n)
    item = _item(
        n,
        {"question": f"What does picture {n} show?"},
        {
            "answer": "yes",
            "reasoning": f"Reasoning {n}.",
            "modification": "A box was drawn.",
            "image": picture.digest,
        },
        hidden,
    )
    return AnnotationItem(
        **{name: getattr(item, name) for name in item.__struct_fields__ if name != "blobs"}, blobs=(picture,)
    )


def _sourced(n: int, hidden: dict[str, Any]) -> AnnotationItem:
    sources = [{"title": f"Source {n}", "text": f"Text {n}."}]
    return _item(n, {}, {"claim": f"Claim {n}.", "reference": f"Writer {n}", "sources": sources}, hidden)


def _answered(n: int, hidden: dict[str, Any]) -> AnnotationItem:
    return _item(
        n, {"question": f"Question {n}?", "reference": "The answer."}, {"answer": f"Answer {n}."}, hidden
    )


def _paired(n: int, hidden: dict[str, Any]) -> AnnotationItem:
    return _item(
        n, {"passage": f"Passage {n}."}, {"question": f"Question {n}?", "answer": f"Answer {n}."}, hidden
    )


def _ranked(n: int, hidden: dict[str, Any]) -> AnnotationItem:
    answers = [
        {"text": f"Answer {n} of {m}.", "model": MODELS[m], "response_id": f"i{n}-{m}"} for m in range(8)
    ]
    return _item(n, {"question": f"Question {n}?", "reference": "The answer."}, {"answers": answers}, hidden)


def _two(one: Habit, other: Habit, truth: tuple[float, ...], quadratic: bool) -> dict[str, float]:
    return {
        "kappa": expected_kappa(one, other, truth, quadratic=quadratic),
        "same": expected_same(one, other, truth),
    }


SUPPORT = ("supported", "partial", "unsupported", "unknown")
FIVE = ("1", "2", "3", "4", "5")
EVEN = (0.2,) * 5
_A, _B = Habit.careful(4, 0.90), Habit.careful(4, 0.87, fatigue=0.1)
_S = (0.5, 0.2, 0.2, 0.1)
_J = Habit.careful(4, 0.8)
_READERS = (Habit.near(5, 0.75), Habit.near(5, 0.70), Habit.near(5, 0.60), Habit.near(5, 0.60, drift=0.4))
_COPIED = 0.5
_WHOLE = of_all(_READERS, EVEN, _COPIED)
_TRUE = (0.65, 0.25, 0.10)
_C, _D = Habit.careful(3, 0.95), Habit.careful(3, 0.93)
_LIKERT = (Habit.near(5, 0.7), Habit.near(5, 0.65), Habit.near(5, 0.6))
_R, _Q = Habit.near(5, 0.85), Habit.near(5, 0.8, drift=0.3)
_SKEW = (0.02, 0.03, 0.1, 0.25, 0.6)
_G, _H = Habit.careful(3, 0.85), Habit.careful(3, 0.8)

STUDIES = (
    Planned(
        "claims", "Gonehal et al. 2026 appendix F and T", "claim-adjudication", "support", SUPPORT, 300, _S, (_A, _B), _claim,
        {**_two(_A, _B, _S, False), "judge": (expected_kappa(_J, _A, _S) + expected_kappa(_J, _B, _S)) / 2,
         "corrected share": expected_share(_A, _S, 2), "share by Rogan-Gladen": expected_share(_A, _S, 2)},
        judge=_J, beside=300, corrected=2,
    ),
    Planned(
        "readers", "Moll et al. 2025 section 5.1 and appendix K", "reader-study", "cf", FIVE, 60, EVEN, _READERS, _explained,
        {"r1-r2": expected_kappa(_READERS[0], _READERS[1], EVEN, quadratic=True),
         "r3-r4": expected_kappa(_READERS[2], _READERS[3], EVEN, quadratic=True, copied=_COPIED),
         "bias of r4": expected_bias(_WHOLE, 3), "ceiling": expected_ceiling(_WHOLE)},
        quadratic=True, copied=_COPIED,
    ),
    Planned(
        "sources", "Fan et al. 2026 appendix D", "source-grounding", "reference_exists", ("yes", "no", "na"), 120, _TRUE, (_C, _D),
        _sourced, _two(_C, _D, _TRUE, False),
    ),
    Planned(
        "likert", "MedBench v5 2026 appendix B", "likert5", "consistency", FIVE, 440, EVEN, _LIKERT, _answered,
        {"r1-r2": expected_kappa(_LIKERT[0], _LIKERT[1], EVEN, quadratic=True),
         "r2-r3": expected_kappa(_LIKERT[1], _LIKERT[2], EVEN, quadratic=True),
         "ceiling": expected_ceiling(of_all(_LIKERT, EVEN))},
        quadratic=True,
    ),
    Planned(
        "pairs", "Colelough et al. 2026 experiment 1", "qa-verification", "relevance", FIVE, 240, _SKEW, (_R, _Q), _paired,
        {**_two(_R, _Q, _SKEW, True), "bias of r2": expected_bias(of_all((_R, _Q), _SKEW), 1)}, quadratic=True,
    ),
    Planned(
        "ranks", "Colelough et al. 2026 experiment 2", "ranking", "quality", GRADES, 40, (0.4, 0.35, 0.25), (_G, _H), _ranked,
        {"same": expected_same(_G, _H, (0.4, 0.35, 0.25))},
    ),
)  # fmt: skip
"""Numbers of items, raters and values as the papers have them, smaller where the paper's would only take longer (4)."""
