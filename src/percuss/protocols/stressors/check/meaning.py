"""Evidence in other words: an item of the final list that no told line holds by number or words, found by its meaning."""

from collections.abc import Sequence

from percuss.core.ports import Embedder
from percuss.protocols.stressors.check.identity import TWIN, same_polarity
from percuss.protocols.stressors.check.support import Finding
from percuss.text.quantities import missing

__all__ = ["by_meaning"]


async def by_meaning(text: str, told: Sequence[str], embedder: Embedder) -> Finding | None:
    """Return the finding that an item is supported by the told line nearest to it in meaning; None where none is near.

    Args:
        text: of the item. told: true lines told before it. embedder: unit vectors.

    Small embedders see neither numbers nor negation nor sides, so those must be the same.
    """
    if not told or missing(text, told):
        return None
    vectors = await embedder.embed([text, *told])
    near = sorted(zip((vectors[1:] @ vectors[0]).tolist(), told, strict=True), reverse=True)
    for cosine, line in near:
        if cosine < TWIN:
            return None
        if same_polarity(text, line) and not missing(text, [line]):
            return Finding("supported", None, f"told in other words: {line[:80]}")
    return None
