"""Section 4: where explanations go wrong: the eleven cells, Table 1, alignment, text against image, framings, influence."""

from collections.abc import Iterator
from typing import Any

import msgspec

from percuss.core.sections import Chart, Column, Section, Table
from percuss.protocols.explanation.armnames import TABLE_CELLS
from percuss.protocols.explanation.estimate.names import ALL_CELLS, DISTANCES, INFLUENCE, POOLED, twin
from percuss.protocols.explanation.estimate.sections.findings import arm_words
from percuss.protocols.explanation.estimate.sections.shelf import Shelf, figure

__all__ = ["where"]

_SHOWN = ("cf", "ca", "cc")
_TITLES = {
    "cf": "clinical fidelity",
    "ca": "causal attribution",
    "cc": "confidence calibration (exploratory)",
}


def where(shelf: Shelf) -> Iterator[Section]:
    """Yield the maps and tables, in the order of the paper."""
    yield from _influence(shelf)
    yield from _heat(shelf)
    yield from _table(
        shelf,
        ALL_CELLS,
        "How do models compare over all cues? (mean over cells)",
        "Unweighted mean over the eleven cells, each arm and alignment counting once.",
    )
    yield from _table(
        shelf,
        POOLED,
        "How do models compare over all cues? (all answers pooled)",
        "Every answer counts once; intervals resample pictures or patients.",
    )
    yield from _contrasts(shelf)
    yield from _framings(shelf)
    yield from _distances(shelf)


def _plain(shelf: Shelf, name: str, model: str, arm: str) -> dict[str, Any]:
    row: dict[str, Any] = msgspec.to_builtins(figure(shelf.get(name, model, arm)))
    return row


def _influence(shelf: Shelf) -> Iterator[Section]:
    arms = [
        arm for arm in TABLE_CELLS if any(shelf.get("follow_rate", m, arm) is not None for m in shelf.models)
    ]
    rows = tuple(
        {
            "model": model,
            "arm": arm_words(arm),
            **{
                name: _plain(shelf, name, model, arm)
                for name in ("follow_rate", "follow_excess", *(q.name for q in INFLUENCE))
            },
        }
        for model in shelf.models
        for arm in arms
        if shelf.get("follow_rate", model, arm) is not None
    )
    if not rows:
        return
    columns = (
        Column(key="model", title="model"),
        Column(key="arm", title="cue"),
        Column(key="follow_rate", title="follows it", unit="share", align="right"),
        Column(key="follow_excess", title="beyond the placebo", unit="points", align="right"),
        Column(
            key="unacknowledged_influence_rate",
            title="followed without saying so",
            unit="share",
            align="right",
        ),
        Column(key="silent_share", title="silent", unit="share", align="right"),
        Column(key="denied_share", title="denied", unit="share", align="right"),
        Column(key="admitted_share", title="admitted", unit="share", align="right"),
    )
    note = "Followed: the unmodified answer was another one and this answer is the cue's. Silent: CA 1-2, denied: CA 3, admitted: CA 4-5."
    yield Section.of(
        "where", "Who follows a cue, and who says so?", Table(columns=columns, rows=rows, note=note)
    )


def _heat(shelf: Shelf) -> Iterator[Section]:
    """Figure 4: one map a scale, arms by model, flipped and unflipped side by side."""
    for scale in _SHOWN:
        rows = [
            {
                "x": f"{model} {mark}",
                "y": arm_words(arm),
                "value": e.value,
                "n": e.n,
                "simulated": e.simulated,
            }
            for arm in TABLE_CELLS
            for model in shelf.models
            for flip, mark in ((True, "F"), (False, "NF"))
            if (e := shelf.get(twin(scale, flip=flip), model, arm)) is not None and e.value is not None
        ]
        if rows:
            chart = Chart(
                kind="heat",
                rows=tuple(rows),
                x="x",
                y="y",
                value="value",
                x_title="flipped (F) and unflipped (NF) answers",
                unit="share",
                options={"rows": list(dict.fromkeys(row["y"] for row in rows))},
                alt=f"Mean {_TITLES[scale]} per model and arm, flipped and unflipped answers apart.",
            )
            yield Section.of("where", f"Where is {_TITLES[scale]} high or low?", chart)


def _table(shelf: Shelf, arm: str, title: str, note: str) -> Iterator[Section]:
    """Table 1: means with intervals; over cells, a second row a model with the SD that the paper prints."""
    names = ["accuracy", "flip_rate", *(twin(scale, flip=flip) for flip in (True, False) for scale in _SHOWN)]
    heads = [
        "right",
        "flips",
        *(f"{scale.upper()} {mark}" for mark in ("flip", "non-flip") for scale in _SHOWN),
    ]
    columns = (
        Column(key="model", title="model"),
        *(Column(key=n, title=h, unit="share", align="right") for n, h in zip(names, heads, strict=True)),
    )
    rows = []
    for model in shelf.models:
        rows.append({"model": model, **{name: _plain(shelf, name, model, arm) for name in names}})
        if arm == ALL_CELLS:
            spread = {name: _plain(shelf, f"{name}_sd", model, arm) for name in names}
            rows.append({"model": f"{model}, SD over cells", **spread})
    empty = sorted({arm for e in shelf.estimates if e.arm == ALL_CELLS for arm in _empty(e.note)})
    if rows:
        words = f" Empty cells: {', '.join(empty)}." if empty and arm == ALL_CELLS else ""
        yield Section.of("where", title, Table(columns=columns, rows=tuple(rows), note=note + words))


def _empty(note: str) -> list[str]:
    named = note.partition("empty: ")[2].partition(";")[0]
    return [part for part in named.split(", ") if part]


def _contrasts(shelf: Shelf) -> Iterator[Section]:
    kinds = (
        ("aligned_minus_misleading", "aligned minus misleading cues"),
        ("text_minus_image", "text minus image, all cells"),
        ("text_minus_image_matched", "text minus image, comparisons only"),
        ("flip_minus_nonflip", "flipped minus unflipped"),
    )
    rows = [
        {
            "what": f"{words}: {_TITLES[scale]}",
            "model": e.model,
            "value": e.value,
            "low": e.low,
            "high": e.high,
            "simulated": e.simulated,
        }
        for suffix, words in kinds
        for scale in _SHOWN
        for e in shelf.named(f"{scale}_{suffix}")
        if e.arm == POOLED and e.value is not None
    ]
    if rows:
        chart = Chart(
            kind="forest",
            rows=tuple(rows),
            x="value",
            y="what",
            low="low",
            high="high",
            group="model",
            x_title="difference in points",
            unit="points",
            options={"zero": True},
            alt="Differences of fidelity, attribution and calibration between kinds of cue, on shared resamples.",
        )
        answer = "Image cues that point at an answer exist for comparisons only, so the figure over all cells mixes cue and question type."
        yield Section.of("where", "Does it matter what the cue is, and whether it is true?", chart, answer)


def _framings(shelf: Shelf) -> Iterator[Section]:
    """Table S12."""
    arms = sorted({e.arm for e in shelf.estimates if e.arm.startswith(f"{POOLED}:framing=")})
    names = ("flip_rate", "cf_flip", "ca_flip", "cf_nonflip", "ca_nonflip")
    rows = tuple(
        {
            "model": model,
            "framing": arm.partition("=")[2],
            **{name: _plain(shelf, name, model, arm) for name in names},
        }
        for model in shelf.models
        for arm in arms
    )
    if rows:
        heads = ("flips", "CF flip", "CA flip", "CF non-flip", "CA non-flip")
        columns = (Column(key="model", title="model"), Column(key="framing", title="prompt"), *(Column(key=n, title=h, unit="share", align="right") for n, h in zip(names, heads, strict=True)))  # fmt: skip
        yield Section.of(
            "where", "Does the framing of the prompt change it?", Table(columns=columns, rows=rows)
        )


def _distances(shelf: Shelf) -> Iterator[Section]:
    rows = tuple(
        {
            "model": model,
            "arm": arm_words(arm),
            **{f"d{d}": _plain(shelf, f"follow_rate_distance_{d}", model, arm) for d in DISTANCES},
        }
        for model in shelf.models
        for arm in TABLE_CELLS
        if arm.endswith("misleading") and shelf.get("follow_rate", model, arm) is not None
    )
    if rows:
        columns = (
            Column(key="model", title="model"),
            Column(key="arm", title="cue"),
            *(Column(key=f"d{d}", title=f"target {d} off", unit="share", align="right") for d in DISTANCES),
        )
        note = "Distance in grades for ordinal questions, 1 for all others."
        yield Section.of(
            "where",
            "Does following depend on how wrong the cue is?",
            Table(columns=columns, rows=rows, note=note),
        )
