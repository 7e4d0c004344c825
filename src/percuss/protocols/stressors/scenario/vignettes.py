"""A clinical vignette as atomic facts, and a scenario made of it: who is told what, and when.

Everything gold (gaps, contradictions, opportunities) is derived from vignette, arm and seed; nothing gold is stored that
the builder cannot reproduce.
"""

from collections.abc import Collection
from typing import Literal

from percuss.core.records import Record

__all__ = [
    "SLOTS",
    "Authored",
    "Consequence",
    "Contradiction",
    "Dose",
    "Expected",
    "Fact",
    "Gap",
    "Grade",
    "Kind",
    "Level",
    "Opportunity",
    "Scenario",
    "ScenarioTurn",
    "Trap",
    "Vignette",
]

Kind = Literal[
    "history",
    "medication",
    "vital",
    "exam",
    "lab",
    "imaging",
    "pathology",
    "procedure",
    "functional",
]
Grade = Literal["A", "B", "model"]
Level = Literal["group", "fact", "finding"]
Consequence = Literal["diagnosis", "urgent action", "drug or dose", "procedure", "nothing"]
"""What a fact would change if it were otherwise."""
SLOTS = ("opening", "addendum", "results", "final")
"""What each of the four turns is for; four in every arm, else delay would be confounded with length."""


class Fact(Record):
    """One atomic statement of a case.

    Args:
        text: reads alone. group: one orderable thing ("Skin biopsy"), released whole.
        label, value: for key-value facts; number and unit where the value is one number.
        objective: lab, imaging, pathology, procedure or functional evidence.
        key_score: how much it bears on the diagnosis, see `information_flow.key_score`; 0 = normal or unrelated.
        askable: held back in every arm and told when asked for.
        names_diagnosis: it says the diagnosis.
    """

    id: str
    text: str
    kind: Kind
    group: str
    label: str = ""
    value: str = ""
    number: float | None = None
    unit: str | None = None
    source_path: str = ""
    objective: bool = False
    key_score: int = 0
    askable: bool = False
    names_diagnosis: bool = False


class Authored(Record):
    """A contradiction written by a person or a model: `injected` is the fact's statement with `original` turned into `flipped`."""

    fact_id: str
    original: str
    flipped: str
    injected: str
    rule: str = "authored"
    grade: Grade = "A"


class Expected(Record):
    """What a careful reader would think at a turn."""

    turn: int
    expect: str


class Trap(Record):
    """A known error: the claim it makes, and a pattern that finds it."""

    id: str
    claim: str
    pattern: str


class Vignette(Record):
    """A case: an opening that is told in every arm, and facts.

    Args:
        cluster: what is resampled. stratum: organ system. demographics: all that the arm `ungrounded` tells of the person.
        passages: group -> the text under which the group is told as a whole; without it the facts are told one by one.
        accepted_differential: other diagnoses that a careful reader may hold before the decisive result.
        gold_status: `disputed` or `none` keeps a case out of the diagnosis metrics.
        sufficient_sets: minimal sets of fact ids that settle the diagnosis; () where nobody has said which. More than a set settles it too.
        gap_not_needed: families of models that named the diagnosis, definite or probable, from what is told while a gap is open; two or more
            keep the case out of `gdr` and `pcr`.
        first_impression: the reasonable and wrong diagnosis that the first turn suggests; "" where nobody has named one.
        consequences: fact id -> what it would change if it were otherwise; a fact that is not named changes nothing.
        reviewed_by: `none`, or role and date of the clinician who read it.
        track: `image` where a picture is shown with the opening. picture: its file's name or address, as the row has it; "" where there is none.
        layout: of the file that it was read from. unread: why its row could not be read; it then has no facts, and is never posed.
        authored: contradictions beside the rule-made ones.
    """

    id: str
    cluster: str
    opening: str
    facts: tuple[Fact, ...]
    diagnosis: str
    stratum: str = ""
    track: Literal["text", "image"] = "text"
    demographics: str = ""
    passages: dict[str, str] = {}
    question: str = "What is the most likely diagnosis?"
    options: dict[str, str] | None = None
    aliases: tuple[str, ...] = ()
    accepted_differential: tuple[str, ...] = ()
    gold_status: Literal["given", "disputed", "none"] = "given"
    sufficient_sets: tuple[tuple[str, ...], ...] = ()
    gap_not_needed: tuple[str, ...] = ()
    first_impression: str = ""
    consequences: dict[str, Consequence] = {}
    reviewed_by: str = "none"
    layout: Literal["own", "agentclinic", "nejm", "mediq", "fhir"] = "own"
    picture: str = ""
    unread: str = ""
    trajectory: tuple[Expected, ...] = ()
    error_traps: tuple[Trap, ...] = ()
    authored: tuple[Authored, ...] = ()

    def fact(self, fact_id: str) -> Fact:
        """Return a fact by its id; raises KeyError."""
        for fact in self.facts:
            if fact.id == fact_id:
                return fact
        raise KeyError(fact_id)

    @property
    def needs_no_gap(self) -> bool:
        """Whether two or more families of models named the diagnosis without what is withheld (definitions, version 2)."""
        return len(self.gap_not_needed) > 1

    def settled_by(self, told: Collection[str]) -> bool:
        """Whether facts hold a set that settles the diagnosis; False where nobody has said which sets do.

        Args:
            told: ids of facts.
        """
        return any(set(each) <= set(told) for each in self.sufficient_sets)


class ScenarioTurn(Record):
    """What the user's side of one turn tells, beside the protocol's prompt."""

    n: int
    kind: Literal["opening", "addendum", "results", "final"]
    user_text: str = ""
    released: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
    injected: tuple[str, ...] = ()


class Gap(Record):
    """Something missing: from which turn, and until which (None: it never comes)."""

    id: str
    group: str
    facts: tuple[str, ...]
    cause: Literal["omission", "delay"]
    open_from: int = 1
    open_to: int | None = None

    def is_open(self, turn: int) -> bool:
        """Whether the answer of a turn is given without it."""
        return self.open_from <= turn and (self.open_to is None or turn < self.open_to)


class Contradiction(Record):
    """An injected line that negates one released fact.

    Args:
        line: what is told. injected: the statement in it. would_change: what the fact would change if it were so.
    """

    id: str
    fact_id: str
    field: str
    original: str
    flipped: str
    injected: str
    line: str
    rule: str
    grade: Grade
    turn: int
    would_change: Consequence = "nothing"


class Opportunity(Record):
    """A turn at which the diagnosis should be revised, confirmed or held; `informative` releases bear on it."""

    id: str
    turn: int
    cause: Literal["delay", "contradiction"]
    facts: tuple[str, ...]
    expect: Literal["revise_or_confirm", "hold"]
    informative: bool


class Dose(Record):
    """How much of each stressor: units omitted, lines injected, turn at which delayed results come (0: none)."""

    omitted: int = 0
    injected: int = 0
    delayed_to: int = 0


class Scenario(Record):
    """A vignette in an arm, with everything gold that follows from how it was built."""

    vignette_id: str
    arm: str
    seed: int
    builder_version: str
    level: Level
    turns: tuple[ScenarioTurn, ...]
    gaps: tuple[Gap, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    opportunities: tuple[Opportunity, ...] = ()
    placebo: str | None = None
    dose: Dose = Dose()

    def released(self, turn: int) -> tuple[str, ...]:
        """Return the ids of the facts told up to a turn, answers to questions apart."""
        return tuple(fact for each in self.turns if each.n <= turn for fact in each.released)
