"""The 32 questions and their deterministic answers (papers/1 section 3.2 and appendix B; wording ours).

18 binary, 8 ordinal, 3 comparative, 3 spatial. Side = patient's side.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from percuss.protocols.explanation.fields import CVC_POSITIONS, ETT_POSITIONS, GRADES, HEART, Fields
from percuss.protocols.explanation.images.image_edits import Box
from percuss.protocols.explanation.regions import REGIONS

__all__ = ["BY_ID", "QUESTIONS", "Kind", "Question"]

Kind = Literal["binary", "ordinal", "comparative", "spatial"]
YES_NO = ("yes", "no")
COMPARED = ("right", "left", "same severity", "none")
ABSENT = "not present"


@dataclass(frozen=True)
class Question:
    """One template.

    Args:
        id: b01-b18, o01-o08, c01-c03, s01-s03.
        text: the question, without its options.
        needs: fields that the answer is derived from; where one is missing, the question is not posed.
        side: the side that a one-sided question asks about.
        regions: names of the regions that bear on it.
        derive: fields -> answer.
    """

    id: str
    kind: Kind
    text: str
    options: tuple[str, ...]
    needs: tuple[str, ...]
    regions: tuple[str, ...]
    derive: Callable[[Fields], str]
    side: Literal["right", "left"] | None = None

    def answer(self, fields: Fields) -> str | None:
        """Return the true option, or None where a field that it needs is missing."""
        if any(name not in fields for name in self.needs):
            # A device that is absent has no position to annotate.
            return ABSENT if ABSENT in self.options and fields.get(self.needs[0]) is False else None
        return self.derive(fields)

    def boxes(self, side: str | None = None) -> tuple[Box, ...]:
        """Return the question's boxes; with `side`, only those of that side."""
        return tuple(REGIONS[name] for name in self.named(side))

    def named(self, side: str | None = None) -> tuple[str, ...]:
        """Return the names of its regions; with `side`, only those of that side."""
        return tuple(name for name in self.regions if side is None or name.endswith(f"_{side.capitalize()}"))

    def distance(self, one: str, other: str) -> int:
        """Return how far two options are apart: grades for ordinal questions, 0 or 1 for all others."""
        if self.kind == "ordinal":
            return abs(self.options.index(one) - self.options.index(other))
        return int(one != other)


def _yes(field: str, least: int = 1) -> Callable[[Fields], str]:
    return lambda fields: "yes" if int(fields[field]) >= least else "no"


def _grade(field: str, names: tuple[str, ...] = GRADES) -> Callable[[Fields], str]:
    return lambda fields: names[fields[field]]


def _larger(finding: str) -> Callable[[Fields], str]:
    def derive(fields: Fields) -> str:
        right, left = fields[f"{finding}_right"], fields[f"{finding}_left"]
        if right == left:
            return "same severity" if right else "none"
        return "right" if right > left else "left"

    return derive


def _position(device: str) -> Callable[[Fields], str]:
    return lambda fields: str(fields[f"{device}_position"]) if fields[device] else ABSENT


def _tube_sides(fields: Fields) -> str:
    names = {(False, False): "none", (True, False): "right", (False, True): "left", (True, True): "both"}
    return names[fields["chest_tube_right"], fields["chest_tube_left"]]


def _any_tube(fields: Fields) -> str:
    return "no" if _tube_sides(fields) == "none" else "yes"


def _binary(
    number: int, text: str, field: str, *regions: str, side: Literal["right", "left"] | None = None
) -> Question:
    return Question(f"b{number:02}", "binary", text, YES_NO, (field,), regions, _yes(field), side)


_FINDINGS = (
    ("effusion", "PleuralEffusion", "Is there a pleural effusion on the patient's {}?", "How severe is the pleural effusion on the patient's {}?"),
    ("opacity", "PulmonaryOpacities", "Does the patient's {} lung show pulmonary opacities?", "How severe are the pulmonary opacities in the patient's {} lung?"),
    ("atelectasis", "Atelectasis", "Does the patient's {} lung show atelectasis?", "How severe is the atelectasis in the patient's {} lung?"),
)  # fmt: skip
_COMPARE = {
    "effusion": "On which of the patient's sides is the pleural effusion more severe?",
    "opacity": "In which of the patient's lungs are the pulmonary opacities more severe?",
    "atelectasis": "In which of the patient's lungs is the atelectasis more severe?",
}
_SIDES: tuple[Literal["right", "left"], ...] = ("right", "left")


def _both(region: str) -> tuple[str, str]:
    return f"{region}_Right", f"{region}_Left"


def _sided() -> list[Question]:
    out = []
    for i, (field, region, yes_no, grade) in enumerate(_FINDINGS):
        for j, side in enumerate(_SIDES):
            name, box = f"{field}_{side}", f"{region}_{side.capitalize()}"
            out.append(_binary(5 + 2 * i + j, yes_no.format(side), name, box, side=side))
            ordinal_id = f"o{3 + 2 * i + j:02}"
            out.append(
                Question(
                    ordinal_id, "ordinal", grade.format(side), GRADES, (name,), (box,), _grade(name), side
                )
            )
        needs = (f"{field}_right", f"{field}_left")
        compared = Question(
            f"c{1 + i:02}", "comparative", _COMPARE[field], COMPARED, needs, _both(region), _larger(field)
        )
        out.append(compared)
    return out


def _lungs_and_heart() -> list[Question]:
    corners = (*_both("Apex"), *_both("CostodiaphragmaticAngle"))
    full = "Are both lung apices and both costodiaphragmatic angles completely on the picture?"
    return [
        Question("b01", "binary", full, YES_NO, ("field",), corners, lambda f: "yes" if f["field"] == "full" else "no"),
        _binary(2, "Is the patient rotated on this chest X-ray?", "rotated", "Clavicles"),
        _binary(3, "Is the heart enlarged, borderline enlargement included?", "heart", "HeartSize"),
        _binary(4, "Are there signs of pulmonary congestion, questionable ones included?", "congestion", "PulmonaryCongestion"),
        Question("o01", "ordinal", "How large is the heart?", HEART, ("heart",), ("HeartSize",), _grade("heart", HEART)),
        Question("o02", "ordinal", "How severe is the pulmonary congestion?", GRADES, ("congestion",), ("PulmonaryCongestion",), _grade("congestion")),
        _binary(11, "Is there a pneumothorax on the patient's right?", "pneumothorax_right", "Pneumothorax_Right", side="right"),
        _binary(12, "Is there a pneumothorax on the patient's left?", "pneumothorax_left", "Pneumothorax_Left", side="left"),
        _binary(13, "Can a lung nodule or mass be seen?", "nodule", *_both("LungNodule")),
    ]  # fmt: skip


def _devices() -> list[Question]:
    tubes = ("chest_tube_right", "chest_tube_left")
    ett = (ABSENT, *ETT_POSITIONS)
    cvc = (ABSENT, *CVC_POSITIONS)
    return [
        _binary(14, "Is there an endotracheal tube?", "ett", "EndotrachealTube"),
        _binary(15, "Is there a gastric tube?", "gastric_tube", "GastricTube"),
        _binary(16, "Is there a central venous catheter?", "cvc", "CentralVenousCatheter"),
        _binary(17, "Is there a cardiac pacemaker?", "pacemaker", "CardiacPacemaker"),
        Question("b18", "binary", "Is there a chest tube on either side?", YES_NO, tubes, _both("ChestTube"), _any_tube),
        Question("s01", "spatial", "Where does the tip of the endotracheal tube lie?", ett, ("ett", "ett_position"), ("EndotrachealTube",), _position("ett")),
        Question("s02", "spatial", "Where does the tip of the central venous catheter lie?", cvc, ("cvc", "cvc_position"), ("CentralVenousCatheter",), _position("cvc")),
        Question("s03", "spatial", "On which of the patient's sides is there a chest tube?", ("none", "right", "left", "both"), tubes, _both("ChestTube"), _tube_sides),
    ]  # fmt: skip


_ORDER = {"b": 0, "o": 1, "c": 2, "s": 3}
#: All 32, binary first, then ordinal, comparative, spatial.
QUESTIONS: tuple[Question, ...] = tuple(
    sorted(
        [*_lungs_and_heart(), *_sided(), *_devices()],
        key=lambda question: (_ORDER[question.id[0]], question.id),
    )
)
BY_ID: dict[str, Question] = {question.id: question for question in QUESTIONS}
