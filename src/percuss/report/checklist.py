"""TRIPOD-LLM and CHART rows: item numbers with short names of ours, filled from the manifest, TODO for the rest."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from percuss.core.records import Estimate
from percuss.core.sections import Column
from percuss.measure.numbers import count
from percuss.report.grid import Grid, GridRow
from percuss.report.heading import raters_words

__all__ = ["TODO", "checklist"]

TODO = "TODO"
_Fill = Callable[[Mapping[str, Any], Sequence[Estimate]], str]


def checklist(manifest: Mapping[str, Any], estimates: Sequence[Estimate]) -> Grid:
    """Return the rows of both checklists.

    Args:
        manifest: keys as in `percuss.report`.
        estimates: tell whether intervals, subgroups and comparisons exist.

    Numbers are the main items of TRIPOD-LLM (Gallifant et al., Nature Medicine 2025, doi 10.1038/s41591-024-03425-5)
    and the subitems of CHART (doi 10.1136/bmjmed-2025-001632); the names are ours.
    """
    rows = [
        GridRow((source, number, name, fill(manifest, estimates) or TODO))
        for source, number, name, fill in _items()
    ]
    columns = tuple(
        Column(key=key, title=title)
        for key, title in (("list", "checklist"), ("item", "item"), ("name", "about"), ("said", "this run"))
    )
    return Grid(columns, tuple(rows))


def _todo(_: Mapping[str, Any], __: Sequence[Estimate]) -> str:
    return ""


def _title(m: Mapping[str, Any], _: Sequence[Estimate]) -> str:
    return str(m.get("question") or "")


def _data(m: Mapping[str, Any], _: Sequence[Estimate]) -> str:
    cases = m.get("cases") or {}
    said = [count(cases["count"]) + " " + str(cases.get("word", "cases"))] if "count" in cases else []
    said += [str(cases["source"])] if cases.get("source") else []
    said += [f"asked {m['started']} to {m.get('finished') or 'now'}"] if m.get("started") else []
    return ", ".join(said)


def _models(m: Mapping[str, Any], _: Sequence[Estimate]) -> str:
    rows = [r for r in m.get("models", ()) if not r.get("simulated")]
    return "; ".join(f"{r.get('id')}" + (f" ({r['pin']})" if r.get("pin") else "") for r in rows)


def _access(m: Mapping[str, Any], _: Sequence[Estimate]) -> str:
    hosts = m.get("hosts")
    if hosts is None:
        return ""
    return "; ".join(str(h.get("host")) for h in hosts) or "on this machine"


def _prompts(m: Mapping[str, Any], _: Sequence[Estimate]) -> str:
    return "; ".join(f"{p.get('name')} {p.get('hash', '')}".strip() for p in m.get("prompts", ()))


def _settings(m: Mapping[str, Any], _: Sequence[Estimate]) -> str:
    policy = [f"{k.replace('_', ' ')} {v}" for k, v in (m.get("policy") or {}).items()]
    return ", ".join(policy + ([f"seed {m['seed']}"] if m.get("seed") is not None else []))


def _raters(m: Mapping[str, Any], _: Sequence[Estimate]) -> str:
    return raters_words(m)


def _validation(m: Mapping[str, Any], _: Sequence[Estimate]) -> str:
    judge = m.get("judge")
    if not judge:
        return "rules only" if m.get("rules") else ""
    return raters_words(m) if judge.get("card") else "not compared with people (section 7)"


def _outcome(m: Mapping[str, Any], _: Sequence[Estimate]) -> str:
    primary = m.get("primary") or {}
    return str(primary.get("words") or primary.get("estimate") or "")


def _statistics(_: Mapping[str, Any], estimates: Sequence[Estimate]) -> str:
    used = sorted({e.method for e in estimates if e.method})
    families = sorted({e.family for e in estimates if e.family})
    return "; ".join([*used, *(f"Holm within {family}" for family in families)])


def _left_out(_: Mapping[str, Any], estimates: Sequence[Estimate]) -> str:
    return (
        "see the part on what was left out"
        if any(e.excluded for e in estimates)
        else ("nothing was left out" if estimates else "")
    )


def _results(_: Mapping[str, Any], estimates: Sequence[Estimate]) -> str:
    strata = sorted({e.stratum for e in estimates if e.stratum})
    groups = f"; subgroups: {', '.join(strata)}" if strata else ""
    return f"{count(len(estimates))} estimates, in the part on how it was done{groups}" if estimates else ""


def _code(m: Mapping[str, Any], _: Sequence[Estimate]) -> str:
    return (
        f"percuss {m['percuss']}, protocol version {m.get('protocol_version', TODO)}"
        if m.get("percuss")
        else ""
    )


def _costs(m: Mapping[str, Any], _: Sequence[Estimate]) -> str:
    rows = m.get("costs", ())
    return (
        f"{count(sum(int(r.get('calls') or 0) for r in rows))} calls, in the part on how it was done"
        if rows
        else ""
    )


def _items() -> list[tuple[str, str, str, _Fill]]:
    tripod: list[tuple[str, str, _Fill]] = [
        ("1", "title: task, model, setting", _title), ("2", "abstract", _todo), ("3", "background", _todo),
        ("4", "aims", _title), ("5", "data: source, dates, preparation", _data),
        ("6", "analysis: model, version, sampling", _models), ("7", "what the model puts out and how it is measured", _outcome),
        ("8", "who labelled, and how well they agree", _validation), ("9", "prompts", _prompts),
        ("10", "steps before the prompt (summaries)", _todo), ("11", "tuning and alignment", _todo),
        ("12", "computing used", _costs), ("13", "ethics approval", _todo),
        ("14", "openness: funding, protocol, registration, data, code", _code), ("15", "patient and public involvement", _todo),
        ("16", "participants: numbers, flow, what was left out", _left_out), ("17", "performance, with intervals and subgroups", _results),
        ("18", "updating of the model", _todo), ("19", "interpretation, limitations, use", _todo),
    ]  # fmt: skip
    chart: list[tuple[str, str, _Fill]] = [
        ("1a", "title", _title), ("1b", "abstract", _todo), ("2a-b", "background and aims", _todo),
        ("3a-b", "model identifiers", _models), ("4a-c", "model details and access", _access),
        ("5a-b", "prompts and who made them", _prompts), ("6a-d", "how and when the model was asked", _settings),
        ("7a-b", "how answers were judged", _raters), ("8", "sample size", _data), ("9a", "analysis", _statistics),
        ("10a-c", "results", _results), ("11a-c", "discussion", _todo), ("12a", "disclosures", _todo),
        ("12b", "funding", _todo), ("12c", "ethics", _todo), ("12d", "protocol", _code), ("12e", "data availability", _todo),
    ]  # fmt: skip
    return [("TRIPOD-LLM", *row) for row in tripod] + [("CHART", *row) for row in chart]
