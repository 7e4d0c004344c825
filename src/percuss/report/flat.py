"""Estimates for machines: CSV for tables, JUnit for pipelines."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree import ElementTree as ET  # only written, never parsed

from percuss.core.records import Estimate
from percuss.measure.numbers import figure_of, show
from percuss.report.aggregates import shown_estimates
from percuss.report.text import visible

__all__ = ["render_csv", "render_junit"]

_FIELDS = (
    "name", "label", "model", "arm", "labels", "baseline", "versus", "stratum", "unit", "value", "low", "high", "level",
    "undefined", "n", "clusters", "excluded", "bound_low", "bound_high", "decided_share", "p", "p_adjusted", "family",
    "detectable", "method", "covers", "seed", "scoring", "simulated", "primary", "note", "withheld",
)  # fmt: skip


def render_csv(estimates: Sequence[Estimate], *, no_text: bool = False) -> str:
    """Return every estimate as one CSV row; an undefined value is an empty cell beside its reason.

    Args:
        estimates: in their order.
        no_text: hide numbers of fewer than eleven cases.
    """
    shown = shown_estimates(tuple(estimates)) if no_text else estimates
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, _FIELDS, lineterminator="\r\n")
    writer.writeheader()
    for estimate in shown:
        writer.writerow({field: _cell(_value(estimate, field)) for field in _FIELDS})
    return buffer.getvalue()


def _value(estimate: Estimate, field: str) -> Any:
    if field in {"bound_low", "bound_high"}:
        return estimate.bounds[field == "bound_high"] if estimate.bounds else None
    if field == "excluded":
        return "; ".join(f"{reason} {n}" for reason, n in estimate.excluded.items())
    return getattr(estimate, field)


def _cell(value: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        text = visible(value)
        return f"'{text}" if text[:1] in {"=", "+", "-", "@", "\t", "\r"} else text
    return "" if value is None else value


def render_junit(
    title: str,
    manifest: Mapping[str, Any],
    estimates: Sequence[Estimate],
    gates: Sequence[Mapping[str, Any]] = (),
    cases: Mapping[str, str] | None = None,
) -> str:
    """Return a JUnit XML file: one test per gate, one per estimate; an undefined estimate is skipped with its reason.

    Args:
        title: name of the suite.
        manifest: `started` becomes the time stamp.
        estimates: each passes by being defined.
        gates: {text, state: pass | fail | inconclusive, message}; inconclusive is an error, not a failure.
        cases: name -> what is said of it; each a test that passes.
    """
    states = [gate["state"] for gate in gates]
    counts = {
        "tests": len(gates) + len(estimates) + len(cases or {}),
        "failures": states.count("fail"),
        "errors": states.count("inconclusive"),
        "skipped": sum(estimate.value is None for estimate in estimates),
    }
    attributes = {"name": visible(title), **{key: str(value) for key, value in counts.items()}}
    root = ET.Element("testsuites", attributes)
    suite = ET.SubElement(root, "testsuite", attributes)
    if manifest.get("started"):
        suite.set("timestamp", str(manifest["started"]))
    for gate in gates:
        case = ET.SubElement(suite, "testcase", classname="gate", name=visible(str(gate["text"])))
        tag = {"fail": "failure", "inconclusive": "error"}.get(gate["state"])
        if tag:
            ET.SubElement(case, tag, message=visible(str(gate.get("message", gate["state"]))))
    for estimate in estimates:
        _estimate_case(suite, estimate)
    for name, said in (cases or {}).items():
        case = ET.SubElement(suite, "testcase", classname="case", name=visible(name))
        ET.SubElement(case, "system-out").text = visible(said)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _estimate_case(suite: ET.Element, estimate: Estimate) -> None:
    key = [estimate.model, estimate.arm, estimate.labels, estimate.versus or "", estimate.stratum or ""]
    name = f"{estimate.name}[{', '.join(part for part in key if part)}]"
    case = ET.SubElement(suite, "testcase", classname="estimate", name=visible(name))
    if estimate.value is None:
        ET.SubElement(case, "skipped", message=visible(f"undefined ({estimate.undefined})"))
    shown = show(figure_of(estimate))
    ET.SubElement(case, "system-out").text = visible(f"simulated: {shown}" if estimate.simulated else shown)
