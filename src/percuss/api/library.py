"""The library's front door: run, score, open, compare, hdi, for notebooks and scripts."""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, Literal

import msgspec

from percuss.api.frames import Estimates, Rows
from percuss.api.given import Given, file_of
from percuss.api.own import Judge, Rule, Verifier
from percuss.api.report.reporting import open_report
from percuss.api.run.caching import AUTO
from percuss.api.run.factory import UNVERSIONED
from percuss.api.run.prepare import RUNS, Prepared, prepare
from percuss.api.run.request import Limits, RunRequest
from percuss.api.run.run import start
from percuss.api.waiting import finish
from percuss.core.errors import UsageError
from percuss.core.labels import SUPPORT_LABELS, Support
from percuss.core.records import Estimate
from percuss.exchange.calls_table import call_rows
from percuss.exchange.tables import claim_rows, response_rows
from percuss.stats import Result
from percuss.stats.contrasts import compared_hdis
from percuss.store import RunStore

__all__ = ["Run", "hdi", "open_run", "run", "score"]

Anything = Any
"""A name, a function or an object that plays a model; rows, a data frame or a path of cases."""


class Run:
    """A run on disk, in one scoring; `percuss.compare` takes it as it takes the folder.

    Args:
        folder: the run folder.
        scoring: start of a scoring's id; None takes the latest.
    """

    def __init__(self, folder: str | Path, scoring: str | None = None) -> None:
        self.folder = Path(folder)
        with open_report(self.folder, scoring) as held:
            self.scoring = held.scoring.id
            self.estimates: Estimates = Estimates(held.estimates)
            self.manifest: Mapping[str, Any] = held.manifest

    def __repr__(self) -> str:
        return f"Run({str(self.folder)!r}, {len(self.estimates)} estimates)"

    def __fspath__(self) -> str:
        return str(self.folder)

    def _repr_html_(self) -> str:
        from percuss.report.fragment import render_fragment

        with open_report(self.folder, self.scoring) as held:
            return render_fragment(held.title, held.manifest, held.estimates, held.sections())

    def __iter__(self) -> Iterator[Estimate]:
        return iter(self.estimates)

    @cached_property
    def claims(self) -> Rows:
        """One row per claim and rater: text, label, reason; read when it is first asked for."""
        return self._rows(claim_rows, "claims and labels")

    @cached_property
    def responses(self) -> Rows:
        """One row per answer: text, status, tokens."""
        return self._rows(response_rows, "answers")

    @cached_property
    def calls(self) -> Rows:
        """One row per call and answer that it was made for: messages as sent, reply, tokens, seconds."""
        with RunStore.open(self.folder) as store:
            return Rows.of(call_rows(store, self.scoring), "calls")

    def _rows(self, table: Any, what: str) -> Rows:
        with RunStore.open(self.folder) as store:
            return Rows.of(table(store.view(self.scoring)), what)

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


def run(
    protocol: str = "grounding",
    models: Anything = (),
    *,
    model: Anything = None,
    name: str | None = None,
    version: str | None = None,
    cases: Anything = None,
    responses: Anything = None,
    judge: str | Judge | Anything = None,
    verifier: str | Verifier | None = None,
    rules: str | Rule | None = None,
    prompts: str | Path | Mapping[str, str] | None = None,
    embedder: str | None = None,
    fallback: str | None = None,
    search: str | None = None,
    roles: Mapping[str, str] | None = None,
    arms: str | Sequence[str] = (),
    limit: int | None = None,
    epochs: int = 1,
    seed: int = 42,
    settings: Mapping[str, Any] | None = None,
    base_url: str | None = None,
    condition_on: str | None = None,
    out: str | PathLike[str] | None = None,
    limits: Limits | Mapping[str, Any] | None = None,
    concurrency: int = 10,
    cache: bool | str | PathLike[str] = False,
    offline: bool = False,
    allow_hosts: Sequence[str] = (),
    allow_self_judge: bool = False,
    allow_remote: bool = False,
    retry_failed: bool = False,
    refetch: Literal["no", "failed", "all"] = "no",
    report: bool = True,
    progress: bool | None = None,
    **more: Any,
) -> Run:
    """Ask models, check what they say, and estimate; extends the run where it exists.

    Args:
        protocol: name or alias.
        models, model: what is tested, one or several: a name (`openai/gpt-4o-mini`), a function of a text, an object with
            such a method `generate`, or `percuss.own.Model`; none runs the protocol's bundled default.
        name, version: of a function or object. Without a version every start makes a new folder.
        cases, responses: a path or name, a list of dictionaries, or a data frame.
        judge: a name, `percuss.own.Judge` with a prompt of your own, or `percuss.own.Model`.
        verifier: a name or `percuss.own.Verifier`. rules: a rule set's name or `percuss.own.Rule`.
        prompts: a named set, a folder, or name -> text laid over the protocol's own.
        embedder, fallback, search, roles: further roles and who plays them.
        arms: names; none takes all. limit: the first so many cases. epochs: answers to each pose. seed: of every draw.
        settings, more: settings of the protocol (`reference="given"`), in a mapping or as words of the call; more takes
            `RunRequest`'s other fields, too.
        base_url, condition_on, out, limits, concurrency, offline, allow_hosts, allow_self_judge, allow_remote,
            retry_failed, refetch, report: fields of `RunRequest`.
        cache: True, or a file, in which replies are kept for other runs; never for records of patients.
        progress: True says how far the run is; None does so in notebooks only.

    Raises:
        PercussError: in one sentence what could not be done.
    """
    return _run(dict(locals()), score_only=False)


def score(
    protocol: str = "grounding",
    responses: Anything = None,
    *,
    cases: Anything = None,
    judge: str | Judge | Anything = None,
    verifier: str | Verifier | None = None,
    rules: str | Rule | None = None,
    prompts: str | Path | Mapping[str, str] | None = None,
    out: str | PathLike[str] | None = None,
    progress: bool | None = None,
    **more: Any,
) -> Run:
    """Score answers made elsewhere; asks no model under test.

    Args:
        protocol: name or alias.
        responses: a path (JSONL of id, arm, model, text, or an Inspect log), a list of dictionaries, or a data frame.
        cases: names the gold; like `responses`.
        judge, verifier, rules, prompts, out, progress: as for `run`.
        more: further words of `run`.

    Raises:
        PercussError: in one sentence what could not be done.
    """
    return _run(dict(locals()), score_only=True)


def open_run(folder: str | PathLike[str], scoring: str | None = None) -> Run:
    """Open a run that is on disk.

    Args:
        folder: the run folder. scoring: start of a scoring's id; None takes the latest.

    Raises:
        RunError: there is no run, or nothing was checked yet.
    """
    return Run(Path(folder), scoring)


def _run(words: dict[str, Any], *, score_only: bool) -> Run:
    words = {**words.pop("more"), **words}
    progress = words.pop("progress")
    given = Given(words.pop("name", None), words.pop("version", None))
    prepared = _new_folder(
        prepare(_request(words, given), score_only=score_only, own=given.own), words["out"]
    )
    return Run(finish(lambda watcher: start(prepared, watcher=watcher), progress=progress).folder)


def _new_folder(prepared: Prepared, out: Any) -> Prepared:
    """Let a run of an object without a version start a folder of its own: nothing tells whether old answers are its own.

    Raises:
        UsageError: the folder that was named holds a run.
    """
    loose = [each for each in prepared.own.values() if getattr(each, "pin", "") == UNVERSIONED]
    if not loose or not RunStore.exists(prepared.folder):
        return prepared
    if out is not None:
        raise UsageError(
            f"{prepared.folder} holds a run, and {loose[0].id} has no version that says whether its answers are still the "
            "same; give version=.., or another out="
        )
    free = (prepared.folder.with_name(f"{prepared.folder.name}-{n}") for n in range(2, 10_000))
    return dataclasses.replace(prepared, folder=next(f for f in free if not RunStore.exists(f)))


def _request(words: dict[str, Any], given: Given) -> RunRequest:
    """Return the request of some words, objects among them collected in `given`."""
    known = set(RunRequest.__struct_fields__)
    single, several = words.pop("model", None), words.pop("models", ())
    if single is not None and several:
        raise UsageError("got model= and models=; give one of them")
    models = single if single is not None else several
    prompts = words.pop("prompts")
    folder = (Path(words["out"]).parent if words["out"] is not None else RUNS) / "given"
    roles, verifier = dict(words.pop("roles", None) or {}), given.verifier(words.pop("verifier"))
    if verifier is not None:
        roles["verifier"] = verifier
    fields: dict[str, Any] = {
        **{key: value for key, value in words.items() if key in known and value is not None},
        "models": given.models(models) if not isinstance(models, Sequence) or models else (),
        "judge": given.judge(words["judge"]),
        "cases": file_of(words["cases"], "cases", folder),
        "responses": file_of(words["responses"], "answers", folder),
        "roles": roles,
    }
    if isinstance(prompts, Mapping):
        given.prompts = {**prompts, **given.prompts}
    elif prompts is not None:
        fields["prompts"] = str(prompts)
    fields["prompt_texts"] = given.prompts
    cache = words.get("cache", False)
    fields["cache"] = None if cache is False else AUTO if cache is True else cache
    for key in ("out", "prices", "model_cards", "cache"):
        if fields.get(key) is not None:
            fields[key] = str(Path(fields[key]))
    if isinstance(fields.get("arms"), str):
        fields["arms"] = [fields["arms"]]
    rules = given.rules(words.pop("rules"))
    loose = {key: value for key, value in words.items() if key not in known and key != "protocol"}
    fields["settings"] = {
        **(words.get("settings") or {}), **given.settings, **loose, **({} if rules is None else {"rules": rules}),
    }  # fmt: skip
    request: RunRequest = msgspec.convert(fields, RunRequest)
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
        resamples: of the bootstrap (Gonehal et al. 2026 Appendix E: 2,000).
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
