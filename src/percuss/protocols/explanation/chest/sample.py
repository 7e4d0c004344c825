"""Random findings for a synthetic chest: `balanced` shows every value often, `icu` follows papers/1 Tables S1-S4."""

from collections.abc import Sequence
from typing import Any, Literal

from percuss.core.seeds import generator
from percuss.protocols.explanation.fields import FIELDS

__all__ = ["MIXES", "Mix", "sample"]

Mix = Literal["balanced", "icu"]
MIXES: tuple[Mix, ...] = ("balanced", "icu")

#: Cases of 1,000 by value (papers/1 Tables S1-S4). Where a table gives yes and no only, yes is split evenly.
_ICU: dict[str, tuple[int, ...]] = {
    "field": (836, 82, 82),
    "rotated": (950, 50),
    "heart": (250, 136, 388, 226),
    "congestion": (230, 171, 504, 88, 7),
    "effusion_right": (390, 184, 303, 116, 7),
    "effusion_left": (246, 239, 419, 91, 5),
    "opacity_right": (257, 254, 358, 122, 9),
    "opacity_left": (326, 290, 289, 91, 4),
    "atelectasis_right": (179, 261, 460, 98, 2),
    "atelectasis_left": (121, 336, 475, 65, 3),
    "pneumothorax_right": (990, 10),
    "pneumothorax_left": (987, 13),
    "nodule": (982, 18),
    "ett": (745, 255),
    "ett_position": (254, 1, 0),
    "gastric_tube": (554, 446),
    "cvc": (236, 764),
    "cvc_position": (655, 60, 46, 3),
    "pacemaker": (930, 70),
    # Table S4 gives none 760, right 100, left 105, both 35; sides are drawn independently here.
    "chest_tube_right": (865, 135),
    "chest_tube_left": (860, 140),
}


def sample(index: int, *, seed: int, mix: Mix = "balanced") -> dict[str, Any]:
    """Draw the findings of one synthetic chest.

    Args:
        index: of the chest; equal index, seed and mix give equal findings.
        seed: root seed.
        mix: `balanced` draws every value of a field equally often.
    """
    fields = {name: _draw(name, values, index, seed, mix) for name, values in FIELDS.items()}
    if not fields["ett"]:
        del fields["ett_position"]
    if not fields["cvc"]:
        del fields["cvc_position"]
    return fields


def _draw(name: str, values: Sequence[Any], index: int, seed: int, mix: Mix) -> Any:
    dice = generator(seed, "chest", mix, index, name)
    if mix == "balanced":
        return values[int(dice.integers(len(values)))]
    counts = _ICU[name]
    return values[int(dice.choice(len(values), p=[count / sum(counts) for count in counts]))]
