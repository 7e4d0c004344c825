"""The JSON Schema of each type's reply, and a reply as an item."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from percuss.core.ids import b2
from percuss.judging.judge import last_object
from percuss.protocols.textbook.items.item import Item, item_id
from percuss.protocols.textbook.scoring.normal import normal

__all__ = ["DISTRACTORS", "as_json", "item_from", "schema_of"]


def _text(longest: int) -> dict[str, Any]:
    return {"type": "string", "minLength": 1, "maxLength": longest}


def _texts(longest: int, least: int, most: int) -> dict[str, Any]:
    return {"type": "array", "items": _text(longest), "minItems": least, "maxItems": most}


# As long as the released sample's own (question 229 characters, answer 438, step 372, explanation 442, option 127) and no
# longer: without a limit a small model writes on in the first field until it is cut.
_QUESTION, _SHORT, _LONG = _text(240), _text(240), _text(450)
_STEPS = _texts(380, 2, 6)
_FIELDS: dict[str, dict[str, Any]] = {
    "true_false": {"question": _QUESTION, "answer": {"type": "string", "enum": ["true", "false"]}},
    "list": {"question": _QUESTION, "answers": _texts(130, 2, 8), "wrong": _texts(130, 2, 4)},
    "multiple_choice": {"question": _QUESTION, "answer": _text(130), "wrong": _texts(130, 3, 4)},
    "short_answer": {"question": _QUESTION, "answer": _SHORT},
    "multi_hop": {"question": _QUESTION, "reasoning": _STEPS, "answer": _LONG},
    "short_inverse": {"question": _QUESTION, "answer": _SHORT, "given_answer": _SHORT, "explanation": _LONG},
    "multi_hop_inverse": {
        "question": _QUESTION, "reasoning": _STEPS, "given_answer": _LONG, "wrong_step": {"type": "integer", "minimum": 1, "maximum": 6},
        "explanation": _LONG, "answer": _LONG,
    },
}  # fmt: skip
"""What the model writes; options are mixed from right and wrong ones here, so that the right one is among them."""
WRONG_OPTIONS = 3  # of a multiple choice; a fourth stands in for one that says another again
DISTRACTORS: dict[str, Any] = {
    "type": "object", "properties": {"options": _texts(130, 2, 10)}, "required": ["options"], "additionalProperties": False,
}  # fmt: skip


def schema_of(kind: str, truth: str = "") -> dict[str, Any]:
    """Return the schema of a type's reply.

    Args:
        kind: the type. truth: `true` or `false` where the statement is asked for as one of them; "" leaves it open.
    """
    fields = dict(_FIELDS[kind])
    if truth:
        fields["answer"] = {"type": "string", "enum": [truth]}
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def item_from(text: str, kind: str, *, passage: str, domain: str = "") -> Item | str:
    """Return the item of a reply, or what is wrong with the reply.

    Args:
        text: the reply. kind: type asked for. passage: id of its passage. domain: its specialty.
    """
    found = last_object(text, "question")
    if found is None:
        return "the reply holds no JSON object with a question"
    fields: dict[str, Any] = {}
    for name, schema in _FIELDS[kind].items():
        value = _read(found.get(name), name, schema["type"])
        if isinstance(value, _Fault):
            return str(value)
        fields[name] = value
    if kind == "true_false":
        fields["answer"] = fields["answer"].lower()
    if "wrong" in fields:
        right = fields.get("answers") or (fields["answer"],)
        most = WRONG_OPTIONS if kind == "multiple_choice" else len(fields["wrong"])
        fields["options"] = _mixed(fields["question"], right, fields.pop("wrong"), most)
    held = {
        "id": item_id(kind, fields["question"], passage),
        "type": kind,
        "passage": passage,
        "domain": domain,
        **fields,
    }
    return msgspec.convert(held, Item)


_TOLD = re.compile(
    r"^\s*(?:according to the passage,?\s+|(?:the|this) passage (?:explicitly |clearly )?(?:states|says|mentions|notes|explains) that\s+)",
    re.IGNORECASE,
)


def _plain(text: str) -> str:
    """Return a text without blanks around it and without an opening that only says that the passage says so.

    >>> _plain("The passage states that vagal fibres slow the node. ")
    'Vagal fibres slow the node.'
    """
    rest = _TOLD.sub("", text.strip())
    return rest[:1].upper() + rest[1:] if len(rest) < len(text.strip()) else rest


class _Fault(str):
    """What is wrong with a field."""

    __slots__ = ()


def _read(value: object, name: str, form: str) -> Any:
    """Return a field's value, its texts made plain, or its fault."""
    if form == "array":
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            return _Fault(f"{name} is no list of texts")
        return tuple(map(_plain, value))
    if form == "integer":
        if not isinstance(value, int) or isinstance(value, bool):
            return _Fault(f"{name} is no whole number")
        return value
    if not isinstance(value, str | bool):
        return _Fault(f"{name} is no text")
    return _plain(str(value))


def _mixed(question: str, right: Iterable[str], wrong: Iterable[str], most: int) -> tuple[str, ...]:
    """Return right and wrong options in an order that only their words decide; a wrong one that repeats another is left out."""
    right = tuple(right)
    taken = set(map(normal, right))
    kept: list[str] = []
    for option in wrong:
        if len(kept) < most and normal(option) and normal(option) not in taken:
            taken.add(normal(option))
            kept.append(option)
    return tuple(sorted([*right, *kept], key=lambda option: b2("option", question, option)))


def as_json(item: Item) -> str:
    """Return an item's own fields as a reply would have them."""
    right = set(map(normal, item.answers or (item.answer,)))
    given: Mapping[str, Any] = {"wrong": [option for option in item.options if normal(option) not in right]}
    held = {name: given.get(name, getattr(item, name, None)) for name in _FIELDS[item.type]}
    return json.dumps(
        {key: list(value) if isinstance(value, tuple) else value for key, value in held.items()}
    )
