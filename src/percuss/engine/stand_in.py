"""A reply for show: what a dry run answers in place of a model, valid where the request says by a schema what is valid."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from percuss.core.records import Reply, Request, Text

__all__ = ["reply_for_show", "valid_value"]

TYPICAL_SHARE = 0.4
"""Of `max_tokens`, what an answer takes as a rule."""
WORDS_A_TOKEN = 0.75
DEEPEST = 20
"""Levels of a schema that are followed; one that refers to itself ends there in null."""


def reply_for_show(request: Request) -> Reply:
    """Return a reply of typical length; where the request has a schema, the shortest JSON that it takes."""
    if request.reply_schema is not None:
        text = json.dumps(valid_value(request.reply_schema))
    else:
        text = " ".join(["word"] * max(1, round(request.max_tokens * TYPICAL_SHARE * WORDS_A_TOKEN)))
    return Reply(parts=(Text(text=text),), finish="stop")


def valid_value(schema: Any, root: Mapping[str, Any] | None = None, depth: int = 0) -> Any:
    """Return a value that a JSON Schema takes, as small as it may be.

    Args:
        schema: type, properties, required, items, enum, const, $ref, anyOf, oneOf, allOf and the usual limits are followed;
            `pattern` and `format` are not.
        root: the whole schema, in which references are looked up; None for the schema itself.
        depth: levels gone down.

    >>> valid_value({"type": "object", "required": ["label"], "properties": {"label": {"enum": ["yes", "no"]}}})
    {'label': 'yes'}
    """
    whole = schema if root is None else root
    if not isinstance(schema, Mapping) or depth > DEEPEST:
        return None
    for choice in (schema.get("const"), *_listed(schema, "enum"), *_listed(schema, "examples")):
        if choice is not None:
            return choice
    if "$ref" in schema:
        return valid_value(_at(str(schema["$ref"]), whole), whole, depth + 1)
    if "allOf" in schema:
        merged = {key: value for part in schema["allOf"] for key, value in _resolved(part, whole).items()}
        return valid_value({**merged, **{k: v for k, v in schema.items() if k != "allOf"}}, whole, depth + 1)
    for key in ("anyOf", "oneOf"):
        if schema.get(key):
            return valid_value(schema[key][0], whole, depth + 1)
    return _of_type(schema, whole, depth)


def _of_type(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> Any:
    kind = schema.get("type", "object" if "properties" in schema else "string")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        known = schema.get("properties", {})
        return {
            name: valid_value(known.get(name, {}), root, depth + 1) for name in schema.get("required", known)
        }
    if kind == "array":
        items = schema.get("prefixItems") or [schema.get("items", {})] * int(schema.get("minItems", 0))
        return [valid_value(item, root, depth + 1) for item in items]
    if kind in {"number", "integer"}:
        low = schema.get("minimum", schema.get("exclusiveMinimum", -1) + 1)
        least = min(max(low, 0), schema["maximum"]) if "maximum" in schema else max(low, 0)
        return int(least) if kind == "integer" else least
    if kind == "string":
        return "word" + "s" * max(0, int(schema.get("minLength", 0)) - 4)
    return False if kind == "boolean" else None


def _listed(schema: Mapping[str, Any], key: str) -> Sequence[Any]:
    held = schema.get(key, ())
    return held if isinstance(held, Sequence) and not isinstance(held, str) else ()


def _resolved(part: Any, root: Mapping[str, Any]) -> Mapping[str, Any]:
    found = _at(str(part["$ref"]), root) if isinstance(part, Mapping) and "$ref" in part else part
    return found if isinstance(found, Mapping) else {}


def _at(reference: str, root: Mapping[str, Any]) -> Any:
    place: Any = root
    for name in reference.removeprefix("#").split("/"):
        if name and isinstance(place, Mapping):
            place = place.get(name.replace("~1", "/").replace("~0", "~"))
    return place
