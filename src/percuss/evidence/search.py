"""Search a small corpus in memory (BM25, fused with meaning where an embedder is given), and several searches as one."""

import asyncio
import math
import re
from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from percuss.core.errors import FetchError
from percuss.core.ports import Embedder, Hit, Search

__all__ = ["K1", "B", "Corpus", "fused", "terms", "together"]

K1, B = 1.2, 0.75
"""Saturation of a word's count and weight of a document's length (Robertson & Zaragoza 2009, section 3.5: usual values)."""
RRF = 60
"""Constant of reciprocal rank fusion (Cormack et al. 2009)."""

_WORD = re.compile(r"[^\W_]+")
_STOP = frozenset(
    "a an and are as at be by for from has have in is it its of on or that the this to was were which with".split()
)


def terms(text: str) -> list[str]:
    """Return the words of a text that count, in lower case, plurals cut.

    >>> terms("The cells of PD-L1 tumours")
    ['cell', 'pd', 'l1', 'tumour']
    """
    words = (match.group().lower() for match in _WORD.finditer(text))
    return [
        word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
        for word in words
        if word not in _STOP
    ]


def fused(rankings: Sequence[Sequence[int]]) -> list[tuple[int, float]]:
    """Fuse rankings of the same things by reciprocal rank; best first, ties by number.

    Args:
        rankings: each a sequence of the things' numbers, best first; a thing may be missing.
    """
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, number in enumerate(ranking, start=1):
            scores[number] = scores.get(number, 0.0) + 1 / (RRF + rank)
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))


async def together(searches: Sequence[Search], query: str, *, k: int) -> tuple[Hit, ...]:
    """Return at most k results of all searches, in turn, each address once.

    Args:
        searches: asked at once. query: the same for all. k: results of each, and of all together.

    Raises:
        FetchError: none of them answered, and at least one could not be asked.
    """
    told = await asyncio.gather(*(each.search(query, k=k) for each in searches), return_exceptions=True)
    for each in told:
        if isinstance(each, BaseException) and not isinstance(each, FetchError):
            raise each
    found = [each for each in told if not isinstance(each, BaseException)]
    failed = [each for each in told if isinstance(each, BaseException)]
    if failed and not any(found):
        raise failed[0]
    merged = [hit for rank in zip_longest(*found) for hit in rank if hit is not None]
    return tuple({hit.url or hit.id: hit for hit in reversed(merged)}.values())[::-1][:k]


class Corpus:
    """A search over documents that are all in memory.

    Args:
        documents: `Hit`s whose `score` is not used; title and text are searched, the title counting twice.
        name: part of `id`, so that two corpora of a run differ.
        embedder: where given, meaning is ranked beside words and the two are fused.
    """

    def __init__(
        self, documents: Sequence[Hit], *, name: str = "corpus", embedder: Embedder | None = None
    ) -> None:
        self._documents = tuple(documents)
        self._embedder = embedder
        self._vectors: NDArray[np.float32] | None = None
        self._counts = [Counter(terms(f"{each.title} {each.title} {each.text}")) for each in documents]
        self._lengths = [sum(counts.values()) for counts in self._counts]
        self._mean = sum(self._lengths) / len(self._lengths) if self._lengths else 0.0
        self._holding = Counter(word for counts in self._counts for word in counts)
        self.id = f"{name}/bm25" + (f"+{embedder.id}" if embedder else "")

    def bm25(self, query: str) -> list[tuple[int, float]]:
        """Return (number, score) of the documents that share a word with the query, best first, ties by number."""
        scores: dict[int, float] = {}
        for word in dict.fromkeys(terms(query)):
            holding = self._holding.get(word, 0)
            if not holding:
                continue
            weight = math.log(1 + (len(self._documents) - holding + 0.5) / (holding + 0.5))
            for number, counts in enumerate(self._counts):
                count = counts.get(word, 0)
                if count:
                    length = 1 - B + B * self._lengths[number] / self._mean
                    scores[number] = scores.get(number, 0.0) + weight * count * (K1 + 1) / (
                        count + K1 * length
                    )
        return sorted(scores.items(), key=lambda item: (-item[1], item[0]))

    async def search(self, query: str, *, k: int = 5) -> tuple[Hit, ...]:
        """Return at most k documents, best first; none where no word is shared and there is no embedder."""
        ranked = self.bm25(query)
        if self._embedder is not None and self._documents:
            ranked = fused([[number for number, _ in ranked], await self._by_meaning(query)])
        return tuple(self._hit(number, score) for number, score in ranked[:k])

    async def _by_meaning(self, query: str) -> list[int]:
        assert self._embedder is not None
        if self._vectors is None:
            self._vectors = await self._embedder.embed(
                [f"{each.title}. {each.text}" for each in self._documents]
            )
        (asked,) = await self._embedder.embed([query])
        nearness = self._vectors @ asked
        return [int(number) for number in np.argsort(-nearness, kind="stable")]

    def _hit(self, number: int, score: float) -> Hit:
        found = self._documents[number]
        return Hit(id=found.id, title=found.title, text=found.text, url=found.url, score=score)
