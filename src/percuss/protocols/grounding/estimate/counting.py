"""From assessed responses to cells: what each case contributes to each number, and what was left out, by reason."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from percuss.core.labels import Reason
from percuss.core.ports import RunView, ScoredResponse
from percuss.core.records import Cell, Verdict
from percuss.judging.extract import is_truncated
from percuss.judging.sources import HUMAN, judge_said
from percuss.protocols.grounding.certificate.certified import certificate_cells
from percuss.protocols.grounding.check import ABSTAINS, ABSTENTION_ASPECT
from percuss.protocols.grounding.estimate.alike import error_cells
from percuss.protocols.grounding.estimate.asserted import asserted_cells
from percuss.protocols.grounding.estimate.corrected import corrected_cells
from percuss.protocols.grounding.estimate.entailed import entailed_cells
from percuss.protocols.grounding.estimate.labelled import (
    AGAIN,
    Labelled,
    is_read,
    judge_passes,
    labels_of,
    rule_rater,
    unlabelled,
)
from percuss.protocols.grounding.estimate.memory import SHUFFLED, memory_cells, record_cells
from percuss.protocols.grounding.estimate.names import BASELINE, GROUNDED, KINDS, NO_CLAIM, kind_cells
from percuss.protocols.grounding.estimate.overlap import overlap_cells
from percuss.protocols.grounding.estimate.owntext import own_cells
from percuss.protocols.grounding.estimate.spoken import act_cells, answered_cells, spoken_cells, summed
from percuss.protocols.grounding.estimate.tongue import tongue_cells
from percuss.protocols.grounding.estimate.unseen import unseen_cells
from percuss.protocols.grounding.options import GroundingOptions
from percuss.protocols.grounding.record import statement
from percuss.protocols.grounding.twins import ASPECTS as TWINS
from percuss.text.kinds import layers

__all__ = ["cells", "machine_of", "response_cells", "support_cells"]

KEPT = frozenset({BASELINE, SHUFFLED, *GROUNDED})
COMMITTED = frozenset({"literature", "numeric", "tier"})
MENTIONS = ("pathology", "transcriptomics", "clinical")
OPEN = frozenset({"undecided", "given"})
RATES = frozenset({"unsupported_rate", "supported_rate"})


def cells(run: RunView, options: GroundingOptions) -> Iterator[Cell]:
    """Yield the cells of a scoring; den + sum(excluded) is what was posed, for every cell.

    Args:
        run: all rows of one scoring.
        options: the judge's policy names its label source.
    """
    silent = _Silent()
    for model in run.models:
        answers: list[ScoredResponse] = []
        applicable = _keeping(answers, run.assessed(model=model))
        yield from silent.noting(support_cells(applicable, run.scoring, options))
        yield from overlap_cells(run, model, answers)
        yield from entailed_cells(run, answers)
        yield from memory_cells(run, answers, options)
        yield from unseen_cells(run, answers, options)
    yield from silent.cells()
    yield from certificate_cells(run, options)


class _Silent:
    """Models that assert nothing: of them people have nothing to label, and their labels of the others still say so."""

    def __init__(self) -> None:
        self._people = False
        self._held: dict[str, list[Cell]] = {}
        self._speaking: set[str] = set()

    def noting(self, made: Iterable[Cell]) -> Iterator[Cell]:
        """Pass cells on, and keep the empty rates of models that assert nothing."""
        for cell in made:
            if cell.name in RATES:
                self._people = self._people or cell.labels == HUMAN
                if cell.den or set(cell.excluded) - {NO_CLAIM}:
                    self._speaking.add(cell.model)
                    self._held.pop(cell.model, None)
                elif cell.model not in self._speaking and cell.labels.startswith("rule:"):
                    self._held.setdefault(cell.model, []).append(cell)
            yield cell

    def cells(self) -> Iterator[Cell]:
        """Yield these rates as people's, where people labelled the others."""
        for held in self._held.values() if self._people else ():
            yield from (replace(cell, labels=HUMAN) for cell in held)


def _keeping(answers: list[ScoredResponse], found: Iterable[ScoredResponse]) -> Iterator[ScoredResponse]:
    """Pass responses on, and keep the answers that overlap and memory need, with verdicts on twins alone: one reading for all."""
    for assessed in found:
        response = assessed.response
        if response.status == "done" and not assessed.left_out and response.arm in KEPT:
            twins = tuple(verdict for verdict in assessed.verdicts if verdict.aspect in TWINS)
            answers.append(replace(assessed, verdicts=twins))
        if response.status != "not_applicable":
            yield assessed


def support_cells(
    responses: Iterable[ScoredResponse], scoring: str, options: GroundingOptions
) -> Iterator[Cell]:
    """Yield the cells of responses; a source that labelled some of them leaves out the others by a reason.

    Args:
        responses: done or failed. A failed one has no claims: its case-level cells carry the reason.
        scoring: id of the scoring.
        options: as in `cells`.
    """
    seen: dict[str, None] = {}
    silent: list[tuple[_Maker, _Claims, dict[str, tuple[Labelled, ...]]]] = []
    for assessed in responses:
        sources = labels_of(assessed, options.judge_policy)
        seen |= dict.fromkeys(sources)
        made, posed = _Maker(assessed, scoring, second=not options.replicates), _Claims.of(assessed)
        silent.append((made, posed, sources))
        yield from response_cells(assessed, made, posed, sources, options)
    with_claims = {posed.assessed.response.arm for _, posed, _ in silent if posed.assessed.claims}
    for made, posed, held in silent:
        for source in seen or {f"rule:{options.rules}": None}:
            if source not in held:
                yield from _support(made, source, posed.unlabelled(source), posed)
            if posed.assessed.response.arm not in with_claims:
                yield from _without_claims(made, source, posed)
        if options.judge_policy in seen and options.judge_policy not in held:
            reasons = _reasons(posed.unlabelled(options.judge_policy))
            yield made("judge_agreement", options.judge_policy, 0, 0, reasons)
        machine = held.get(machine_of(held))
        if "human" in seen and machine is not None:
            people = held.get("human", posed.unlabelled("human"))
            yield from corrected_cells(made, machine, people)
            for source in held:
                yield from error_cells(made, source, held[source], people)
                if source.startswith("rule:"):
                    yield from own_cells(made, source, held[source], people)


def machine_of(sources: Iterable[str]) -> str:
    """Return the source that people's labels correct: a judge's first pass, else a verifier, else a rule.

    Args:
        sources: names of all label sources.
    """
    held = tuple(sources)
    heads = ("judge:", "verifier:", "rule:")
    return next((source for head in heads for source in held if source.startswith(head)), "")


def response_cells(
    assessed: ScoredResponse,
    made: "_Maker",
    posed: "_Claims",
    sources: dict[str, tuple[Labelled, ...]],
    options: GroundingOptions,
) -> Iterator[Cell]:
    """Yield what one response contributes under the sources that labelled it.

    Args:
        assessed: a done or failed response. made: makes its cells. posed: its claims. sources: of `labels_of`.
        options: as in `cells`.
    """
    for source, labelled in sources.items():
        yield from _support(made, source, labelled, posed)
    rule = rule_rater(sources) or f"rule:{options.rules}"
    if not options.replicates:
        yield from answered_cells(made, rule, assessed)
    yield from _case_cells(made, rule, assessed)
    yield from record_cells(made, rule, assessed, sources.get(rule, ()))
    yield from abstention_cells(made, assessed, options.judge_policy)
    yield from _claim_cells(made, rule, assessed, sources.get(rule, ()))
    if options.judge_policy in sources:
        yield _agreement(made, assessed, options.judge_policy)


@dataclass(frozen=True)
class _Claims:
    """What a response posed: the kind of each claim, why nothing of it counts, and whether assertions alone are counted."""

    assessed: ScoredResponse
    kinds: tuple[str, ...]
    left_out: str | None
    read: bool

    @classmethod
    def of(cls, assessed: ScoredResponse) -> "_Claims":
        kinds = tuple(claim.kind for claim in assessed.claims)
        return cls(assessed, kinds, assessed.left_out, is_read(assessed))

    def unlabelled(self, source: str) -> tuple[Labelled, ...]:
        """Return the entries of a source that labelled none of these claims."""
        return unlabelled(self.assessed, source)


class _Maker:
    """Makes cells of one response."""

    def __init__(self, assessed: ScoredResponse, scoring: str, *, second: bool) -> None:
        self.second = second
        self._shared: dict[str, Any] = {
            "model": assessed.response.model,
            "arm": assessed.response.arm,
            "case_id": assessed.case.id,
            "cluster": assessed.case.cluster,
            "epoch": assessed.response.epoch,
            "stratum": assessed.case.stratum,
            "scoring": scoring,
        }

    def __call__(
        self, name: str, labels: str, num: float, den: float, excluded: Counter[str] | None = None
    ) -> Cell:
        return Cell(name=name, labels=labels, num=num, den=den, excluded=dict(excluded or {}), **self._shared)


def _reasons(labelled: Sequence[Labelled]) -> Counter[str]:
    return Counter(entry.reason or Reason.ERROR.value for entry in labelled if entry.label is None)


def _support(made: _Maker, source: str, labelled: tuple[Labelled, ...], posed: _Claims) -> Iterator[Cell]:
    asserted = [entry for entry in labelled if entry.posed]
    sums = summed(asserted, read=posed.read)
    if labelled:
        out = _reasons(asserted)
        yield made("unsupported_rate", source, sums.bad, sums.decided, out)
        yield made("supported_rate", source, sums.good, sums.decided, out)
    for kind in KINDS:
        held = [
            entry for entry, own in zip(labelled, posed.kinds, strict=True) if own == kind and entry.posed
        ]
        if held:
            of_kind = summed(held, read=posed.read)
            name = kind_cells("unsupported_rate", kind)
            yield made(name, source, of_kind.bad, of_kind.decided, _reasons(held))
    if made.second:
        whole = not posed.left_out and posed.assessed.response.finish != "length"
        yield made("answered_clean", source, float(whole and not sums.bad), 1)
    if posed.read:
        yield from spoken_cells(made, source, labelled, sums, posed.left_out)
        yield from asserted_cells(made, source, labelled, sums, posed.left_out)
    if source.startswith("verifier:") and labelled and not posed.left_out:
        told = [entry for entry in asserted if entry.reason != Reason.TRUNCATED.value]
        yield made("decided_share", source, sum(entry.label is not None for entry in told), len(told))
    if posed.left_out:
        yield made("case_unsupported_rate", source, 0, 0, Counter([posed.left_out]))
    elif asserted and not sums.decided:
        yield made("case_unsupported_rate", source, 0, 0, Counter(list(_reasons(asserted))[:1]))
    else:
        yield made("case_unsupported_rate", source, float(sums.bad > 0), 1)


def _without_claims(made: _Maker, source: str, posed: _Claims) -> Iterator[Cell]:
    """An arm in which no answer made a claim was asked all the same: its rates are undefined by the reason."""
    out = Counter([posed.left_out or NO_CLAIM])
    yield made("unsupported_rate", source, 0, 0, out)
    yield made("supported_rate", source, 0, 0, out)


def _case_cells(made: _Maker, rule: str, assessed: ScoredResponse) -> Iterator[Cell]:
    left = assessed.left_out
    whole = [claim for claim in assessed.claims if not is_truncated(claim)]
    if left:
        for name in ("abstention", "sentences", "completeness"):
            yield made(name, rule, 0, 0, Counter([left]))
        return
    if made.second and (is_read(assessed) or not assessed.claims):
        yield from act_cells(made, rule, assessed)
    else:
        kinds = {claim.kind for claim in whole}
        yield made("abstention", rule, float("uncertainty" in kinds and not kinds & COMMITTED), 1)
    yield made("sentences", rule, len(whole), 1)
    yield from tongue_cells(made, rule, assessed)
    named = {layer for claim in whole for layer in layers(statement(claim))}
    hedged = any("uncertainty" in claim.kinds for claim in whole)
    mentions = sum(layer in named for layer in MENTIONS) + hedged
    yield made("completeness", rule, mentions / (len(MENTIONS) + 1), 1)
    retrieval = assessed.response.artifacts.get("retrieval")
    if retrieval is not None:
        asked = assessed.response.arm == "literature"
        name = "retrieval_on_request" if asked else "retrieval_false_positive"
        yield made(name, rule, float(retrieval["called"]), 1)
        yield made("gate_on_request" if asked else "gate_false_positive", rule, float(retrieval["gate"]), 1)


def _claim_cells(
    made: _Maker, rule: str, assessed: ScoredResponse, labelled: tuple[Labelled, ...]
) -> Iterator[Cell]:
    """Secondary numbers that the rule's tokens give (papers/0 Table 5)."""
    if assessed.left_out or not labelled:
        return
    by_rule = {v.subject: v for v in assessed.verdicts if v.rater == rule}
    whole = [claim for claim in assessed.claims if not is_truncated(claim)]
    truncated = len(assessed.claims) - len(whole)
    decided = sum(entry.label is not None for entry in labelled)
    out = Counter({Reason.TRUNCATED.value: truncated}) if truncated else None
    asserted = sum(entry.posed for entry in labelled) - truncated
    yield made("decided_share", rule, decided, asserted, out)
    if made.second:
        again = sum(entry.reason == AGAIN for entry in labelled)
        yield made("repeated_share", rule, again, len(whole))
    tokens = [_tokens(by_rule.get(claim.id)) for claim in whole]
    numbers = [[t for t in held if t["kind"] == "number" and t["outcome"] not in OPEN] for held in tokens]
    with_numbers = [held for held in numbers if held]
    if with_numbers:
        right = [sum(t["outcome"] == "match" for t in held) for held in with_numbers]
        full = sum(r == len(held) for r, held in zip(right, with_numbers, strict=True))
        yield made("numeric_fidelity", rule, full, len(with_numbers))
        yield made("numeric_fidelity_tokens", rule, sum(right), sum(map(len, with_numbers)))
    yield from _attribution(made, rule, tokens)


def _attribution(made: _Maker, rule: str, tokens: Sequence[Sequence[dict[str, Any]]]) -> Iterator[Cell]:
    """Claims whose tagged layers all own a matched field; strict tags by (layer empty) == (absence cue)."""
    right = total = adrift = 0
    for held in tokens:
        tags = [t for t in held if t["kind"] == "modality"]
        if not tags:
            continue
        if rule in {"rule:strict", "rule:paper"}:
            total += 1
            right += all(t["outcome"] == "match" for t in tags)
            continue
        owners = {
            str(t["path"]).partition(".")[0]
            for t in held
            if t["outcome"] == "match" and t["kind"] in {"number", "enumerated"} and t["path"]
        }
        if owners:
            total += 1
            right += {t["field"] for t in tags} <= owners
        else:
            adrift += 1
    if total or adrift:
        out = Counter({f"{Reason.NOT_CHECKABLE.value}:unattributable": adrift}) if adrift else None
        yield made("modality_attribution", rule, right, total, out)


def _tokens(verdict: Verdict | None) -> list[dict[str, Any]]:
    return [] if verdict is None else [t for t in verdict.evidence if t.get("kind") != "reference"]


def abstention_cells(made: _Maker, assessed: ScoredResponse, policy: str) -> Iterator[Cell]:
    """Yield whether the judge calls the whole answer an abstention, where it was asked.

    Args:
        made: makes a cell. assessed: a response. policy: of the judge's passes, and the name of the label source.
    """
    passes = [v for v in assessed.verdicts if v.aspect == ABSTENTION_ASPECT and v.rater.startswith("judge:")]
    if not passes:
        return
    gated = judge_said(passes, policy)
    if assessed.left_out or gated.label is None:
        reason = assessed.left_out or gated.reason or Reason.ERROR.value
        yield made("abstention", policy, 0, 0, Counter([reason]))
    else:
        yield made("abstention", policy, float(gated.label == ABSTAINS), 1)


def _agreement(made: _Maker, assessed: ScoredResponse, policy: str) -> Cell:
    equal, out = 0, Counter[str]()
    readable = 0
    for claim in assessed.claims:
        passes = judge_passes(assessed.verdicts, claim.id)[:2]
        reasons = [v.unscored for v in passes if v.unscored]
        if assessed.left_out or reasons or len(passes) < 2:
            out[assessed.left_out or (reasons[0] if reasons else Reason.ERROR.value)] += 1
        else:
            readable += 1
            equal += passes[0].label == passes[1].label
    return made("judge_agreement", policy, equal, readable, out)
