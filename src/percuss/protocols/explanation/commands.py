"""Commands of this protocol's own: check a knowledge base, write synthetic chests to disk, write the tables of a run."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from percuss.core.errors import UsageError
from percuss.core.ports import RunView, Session
from percuss.core.protocol import Command, CommandResult
from percuss.core.strict import Record
from percuss.kit.tables import tables_command
from percuss.protocols.explanation.chest import draw, sample
from percuss.protocols.explanation.images import png
from percuss.protocols.explanation.knowledge import Base, bundled, read_base
from percuss.protocols.explanation.knowledge.imported import import_base
from percuss.protocols.explanation.knowledge.lint import lint
from percuss.protocols.explanation.scores import AUDIT, SCORES, audit_rows, score_rows
from percuss.protocols.explanation.study_answers import study_answers, written

__all__ = ["COMMANDS", "Chests", "Lint", "StudyFile"]


class Lint(Record):
    """Which knowledge base to check."""

    knowledge: Annotated[str, Meta(description="JSON in our layout or the released one; empty for ours.")] = (
        ""
    )
    write: Annotated[str, Meta(description="Write the base in our layout to this file.")] = ""


class Chests(Record):
    """Which synthetic chests to write."""

    out: Annotated[str, Meta(description="Folder to write PNG files and cases.jsonl to.")] = "chests"
    number: Annotated[int, Meta(description="How many.", ge=1)] = 12
    mix: Annotated[Literal["balanced", "icu"], Meta(description="Mix of the findings.")] = "balanced"
    seed: Annotated[int, Meta(description="Root seed.")] = 42


async def _lint(options: Lint, session: Session) -> CommandResult:
    return _linted(options, write=bool(options.write) and not session.dry_run)


def _linted(options: Lint, *, write: bool) -> CommandResult:
    base, lines = _base(options.knowledge)
    findings = lint(base)
    where = [f"{f.level}: {f.question} {f.answer}: {f.sentence}".replace(" : ", ": ") for f in findings]
    if write:
        Path(options.write).write_bytes(msgspec.json.format(msgspec.json.encode(base), indent=1))
    report = "\n".join([*(f"warning: {line}" for line in lines), *where])
    if any(finding.level == "error" for finding in findings):
        raise UsageError(f"the knowledge base has errors\n{report}")
    entries = sum(1 for _ in base.entries())
    text = f"{report}\n{len(base.questions)} questions, {entries} entries, no errors".strip()
    data = {"questions": len(base.questions), "entries": entries, "findings": where}
    return CommandResult(text, files=(Path(options.write),) if write else (), data=data)


def _base(path: str) -> tuple[Base, tuple[str, ...]]:
    if not path:
        return bundled(), ()
    file = Path(path)
    if not file.is_file():
        raise UsageError(f"no knowledge base at {path!r}; give a JSON file")
    return (read_base(file), ()) if '"questions"' in file.read_text(encoding="utf-8") else import_base(file)


async def _chests(options: Chests, session: Session) -> CommandResult:
    if session.dry_run:
        return CommandResult(
            f"would write {options.number} synthetic chests and cases.jsonl to {options.out}"
        )
    return _drawn(options)


def _drawn(options: Chests) -> CommandResult:
    folder = Path(options.out)
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for index in range(options.number):
        fields = sample(index, seed=options.seed, mix=options.mix)
        name = f"synthetic-{options.mix}-{index:05}.png"
        (folder / name).write_bytes(png.encode(draw(fields, index, seed=options.seed)))
        rows.append(msgspec.json.encode({"image": name, "split": "test", "fields": fields}).decode())
    (folder / "cases.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
    text = f"{options.number} synthetic chests and cases.jsonl in {folder}; they are drawings, no patients"
    return CommandResult(text, files=(folder / "cases.jsonl",))


def _scores(run: RunView, held: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    return score_rows(run, str(held.get("judge_policy", "agreement")))


def _audit(run: RunView, held: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    del held
    return audit_rows(run)


class StudyFile(Record):
    """Which answers of a reader study to take in."""

    source: Annotated[str, Meta(description="JSON as it was released: a list of pairs of raw replies.")]
    out: Annotated[str, Meta(description="Folder to write cases.jsonl and answers.jsonl to.")] = "study"
    pictures: Annotated[
        str, Meta(description="Folder with a picture per uid; empty where there are none.")
    ] = ""


async def _study_answers(options: StudyFile, session: Session) -> CommandResult:
    return _taken_in(options, write=not session.dry_run)


def _taken_in(options: StudyFile, *, write: bool) -> CommandResult:
    source = Path(options.source)
    if not source.is_file():
        raise UsageError(f"no file at {options.source!r}; expected the released JSON of a study's answers")
    found = study_answers(source, Path(options.pictures) if options.pictures else None)
    said = [
        f"{len(found.answers)} answers to {len(found.cases)} picture-questions",
        f"{found.agree} of {found.parsed} replies are read as the file's own parser read them",
        f"{len(found.left_out)} rows left out",
    ]
    lines = ["; ".join(said), *found.left_out]
    if not write:
        return CommandResult("\n".join(lines))
    cases, answers = written(found, Path(options.out))
    lines.append(f"next: percuss run explanation --cases {cases} --responses {answers}")
    data = {"answers": len(found.answers), "cases": len(found.cases), "left_out": list(found.left_out)}
    return CommandResult("\n".join(lines), files=(cases, answers), data=data)


COMMANDS = {
    "study-answers": Command(
        StudyFile, _study_answers, "Take in the answers of a reader study as they were released."
    ),
    "lint": Command(Lint, _lint, "Check a knowledge base, in our layout or the released one."),
    "tables": tables_command({"scores": (SCORES, _scores), "audit": (AUDIT, _audit)}),
    "chests": Command(Chests, _chests, "Write synthetic chests and their findings to a folder."),
}
