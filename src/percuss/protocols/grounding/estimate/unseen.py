"""Right without having been shown: claims made without evidence that the case's record supports, beyond what holds of others."""

from collections.abc import Iterator, Sequence
from typing import Any

from percuss.core import seeds
from percuss.core.ports import RunView, ScoredResponse
from percuss.core.records import Cell
from percuss.evidence.rules.support2 import support2
from percuss.protocols.grounding.estimate.names import BASELINE
from percuss.protocols.grounding.options import GroundingOptions
from percuss.protocols.grounding.record import reading, statement
from percuss.protocols.grounding.speaking import is_checked, told_of

__all__ = ["DONORS", "unseen_cells"]

DONORS = 20
"""Other cases whose record a claim meets for its chance (definitions/grounding.md, version 2, "Words")."""
SAID = frozenset({"assertion", "hedged"})
"""Speech acts that may show memory: what is said as likely and right of this case alone is remembered all the same."""
MOST_CASES = 40
"""Cases whose claims meet other records; more change the interval little and cost time."""


def unseen_cells(
    run: RunView, answers: Sequence[ScoredResponse], options: GroundingOptions
) -> Iterator[Cell]:
    """Yield, per case answered without evidence, how much oftener its own record supports its claims than others' records do.

    Args:
        run: the scoring and its seed. answers: of one model. options: name the rule; none for the paper's rules.
    """
    bare = [a for a in answers if a.response.arm == BASELINE and a.response.epoch == 0]
    if options.replicates or len(bare) < 2:
        return
    if len(bare) > MOST_CASES:
        chosen = seeds.generator(run.seed, "unseen cases").choice(len(bare), MOST_CASES, replace=False)
        bare = [bare[int(i)] for i in sorted(chosen)]
    packets = [reading(a.case).packet for a in bare]
    for at, scored in enumerate(bare):
        texts = [statement(c) for c in scored.claims if is_checked(c) and c.payload.get("act") in SAID]
        if not texts:
            continue
        question = told_of(scored.case, options)
        others = [i for i in range(len(bare)) if i != at]
        rng = seeds.generator(run.seed, "unseen", scored.case.id)
        donors = rng.choice(others, min(DONORS, len(others)), replace=False)

        def share(place: int, texts: Sequence[str] = texts, question: str = question) -> float:
            held = [support2(text, packets[place], question).label == "supported" for text in texts]
            return sum(held) / len(held)

        own, chance = share(at), sum(share(int(i)) for i in donors) / len(donors)
        shared = _shared(scored, run.scoring, f"rule:{options.rules}")
        yield Cell(name="matches_unseen", num=own * len(texts), den=len(texts), **shared)
        yield Cell(name="matches_unseen_excess", num=own - chance, den=1, **shared)


def _shared(scored: ScoredResponse, scoring: str, labels: str) -> dict[str, Any]:
    return {
        "model": scored.response.model,
        "arm": scored.response.arm,
        "labels": labels,
        "case_id": scored.case.id,
        "cluster": scored.case.cluster,
        "stratum": scored.case.stratum,
        "epoch": 0,
        "scoring": scoring,
    }
