"""What a run is asked to do, in one record that a command line, a notebook and a manifest share."""

from typing import Any, Literal

from percuss.core.records import Record

__all__ = ["Limits", "RunRequest"]


class Limits(Record):
    """Where a run stops cleanly; None sets no limit."""

    calls: int | None = None
    tokens: int | None = None
    usd: float | None = None
    seconds: float | None = None


class RunRequest(Record):
    """A run as its user asks for it.

    Args:
        protocol: name or alias.
        models: model strings under test; () takes the protocol's bundled default.
        judge, embedder, fallback: model strings; None where the run has none.
        search: names of searches, as a comma list; None where the run has none.
        roles: further roles of the protocol -> model string (`user`, `builder`).
        cases: name or path of the cases; None = bundled.
        responses: file of answers made elsewhere; only what is missing is asked.
        arms: names; () = all of the protocol's.
        limit: the first so many cases; None = all, or what the bundled default says.
        settings: fields of the protocol's Options; None values count as not given.
        prompts: `default`, a named set, or a folder; None = `default`, or what the bundled default says.
        prompt_texts: name -> text of prompts laid over those, as a script hands them over.
        base_url: address of the endpoint of the models under test.
        condition_on: `judge` lets the judge rate, beside the rules, the answers that followers are posed with.
        out: the run folder itself; None makes `runs/<protocol>-<8 hex>`.
        offline, allow_hosts: no socket but loopback and these.
        allow_remote: lets cases from FHIR or DICOM go to a host that is not this machine.
        model_cards: file of what makers state of their models (`percuss.models.cards`).
        refetch: which pages and searches of the run are asked for again: failed or all.
        processes: that read text out of fetched pages; 0 = threads of this one.
        report: write report.html at the end.
        cache: file of replies across runs, `auto` for the usual one; None or `off` for none.
        no_text: the report shows no words of cases or models.
    """

    protocol: str
    models: tuple[str, ...] = ()
    judge: str | None = None
    embedder: str | None = None
    fallback: str | None = None
    search: str | None = None
    roles: dict[str, str] = {}
    cases: str | None = None
    responses: str | None = None
    arms: tuple[str, ...] = ()
    limit: int | None = None
    epochs: int = 1
    seed: int = 42
    settings: dict[str, Any] = {}
    prompts: str | None = None
    prompt_texts: dict[str, str] = {}
    base_url: str | None = None
    condition_on: str | None = None
    out: str | None = None
    limits: Limits = Limits()
    prices: str | None = None
    model_cards: str | None = None
    concurrency: int = 10
    offline: bool = False
    allow_hosts: tuple[str, ...] = ()
    allow_self_judge: bool = False
    allow_remote: bool = False
    retry_failed: bool = False
    refetch: Literal["no", "failed", "all"] = "no"
    processes: int = 0
    report: bool = True
    cache: str | None = None
    no_text: bool = False
