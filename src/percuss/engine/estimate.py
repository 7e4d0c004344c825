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
    sections = tuple(protocol.sections(view, estimates, options))
    store.write_now(put_results, scoring, cells, estimates, sections)
    return estimates


def _histories(protocol: Protocol[Any], options: Options, manifest: Mapping[str, Any]) -> dict[str, str]:
    """Return, for each arm that was posed with checked claims, who checked them."""
    raters = ", ".join(manifest.get(CONDITIONING, {}).get("raters", ()))
    arms = protocol.arms(options) if raters else ()
    return {arm.name: raters for arm in arms if arm.after is not None and arm.needs == "verdicts"}


def _history(made: Estimate, histories: Mapping[str, str]) -> str:
    raters = histories.get(made.arm) or histories.get(made.baseline or "")
    return f"history redacted by {raters}, labelled by {made.labels}" if raters else ""
