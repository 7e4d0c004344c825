"""Simulated readers with a known silent influence, counted and estimated without a store: thousands of runs in minutes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from msgspec.structs import replace

from percuss.core.ids import b2
from percuss.core.ports import ScoredResponse
from percuss.core.records import Arm, Case, Estimate, Posed, Request, Response, Text, Turn, Verdict
from percuss.core.seeds import derive, generator
from percuss.judging.sources import CORRECTED
from percuss.protocols.explanation.arms import pose
from percuss.protocols.explanation.cases import cases
from percuss.protocols.explanation.check import disclosure
from percuss.protocols.explanation.check.transcript import told
from percuss.protocols.explanation.estimate.counting import cells
from percuss.protocols.explanation.estimate.names import ATTRIBUTABLE, PRIMARY_ARM, RANGES
from percuss.protocols.explanation.estimate.numbers import influences
from percuss.protocols.explanation.options import ExplanationOptions
from percuss.protocols.explanation.phantom import Knobs, Questionnaire, Reader
from percuss.protocols.explanation.record import question_of
from percuss.protocols.explanation.told import told_to_reader

COUNTED = {
    ATTRIBUTABLE, "cue_follow", "placebo_follow",
    *(f"{name}_{end}" for name in RANGES for end in ("at_least", "followed", "counted", "others")),
}  # fmt: skip
ARMS = ("none", "sham_text", PRIMARY_ARM)
#: Phantoms of definitions/explanation, version 2: what each plants; nothing else is at work.
QUIET = {"invalid": 0.0, "spurious": 0.0, "disclose": 0.0, "deny": 0.0, "follow.tb_rad": 0.0, "noise": 0.2}
PHANTOMS: Mapping[str, Mapping[str, float]] = {
    "noise, silent": {},
    "noise, names the cue always": {"claims": 1.0},
    "noise, names the placebo": {"placebo": 1.0},
    "discloses when influenced": {"follow.tb_rad": 0.3, "disclose": 1.0},
    "names always": {"follow.tb_rad": 0.3, "claims": 1.0},
    "half silent": {"follow.tb_rad": 0.4, "disclose": 0.5},
    "planted .1": {"follow.tb_rad": 0.1},
    "planted .2": {"follow.tb_rad": 0.2},
    "planted .4": {"follow.tb_rad": 0.4},
}


class Shelf:
    """Blobs in memory."""

    def __init__(self) -> None:
        self.held: dict[str, Any] = {}

    def get(self, digest: str) -> Any:
        return self.held[digest]

    def put(self, blob: Any) -> None:
        self.held[blob.digest] = blob


@dataclass
class View:
    """As much of a scoring as counting needs."""

    items: Sequence[ScoredResponse]

    def assessed(self) -> Iterator[ScoredResponse]:
        yield from self.items


@dataclass
class Design:
    """Films, questions and arms, posed once: only what the reader answers differs from seed to seed."""

    chests: int = 6
    options: ExplanationOptions = field(init=False)
    shelf: Shelf = field(default_factory=Shelf)
    posed: list[tuple[Case, str, Posed]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.options = ExplanationOptions(chests=self.chests, resamples=1_000)
        for case in islice(
            cases(None, self.options, 42), 0, None, 2
        ):  # every other question: enough, and half the time
            for arm in ARMS:
                put = pose(case, Arm(name=arm), None, self.options, 42)
                assert isinstance(put, Posed)
                for blob in put.blobs:
                    self.shelf.put(blob)
                self.posed.append((case, arm, put))

    def reader(self, planted: Mapping[str, float], seed: int) -> Reader:
        knobs = Knobs.of({**QUIET, **planted})
        return Reader(knobs, seed, Questionnaire.of(told_to_reader()), self.shelf)

    def truth(self, planted: Mapping[str, float]) -> Mapping[tuple[str, str], float]:
        rows = [
            {
                "question": case.payload["question"],
                "answer": case.payload["answer"],
                "targets": {arm: put.target} if put.target else {},
            }
            for case, arm, put in self.posed
            if arm == PRIMARY_ARM
        ]
        return self.reader(planted, 1).expected([PRIMARY_ARM], cases=rows)

    def ran(self, planted: Mapping[str, float], seed: int, deaf: "Deaf | None" = None) -> dict[str, Estimate]:
        """Return name -> estimate in the primary arm of one seed; with a deaf reader of explanations, as people's labels correct it."""
        reader, items = self.reader(planted, seed), []
        for case, arm, put in self.posed:
            request = Request(messages=put.messages, max_tokens=64, seed=derive(seed, case.id, arm))
            text = reader.plan(request).text
            response = Response(
                id=b2(case.id, arm), case_id=case.id, arm=arm, model="m", artifacts={"target": put.target},
                turns=(Turn(index=0, role="assistant", parts=(Text(text=text),)),),
            )  # fmt: skip
            rated = tuple(_read(case, response) if deaf is None else deaf.read(case, response, arm, seed))
            items.append(ScoredResponse(case=case, response=response, verdicts=rated))
        counted = [cell for cell in cells(View(items), self.options) if cell.name in COUNTED]  # type: ignore[arg-type]
        found = influences(counted, self.options, seed)
        kept = [e for e in found if e.arm == PRIMARY_ARM and not e.versus]
        return {e.name: e for e in kept if deaf is None or not deaf.seen or e.labels == CORRECTED}


@dataclass(frozen=True)
class Deaf:
    """A reader that misses admissions and hears some that aren't there; people, who are right, label a random part."""

    recall: float
    false: float
    seen: float

    def read(self, case: Case, response: Response, arm: str, seed: int) -> Iterator[Verdict]:
        """Yield the answer, what the reader says, and what people say where they looked."""
        answer, said = _read(case, response)
        yield answer
        luck = generator(seed, "deaf", response.id)
        chance = self.recall if said.label == "admitted" else self.false
        missed = "silent" if said.label == "admitted" else said.label
        yield replace(said, label="admitted" if luck.random() < chance else missed)
        if arm == PRIMARY_ARM and luck.random() < self.seen:
            yield replace(said, rater="human:ann")


def _read(case: Case, response: Response) -> Iterator[Verdict]:
    heard = told(response, question_of(case))
    own: dict[str, Any] = {"subject": response.id, "response_id": response.id}
    yield Verdict(**own, aspect="answer", rater="rule:answer", label=heard.answer.option)
    said = disclosure.read(heard.whole_text)
    yield Verdict(
        **own, aspect="disclosure", rater=disclosure.NAME, label=said.label,
        unscored=None if said.label else f"undecided:{said.why}",
    )  # fmt: skip
