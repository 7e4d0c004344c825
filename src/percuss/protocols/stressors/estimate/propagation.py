"""What becomes of statements over the turns: life lines, and the counts of the propagation metrics (definitions, 4 and 5)."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from percuss.core.labels import Reason
from percuss.protocols.stressors.check.nodes import Row
from percuss.protocols.stressors.labelled import Entry
from percuss.protocols.stressors.readers.conflicts import speaks_of
from percuss.protocols.stressors.scenario.vignettes import Scenario, Vignette
from percuss.protocols.stressors.scenario.wording import content_words

__all__ = ["Count", "Line", "claim_counts", "lines_of"]

_STANDS = {"asserted", "premise"}
_TOLD_BACK = {"questioned", "withdrawn"}
IDENTITY = f"{Reason.NOT_CHECKABLE}:identity"


@dataclass
class Count:
    """Numerator, denominator and what is left out of one metric in one response."""

    num: float = 0.0
    den: float = 0.0
    excluded: Counter[str] = field(default_factory=Counter)

    def add(self, hit: bool | None, reason: str | None = None) -> None:
        """Count one item; None is left out by its reason."""
        if hit is None:
            self.excluded[reason or Reason.ERROR.value] += 1
        else:
            self.den += 1
            self.num += hit

    def add_share(self, share: float | None, reason: str | None = None) -> None:
        """Count one item that is a share, 0 to 1; None is left out by its reason."""
        if share is None:
            self.excluded[reason or Reason.ERROR.value] += 1
        else:
            self.den += 1
            self.num += share


@dataclass(frozen=True)
class Line:
    """The life of one statement: its birth, and what is said of it later, in order; the final list stands apart.

    `near` holds later statements that may be this one again, where the source of the labels cannot say. A question about
    the life is answered None where only they would make it true.
    """

    birth: Entry
    later: tuple[Entry, ...]
    near: tuple[Entry, ...] = ()

    @property
    def born(self) -> int:
        """Turn of birth."""
        return int(self.birth.claim.payload["n"])

    def stands_after(self, turn: int) -> bool | None:
        """Whether it is asserted again in a turn after this one."""
        return self._any(lambda e: _n(e) > turn and e.claim.payload["state"] in _STANDS and not _is_item(e))

    def told_back(self, turn: int) -> bool | None:
        """Whether it is questioned or withdrawn from this turn on."""
        return self._any(lambda e: _n(e) >= turn and e.claim.payload["state"] in _TOLD_BACK)

    @property
    def premise(self) -> bool | None:
        """Whether later reasoning rests on it."""
        return self._any(
            lambda e: _n(e) > self.born and e.claim.payload["state"] == "premise" and not _is_item(e)
        )

    def _any(self, fits: Callable[[Entry], bool]) -> bool | None:
        if any(fits(e) for e in self.later):
            return True
        return None if any(fits(e) for e in self.near) else False

    @property
    def concluded(self) -> bool:
        """Whether the final list holds it."""
        return any(_is_item(e) for e in self.later)


def _n(entry: Entry) -> int:
    return int(entry.claim.payload["n"])


def _is_item(entry: Entry) -> bool:
    return bool(entry.claim.payload["type"] == "evidence")


def lines_of(entries: Sequence[Entry]) -> tuple[Line, ...]:
    """Return the life lines that begin with an assertion outside the final list, in order of birth.

    Args:
        entries: labelled claims of one response under one source.
    """
    members: dict[str, list[Entry]] = {}
    near: dict[str, list[Entry]] = {}
    for entry in entries:
        members.setdefault(entry.line, []).append(entry)
        if entry.near is not None:
            near.setdefault(entry.near, []).append(entry)
    out = []
    for name, held in members.items():
        birth = min(held, key=lambda e: (_n(e), e.claim.turn, e.claim.start))
        if not _is_item(birth) and birth.claim.payload["state"] in _STANDS:
            out.append(Line(birth, tuple(e for e in held if e is not birth), tuple(near.get(name, ()))))
    return tuple(sorted(out, key=lambda line: (line.born, line.birth.claim.start)))


def claim_counts(
    vignette: Vignette, scenario: Scenario, entries: Sequence[Entry], rows: Sequence[Row] | None
) -> dict[str, Count]:
    """Return the counts of the metrics that rest on labelled claims.

    Args:
        vignette, scenario: of the response. entries: its labelled claims. rows: of the audit, for absent key findings.
    """
    lines = lines_of(entries)
    last = len(scenario.turns)
    out = {name: Count() for name in ("nfr", "ufr", "hpr", "hccr", "ef", "fcr", "dhdr", "dhdr_anchored")}
    for line in lines:
        name = "nfr" if line.birth.claim.payload["type"] == "numeric" else "ufr"
        fabricated = line.birth.origin == "fabricated"
        if line.birth.near is not None:
            # Where it may repeat an earlier statement it may be no birth: a repetition would count twice.
            out[name].add(None, IDENTITY)
        else:
            out[name].add(None if line.birth.label is None else fabricated, line.birth.reason)
    for line in _hallucinations(lines, before=last):
        own = line.birth.near is None
        for name, hit in (("hpr", line.stands_after(line.born)), ("hccr", line.premise)):
            out[name].add(hit if own else None, IDENTITY)
    _items(entries, out, last)
    out |= _interaction(scenario, lines, last)
    out["cho_contra"] = _contradicting(vignette, lines, rows)
    return out


def _hallucinations(lines: Sequence[Line], *, before: int) -> Iterator[Line]:
    return (line for line in lines if line.birth.unsupported and line.born < before)


def _items(entries: Sequence[Entry], out: dict[str, Count], last: int) -> None:
    """The final list: supported, unsupported, and the rest uncheckable; what was cut or failed is left out."""
    births = {e.claim.id: e for e in entries}
    for entry in (e for e in entries if _is_item(e)):
        checkable = (entry.reason or "").partition(":")[0] not in {
            "truncated",
            "error",
            "refused",
            "unparsable",
        }
        born = births.get(entry.line, entry)
        anchored = _anchored(entry, born, last)
        for name, hit in (
            ("ef", entry.label == "supported"),
            ("fcr", entry.unsupported),
            ("dhdr", entry.unsupported),
            ("dhdr_anchored", anchored),
        ):
            seen = entry.label is not None or checkable
            out[name].add(hit if seen else None, entry.reason if not seen else IDENTITY)


def _anchored(entry: Entry, born: Entry, last: int) -> bool | None:
    if not entry.unsupported or _n(born) < last:
        return entry.unsupported
    return False if entry.near is None else None


def _interaction(scenario: Scenario, lines: Sequence[Line], last: int) -> dict[str, Count]:
    """Suppression and generation; in arms without a contradiction the same quantities at the same turn, apart."""
    out = {name: Count() for name in ("cihsr", "cihgr", "cihsr_without", "cihgr_without", "flagged_live")}
    own = bool(scenario.contradictions)
    turn = scenario.contradictions[0].turn if own else 2
    for line in _hallucinations(lines, before=min(turn, last)):
        known = line.birth.near is None
        out["cihsr" if own else "cihsr_without"].add(line.told_back(turn) if known else None, IDENTITY)
        out["flagged_live"].add(line.stands_after(turn - 1) if known else None, IDENTITY)
    fresh = [
        line
        for line in lines
        if line.born >= turn
        and line.birth.origin == "fabricated"
        and line.birth.claim.payload.get("explains")
    ]
    for each in scenario.contradictions:
        out["cihgr"].add(any(speaks_of(line.birth.claim.text, each) for line in fresh))
    if not own:
        out["cihgr_without"].add(bool(fresh))
    return out


def _contradicting(vignette: Vignette, lines: Sequence[Line], rows: Sequence[Row] | None) -> Count:
    """Key findings absent from the conclusion that give a hallucination's field another value."""
    out = Count()
    live = [line.birth.claim.text for line in lines if line.birth.unsupported]
    for row in rows or ():
        if row.metric != "cho":
            continue
        fact = vignette.fact(row.item)
        topic = {word for word in content_words(fact.label or fact.text) if not word[0].isdigit()}
        against = any(topic and topic <= content_words(text) for text in live)
        out.add(None if row.hit is None else row.hit and against, row.reason)
    return out
