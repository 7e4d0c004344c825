"""A judge's reply into what is said of reference, content and both: consistency is enforced, quotes are verified.

reference no -> content no (`inherited`); hallucinated = either is no; an abstention or a failure leaves it out. A judge's
own fields that disagree are kept and counted as `inconsistent`, the derived ones are used (definitions/citations, "Verdicts").
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from percuss.core.labels import Reason
from percuss.core.strict import Record
from percuss.judging.judge import last_object
from percuss.protocols.citations.aspects import BAD, CONTENT, GOOD, REFERENCE, SUPPORT
from percuss.protocols.citations.sources.opened import place_in
from percuss.protocols.citations.sources.passages import Passage
from percuss.text.quotes import locate

__all__ = ["INSUFFICIENT", "Judged", "derived", "read_judged", "schema"]

INSUFFICIENT = f"{Reason.NOT_CHECKABLE.value}:insufficient_evidence"
NO_CONTENT = f"{Reason.NOT_CHECKABLE.value}:no content"
_WORDS = ("yes", "no", "n/a")
_SUBTYPES = ("", "unsupported", "contradicted", "partial")
_TEXTS = ("reference_reason", "content_reason", "quote")
_FLAGS = ("abstention", "hallucination", "insufficient")
_ADDRESSES, _LONGEST = 10, 600
"""Pages that a searching judge may name, and characters of a reason or quote: a small model goes on for ever otherwise."""
_ORDER = (
    "reference_reason", "reference", "content_reason", "quote", "content", "subtype", "abstention", "hallucination",
    "insufficient",
)  # fmt: skip


def schema(*, addresses: bool) -> dict[str, Any]:
    """Return the schema of a judge's reply, its reasons before its words.

    Args:
        addresses: it names the pages that it relied on: a judge that searches by itself.
    """
    fields: dict[str, Any] = {
        **{name: {"type": "string", "maxLength": _LONGEST} for name in _TEXTS},
        **{name: {"type": "string", "enum": list(_WORDS)} for name in ("reference", "content")},
        "subtype": {"type": "string", "enum": list(_SUBTYPES)},
        **{name: {"type": "boolean"} for name in _FLAGS},
    }
    made = {name: fields[name] for name in _ORDER}
    if addresses:
        listed = {"type": "array", "items": {"type": "string", "maxLength": _LONGEST}, "maxItems": _ADDRESSES}
        made = {"addresses": listed, **made}
    return {"type": "object", "properties": made, "required": list(made), "additionalProperties": False}


class Judged(Record):
    """What a judge replied, in its own fields.

    Args:
        reference, content: yes, no or n/a. subtype: of a content that is no. quote: of the deciding words.
        hallucination: as the judge says it; None where it says nothing. addresses: pages that it relied on.
    """

    reference: str
    content: str
    reference_reason: str = ""
    content_reason: str = ""
    quote: str = ""
    subtype: str = ""
    abstention: bool = False
    hallucination: bool | None = None
    insufficient: bool = False
    addresses: tuple[str, ...] = ()

    @property
    def undecided(self) -> bool:
        """Whether the fallback judge is to be asked: nothing was decided that derives a verdict."""
        if self.abstention or self.reference == "no":
            return False
        return self.insufficient or "n/a" in {self.reference, self.content}


def read_judged(text: str) -> Judged | str:
    """Read a judge's reply; the reason where it can't be read.

    Args:
        text: of the reply. The last object that has a reference counts: judges try verdicts while they think.
    """
    found = last_object(text, "reference")
    if found is None:
        return f"{Reason.UNPARSABLE.value}:parse"
    words = {name: str(found.get(name, "")).strip().casefold() for name in ("reference", "content")}
    if any(word not in _WORDS for word in words.values()):
        return f"{Reason.UNPARSABLE.value}:label"
    listed = found.get("addresses")
    said = found.get("hallucination")
    subtype = str(found.get("subtype") or "").strip().casefold()
    return Judged(
        **words,
        **{name: str(found.get(name) or "") for name in _TEXTS},
        subtype=subtype if subtype in _SUBTYPES else "",
        abstention=found.get("abstention") is True,
        insufficient=found.get("insufficient") is True,
        hallucination=said if isinstance(said, bool) else None,
        addresses=tuple(map(str, listed[:_ADDRESSES])) if isinstance(listed, list) else (),
    )


def by_what_was_shown(judged: Judged, passages: Sequence[Passage]) -> Judged:
    """Return a reply held to its passages: where no block of any source came near the claim, that it isn't there is not known.

    Args:
        judged: the reply to a judge that reads full texts. passages: shown to it.

    Returns:
        The reply, its content left open for insufficient evidence where it says "no" without words that contradict, and only the
        heads of sources were shown (definitions/citations, "Search, passages, fallback").
    """
    absent = judged.reference == "yes" and judged.content == "no" and not judged.quote.strip()
    if not absent or any(not each.is_head for each in passages):
        return judged
    return msgspec.structs.replace(judged, content="n/a", insufficient=True)


Fields = dict[str, Any]


def derived(judged: Judged, passages: Sequence[Passage], *, described: bool = True) -> dict[str, Fields]:
    """Return aspect -> fields of its verdict, derived from a judge's reply.

    Args:
        judged: the reply. passages: what it was shown, in which its quote must stand.
        described: the claim says what the source holds; else there is no content to judge.

    content yes needs a quote that stands in a passage; content no needs one too, or is `absent` (the judge says that the
    relevant part is plainly there without it).
    """
    if judged.abstention:
        out = {"unscored": f"{Reason.ABSTAINED.value}:the sentence", "rationale": judged.content_reason}
        own = {"content": judged.content, "hallucination": judged.hallucination}
        both = (
            ({"inconsistent": own},) if judged.hallucination else ()
        )  # an abstention is never a hallucination
        return {REFERENCE: out, CONTENT: out, SUPPORT: {**out, "evidence": both}}
    if judged.reference == "n/a":
        out = {"unscored": INSUFFICIENT, "rationale": judged.reference_reason or judged.content_reason}
        return {REFERENCE: out, SUPPORT: out}
    reference: Fields = {"label": judged.reference, "rationale": judged.reference_reason}
    content = _content(judged, passages, described=described)
    label = {"yes": GOOD, "no": BAD}.get(content.get("label", ""))
    rest = {"unscored": content["unscored"]} if label is None else {"label": label}
    evidence = (*content.get("evidence", ()), *_disagreement(judged, content))
    rationale = judged.reference_reason if judged.reference == "no" else content["rationale"]
    return {
        REFERENCE: reference,
        CONTENT: content,
        SUPPORT: {**rest, "rationale": rationale, "evidence": evidence},
    }


def _content(judged: Judged, passages: Sequence[Passage], *, described: bool) -> Fields:
    said = {"rationale": judged.content_reason}
    if judged.reference == "no":
        return {
            "label": "no",
            "rationale": "inherited from the reference",
            "evidence": ({"subtype": "inherited"},),
        }
    if not described:
        return {"unscored": NO_CONTENT, **said}
    if judged.content == "n/a":
        return {"unscored": INSUFFICIENT, **said}
    quoted = _quoted(judged.quote, passages)
    absent = judged.content == "no" and judged.subtype in {"", "unsupported"}
    if not quoted and not (absent and not judged.quote.strip()):
        return {
            "unscored": Reason.INVALID_QUOTE.value,
            "rationale": f"not in the passages: {judged.quote[:200]}",
        }
    if judged.content == "yes":
        return {"label": "yes", **said, "evidence": (quoted,)}
    return {"label": "no", **said, "evidence": ({**quoted, "subtype": judged.subtype or "unsupported"},)}


def _quoted(quote: str, passages: Sequence[Passage]) -> Fields:
    """Return where a quote stands in its source; {} where it stands in no passage."""
    if not quote.strip():
        return {}
    for passage in passages:
        at = locate(quote, passage.text)
        if at is not None:
            found: Fields = {
                "quote": passage.text[at.start : at.stop], "source": passage.source, "start": passage.start + at.start,
                "stop": passage.start + at.stop, **place_in(passage.text, at.start, at.stop),
            }  # fmt: skip
            return found if passage.page is None else {**found, "page": passage.page}
    return {}


def _disagreement(judged: Judged, content: Fields) -> tuple[Fields, ...]:
    """Return the judge's own fields where they don't fit what is derived from them."""
    label = content.get("label")
    bad = judged.reference == "no" or label == "no"
    decided = judged.reference == "no" or label is not None
    own = {"content": judged.content, "hallucination": judged.hallucination}
    wrong_content = judged.reference == "no" and judged.content == "yes"
    wrong_sum = decided and judged.hallucination is not None and judged.hallucination != bad
    return ({"inconsistent": own},) if wrong_content or wrong_sum else ()
