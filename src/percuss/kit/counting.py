"""Counting: of each response, how many of its claims bear a label, for every label source alike."""

from collections import Counter
from collections.abc import Iterator, Sequence

from percuss.core.labels import Reason
from percuss.core.ports import RunView, ScoredResponse
from percuss.core.protocol import Options
from percuss.core.records import Cell, Claim, Verdict
from percuss.judging.extract import is_truncated
from percuss.judging.sources import HUMAN, Said, said_by

__all__ = ["claim_cells", "labels_of", "sources_of"]


def claim_cells(
    run: RunView, options: Options, *, name: str, counts: str, aspect: str = "support", missing: str = "rule"
) -> Iterator[Cell]:
    """Yield one cell a response and label source: claims with the label, of those that have any.

    Args:
        run: one scoring. options: the judge's policy.
        name: of the cells. counts: the label that is counted. aspect: of the verdicts.
        missing: the source that failed answers are counted under where nothing was labelled at all.

    `den + sum(excluded)` is what was posed: the claims, or one where a failed response has none.
    """
    sources = sources_of(run, options.judge_policy, aspect) or (missing,)
    for assessed in run.assessed():
        if assessed.response.status == "not_applicable":
            continue
        said = [labels_of(assessed, claim, options.judge_policy, aspect) for claim in assessed.claims]
        for source in sources:
            if source != HUMAN or any(HUMAN in each for each in said):
                yield _cell(assessed, source, [each.get(source) for each in said], name, counts)


def sources_of(run: RunView, policy: str, aspect: str = "support") -> tuple[str, ...]:
    """Return the label sources that a scoring has under an aspect, rules first; people's come last.

    Args:
        run: one scoring. policy: of the judge's passes.
    """
    found: dict[str, None] = {}
    for assessed in run.assessed():
        for verdicts in _by_subject(assessed.verdicts, aspect).values():
            found |= dict.fromkeys(said_by(verdicts, policy))
    return tuple(sorted(found, key=lambda source: (source == HUMAN, not source.startswith("rule:"))))


def labels_of(
    assessed: ScoredResponse, claim: Claim, policy: str, aspect: str = "support"
) -> dict[str, Said]:
    """Return label source -> what it says of a claim; an unfinished sentence and a failed check are left out by all.

    Args:
        assessed: whose claim it is. policy: of the judge's passes. aspect: of the verdicts.
    """
    said = said_by(_by_subject(assessed.verdicts, aspect).get(claim.id, ()), policy)
    reason = Reason.TRUNCATED.value if is_truncated(claim) else assessed.left_out
    return said if reason is None else {source: Said(reason=reason) for source in said}


def _by_subject(verdicts: Sequence[Verdict], aspect: str) -> dict[str, list[Verdict]]:
    by: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        if verdict.aspect == aspect:
            by.setdefault(verdict.subject, []).append(verdict)
    return by


def _cell(assessed: ScoredResponse, source: str, said: Sequence[Said | None], name: str, counts: str) -> Cell:
    labels = [each.label for each in said if each is not None and each.label is not None]
    missing = assessed.left_out or Reason.ERROR.value
    out = Counter(
        missing if each is None else each.reason or missing
        for each in said
        if each is None or each.label is None
    )
    if assessed.left_out and not said:
        out[assessed.left_out] += 1
    response = assessed.response
    return Cell(
        name=name,
        model=response.model,
        arm=response.arm,
        labels=source,
        case_id=response.case_id,
        cluster=assessed.case.cluster,
        num=float(labels.count(counts)),
        den=float(len(labels)),
        epoch=response.epoch,
        stratum=assessed.case.stratum,
        excluded=dict(out),
    )
