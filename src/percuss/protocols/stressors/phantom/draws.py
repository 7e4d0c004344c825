"""Every draw of a simulated trajectory, made once from its first message: turns only read them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from percuss.core.messages import Request
from percuss.phantoms.plan import drawing

__all__ = ["KEYS", "Birth", "Draws", "Plants", "draws_of"]

KEYS = (
    "gap", "inquire", "relevant", "contradiction", "close", "update", "stubborn", "wrong", "fabricate",
    "fabricate_numeric", "fabricate_other", "persist", "premise", "anchor", "new", "uncheckable", "omit", "suppress",
    "generate", "false_alarm", "shift_omission", "shift_both", "hinge", "noise",
)  # fmt: skip
QUESTIONS, NUMERIC, OTHER, EVIDENCE, BIRTH_TURNS = 2, 4, 4, 5, 3
MOST = 12
"""Gaps, contradictions and key facts that have a draw of their own."""


@dataclass(frozen=True)
class Plants:
    """Planted shares, named as in the definitions (section 7).

    Args:
        hinge: share of cases whose final diagnosis hangs on a statement made up at first, as long as it stands in what was said.
        noise: share of final answers that name another diagnosis, whatever was said.
    """

    gap: float = 0.7
    inquire: float = 0.8
    relevant: float = 0.7
    contradiction: float = 0.6
    close: float = 0.2
    update: float = 0.7
    stubborn: float = 0.5
    wrong: float = 0.4
    fabricate_numeric: float = 0.15
    fabricate_other: float = 0.15
    persist: float = 0.4
    premise: float = 0.5
    anchor: float = 0.15
    new: float = 0.1
    uncheckable: float = 0.1
    omit: float = 0.2
    suppress: float = 0.3
    generate: float = 0.15
    false_alarm: float = 0.1
    shift_omission: float = 0.0
    shift_both: float = 0.0
    hinge: float = 0.0
    noise: float = 0.0

    @classmethod
    def of(cls, given: Mapping[str, float]) -> "Plants":
        """Read parameters; `fabricate` sets both of its kinds."""
        held = {key: value for key, value in given.items() if key != "fabricate"}
        if "fabricate" in given:
            held.setdefault("fabricate_numeric", given["fabricate"])
            held.setdefault("fabricate_other", given["fabricate"])
        return cls(**held)


@dataclass(frozen=True)
class Birth:
    """One claim: at which turn it is born, and what becomes of it if it is fabricated."""

    kind: str
    turn: int
    fabricated: bool
    carried: bool
    premise: bool
    suppressed: bool


@dataclass(frozen=True)
class Draws:
    """All draws of one trajectory; lists are read by place (first gap, second gap ..)."""

    asks: bool
    relevant: tuple[bool, ...]
    gaps: tuple[bool, ...]
    flagged: tuple[bool, ...]
    kept: bool
    closes: bool
    wrong: bool
    updated: bool
    stubborn: bool
    births: tuple[Birth, ...]
    evidence: tuple[float, ...]
    mentioned: tuple[bool, ...]
    generated: tuple[bool, ...]
    generated_fate: Birth = field(default_factory=lambda: Birth("other", 2, True, False, False, False))
    alarmed: bool = False


def draws_of(plants: Plants, request: Request, *, seed: int, epoch: int) -> Draws:
    """Make all draws of the trajectory that a request belongs to.

    Args:
        plants: planted shares. request: of any turn; its first user message and its seed name the trajectory.
        seed: root of the draws. epoch: of the call.
    """
    first = next((m.text for m in request.messages if m.role == "user"), "")
    rng = drawing(seed, "clinician", first, request.seed or 0, epoch)

    def some(share: float, n: int) -> tuple[bool, ...]:
        return tuple(bool(x) for x in rng.random(n) < share)

    asks, relevant = some(plants.inquire, 1)[0], some(plants.relevant, QUESTIONS)
    gaps, flagged = some(plants.gap, MOST), some(plants.contradiction, MOST)
    kept, closes, wrong, updated, stubborn = (
        some(share, 1)[0]
        for share in (plants.update, plants.close, plants.wrong, plants.update, plants.stubborn)
    )
    births: list[Birth] = []
    for kind, n, share in (
        ("numeric", NUMERIC, plants.fabricate_numeric),
        ("other", OTHER, plants.fabricate_other),
    ):
        births += [_birth(kind, share, plants, rng) for _ in range(n)]
    evidence = tuple(float(x) for x in rng.random(EVIDENCE))
    mentioned, generated = some(1 - plants.omit, 4 * MOST), some(plants.generate, MOST)
    # What explains a contradiction is carried as often as a claim of unknown birth turn, so that hpr keeps its value.
    carried = some(plants.persist * (1 - plants.suppress / BIRTH_TURNS), 1)[0]
    fate = Birth("other", 2, True, carried, some(plants.premise, 1)[0], False)
    return Draws(
        asks, relevant, gaps, flagged, kept, closes, wrong, updated, stubborn, tuple(births), evidence, mentioned,
        generated, fate, some(plants.false_alarm, 1)[0],
    )  # fmt: skip


def _birth(kind: str, share: float, plants: Plants, rng: np.random.Generator) -> Birth:
    turn = int(rng.integers(BIRTH_TURNS)) + 1
    fabricated, carried, premise, suppressed = (
        bool(rng.random() < p) for p in (share, plants.persist, plants.premise, plants.suppress)
    )
    return Birth(kind, turn, fabricated, carried, premise, suppressed)
