"""The parts of a citations report: what leads, and the conversation with its citations opened at the source."""

from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import msgspec

from percuss.core.errors import BadInput
from percuss.core.ports import RunView, ScoredResponse
from percuss.core.records import Case, Claim, Estimate, Verdict
from percuss.core.sections import Field, Mark, Section
from percuss.kit.report import Outline, Shown
from percuss.kit.report import sections as kit_sections
from percuss.kit.report.build import cell as figure
from percuss.kit.report.build import dots, row, share, strip, table, text
from percuss.kit.report.context import Report, Told
from percuss.kit.report.labels import of_aspect
from percuss.kit.report.reader import in_dispute
from percuss.kit.report.reader import mark as kit_mark
from percuss.measure.results import Results
from percuss.protocols.citations.arms import CLOSED, GROUNDED
from percuss.protocols.citations.case import reading
from percuss.protocols.citations.check import CONTENT, REFERENCE, SUPPORT
from percuss.protocols.citations.claiming import is_code
from percuss.protocols.citations.corpus import corpus_of
from percuss.protocols.citations.estimate.counting import status_of
from percuss.protocols.citations.estimate.names import (
    BY_LANGUAGE,
    MACRO,
    POOLED,
    PROPAGATION,
    SETTING,
    SHORT_FORM,
    TURN,
)
from percuss.protocols.citations.estimate.read_right import own_lines
from percuss.protocols.citations.estimate.saying import LANGUAGES, OTHER
from percuss.protocols.citations.histories import HISTORIES
from percuss.protocols.citations.options import DOMAINS, CitationsOptions
from percuss.protocols.citations.sweeps import is_swept
from percuss.text.documents.look import look_around

__all__ = ["sections"]

FEW = 20
"""Conversations below which an interval of a mean over turns is known to be short (stats.bootstrap)."""
LEAD = Shown(
    MACRO.name, "hallucinated citations, mean over turns", CLOSED, missing="nothing could be verified"
)
COLUMNS = (
    LEAD,
    Shown(MACRO.name, "with the documents", GROUNDED, missing="the arm was not asked"),
    Shown("reference_failure", "wrong references", CLOSED, missing="nothing could be checked"),
    Shown(
        "content_failure_given_reference",
        "not what the source says",
        CLOSED,
        missing="nothing could be decided",
    ),
    Shown("citation_rate", "factual sentences cited", CLOSED, lower_first=False),
)
WORDS = {CLOSED: "closed book", GROUNDED: "with the source documents", HISTORIES[0]: "last turn, own history",
         HISTORIES[1]: "last turn, hallucinated sentences deleted", HISTORIES[2]: "last turn, as many right sentences deleted"}  # fmt: skip


def arm_of(arm: str) -> str:
    """Return an arm in words: a setting of a sweep by its kind and value."""
    kind, _, value = arm.partition(":")
    return f"{kind.replace('effort', 'reasoning effort')} {value}" if is_swept(arm) else WORDS.get(arm, arm)


OUTLINE = Outline(
    lead=LEAD, columns=COLUMNS, rated="hallucination_pooled", counted=("citation", "citations"), index=LEAD,
    variants=(
        ("hallucination_pooled", "pooled over citations"), ("hallucination_macro_conversations", "mean over conversations"),
        ("hallucination_weighted", "weighted to all claims"), ("hallucination_located", "references not located left out"),
    ),
    compared=(LEAD, Shown("reference_failure", "wrong references", CLOSED)), arms=(CLOSED, GROUNDED, *HISTORIES),
    arm=CLOSED, baseline=GROUNDED, arm_words=arm_of, few=FEW,
    chapters={"evidence": "Do the documents help?"},
    method=(Path(__file__).parents[1] / "method.md").read_text(encoding="utf-8"),
)  # fmt: skip


def sections(run: RunView, estimates: Sequence[Estimate], options: CitationsOptions) -> Iterator[Section]:
    """Yield the sections of a scoring.

    Args:
        run: all rows of the scoring. estimates: made of them. options: settings of the scoring.
    """
    yield from kit_sections(run, estimates, options, outline=OUTLINE, parts=PARTS)


_ASPECTS = (REFERENCE, CONTENT, SUPPORT)

sources = of_aspect(SUPPORT)
"""Label source -> what it says of each citation and piece of code: the derived label alone."""


def where(report: Report) -> Iterator[Section]:
    """Yield the curve by turn, what comes back, and domains."""
    results = report.results
    yield from _turns(report, results)
    rows = [
        {"model": model, **{q.name: figure(results.get(q.name, model, CLOSED)) for q in PROPAGATION}}
        for model in report.ordered
    ]
    heads = [text("model"), *(share(q.name, q.label) for q in PROPAGATION)]
    note = "Repeating a source is normal: incorrect ones count beside right ones."
    yield table("where", "Do incorrect references come back?", heads, rows, note=note)
    yield from _settings(results)
    yield from _by_kind(results)
    domains = [
        e
        for domain in DOMAINS
        for e in results.all("hallucination_pooled", arm=CLOSED, stratum=domain)
        if e.value is not None
    ]
    if domains:
        held = [row(e, model=f"{e.model}, {str(e.stratum).replace('_', ' ')}") for e in domains]
        yield strip("where", "In which domain?", held, of="hallucinated citations, pooled", alt="Share of hallucinated citations by domain, with intervals.")  # fmt: skip


BY_SETTING = (
    share(POOLED.name, "hallucinated citations"), share(SETTING.name, "more than in the closed book", "points"),
    share("unique_references", "different references per conversation", "count"),
    share("claims_per_turn", "citations per turn", "count"),
)  # fmt: skip
"""What a temperature and a reasoning effort change (papers/2 Tables 4 and 7)."""


def _settings(results: Results) -> Iterator[Section]:
    """Yield what temperatures and reasoning efforts change, beside the closed book of the same questions."""
    swept = sorted({(e.model, e.arm) for e in results.all(POOLED.name, versus=None) if is_swept(e.arm)})
    asked = sorted({(model, CLOSED) for model, _ in swept}) + swept
    rows = [
        {"model": model, "setting": arm_of(arm), **{c.key: figure(results.get(c.key, model, arm)) for c in BY_SETTING}}
        for model, arm in sorted(asked, key=lambda each: (each[0], each[1] != CLOSED, each[1]))
    ]  # fmt: skip
    if swept:
        heads = [text("model"), text("setting"), *BY_SETTING]
        note = "The same questions in every row. The closed book is asked at the run's own temperature, with no effort named."
        yield table("where", "What do temperature and reasoning effort change?", heads, rows, note=note)


BY_KIND = (
    ("In which language, and of which type?", "language", (*LANGUAGES, OTHER), BY_LANGUAGE,
     "By the static reading, and by a judge where one was asked."),
    ("What becomes of short questions?", "kind", ("fabricated", "niche"), SHORT_FORM,
     "Abstained, right and hallucinated sum to one."),
)  # fmt: skip
"""Title, what its rows are, their words, columns, note."""
NO_NICHE = " Niche ones: n = 0; no file of them was given (`percuss citations niche` makes one)."


def _by_kind(results: Results) -> Iterator[Section]:
    """Yield code by language and type, and short questions by kind, where there are any."""
    for title, what, strata, quantities, note in BY_KIND:
        rows: dict[tuple[str, str, str], dict[str, Any]] = {}
        for quantity in quantities:
            for stratum, labels in product(strata, results.sources_of(quantity.name)):
                for e in results.all(quantity.name, arm=CLOSED, stratum=stratum, labels=labels, versus=None):
                    held = rows.setdefault(
                        (e.model, stratum, labels), {"model": e.model, what: stratum, "by": labels}
                    )
                    held[quantity.name] = figure(e)
        if rows:
            heads = [text("model"), text(what), text("by"), *(share(q.name, q.label) for q in quantities)]
            without = what == "kind" and not any(key[1] == "niche" for key in rows)
            whole = [{**{q.name: figure(None) for q in quantities}, **held} for held in rows.values()]
            yield table("where", title, heads, whole, note=f"{note}{NO_NICHE}" if without else note)


def _turns(report: Report, results: Results) -> Iterator[Section]:
    rows = [
        row(e, turn=f"turn {number}", model=model)
        for number in range(1, report.options.turns + 1)
        for model in report.ordered
        if (e := results.get(f"{TURN}{number}", model, CLOSED)) is not None and e.value is not None
    ]
    if rows:
        order = list(dict.fromkeys(str(one["turn"]) for one in rows))
        yield dots("where", "In which turn?", rows, x="value", y="turn", group="model", x_title="hallucinated citations", alt="Share of hallucinated citations by turn, per model, with intervals.", order=order)  # fmt: skip


def question(case: Case) -> str:
    """Return the seed question."""
    return reading(case).question


def packet(case: Case) -> Iterator[Field]:
    """Yield the documents that answer a question, as the corpus holds them."""
    inquiry = reading(case)
    wanted = set(inquiry.documents)
    for known in corpus_of(inquiry).records:
        name = known.reference.ids.get("pel") or known.reference.title
        if not inquiry.bundled or name in wanted:
            yield Field(path=name, label=known.reference.title, value=known.text)


def conversation(report: Report, scored: ScoredResponse) -> tuple[str, dict[int, int]]:
    """Return the conversation with its questions, and where each answer starts in that text."""
    del report
    parts, offsets, at = [], dict[int, int](), 0
    for turn in scored.response.turns:
        head = "" if turn.role == "assistant" else "QUESTION: "
        said = turn.text if turn.role == "assistant" else turn.text.split("\n\n")[0]
        offsets[turn.index] = at + len(head)
        parts.append(head + said)
        at += len(parts[-1]) + 2
    return "\n\n".join(parts), offsets


def hinges(verdicts: Sequence[Verdict]) -> Iterator[dict[str, Any]]:
    """Yield the passage of the source that a verdict hangs on, once."""
    for verdict in verdicts:
        if verdict.aspect == SUPPORT:
            yield from (dict(found) for found in verdict.evidence if "quote" in found)


def mark(
    report: Report, told: Told, claim: Claim, entry: Any, verdicts: Sequence[Verdict], offset: int
) -> Mark:
    """Return a citation as a mark; a source that was opened as a web page is shown around the quote as that page has it."""
    ordered = sorted(verdicts, key=lambda v: _ASPECTS.index(v.aspect) if v.aspect in _ASPECTS else -1)
    made = kit_mark(report, told, claim, entry, ordered, offset)
    rows = tuple(_as_page(report.run, row) for row in made.evidence)
    return msgspec.structs.replace(made, evidence=rows)


def _as_page(run: RunView, row: dict[str, Any]) -> dict[str, Any]:
    digest = row.get("digest")
    if not digest or "page" in row:
        return row
    try:
        blob = run.blobs.get(digest)
        look = look_around(blob.data, row["quote"]) if "html" in blob.media_type else ()
    except (KeyError, BadInput):
        return row
    return {**row, "look": [list(msgspec.structs.astuple(block)) for block in look]} if look else row


def tags(told: Told, claim: Claim, entry: Any, verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Yield the turn, the status of the reference and what is the matter with the content."""
    del entry
    yield f"turn {claim.payload['n']}"
    if is_code(claim):
        yield str(claim.payload["finding"]["status"]).replace("_", " ")
        return
    status = status_of(told.scored.verdicts, claim)
    if status:
        yield f"reference {status.replace('_', ' ')}"
    subtypes = (
        found["subtype"]
        for v in verdicts
        if v.aspect == CONTENT
        for found in v.evidence
        if "subtype" in found
    )
    yield from dict.fromkeys(f"content {subtype}" for subtype in subtypes)
    if in_dispute(verdicts, SUPPORT):
        yield "in dispute"


def margin(report: Report, told: Told) -> Iterator[dict[str, Any]]:
    """Yield every citation of the conversation with its reference as written and what was found."""
    del report
    for claim in told.scored.claims:
        if "reference" in claim.payload:
            found = [
                v for v in told.scored.verdicts if v.subject == claim.id and v.aspect in {REFERENCE, SUPPORT}
            ]
            rationale = next((v.rationale for v in reversed(found)), "not sampled")
            reference = claim.payload["reference"]
            yield {
                f"turn {claim.payload['n']}, cited": f"{reference.get('raw') or reference.get('title')}: {rationale}"
            }


PARTS = {
    part.__name__: part
    for part in (sources, where, question, packet, conversation, hinges, mark, tags, margin, own_lines)
}  # fmt: skip
