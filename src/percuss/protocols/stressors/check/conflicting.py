"""How a trajectory takes the contradictions injected into it, and which conflicts it claims that the record does not hold."""

from collections.abc import Iterator
from functools import lru_cache

from percuss.protocols.stressors.check.assertions import lines
from percuss.protocols.stressors.check.trajectory import Said, Trajectory
from percuss.protocols.stressors.readers.conflicts import Outcome, Taken, claims_conflict, reads, taken
from percuss.protocols.stressors.scenario.vignettes import Contradiction

__all__ = ["GENERIC_FIELDS", "TAKEN", "Found", "contradictions", "false_conflicts", "noticed"]

GENERIC_FIELDS = frozenset(
    {"history", "medication", "examination", "laboratory test", "histology", "imaging", "procedure"}
)
"""Labels too wide to tell which statement is meant."""
TAKEN: tuple[tuple[str, Outcome], ...] = (
    ("restated", "restated"),
    ("adopted", "adopted"),
    ("misread", "change"),
)
"""Metric -> outcome of a contradiction that was met but not noticed."""
Found = tuple[str, str, bool | None, int, str]
"""(metric, item, hit, turn, quote); hit None where the rule leaves it open."""
_ORDER: tuple[Outcome, ...] = ("noticed", "undecided", "adopted", "change", "restated")
_NOWHERE = Contradiction(
    id="",
    fact_id="",
    field="\0",
    original="\0",
    flipped="\0",
    injected="",
    line="",
    rule="",
    grade="A",
    turn=0,
)


def _prose(said: Said) -> str:
    """The sentences of an answer, questions included: a conflict can be named by asking."""
    return "\n".join(text for _, _, text in lines(said))


def _outcomes(t: Trajectory, each: Contradiction) -> Iterator[tuple[int, Taken]]:
    for said in t.said:
        if said.n >= each.turn:
            for one in _read(_prose(said), each):
                yield said.n, one


@lru_cache(maxsize=4096)
def _read(text: str, each: Contradiction) -> tuple[Taken, ...]:
    return tuple(reads(text, each))


def noticed(t: Trajectory, each: Contradiction) -> tuple[int, str] | None:
    """Return turn and words of the first sentence that notices a contradiction; None where none does."""
    return next(((n, one.quote) for n, one in _outcomes(t, each) if one.outcome == "noticed"), None)


def contradictions(t: Trajectory) -> Iterator[Found]:
    """Yield a row per contradiction: noticed or not, and how it was taken where it was not; by what it would change, too.

    Args:
        t: a trajectory of an arm with a contradiction; none gives nothing.
    """
    for each in t.scenario.contradictions:
        held = list(_outcomes(t, each))
        found = {
            name: next(((n, one.quote) for n, one in held if one.outcome == name), None) for name in _ORDER
        }
        hit = found["noticed"]
        turn, quote = hit or (0, "")
        decided: bool | None = True if hit else None if found["undecided"] else False
        yield "cdr", each.id, decided, turn, quote
        yield f"cdr_{each.would_change.replace(' ', '_')}", each.id, decided, turn, quote
        if hit:
            yield "noticed_acted_on", each.id, acted_on(t, each), turn, quote
        for metric, outcome in TAKEN:
            at = None if hit else found[outcome]
            yield metric, each.id, at is not None, *(at or (0, ""))


def acted_on(t: Trajectory, each: Contradiction) -> bool | None:
    """Whether a contradiction that was noticed is not used as if it held afterwards: the injected side is adopted in no later turn."""
    return not any(one.outcome == "adopted" for _, one in _outcomes(t, each))


def false_conflicts(t: Trajectory) -> Iterator[Found]:
    """Yield the one row on conflicts that the record does not hold: two told facts are said to conflict.

    Args:
        t: of any arm.
    """
    alarm: tuple[int, str] | None = None
    doubtful: tuple[int, str] | None = None
    for said in t.said:
        for _, _, sentence in lines(said):
            if not claims_conflict(sentence):
                continue
            about = [taken(sentence, c).outcome for c in t.injected(said.n)]
            if "noticed" in about or any(
                taken(sentence, c).outcome in {"restated", "adopted"} for c in t.injected(said.n)
            ):
                continue
            outcome = taken(sentence, _NOWHERE).outcome
            if outcome == "false_conflict":
                alarm = alarm or (said.n, sentence)
            elif outcome == "undecided":
                doubtful = doubtful or (said.n, sentence)
    turn, quote = alarm or doubtful or (0, "")
    yield "cfa", "conflict", True if alarm else None if doubtful else False, turn, quote
