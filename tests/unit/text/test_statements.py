"""Statements are read as labelled: each number at its attribute, each word at what it judges."""

from pathlib import Path

import pytest

from percuss.text.concepts import Reading, Statement, read
from percuss.text.numbers import Number

LABELLED = Path(__file__).parent / "labelled" / "statements.txt"


def rows() -> list[tuple[str, str]]:
    lines = LABELLED.read_text(encoding="utf-8").splitlines()
    return [
        (a, b.strip())
        for a, _, b in (line.partition(" =>") for line in lines if line and not line.startswith("#"))
    ]


def number(value: Number | None) -> str:
    if value is None or value.value is None:
        return ""
    sep = {"range": "..", "fraction": "/", "pair": "/"}.get(value.kind, "")
    upper = f"{sep}{value.upper.normalize():f}" if value.upper is not None else ""
    return f"{value.comparator}{value.value.normalize():f}{upper} {value.unit or value.counted}".strip()


def forms(statement: Statement) -> set[str]:
    """Return the ways in which the label file may write a statement."""
    name = f"{statement.attribute}({statement.subject})" if statement.subject else statement.attribute
    frames = f"{{{' '.join(statement.frames)}}}" if statement.frames else ""
    date = f"@{statement.date}" if statement.date else ""
    if statement.kind == "presence":
        body = f"{name}:{'+' if statement.present else '-'}"
    elif statement.kind in {"word", "code"}:
        body = f"{name}{':' if statement.kind == 'word' else '='}{statement.word}"
        bodies = {body, f"{name}:{statement.word}", f"{name}={statement.word}"}
        return {b + extra for b in bodies for extra in ("", frames, date, frames + date)}
    elif statement.kind == "dose":
        given = statement.dose
        parts = (number(statement.number), given.frequency if given else "", given.route if given else "")
        body = f"{name}={' '.join(part for part in parts if part)}".replace("= ", "=")
    else:
        body = f"{name}={number(statement.number)}"
    return {body + extra for extra in ("", frames, date, frames + date)}


def wrong(reading: Reading, label: str) -> list[str]:
    read_forms = {form for statement in reading.statements for form in forms(statement)}
    missed = []
    for part in filter(None, (each.strip() for each in label.split(";"))):
        if part.startswith("!"):
            attribute = part[1:].partition("=")[0]
            if any(s.attribute == attribute and s.number is not None for s in reading.statements):
                missed.append(part)
        elif part.startswith("?"):
            if part[1:] not in {number(n) for n in reading.unbound}:
                missed.append(part)
        elif part.replace("= ", "=") not in read_forms:
            missed.append(part)
    return missed


@pytest.mark.parametrize(("text", "label"), rows(), ids=lambda v: v[:40])
def test_statements_are_read_as_labelled(text: str, label: str) -> None:
    reading = read(text)
    assert not wrong(reading, label), sorted({min(forms(s), key=len) for s in reading.statements})
