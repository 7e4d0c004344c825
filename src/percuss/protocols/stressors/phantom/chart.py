"""What a simulated clinician sees: which case it is, what it has been told so far, and which turn it is in."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from percuss.core.messages import Request
from percuss.protocols.stressors.scenario.units import decisive_units
from percuss.protocols.stressors.scenario.vignettes import Vignette

__all__ = ["Chart", "Item", "chart_of"]

_ENTRY = re.compile(r"Repeat entry, same \w+, same time: (?P<said>.+?)\.(?=\s|$)")
_RESULTS = re.compile(r"^Results:$", re.MULTILINE)
_FALLBACK = ("Viral infection", "Drug reaction")


@dataclass(frozen=True)
class Item:
    """One fact of a case as the clinician knows it."""

    id: str
    text: str
    kind: str
    group: str
    label: str
    askable: bool
    objective: bool
    key: bool
    numeric: bool

    @property
    def name(self) -> str:
        """How it is called: its label, else its own words."""
        return self.label or self.text.rstrip(".")


@dataclass(frozen=True)
class Chart:
    """A case at one turn.

    Args:
        case: id; "" for a case that was not handed over. turn: 1-based. told: facts told so far, in the case's order.
        missing: groups of evidence that the first turn did not tell. entries: (label, statement, original) of second
            entries and the turn of each. late: whether results came after the first turn.
    """

    case: str
    turn: int
    diagnoses: tuple[str, str, str]
    told: tuple[Item, ...]
    first: tuple[Item, ...]
    asked: tuple[str, ...]
    missing: tuple[str, ...]
    entries: tuple[tuple[int, str, str, str], ...]
    late: bool
    text: str
    whole: str


def chart_of(request: Request, clinic: Sequence[Mapping[str, Any]]) -> Chart:
    """Read a request: only its messages are looked at, beside the cases that the clinician was constructed with.

    Args:
        request: of a conversation. clinic: cases as nested mappings.
    """
    users = [m.text for m in request.messages if m.role == "user"]
    case = _case(users[0] if users else "", clinic)
    items = tuple(_items(case))
    passages = case.get("passages") or {}
    told = tuple(i for i in items if _shown(i, passages, "\n".join(users)))
    first = tuple(i for i in items if _shown(i, passages, users[0] if users else ""))
    known = {i.id for i in first}
    absent = [
        i.group for i in items if not i.askable and (i.objective or i.kind == "exam") and i.id not in known
    ]
    names = [str(case.get("diagnosis", "Undetermined")), *case.get("accepted_differential", ())]
    names += [name for name in _FALLBACK if name not in names]
    entries = tuple(
        (n, *_compared(m["said"], items))
        for n, text in enumerate(users, start=1)
        for m in _ENTRY.finditer(text)
    )
    return Chart(
        case=str(case.get("id", "")),
        turn=len(users),
        diagnoses=(names[0], names[1], names[2]),
        told=told,
        first=first,
        asked=tuple(dict.fromkeys(i.group for i in items if i.askable)),
        missing=_units(case, tuple(dict.fromkeys(absent))),
        entries=entries,
        late=any(_RESULTS.search(text) for text in users[1:]),
        text=users[0] if users else "",
        whole=f"{case.get('opening', '')} {' '.join(i.text for i in items)}".lower(),
    )


def _units(case: Mapping[str, Any], absent: Sequence[str]) -> tuple[str, ...]:
    """Groups that are withheld together are one thing that is missing."""
    pair = (
        decisive_units(msgspec.convert(case, Vignette, strict=False)) if case.get("sufficient_sets") else None
    )
    left = list(absent)
    out = []
    for unit in pair or ():
        names = list(dict.fromkeys(fact.group for fact in unit.facts))
        if set(names) <= set(left):
            out.append(unit.group)
            left = [name for name in left if name not in names]
    return (*out, *left)


def _compared(said: str, items: Sequence[Item]) -> tuple[str, str, str]:
    """Return (label, what the second entry says, what the first said) by the fact that the entry is about."""
    words = set(said.lower().split())
    item = next((i for i in items if i.label and said.startswith(f"{i.label}:")), None)
    item = item or max(
        items, key=lambda i: len(words & set(i.text.lower().rstrip(".").split())), default=None
    )
    if item is None:
        return "record", said, ""
    head = f"{item.label}: " if item.label else ""
    return item.label or item.group, said.removeprefix(head), item.text.rstrip(". ").removeprefix(head)


def _case(first: str, clinic: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    fits = [
        c
        for c in clinic
        if str(c["opening"]) in first or f"{c['demographics']} with {c['diagnosis']}." in first
    ]
    return max(fits, key=lambda c: len(str(c["opening"])), default={})


def _items(case: Mapping[str, Any]) -> list[Item]:
    return [
        Item(
            id=str(f["id"]),
            text=str(f["text"]),
            kind=str(f["kind"]),
            group=str(f["group"]),
            label=str(f.get("label", "")),
            askable=bool(f.get("askable", False)),
            objective=bool(f.get("objective", False)),
            key=int(f.get("key_score", 0)) > 0,
            numeric=any(char.isdigit() for char in str(f["text"])),
        )
        for f in case.get("facts", ())
    ]


def _shown(item: Item, passages: Mapping[str, str], text: str) -> bool:
    whole = passages.get(item.group)
    return item.text in text or (whole is not None and whole in text)
