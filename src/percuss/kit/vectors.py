"""Vectors that a claim carries: what an embedder made of its words, as text in its payload."""

import base64
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from percuss.core.ports import Embedder
from percuss.core.records import Claim

__all__ = ["vector", "with_vectors"]


def vector(claim: Claim) -> NDArray[np.float32] | None:
    """Return the unit vector that a claim carries, shape (d,); None where it has none."""
    packed: Any = claim.payload.get("vector")
    if packed is None:
        return None
    return np.frombuffer(base64.b64decode(packed), dtype=np.float16).astype(np.float32)


async def with_vectors(
    claims: Sequence[Claim], texts: Sequence[str], embedder: Embedder
) -> tuple[Claim, ...]:
    """Return claims with the vectors of their texts, the embedder named beside the extractor.

    Args:
        claims: at least one. texts: what is embedded, one a claim. embedder: of the run.
    """
    vectors = await embedder.embed(texts)
    packed = [base64.b64encode(row.astype(np.float16).tobytes()).decode("ascii") for row in vectors]
    return tuple(
        msgspec.structs.replace(
            claim, extractor=f"{claim.extractor}+{embedder.id}", payload={**claim.payload, "vector": text}
        )
        for claim, text in zip(claims, packed, strict=True)
    )
