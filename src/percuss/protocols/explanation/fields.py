"""The structured findings of one chest radiograph: every field, its values, and what a grade is called.

Side is the patient's side. A field that nobody annotated is absent from the mapping, never a default.
"""

from collections.abc import Mapping
from typing import Any

__all__ = [
    "CVC_POSITIONS",
    "ETT_POSITIONS",
    "FIELDS",
    "FIELD_VALUES",
    "GRADES",
    "HEART",
    "SIDED",
    "Fields",
    "problem",
]

Fields = Mapping[str, Any]

#: Grades 0-4 of congestion, effusion, opacity and atelectasis (papers/1 appendix B, Table S2).
GRADES = ("none", "questionable", "mild", "moderate", "severe")
#: Grades 0-3 of the heart (papers/1 appendix B, Table S2).
HEART = ("normal", "borderline", "enlarged", "massively enlarged")
ETT_POSITIONS = ("correctly positioned", "too low", "too high")
CVC_POSITIONS = ("correctly positioned", "too high", "too low", "turned")
FIELD_VALUES = ("full", "apex_cut", "base_cut")
SIDED = ("effusion", "opacity", "atelectasis")

_BOOL = (False, True)
_GRADE = (0, 1, 2, 3, 4)

#: Field -> allowed values.
FIELDS: dict[str, tuple[Any, ...]] = {
    "field": FIELD_VALUES,
    "rotated": _BOOL,
    "heart": (0, 1, 2, 3),
    "congestion": _GRADE,
    **{f"{finding}_{side}": _GRADE for finding in SIDED for side in ("right", "left")},
    "pneumothorax_right": _BOOL,
    "pneumothorax_left": _BOOL,
    "nodule": _BOOL,
    "ett": _BOOL,
    "ett_position": ETT_POSITIONS,
    "gastric_tube": _BOOL,
    "cvc": _BOOL,
    "cvc_position": CVC_POSITIONS,
    "pacemaker": _BOOL,
    "chest_tube_right": _BOOL,
    "chest_tube_left": _BOOL,
}


def problem(fields: Fields) -> str | None:
    """Return what is wrong with a case's fields in one sentence, or None.

    Args:
        fields: name -> value; missing fields are fine.
    """
    for name, value in fields.items():
        if name not in FIELDS:
            return f"the finding {name!r} is unknown; expected one of {', '.join(FIELDS)}"
        allowed = FIELDS[name]
        kind = type(allowed[0])
        if type(value) is not kind or value not in allowed:
            words = ", ".join(str(choice).lower() if kind is bool else str(choice) for choice in allowed)
            return f"the finding {name!r} is {value!r}; expected one of {words}"
    return None
