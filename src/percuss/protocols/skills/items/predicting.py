"""`percuss skills predictions RUN`: the answers of a run in the layout of its items, for whoever holds the references."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta

from percuss.core.errors import UsageError
from percuss.core.ports import Session
from percuss.core.protocol import CommandResult
from percuss.core.strict import Record
from percuss.protocols.skills.case import item_of, played_of
from percuss.store import RunStore

__all__ = ["PredictionOptions", "predictions", "rows_of"]


class PredictionOptions(Record):
    """Settings of `percuss skills predictions`."""

    run: Annotated[str, Meta(description="Run of skills.")]
    out: Annotated[str, Meta(description="File of predictions, one answer a line.")] = "predictions.jsonl"


async def predictions(options: PredictionOptions, session: Session) -> CommandResult:
    """Write the answers of a run, scored or not, one a line.

    Args:
        options: run and file. session: `dry_run` writes nothing.

    Raises:
        UsageError: the run holds no answer to an item.
    """
    rows = await asyncio.to_thread(lambda: list(rows_of(Path(options.run))))
    if not rows:
        raise UsageError(
            f"{options.run} holds no answer to an item; run `percuss run skills --cases FILE` first"
        )
    file = Path(options.out)
    if not session.dry_run:
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        await asyncio.to_thread(file.write_text, text, encoding="utf-8")
    models = len({row["other"]["model"] for row in rows})
    said = f"{len(rows)} answers of {models} model{'s' if models > 1 else ''} {'would be' if session.dry_run else 'are'} in {file}"
    return CommandResult(
        text=said, files=() if session.dry_run else (file,), data={"answers": len(rows), "models": models}
    )


def rows_of(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield `{question, answer, other{id, task, source, model, epoch}}` of every answer that came.

    Args:
        folder: of a run.
    """
    with RunStore.open(folder) as store:
        for scored in store.view("").assessed():
            if scored.response.status != "done" or played_of(scored.case) is not None:
                continue
            item, response = item_of(scored.case), scored.response
            other = {
                "id": item.id,
                "task": item.task,
                "source": item.source,
                "model": response.model,
                "epoch": response.epoch,
            }
            yield {"question": item.question, "answer": response.text, "other": other}
