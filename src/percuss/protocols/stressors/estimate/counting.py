"""From assessed trajectories to cells: one a metric and response, as a mean over cases and pooled over items."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from msgspec.structs import replace

from percuss.core.labels import Reason
from percuss.core.ports import ScoredResponse
from percuss.core.records import Cell
from percuss.protocols.stressors.estimate.names import (
    AUDITED,
    BY_RULE,
    CLAIMED,
    METRICS,
    REPLAY_CELLS,
    exists,
    parts,
    pooled,
)
from percuss.protocols.stressors.estimate.propagation import Count, claim_counts
from percuss.protocols.stressors.estimate.rightness import certainties, sides
from percuss.protocols.stressors.labelled import HUMAN, Labels, labels_of
from percuss.protocols.stressors.options import RATER, StressorsOptions
from percuss.protocols.stressors.record import reading, scenario_of
from percuss.protocols.stressors.replaying import is_replay

__all__ = ["ARM", "EMPTY", "ON_LAYOUT", "Posing", "response_cells"]

ARM = f"{Reason.NOT_APPLICABLE}:arm"
ON_LAYOUT = f"{Reason.NOT_CHECKABLE}:withheld, for "
"""Head of the reason of a number that isn't read back on the run's own cases; how it was read follows."""
EMPTY = f"{Reason.NOT_APPLICABLE}:nothing to count"
Withheld = Mapping[str, str]
NOTHING: Withheld = {}


class Posing(Protocol):
    """What of a run a count needs: the seed that its scenarios were drawn with, and the scoring."""

    @property
    def seed(self) -> int: ...
    @property
    def scoring(self) -> str: ...


def response_cells(
    assessed: ScoredResponse, run: Posing, options: StressorsOptions, withheld: Withheld = NOTHING
) -> Iterator[Cell]:
    """Yield the cells of one response, for each label source; den + sum(excluded) is what was posed, for every cell.

    Args:
        assessed: done or failed; a failed one is left out of every metric by its reason. run: seed and scoring.
        options: judge's policy and turn of injection.
        withheld: number -> why the rules' readers aren't believed on cases like this one. What they count is withheld; of judges what
            stands on the claims that they cut; of people nothing.
    """
    made = _Maker(assessed, run.scoring)
    if is_replay(assessed.response.arm):
        yield from _replayed(made, assessed)
        return
    for source, held in labels_of(assessed, options.judge_policy).items():
        counts = {} if assessed.left_out else _counts(assessed, held, run, options)
        for metric in METRICS:
            name = metric.quantity.name
            if (source == HUMAN and name in AUDITED) or (source != RATER and name in BY_RULE):
                continue
            audited = name in AUDITED or name in BY_RULE or name in {"rir", "cir", "cho_contra"}
            why = assessed.left_out or (held.unread if audited else None)
            if not exists(metric, assessed.response.arm):
                why = why or ARM
            if source == RATER or (source != HUMAN and name in CLAIMED):
                why = why or withheld.get(name)
            yield from made.both(name, source, counts.get(name, Count()), why)
        for cell in _sides(made, source, counts, held, assessed):
            unread = None if source == HUMAN or assessed.left_out else withheld.get(_stem(cell.name))
            yield cell if unread is None else _emptied(cell, unread)


def _emptied(cell: Cell, why: str) -> Cell:
    """Return a cell that counts nothing, for a reason."""
    posed = round(cell.den + sum(cell.excluded.values()))
    return replace(cell, num=0, den=0, excluded={why: posed} if posed else {})


def _stem(name: str) -> str:
    """Return the number that a side count is made of."""
    for end in ("_pooled", "_without", "_final_right", "_final_wrong"):
        name = name.removesuffix(end)
    return "hpr" if name in {"persist_flagged", "persist_unflagged"} else name


def _replayed(made: "_Maker", assessed: ScoredResponse) -> Iterator[Cell]:
    """What a replay changed, by rule; a failed one is left out by its reason."""
    rows = [row for v in assessed.verdicts if v.aspect == "replay" for row in v.evidence]
    for name, key in REPLAY_CELLS.items():
        held = Count()
        for row in rows:
            held.add_share(row.get(key), row.get(f"{key}_reason"))
        if not rows:
            held.add(None, assessed.left_out)
        yield made(name, RATER, held)


def _counts(
    assessed: ScoredResponse, held: Labels, run: Posing, options: StressorsOptions
) -> dict[str, Count]:
    scenario = scenario_of(assessed.case, assessed.response.arm, run.seed, options.inject_at)
    out = {name: Count() for name in (*AUDITED, *BY_RULE, *CLAIMED)}
    for row in held.rows or ():
        if row.metric in out and row.metric not in CLAIMED:
            out[row.metric].add(row.hit, row.reason)
    brier = [row for row in held.rows or () if row.metric == "brier"]
    if brier:  # the row's quote holds the squared distance
        out["brier"] = Count(sum(float(row.quote) for row in brier), float(len(brier)))
    for name, other in (("rir", "pir"), ("cir", "cdr")):
        out[name] = Count(out[other].den - out[other].num, out[other].den, Counter(out[other].excluded))
    out |= claim_counts(reading(assessed.case), scenario, held.entries, held.rows)
    explained = [row for row in held.rows or () if row.metric == "cihgr"]
    if explained:  # a judge says it of each contradiction; rules have cues only
        out["cihgr"] = Count()
        for row in explained:
            out["cihgr"].add(row.hit, row.reason)
    return out


def _sides(
    made: "_Maker", source: str, counts: Mapping[str, Count], held: Labels, assessed: ScoredResponse
) -> Iterator[Cell]:
    """What other estimates are made of: unsupported claims, lucky guesses, the counterfactuals, the association."""
    every, lucky, adopted, tellable = Count(), Count(), Count(), Count()
    for entry in held.entries:
        every.add(None if entry.label is None else entry.unsupported, entry.reason)
        if entry.unsupported:
            lucky.add(entry.lucky)
            adopted.add(entry.origin == "adopted")
        tellable.add(None if assessed.left_out else entry.label is not None, assessed.left_out)
    yield made("unsupported_rate", source, every)
    yield made("lucky_share", source, lucky)
    yield made("adopted_share", source, adopted)
    yield made("decided_share", source, tellable)
    if source == RATER and counts:
        for name, count in (*sides(counts), *certainties(held.rows or ())):
            yield made(name, source, count)
    for name in ("cihsr_without", "cihgr_without"):
        if counts and "contradiction" not in parts(assessed.response.arm):
            yield from made.both(name, source, counts[name], None)
    if counts and "contradiction" in parts(assessed.response.arm) and held.rows is not None:
        flags = [row.hit for row in held.rows if row.metric == "cdr" and row.hit is not None]
        if flags:
            yield made(
                "persist_flagged" if any(flags) else "persist_unflagged", source, counts["flagged_live"]
            )


class _Maker:
    """Makes cells of one response."""

    def __init__(self, assessed: ScoredResponse, scoring: str) -> None:
        self._shared: dict[str, Any] = {
            "model": assessed.response.model,
            "arm": assessed.response.arm,
            "case_id": assessed.case.id,
            "cluster": assessed.case.cluster,
            "epoch": assessed.response.epoch,
            "stratum": assessed.case.stratum,
            "scoring": scoring,
        }

    def __call__(self, name: str, labels: str, count: Count) -> Cell:
        return Cell(
            name=name,
            labels=labels,
            num=count.num,
            den=count.den,
            excluded=dict(count.excluded),
            **self._shared,
        )

    def both(self, name: str, labels: str, count: Count, why: str | None) -> Iterator[Cell]:
        """Yield the case's own ratio (1 case, or left out by a reason), and its items for the pooled ratio."""
        if why is not None:
            yield self(name, labels, Count(excluded=Counter([why])))
            return
        if count.den:
            yield self(name, labels, Count(count.num / count.den, 1.0))
        else:
            reason = count.excluded.most_common(1)[0][0] if count.excluded else EMPTY
            yield self(name, labels, Count(excluded=Counter([reason])))
        yield self(pooled(name), labels, count)
