"""The stage `estimate`: a pure function from the rows of a scoring to cells, estimates and sections."""

import asyncio
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from percuss.core.protocol import Options, Protocol
from percuss.core.records import Estimate
from percuss.engine.conditioning import CONDITIONING
from percuss.engine.progress import Tally, Watcher
from percuss.store.results import put_results
from percuss.store.run import RunStore

__all__ = ["estimate"]


async def estimate(
    store: RunStore,
    protocol: Protocol[Any],
    options: Options,
    *,
    scoring: str,
    seed: int,
    watcher: Watcher | None = None,
) -> tuple[Estimate, ...]:
    """Estimate a scoring in a thread, replace its cells, estimates and sections as a whole, and return the estimates.

    Args:
        store: the run.
        protocol: the protocol; options: its settings.
        scoring: id of the scoring; people's labels come beside it.
        seed: root seed of the draws.
        watcher: hears when it begins and ends.

    Raises:
        RunError: the results cannot be written.
    """
    tally = Tally("estimate", 1, watcher)
    made = await asyncio.to_thread(_estimate, store, protocol, options, scoring, seed)
    tally.step()
    return made


def _estimate(
    store: RunStore, protocol: Protocol[Any], options: Options, scoring: str, seed: int
) -> tuple[Estimate, ...]:
    view = store.view(scoring)
    planted = view.simulated
    cells = tuple(
        replace(cell, scoring=scoring, simulated=cell.model in planted)
        for cell in protocol.cells(view, options)
    )
    histories = _histories(protocol, options, view.manifest())
    estimates = tuple(
        replace(
            made,
            scoring=scoring,
            simulated=made.simulated or not planted.isdisjoint((made.model, made.versus)),
            note="; ".join(part for part in (made.note, _history(made, histories)) if part),
        )
        for made in protocol.estimates(cells, options, seed)
    )
    raters = _raters(store, scoring)
    sections = tuple(protocol.sections(view, estimates, options))
    beside = (replace(made, scoring=scoring) for section in sections for made in section.estimates)
    every = (*estimates, *beside)
    passports = {key: protocol.read_right(view, *key) for key in {(made.name, made.labels) for made in every}}
    found = tuple(
        replace(made, reader=_reader(protocol, made, raters), read_right=passports[made.name, made.labels])
        for made in every
    )
    store.write_now(put_results, scoring, cells, found, tuple(replace(s, estimates=()) for s in sections))
    return found


def _raters(store: RunStore, scoring: str) -> tuple[str, ...]:
    """Return the raters of a scoring; a judge stands once, whatever its passes."""
    held = next((found.raters for found in store.scorings() if found.id == scoring), ())
    return tuple(dict.fromkeys(rater.rpartition("#")[0] or rater for rater in held))


def _reader(protocol: Protocol[Any], made: Estimate, raters: tuple[str, ...]) -> str:
    """Name who read: the rule that the protocol names for this number, else the label source, a judge by its name."""
    if made.labels in {"agreement", "majority"}:
        return ", ".join(rater for rater in raters if rater.startswith("judge:")) or made.labels
    named = protocol.manifest.get("readers", {}).get(made.name)
    return str(named) if isinstance(named, str) and made.labels.startswith("rule:") else made.labels


def _histories(protocol: Protocol[Any], options: Options, manifest: Mapping[str, Any]) -> dict[str, str]:
    """Return, for each arm that was posed with checked claims, who checked them."""
    raters = ", ".join(manifest.get(CONDITIONING, {}).get("raters", ()))
    arms = protocol.arms(options) if raters else ()
    return {arm.name: raters for arm in arms if arm.after is not None and arm.needs == "verdicts"}


def _history(made: Estimate, histories: Mapping[str, str]) -> str:
    raters = histories.get(made.arm) or histories.get(made.baseline or "")
    return f"history redacted by {raters}, labelled by {made.labels}" if raters else ""
