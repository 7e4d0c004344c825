"""`percuss citations packages`: what answers install and import, asked of its registries name by name and kept with the date."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from percuss.core.errors import BadInput, UsageError
from percuss.core.ports import Session
from percuss.core.protocol import CommandResult
from percuss.core.strict import Record
from percuss.net.client import Client
from percuss.protocols.citations.case import reading
from percuss.protocols.citations.code import StoredIndex, wanted
from percuss.protocols.citations.code.index import Ecosystem
from percuss.protocols.citations.code.registry import HOMES, ask_registries
from percuss.store import RunStore

__all__ = ["PackagesOptions", "packages"]

Name = tuple[Ecosystem, str]


class PackagesOptions(Record):
    """Settings of `percuss citations packages`."""

    answers: Annotated[str, Meta(description="A run, or a Markdown file with an answer.")]
    index: Annotated[
        str, Meta(description="JSONL file of registries' answers; what it holds is not asked again.")
    ] = "packages.jsonl"


async def packages(options: PackagesOptions, session: Session) -> CommandResult:
    """Ask registries about each package that answers name, one name at a time, and add the answers to a file.

    Args:
        options: whose answers, and the file. session: `dry_run` says what would be asked; the names alone leave the machine.

    Raises:
        UsageError: a run of another protocol. BadInput: no run and no file; or an index that is none.
    """
    index = await asyncio.to_thread(StoredIndex.read, Path(options.index))
    names = await asyncio.to_thread(_names, Path(options.answers))
    missing = [(kind, name) for kind, name in names if index.look(kind, name) is None]
    homes = {kind: os.environ.get(f"{kind.upper()}_BASE_URL") or home for kind, home in HOMES.items()}
    if session.dry_run:
        hosts = ", ".join(sorted({homes[kind].split("/")[2] for kind, _ in missing if kind in homes}))
        return CommandResult(text=f"would ask about {len(missing)} names{f' at {hosts}' if hosts else ''}")
    async with Client() as client:
        asked = await ask_registries(missing, index, client, homes=homes)
    await asyncio.to_thread(index.write, Path(options.index))
    said = [
        f"{asked.answered} of {len(missing)} names answered, {len(names) - len(missing)} were at hand; written to {Path(options.index).name}",
        *(f"{name}: {reason}" for name, reason in sorted(asked.unanswered.items())),
    ]
    return CommandResult(
        text="\n".join(said), files=(Path(options.index),), data={"answered": asked.answered, "unanswered": asked.unanswered}
    )  # fmt: skip


def _names(answers: Path) -> tuple[Name, ...]:
    return tuple(
        sorted({name for text, language in _texts(answers) for name in wanted(text, language=language)})
    )


def _texts(answers: Path) -> Iterator[tuple[str, str]]:
    """Yield each answer with the language that its question asks for."""
    if answers.is_file():
        yield answers.read_text(encoding="utf-8", errors="replace"), ""
        return
    if not answers.is_dir():
        raise BadInput("is not there; expected a run or a Markdown file with an answer", source=str(answers))
    with RunStore.open(answers) as store:
        held = store.manifest()["identity"]["protocol"]
        if held != "citations":
            raise UsageError(f"got a run of {held}; expected one of citations")
        for scored in store.view("").assessed():
            inquiry = reading(scored.case)
            for turn in scored.response.turns if inquiry.domain == "coding" else ():
                if turn.role == "assistant":
                    yield turn.text, inquiry.language
