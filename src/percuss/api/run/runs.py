"""The runs on this disk: which there are, what one holds, and the ways back: drop a model, remove a run."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from percuss.api.run.caching import forget
from percuss.api.run.recheck import estimate_again
from percuss.core.accounting import AnswerAccount
from percuss.core.errors import PercussError, UsageError
from percuss.core.records import Record
from percuss.store import RunStore
from percuss.store.dropping import drop_model
from percuss.store.manifest import put_manifest
from percuss.store.scorings import HUMAN

__all__ = ["RUNS", "RunFacts", "drop", "facts_of", "remove", "runs_in"]

RUNS = Path("runs")
"""Where runs without `--out` are."""


class RunFacts(Record):
    """What a run folder holds, without opening its report.

    Args:
        folder: its path. protocol: name. made_at: UTC time of its first start.
        cases: how many it holds. answers: per model and arm. scorings: ids, in the order in which they were made.
        calls, usd: paid so far. unread: why the folder can't be opened; "" where it can.
    """

    folder: str
    protocol: str = ""
    made_at: str = ""
    cases: int = 0
    answers: tuple[AnswerAccount, ...] = ()
    scorings: tuple[str, ...] = ()
    calls: int = 0
    usd: float = 0.0
    unread: str = ""

    @property
    def models(self) -> dict[str, int]:
        """Model -> answers that were asked of it."""
        counts: dict[str, int] = {}
        for account in self.answers:
            counts[account.model] = counts.get(account.model, 0) + account.asked
        return counts


def runs_in(folder: Path = RUNS) -> Iterator[RunFacts]:
    """Yield the runs right under a folder, by name; one that cannot be opened is yielded with the reason.

    Args:
        folder: where to look; one that does not exist holds none.
    """
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if RunStore.exists(path):
            try:
                yield facts_of(path)
            except PercussError as error:
                yield RunFacts(folder=str(path), unread=str(error))


def facts_of(folder: Path) -> RunFacts:
    """Return what a run holds.

    Raises:
        RunError: there is no run in the folder, or it cannot be opened.
    """
    from percuss.store import calls

    with RunStore.open(folder) as store:
        held: dict[str, Any] = store.manifest()
        spent = store.read(calls.spent)
        return RunFacts(
            folder=str(folder),
            protocol=str(held.get("protocol", "")),
            made_at=str(held.get("made_at", "")),
            cases=sum(1 for _ in store.cases()),
            answers=store.answers(),
            scorings=tuple(s.id for s in store.scorings() if s.id != HUMAN),
            calls=int(spent["calls"]),
            usd=float(spent["cost_usd"]),
        )


async def drop(folder: Path, model: str) -> int:
    """Take a model out of a run and estimate every scoring anew; the calls stay in the journal.

    Args:
        folder: the run. model: its id, as `facts_of` lists it.

    Returns:
        How many answers are gone.

    Raises:
        UsageError: the run has no such model, or no other.
    """
    facts = facts_of(folder)
    if model not in facts.models:
        raise UsageError(f"{folder} has no model {model!r}; it has {', '.join(facts.models) or 'none'}")
    if len(facts.models) == 1:
        raise UsageError(
            f"{model} is the only model of {folder}; remove the whole run with percuss runs rm {folder}"
        )
    with RunStore.open(folder, writable=True) as store:
        gone = store.write_now(drop_model, model)
        held = store.manifest()
        kept = {name: [row for row in held[name] if row[0] != model] for name in ("models",) if name in held}
        planted = {name: rates for name, rates in held.get("planted", {}).items() if name != model}
        simulated = [name for name in held.get("simulated", []) if name != model]
        store.write_now(put_manifest, {**kept, "planted": planted, "simulated": simulated})
    for scoring in facts.scorings:
        await estimate_again(folder, scoring=scoring)
    with RunStore.open(folder, writable=True) as store:
        store.write_manifest_file()
    (folder / "report.html").unlink(missing_ok=True)
    return gone


def remove(folder: Path) -> tuple[str, ...]:
    """Delete a run: the files that percuss wrote, and the folder where nothing else is in it; caches forget its replies.

    Args:
        folder: the run.

    Returns:
        Names of what is left in the folder because percuss did not write it; () where the folder is gone.

    Raises:
        RunError: there is no run in the folder, or a running one holds its lock.
    """
    with RunStore.open(folder) as store:
        forget(store)
    RunStore.remove(folder)
    return tuple(sorted(path.name for path in folder.iterdir())) if folder.is_dir() else ()
