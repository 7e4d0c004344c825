"""Statements about patients of the bundled cohort in a ward's ordinary, sometimes awkward words, right or with another patient's value."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from percuss.core.messages import Request
from percuss.protocols.grounding import PROTOCOL
from percuss.protocols.grounding.options import GroundingOptions
from percuss.protocols.grounding.record import reading
from tests.protocols.grounding.runs import SEED

__all__ = ["PADDING", "case_of", "is_shown", "stated"]

PADDING = (
    "Immunotherapy is, as everybody knows, not without its side effects.",
    "One would normally talk such things over with the family.",
    "Guidelines tend to ask for a second opinion in a setting like this one.",
    "In general, hot tumours respond better than cold ones do.",
)
"""What could be said of anybody, and is no statement about this patient."""

Value = Any
Wording = tuple[str, Callable[[Value], str]]
WORDINGS: tuple[Wording, ...] = (
    ("clinical.stage", lambda v: f"The disease had got to stage {v} by the time of diagnosis."),
    ("clinical.age_years", lambda v: f"It's a patient aged {v}."),
    ("clinical.tmb_nonsilent_per_mb", lambda v: f"The TMB sits at {v:.1f} mutations per megabase."),
    ("pathology.purity_ihc", lambda v: f"By IHC, purity was put at {v:.2f}."),
    ("fusion.io_tier", lambda v: f"The immune tier is {v.lower()}."),
    ("clinical.pack_years", lambda v: f"Smoked {v} pack-years."),
    ("fusion.sig_tgfb", lambda v: f"The TGF-beta signature comes in at {v:.2f}."),
    ("pathology.purity_cpe", lambda v: f"For what it's worth, consensus purity came to {v:.2f}."),
)
"""Sentences as people write them; the last one is read where it is wrong, and where it is right it is mostly left undecided."""


def case_of(request: Request) -> str:
    """Return which patient a request is about."""
    return request.messages[-1].text.split("Case ID: ")[1].split()[0]


def is_shown(request: Request) -> bool:
    """Return whether a request holds evidence."""
    return "<evidence>" in request.messages[-1].text


@cache
def _records() -> Mapping[str, Mapping[str, Value]]:
    cases = PROTOCOL.cases(None, GroundingOptions(), SEED)
    return {case.id: {fact.path: fact.value for fact in reading(case).packet.facts} for case in cases}


def stated(case: str, *, wrong: bool = False) -> Sequence[str]:
    """Say all that the record of a case holds of the wordings' attributes, in turn.

    Args:
        case: whose record. wrong: with the value of another patient that differs as it is written.
    """
    records = _records()
    names = list(records)
    others = names[names.index(case) + 1 :] + names
    said = []
    for path, write in WORDINGS:
        if records[case].get(path) is None:
            continue
        right = write(records[case][path])
        if wrong:
            values = (records[name].get(path) for name in others)
            right = next(text for v in values if v is not None and (text := write(v)) != right)
        said.append(right)
    return said
