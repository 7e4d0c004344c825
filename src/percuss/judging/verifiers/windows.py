"""Premises of a verifier: a packet's facts as sentences, a passage in windows, and how windows are put together."""

from collections.abc import Sequence

from percuss.core.verifying import Pair, Verification, Verifier

__all__ = ["WINDOW_WORDS", "best_of", "verify_in_windows", "windows"]

WINDOW_WORDS = 220
"""Words of a window: an input of 512 tokens leaves room for the claim."""


def windows(
    sentences: Sequence[str], *, words: int = WINDOW_WORDS, overlap: int = 1
) -> tuple[tuple[str, ...], ...]:
    """Return runs of sentences of at most `words` words, neighbours sharing `overlap` sentences.

    Args:
        sentences: of the evidence, in order. A sentence longer than a window is a window of its own.
        words: of one window. overlap: sentences that the next window says again.

    >>> windows(("a b", "c d", "e f"), words=4)
    (('a b', 'c d'), ('c d', 'e f'))
    """
    found: list[tuple[str, ...]] = []
    start = 0
    sizes = [len(sentence.split()) for sentence in sentences]
    while start < len(sentences):
        stop, size = start + 1, sizes[start]
        while stop < len(sentences) and size + sizes[stop] <= words:
            size += sizes[stop]
            stop += 1
        found.append(tuple(sentences[start:stop]))
        if stop >= len(sentences):
            break
        start = max(stop - overlap, start + 1)
    return tuple(found)


def best_of(read: Sequence[Verification]) -> Verification:
    """Return what the windows of one claim say together: the most that any of them supports, and contradicts.

    Args:
        read: one verification per window; windows that were not read are left aside unless none was.
    """
    told = [one for one in read if one.supported is not None]
    if not told:
        return read[0] if read else Verification(undecided="no premises")
    against = [one.contradicted for one in told if one.contradicted is not None]
    return Verification(
        supported=max(one.supported or 0.0 for one in told), contradicted=max(against) if against else None
    )


async def verify_in_windows(
    verifier: Verifier, claims: Sequence[str], sentences: Sequence[str], *, words: int = WINDOW_WORDS
) -> tuple[Verification, ...]:
    """Verify the claims of one case against its evidence, all claims of a window in a row.

    Args:
        verifier: reads pairs. claims: statements of the case. sentences: its evidence. words: of a window.
    """
    parts = windows(sentences, words=words)
    read = await verifier.verify([Pair(claim=claim, premises=part) for part in parts for claim in claims])
    n = len(claims)
    return tuple(best_of([read[k * n + i] for k in range(len(parts))]) for i in range(n))
