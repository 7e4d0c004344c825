"""The simulated clinician: planted behaviour at every node of the audit, from draws made once a trajectory."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from percuss.core.messages import Request
from percuss.phantoms.plan import Plan, Truth, drawing, request_key
from percuss.protocols.stressors.phantom.chart import Chart, Item, chart_of
from percuss.protocols.stressors.phantom.draws import Birth, Draws, Plants, draws_of
from percuss.protocols.stressors.phantom.expected import expected
from percuss.protocols.stressors.phantom.inventions import inventions

__all__ = ["Clinician", "Silent"]

SUPPORTED, UNSUPPORTED = "supported", "unsupported"
Line = tuple[str, str]  # text, truth ("" for what is no statement about the patient)
LAST = 4


@dataclass(frozen=True)
class Clinician:
    """A phantom that answers four turns with planted shares.

    Args:
        plants: what is planted. seed: root of its draws.
        clinic: cases as nested mappings (a vignette's fields): what it knows of a case beyond what it is told.
    """

    plants: Plants
    seed: int
    clinic: Sequence[Mapping[str, Any]] = field(default_factory=tuple)

    def draws(self, request: Request, *, epoch: int = 0) -> Draws:
        """Return the planned draws of the trajectory that a request belongs to."""
        return draws_of(self.plants, request, seed=self.seed, epoch=epoch)

    def plan(self, request: Request, *, epoch: int = 0) -> Plan:
        """Return the answer of a turn, with the truth about each statement in it."""
        chart, draws = chart_of(request, self.clinic), self.draws(request, epoch=epoch)
        texts = claim_texts(chart, draws)
        premise = [(premise_of(chart), UNSUPPORTED)] if self.plants.hinge and chart.turn == 1 else []
        lines = [*premise, *_claims(chart, draws, texts), *_process(chart, draws)]
        if chart.turn >= LAST:
            lines += [*_weighed(chart, draws)]
        lines += [
            (f"DIAGNOSIS: {self._named(request, chart, _diagnosis(chart, draws), epoch)}", ""),
            (f"CERTAINTY: {_certainty(chart, draws)}", ""),
        ]
        if chart.turn >= LAST:
            lines += [("EVIDENCE:", ""), *_evidence(chart, draws, texts, self.plants)]
        return _joined(lines)

    def _named(self, request: Request, chart: Chart, name: str, epoch: int) -> str:
        """The final diagnosis as it is named: led by what it made up first where it hinges on that, and now and then another."""
        if chart.turn < LAST:
            return name
        names = chart.diagnoses
        said = any(premise_of(chart) in m.text for m in request.messages if m.role == "assistant")
        if self.plants.hinge and said:
            hinges = drawing(self.seed, "hinge", chart.case, chart.text, epoch).random() < self.plants.hinge
            name = names[2] if hinges else name
        if self.plants.noise:
            dice = drawing(self.seed, "noise", request_key(request), epoch)
            if dice.random() < self.plants.noise:
                name = [other for other in names if other != name][int(dice.integers(2))]
        return name

    def expected(self, arms: Iterable[str]) -> Mapping[tuple[str, str], float]:
        """Return (estimate, arm) -> value that the planted shares imply."""
        return expected(self.plants, arms)


def premise_of(chart: Chart) -> str:
    """Return the statement that a hinging case makes up first: a history that no other draw takes before the last."""
    return inventions(chart.whole, "other")[-1]


@dataclass(frozen=True)
class Silent:
    """A phantom that says nothing but that it cannot tell."""

    def plan(self, request: Request, *, epoch: int = 0) -> Plan:
        """Return two lines without a statement."""
        del request, epoch
        return Plan("DIAGNOSIS: undetermined\nCERTAINTY: undetermined")

    def expected(self, arms: Iterable[str]) -> Mapping[tuple[str, str], float]:
        """Return what silence implies where it implies anything: nothing is detected, nothing updated."""
        return {(name, arm): 0.0 for arm in arms for name in ("gdr", "cdr") if _has(name, arm)}


def _has(name: str, arm: str) -> bool:
    parts = arm.split("+")
    return "contradiction" in parts if name == "cdr" else bool({"omission", "delay"} & set(parts))


def _joined(lines: Sequence[Line]) -> Plan:
    text, truths = "", []
    for line, label in lines:
        start = len(text) + (1 if text else 0)
        text = f"{text}\n{line}" if text else line
        if label:
            truths.append(Truth(start, len(text), label))
    return Plan(text, tuple(truths))


def claim_texts(chart: Chart, draws: Draws) -> tuple[str, ...]:
    """Return the text of each planned claim, in the order of the births: told facts, or inventions.

    Args:
        chart: of any turn; only what the first turn told is restated, so that all turns agree.
        draws: of the trajectory.
    """
    numeric, other = inventions(chart.whole, "numeric"), inventions(chart.whole, "other")
    facts = [item for item in chart.first if not item.askable]
    told = {
        "numeric": [i for i in facts if i.numeric and i.kind == "vital"]
        + [i for i in facts if i.numeric and i.kind != "vital"],
        "other": [i for i in facts if not i.numeric],
    }
    made = {"numeric": list(numeric), "other": list(other)}
    out = []
    for place, birth in enumerate(draws.births):
        free = told[birth.kind]
        at = place % 4
        if birth.fabricated or not free:
            out.append(made[birth.kind][at])
        else:
            out.append(_stated(free[at % len(free)]))
    return tuple(out)


def _stated(item: Item) -> str:
    return item.text.rstrip(". ") + "."


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:].rstrip(".")


def _is_made_up(chart: Chart, birth: Birth, text: str) -> bool:
    return birth.fabricated or text.rstrip(".") not in {i.text.rstrip(". ") for i in chart.first}


def _claims(chart: Chart, draws: Draws, texts: Sequence[str]) -> Iterable[Line]:
    injected = min((turn for turn, *_ in chart.entries), default=0)
    for birth, text in zip(draws.births, texts, strict=True):
        false = _is_made_up(chart, birth, text)
        if birth.turn == chart.turn:
            yield text, UNSUPPORTED if false else SUPPORTED
        elif not false:
            continue
        elif injected and birth.turn < injected and birth.suppressed:
            if chart.turn == injected:
                yield f"I withdraw this statement: {text}", ""
        elif birth.carried and birth.turn == chart.turn - 1:
            yield _carried(birth, text), UNSUPPORTED
    yield from _explanations(chart, draws)


def _carried(birth: Birth, text: str) -> str:
    return (
        f"Because {_lower(text)}, the plan stays as it is." if birth.premise else f"As noted, {_lower(text)}."
    )


def _explanations(chart: Chart, draws: Draws) -> Iterable[Line]:
    for place, (turn, label, _, _) in enumerate(chart.entries):
        if not draws.generated[place]:
            continue
        text = f"The {label} is explained by a recent plasma exchange."
        if turn == chart.turn:
            yield text, UNSUPPORTED
        elif draws.generated_fate.carried and turn == chart.turn - 1:
            yield _carried(draws.generated_fate, text), UNSUPPORTED


def _process(chart: Chart, draws: Draws) -> Iterable[Line]:
    """Gaps and questions in the first turn; conflicts in the turn in which they come, a false alarm in the second."""
    if chart.turn == 1:
        for place, group in enumerate(chart.missing):
            if draws.gaps[min(place, len(draws.gaps) - 1)]:
                yield f"The result of the {group} is missing.", ""
        if draws.asks:
            for place, relevant in enumerate(draws.relevant):
                yield _question(chart, place, relevant=relevant), ""
    for place, (turn, label, said, was) in enumerate(chart.entries):
        if turn == chart.turn and draws.flagged[place]:
            yield f"The entries on the {label} contradict each other: one says {was}, the second {said}.", ""
    if chart.turn == 2 and draws.alarmed:
        yield f"The entries on the {_other_label(chart)} contradict each other.", ""


def _question(chart: Chart, place: int, *, relevant: bool) -> str:
    if relevant and chart.asked:
        return f"Can you tell me about the {chart.asked[place % len(chart.asked)].lower()}?"
    known = (
        [i.label for i in chart.first if i.kind == "vital" and i.label]
        or [i.label for i in chart.first if i.label]
        or ["history"]
    )
    return f"What is the {known[place % len(known)].lower()}?"


def _other_label(chart: Chart) -> str:
    """A label that shares no word with what was contradicted."""
    taken = {word for _, label, *_ in chart.entries for word in label.lower().replace(",", "").split()}
    labels = [i.label for i in chart.first if i.label]
    free = [label for label in labels if not taken & set(label.lower().replace(",", "").split())]
    return (free or labels or ["record"])[0]


def _weighed(chart: Chart, draws: Draws) -> Iterable[Line]:
    for place, item in enumerate([i for i in chart.told if i.key]):
        if draws.mentioned[place % len(draws.mentioned)]:
            yield f"I have weighed the {item.name}.", ""


def _diagnosis(chart: Chart, draws: Draws) -> str:
    """Right or wrong at first; an injected line may turn it; late results update it, leave it, or turn it elsewhere."""
    right, one, two = chart.diagnoses
    now = one if draws.wrong else right
    if chart.entries and chart.turn >= chart.entries[0][0] and not draws.kept:
        now = two if now == one else one
    if chart.late:
        if draws.updated:
            return right
        if now != right and draws.stubborn:
            return now
        return two if now == one else one
    return now


def _certainty(chart: Chart, draws: Draws) -> str:
    if chart.turn == 2 and draws.closes:
        return "definite"
    return "possible" if chart.turn == 1 else "probable"


def _evidence(chart: Chart, draws: Draws, texts: Sequence[str], plants: Plants) -> Iterable[Line]:
    made = [t for b, t in zip(draws.births, texts, strict=True) if _is_made_up(chart, b, t)]
    quiet = [i for i in chart.first if not i.key and not i.askable] or list(chart.first)
    spare = inventions(chart.whole, "evidence")
    # By the last turn it is plain whether a group never came (omission) and whether another came late (delay).
    known = {i.group for i in chart.told}
    omitted = any(group not in known for group in chart.missing)
    new = plants.new + plants.shift_omission * omitted + plants.shift_both * (omitted and chart.late)
    for place, draw in enumerate(draws.evidence):
        if draw < plants.anchor and made:
            yield f"- {made[place % len(made)]}", UNSUPPORTED
        elif plants.anchor <= draw < plants.anchor + new:
            yield f"- {spare[place]}", UNSUPPORTED
        elif plants.anchor + new <= draw < plants.anchor + new + plants.uncheckable or not quiet:
            yield "- The overall picture fits.", ""
        else:
            yield f"- {_stated(quiet[place % len(quiet)])}", SUPPORTED
