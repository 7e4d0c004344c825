"""How far two stretches of a text cover the same words."""

__all__ = ["SAME_SPAN", "overlap"]

SAME_SPAN = 0.5
"""Overlap from which two marks are the same statement (definitions/citations, "Claims")."""


def overlap(one: tuple[int, int], other: tuple[int, int]) -> float:
    """Return what two stretches share over what they cover together, gaps included; 0 for two empty ones.

    Args:
        one, other: start and stop.

    >>> overlap((0, 10), (5, 10))
    0.5
    """
    inside = min(one[1], other[1]) - max(one[0], other[0])
    both = max(one[1], other[1]) - min(one[0], other[0])
    return max(0, inside) / both if both else 0.0
