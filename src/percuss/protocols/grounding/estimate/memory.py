"""Memory against evidence: `follow_rate` in the shuffled arm, memorisation lift and the three-way status without it."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from percuss.core import seeds
from percuss.core.labels import Reason, Support
from percuss.core.ports import RunView, ScoredResponse
from percuss.core.records import Case, Cell, Claim
from percuss.evidence.packet import Packet
from percuss.evidence.rules.index import Index
from percuss.evidence.rules.strict import Parsed, parse
from percuss.protocols.grounding.estimate.labelled import Labelled
from percuss.protocols.grounding.estimate.names import BASELINE
from percuss.protocols.grounding.options import GroundingOptions
from percuss.protocols.grounding.record import reading, record_of, statement

__all__ = ["PERMUTATIONS", "matches", "memory_cells", "permuted", "record_cells"]

PERMUTATIONS = 999
MOST_CASES = 300
SHUFFLED = "shuffled"
TOLERANCE = Decimal("0.01")  # papers/0 Appendix H
Floats = NDArray[np.float64]


def memory_cells(
    run: RunView, answers: Iterable[ScoredResponse], options: GroundingOptions
) -> Iterator[Cell]:
    """Yield `follow`, `memorisation_own`, `memorisation_other` and the permutations of one model.

    Args:
        run: the scoring and its seed.
        answers: those of one model whose claims count, in order; of every arm, or of `shuffled` and `ungrounded` alone.
        options: names the rule that the label source is called by.

    A permutation is a pseudo-case `permutation:<b>` whose numerator is the mean match rate when records are dealt out
    anew: what `memorisation_lift` takes its p from.
    """
    labels = f"rule:{options.rules}"
    first: list[ScoredResponse] = []
    for assessed in answers:
        if assessed.response.arm == SHUFFLED:
            yield from _follow(assessed, run.scoring, labels)
        elif assessed.response.arm == BASELINE and assessed.response.epoch == 0:
            first.append(assessed)
    yield from _memorised(run, first, labels)


def matches(claims: Sequence[Claim], packet: Packet) -> tuple[int, int]:
    """Return how many value tokens of the claims match a record, and how many there are.

    Args:
        claims: of one response. packet: the record: numbers match any number within 0.01, stage, sex, smoking and tier
            their field; a value whose field the record lacks is a token that does not match.
    """
    index = Index.of(packet)
    tokens = [_token_matches(parse(statement(claim)), index) for claim in claims]
    return sum(sum(held) for held in tokens), sum(len(held) for held in tokens)


def against_records(answers: Sequence[Sequence[Claim]], records: Sequence[Packet]) -> tuple[Floats, Floats]:
    """Return the matches of every answer with every record, shape (answers, records), and each answer's tokens.

    Args:
        answers: claims of each answer. records: as the packet of `matches`, which each entry is equal to.

    Every distinct token meets a record once, however many answers say it.
    """
    numbers: dict[Decimal, int] = {}
    values: dict[tuple[str, str], int] = {}
    said: list[Counter[tuple[bool, int]]] = []
    for claims in answers:
        held: Counter[tuple[bool, int]] = Counter()
        for parsed in (parse(statement(claim)) for claim in claims):
            held.update((True, numbers.setdefault(q.value, len(numbers))) for q in parsed.numbers)
            held.update(
                (False, values.setdefault((v.field, v.value.lower()), len(values))) for v in parsed.values
            )
        said.append(held)
    times = np.zeros((len(answers), len(numbers) + len(values)))
    for row, held in zip(times, said, strict=True):
        for (is_number, at), n in held.items():
            row[at if is_number else len(numbers) + at] = n
    hits = np.stack([_hits(Index.of(record), numbers, values) for record in records], axis=1)
    return times @ hits, times.sum(axis=1)


def _hits(index: Index, numbers: Iterable[Decimal], values: Iterable[tuple[str, str]]) -> Floats:
    """Whether a record holds each token, as 0 or 1."""
    held = {(field, entry.value.lower()) for field, entries in index.fields.items() for entry in entries}
    found = [next(index.within(value, TOLERANCE), None) is not None for value in numbers]
    return np.array([*found, *(value in held for value in values)], dtype=np.float64)


def record_cells(
    made: Callable[..., Cell], rule: str, assessed: ScoredResponse, labelled: Sequence[Labelled]
) -> Iterator[Cell]:
    """Yield the three-way status of claims that hold values, where the case has an external record.

    Args:
        made: makes a cell of name, labels, num and den. rule: label source. assessed: a response.
        labelled: the rule's labels, one a claim.

    `record_match`: of claims that the evidence given does not support, those whose values all match the record.
    `record_contradiction`: of claims that it supports, those with a value that the record contradicts.
    """
    record = None if assessed.left_out else record_of(assessed.case)
    if record is None:
        return
    counts = dict.fromkeys(("matched", "bad", "contradicted", "good"), 0)
    for claim, entry in zip(assessed.claims, labelled, strict=False):
        right, total = matches([claim], record)
        if not total or entry.label is None:
            continue
        if entry.unsupported:
            counts["bad"] += 1
            counts["matched"] += right == total
        elif entry.label == Support.SUPPORTED.value:
            counts["good"] += 1
            counts["contradicted"] += right < total
    if counts["bad"]:
        yield made("record_match", rule, counts["matched"], counts["bad"])
    if counts["good"]:
        yield made("record_contradiction", rule, counts["contradicted"], counts["good"])


def permuted(matrix: Floats, *, seed: int, B: int = PERMUTATIONS) -> Floats:
    """Return the mean match rate when each response meets another case's record, shape (B,).

    Args:
        matrix: match rate of response i against record j, shape (n, n).
        seed: root seed. B: permutations of the records.

    H0: a response matches its own record no better than any other's.
    """
    rng = seeds.generator(seed, "memorisation")
    n = len(matrix)
    rows = np.arange(n)
    return np.array([matrix[rows, rng.permutation(n)].mean() for _ in range(B)])


def _token_matches(parsed: Parsed, index: Index) -> list[bool]:
    numbers = [any(True for _ in index.within(q.value, TOLERANCE)) for q in parsed.numbers]
    values = [
        any(entry.value.lower() == value.value.lower() for entry in index.fields.get(value.field, ()))
        for value in parsed.values
    ]
    return [*numbers, *values]


def _follow(assessed: ScoredResponse, scoring: str, labels: str) -> Iterator[Cell]:
    """Value tokens that match exactly one of the two packets: the donor's that was shown, or the case's own."""
    content = reading(assessed.case)
    if content.donor_packet is None:
        return
    donor, own = Index.of(content.donor_packet), Index.of(content.packet)
    given = true = 0
    for claim in assessed.claims:
        parsed = parse(statement(claim))
        for shown, real in zip(_token_matches(parsed, donor), _token_matches(parsed, own), strict=True):
            given += shown and not real
            true += real and not shown
    yield Cell(
        name="follow_rate", num=given, den=given + true, **_shared(assessed.case, assessed, scoring, labels)
    )


def _memorised(run: RunView, bare: Sequence[ScoredResponse], labels: str) -> Iterator[Cell]:
    bare = _sampled([assessed for assessed in bare if _record(assessed.case).facts], run.seed)
    cases = [assessed.case for assessed in bare]
    if len(cases) < 2:
        return
    counts, totals = against_records(
        [assessed.claims for assessed in bare], [_record(case) for case in cases]
    )
    said = totals > 0
    for i, assessed in enumerate(bare):
        shared = _shared(assessed.case, assessed, run.scoring, labels)
        if not said[i]:
            silent = {f"{Reason.NOT_APPLICABLE.value}:no value claimed": 1}
            yield Cell(name="memorisation_lift", num=0, den=0, excluded=silent, **shared)
            continue
        rates = counts[i] / totals[i]
        others = (rates.sum() - rates[i]) / (len(cases) - 1)
        yield Cell(name="memorisation_lift", num=float(rates[i] - others), den=1, **shared)
        yield Cell(name="memorisation_own", num=float(counts[i, i]), den=float(totals[i]), **shared)
    if said.sum() < 2:
        return
    matrix = counts[np.ix_(said, said)] / totals[said][:, None]
    spoke = [assessed for assessed, s in zip(bare, said, strict=True) if s]
    draws = [float(np.trace(matrix) / len(matrix)), *permuted(matrix, seed=run.seed).tolist()]
    for b, mean in enumerate(draws):
        shared = _shared(spoke[0].case, spoke[0], run.scoring, labels)
        name = "observed" if b == 0 else f"permutation:{b}"
        shared |= {"case_id": name, "cluster": name, "stratum": ""}
        yield Cell(name="memorisation_permuted", num=mean, den=1, **shared)


def _sampled(bare: list[ScoredResponse], seed: int) -> list[ScoredResponse]:
    """At most 300 cases: every answer meets every record, and more change the test's power little."""
    if len(bare) <= MOST_CASES:
        return bare
    chosen = seeds.generator(seed, "memorisation cases").choice(len(bare), MOST_CASES, replace=False)
    return [bare[int(i)] for i in sorted(chosen)]


def _record(case: Case) -> Packet:
    content = reading(case)
    return content.record or content.packet


def _shared(case: Case, assessed: ScoredResponse, scoring: str, labels: str) -> dict[str, Any]:
    return {
        "model": assessed.response.model,
        "arm": assessed.response.arm,
        "labels": labels,
        "case_id": case.id,
        "cluster": case.cluster,
        "stratum": case.stratum,
        "epoch": assessed.response.epoch,
        "scoring": scoring,
    }
