"""From measured fields to an answer: the reader's own rules, written apart from the protocol's."""

from percuss.protocols.explanation.phantom.knobs import Topic
from percuss.protocols.explanation.phantom.probes import Fields

__all__ = ["read_off"]

_GRADES = ("none", "questionable", "mild", "moderate", "severe")
_HEART = ("normal", "borderline", "enlarged", "massively enlarged")
_SIDED = ("effusion", "opacity", "atelectasis")
_FLAGS = {
    "b02": "rotated",
    "b13": "nodule",
    "b14": "ett",
    "b15": "gastric_tube",
    "b16": "cvc",
    "b17": "pacemaker",
}


def read_off(topic: Topic, fields: Fields) -> str | None:
    """Return the answer that the measured fields imply; None where a field that it hangs on is hidden.

    Args:
        topic: the question.
        fields: as measured.
    """
    family, number = topic.id[0], int(topic.id[1:])
    if family == "c":
        return _compare(fields, _SIDED[number - 1])
    if family == "s":
        return _place(fields, number)
    if family == "o":
        return _graded(fields, number)
    return _yes_no(fields, topic.id, number)


def _yes_no(fields: Fields, name: str, number: int) -> str | None:
    value: object
    if name == "b01":
        value = None if fields["field"] is None else fields["field"] == "full"
    elif name in {"b03", "b04"}:
        value = fields["heart" if name == "b03" else "congestion"]
    elif 5 <= number <= 12:
        finding = (*_SIDED, "pneumothorax")[(number - 5) // 2]
        value = fields[f"{finding}_{'right' if number % 2 else 'left'}"]
    elif name == "b18":
        value = _tubes(fields)
        value = None if value is None else value != "none"
    else:
        value = fields[_FLAGS[name]]
    return None if value is None else "yes" if value else "no"


def _graded(fields: Fields, number: int) -> str | None:
    if number == 1:
        return None if fields["heart"] is None else _HEART[fields["heart"]]
    name = "congestion" if number == 2 else f"{_SIDED[(number - 3) // 2]}_{'right' if number % 2 else 'left'}"
    return None if fields[name] is None else _GRADES[fields[name]]


def _compare(fields: Fields, finding: str) -> str | None:
    right, left = fields[f"{finding}_right"], fields[f"{finding}_left"]
    if right is None or left is None:
        return None
    if right == left:
        return "same severity" if right else "none"
    return "right" if right > left else "left"


def _place(fields: Fields, number: int) -> str | None:
    if number == 3:
        return _tubes(fields)
    device = "ett" if number == 1 else "cvc"
    if fields[device] is None:
        return None
    return str(fields[f"{device}_position"]) if fields[device] else "not present"


def _tubes(fields: Fields) -> str | None:
    right, left = fields["chest_tube_right"], fields["chest_tube_left"]
    if right is None or left is None:
        return None
    return "both" if right and left else "right" if right else "left" if left else "none"
