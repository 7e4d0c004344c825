"""The stage `estimate`: a pure function from the rows of a scoring to cells, estimates and sections."""

import asyncio
from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from percuss.core.labels import JUDGED
from percuss.core.ports import RunView
from percuss.core.protocol import Options, Protocol
from percuss.core.reading import ReadRight
from percuss.core.records import Estimate, Scoring
from percuss.engine.conditioning import CONDITIONING
from percuss.engine.identity import quoted_for
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
    read = _Readers(protocol, view, next((each for each in store.scorings() if each.id == scoring), None))
    estimates = tuple(protocol.vetted(view, tuple(map(read.named, estimates)), options))
    sections = tuple(protocol.sections(view, estimates, options))
    beside = (replace(made, scoring=scoring) for section in sections for made in section.estimates)
    found = (*estimates, *map(read.named, beside))
    store.write_now(put_results, scoring, cells, found, tuple(replace(s, estimates=()) for s in sections))
    return found


class _Readers:
    """Says of every estimate who made its labels, and how often that reader was right on labelled text."""

    def __init__(self, protocol: Protocol[Any], view: RunView, scoring: Scoring | None) -> None:
        self._protocol, self._view, self._scoring = protocol, view, scoring
        self._raters = _raters(scoring)
        self._passports: dict[tuple[str, str], ReadRight | None] = {}

    def named(self, made: Estimate) -> Estimate:
        """Return an estimate with its reader."""
        key = made.name, made.labels
        if key not in self._passports:
            self._passports[key] = self._quoted(made)
        return replace(made, reader=self._reader(made), read_right=self._passports[key])

    def _quoted(self, made: Estimate) -> ReadRight | None:
        """Return the passport of whoever made an estimate's labels; None for labels that another version of the reader made."""
        held = self._protocol.read_right(self._view, made.name, made.labels)
        if held is None or self._scoring is None:
            return held
        same = quoted_for(self._scoring, self._protocol, self._reader(made), held.version)
        return held if same else None

    def _reader(self, made: Estimate) -> str:
        """The rule that the protocol names for this number, else the label source, a judge by its name."""
        if made.labels in JUDGED:
            return ", ".join(rater for rater in self._raters if rater.startswith("judge:")) or made.labels
        named = self._protocol.manifest.get("readers", {}).get(made.name)
        return str(named) if isinstance(named, str) and made.labels.startswith("rule:") else made.labels


def _raters(scoring: Scoring | None) -> tuple[str, ...]:
    """Return the raters of a scoring; a judge stands once, whatever its passes."""
    held = () if scoring is None else scoring.raters
    return tuple(dict.fromkeys(rater.rpartition("#")[0] or rater for rater in held))


def _histories(protocol: Protocol[Any], options: Options, manifest: Mapping[str, Any]) -> dict[str, str]:
    """Return, for each arm that was posed with checked claims, who checked them."""
    raters = ", ".join(manifest.get(CONDITIONING, {}).get("raters", ()))
    arms = protocol.arms(options) if raters else ()
    return {arm.name: raters for arm in arms if arm.after is not None and arm.needs == "verdicts"}


def _history(made: Estimate, histories: Mapping[str, str]) -> str:
    raters = histories.get(made.arm) or histories.get(made.baseline or "")
    return f"history redacted by {raters}, labelled by {made.labels}" if raters else ""
