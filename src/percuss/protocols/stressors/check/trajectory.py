"""One response turn by turn: what was told before each answer, and what the answer's last lines declare."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from percuss.core.records import Case, Response
from percuss.protocols.stressors.check.declared import LEVELS, declared, evidence_start, without_declarations
from percuss.protocols.stressors.questions import Question, questions
from percuss.protocols.stressors.record import reading, scenario_of
from percuss.protocols.stressors.scenario.vignettes import Contradiction, Fact, Scenario, Vignette

__all__ = ["LEVELS", "Said", "Trajectory", "said_in", "trajectory"]


@dataclass(frozen=True)
class Said:
    """One answer of the model.

    Args:
        n: turn, 1-based. index: of the transcript's turn. text: of the answer.
        diagnosis, certainty: what the last lines declare; None where there is no such line, or no word of the scale.
        evidence: where the list of the final answer starts, else None. asked: questions and requests, in order.
    """

    n: int
    index: int
    text: str
    diagnosis: str | None
    certainty: str | None
    evidence: int | None
    asked: tuple[Question, ...]


@dataclass(frozen=True)
class Trajectory:
    """A response with its case and scenario."""

    vignette: Vignette
    scenario: Scenario
    said: tuple[Said, ...]
    answers: tuple[Mapping[str, Any], ...]

    @property
    def last(self) -> Said:
        """The final answer."""
        return self.said[-1]

    def told_facts(self, turn: int) -> tuple[Fact, ...]:
        """Return the facts that the model had been told when it gave the answer of a turn, answers included."""
        ids = [*self.scenario.released(turn)]
        for answer in self.answers:
            if int(answer["turn"]) < turn:
                ids += [i for i in answer["facts"] if i not in ids]
        return tuple(self.vignette.fact(i) for i in ids)

    def told(self, turn: int) -> tuple[str, ...]:
        """Return the true lines told before the answer of a turn: opening, facts, answers."""
        first = (
            self.scenario.turns[0].user_text if self.scenario.arm == "ungrounded" else self.vignette.opening
        )
        return (first, *(fact.text for fact in self.told_facts(turn)))

    def injected(self, turn: int) -> tuple[Contradiction, ...]:
        """Return the contradictions injected up to a turn."""
        return tuple(each for each in self.scenario.contradictions if each.turn <= turn)


def trajectory(case: Case, response: Response, *, seed: int, inject_at: int) -> Trajectory:
    """Read a response as a trajectory.

    Args:
        case: of this protocol. response: done. seed: the run's root seed. inject_at: turn of the injected line.

    Raises:
        Unbuildable: the scenario cannot be built any more.
    """
    texts = [(turn.index, turn.text) for turn in response.turns if turn.role == "assistant"]
    return Trajectory(
        reading(case),
        scenario_of(case, response.arm, seed, inject_at),
        tuple(
            said_in(n, index, text, final=n == len(texts)) for n, (index, text) in enumerate(texts, start=1)
        ),
        tuple(response.artifacts.get("answers", ())),
    )


def said_in(n: int, index: int, text: str, *, final: bool) -> Said:
    """Read one answer; only the final one has a list of evidence.

    Args:
        n, index, text: as in `Said`. final: whether it is the last of its trajectory.
    """
    diagnosis, certainty = declared(text)
    evidence = evidence_start(text) if final else None
    body = text if evidence is None else text[:evidence]
    return Said(n, index, text, diagnosis, certainty, evidence, questions(without_declarations(body)))
