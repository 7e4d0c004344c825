"""The two heuristics on sentence vectors: does a passage stay with one subject (paper, section 3.3, ii and iii)."""

import numpy as np
from numpy.typing import NDArray

__all__ = ["ENTROPY", "LINK", "VARIANCE", "coherence_variance", "semantic_entropy"]

VARIANCE = 0.5
"""Largest coherence variance that is kept (paper, section 3.3)."""
ENTROPY = 0.5
"""Largest semantic entropy that is kept (paper, section 3.3)."""
LINK = 0.30
"""Cosine from which two sentences are one cluster; of MiniLM, other embedders have their own (definitions, "Ingest")."""
_APART = 3  # sentences between which cosines are averaged
Vectors = NDArray[np.float32]


def coherence_variance(vectors: Vectors) -> float:
    """Return 0.75 (1 - c), c the mean cosine over pairs of sentences at most three apart.

    Args:
        vectors: unit vectors of the sentences in order, shape (k, d), k >= 2.

    It is the variance of unit sentence vectors, 1 - |mean|^2, standardised to four sentences (definitions, "Ingest").

    >>> coherence_variance(np.array([[1, 0], [0, 1]], dtype=np.float32))
    0.75
    """
    cosines = vectors @ vectors.T
    near = [
        cosines[i, j] for i in range(len(vectors)) for j in range(i + 1, min(len(vectors), i + _APART + 1))
    ]
    return float(0.75 * (1 - np.mean(near)))


def semantic_entropy(vectors: Vectors, link: float = LINK) -> float:
    """Return H / ln k, H the entropy of the shares of sentences in clusters by single linkage.

    Args:
        vectors: unit vectors of the sentences, shape (k, d), k >= 2. link: cosine from which two are joined.

    >>> semantic_entropy(np.eye(3, dtype=np.float32)), semantic_entropy(np.ones((3, 1), dtype=np.float32))
    (1.0, 0.0)
    """
    k = len(vectors)
    joined = (vectors @ vectors.T) >= link
    cluster = list(range(k))
    for i in range(k):
        for j in range(i + 1, k):
            if joined[i, j] and cluster[i] != cluster[j]:
                old, new = max(cluster[i], cluster[j]), min(cluster[i], cluster[j])
                cluster = [new if each == old else each for each in cluster]
    shares = np.bincount(cluster) / k
    shares = shares[shares > 0]
    return float(max(0.0, -(shares * np.log(shares)).sum() / np.log(k)))
