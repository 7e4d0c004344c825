"""Section 7: can the judge be trusted: against the rules, against people, and what was dropped of its audit."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from percuss.core.ports import ScoredResponse
from percuss.core.records import Verdict
from percuss.core.sections import Column, Prose, Section, Table
from percuss.measure.wording import source_words
from percuss.protocols.stressors.check.stated import NAMED_BY_HIT, item_id
from percuss.protocols.stressors.estimate.labelled import Labels, labels_of, people_say
from percuss.protocols.stressors.estimate.names import AUDITED, METRICS
from percuss.protocols.stressors.estimate.sections.shelf import Shelf
from percuss.protocols.stressors.options import RATER
from percuss.stats.intervals import wilson
from percuss.stats.kappa import cohen_kappa

__all__ = ["judged"]

NO_JUDGE = (
    "No model judged: labels come from rules alone. UFR, HCCR, CIHSR and CIHGR are lower bounds then: rules see "
    "only entities, causal cues and words of revision that they know."
)
STATEMENTS = "unsupported statements"
AGAINST = (
    "Precision: of what a source counts, the share that people confirm. Recall: of what people find, the share that the "
    "source counts. Items of one case are taken as independent here."
)
_NODES = {m.quantity.name: m.quantity.label for m in METRICS}
_DROPPED = re.compile(r"^(\d+) items dropped")


def judged(shelf: Shelf) -> Iterator[Section]:
    """Yield agreement of rules and judge per node, precision and recall against people, and dropped items."""
    policy = shelf.labels if shelf.labels == "majority" else "agreement"
    pairs, people, dropped = _collect(shelf, policy)
    if people:
        yield Section.of("judge", "How precise is each source against people?", _against_people(people))
    if policy not in shelf.sources:
        yield Section.of("judge", "Who labelled?", Prose(markdown=NO_JUDGE), "There was no judge.")
        return
    yield Section.of(
        "judge", "Do rules and judge agree, node by node?", _nodes(pairs),
        f"{dropped} items of the judge's audits were dropped: an id that the case does not hold, or a quote that stands nowhere.",
    )  # fmt: skip


Pairs = dict[str, list[tuple[bool, bool]]]
People = dict[tuple[str, str], Counter[str]]
"""(node, source) -> how many it flags, how many people find, how many both."""


def _collect(shelf: Shelf, policy: str) -> tuple[Pairs, People, int]:
    pairs: Pairs = {}
    people: People = {}
    dropped = 0
    for assessed in shelf.run.assessed():
        if assessed.left_out or (assessed.response.model in shelf.simulated and shelf.real):
            continue
        sources = labels_of(assessed, policy)
        rule, judge, human = (sources.get(name) for name in (RATER, policy, "human"))
        if rule and judge:
            _pair(pairs, rule, judge)
        for name, held in ((RATER, rule), (policy, judge)):
            if human and held:
                _score(people.setdefault((STATEMENTS, name), Counter()), held, human)
            if held:
                _score_items(people, name, held, assessed)
        for v in assessed.verdicts:
            found = _DROPPED.match(v.rationale) if v.aspect == "audit" else None
            dropped += int(found.group(1)) if found else 0
    return pairs, people, dropped


def _pair(pairs: Pairs, rule: Labels, judge: Labels) -> None:
    for a, b in zip(rule.entries, judge.entries, strict=True):
        if a.label is not None and b.label is not None:
            pairs.setdefault("support of statements", []).append((a.unsupported, b.unsupported))
    hits = {(r.metric, r.item): r.hit for r in rule.rows or () if r.hit is not None}
    for row in judge.rows or ():
        own = hits.get((row.metric, row.item))
        if row.hit is not None and own is not None and row.metric in AUDITED:
            pairs.setdefault(_NODES[row.metric], []).append((own, row.hit))


def _score(counts: Counter[str], held: Labels, human: Labels) -> None:
    """Adjudicated: of what the source calls unsupported, and of what people call so."""
    for a, truth in zip(held.entries, human.entries, strict=True):
        if truth.label is None or a.label is None:
            continue
        counts["flagged"] += a.unsupported
        counts["true"] += truth.unsupported
        counts["both"] += a.unsupported and truth.unsupported


def _score_items(people: People, name: str, held: Labels, assessed: ScoredResponse) -> None:
    """Adjudicated: what the source counts at each node, against what people say of the same item."""
    said: dict[str, list[Verdict]] = {}
    for verdict in assessed.verdicts:
        if verdict.rater.startswith("human:"):
            said.setdefault(verdict.subject, []).append(verdict)
    for row in held.rows or () if said else ():
        label = people_say(said.get(item_id(assessed.response.id, row.metric, row.item), ())).label
        if label is None or row.hit is None:
            continue
        truth = (label == "supported") != (row.metric in NAMED_BY_HIT)
        counts = people.setdefault((_NODES[row.metric], name), Counter())
        counts["flagged"] += row.hit
        counts["true"] += truth
        counts["both"] += row.hit and truth


def _nodes(pairs: Pairs) -> Table:
    rows: list[dict[str, Any]] = []
    for name, held in pairs.items():
        a, b = [str(x) for x, _ in held], [str(y) for _, y in held]
        same = wilson(sum(x == y for x, y in held), len(held))
        kappa = cohen_kappa(a, b, scale=("False", "True"))
        rows.append(
            {
                "node": name,
                "n": len(held),
                "same": {"value": same.value, "low": same.low, "high": same.high, "unit": "share"},
                "kappa": {
                    "value": kappa.value,
                    "low": kappa.low,
                    "high": kappa.high,
                    "unit": "ratio",
                    "undefined": kappa.undefined,
                },
            }
        )
    columns = (
        Column(key="node", title="node"),
        Column(key="n", title="items", unit="count", align="right"),
        Column(key="same", title="same answer", unit="share", align="right"),
        Column(key="kappa", title="Cohen's kappa", unit="ratio", align="right"),
    )
    return Table(
        columns=columns,
        rows=tuple(rows),
        note="Items of one case are taken as independent here. Agreement with rules is no accuracy: people's labels of the same items are (`percuss judge sample`).",
    )


def _against_people(people: People) -> Table:
    rows: list[dict[str, Any]] = []
    for (node, name), c in sorted(people.items(), key=lambda held: (held[0][0] != STATEMENTS, held[0])):
        row: dict[str, Any] = {"node": node, "source": source_words(name)}
        for key, den in (("precision", "flagged"), ("recall", "true")):
            if c[den]:
                r = wilson(c["both"], c[den])
                row[key] = {"value": r.value, "low": r.low, "high": r.high, "unit": "share", "n": c[den]}
            else:
                row[key] = {
                    "value": None,
                    "unit": "share",
                    "undefined": f"nothing {'flagged' if key == 'precision' else 'to find'}",
                }
        rows.append(row)
    columns = (
        Column(key="node", title="node"),
        Column(key="source", title="source"),
        Column(key="precision", title="precision", unit="share", align="right"),
        Column(key="recall", title="recall", unit="share", align="right"),
    )
    return Table(columns=columns, rows=tuple(rows), note=AGAINST)
