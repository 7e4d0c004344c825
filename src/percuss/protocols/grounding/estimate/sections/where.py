"""Where it goes wrong: by kind of claim, and by what the claim said."""

from collections.abc import Iterator, Sequence
from typing import Any

from percuss.core.records import Claim, Estimate, Verdict
from percuss.core.sections import Section
from percuss.judging.passport import passport_of
from percuss.kit.report.build import cell, heat, number, share, table, text
from percuss.kit.report.context import Report
from percuss.kit.report.where import most_frequent
from percuss.measure.numbers import point
from percuss.measure.wording import source_words
from percuss.protocols.grounding.certificate.certified import ALARM, RECALL, UNREAD, VERBALISED
from percuss.protocols.grounding.certificate.seed import READINGS, SOURCES
from percuss.protocols.grounding.certificate.wording import CLASSES
from percuss.protocols.grounding.estimate.alike import APART, ERRORS, FEWEST
from percuss.protocols.grounding.estimate.names import KINDS, SECONDARY, arm_words
from percuss.protocols.grounding.estimate.said import SHARES, U_ALL
from percuss.protocols.grounding.estimate.sections.trust import doubt
from percuss.text.acts import SPEECH_ACT

__all__ = ["failed_by", "where"]

OF_THE_DECIDED = "Of what could be decided alone: most is not, so that no share below stands for the answers."
TOLD = 10
"""Claims from which on a cell of the map is named in the answer."""


def where(report: Report) -> Iterator[Section]:
    """Yield the heat map of kind by arm, the most frequent failures, and the secondary numbers."""
    rows: list[dict[str, Any]] = [
        {"kind": kind, "arm": arm_words(e.arm), "model": e.model, "value": e.value, "n": e.n, "simulated": e.simulated}
        for model in report.ordered for kind in KINDS
        for e in report.results.all("unsupported_rate", model=model, stratum=f"kind={kind}") if e.value is not None
    ]  # fmt: skip
    if rows:
        worst = max(
            (one for one in rows if one["n"] >= TOLD), key=lambda one: one["value"] or 0.0, default=None
        )
        answer = OF_THE_DECIDED if doubt(report) else "" if worst is None else (
            f"Most often in {worst['kind']} claims of {worst['model']}, {worst['arm']}: {point(worst['value'])} of {worst['n']}."
        )  # fmt: skip
        yield heat(
            "where", "Which kinds of claim fail, and with how much evidence?", rows, x="arm", y="kind", facet="model",
            down=KINDS, order=[arm_words(arm) for arm in report.results.arms], answer=answer,
            alt="Share of unsupported claims by kind of claim and by arm, with n.",
        )  # fmt: skip
    yield most_frequent(report)
    yield _secondary(report)
    yield from _acts(report)
    yield from _seeds(report)
    yield from _errs_alike(report)


def _errs_alike(report: Report) -> Iterator[Section]:
    """The passport of each reader on this run's own text, by arm: its errors against people's labels, and whether the arms differ."""
    arms = (report.results.arm, report.results.baseline)
    rows = [
        {
            "reader": source_words(e.labels), "model": e.model, "simulated": e.simulated, "true": true,
            "n": sum(one.n for one in by.values() if one is not None),
            **{key: cell(by[at], "none labelled") for key, at in zip(("given", "bare"), arms, strict=True)},
            "apart": cell(e), "verdict": e.note,
        }
        for true, quantity in APART.items() for e in report.results.estimates if e.name == quantity.name
        for by in [{at: _of(report, ERRORS[true].name, e, at) for at in arms}]
    ]  # fmt: skip
    if rows:
        heads = (
            text("reader"), text("model"), text("true", "people say"), number("n", "labelled"),
            share("given", f"read otherwise {arm_words(arms[0])}"), share("bare", arm_words(arms[1])),
            share("apart", "difference", "points"), text("verdict", "do the arms differ?"),
        )  # fmt: skip
        note = f"Against people's labels of this run, what is left undecided being no error; at least {FEWEST} claims of a class in each arm."
        yield table("where", "Does the reader err alike in both arms?", heads, rows, note=note)


def _of(report: Report, name: str, like: Estimate, arm: str) -> Estimate | None:
    return next(
        (
            e for e in report.results.estimates
            if (e.name, e.model, e.labels, e.arm) == (name, like.model, like.labels, arm)
        ),
        None,
    )  # fmt: skip


def failed_by(claim: Claim, verdicts: Sequence[Verdict]) -> str:
    """Return what a rule found wrong, in words; what people, a verifier or a judge found goes by the kind of claim."""
    ruled = next((v for v in verdicts if v.rater.startswith("rule:")), None)
    tokens = [] if ruled is None else [t for t in ruled.evidence if t.get("outcome") == "mismatch"]
    for kind, words in (
        ("enumerated", "{field} differs from the evidence"),
        ("specific", "a specific that the evidence does not hold"),
        ("modality", "{field} data asserted or denied against what was shown"),
    ):
        found = next((t for t in tokens if t["kind"] == kind), None)
        if found is not None:
            return words.format(field=found.get("field") or "value")
    bound = next((t for t in tokens if t["kind"] in {"number", "statement"} and t.get("path")), None)
    if bound is not None:
        return f"another value than {bound['path']}"
    if ruled is not None and any(t.get("found") == "absent" for t in ruled.evidence):
        return f"{claim.kind} claim of which nothing is recorded"
    if any(t["kind"] == "number" for t in tokens):
        return "a number that stands nowhere in the evidence"
    return f"{claim.kind} claim, by {_reader(ruled, verdicts)}"


def _reader(ruled: Verdict | None, verdicts: Sequence[Verdict]) -> str:
    """Return who found a claim wrong that a rule hangs on nothing: the rule all the same, people, a verifier, or the judge."""
    if ruled is not None and ruled.label is not None:
        return "the rule"
    kinds = {v.rater.partition(":")[0] for v in verdicts if v.label is not None}
    return "people" if "human" in kinds else "the verifier" if "verifier" in kinds else "the judge"


def _secondary(report: Report) -> Section:
    results = report.results
    rows = [
        {
            "model": model, "simulated": results.is_simulated(model),
            **{q.name: cell(results.get(q.name, model)) for q in SECONDARY},
            "abstention": cell(results.get("abstention", model, results.baseline)),
        }
        for model in report.ordered
    ]  # fmt: skip
    heads = (
        text("model"),
        *(share(q.name, q.label, q.unit) for q in SECONDARY),
        share("abstention", "abstention without evidence"),
    )
    return table(
        "where",
        "How do the answers read otherwise?",
        heads,
        rows,
        note="With the evidence given, but for abstention.",
    )


def _seeds(report: Report) -> Iterator[Section]:
    """Seeded errors found by class and arm, and all seeds by where they come from, where the run was certified."""
    results = report.results
    rows = [
        {
            "model": model, "arm": arm_words(arm), "class": name, "simulated": results.is_simulated(model), "recall": cell(e),
            "undecided": cell(results.get(UNREAD.name, model, arm, stratum=f"class={name}")),
        }
        for model in report.ordered for arm in results.arms for name in CLASSES
        if (e := results.get(RECALL.name, model, arm, stratum=f"class={name}")) is not None
    ]  # fmt: skip
    if rows:
        heads = (
            text("model"),
            text("arm"),
            text("class", "seeded errors"),
            share("recall", "found"),
            share("undecided", "left undecided"),
        )
        note = "Statements whose truth is known by how they were made, put among a model's sentences; they count in nothing else."
        yield table("where", "Which seeded errors does the reader find?", heads, rows, note=note)
        yield _by_source(report)


def _by_source(report: Report) -> Section:
    """Where seeds come from: how many of all there are, and what the reader makes of each kind; mutants by what it made of their claim."""
    results = report.results
    kinds = [
        *((name, f"source={name}") for name in SOURCES if name != "mutant"),
        *((f"mutant of a claim read {name}", f"read={name}") for name in READINGS),
    ]
    rows = []
    for model in report.ordered:
        for arm in results.arms:
            found = {
                name: [results.get(q.name, model, arm, stratum=stratum) for q in (RECALL, ALARM)]
                for name, stratum in kinds
            }
            n = {name: sum(e.n for e in both if e is not None) for name, both in found.items()}
            rows += [
                {
                    "model": model, "arm": arm_words(arm), "source": name, "simulated": results.is_simulated(model), "n": n[name],
                    "of_all": n[name] / sum(n.values()), "recall": cell(found[name][0], "none"), "alarm": cell(found[name][1], "none"),
                }
                for name in found if n[name]
            ]  # fmt: skip
    heads = (
        text("model"),
        text("arm"),
        text("source", "seeds from"),
        number("n", "seeds"),
        number("of_all", "of all", "share"),
        share("recall", "errors found"),
        share("alarm", "true ones called unsupported"),
    )
    return table(
        "where", "Where do the seeded statements come from?", heads, rows, note=_told_by_model(report)
    )


def _told_by_model(report: Report) -> str:
    told = next((e for e in report.results.all(VERBALISED.name) if e.value is not None), None)
    if told is None:
        return "No model put facts into words: `--role verbaliser=MODEL` names one."
    return f"Of {told.n:,} facts that a model was asked to put into a sentence, {point(told.value or 0)} came so that their letters show them to be right; the rest is not seeded."


def _acts(report: Report) -> Iterator[Section]:
    """What the sentences of each model and arm do beside asserting; nothing where all are counted, as in the paper."""
    results = report.results
    rows = [
        {
            "model": model, "arm": arm_words(arm), "simulated": results.is_simulated(model),
            **{q.name: cell(results.get(q.name, model, arm)) for q in (*SHARES, U_ALL)},
        }
        for model in report.ordered for arm in results.arms
        if results.get("no_assertion", model, arm) is not None
    ]  # fmt: skip
    if rows:
        heads = (text("model"), text("arm"), *(share(q.name, q.label, q.unit) for q in (*SHARES, U_ALL)))
        note = "Rates count assertions alone: what is said as likely, of the data, in general, or by the question stands here."
        known = passport_of(SPEECH_ACT, corpus="speech_act", layout="")
        note = note if known is None else f"{note} By rule alone: {known.sentence}"
        yield table("where", "What do the sentences do?", heads, rows, note=note)
