"""A dry run survives any `ask`: what a schema wants is given, what a parser refuses is counted as far as it went."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from percuss.core.ports import Roles
from percuss.core.records import Message, Posed, Reply, Request, Transcript, Turn
from percuss.engine import plan
from percuss.engine.plan import LONGEST
from percuss.engine.stand_in import valid_value
from tests.tiny import SEED, TINY, Echo, TinyOptions, cases

OPTIONS = TinyOptions()
SCHEMA = {
    "type": "object",
    "required": ["label", "spans", "sure"],
    "properties": {
        "label": {"$ref": "#/$defs/label"},
        "spans": {"type": "array", "minItems": 2, "items": {"type": "integer", "minimum": 3}},
        "sure": {"anyOf": [{"type": "number", "maximum": 1}, {"type": "null"}]},
    },
    "$defs": {"label": {"enum": ["supported", "unsupported"]}},
}


def asking(schema: dict[str, Any] | None, read: Any, turns: int = 1) -> Any:
    """Return an `ask` of so many turns that reads each reply."""

    async def ask(posed: Posed, roles: Roles, options: TinyOptions) -> Transcript:
        messages = posed.messages
        for _ in range(turns):
            reply: Reply = await roles.models["model"].generate(
                Request(messages=messages, reply_schema=schema)
            )
            read(reply.text)
            messages = (
                *messages,
                Message.of("assistant", reply.text),
                Message.of("user", str(len(messages))),
            )
        return Transcript(turns=(Turn(index=0, role="assistant", parts=reply.parts),))

    return ask


async def counted(ask: Any) -> Any:
    roles = Roles({}, seed=SEED)
    (found,) = await plan(
        replace(TINY, ask=ask), OPTIONS, cases=cases("3", OPTIONS, SEED), roles=roles, models=[Echo()]
    )
    return found


async def test_a_reply_is_made_from_the_schema() -> None:
    seen: list[Any] = []
    found = await counted(asking(SCHEMA, lambda text: seen.append(json.loads(text)), turns=3))
    assert (found.calls, found.broken, found.failed) == (18, 0, 0)
    assert seen[0] == {"label": "supported", "spans": [3, 3], "sure": 0}


@pytest.mark.parametrize("error", [ValueError, KeyError, RuntimeError, AssertionError])
async def test_what_a_parser_refuses_is_counted_as_far_as_it_went(error: type[Exception]) -> None:
    def refuse(text: str) -> None:
        raise error(text)

    found = await counted(asking(None, refuse, turns=3))
    assert (found.calls, found.broken, found.missing) == (6, 6, 6)


async def test_a_conversation_that_waits_for_a_word_ends() -> None:
    found = await counted(asking(None, lambda text: None, turns=10**9))
    assert found.broken == 6
    assert found.calls == 6 * (LONGEST + 1)


kinds = st.sampled_from(["string", "integer", "number", "boolean", "null"])
schemas = st.recursive(
    kinds.map(lambda kind: {"type": kind}),
    lambda inner: st.one_of(
        st.dictionaries(st.sampled_from("abc"), inner).map(
            lambda known: {"type": "object", "properties": known, "required": sorted(known)}
        ),
        inner.map(lambda item: {"type": "array", "items": item, "minItems": 1}),
        st.lists(inner, min_size=1).map(lambda some: {"anyOf": some}),
    ),
)


@settings(deadline=None)
@given(schemas)
def test_every_value_is_one_that_its_schema_takes(schema: dict[str, Any]) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.validate(valid_value(schema), schema)


def test_a_schema_that_refers_to_itself_ends() -> None:
    loop = {
        "$ref": "#/$defs/n",
        "$defs": {"n": {"type": "object", "properties": {"n": {"$ref": "#/$defs/n"}}}},
    }
    assert json.dumps(valid_value(loop)).count("n") > 1
