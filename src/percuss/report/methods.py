"""The methods paragraph and the facts of a run, from its manifest; what it doesn't say is TODO, never guessed."""

import contextlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from percuss.core.records import Estimate
from percuss.core.sections import Column
from percuss.measure.numbers import count, figure_of, p_value, show
from percuss.report.grid import Grid, GridRow
from percuss.report.heading import raters_words

__all__ = ["Record", "estimates_grid", "facts", "methods", "records"]


def methods(manifest: Mapping[str, Any], estimates: Sequence[Estimate]) -> str:
    """Return the methods paragraph of a paper, to copy.

    Args:
        manifest: keys as in `percuss.report`.
        estimates: names the interval methods and families that were used.
    """
    m = _Known(manifest)
    models = [str(row.get("id")) for row in manifest.get("models", ()) if not row.get("simulated")]
    arms = [str(row.get("words") or row.get("name")) for row in manifest.get("arms", ())]
    paper = manifest.get("paper") or {}
    cases = manifest.get("cases") or {}
    judge = manifest.get("judge")
    n = count(cases["count"]) if "count" in cases else "TODO"
    sentences = [
        f"We ran the protocol {m['protocol']}, version {m['protocol_version']}"
        + (f" ({paper['title']}; {paper.get('doi', 'DOI: TODO')})" if paper.get("title") else "")
        + f", with percuss {m['percuss']}.",
        f"{n} {cases.get('word', 'cases')} from {cases.get('source', 'TODO')} were put to "
        f"{', '.join(models) or 'TODO (models)'} in {len(arms) or 'TODO'} conditions"
        + (f" ({', '.join(arms)})." if arms else "."),
        _policy(manifest),
        f"Claims were scored by {raters_words(manifest) or 'TODO'}"
        + (_judge_words(judge) if judge else "; no model judged."),
    ]
    primary = manifest.get("primary") or {}
    if primary:
        sentences.append(
            f"The primary estimate, declared before the first call, was {primary.get('words', primary.get('estimate'))}."
        )
    sentences.append(_statistics(estimates))
    sentences.append(f"All draws derive from seed {m['seed']}; {_dates(manifest)}.")
    return " ".join(sentences)


class _Known(dict[str, str]):
    """A manifest whose missing keys read TODO."""

    def __init__(self, manifest: Mapping[str, Any]) -> None:
        super().__init__({key: str(value) for key, value in manifest.items() if value is not None})

    def __missing__(self, key: str) -> str:
        return f"TODO ({key.replace('_', ' ')})"


def _policy(manifest: Mapping[str, Any]) -> str:
    policy = manifest.get("policy") or {}
    said = [f"{name.replace('_', ' ')} {value}" for name, value in policy.items() if value is not None]
    epochs = int(manifest.get("epochs") or 1)
    times = "once" if epochs == 1 else f"{epochs} times"
    return f"Each question was asked {times} with {', '.join(said) if said else 'TODO (sampling settings)'}, equal for all models and conditions."


def _judge_words(judge: Mapping[str, Any]) -> str:
    passes = judge.get("passes")
    policy = judge.get("policy")
    said = f"; the judge read each claim {passes} times" if passes else ""
    said += f" ({policy} of passes)" if policy else ""
    return f"{said}."


def _statistics(estimates: Sequence[Estimate]) -> str:
    used = sorted({e.method for e in estimates if e.method})
    families = sorted({e.family for e in estimates if e.family})
    level = next((e.level for e in estimates), 0.95)
    covers = sorted({e.covers for e in estimates if e.covers})
    said = f"Intervals are at the {level:.0%} level ({', '.join(used) or 'TODO (method)'})"
    said += f" and cover {'; '.join(covers)}" if covers else ""
    said += f"; p values are corrected by Holm within: {', '.join(families)}" if families else ""
    return said + "."


def _dates(manifest: Mapping[str, Any]) -> str:
    started, finished = manifest.get("started"), manifest.get("finished")
    return (
        f"the run started {started}" + (f" and finished {finished}" if finished else "")
        if started
        else "date TODO"
    )


def facts(manifest: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return name and value of the run's plain facts, for the definition list of section 8."""
    cases = manifest.get("cases") or {}
    paper = manifest.get("paper") or {}
    rows = [
        ("protocol", " ".join(str(manifest[k]) for k in ("protocol", "protocol_version") if manifest.get(k))),
        ("paper", ", ".join(str(paper[k]) for k in ("title", "year", "doi") if paper.get(k))),
        ("percuss", manifest.get("percuss")),
        ("python", manifest.get("python")),
        (
            "cases",
            " ".join([count(cases["count"]), cases.get("word", "cases")]) if "count" in cases else None,
        ),
        ("case source", cases.get("source")),
        ("case hash", cases.get("hash")),
        ("seed", manifest.get("seed")),
        ("epochs", manifest.get("epochs")),
        ("folder", manifest.get("folder")),
        ("started", manifest.get("started")),
        ("finished", manifest.get("finished")),
        *((name.replace("_", " "), value) for name, value in (manifest.get("policy") or {}).items()),
        *((name, value) for name, value in (manifest.get("facts") or {}).items()),
    ]
    return [(name, str(value)) for name, value in rows if value not in (None, "")]


class Record:
    """A table of section 8: title, one sentence, grid; `folded` ones open on demand."""

    def __init__(self, title: str, grid: Grid, lead: str = "", *, folded: bool = False) -> None:
        self.title, self.grid, self.lead, self.folded = title, grid, lead, folded


_TABLES = (
    (
        "models",
        "Models",
        ("id", "pin", "served", "calls", "simulated"),
        "Ids as called, with what pins them.",
    ),
    (
        "cards",
        "Model cards",
        ("id", "reasoning_effort", "knowledge_cutoff", "released", "weights", "source"),
        "As the file of --model-cards states it; nothing is guessed.",
    ),
    ("arms", "Conditions", ("name", "words", "baseline"), ""),
    ("hosts", "Where data went", ("host", "roles", "calls"), "Every host that the run contacted."),
    ("costs", "Calls and costs", ("stage", "role", "model", "calls", "tokens_in", "tokens_out", "usd"), ""),
    (
        "scorings",
        "Every scoring, in order",
        ("id", "raters", "config", "made_at"),
        "A check appends; nothing is overwritten.",
    ),
)
_COUNTED = {"calls", "tokens_in", "tokens_out"}


def records(manifest: Mapping[str, Any], estimates: Sequence[Estimate]) -> list[Record]:
    """Return the tables of section 8 that the manifest can fill."""
    made = []
    for key, title, columns, lead in _TABLES:
        rows = manifest.get(key)
        if rows:
            made.append(Record(title, _grid(rows, columns), lead))
        elif key == "hosts" and rows is not None:
            made.append(
                Record(
                    title,
                    Grid((Column(key="host", title="host"),), (GridRow(("none",)),)),
                    "No host was contacted.",
                )
            )
    selftest = manifest.get("selftest") or {}
    if selftest.get("rows"):
        columns = tuple(dict.fromkeys(key for row in selftest["rows"] for key in row))
        title = f"Self-test of version {selftest.get('version', manifest.get('percuss', ''))}: planted against measured"
        made.append(Record(title, _grid(selftest["rows"], columns), str(selftest.get("note", ""))))
    if estimates:
        made.append(Record("All estimates", estimates_grid(estimates), folded=True))
    return made


def _grid(rows: Sequence[Mapping[str, Any]], keys: Sequence[str]) -> Grid:
    used = [key for key in keys if any(row.get(key) not in (None, "") for row in rows)]
    columns = tuple(
        Column(
            key=key,
            title=key.replace("_", " "),
            unit="count" if key in _COUNTED else "usd" if key == "usd" else "",
            align="right" if key in _COUNTED | {"usd"} else "left",
        )
        for key in used
    )
    cells = [tuple(_plain(row.get(key)) for key in used) for row in rows]
    return Grid(
        columns,
        tuple(GridRow(c, simulated=bool(row.get("simulated"))) for c, row in zip(cells, rows, strict=True)),
    )


def _plain(value: Any) -> Any:
    if isinstance(value, str) and value.startswith(
        "{"
    ):  # a scoring's settings, which one long word of JSON would hide
        with contextlib.suppress(ValueError):
            value = json.loads(value)
    if isinstance(value, Mapping) and "value" not in value:
        return ", ".join(
            f"{key} {_plain(part)}" for key, part in value.items() if part not in (None, "", {}, [])
        )
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value


_ESTIMATE_COLUMNS = (
    ("name", "estimate"),
    ("model", "model"),
    ("arm", "arm"),
    ("labels", "labels"),
    ("against", "against"),
    ("stratum", "stratum"),
    ("figure", "value"),
    ("n", "n"),
    ("clusters", "clusters"),
    ("bounds", "if all left out were wrong / right"),
    ("excluded", "left out"),
    ("p", "p (corrected)"),
    ("method", "method"),
)


def estimates_grid(estimates: Sequence[Estimate]) -> Grid:
    """Return every estimate as a table, the primary first, as given otherwise."""
    ordered = sorted(estimates, key=lambda e: not e.primary)
    columns = tuple(
        Column(
            key=key,
            title=title,
            unit="count" if key in {"n", "clusters"} else "",
            align="right" if key in {"n", "clusters"} else "left",
        )
        for key, title in _ESTIMATE_COLUMNS
    )
    return Grid(columns, tuple(_estimate_row(e) for e in ordered))


def _estimate_row(e: Estimate) -> GridRow:
    figure = figure_of(e)
    shown = {field: getattr(figure, field) for field in figure.__struct_fields__}
    bounds = (
        show(type(figure)(value=e.value, low=e.bounds[0], high=e.bounds[1], unit=e.unit))
        if e.bounds and e.value is not None
        else ""
    )
    p = e.p_adjusted if e.p_adjusted is not None else e.p
    cells = (
        f"{e.name} (primary)" if e.primary else e.name,
        f"~ {e.model} (simulated)" if e.simulated else e.model,
        e.arm,
        e.labels,
        e.versus or e.baseline or "",
        e.stratum or "",
        shown,
        e.n,
        e.clusters,
        bounds[bounds.find("[") :] if "[" in bounds else "",
        ", ".join(f"{reason} {count(n)}" for reason, n in e.excluded.items()),
        "" if p is None else p_value(p),
        e.method,
    )
    return GridRow(cells, simulated=e.simulated)
