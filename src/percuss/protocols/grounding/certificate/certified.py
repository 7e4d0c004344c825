"""What a reader made of seeded statements: recall, false alarms, whether a headline may stand on it, and the range it implies."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from percuss.core.labels import CERTIFICATE, Support
from percuss.core.ports import RunView, ScoredResponse
from percuss.core.records import Cell, Estimate
from percuss.measure.quantity import Plan, Quantity
from percuss.measure.rates import rates
from percuss.measure.tally import Tally
from percuss.protocols.grounding.certificate.seeding import FEWEST
from percuss.protocols.grounding.estimate.implied import FEWEST_OF_CLASS, implied
from percuss.protocols.grounding.estimate.labelled import Labelled, labels_of
from percuss.protocols.grounding.estimate.names import BASELINE
from percuss.protocols.grounding.options import GroundingOptions
from percuss.stats import wilson
from percuss.stats.intervals import mover_difference
from percuss.stats.result import Result

__all__ = [
    "ALARM",
    "APART",
    "BY",
    "LEAST_TOLD",
    "RECALL",
    "UNREAD",
    "VERBALISED",
    "certificate_cells",
    "certificates",
]

LEAST_RECALL = 0.70
"""Lower limit of recall below which no headline stands (reading.md, section 5)."""
MOST_APART = 0.10
"""What the arms' recalls, and false alarms, may differ by, interval included (reading.md, section 5)."""
LEAST_TOLD = 0.6
"""Recall less false alarms of an arm, below which a reader tells errors and true statements apart too little (reading.md, section 2)."""
SEES = 0.5
"""A class of so many seeds whose recall lies wholly below this is one that the reader is blind to."""
RECALL = Quantity(
    "certificate_recall",
    "seeded errors found",
    "What share of seeded errors does the reader call unsupported?",
    "higher",
)
ALARM = Quantity(
    "certificate_alarm", "known-true statements called unsupported",
    "What share of statements that the record holds does the reader call unsupported?", "lower",
)  # fmt: skip
UNREAD = Quantity(
    "certificate_undecided", "seeded errors left undecided",
    "What share of seeded errors does the reader leave undecided?", "lower",
)  # fmt: skip
"""With `RECALL`, two of the three outcomes of an error; the third is that it is read as supported."""
VERBALISED = Quantity(
    "certificate_verbalised", "facts in a model's own sentence",
    "Of the facts that a model was asked to put into a sentence, for what share does its sentence stand for the fact by its letters?", "neither",
)  # fmt: skip
APART = "certificate"
BY = {"source": "source", "read": "mutants of claims read"}
"""What seeds are told apart by beside their class -> in words: where they come from, and what the reader made of a mutant's claim."""
_BAD = frozenset({Support.UNSUPPORTED.value, Support.PARTIAL.value})

Tallies = Mapping[tuple[str, str], Tally]
_Counts = dict[tuple[str, str, str, str], Counter[str]]


def certificate_cells(run: RunView, options: GroundingOptions) -> Iterator[Cell]:
    """Yield what each source made of the seeds, per imitated model, arm and case; nothing for a run without a certificate.

    Args:
        run: the scoring. options: the judge's policy names its source.

    An undecided error is a miss; a statement about a case counts once, however often it was certified.
    """
    held: _Counts = {}
    cases: dict[str, tuple[str, str]] = {}
    said: set[tuple[str, str, str, str]] = set()
    for scored in run.assessed(model=CERTIFICATE):
        if scored.left_out:
            continue
        cases[scored.case.id] = (scored.case.cluster, scored.case.stratum)
        _count(held, scored, options, said)
    for (source, model, arm, case), counts in held.items():
        shared: dict[str, Any] = {
            "model": model, "arm": arm, "labels": source, "case_id": case, "cluster": cases[case][0],
            "stratum": cases[case][1], "epoch": 0, "scoring": run.scoring,
        }  # fmt: skip
        for name in sorted({key.rpartition("/")[0] for key in counts}):
            yield Cell(name=name, num=counts[f"{name}/hit"], den=counts[f"{name}/n"], **shared)


def _count(
    held: _Counts, scored: ScoredResponse, options: GroundingOptions, said: set[tuple[str, str, str, str]]
) -> None:
    model = str(scored.response.artifacts["imitates"])
    where = (model, scored.response.arm, scored.case.id)
    new = [
        seed
        for seed in scored.response.artifacts["seeds"]
        if (*where, scored.response.text[seed["start"] : seed["stop"]]) not in said
    ]
    said |= {(*where, scored.response.text[seed["start"] : seed["stop"]]) for seed in new}
    for source, entries in labels_of(scored, options.judge_policy).items():
        counts = held.setdefault((source, *where), Counter())
        for seed in new:
            inside = [
                entry
                for claim, entry in zip(scored.claims, entries, strict=True)
                if claim.start < seed["stop"] and seed["start"] < claim.stop
            ]
            found = {ALARM: _flagged(inside)}
            if not seed["supported"]:
                found = {RECALL: _flagged(inside), UNREAD: _unread(inside)}
            for quantity, hit in found.items():
                for name in _names(quantity, seed):
                    counts[f"{name}/n"] += 1
                    counts[f"{name}/hit"] += hit
        if told := scored.response.artifacts.get("verbalised"):
            counts[f"{VERBALISED.name}/n"], counts[f"{VERBALISED.name}/hit"] = told


def _names(quantity: Quantity, seed: Mapping[str, Any]) -> Iterator[str]:
    """Yield under which names a seed counts: in all, in its class of errors, and by what else seeds are told apart."""
    yield quantity.name
    if quantity is not ALARM:
        yield f"{quantity.name}:{seed['class']}"
    for by in BY:
        if by in seed:
            yield f"{quantity.name}|{by}={seed[by]}"


def _flagged(entries: list[Labelled]) -> bool:
    return any((entry.label or entry.hedged) in _BAD for entry in entries)


def _unread(entries: list[Labelled]) -> bool:
    return all((entry.label or entry.hedged) is None for entry in entries)


def certificates(held: Tallies, plan: Plan, labels: str, arm: str | None) -> Iterator[Estimate]:
    """Yield recall by class and arm, false alarms, whether the headline may stand, and the range of HDI that they imply.

    Args:
        held: the cells. plan: the draws. labels: the headline's source. arm: with all evidence.
    """
    for (name, source), tally in held.items():
        whole, of, by = _parted(name)
        quantity = {one.name: one for one in (ALARM, RECALL, UNREAD, VERBALISED)}.get(whole)
        if quantity is not None and (not (of or by) or source == labels):
            for one in rates(tally, quantity, plan):
                yield replace(one, stratum=by or f"class={of}") if of or by else one
    errors, true = held.get((RECALL.name, labels)), held.get((ALARM.name, labels))
    if errors is None or true is None or arm is None:
        return
    for model in errors.models:
        shared: dict[str, Any] = {
            "model": model, "arm": arm, "labels": labels, "scoring": plan.scoring, "baseline": BASELINE,
            "simulated": model in plan.simulated, "clusters": errors.n_clusters,
        }  # fmt: skip
        blind = _blind_to(held, model, (arm, BASELINE), labels)
        yield _gate(errors, true, model, arm, blind, shared)
        yield implied(held, plan, model, arm, labels, (RECALL.name, ALARM.name), shared)


def _parted(name: str) -> tuple[str, str, str]:
    """Return the quantity of a name of cells, its class of errors, and what else its seeds are told apart by; "" for none."""
    whole, _, by = name.partition("|")
    whole, _, of = whole.partition(":")
    return whole, of, by


def _sums(tally: Tally, model: str, arm: str) -> tuple[float, float]:
    num, den = tally.summed(model, arm)
    return float(num.sum()), float(den.sum())


def _blind_to(held: Tallies, model: str, arms: tuple[str, str], labels: str) -> str:
    """Return the first class of errors that the reader plainly doesn't see; "" where it sees all."""
    for (name, source), tally in held.items():
        if name.startswith(f"{RECALL.name}:") and source == labels:
            for at in arms:
                k, n = _sums(tally, model, at)
                if n >= FEWEST_OF_CLASS and (wilson(k, n).high or 0.0) < SEES:
                    return name.partition(":")[2]
    return ""


def _gate(errors: Tally, true: Tally, model: str, arm: str, blind: str, shared: dict[str, Any]) -> Estimate:
    """The value is the least recall of the two arms; `note` says whether a headline may stand on it."""
    counts = {at: _sums(errors, model, at) for at in (arm, BASELINE)}
    few = min(*(n for _, n in counts.values()), *(_sums(true, model, at)[1] for at in (arm, BASELINE)))
    words = {
        "name": APART, "label": "certificate",
        "question": "Does the reader find seeded errors in both arms, and as many in each?", "better": "higher",
        "method": "Wilson per arm, MOVER for the difference", **shared,
    }  # fmt: skip
    if few < FEWEST:
        return Estimate(
            undefined=f"seeds too few: {few:.0f} of {FEWEST} in an arm", note="seeds too few", **words
        )
    limits = {at: wilson(k, n) for at, (k, n) in counts.items()}
    alarms = {at: wilson(*_sums(true, model, at)) for at in (arm, BASELINE)}
    low = min(limits.values(), key=lambda one: one.value or 0.0)
    why = _failed(limits, alarms, arm, blind)
    return Estimate(value=low.value, low=low.low, high=low.high, n=int(few), note=why or "passes", **words)


def _failed(limits: Mapping[str, Result], alarms: Mapping[str, Result], arm: str, blind: str) -> str:
    """Return why a headline may not stand on what the reader made of the seeds; "" where it may.

    Recall alone would pass a reader that calls everything unsupported: false alarms count as much (reading.md, section 2).
    """
    low = min(limits.values(), key=lambda one: one.value or 0.0)
    if any((one.low or 0.0) < LEAST_RECALL for one in limits.values()):
        return f"it finds {100 * (low.value or 0):.0f}% of seeded errors in one arm (at least {LEAST_RECALL:.0%} needed, interval included)"
    if blind:
        return f"it is blind to seeded errors of the class {blind!r}"
    for at, alarm in alarms.items():
        if (limits[at].value or 0.0) - (alarm.value or 0.0) < LEAST_TOLD:
            return f"it calls {100 * (alarm.value or 0):.0f}% of known-true statements of one arm unsupported, too many beside the errors that it finds"
    said = {"seeded errors": limits, "known-true statements, as unsupported,": alarms}
    for what, found in said.items():
        gap = mover_difference(found[arm], found[BASELINE])
        if gap.low is None or gap.high is None or max(-gap.low, gap.high) > MOST_APART:
            reach = (
                ""
                if gap.low is None or gap.high is None
                else f"up to {100 * max(-gap.low, gap.high):.0f} by the interval, "
            )
            most = f"({reach}{100 * MOST_APART:g} are allowed)"
            return f"it finds {100 * abs(gap.value or 0):.0f} points more of the {what} in one arm than in the other {most}"
    return ""
