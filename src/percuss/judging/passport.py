"""Passports of readers: how often each is right on text that people labelled before the rule was touched."""

from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

import msgspec

from percuss.core.reading import ReadRight
from percuss.core.strict import Record
from percuss.text.language import ENGLISH

if TYPE_CHECKING:  # a passport is quoted by `percuss read`, which needs no array
    from percuss.core.ports import RunView

__all__ = ["Passport", "outside_of", "passport_of", "passports", "read_by_origin", "read_right_of"]


class Passport(Record):
    """What a reader was shown to do on the locked half of a corpus.

    Args:
        reader: as verdicts name it (`rule:strict`). version: of the reader.
        corpus: labelled texts that it was scored on. layout: `structured`, `text`, or "" where there is one layout.
        date: of the scoring. n: labelled texts.
        right: share read right, an undecided text being not right. decided: share that got a label.
        false_unsupported: share of truly supported claims read unsupported; None where the reader reads no support.
        false_supported: share of truly unsupported claims read supported.
        finds: share of truly unsupported claims read unsupported, an undecided one being missed; None where no support is read.
        floors_met: whether it may carry a headline (spec: labels by true class, each on enough texts).
        language: of the corpus, a code (`en`).
    """

    reader: str
    version: str
    corpus: str
    layout: str
    date: str
    n: int
    right: float
    decided: float
    false_unsupported: float | None
    false_supported: float | None
    floors_met: bool
    language: str = ENGLISH
    finds: float | None = None

    def wrongly_flagged(self, flagged: float) -> float | None:
        """Return what share of the claims that it calls unsupported are supported, at a text's own rates (reading.md, section 2).

        The text's share of unsupported claims is the one at which the reader's errors by class give what it flags.

        Args:
            flagged: share of the text's claims that it calls unsupported, those that it leaves undecided counted.

        Returns:
            A share; None where nothing is flagged, the reader flags supported claims as often as others, or more is flagged than it would
            flag of a text without a supported claim: then its errors are others here.
        """
        alarm, finds = self.false_unsupported, self.finds
        if alarm is None or finds is None or finds <= alarm or not 0 < flagged <= finds:
            return None
        unsupported = max((flagged - alarm) / (finds - alarm), 0.0)
        wrong, right = (1 - unsupported) * alarm, unsupported * finds
        return wrong / (wrong + right)

    @property
    def words(self) -> str:
        """What a person should know of the reader, in one clause."""
        said = f"reads {100 * self.right:.0f}% of {self.n:,} labelled texts right"
        if self.false_unsupported is None or self.false_supported is None:
            return said
        return (
            f"{said}, calls {100 * self.false_unsupported:.1f}% of supported claims unsupported "
            f"and {100 * self.false_supported:.1f}% of unsupported ones supported"
        )

    @property
    def sentence(self) -> str:
        """The passport in one sentence, with whether its floors are met."""
        verdict = "within" if self.floors_met else "below"
        return f"{self.reader} {self.words}; {verdict} its floors."


@cache
def passports() -> tuple[Passport, ...]:
    """Return the passports that ship with the package, as `scripts/reading.py` and its siblings wrote them."""
    return tuple(_read(row) for row in _rows())


@cache
def _rows() -> tuple[dict[str, Any], ...]:
    folder = resources.files("percuss.judging")
    files = sorted(
        f.name for f in folder.iterdir() if f.name.startswith("passports") and f.name.endswith(".json")
    )
    return tuple(
        row for name in files for row in msgspec.json.decode(folder.joinpath(name).read_bytes())["passports"]
    )


@cache
def outside_of(reader: str, *, layout: str = "structured") -> str:
    """Return where the jury found a rate by a reader outside what people say, in words; "" where it found none (reading.md, section 8).

    Args:
        reader: as verdicts name it. layout: of the evidence.
    """
    held = msgspec.json.decode(resources.files("percuss.judging").joinpath("jury.json").read_bytes())[
        "outside"
    ]
    said = [
        f"{one['by_rule']} by it, {one['by_people']} by people for {one['model']} {one['arm']}"
        for one in held if (one["reader"], one["layout"]) == (reader, layout)
    ]  # fmt: skip
    return "; ".join(said)


def passport_of(reader: str, *, corpus: str = "support", layout: str = "structured") -> Passport | None:
    """Return a reader's passport on a kind of text; None where it was never held against labelled texts of that kind.

    Args:
        reader: as verdicts name it. corpus: what is read. layout: of the evidence.
    """
    return next((p for p in passports() if (p.reader, p.corpus, p.layout) == (reader, corpus, layout)), None)


def read_by_origin(reader: str, model: str, *, layout: str) -> dict[str, tuple[float, float]]:
    """Return true class -> (claims read as the opposite, claims of it) in the locked answers of one model; {} where it wrote none.

    Args:
        reader: as verdicts name it. model: its id, with or without a provider before it. layout: of the evidence.
    """
    short = model.rpartition("/")[2].casefold()
    errors = {"supported": "false_unsupported", "unsupported": "false_supported"}
    found: dict[str, tuple[float, float]] = {}
    for row in _rows():
        if (row["reader"], row["corpus"], row.get("layout", "")) != (reader, "support", layout):
            continue
        for origin, figures in row.get("by_origin", {}).items():
            if not origin.casefold().startswith(f"model:{short}|"):
                continue
            for true, error in errors.items():
                k, n = found.get(true, (0.0, 0.0))
                found[true] = (k + figures[error]["k"], n + figures[error]["n"])
    return found


def read_right_of(run: "RunView", reader: str, corpora: Sequence[str]) -> ReadRight | None:
    """Return a reader's passport as an estimate carries it; None where it has none on text of this kind.

    Args:
        run: whose first case tells the layout: a packet with facts is structured, anything else is text.
        reader: as verdicts name it. corpora: kinds of text that passports of this protocol are on.
    """
    first = next(iter(run.cases()), None)
    facts = first is None or bool((first.payload.get("packet") or {}).get("facts"))
    layouts = ("", "structured" if facts else "text")
    held = next(
        (p for p in passports() if p.reader == reader and p.corpus in corpora and p.layout in layouts), None
    )
    if held is None:
        return None
    return ReadRight(
        corpus=held.corpus,
        date=held.date,
        n=held.n,
        right=held.right,
        false_unsupported=held.false_unsupported,
        false_supported=held.false_supported,
        floors_met=held.floors_met,
        version=held.version,
    )


def _read(row: dict[str, Any]) -> Passport:
    def share(name: str) -> float | None:
        return (row.get(name) or {}).get("share")

    return Passport(
        reader=row["reader"],
        version=str(row["version"]),
        corpus=row["corpus"],
        layout=row.get("layout", ""),
        date=row["date"],
        n=row["n"],
        right=share("right") or 0.0,
        decided=share("decided") or 0.0,
        false_unsupported=share("false_unsupported"),
        false_supported=share("false_supported"),
        floors_met=bool(row["floors_met"]),
        language=row.get("language", ENGLISH),
        finds=_finds(row.get("said", {}).get("unsupported", {})),
    )


def _finds(said: dict[str, int]) -> float | None:
    """Return the share of truly unsupported claims that are called so, by what the reader said of them."""
    return said.get("unsupported", 0) / sum(said.values()) if said else None
