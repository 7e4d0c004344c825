"""Section 7: rules and evaluator compared, what the evaluator could not score, and how often it sees a cue in a placebo."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np

from percuss.core.labels import FAILURE_CLASSES, failure_class
from percuss.core.records import Verdict
from percuss.core.sections import Column, Prose, Section, Table
from percuss.protocols.explanation.estimate.sections.shelf import Shelf, figure

__all__ = ["judged"]

_SCALES = ("cf", "ca", "ct")


def judged(shelf: Shelf) -> Iterator[Section]:
    """Yield the placebo's false positives always; agreement and failures where an evaluator took part."""
    yield from _placebo(shelf)
    verdicts: dict[tuple[str, str], list[tuple[Verdict, float | None]]] = {}
    for item in shelf.run.assessed():
        rules = {
            v.aspect: v.score for v in item.verdicts if v.rater.startswith("rule:") and v.aspect in _SCALES
        }
        for verdict in item.verdicts:
            if verdict.rater.startswith("judge:") and verdict.rater.endswith("#1"):
                verdicts.setdefault((verdict.rater[:-2], verdict.aspect), []).append(
                    (verdict, rules.get(verdict.aspect))
                )
    if not verdicts:
        text = "No evaluator took part: fidelity, attribution and tone are by rule. The rules match words of a knowledge base, so they miss what is said in words that it doesn't hold. Compare them with people before you rely on them (`percuss study create --design reader-study`)."
        yield Section.of("judge", "Can the raters be trusted?", Prose(markdown=text))
        return
    yield _failures(verdicts)
    yield _agreement(verdicts)


def _placebo(shelf: Shelf) -> Iterator[Section]:
    rows = []
    for model in shelf.models:
        for arm in ("sham", "sham_text"):
            e = shelf.get("sham_fpr", model, arm)
            if e is not None:
                row: dict[str, Any] = msgspec.to_builtins(figure(e))
                rows.append({"model": model, "arm": arm, "rater": e.labels, "value": row, "n": e.n})
    if rows:
        columns = (
            Column(key="model", title="model"),
            Column(key="arm", title="placebo"),
            Column(key="rater", title="rater"),
            Column(key="value", title="CA 3 or more", unit="share", align="right"),
            Column(key="n", title="items", align="right"),
        )
        note = "The gate of papers/1 is at most 5%; what a model itself invents counts here too."
        yield Section.of(
            "judge",
            "How often is a cue seen where there is none?",
            Table(columns=columns, rows=tuple(rows), note=note),
        )


def _failures(verdicts: dict[tuple[str, str], list[tuple[Verdict, float | None]]]) -> Section:
    rows = []
    for (rater, scale), held in sorted(verdicts.items()):
        classes = Counter("ok" if v.score is not None else failure_class(str(v.unscored)) for v, _ in held)
        rows.append(
            {
                "rater": rater,
                "scale": scale,
                "n": len(held),
                **{name: classes[name] for name in FAILURE_CLASSES},
            }
        )
    columns = (
        Column(key="rater", title="evaluator"),
        Column(key="scale", title="scale"),
        Column(key="n", title="asked", align="right"),
        *(Column(key=name, title=name, align="right") for name in FAILURE_CLASSES),
    )
    note = "Classes in order: transport, parse, schema, abstain, evidence (a quote that does not stand in the reasoning), ok."
    return Section.of(
        "judge", "What could the evaluator not score?", Table(columns=columns, rows=tuple(rows), note=note)
    )


def _agreement(verdicts: dict[tuple[str, str], list[tuple[Verdict, float | None]]]) -> Section:
    rows = []
    for (rater, scale), held in sorted(verdicts.items()):
        pairs = [(v.score, rule) for v, rule in held if v.score is not None and rule is not None]
        same = sum(a == b for a, b in pairs)
        rows.append(
            {
                "rater": rater,
                "scale": scale,
                "n": len(pairs),
                "same": same / len(pairs) if pairs else None,
                "tau": _tau(pairs),
            }
        )
    columns = (
        Column(key="rater", title="evaluator"),
        Column(key="scale", title="scale"),
        Column(key="n", title="rated by both", align="right"),
        Column(key="same", title="same score", unit="share", align="right"),
        Column(key="tau", title="Kendall's tau-b", align="right"),
    )
    note = (
        "The evaluator is compared with the rules here, not with people: `percuss judge validate` does that."
    )
    return Section.of(
        "judge", "Do evaluator and rules agree?", Table(columns=columns, rows=tuple(rows), note=note)
    )


def _tau(pairs: list[tuple[float, float]]) -> float | None:
    from scipy.stats import kendalltau

    if len(pairs) < 2 or len({a for a, _ in pairs}) < 2 or len({b for _, b in pairs}) < 2:
        return None
    value = float(kendalltau(np.array([a for a, _ in pairs]), np.array([b for _, b in pairs])).statistic)
    return value if np.isfinite(value) else None
