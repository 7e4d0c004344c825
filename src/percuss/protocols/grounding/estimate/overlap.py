"""Overlap of claims with and without evidence, and the overlap that chance and a shared template bring (papers/0 section 4.6)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from percuss.core import seeds
from percuss.core.labels import Reason
from percuss.core.ports import RunView, ScoredResponse
from percuss.core.records import Case, Cell
from percuss.kit.vectors import vector
from percuss.protocols.grounding.estimate.calibration import placed_threshold
from percuss.protocols.grounding.estimate.names import BASELINE, GROUNDED
from percuss.protocols.grounding.speaking import is_checked

__all__ = ["DONORS", "THRESHOLDS", "max_similarity", "overlap_cells", "overlap_labels", "thresholds_of"]

THRESHOLDS = (0.75, 0.80, 0.85)  # papers/0 section 4.6 and Table 13
PLACED = "placed"
"""Stands after `overlap_` where the threshold is the one placed for the embedder."""
DONORS = 20
LABELS = "embedding"

Vectors = NDArray[np.float32]
Key = tuple[str, int]


def overlap_labels() -> str:
    """Return the label source of overlap cells: no label is involved, the embedder alone."""
    return LABELS


def overlap_cells(run: RunView, model: str, answers: Sequence[ScoredResponse]) -> Iterator[Cell]:
    """Yield `overlap_75`, `_80`, `_85`, their chance values and `max_sim` of each case; none without vectors.

    Args:
        run: the scoring and its seed.
        model: whose claims.
        answers: those of the model that count, in order. Claims carry their vectors where the check had an embedder.

    A case without a grounded claim is left out; one without an ungrounded claim has overlap 0 and no `max_sim`. At the placed threshold,
    on which a word rests, assertions alone are met: a question said again in both arms repeats nothing of the model's own.
    """
    by_arm: dict[str, dict[Key, ScoredResponse]] = {arm: {} for arm in (BASELINE, *GROUNDED)}
    for assessed in answers:
        if assessed.response.arm in by_arm:
            by_arm[assessed.response.arm][assessed.case.id, assessed.response.epoch] = assessed
    if not _embedded(by_arm):
        return
    for asserted in (False, True):
        bare = {key: _stack(one, asserted=asserted) for key, one in by_arm[BASELINE].items()}
        for arm in GROUNDED:
            for key, assessed in by_arm[arm].items():
                if key in bare:
                    found = _stack(assessed, asserted=asserted)
                    yield from _case_cells(run, model, assessed, found, bare, key, asserted=asserted)


def max_similarity(claims: Vectors, others: Vectors) -> Vectors:
    """Return, for each claim, its largest cosine with the others.

    Args:
        claims: unit vectors, shape (n, d). others: unit vectors, shape (m, d), m > 0.
    """
    best: Vectors = (claims @ others.T).max(axis=1)
    return best


def _embedded(by_arm: Mapping[str, Mapping[Key, ScoredResponse]]) -> bool:
    """Whether the check had an embedder: the first claim of these arms tells."""
    claims = (claim for held in by_arm.values() for assessed in held.values() for claim in assessed.claims)
    first = next(claims, None)
    return first is not None and vector(first) is not None


def thresholds_of(assessed: ScoredResponse) -> dict[str, float]:
    """Return name -> threshold: the paper's three, and the one placed for the embedder in use where it was.

    Args:
        assessed: a response whose claims name their embedder (`<extractor>+<embedder>`).
    """
    found = {str(round(100 * t)): t for t in THRESHOLDS}
    embedder = next((claim.extractor.rpartition("+")[2] for claim in assessed.claims), "")
    placed = placed_threshold(embedder)
    return found if placed is None else {**found, PLACED: placed}


def _stack(assessed: ScoredResponse, *, asserted: bool = False) -> Vectors:
    """Return the vectors of all claims, as the paper has it, or of assertions that the question doesn't hold."""
    claims = [claim for claim in assessed.claims if not asserted or is_checked(claim)]
    vectors = [v for claim in claims if (v := vector(claim)) is not None]
    return np.stack(vectors) if vectors else np.zeros((0, 1), dtype=np.float32)


def _case_cells(
    run: RunView, model: str, assessed: ScoredResponse, found: Vectors, bare: dict[Key, Vectors], key: Key, *, asserted: bool
) -> Iterator[Cell]:  # fmt: skip
    shared: dict[str, Any] = {
        "model": model,
        "arm": assessed.response.arm,
        "labels": LABELS,
        "scoring": run.scoring,
        "epoch": assessed.response.epoch,
        **_of(assessed.case),
    }
    thresholds = {name: t for name, t in thresholds_of(assessed).items() if asserted == (name == PLACED)}
    names = [f"{head}_{name}" for head in ("overlap", "overlap_chance") for name in thresholds]
    if not len(found):
        missing = {f"{Reason.NOT_APPLICABLE.value}:no claim with evidence": 1}
        for name in (*names, *(() if asserted else ("max_sim",))):
            yield Cell(name=name, num=0, den=0, excluded=missing, **shared)
        return
    own = bare[key]
    best = max_similarity(found, own) if len(own) else None
    others = _donors(run.seed, model, key, [k for k in bare if k[0] != key[0]])
    chance = [max_similarity(found, bare[k]) if len(bare[k]) else np.zeros(len(found)) for k in others]
    for mark, t in thresholds.items():
        share = 0.0 if best is None else float((best >= t).mean())
        yield Cell(name=f"overlap_{mark}", num=share, den=1, **shared)
        if chance:
            by_chance = float(np.mean([(c >= t).mean() for c in chance]))
            yield Cell(name=f"overlap_chance_{mark}", num=by_chance, den=1, **shared)
    if asserted:
        return
    if best is None:
        missing = {f"{Reason.NOT_APPLICABLE.value}:no claim without evidence": 1}
        yield Cell(name="max_sim", num=0, den=0, excluded=missing, **shared)
    else:
        yield Cell(name="max_sim", num=float(best.mean()), den=1, **shared)


def _of(case: Case) -> dict[str, str]:
    return {"case_id": case.id, "cluster": case.cluster, "stratum": case.stratum}


def _donors(seed: int, model: str, key: Key, others: Sequence[Key]) -> list[Key]:
    rng = seeds.generator(seed, "overlap donors", model, key[0], key[1])
    chosen = rng.permutation(len(others))[:DONORS]
    return [others[int(i)] for i in chosen]
