"""The JSON Schema of each type's reply, and a reply as an item."""

import json
from typing import Any

import msgspec

from percuss.judging.judge import last_object
from percuss.protocols.textbook.items.item import Item, item_id

__all__ = ["DISTRACTORS", "item_from", "schema_of"]


def _text(longest: int) -> dict[str, Any]:
    return {"type": "string", "minLength": 1, "maxLength": longest}


def _texts(longest: int, most: int) -> dict[str, Any]:
    return {"type": "array", "items": _text(longest), "minItems": 2, "maxItems": most}


# As long as the released sample's own (question 229 characters, answer 438, step 372, explanation 442, option 127) and no
# longer: without a limit a small model writes on in the first field until it is cut.
_QUESTION, _SHORT, _LONG = _text(240), _text(240), _text(450)
_OPTIONS, _STEPS = _texts(130, 10), _texts(380, 6)
_FIELDS: dict[str, dict[str, Any]] = {
    "true_false": {"question": _QUESTION, "answer": {"type": "string", "enum": ["true", "false"]}},
    "list": {"question": _QUESTION, "answers": _OPTIONS, "options": {**_OPTIONS, "minItems": 4}},
    "multiple_choice": {"question": _QUESTION, "options": {**_OPTIONS, "minItems": 4, "maxItems": 4}, "answer": _text(130)},
    "short_answer": {"question": _QUESTION, "answer": _SHORT},
    "multi_hop": {"question": _QUESTION, "reasoning": _STEPS, "answer": _LONG},
    "short_inverse": {"question": _QUESTION, "answer": _SHORT, "given_answer": _SHORT, "explanation": _LONG},
    "multi_hop_inverse": {
        "question": _QUESTION, "reasoning": _STEPS, "given_answer": _LONG, "wrong_step": {"type": "integer", "minimum": 1, "maximum": 6},
        "explanation": _LONG, "answer": _LONG,
    },
}  # fmt: skip
DISTRACTORS: dict[str, Any] = {
    "type": "object", "properties": {"options": _OPTIONS}, "required": ["options"], "additionalProperties": False,
}  # fmt: skip


def schema_of(kind: str) -> dict[str, Any]:
    """Return the schema of a type's reply."""
    fields = _FIELDS[kind]
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
        value = found.get(name)
        if schema["type"] == "array":
            if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
                return f"{name} is no list of texts"
            fields[name] = tuple(each.strip() for each in value)
        elif schema["type"] == "integer":
            if not isinstance(value, int) or isinstance(value, bool):
                return f"{name} is no whole number"
            fields[name] = value
        else:
            if not isinstance(value, str | bool):
                return f"{name} is no text"
            fields[name] = str(value).strip()
    if kind == "true_false":
        fields["answer"] = fields["answer"].lower()
    held = {
        "id": item_id(kind, fields["question"], passage),
        "type": kind,
        "passage": passage,
        "domain": domain,
        **fields,
    }
    return msgspec.convert(held, Item)


def as_json(item: Item) -> str:
    """Return an item's own fields as a reply would have them."""
    fields = {name: getattr(item, name) for name in _FIELDS[item.type]}
    return json.dumps(
        {key: list(value) if isinstance(value, tuple) else value for key, value in fields.items()}
    )
