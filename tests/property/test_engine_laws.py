"""Laws of ids, keys and seeds."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from percuss.core.ids import canonical_json, claim_id, digest, response_id
from percuss.core.messages import Message
from percuss.core.records import Request
from percuss.core.seeds import derive
from percuss.engine.journal import keyed_document

TEXTS = st.text(st.characters(codec="utf-8"), max_size=40)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
REQUESTS = st.builds(
    Request,
    messages=st.lists(
        st.builds(Message.of, st.sampled_from(["system", "user", "assistant"]), TEXTS), max_size=4
    ).map(tuple),
    temperature=st.floats(0, 2) | st.integers(0, 2),
    top_p=st.floats(0, 1) | st.integers(0, 1),
    max_tokens=st.integers(1, 10_000),
    seed=st.none() | st.integers(0, 2**31 - 1),
    stop=st.lists(TEXTS, max_size=2).map(tuple),
    logprobs=st.booleans(),
)


@given(VALUES)
def test_canonical_json_reads_back_and_ignores_the_order_of_keys(value: Any) -> None:
    assert json.loads(canonical_json(value)) == value
    if isinstance(value, dict):
        assert canonical_json(dict(reversed(value.items()))) == canonical_json(value)


@given(REQUESTS, st.integers(0, 3))
def test_a_key_depends_on_what_a_model_sees_and_nothing_else(request: Request, epoch: int) -> None:
    document = keyed_document("m/1", "pin", request, epoch)
    as_float = replace(request, temperature=float(request.temperature), top_p=float(request.top_p))
    assert keyed_document("m/1", "pin", as_float, epoch) == document
    held = json.loads(document)
    assert set(held) == {"v", "model", "pin", "epoch", "request"}
    assert set(held["request"]) == set(Request.__struct_fields__), "defaults are written out"
    assert isinstance(held["request"]["temperature"], float)
    others = [
        keyed_document("m/2", "pin", request, epoch),
        keyed_document("m/1", "other", request, epoch),
        keyed_document("m/1", "pin", request, epoch + 1),
        keyed_document("m/1", "pin", replace(request, max_tokens=request.max_tokens + 1), epoch),
        keyed_document(
            "m/1", "pin", replace(request, messages=(*request.messages, Message.of("user", ""))), epoch
        ),
    ]
    assert len({digest(one) for one in (document, *others)}) == 6


@given(REQUESTS, REQUESTS)
def test_equal_keys_are_equal_requests(one: Request, other: Request) -> None:
    assert (keyed_document("m", "", one) == keyed_document("m", "", other)) == (one == other)


@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS, st.integers(0, 9)), unique=True, max_size=20))
def test_ids_do_not_run_into_each_other(rows: list[tuple[str, str, str, int]]) -> None:
    assert len({response_id(*row) for row in rows}) == len(rows)
    assert len({claim_id(a, n, n, n + 1, b + c) for a, b, c, n in rows}) == len(
        {(a, n, b + c) for a, b, c, n in rows}
    )


@given(st.integers(0, 2**31 - 1), st.lists(TEXTS | st.integers(0, 99), min_size=1, max_size=4))
def test_seeds_are_of_their_names(root: int, names: list[str | int]) -> None:
    seed = derive(root, *names)
    assert 0 <= seed < 2**31
    assert derive(root, *names) == seed
    assert derive(root, *names, "more") != seed or derive(root, *names, "more", "still") != seed
