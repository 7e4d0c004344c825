"""Commands of a shared task: prepare it, check a submission, rank the teams."""

import asyncio
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from percuss.core.errors import BadInput, UsageError
from percuss.core.ports import ScoredResponse, Session
from percuss.core.protocol import CommandResult
from percuss.core.strict import Record
from percuss.protocols.textbook.cases import ITEMS, read_items
from percuss.protocols.textbook.items.item import CLOSED, TYPES, Item
from percuss.protocols.textbook.items.released import load_released
from percuss.protocols.textbook.options import TextbookOptions
from percuss.protocols.textbook.tasks.gold import (
    COMMITMENT,
    SALT,
    commitment_of,
    kept_promise,
    new_salt,
    question_row,
    split_items,
)
from percuss.protocols.textbook.tasks.pages import standings_text, team_page
from percuss.protocols.textbook.tasks.standings import checked, scores_of, stand
from percuss.protocols.textbook.tasks.submission import Submission, read_submission

__all__ = [
    "CheckOptions",
    "RankOptions",
    "TaskOptions",
    "check_submission",
    "prepare_task",
    "rank_teams",
    "written_lines",
]


class TaskOptions(Record):
    """Settings of `percuss textbook prepare-task`."""

    items: Annotated[str, Meta(description="items.jsonl, a folder with it, or released files.")]
    out: Annotated[str, Meta(description="Folder of the task.")] = "task"
    private: Annotated[
        float, Meta(description="Share of passages whose questions are private.", ge=0, le=1)
    ] = 0.8


class CheckOptions(Record):
    """Settings of `percuss submission check`."""

    file: Annotated[str, Meta(description="Submission: JSON objects with id and answer.")]
    gold: Annotated[str, Meta(description="Gold: items.jsonl, a folder with it, or released files.")] = ""


class RankOptions(Record):
    """Settings of `percuss textbook rank`."""

    files: Annotated[tuple[str, ...], Meta(description="Submissions, one a team.")]
    gold: Annotated[str, Meta(description="Gold: items.jsonl, a folder with it, or released files.")] = ""
    out: Annotated[str, Meta(description="Folder of standings, scores and team pages.")] = "standings"
    resamples: Annotated[int, Meta(description="Bootstrap resamples.", ge=100)] = 2_000


def gold_of(text: str) -> tuple[list[Item], Path]:
    """Return the gold's items and its folder.

    Raises:
        UsageError: none was named. BadInput: it can't be read.
    """
    if not text:
        raise UsageError("got no --gold; expected items.jsonl, a folder with it, or released files")
    path = Path(text)
    file = path / ITEMS if path.is_dir() and (path / ITEMS).is_file() else path
    if file.suffix.lower() in {".jsonl", ".ndjson"} and file.is_file():
        return read_items(file, {}), file.parent
    if not path.exists():
        raise BadInput("is not there; expected the gold", source=text)
    loaded = load_released(path)
    return list(loaded.items), path if path.is_dir() else path.parent


async def prepare_task(options: TaskOptions, session: Session) -> CommandResult:
    """Split items into public and private ones, write questions without gold, and commit to the gold by hash.

    Args:
        options: items, folder, share. session: its seed draws the split; `dry_run` writes nothing.
    """
    items, _ = gold_of(options.items)
    public, private = split_items(items, options.private, session.roles.seed)
    said = f"{len(public)} public and {len(private)} private items"
    if session.dry_run:
        return CommandResult(text=f"would write {said} to {options.out}")
    out, salt = Path(options.out), new_salt()
    promised = commitment_of(private, salt, datetime.now(UTC).isoformat(timespec="seconds"))
    for folder in (out / "public", out / "gold"):
        folder.mkdir(parents=True, exist_ok=True)
    written_lines(out / "public" / ITEMS, [msgspec.to_builtins(item) for item in public])
    written_lines(out / "gold" / ITEMS, [msgspec.to_builtins(item) for item in private])
    written_lines(out / "questions.jsonl", [question_row(item) for item in private])
    (out / "gold" / SALT).write_text(salt + "\n", encoding="utf-8")
    (out / COMMITMENT).write_bytes(msgspec.json.format(msgspec.json.encode(promised), indent=2) + b"\n")
    text = f"{said}: {out}\npublish {COMMITMENT} (sha256 {promised.sha256[:16]}..), questions.jsonl and public/; keep gold/ until the task ends"
    return CommandResult(
        text=text, files=(out / COMMITMENT, out / "questions.jsonl"), data=msgspec.to_builtins(promised)
    )


def written_lines(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    """Write one JSON object a line."""
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


async def check_submission(options: CheckOptions, session: Session) -> CommandResult:
    """Say every fault of a submission with its line, and whether the gold is the one committed to.

    Args:
        options: file and gold. session: not used beyond its words.
    """
    del session
    items, folder = gold_of(options.gold)
    held = await asyncio.to_thread(read_submission, Path(options.file), items)
    promised = kept_promise(folder, items)
    lines = [*(fault.text for fault in held.faults), *(f"warning, {fault.text}" for fault in held.warnings)]
    if promised is False:
        lines.append("the gold is not the one that was committed to")
    lines.append(
        f"{len(held.answers)} of {len(items)} items answered, {len(held.faults)} faults, {len(held.warnings)} warnings"
    )
    data = {"faults": [fault._asdict() for fault in held.faults], "warnings": [w._asdict() for w in held.warnings], "answered": len(held.answers), "items": len(items), "committed": promised}  # fmt: skip
    return CommandResult(
        text="\n".join(lines), exit_code=3 if held.faults or promised is False else 0, data=data
    )


async def rank_teams(options: RankOptions, session: Session) -> CommandResult:
    """Score submissions, rank teams with rank intervals and tie letters, and write each team's page and scores.json.

    Args:
        options: files, gold, folder. session: `roles.models["judge"]` scores open questions; its loop does the work.

    Raises:
        UsageError: nothing can be scored.
    """
    items, folder = gold_of(options.gold)
    if kept_promise(folder, items) is False:
        raise BadInput("is not the gold that was committed to; nothing is ranked by it", source=options.gold)
    if "judge" not in session.roles.models and not any(item.type in CLOSED for item in items):
        raise UsageError("the gold has open questions alone; expected --role judge=MODEL")
    held = [read_submission(Path(name), items) for name in options.files]
    if session.dry_run:
        return CommandResult(text=f"would score {len(held)} submissions on {len(items)} items")
    settings = TextbookOptions(resamples=options.resamples)
    units = [(item, submission) for submission in held for item in items]

    async def work(unit: tuple[Item, Submission]) -> ScoredResponse:
        item, submission = unit
        return await checked(
            item, submission.team, submission.answers.get(item.id, ""), session.roles, settings
        )

    answers = await session.each(units, work)
    standings = await asyncio.to_thread(stand, answers, settings, session.roles.seed)
    out, kinds = Path(options.out), [kind for kind in TYPES if any(item.type == kind for item in items)]
    files = []
    for submission in held:
        place = out / submission.team
        place.mkdir(parents=True, exist_ok=True)
        scores = scores_of(standings, submission.team, submission, kinds)
        (place / "scores.json").write_text(json.dumps(scores, indent=2) + "\n", encoding="utf-8")
        (place / "page.md").write_text(team_page(standings, submission, kinds), encoding="utf-8")
        files += [place / "scores.json", place / "page.md"]
    text = standings_text(standings)
    (out / "standings.txt").write_text(text + "\n", encoding="utf-8")
    data = {
        "standings": [
            {"team": r.model, "score": r.value, "best": r.best, "worst": r.worst, "ties": r.letters}
            for r in standings.rows
        ]
    }
    return CommandResult(text=text, files=(*files, out / "standings.txt"), data=data)
