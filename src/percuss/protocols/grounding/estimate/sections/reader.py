"""Read it yourself: the evidence packet, what a verdict hangs on, and twins of claims across arms."""

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

import numpy as np
from msgspec.structs import replace

from percuss.core.records import Case, Claim, Verdict
from percuss.core.sections import Field, Pane
from percuss.kit.report.context import Told
from percuss.kit.report.reader import tags as kit_tags
from percuss.kit.vectors import vector
from percuss.protocols.grounding.estimate.labelled import Labelled
from percuss.protocols.grounding.estimate.memory import matches
from percuss.protocols.grounding.estimate.names import BASELINE, GROUNDED
from percuss.protocols.grounding.record import reading, record_of

__all__ = ["hinges", "packet", "passage", "question", "tags", "together"]

TWIN = 0.80  # papers/0 section 4.6


def question(case: Case) -> str:
    """Return what is asked of a case."""
    return reading(case).question


def passage(case: Case) -> str:
    """Return the running texts of the evidence."""
    return "\n\n".join(reading(case).packet.texts)


def packet(case: Case) -> Iterator[Field]:
    """Yield the fields of the evidence."""
    held = reading(case).packet
    for fact in held.facts:
        value = "not recorded" if fact.value is None else str(fact.value)
        yield Field(path=fact.path, label=_field_words(fact.path, held.layers), value=value)


def _field_words(path: str, layers: Sequence[str]) -> str:
    """Return a field's path in words, without its layer: two fields of one name stay apart (`stage`, `available stage`).

    >>> _field_words("fusion.available.pack_years", ("fusion",))
    'available pack years'
    """
    first, _, rest = path.partition(".")
    return (rest if rest and first in layers else path).replace(".", " ").replace("_", " ")


def hinges(verdicts: Sequence[Verdict]) -> Iterator[dict[str, Any]]:
    """Yield what the verdicts hang on: fields with their values and what the claim says of them."""
    for verdict in verdicts:
        for token in verdict.evidence:
            if token.get("kind") == "reference":
                continue
            if "quote" in token:
                yield token
            elif token.get("path") or token.get("outcome") == "mismatch":
                place = token.get("path") or "nothing in the evidence"
                row = {"path": place, "claim": token.get("text"), "note": token.get("outcome")}
                yield row if token.get("value") is None else {**row, "value": token["value"]}


def tags(told: Told, claim: Claim, entry: Labelled, verdicts: Sequence[Verdict]) -> Iterator[str]:
    """Yield what the kit says, and whether an unsupported claim matches what the arm did not show, or the public record."""
    yield from kit_tags(told, claim, entry, verdicts)
    if any(t.get("matches_unseen") for v in verdicts for t in v.evidence):
        yield "matches what it was not shown"
    record = record_of(told.scored.case) if entry.unsupported else None
    if record is not None:
        right, total = matches([claim], record)
        if total and right == total:
            yield "matches outside record"


def together(panes: Sequence[Pane], answers: Sequence[Told]) -> Sequence[Pane]:
    """Number claims that have a twin in the other arm of the same model, where the check had an embedder."""
    vectors = {
        claim.id: v for told in answers for claim in told.scored.claims if (v := vector(claim)) is not None
    }
    if not vectors:
        return panes
    twins, numbers = dict[str, int](), count(1)
    for model in dict.fromkeys(pane.model for pane in panes):
        mine = [pane for pane in panes if pane.model == model]
        bare = [m.id for pane in mine if pane.arm == BASELINE for m in pane.marks if m.id in vectors]
        others = [m.id for pane in mine if pane.arm in GROUNDED for m in pane.marks if m.id in vectors]
        if bare and others:
            cosines = np.stack([vectors[i] for i in others]) @ np.stack([vectors[i] for i in bare]).T
            for one, row in zip(others, cosines, strict=True):
                best = bare[int(row.argmax())]
                if float(row.max()) >= TWIN:
                    if best not in twins:
                        twins[best] = next(numbers)
                    twins[one] = twins[best]
    return [
        replace(pane, marks=tuple(replace(m, twin=twins.get(m.id)) for m in pane.marks))
        if pane.marks
        else pane
        for pane in panes
    ]
