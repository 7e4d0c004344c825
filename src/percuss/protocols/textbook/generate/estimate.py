"""Yield and truth of generated questions: structurally valid, tries, support, and what people flag (paper, equations 1 and 2)."""

from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from percuss.core.errors import UsageError
from percuss.core.labels import Reason
from percuss.core.ports import RunView, ScoredResponse
from percuss.core.records import Case, Cell, Estimate
from percuss.core.sections import Field, Section
from percuss.judging.sources import HUMAN, leading
from percuss.kit.counting import labels_of, sources_of
from percuss.kit.report import Outline, Shown
from percuss.kit.report import sections as kit_sections
from percuss.kit.report.context import Report
from percuss.kit.report.labels import of_aspect
from percuss.measure.quantity import Plan, Quantity
from percuss.measure.rates import model_differences, rates
from percuss.measure.tally import simulated_of, tallies
from percuss.protocols.textbook.estimate.estimating import inverse_penalties
from percuss.protocols.textbook.estimate.sections import penalties
from percuss.protocols.textbook.generate.cases import source_of
from percuss.protocols.textbook.generate.check import BAD, FORM, GOOD, SUPPORT
from percuss.protocols.textbook.generate.flags import IDEAL_OF_ALL, PEOPLE, flags_of, said_of
from percuss.protocols.textbook.generate.options import PROMPTS, STRUCTURE, SUPPORT_RULE, GenerateOptions

__all__ = ["cells", "estimates", "sections"]

ALL = "all types"
VALID = Quantity(
    "valid_rate",
    "structurally valid questions",
    "What share of questions asked for could be put, after resampling?",
    "higher",
)
FIRST = Quantity(
    "first_try_rate", "valid at the first try", "What share was valid without asking again?", "higher"
)
TRIES = Quantity("tries", "tries per question", "How often was a question asked for?", "lower", "count")
UNSUPPORTED = Quantity(
    "hallucination_rate",
    "questions that leave the passage",
    "What share of valid questions says what the passage doesn't support, or is flagged by people?",
    "lower",
)
QUANTITIES = (VALID, FIRST, TRIES, UNSUPPORTED, *PEOPLE)


def cells(run: RunView, options: GenerateOptions) -> Iterator[Cell]:
    """Yield the cells of every question: valid, tries, support by label source, and what people say of it.

    Args:
        run: one scoring. options: the judge's policy.
    """
    by_people = list(_by_people(run))
    yield from by_people
    sources = {name: sources_of(run, options.judge_policy, name) for name in (FORM, SUPPORT)}
    for scored in run.assessed():
        skipped = (scored.left_out or "").startswith(Reason.NOT_APPLICABLE.value)
        if scored.response.status == "not_applicable" or skipped:  # a follower of what did not apply
            continue
        for source in sources[FORM] or (STRUCTURE,):
            yield from _form(scored, source, options)
        yield from _tries(scored)
        for source in sources[SUPPORT]:
            label, reason = _said(scored, SUPPORT, source, options)
            if source != HUMAN or (label is not None and not by_people):  # flags are what is asked of people
                value = None if label is None else float(label == BAD)
                yield _cell(scored, source, UNSUPPORTED.name, value, reason)


def _by_people(run: RunView) -> Iterator[Cell]:
    """Yield relevance, flags and yields by people, where any judged.

    Of all questions asked for the yield is said only where people judged every valid one.
    """
    asked = [scored for scored in run.assessed() if scored.response.status == "done" and not scored.left_out]
    held = [(scored, flags_of(scored), _is_valid(scored)) for scored in asked]
    if not any(flags for _, flags, _ in held):
        return
    partly = any(valid and flags is None for _, flags, valid in held)
    for scored, flags, valid in held:
        if flags is not None and valid:
            yield _cell(scored, HUMAN, UNSUPPORTED.name, float(flags.flagged), "")
        for quantity, value, reason in said_of(flags, valid=valid):
            if quantity is not IDEAL_OF_ALL or not partly:
                yield _cell(scored, HUMAN, quantity.name, value, reason)


def _is_valid(scored: ScoredResponse) -> bool:
    return any(v.aspect == FORM and v.label == GOOD for v in scored.verdicts)


def _form(scored: ScoredResponse, source: str, options: GenerateOptions) -> Iterator[Cell]:
    label, reason = _said(scored, FORM, source, options)
    if source != HUMAN or label is not None:
        yield _cell(scored, source, VALID.name, None if label is None else float(label == GOOD), reason)


def _said(
    scored: ScoredResponse, aspect: str, source: str, options: GenerateOptions
) -> tuple[str | None, str]:
    if scored.left_out or not scored.claims:
        return None, scored.left_out or f"{Reason.UNPARSABLE.value}:no answer"
    said = labels_of(scored, scored.claims[0], options.judge_policy, aspect).get(source)
    if said is None:
        return None, Reason.TRUNCATED.value if scored.claims[0].payload.get(
            "truncated"
        ) else Reason.ERROR.value
    return said.label, said.reason or Reason.ERROR.value


def _tries(scored: ScoredResponse) -> Iterator[Cell]:
    attempts = scored.response.artifacts.get("attempts") if not scored.left_out else None
    reason = scored.left_out or Reason.ERROR.value
    yield _cell(scored, STRUCTURE, TRIES.name, None if attempts is None else float(attempts), reason)
    first = None if attempts is None else float(attempts == 1 and _is_valid(scored))
    yield _cell(scored, STRUCTURE, FIRST.name, first, reason)


def _cell(scored: ScoredResponse, source: str, name: str, value: float | None, reason: str) -> Cell:
    response = scored.response
    return Cell(
        name=name, model=response.model, arm=response.arm, labels=source, case_id=response.case_id, cluster=scored.case.cluster,
        num=value or 0.0, den=0.0 if value is None else 1.0, epoch=response.epoch, stratum=response.arm, excluded={reason: 1} if value is None else {},
    )  # fmt: skip


def estimates(cells: Sequence[Cell], options: GenerateOptions, seed: int) -> Iterator[Estimate]:
    """Yield each number by type and over all types; the primary one comes first.

    Args:
        cells: of `cells`. options: `resamples`. seed: root seed.

    Raises:
        UsageError: nothing was checked.
    """
    held = tallies(cells)
    if not held:
        raise UsageError("nothing was checked, so there is nothing to estimate; run the check first")
    plan = Plan(seed=seed, B=options.resamples, scoring=cells[0].scoring, simulated=simulated_of(cells))
    lead = leading([labels for name, labels in held if name == VALID.name])
    found: list[Estimate] = []
    for quantity in QUANTITIES:
        for (name, _), tally in held.items():
            if name == quantity.name:
                whole = tally.over_arms(ALL)
                found += rates(whole, quantity, plan, proportion=quantity is not TRIES)
                by_type = rates(tally, quantity, plan, proportion=quantity is not TRIES)
                found += [msgspec.structs.replace(e, arm=ALL, stratum=e.arm) for e in by_type]
                if quantity is VALID:
                    found += model_differences(whole, quantity, plan, arm=ALL)
    found += inverse_penalties([_of_all(cell) for cell in cells], plan)
    marked = [
        msgspec.structs.replace(e, primary=True)
        if (e.name, e.arm, e.labels, e.versus, e.stratum) == (VALID.name, ALL, lead, None, None)
        else e
        for e in found
    ]
    yield from sorted(marked, key=lambda e: not e.primary)


def _of_all(cell: Cell) -> Cell:
    """Return a cell of a type as one of a question among all types; of one passage there may be two with `--paired`."""
    return msgspec.structs.replace(cell, arm=ALL, case_id=f"{cell.case_id} {cell.arm}")


LEAD = Shown(VALID.name, "structurally valid", ALL, lower_first=False, missing="nothing was asked")
OUTLINE = Outline(
    lead=LEAD, columns=(LEAD, Shown(FIRST.name, "valid at the first try", ALL, lower_first=False), Shown(TRIES.name, "tries", ALL, "count"),
                        Shown(UNSUPPORTED.name, "leave the passage", ALL, missing="no judge, no people")),
    rated=VALID.name, counted=("question", "questions"), index=LEAD, compared=(LEAD,), arm=ALL,
    arm_words=lambda arm: arm.replace("_", " "), chapters={"evidence": "Does the type matter?"},
    method=(PROMPTS.parent / "method.md").read_text(encoding="utf-8"),
)  # fmt: skip


def sections(run: RunView, estimates: Sequence[Estimate], options: GenerateOptions) -> Iterator[Section]:
    """Yield the sections of a scoring.

    Args:
        run: all rows of the scoring. estimates: made of them. options: settings of the scoring.
    """
    yield from kit_sections(run, estimates, options, outline=OUTLINE, parts=PARTS)


sources = of_aspect(FORM)
"""Label source -> what it says of a question's form, which is what the headline counts."""


def question(case: Case) -> str:
    """Return the passage's section and the type chosen for it."""
    source = source_of(case)
    return f"{source.passage.section}: {source.type.replace('_', ' ')} ({source.reason})"


def packet(case: Case) -> Iterator[Field]:
    """Yield the passage."""
    passage = source_of(case).passage
    yield Field(path="passage", label=passage.section or "passage", value=passage.text)


def own_lines(report: Report) -> Iterator[str]:
    """Say what the support rule read of valid questions, and why it left the others undecided."""
    said: Counter[str] = Counter()
    why: Counter[str] = Counter()
    for scored in report.run.assessed():
        for verdict in scored.verdicts:
            if verdict.aspect == SUPPORT and verdict.rater == SUPPORT_RULE:
                said[verdict.label or "undecided"] += 1
                if verdict.label is None:
                    why[(verdict.unscored or "").partition(":")[2] or "no reason"] += 1
    if said:
        reasons = "; ".join(f"{words} ({n})" for words, n in why.most_common())
        yield (
            f"support by the passage, read by words ({SUPPORT_RULE}): {said[GOOD]} of {sum(said.values())} questions supported, {said[BAD]} not, "
            f"{said['undecided']} undecided" + (f": {reasons}" if reasons else "")
        )


def where(report: Report) -> Iterator[Section]:
    """Yield inverse minus forward questions: paired by passage with `--paired`, else it says unpaired."""
    yield from penalties(report, ALL)


PARTS = {part.__name__: part for part in (sources, question, packet, own_lines, where)}
