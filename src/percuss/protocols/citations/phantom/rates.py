"""What is planted, and what it implies for every estimate and arm."""

from collections.abc import Iterable, Mapping

from percuss.core.errors import UsageError
from percuss.core.strict import Record

__all__ = ["KEYS", "TURNS", "Rates", "expected"]

TURNS = 3
CLASSES = ("wrong_field", "nonexistent", "wrong_content", "retracted")
MISTAKES = ("wrong_field", "nonexistent", "wrong_content")
DEFAULTS: Mapping[str, float] = {
    "wrong_field": 0.15, "nonexistent": 0.15, "wrong_content": 0.15, "retracted": 0.05, "repeat": 0.5, "abstain": 0.1,
    "uncited": 0.2, "heed": 0.6,
}  # fmt: skip
KEYS = (*DEFAULTS, "right", *(f"{name}_{turn}" for name in CLASSES for turn in range(1, TURNS + 1)))
"""Keys of the name: a rate over all turns, or of one turn (`wrong_content_2`); `wrong_content=0.1,0.2,0.3` gives one per turn."""


class Rates(Record):
    """Planted shares.

    Args:
        classes: class -> its share of fresh citations in turn 1, 2, 3; the rest are right.
        repeat: share of the first answer's citations, read in the history, that are said again in each later answer.
        abstain: share of turns that abstain. uncited: share of fresh sentences without a citation.
        heed: share of mistakes that the documents take away where they are given.
    """

    classes: dict[str, tuple[float, ...]]
    repeat: float
    abstain: float
    uncited: float
    heed: float

    @classmethod
    def of(cls, given: Mapping[str, float]) -> "Rates":
        """Return the rates of a name's keys; `right` without any other class leaves the rest to wrong_content.

        Raises:
            UsageError: the shares of a turn are more than 1.
        """
        rates = {**DEFAULTS, **given}
        if "right" in given and not any(key in given for key in CLASSES):
            rates |= dict.fromkeys(CLASSES, 0.0) | {"wrong_content": 1 - given["right"]}
        classes = {
            name: tuple(rates.get(f"{name}_{turn}", rates[name]) for turn in range(1, TURNS + 1))
            for name in CLASSES
        }
        for turn in range(TURNS):
            total = sum(share[turn] for share in classes.values())
            if total > 1 + 1e-9:
                raise UsageError(
                    f"phantom/citer: the classes of turn {turn + 1} make {total:g}; expected at most 1"
                )
        return cls(classes=classes, **{key: rates[key] for key in ("repeat", "abstain", "uncited", "heed")})

    def share(self, name: str, turn: int, *, grounded: bool) -> float:
        """Return the share of a class in a turn; the documents take mistakes away, and no retraction."""
        share = self.classes[name][min(turn, TURNS) - 1]
        return share * (1 - self.heed) if grounded and name in MISTAKES else share


def expected(rates: Rates, arms: Iterable[str]) -> Mapping[tuple[str, str], float]:
    """Return (estimate, arm) -> value that the planted rates imply.

    Args:
        rates: planted. arms: names; of the edited histories only the own one follows in closed form.

    A turn has as many fresh citations as the first one, and of the first one's citations a share q = (1 - abstain) repeat
    again, so a share x of classes is (x_t + q x_1) / (1 + q) in a later turn t.
    """
    out: dict[tuple[str, str], float] = {}
    for arm in arms:
        if arm in {"closed_book", "grounded"}:
            out |= {(name, arm): value for name, value in _of_arm(rates, grounded=arm == "grounded").items()}
        elif arm == "history:own":
            out["hallucination_pooled", arm] = _turns(rates, MISTAKES, grounded=False)[-1]
    if any(arm == "grounded" for arm in arms):
        closed, with_documents = (_pooled(rates, MISTAKES, grounded=flag) for flag in (False, True))
        if closed > 0:
            out["hdi_pooled", "grounded"] = 1 - with_documents / closed
            out["hallucination_pooled_effect", "grounded"] = with_documents - closed
    return out


def _of_arm(rates: Rates, *, grounded: bool) -> dict[str, float]:
    turns = _turns(rates, MISTAKES, grounded=grounded)
    references = _pooled(rates, ("wrong_field", "nonexistent"), grounded=grounded)
    content = _pooled(rates, ("wrong_content",), grounded=grounded)
    pooled = _pooled(rates, MISTAKES, grounded=grounded)
    q, fresh = _again(rates), 1 - rates.uncited
    made = {f"hallucination_turn_{number}": share for number, share in enumerate(turns, start=1)}
    return made | {
        "hallucination_macro_turns": sum(turns) / len(turns),
        "hallucination_pooled": pooled,
        "hallucination_weighted": pooled,
        "hallucination_located": pooled,
        "reference_failure": references,
        "content_failure": pooled,
        "content_failure_given_reference": content / (1 - references),
        "flagged_references": _pooled(rates, ("retracted",), grounded=grounded),
        "citation_rate": fresh * (TURNS + 2 * q) / (TURNS + 2 * q * fresh),
        "abstention_rate": rates.abstain,
        "propagation": 1 - (1 - q) ** 2,
        "survival_incorrect_2": q,
        "survival_incorrect_3": q,
        "survival_correct_2": q,
        "survival_correct_3": q,
    }


def _again(rates: Rates) -> float:
    return (1 - rates.abstain) * rates.repeat


def _turns(rates: Rates, names: Iterable[str], *, grounded: bool) -> list[float]:
    q = _again(rates)
    plain = [
        sum(rates.share(name, turn, grounded=grounded) for name in names) for turn in range(1, TURNS + 1)
    ]
    return [plain[0], *((share + q * plain[0]) / (1 + q) for share in plain[1:])]


def _pooled(rates: Rates, names: Iterable[str], *, grounded: bool) -> float:
    first, *later = _turns(rates, tuple(names), grounded=grounded)
    q = _again(rates)
    return (first + (1 + q) * sum(later)) / (1 + (1 + q) * len(later))
