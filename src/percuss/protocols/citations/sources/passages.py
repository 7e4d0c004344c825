"""Blocks of a source: <= 220 words at paragraph and sentence bounds, 30 words overlap, offset and page kept; then ranked."""

import re
from collections.abc import Sequence

from percuss.core.ports import Embedder, Hit
from percuss.core.strict import Record
from percuss.evidence.search import Corpus, fused
from percuss.text.documents.page import PageText
from percuss.text.sentences import split

__all__ = ["BLOCK_WORDS", "BUDGET_WORDS", "Passage", "blocks", "head", "select"]

BLOCK_WORDS, OVERLAP_WORDS, HEAD_WORDS, BUDGET_WORDS = 220, 30, 80, 1500
"""Words of a block, of overlap, of a source's head, and of all that a judge is shown (definitions/citations, "Passages")."""


class Passage(Record):
    """A stretch of a source: `text[start:stop]` of its extracted text, the page where it is a PDF."""

    source: str
    start: int
    stop: int
    text: str
    page: int | None = None
    is_head: bool = False


def blocks(source: str, page: PageText) -> tuple[Passage, ...]:
    """Cut a source into blocks; the text of each is a slice of the source's text."""
    text = page.text
    pieces = [span for low, high in _paragraphs(text) for span in _sentences(text, low, high)]
    out: list[Passage] = []
    start = 0
    while start < len(pieces):
        stop, words = start, 0
        while stop < len(pieces):
            n = len(text[slice(*pieces[stop])].split())
            if words and words + n > BLOCK_WORDS:
                break
            words += n
            stop += 1
        low, high = pieces[start][0], pieces[stop - 1][1]
        out.append(Passage(source=source, start=low, stop=high, text=text[low:high], page=page.page_at(low)))
        if stop >= len(pieces):
            break
        start = max(start + 1, _back(text, pieces, stop))
    return tuple(out)


def _paragraphs(text: str) -> list[tuple[int, int]]:
    return [(m.start(), m.end()) for m in re.finditer(r"\S[^\n]*(?:\n(?!\s*\n)[^\n]+)*", text)]


def _sentences(text: str, low: int, high: int) -> list[tuple[int, int]]:
    spans = [(low + start, low + stop) for start, stop in split(text[low:high])] or [(low, high)]
    out = []
    for start, stop in spans:
        words = [(m.start() + start, m.end() + start) for m in re.finditer(r"\S+", text[start:stop])]
        for at in range(0, len(words), BLOCK_WORDS):  # a "sentence" of a table may be longer than a block
            part = words[at : at + BLOCK_WORDS]
            out.append((part[0][0], part[-1][1]))
    return out


def _back(text: str, pieces: Sequence[tuple[int, int]], stop: int) -> int:
    words = 0
    while stop > 0:
        n = len(text[slice(*pieces[stop - 1])].split())
        if words + n > OVERLAP_WORDS:
            return stop
        words += n
        stop -= 1
    return stop


def head(source: str, page: PageText) -> Passage:
    """Return the head of a source: its first 80 words, where title, authors, year and identifiers stand."""
    words = list(re.finditer(r"\S+", page.text[:4000]))[:HEAD_WORDS]
    low, high = (words[0].start(), words[-1].end()) if words else (0, 0)
    return Passage(
        source=source, start=low, stop=high, text=page.text[low:high], page=page.page_at(low), is_head=True
    )


async def select(
    query: str,
    sources: Sequence[tuple[str, PageText]],
    *,
    embedder: Embedder | None = None,
    budget: int = BUDGET_WORDS,
) -> tuple[Passage, ...]:
    """Choose what a judge reads: the head of each source, then blocks by likeness to the query, within the budget.

    Args:
        query: reference and description. sources: (name, text). embedder: None = BM25 alone.

    Returns:
        passages in the order of the documents; only heads where no block shares a word with the query.
    """
    heads = [head(name, page) for name, page in sources]
    candidates = [block for name, page in sources for block in blocks(name, page)]
    corpus = Corpus([Hit(id=str(n), title="", text=each.text) for n, each in enumerate(candidates)])
    order = [number for number, _ in corpus.bm25(query)]
    if embedder is not None and candidates:
        vectors = await embedder.embed([query, *[each.text for each in candidates]])
        near = sorted(range(len(candidates)), key=lambda n: (-float(vectors[n + 1] @ vectors[0]), n))
        order = [number for number, _ in fused([order, near])]
    used = sum(len(each.text.split()) for each in heads)
    chosen: list[int] = []
    for number in order:
        words = len(candidates[number].text.split())
        if used + words > budget:
            break
        chosen.append(number)
        used += words
    names = [name for name, _ in sources]
    picked = [*heads, *[candidates[number] for number in chosen]]
    return tuple(sorted(picked, key=lambda each: (names.index(each.source), not each.is_head, each.start)))
