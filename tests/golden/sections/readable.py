"""Estimates and sections of a run as lines of text: what a golden file holds, so that a difference can be read."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from percuss.core.records import Estimate
from percuss.core.sections import Section

DIGITS = 9


def estimate_lines(estimates: Sequence[Estimate]) -> Iterator[str]:
    """Yield one line an estimate, in order: what it is, its number, its interval, n, what was left out."""
    for e in estimates:
        where = [e.name, e.model, e.arm, e.labels, e.baseline, e.versus, e.stratum]
        span = "" if e.low is None else f" [{_number(e.low)}, {_number(e.high)}]"
        value = f"undefined: {e.undefined}" if e.value is None else f"{_number(e.value)}{span}"
        rest = [f"n {e.n}", f"p {_number(e.p_adjusted)}" if e.p_adjusted is not None else "", json.dumps(e.excluded) if e.excluded else "", "primary" if e.primary else ""]  # fmt: skip
        yield f"{' | '.join(part or '-' for part in where)} = {value}; {', '.join(part for part in rest if part)}"


def section_lines(sections: Sequence[Section]) -> Iterator[str]:
    """Yield a section's place, title and answer, then one line a row; a case of the reader as counts and a digest."""
    for section in sections:
        yield f"## {section.place} | {section.kind} | {section.title}"
        if section.answer:
            yield f"answer: {section.answer}"
        body = section.body
        if section.kind == "viewer":
            yield from (_case_line(case) for case in body["cases"])
            continue
        for key, held in body.items():
            if key in {"rows", "lines", "columns"}:
                yield from (f"{key}: {_json(row)}" for row in held)
            else:
                yield f"{key}: {_json(held)}"


def _case_line(case: dict[str, Any]) -> str:
    marks = Counter(mark["label"] for pane in case["panes"] for mark in pane["marks"])
    whole = hashlib.sha256(_json(case).encode()).hexdigest()[:12]
    return f"case: {case['id']} | {len(case['panes'])} panes | {dict(sorted(marks.items()))} | {whole}"


def _json(value: Any) -> str:
    return json.dumps(_rounded(value), ensure_ascii=False, sort_keys=True)


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    return [_rounded(one) for one in value] if isinstance(value, list | tuple) else value


def _number(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.{DIGITS}g}")
