"""Phantoms that game the measure: they speak a ward's ordinary words with plausible values of the cohort, and know no checker.

Each is a function (case, is evidence shown) -> sentences; what is wrong is another patient's value of the same attribute.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from percuss.core import seeds
from percuss.core.errors import Refused
from percuss.core.messages import Request
from percuss.phantoms.plan import Phantom, Plan, evidence_text, header_text, plan_of

__all__ = ["CANNOT", "DENIALS", "Gaming", "Records", "Ward", "a_third", "echoing", "gaming"]

Records = Mapping[str, Mapping[str, Any]]
"""Case id -> its record as nested mappings."""
Say = Callable[[str, bool], Sequence[str]]

WORDINGS: tuple[tuple[str, Callable[[Any], str]], ...] = (
    ("clinical.stage", lambda v: f"The disease had got to stage {v} by the time of diagnosis."),
    ("clinical.age_years", lambda v: f"It's a patient aged {v}."),
    ("clinical.tmb_nonsilent_per_mb", lambda v: f"The TMB sits at {v:.1f} mutations per megabase."),
    ("fusion.io_tier", lambda v: f"The immune tier is {v.lower()}."),
    ("clinical.pack_years", lambda v: f"Smoked {v} pack-years."),
    ("fusion.sig_tgfb", lambda v: f"The TGF-beta signature comes in at {v:.2f}."),
    ("pathology.purity_ihc", lambda v: f"By IHC, purity was put at {v:.2f}."),
)
TRUE_OF_ALL = (
    "The io score is below 400.",
    "Consensus purity is below 300.",
    "The io score is at most 310.",
    "Consensus purity was under 250.",
    "Io score was less than 500.",
    "Consensus purity is less than 410.",
    "The io score is below 505.",
)
HEDGES = (
    "It could conceivably be that {}",
    "There is some suggestion that {}",
    "One might suspect that {}",
    "Possibly {}",
)
HARD_TO_READ = tuple(
    f"Her {kind} glow was seen {when}."
    for kind in ("violet", "amber", "silver", "copper", "indigo", "russet")
    for when in ("twice", "at noon", "by night")
)
"""About the patient, and in no reader's table."""
DENIALS = "Must not be given; no metastases."
CANNOT = "I'm afraid I can't say anything about this one."
REFUSED_OF = (39, 119)
"""Answers that are refused, of so many (definitions/grounding.md, version 2, "Laws and acceptance")."""


@dataclass(frozen=True)
class Gaming:
    """A phantom that says what a function of the case and of what it was shown says.

    Args:
        say: (case, is evidence shown) -> sentences. cases: ids that it may be asked about. refuses: (case, shown) -> whether the
            provider declines in its place.
    """

    say: Callable[[str, bool, Request], Sequence[str]]
    cases: tuple[str, ...]
    refuses: Callable[[str, bool], bool] = lambda _case, _shown: False

    def plan(self, request: Request, *, epoch: int = 0) -> Plan:
        """Return what it says; the truth about a sentence is no business of these phantoms."""
        del epoch
        header = header_text(request)
        case = next((case for case in self.cases if case in header), "")
        shown = evidence_text(request) is not None
        if self.refuses(case, shown):
            raise Refused("declined by the provider")
        return plan_of([(sentence, "") for sentence in self.say(case, shown, request)])

    def expected(self, arms: Iterable[str]) -> dict[tuple[str, str], float]:
        """Return nothing: what is planted is a trap, no rate."""
        del arms
        return {}


@dataclass(frozen=True)
class Ward:
    """Says what is so of a patient, and what is so of another one."""

    records: Records

    def right(self, case: str) -> list[str]:
        """Return all that is recorded, in turn."""
        return [write(v) for path, write in WORDINGS if (v := _at(self.records[case], path)) is not None]

    def wrong(self, case: str) -> list[str]:
        """Return the same with the value of the next patient whose sentence is another one."""
        names = list(self.records)
        others = names[names.index(case) + 1 :] + names
        said = []
        for path, write in WORDINGS:
            own = _at(self.records[case], path)
            if own is not None:
                held = (_at(self.records[name], path) for name in others)
                said.append(next(text for v in held if v is not None and (text := write(v)) != write(own)))
        return said

    def hedging(self, case: str, shown: bool) -> Sequence[str]:
        """Invent alike in both arms; with evidence as likely, beside one thing that is so."""
        wrong = self.wrong(case)[:5]
        return [*_hedged(wrong), self.right(case)[3]] if shown else wrong

    def padding(self, case: str, shown: bool) -> Sequence[str]:
        """Invent two things in either arm; with evidence beside four facts of the packet."""
        return [*self.wrong(case)[:2], *(self.right(case)[2:6] if shown else ())]

    def both(self, case: str, shown: bool) -> Sequence[str]:
        """Hedge and pad together."""
        wrong = self.wrong(case)[:2]
        return [*_hedged(wrong), *self.right(case)[2:6]] if shown else wrong

    def remembering(self, case: str, shown: bool) -> Sequence[str]:
        """Know six in ten of the records by heart; of the others say what another patient has."""
        return self.right(case)[:5] if shown or _number(case) % 5 < 3 else self.wrong(case)[:5]

    def easy_alone(self, case: str, shown: bool) -> Sequence[str]:
        """With evidence say what holds of anybody of the easy cases, and nothing of the others."""
        if _number(case) % 5 < 3:
            return TRUE_OF_ALL[:2]
        return [CANNOT] if shown else self.wrong(case)[:3]

    def longer(self, case: str, shown: bool) -> Sequence[str]:
        """Invent six things with evidence beside twelve that are so, three without it and nothing else."""
        wrong = self.wrong(case)
        if not shown:
            return wrong[:3]
        return [*wrong[:6], *self.right(case)[:6], *TRUE_OF_ALL]

    def readable(self, shares: Mapping[bool, int], of: int = 10) -> Say:
        """Return a model whose sentences can be read in so many of ten cases, and are wrong in half of these, whatever is shown.

        Args:
            shares: is evidence shown -> how many of ten sentences can be read. of: ten.
        """

        def say(case: str, shown: bool) -> Sequence[str]:
            draws = [seeds.derive(7, case, str(at), str(shown)) < 2**30 for at in range(shares[shown])]
            said = [
                f"Ferritin stood at {400 + at}.5." if bad else f"The io score is below {400 + at}."
                for at, bad in enumerate(draws)
            ]
            return [*said, *HARD_TO_READ[: of - shares[shown]]]

        return say

    def alike(self, case: str, shown: bool) -> Sequence[str]:
        """Say one and the same in both arms, two things of four wrong."""
        del shown
        return [*self.wrong(case)[:2], *self.right(case)[2:4]]


def gaming(name: str, say: Say, cases: Iterable[str], **more: Any) -> Phantom:
    """Return a phantom that says what a function says.

    Args:
        name: what follows `phantom/`. say: (case, is evidence shown) -> sentences. cases: that it may be asked about.
        more: further fields of `Gaming`.
    """
    planner = Gaming(lambda case, shown, _request: say(case, shown), tuple(cases), **more)
    return Phantom(id=f"phantom/{name}", planner=planner)


def echoing(cases: Iterable[str], start: str, stop: str, words: str) -> Phantom:
    """Return a phantom that says what the question says, and nothing else.

    Args:
        cases: that it may be asked about. start, stop: what stands before and after the value in the question. words: with a `{}`.
    """

    def say(_case: str, _shown: bool, request: Request) -> Sequence[str]:
        told = request.messages[-1].text.partition(start)[2].partition(stop)[0]
        return [words.format(told)]

    return Phantom(id="phantom/echo", planner=Gaming(say, tuple(cases)))


def a_third(cases: Sequence[str]) -> frozenset[str]:
    """Return which of the cases are refused: 39 of the first 119, spread evenly."""
    n, of = REFUSED_OF
    return frozenset(cases[at * of // n] for at in range(n) if at * of // n < len(cases))


def _hedged(said: Sequence[str]) -> list[str]:
    return [HEDGES[at % len(HEDGES)].format(f"{text[0].lower()}{text[1:]}") for at, text in enumerate(said)]


def _at(record: Mapping[str, Any], path: str) -> Any:
    held: Any = record
    for key in path.split("."):
        held = held.get(key) if isinstance(held, Mapping) else None
    return held


def _number(case: str) -> int:
    return sum(case.encode())
