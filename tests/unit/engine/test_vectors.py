"""Vectors of an endpoint are asked once a text and read from the run ever after."""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from percuss.core.errors import BadRequest, Transient
from percuss.engine import JournaledEmbedder
from percuss.store import RunStore
from tests.tiny import create


class Letters:
    """Embeds by counts of letters; fails as often as told, then answers; counts the texts of each call."""

    id = "vllm/letters"
    pin = "here:1"

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)
        self.asked: list[list[str]] = []

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked.append(list(texts))
        if self.failures:
            raise self.failures.pop(0)
        rows = np.asarray([[1 + text.count(c) for c in "abc"] for text in texts], dtype=np.float32)
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    with create(tmp_path / "r", source="1") as made:
        yield made


async def test_a_text_is_embedded_once_and_rows_keep_their_order(store: RunStore) -> None:
    letters = Letters()
    first = await JournaledEmbedder(letters, store).embed(["aab", "b", "aab"])
    again = await JournaledEmbedder(letters, store).embed(["b", "cc", "aab"])
    assert letters.asked == [["aab", "b"], ["cc"]]
    assert np.array_equal(first[0], first[2])
    assert np.array_equal(again[[2, 0]], first[:2])
    assert np.array_equal(again, await Letters().embed(["b", "cc", "aab"]))
    assert again.dtype == np.float32


async def test_no_text_asks_nobody(store: RunStore) -> None:
    letters = Letters()
    assert (await JournaledEmbedder(letters, store).embed([])).shape[0] == 0
    assert letters.asked == []


async def test_named_failures_are_asked_again_and_others_end_at_once(store: RunStore) -> None:
    shaky = Letters(Transient("busy"), Transient("busy"))
    await JournaledEmbedder(shaky, store, wait_s=0.001).embed(["a"])
    assert len(shaky.asked) == 3
    wrong = Letters(BadRequest("no such model"))
    with pytest.raises(BadRequest, match="no such model"):
        await JournaledEmbedder(wrong, store, wait_s=0.001).embed(["b"])
    assert len(wrong.asked) == 1


async def test_another_host_is_another_embedder(store: RunStore) -> None:
    here, there = Letters(), Letters()
    there.pin = "there:1"
    await JournaledEmbedder(here, store).embed(["a"])
    await JournaledEmbedder(there, store).embed(["a"])
    assert there.asked == [["a"]]


async def test_askers_of_one_text_share_a_call(store: RunStore) -> None:
    letters = Letters()
    shared = JournaledEmbedder(letters, store)
    first, second = await asyncio.gather(shared.embed(["a", "b"]), shared.embed(["b", "c"]))
    assert letters.asked == [["a", "b"], ["c"]]
    assert np.array_equal(first[1], second[0])


async def test_who_waits_for_a_call_that_fails_asks_anew(store: RunStore) -> None:
    letters = Letters(BadRequest("no"))
    shared = JournaledEmbedder(letters, store)
    first, second = await asyncio.gather(shared.embed(["a"]), shared.embed(["a"]), return_exceptions=True)
    assert isinstance(first, BadRequest)
    assert not isinstance(second, BaseException)
    assert np.array_equal(second, await Letters().embed(["a"]))
