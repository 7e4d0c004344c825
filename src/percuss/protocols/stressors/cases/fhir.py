"""Patients of a FHIR file as vignettes: the facts of the record are told, withheld, delayed and contradicted; nobody's diagnosis is gold."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msgspec.structs import replace

from percuss.core.sources import Found
from percuss.evidence.packet import Fact as Recorded
from percuss.exchange.entries import Entry, Notes
from percuss.exchange.fhir import ENDINGS, is_fhir, read_fhir
from percuss.protocols.stressors.cases.keys import key_score, kind_of_test
from percuss.protocols.stressors.scenario.analytes import analyte_of
from percuss.protocols.stressors.scenario.vignettes import Fact, Kind, Vignette
from percuss.text.sentences import split

__all__ = ["Patients", "holds_fhir", "vignette_of"]

_HEAD = 4096
_VITALS = frozenset(
    "temperature|body temperature|heart rate|pulse|blood pressure|respiratory rate|oxygen saturation|body weight|body height|"
    "weight|height|body mass index|bmi".split("|")
)
QUESTION = "What is the most likely explanation of the findings?"
NOBODY = "nobody has said which diagnosis is right (gold_status none): what needs one is not applicable"


def holds_fhir(path: Path) -> bool:
    """Tell whether a path is a FHIR file, or a folder of them.

    Args:
        path: that exists.
    """
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    known = [file for file in files if file.is_file() and file.suffix.lower() in ENDINGS]
    return bool(known) and is_fhir(_head(known[0]))


def _head(file: Path) -> bytes:
    with file.open("rb") as opened:
        return opened.read(_HEAD)


class Patients:
    """The patients of a source, one vignette each, and what was found of them.

    Args:
        path: as `holds_fhir` knows it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._notes = Notes(layout="FHIR")
        self._made = 0

    def __iter__(self) -> Iterator[Vignette]:
        for entry in read_fhir(self._path, self._notes):
            self._made += 1
            yield vignette_of(entry)

    def found(self) -> Found:
        """Return what was read and left out; the source is guarded."""
        left = {**self._notes.left_out}
        return Found(
            layout=f"{self._notes.layout}; {NOBODY}",
            cases=self._made,
            fields=dict(self._notes.fields),
            left_out=left,
            guarded=True,
        )


def vignette_of(entry: Entry) -> Vignette:
    """Return a patient as a vignette: the newest value of each measurement, conclusions by sentence, conditions as history.

    Args:
        entry: one patient, of `percuss.exchange.fhir.read_fhir`.
    """
    held = {fact.path: fact for fact in entry.packet.facts}
    person = _person(held)
    made = [*_told(entry.packet.facts)]
    facts = tuple(replace(fact, id=f"f{number}") for number, fact in enumerate(made, start=1))
    return Vignette(
        id=entry.id,
        cluster=entry.cluster or entry.id,
        opening=f"{person} whose record is under review.",
        facts=facts,
        diagnosis="",
        demographics=person,
        question=QUESTION,
        gold_status="none",
        layout="fhir",
    )


def _person(held: Mapping[str, Recorded]) -> str:
    sex, born = held.get("patient.sex"), held.get("patient.birth_year")
    who = {"female": "A woman", "male": "A man"}.get(str(sex.value) if sex else "", "A person")
    return f"{who} born in {born.value}" if born else who


def _told(facts: Iterable[Recorded]) -> Iterator[Fact]:
    """Facts in the order of a record: conditions, drugs, allergies and procedures once each, then what was measured."""
    newest: dict[tuple[str, str], Recorded] = {}
    for fact in facts:
        newest[_place(fact.path)] = fact
    for (head, leaf), fact in newest.items():
        section, _, name = head.partition(".")
        if section == "observations":
            yield from _measured(name, leaf, fact)
        elif section == "reports" and leaf in {"conclusion", "finding"}:
            yield from _concluded(name, str(fact.value))
        elif section in _SECTIONS and leaf == "name":
            kind, words, askable = _SECTIONS[section]
            since = f", since {fact.date}" if fact.date and section == "conditions" else ""
            group = words if askable else "History" if kind == "history" else words
            yield Fact(
                id="", text=f"{words}: {fact.value}{since}.", kind=kind, group=group, label=words, value=str(fact.value),
                askable=askable, source_path=fact.path,
            )  # fmt: skip


_SECTIONS: Mapping[str, tuple[Kind, str, bool]] = {
    "conditions": ("history", "Known condition", False),
    "medications": ("medication", "Medication", False),
    "allergies": ("history", "Allergies", True),
    "procedures": ("history", "Past procedures", True),
}


def _place(path: str) -> tuple[str, str]:
    """(section and name, leaf): of what a patient has several times the newest stands last, and is kept."""
    section, *rest = path.split(".")
    words = [part for part in rest if not part.isdigit()]
    return f"{section}.{words[0] if words else ''}", ".".join(words[1:])


def _measured(name: str, leaf: str, fact: Recorded) -> Iterator[Fact]:
    if fact.value is None:
        return
    group = _words(name)
    label = group if leaf in {"", "value"} else f"{group}, {leaf.replace('_', ' ')}"
    value = (
        {True: "present", False: "absent"}.get(fact.value, fact.value)
        if isinstance(fact.value, bool)
        else fact.value
    )
    shown = f"{value} {fact.unit}".strip()
    number = (
        float(fact.value)
        if isinstance(fact.value, (int, float)) and not isinstance(fact.value, bool)
        else None
    )
    vital = group.lower() in _VITALS
    text = f"{label}: {shown}"
    yield Fact(
        id="", text=text, kind="vital" if vital else kind_of_test(group), group="Vital signs" if vital else group, label=label,
        value=shown, number=number, unit=fact.unit or None, source_path=fact.path, objective=not vital,
        key_score=_bearing(text, number, fact.unit),
    )  # fmt: skip


def _concluded(name: str, text: str) -> Iterator[Fact]:
    group = _words(name)
    for start, stop in split(text):
        said = f"{group}: {text[start:stop].rstrip('. ')}"
        yield Fact(
            id="", text=said, kind=kind_of_test(group), group=group, label=group, value=said.partition(": ")[2], objective=True,
            key_score=_bearing(said, None, ""),
        )  # fmt: skip


def _bearing(text: str, number: float | None, unit: str) -> int:
    """1 where a finding is out of its range or worded as abnormal; without a diagnosis nothing bears on one."""
    found = analyte_of(text.partition(":")[0], unit) if number is not None else None
    if found is not None and number is not None:
        return int(not found.low <= number <= found.high)
    return min(1, key_score(text, "\0"))


def _words(name: str) -> str:
    said = name.replace("_", " ").strip()
    return f"{said[:1].upper()}{said[1:]}"
