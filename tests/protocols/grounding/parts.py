"""Cells of claims of which people labelled a random half."""

from collections.abc import Iterator

import numpy as np

from percuss.core.records import Cell

__all__ = ["part_cells"]


def part_cells(rng: np.random.Generator, cases: int = 40, claims: int = 5) -> list[Cell]:
    """Return the counts of one draw: 20% unsupported with evidence, 50% without, alike within a case.

    Args:
        rng: draws. cases: of each arm. claims: of each answer.
    """
    return list(_cells(rng, cases, claims))


def _cells(rng: np.random.Generator, cases: int, claims: int) -> Iterator[Cell]:
    for arm, share in (("full_multimodal", 0.2), ("ungrounded", 0.5)):
        for n in range(cases):
            own = rng.beta(4 * share, 4 * (1 - share))
            bad, seen = rng.random(claims) < own, rng.random(claims) < 0.5
            for m in (0, 1):
                for told in ("0", "1", "-"):
                    hits = (bad == m) & (
                        seen if told == str(m) else ~seen if told == "-" else np.zeros(claims, bool)
                    )
                    yield Cell(
                        name=f"corrected:{m}{told}", labels="corrected", model="m", arm=arm, case_id=f"c{n}", cluster=f"c{n}",
                        epoch=0, num=float(hits.sum()), den=claims, excluded={}, stratum="", scoring="s",
                    )  # fmt: skip
