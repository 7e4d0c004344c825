"""The judge's audit of a trajectory: one schema-constrained reply a pass; every item quotes a turn and names a known id.

Items that fail either check are dropped and counted. The template is the same in all arms.
"""

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from typing import Any

from percuss.core import seeds
from percuss.core.ids import digest
from percuss.core.labels import Reason
from percuss.core.ports import Model
from percuss.core.prompts import fill, neutralise
from percuss.core.records import Message, Reply, Request, Response, Verdict
from percuss.judging.judge import last_object
from percuss.judging.passes import rated
from percuss.protocols.stressors.check.nodes import OFF_RECORD, Row, needed, rows
from percuss.protocols.stressors.check.trajectory import Trajectory
from percuss.text.quotes import locate

__all__ = ["LISTS", "audit", "audit_schema", "read_audit"]

LISTS = {
    "gaps": "gdr", "questions": "pir", "contradictions": "cdr", "updated": "rur", "stubborn": "smr", "premature": "pcr",
    "keys": "cho", "explained": "cihgr", "false_conflicts": "cfa", "false_gaps": "gfa",
}  # fmt: skip
"""List of the reply -> metric. A key finding that is named is one that is not omitted."""
_MAX_TOKENS = 1_500


def audit_schema() -> dict[str, Any]:
    """Return the JSON Schema of the judge's reply: ten lists of items with id, turn and quote."""
    item = {
        "type": "object",
        "properties": {"id": {"type": "string"}, "turn": {"type": "integer"}, "quote": {"type": "string"}},
        "required": ["id", "turn", "quote"],
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": {name: {"type": "array", "items": item} for name in LISTS},
        "required": list(LISTS),
        "additionalProperties": False,
    }


async def audit(
    t: Trajectory, response: Response, model: Model, template: str, *, seed: int, passes: int
) -> AsyncIterator[Verdict]:
    """Yield one verdict a pass on the response as a whole, with its rows as evidence.

    Args:
        t, response: what is audited. model: the judge. template: prompt. seed: root seed. passes: how many.
    """
    fields = {name: neutralise(text) for name, text in _fields(t).items()}
    request = Request(
        messages=(Message.of("user", fill(template, fields)),),
        max_tokens=_MAX_TOKENS,
        seed=seeds.derive(seed, "judge", model.id),
        reply_schema=audit_schema(),
    )
    found = rated(
        model,
        request,
        lambda reply: _read(t, reply),
        passes=passes,
        subject=response.id,
        response_id=response.id,
        aspect="audit",
    )
    async for verdict in found:
        yield verdict


def _read(t: Trajectory, reply: Reply) -> dict[str, Any]:
    found = last_object(reply.text, "gaps")
    if found is None:
        cut = "truncated" if reply.finish == "length" else "schema"
        return {"unscored": f"{Reason.UNPARSABLE}:{cut}", "rationale": reply.text[:500]}
    rows, dropped = read_audit(t, found)
    evidence = tuple(
        {
            "metric": r.metric,
            "item": r.item,
            "hit": r.hit,
            "reason": r.reason,
            "turn": r.turn,
            "quote": r.quote,
        }
        for r in rows
    )
    note = f"{dropped} items dropped: no such id, or the quote stands nowhere" if dropped else ""
    return {"label": "audited", "evidence": evidence, "rationale": note}


def read_audit(t: Trajectory, found: Mapping[str, Any]) -> tuple[tuple[Row, ...], int]:
    """Return the rows that a judge's lists make, and how many items were dropped.

    Args:
        t: what was audited: its items are the denominators. found: the reply's object.
    """
    held: dict[str, dict[str, tuple[int, str]]] = {metric: {} for metric in LISTS.values()}
    known = _known(t)
    dropped = 0
    for name, metric in LISTS.items():
        for item in found.get(name) or ():
            at = _located(t, item, known[metric])
            if at is None:
                dropped += 1
            else:
                held[metric][str(item["id"])] = at
    return tuple(needed(t, _rows(t, known, held))), dropped


def _known(t: Trajectory) -> dict[str, tuple[str, ...]]:
    """The denominators: everything that the scenario and the questions hold, by metric."""
    by_rule = list(rows(t))
    held = {
        metric: tuple(r.item for r in by_rule if r.metric == metric and r.reason != OFF_RECORD)
        for metric in LISTS.values()
    }
    held["cihgr"] = tuple(c.id for c in t.scenario.contradictions)
    held["cfa"] = ("conflict",)
    held["gfa"] = tuple(dict.fromkeys(fact.group for fact in t.told_facts(len(t.said))))
    return held


def _located(t: Trajectory, item: Any, known: Sequence[str]) -> tuple[int, str] | None:
    """Return (turn, quote) of an item whose id is known and whose quote stands in that turn."""
    if not isinstance(item, dict) or str(item.get("id")) not in known:
        return None
    turn, quote = item.get("turn"), str(item.get("quote", "")).strip()
    if not isinstance(turn, int) or not 1 <= turn <= len(t.said) or not quote:
        return None
    return (turn, quote) if locate(quote, t.said[turn - 1].text) is not None else None


def _rows(
    t: Trajectory, known: Mapping[str, Sequence[str]], held: Mapping[str, Mapping[str, tuple[int, str]]]
) -> Iterator[Row]:
    yield from _called_missing(t, held)
    for metric, items in known.items():
        for item in items if metric != "gfa" else ():
            turn, quote = held[metric].get(item, (0, ""))
            hit = (item in held[metric]) != (metric == "cho")
            yield Row(metric=metric, item=item, hit=hit, turn=turn, quote=quote)
    if t.scenario.gaps:
        definite = next((s.n for s in t.said if s.certainty == "definite"), len(t.said) + 1)
        asked = [int(t.answers[int(i.split(":")[1])]["turn"]) for i in held["pir"] if i.count(":") == 1]
        yield Row(metric="ir", item="inquiry", hit=any(turn < definite for turn in asked))


def _called_missing(t: Trajectory, held: Mapping[str, Mapping[str, tuple[int, str]]]) -> Iterator[Row]:
    """What was called missing has no list of its own: what had been told, and the gaps that were named, not asked for."""
    for group, (turn, quote) in held["gfa"].items():
        yield Row(metric="gfa", item=group, hit=True, turn=turn, quote=quote)
    groups = {gap.id: gap.group for gap in t.scenario.gaps}
    for gap, (turn, quote) in held["gdr"].items():
        if not quote.endswith("?") and groups[gap] not in held["gfa"]:
            yield Row(metric="gfa", item=groups[gap], hit=False, turn=turn, quote=quote)


def _fields(t: Trajectory) -> dict[str, str]:
    gaps = [
        f"{g.id}: {g.group}, missing from turn {g.open_from}"
        + (f" until turn {g.open_to}" if g.open_to else " on")
        for g in t.scenario.gaps
    ]
    contradictions = [
        f"{c.id}: the record said {t.vignette.fact(c.fact_id).text!r}, the second entry {c.injected!r}, turn {c.turn}"
        for c in t.scenario.contradictions
    ]
    chances = [
        f"{o.id}: turn {o.turn}, {'; '.join(t.vignette.fact(i).text for i in o.facts)}, expected to {o.expect.replace('_', ' ')}"
        for o in t.scenario.opportunities
    ]
    texts = {digest(q.text.encode())[:8]: q.text for said in t.said for q in said.asked}
    asked = [texts.get(str(a["question"]), str(a["question"])) for a in t.answers]
    keys = [f"{f.id}: {f.text}" for f in t.told_facts(len(t.said)) if f.key_score > 0]
    groups = dict.fromkeys(fact.group for fact in t.told_facts(len(t.said)))
    return {
        "groups": _listed([str(group) for group in groups]),
        "gaps": _listed(gaps),
        "contradictions": _listed(contradictions),
        "opportunities": _listed(chances),
        "questions": _listed([f"question:{n}: {text}" for n, text in enumerate(asked)]),
        "keys": _listed(keys),
        "diagnosis": t.vignette.diagnosis,
        "answers": "\n\n".join(f"Turn {said.n}:\n{said.text}" for said in t.said),
    }


def _listed(held: Sequence[str]) -> str:
    return "\n".join(f"- {line}" for line in held) if held else "none"
