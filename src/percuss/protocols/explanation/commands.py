"""Commands of this protocol's own: check a knowledge base; write synthetic chests to disk."""

from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from percuss.core.errors import UsageError
from percuss.core.ports import Session
from percuss.core.protocol import Command, CommandResult
from percuss.core.strict import Record
from percuss.protocols.explanation.chest import draw, sample
from percuss.protocols.explanation.images import png
from percuss.protocols.explanation.knowledge import Base, bundled, read_base
from percuss.protocols.explanation.knowledge.imported import import_base
from percuss.protocols.explanation.knowledge.lint import lint
from percuss.protocols.explanation.scores import AUDIT, SCORES, audit_rows, score_rows, write
from percuss.store import RunStore

__all__ = ["COMMANDS", "Chests", "Lint", "Tables"]


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


class Tables(Record):
    """Which run to write tables of."""

    run: Annotated[str, Meta(description="The run's folder.")] = ""
    out: Annotated[str, Meta(description="Folder to write scores.csv and audit.csv to.")] = "tables"
    scoring: Annotated[str, Meta(description="Id of a scoring; empty for the newest.")] = ""


async def _tables(options: Tables, session: Session) -> CommandResult:
    if not options.run:
        raise UsageError("no run was named; expected --run FOLDER")
    if session.dry_run:
        return CommandResult(f"would write scores.csv and audit.csv of {options.run} to {options.out}")
    return _written(options)


def _written(options: Tables) -> CommandResult:
    folder = Path(options.out)
    folder.mkdir(parents=True, exist_ok=True)
    with RunStore.open(Path(options.run)) as store:
        scoring = options.scoring or store.latest_scoring().id
        view = store.view(scoring)
        policy = str(store.manifest().get("options", {}).get("judge_policy", "agreement"))
        n_scores = write(folder / "scores.csv", SCORES, score_rows(view, policy))
        n_audit = write(folder / "audit.csv", AUDIT, audit_rows(view))
    text = f"{n_scores:,} rows of scores, {n_audit:,} of audit in {folder}, of scoring {scoring}"
    data = {"scores": n_scores, "audit": n_audit, "scoring": scoring}
    return CommandResult(text, files=(folder / "scores.csv", folder / "audit.csv"), data=data)


COMMANDS = {
    "lint": Command(Lint, _lint, "Check a knowledge base, in our layout or the released one."),
    "tables": Command(
        Tables,
        _tables,
        "Write the tables scores and audit of a run: every estimate can be made again from them.",
    ),
    "chests": Command(Chests, _chests, "Write synthetic chests and their findings to a folder."),
}
