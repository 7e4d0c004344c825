"""Where explanations go wrong: the eleven cells, Table 1, alignment, text against image, framings, influence."""

from collections.abc import Iterator, Sequence
from typing import Any

from percuss.core.sections import Section
from percuss.kit.report.build import cell, forest, heat, row, share, table, text
from percuss.kit.report.context import Report
from percuss.protocols.explanation.armnames import TABLE_CELLS
from percuss.protocols.explanation.estimate.names import (
    ALL_CELLS,
    DISTANCES,
    INFLUENCE,
    POOLED,
    arm_words,
    twin,
)

__all__ = ["where"]

_SHOWN = ("cf", "ca", "cc")
_TITLES = {
    "cf": "clinical fidelity",
    "ca": "causal attribution",
    "cc": "confidence calibration (exploratory)",
}
_KINDS = {
    "aligned_minus_misleading": "aligned minus misleading cues",
    "text_minus_image": "text minus image, all cells",
    "text_minus_image_matched": "text minus image, comparisons only",
    "flip_minus_nonflip": "flipped minus unflipped",
}
FOLLOWED = "Followed: the unmodified answer was another one and this answer is the cue's. Silent: CA 1-2, denied: CA 3, admitted: CA 4-5."
OVER_CELLS = "Unweighted mean over the eleven cells, each arm and alignment counting once."
OVER_ANSWERS = "Every answer counts once; intervals resample pictures or patients."
MIXED = "Image cues that point at an answer exist for comparisons only, so the figure over all cells mixes cue and question type."


def where(report: Report) -> Iterator[Section]:
    """Yield the maps and tables, in the order of the paper."""
    yield from _influence(report)
    yield from _heat(report)
    yield from _table(report, ALL_CELLS, "How do models compare over all cues? (mean over cells)", OVER_CELLS)
    yield from _table(
        report, POOLED, "How do models compare over all cues? (all answers pooled)", OVER_ANSWERS
    )
    yield from _contrasts(report)
    yield from _framings(report)
    yield from _distances(report)


def _cells(report: Report, model: str, arm: str, names: Sequence[str]) -> dict[str, Any]:
    return {name: cell(report.results.get(name, model, arm)) for name in names}


def _followed(report: Report, arms: Sequence[str]) -> list[tuple[str, str]]:
    """Models and arms in which following a cue was counted."""
    return [
        (m, arm)
        for m in report.ordered
        for arm in arms
        if report.results.get("follow_rate", m, arm) is not None
    ]


def _influence(report: Report) -> Iterator[Section]:
    names = ("follow_rate", "follow_excess", *(q.name for q in INFLUENCE))
    rows = [
        {"model": model, "arm": arm_words(arm), **_cells(report, model, arm, names)}
        for model, arm in _followed(report, TABLE_CELLS)
    ]
    titles = (
        "follows it",
        "beyond the placebo",
        "followed without saying so",
        "silent",
        "denied",
        "admitted",
    )
    units = ("share", "points", *("share" for _ in INFLUENCE))
    heads = (
        text("model"),
        text("arm", "cue"),
        *(share(*head) for head in zip(names, titles, units, strict=True)),
    )
    if rows:
        yield table("where", "Who follows a cue, and who says so?", heads, rows, note=FOLLOWED)


def _heat(report: Report) -> Iterator[Section]:
    """Figure 4: one map a scale, arms by model, flipped and unflipped side by side."""
    for scale in _SHOWN:
        rows = [
            {"x": f"{model} {mark}", "y": arm_words(arm), "value": e.value, "n": e.n, "simulated": e.simulated}
            for arm in TABLE_CELLS for model in report.ordered for flip, mark in ((True, "F"), (False, "NF"))
            if (e := report.results.get(twin(scale, flip=flip), model, arm)) is not None and e.value is not None
        ]  # fmt: skip
        if rows:
            alt = f"Mean {_TITLES[scale]} per model and arm, flipped and unflipped answers apart."
            yield heat("where", f"Where is {_TITLES[scale]} high or low?", rows, x="x", y="y", alt=alt, order=(), x_title="flipped (F) and unflipped (NF) answers")  # fmt: skip


def _table(report: Report, arm: str, title: str, note: str) -> Iterator[Section]:
    """Table 1: means with intervals; over cells, a second row a model with the SD that the paper prints."""
    names = ["accuracy", "flip_rate", *(twin(scale, flip=flip) for flip in (True, False) for scale in _SHOWN)]
    titles = [
        "right",
        "flips",
        *(f"{scale.upper()} {mark}" for mark in ("flip", "non-flip") for scale in _SHOWN),
    ]
    rows: list[dict[str, Any]] = []
    for model in report.ordered:
        rows.append({"model": model, **_cells(report, model, arm, names)})
        if arm == ALL_CELLS:
            spread = {name: cell(report.results.get(f"{name}_sd", model, arm)) for name in names}
            rows.append({"model": f"{model}, SD over cells", **spread})
    empty = sorted({arm for e in report.results.estimates if e.arm == ALL_CELLS for arm in _empty(e.note)})
    words = f" Empty cells: {', '.join(empty)}." if empty and arm == ALL_CELLS else ""
    heads = (text("model"), *(share(n, t) for n, t in zip(names, titles, strict=True)))
    if rows:
        yield table("where", title, heads, rows, note=note + words)


def _empty(note: str) -> list[str]:
    named = note.partition("empty: ")[2].partition(";")[0]
    return [part for part in named.split(", ") if part]


def _contrasts(report: Report) -> Iterator[Section]:
    rows = [
        row(e, what=f"{words}: {_TITLES[scale]}", model=e.model)
        for suffix, words in _KINDS.items() for scale in _SHOWN
        for e in report.results.all(f"{scale}_{suffix}", arm=POOLED) if e.value is not None
    ]  # fmt: skip
    if rows:
        yield forest(
            "where", "Does it matter what the cue is, and whether it is true?", rows, of="difference in points", y="what",
            group="model", answer=MIXED, zero=True,
            alt="Differences of fidelity, attribution and calibration between kinds of cue, on shared resamples.",
        )  # fmt: skip


def _framings(report: Report) -> Iterator[Section]:
    """Table S12."""
    arms = sorted({e.arm for e in report.results.estimates if e.arm.startswith(f"{POOLED}:framing=")})
    names = {"flip_rate": "flips", "cf_flip": "CF flip", "ca_flip": "CA flip", "cf_nonflip": "CF non-flip", "ca_nonflip": "CA non-flip"}  # fmt: skip
    rows = [
        {"model": model, "framing": arm.partition("=")[2], **_cells(report, model, arm, tuple(names))}
        for model in report.ordered
        for arm in arms
    ]
    heads = (text("model"), text("framing", "prompt"), *(share(name, title) for name, title in names.items()))
    if rows:
        yield table("where", "Does the framing of the prompt change it?", heads, rows)


def _distances(report: Report) -> Iterator[Section]:
    names = tuple(f"follow_rate_distance_{d}" for d in DISTANCES)
    rows = [
        {"model": model, "arm": arm_words(arm), **_cells(report, model, arm, names)}
        for model, arm in _followed(report, [arm for arm in TABLE_CELLS if arm.endswith("misleading")])
    ]
    heads = (
        text("model"),
        text("arm"),
        *(share(n, f"target {d} off") for n, d in zip(names, DISTANCES, strict=True)),
    )
    note = "Distance in grades for ordinal questions, 1 for all others."
    if rows:
        yield table("where", "Does following depend on how wrong the cue is?", heads, rows, note=note)
