"""Calls of tools that stand in a reply's text, for models that don't call them on the wire.

The form asked for is `{"tool": NAME, "arguments": {..}}`; the forms that models use in its place are read too where they
say a tool's name and what goes into it. What can't be told (cut, not JSON, calls with text between them) is undecided.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from percuss.core.messages import Tool, ToolCall
from percuss.kit.agent import Read

__all__ = ["VERSION", "read_calls"]

VERSION = "rule:calls-1"
LONGEST = 20_000
"""Letters that are read; a longer reply is no call."""
_NAMES = ("tool", "name", "function", "tool_name")
_ARGUMENTS = ("arguments", "parameters", "args")
# What may stand between two calls of one reply: spaces, commas, code fences (```json), tags (</tool_call>).
_BETWEEN = re.compile(r"(?:\s|[,;{}\[\]]|```\w*|</?tool_calls?>)*")
# Where a call seems to begin that is not JSON: {'tool': .. , {tool: .. , {"name": "query", "arg  (cut)
_BEGINS = re.compile(
    r"""\{\s*["']?(?:tool|tool_calls?|tool_name|arguments)["']?\s*:|\{\s*["']name["']\s*:\s*["'](\w+)["']"""
)


def read_calls(text: str, tools: Sequence[Tool]) -> Read:
    """Return the calls that a text holds, none, or why it can't be told.

    Args:
        text: of one reply. tools: that the model was offered.

    >>> look = Tool(name="look", description="", parameters={})
    >>> read_calls('I look: {"tool": "look", "arguments": {"at": 1}}', [look]).calls[0].arguments
    '{"at": 1}'
    """
    if len(text) > LONGEST:
        return Read(undecided=f"longer than {LONGEST} letters") if "{" in text else Read()
    names = {tool.name for tool in tools}
    found, why, last, apart = list[tuple[str, Any]](), "", 0, False
    for start, stop, value in _values(text):
        if value is _BROKEN:
            named = _BEGINS.match(text, start)
            if named and (named[1] is None or named[1] in names):
                why = why or "a call that is cut or no JSON"
            continue
        calls, unclear = _calls(value, names)
        why = why or unclear or ("" if calls else _nameless(value, tools))
        apart = apart or bool(calls and found and not _BETWEEN.fullmatch(text, last, start))
        if calls:
            found += calls
            last = stop
    if apart:
        return Read(
            undecided="calls with text between them: a later one may rest on a result that was made up"
        )
    if why and not (found and why.startswith("arguments without")):
        return Read(undecided=why)
    made = (
        ToolCall(id=f"text-{n}", name=name, arguments=json.dumps(arguments, ensure_ascii=False))
        for n, (name, arguments) in enumerate(found)
    )
    return Read(calls=tuple(made))


_BROKEN = object()


def _values(text: str) -> Iterator[tuple[int, int, Any]]:
    """Yield start, stop and value of every outermost object or list in a text; `_BROKEN` where one only begins."""
    decoder = json.JSONDecoder(parse_constant=_refuse)
    at = 0
    while (match := re.compile(r"[{\[]").search(text, at)) is not None:
        start = match.start()
        try:
            value, stop = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            yield start, start + 1, _BROKEN
            at = start + 1
            continue
        yield start, stop, value
        at = stop


def _refuse(word: str) -> Any:
    raise ValueError(word)


def _calls(value: Any, names: set[str]) -> tuple[list[tuple[str, Any]], str]:
    """Return the calls that a JSON value is, and why it can't be told."""
    if isinstance(value, list):
        each = [_calls(item, names) for item in value]
        if each and all(calls for calls, _ in each):
            return [call for calls, _ in each for call in calls], ""
        return [], next((why for _, why in each if why), "")
    if not isinstance(value, dict) or "description" in value:
        return [], ""
    for key in ("tool_calls", "tool_call"):
        if isinstance(value.get(key), dict | list):
            return _calls(value[key], names)
    if isinstance(value.get("function"), dict):
        return _calls(value["function"], names)
    return _call(value, names)


def _call(value: dict[str, Any], names: set[str]) -> tuple[list[tuple[str, Any]], str]:
    key = next((key for key in _NAMES if isinstance(value.get(key), str)), None)
    if key is None:
        # {"submit": {"rows": [..]}}
        if len(value) == 1 and (name := next(iter(value))) in names and isinstance(value[name], dict):
            return [(name, value[name])], ""
        return [], ""
    name = value[key]
    given = next((each for each in _ARGUMENTS if each in value), None)
    if name not in names and not (key == "tool" and given):
        return [], ""
    if given is None:
        # {"tool": "submit", "rows": [..]}
        return [(name, {k: v for k, v in value.items() if k not in {key, "id", "type"}})], ""
    arguments = value[given]
    if isinstance(arguments, str):
        arguments = _object(arguments)
    if not isinstance(arguments, dict):
        return [], "a call whose arguments are no object"
    if "properties" in arguments and arguments.get("type") == "object":
        return [], ""  # the tool's own schema, said again
    return [(name, arguments)], ""


def _object(text: str) -> Any:
    """Return the object that arguments written as text hold, as the wire format has them."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None


def _nameless(value: Any, tools: Sequence[Tool]) -> str:
    """Say so where an object is what a tool takes, and no tool is named: `{"rows": [..]}`."""
    if not isinstance(value, dict) or not value:
        return ""
    for tool in tools:
        taken = tool.parameters.get("properties", {})
        if set(value) <= set(taken) and set(tool.parameters.get("required", ())) <= set(value):
            return "arguments without the name of a tool"
    return ""
