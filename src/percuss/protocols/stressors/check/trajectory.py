"""One response turn by turn: what was told before each answer, and what the answer's last lines declare."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from percuss.core.records import Case, Response
from percuss.perturb.vignettes import Contradiction, Fact, Scenario, Vignette
from percuss.perturb.wording import content_words
from percuss.protocols.stressors.questions import Question, questions
from percuss.protocols.stressors.record import reading, scenario_of

__all__ = ["Said", "Trajectory", "declared", "same_diagnosis", "trajectory"]

_LINE = r"^[ \t>*#-]*{0}[*\s]*[:=][*\s]*(?P<value>.*?)[ \t*]*$"
_DIAGNOSIS = re.compile(
    _LINE.format("(?:final |most likely |working )?diagnosis"), re.IGNORECASE | re.MULTILINE
)
_IN_PROSE = re.compile(
    r"\bdiagnosis (?:is|remains|would be) (?:still |most likely |likely |an? |the )*(?P<value>[A-Za-z][^.,;:\n]{2,80})",
    re.IGNORECASE,
)
"""Where a model ignores the form, the prose may still name its diagnosis; a certainty is never read from prose."""
_CERTAINTY = re.compile(_LINE.format("certainty"), re.IGNORECASE | re.MULTILINE)
_EVIDENCE = re.compile(
    r"^[ \t>*#-]*(?:supporting |key )?evidence[*\s]*[:=][*]*[ \t]*", re.IGNORECASE | re.MULTILINE
)
_ECHOES = frozenset({"(one diagnosis)", "one diagnosis", "the most likely diagnosis"})
"""What the prompts ask for, repeated as it stands: no diagnosis."""
LEVELS = ("undetermined", "possible", "probable", "definite")


@dataclass(frozen=True)
class Said:
    """One answer of the model.

    Args:
        n: turn, 1-based. index: of the transcript's turn. text: of the answer.
        diagnosis, certainty: what the last lines declare; None where there is no such line, or no word of the scale.
        body: (start, stop) of the prose before the declarations. evidence: where the final list starts, else None.
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
        tuple(_said(n, index, text) for n, (index, text) in enumerate(texts, start=1)),
        tuple(response.artifacts.get("answers", ())),
    )


def _said(n: int, index: int, text: str) -> Said:
    diagnosis, certainty = declared(text)
    found = _EVIDENCE.search(text)
    evidence = None if found is None else found.end()
    body = text if found is None else text[: found.start()]
    return Said(n, index, text, diagnosis, certainty, evidence, questions(_blank_declarations(body)))


def _blank_declarations(text: str) -> str:
    """Overwrite declaring lines with spaces, so that offsets stay."""
    for pattern in (_DIAGNOSIS, _CERTAINTY):
        text = pattern.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)
    return text


def declared(text: str) -> tuple[str | None, str | None]:
    r"""Return the diagnosis and the certainty that an answer declares; the last line of each counts.

    >>> declared("DIAGNOSIS: Gout\nCERTAINTY: probable")
    ('Gout', 'probable')
    """
    named = [m["value"].strip(" .*\"'") for m in (*_IN_PROSE.finditer(text), *_DIAGNOSIS.finditer(text))]
    levels = [m["value"].lower() for m in _CERTAINTY.finditer(text)]
    said = [word for word in LEVELS if levels and re.search(rf"\b{word}\b", levels[-1])]
    diagnosis = named[-1] if named and named[-1] and named[-1].lower() not in _ECHOES else None
    return diagnosis, said[0] if len(said) == 1 else None


@lru_cache(maxsize=8192)
def same_diagnosis(said: str, name: str) -> bool:
    """Tell whether two names are one diagnosis: all words of one stand in the other, or they are spelled nearly alike.

    Args:
        said: what a model declares. name: the diagnosis it is held against.
    """
    from rapidfuzz import fuzz

    a, b = content_words(said), content_words(name)
    if not a or not b:
        return said.strip().lower() == name.strip().lower()
    return b <= a or (a <= b and len(a) > 1) or fuzz.ratio(said.lower(), name.lower()) >= 90
