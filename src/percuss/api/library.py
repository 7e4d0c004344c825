"""The library's front door: run, score, open, compare, hdi, for notebooks and scripts."""

import asyncio
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from percuss.api.report.reporting import open_report
from percuss.api.run.prepare import prepare
from percuss.api.run.request import RunRequest
from percuss.api.run.run import start
from percuss.core.errors import UsageError
from percuss.core.labels import SUPPORT_LABELS, Support
from percuss.core.records import Estimate
from percuss.stats import Result
from percuss.stats.contrasts import compared_hdis

__all__ = ["Run", "hdi", "open_run", "run", "score"]

T = TypeVar("T")


class Run:
    """A run on disk, in one scoring.

    Args:
        folder: the run folder.
        scoring: start of a scoring's id; None takes the latest.
    """

    def __init__(self, folder: str | Path, scoring: str | None = None) -> None:
        self.folder = Path(folder)
        with open_report(self.folder, scoring) as held:
            self.scoring = held.scoring.id
            self.estimates: tuple[Estimate, ...] = held.estimates
            self.manifest: Mapping[str, Any] = held.manifest

    def __repr__(self) -> str:
        return f"Run({str(self.folder)!r}, {len(self.estimates)} estimates)"

    def __iter__(self) -> Iterator[Estimate]:
        return iter(self.estimates)

    def estimate(self, name: str, **keys: str) -> Estimate:
        """Return the one estimate of a name; `model`, `arm`, `labels`, `versus`, `stratum` narrow it down.

        Args:
            name: of the estimate. keys: fields and their values; without `stratum` those of the whole are meant.

        Raises:
            UsageError: none or several match; the sentence lists what there is.
        """
        wanted = {"stratum": None, **keys}
        found = [
            e for e in self.estimates if e.name == name and all(getattr(e, k) == v for k, v in wanted.items())
        ]
        if len(found) > 1 and any(e.primary for e in found):
            found = [e for e in found if e.primary]
        if len(found) != 1:
            there = sorted(
                {f"{e.model}/{e.arm}/{e.labels}" for e in found or self.estimates if e.name == name}
            )
            raise UsageError(
                f"{len(found)} estimates are called {name!r} here; narrow down by model, arm, labels: {there}"
            )
        return found[0]

    def show(self) -> None:
        """Print the panel."""
        with open_report(self.folder, self.scoring) as held:
            held.terminal()

    def report(self, out: str | Path | None = None, *, no_text: bool = False) -> Path:
        """Write the report as one HTML file and return its path."""
        with open_report(self.folder, self.scoring) as held:
            return held.html(Path(out) if out else self.folder / "report.html", no_text=no_text)


def _finish(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end, also where an event loop is already running (a notebook)."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


def run(protocol: str, models: str | Sequence[str] = (), **words: Any) -> Run:
    """Ask models, check what they say, and estimate; extends the run where it exists.

    Args:
        protocol: name or alias.
        models: one model string or several; () runs the protocol's bundled default.
        words: fields of `RunRequest` (judge, cases, limit, seed, out ..); any other name is a setting of the protocol.

    Raises:
        PercussError: in one sentence what could not be done.
    """
    return Run(_finish(start(prepare(_request(protocol, models, words)))).folder)


def score(protocol: str, responses: str | Path, **words: Any) -> Run:
    """Score answers made elsewhere; asks no model under test.

    Args:
        protocol: name or alias.
        responses: JSONL (id, arm, model, text) or an Inspect log.
        words: as for `run`; `cases` names the gold.
    """
    request = _request(protocol, (), {**words, "responses": str(responses)})
    return Run(_finish(start(prepare(request, score_only=True))).folder)


def open_run(folder: str | Path, scoring: str | None = None) -> Run:
    """Open a run that is on disk.

    Raises:
        RunError: there is no run, or nothing was checked yet.
    """
    return Run(folder, scoring)


def _request(protocol: str, models: str | Sequence[str], words: Mapping[str, Any]) -> RunRequest:
    known = set(RunRequest.__struct_fields__)
    fields: dict[str, Any] = {
        name: str(value) if isinstance(value, Path) else value
        for name, value in words.items()
        if name in known
    }
    settings = {name: value for name, value in words.items() if name not in known}
    fields["models"] = (models,) if isinstance(models, str) else tuple(models)
    fields["settings"] = {**fields.get("settings", {}), **settings}
    request: RunRequest = msgspec.convert({"protocol": protocol, **fields}, RunRequest)
    return request


def hdi(
    with_evidence: Mapping[str, Sequence[str]],
    without_evidence: Mapping[str, Sequence[str]],
    *,
    seed: int = 42,
    resamples: int = 2_000,
    level: float = 0.95,
) -> Result:
    """Return the hallucination dependence index of labelled claims, pooled, with the interval that reports show.

    Args:
        with_evidence, without_evidence: case -> labels of its claims (supported, partial, unsupported, unknown). Cases
            pair by name; a case that one side lacks counts with no claims there.
        seed: of the bootstrap over cases.
        resamples: of the bootstrap (papers/0 Appendix E: 2,000).
        level: of the interval.

    Raises:
        UsageError: a label that is none of the four.

    >>> round(hdi({"a": ["supported"] * 9 + ["unsupported"]}, {"a": ["unsupported"] * 5 + ["supported"] * 5}).value, 3)
    0.8
    """
    cases = sorted({*with_evidence, *without_evidence})
    columns = []
    for side in (with_evidence, without_evidence):
        for case, labels in side.items():
            strange = [label for label in labels if label not in SUPPORT_LABELS]
            if strange:
                raise UsageError(
                    f"case {case!r} has the label {strange[0]!r}; expected {', '.join(SUPPORT_LABELS)}"
                )
        columns.append([sum(label == Support.UNSUPPORTED for label in side.get(case, ())) for case in cases])
        columns.append([len(side.get(case, ())) for case in cases])
    grounded, n_grounded, bare, n_bare = columns
    counts = (grounded, n_grounded, bare, n_bare)
    return compared_hdis([counts], seed=seed, B=resamples, level=level).arms[0]
