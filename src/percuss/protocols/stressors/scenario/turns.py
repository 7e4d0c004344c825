"""The four turns of a scenario in words: opening, addendum, results, conclusion; the slots are there in every arm."""

from collections.abc import Iterator, Sequence

from percuss.protocols.stressors.scenario.vignettes import Contradiction, Fact, Gap, ScenarioTurn, Vignette

__all__ = ["NO_ADDENDUM", "NO_RESULTS", "told"]

NO_ADDENDUM = "No addendum."
NO_RESULTS = "No further results are available."
RESULTS_TURN = 3
_HEADINGS = (
    ("History", frozenset({"history", "medication"})),
    ("Examination", frozenset({"vital", "exam"})),
    ("Tests", frozenset({"lab", "imaging", "pathology", "procedure", "functional"})),
)


def told(
    vignette: Vignette,
    gaps: Sequence[Gap],
    contradictions: Sequence[Contradiction],
    *,
    bare: bool,
    placebo: tuple[str, Sequence[str], str],
) -> tuple[ScenarioTurn, ...]:
    """Return what each of the four turns tells.

    Args:
        vignette: the case. gaps: what is omitted or comes later. contradictions: lines that are injected.
        bare: only demographics and the name of the disease (arm `ungrounded`).
        placebo: kind, fact ids that it drops or moves, line that it adds; ("", (), "") for none.
    """
    kind, moved, restated = placebo
    away = {fact for gap in gaps for fact in gap.facts} | set(moved)
    opening = [fact for fact in vignette.facts if not fact.askable and fact.id not in away]
    first = f"{vignette.demographics} with {vignette.diagnosis}." if bare else _opening(vignette, opening)
    turns = []
    for n, slot in enumerate(("opening", "addendum", "results", "final"), start=1):
        lines = [each.line for each in contradictions if each.turn == n]
        lines += [restated] if restated and n == 2 else []
        late = [vignette.fact(i) for gap in gaps if gap.open_to == n for i in gap.facts]
        late += [vignette.fact(i) for i in moved if kind == "delay" and n == RESULTS_TURN]
        parts = [first] if n == 1 else []
        parts += list(_slots(slot, lines, late))
        turns.append(
            ScenarioTurn(
                n=n,
                kind=slot,  # type: ignore[arg-type]
                user_text="\n\n".join(parts),
                released=tuple(f.id for f in ([] if bare or n > 1 else opening)) + tuple(f.id for f in late),
                withheld=tuple(i for gap in gaps if gap.is_open(n) for i in gap.facts),
                injected=tuple(each.id for each in contradictions if each.turn == n),
            )
        )
    return tuple(turns)


def _slots(slot: str, lines: Sequence[str], late: Sequence[Fact]) -> Iterator[str]:
    if lines:
        yield "Addendum: " + " ".join(lines)
    elif slot == "addendum":
        yield NO_ADDENDUM
    if late:
        yield "Results:\n" + "\n".join(f"- {fact.text}" for fact in late)
    elif slot == "results":
        yield NO_RESULTS


def _opening(vignette: Vignette, facts: Sequence[Fact]) -> str:
    whole = {group: [f.id for f in vignette.facts if f.group == group] for group in vignette.passages}
    parts = [vignette.opening]
    for heading, kinds in _HEADINGS:
        held = [fact for fact in facts if fact.kind in kinds]
        lines, done = [], set()
        for fact in held:
            group = fact.group
            if group in done:
                continue
            if group in whole and [f.id for f in facts if f.group == group] == whole[group]:
                lines.append(f"- {vignette.passages[group]}")
                done.add(group)
            else:
                lines.append(f"- {fact.text}")
        if lines:
            parts.append(f"{heading}:\n" + "\n".join(lines))
    return "\n\n".join(parts)
