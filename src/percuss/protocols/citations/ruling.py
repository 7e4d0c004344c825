"""Verdicts by rule: the reference as it was looked up, what it is cited for, and the two together."""

import asyncio
from collections.abc import Iterator
from typing import Any

import msgspec

from percuss.core.labels import Reason
from percuss.core.ports import Document
from percuss.core.records import Claim
from percuss.protocols.citations.aspects import BAD, CONTENT, GOOD, REFERENCE, SUPPORT
from percuss.protocols.citations.content.rule import ContentVerdict, check_content
from percuss.protocols.citations.judge.planner import RulePlanner
from percuss.protocols.citations.looking import World
from percuss.protocols.citations.references.compare import TITLE_FLOOR
from percuss.protocols.citations.references.record import Known, Reference
from percuss.protocols.citations.references.status import Finding, reference_verdict
from percuss.protocols.citations.references.titles import ratio
from percuss.protocols.citations.sources.gather import Gathered, Wanted, gather
from percuss.protocols.citations.sources.opened import place_in, record_of

__all__ = ["Said", "looked_up", "of_citation", "of_code"]

Said = tuple[str, dict[str, Any]]
"""An aspect, and the fields of its verdict."""
WHOLE_WORDS = 1_500
"""Words from which a web page is taken as all of a source; a shorter one may be an abstract, which proves no absence."""


def of_code(finding: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a verdict on a piece of code, as the static reading found it."""
    status, reason = finding["status"], finding["reason"]
    if status == "not_checkable":
        return {"unscored": f"{Reason.NOT_CHECKABLE.value}:code", "rationale": reason}
    evidence = (
        ({"status": status, "quote": finding["evidence"]},) if finding["evidence"] else ({"status": status},)
    )
    return {"label": BAD if status == "nonexistent" else GOOD, "rationale": reason, "evidence": evidence}


async def looked_up(claim: Claim, world: World) -> Finding:
    """Return what is known of a claim's reference; one that several entries fit is ambiguous."""
    found = await world.look_up(msgspec.convert(claim.payload["reference"], Reference))
    if claim.payload["ambiguous"] and found.status == "found":
        return msgspec.structs.replace(found, status="ambiguous")
    return found


async def of_citation(claim: Claim, found: Finding, world: World) -> list[Said]:
    """Return reference, content and support of a claim, by rule.

    Args:
        claim: a citation. found: of `looked_up`. world: where further text of the source is looked for.
    """
    content = None
    if reference_verdict(found, strict=world.strict) == "yes":
        content = await _content(str(claim.payload["said"]), found, claim, world)
    return list(_derived(claim, found, content, strict=world.strict))


def _derived(claim: Claim, found: Finding, content: dict[str, Any] | None, *, strict: bool) -> Iterator[Said]:
    verdict = reference_verdict(found, strict=strict)
    said = {"status": found.word, "identity": claim.payload["identity"]}
    notes = "; ".join(found.notes)
    if verdict == "unscored":
        reason = f"{Reason.NOT_CHECKABLE.value}:{found.status}"
        yield REFERENCE, {"unscored": reason, "rationale": notes, "evidence": (said,)}
        yield SUPPORT, {"unscored": reason, "rationale": _words(found, notes), "evidence": (said,)}
        return
    yield REFERENCE, {"label": verdict, "rationale": notes, "evidence": (said,)}
    if content is None:
        inherited = ({"status": found.word, "subtype": "inherited"},)
        yield CONTENT, {"label": "no", "rationale": "inherited from the reference", "evidence": inherited}
        yield SUPPORT, {"label": BAD, "rationale": _words(found, notes), "evidence": (said,)}
        return
    yield CONTENT, content
    label = {"yes": GOOD, "no": BAD}.get(content.get("label", ""))
    rest = {"unscored": content["unscored"]} if label is None else {"label": label}
    evidence = (said, *content.get("evidence", ()))
    yield SUPPORT, {**rest, "rationale": _words(found, content["rationale"]), "evidence": evidence}


async def _content(said: str, found: Finding, claim: Claim, world: World) -> dict[str, Any]:
    """Return what the rule says of the content, with the passage that it hangs on."""
    source = found.candidate
    decided, known = None, source
    if source is not None and source.text:
        decided = await asyncio.to_thread(check_content, said, source.text, whole=source.text_whole)
    if (decided is None or decided.label == "undecided") and world.backends is not None:
        further = await _further(said, found, claim, world)
        decided, known = further or (decided, known)
    if decided is None or known is None:
        return {
            "unscored": f"{Reason.NOT_CHECKABLE.value}:no text",
            "rationale": "no text of the source is held",
        }
    return _fields(decided, known, world)


async def _further(
    said: str, found: Finding, claim: Claim, world: World
) -> tuple[ContentVerdict, Known] | None:
    """Search for the source's own text, read it in full, and return the first page that decides; with it the search ends."""
    cited = msgspec.convert(claim.payload["reference"], Reference)
    record = found.candidate.reference if found.candidate is not None else cited
    wanted = Wanted(cited=msgspec.structs.replace(record, raw=cited.raw), description=said)
    reading = _Reading(said, record, world)
    held = world.corpus.held
    await gather(wanted, RulePlanner(), world.search, world.fetch, held=held, decisive=reading.decides)
    return reading.decided or reading.first


class _Reading:
    """Reads the pages that a search brings, each once.

    Args:
        said: of the source. record: of the source. world: where pages are opened.
    """

    def __init__(self, said: str, record: Reference, world: World) -> None:
        self._said, self._record, self._world = said, record, world
        self._seen: set[str] = set()
        self.first: tuple[ContentVerdict, Known] | None = None
        self.decided: tuple[ContentVerdict, Known] | None = None

    async def decides(self, gathered: Gathered) -> bool:
        """Say whether a page that was read is the source and one of its passages decides."""
        for url, document in gathered.documents.items():
            if self.decided is not None:
                break
            if url not in self._seen:
                self._seen.add(url)
                await self._read(url, document)
        return self.decided is not None

    async def _read(self, url: str, document: Document) -> None:
        own = self._world.corpus.held.get(url) or await _record(url, self._world)
        self._world.opened[document.text] = document
        if not _is_source(own.reference, self._record):
            return
        whole = bool(document.pages) or len(document.text.split()) >= WHOLE_WORDS
        decided = await asyncio.to_thread(check_content, self._said, document.text, whole=whole)
        self.first = self.first or (
            decided,
            msgspec.structs.replace(own, text=document.text, text_whole=whole),
        )
        if decided.label != "undecided":
            self.decided = (decided, msgspec.structs.replace(own, text=document.text, text_whole=whole))


async def _record(url: str, world: World) -> Known:
    """Return what a page that was just read says of itself; its bytes come from the archive."""
    assert world.fetch is not None
    document = await world.fetch.fetch(url)
    return await asyncio.to_thread(record_of, document)


def _is_source(own: Reference, record: Reference) -> bool:
    ids = {kind: value for kind, value in own.ids.items() if kind not in {"url", "issn"}}
    if any(record.ids.get(kind) == value for kind, value in ids.items()):
        return True
    return bool(own.title and record.title) and ratio(record.title, own.title) >= TITLE_FLOOR


def _fields(decided: ContentVerdict, source: Known, world: World) -> dict[str, Any]:
    evidence: dict[str, Any] = {"subtype": decided.subtype} if decided.subtype else {}
    if decided.stop:
        at = place_in(source.text, decided.start, decided.stop, world.opened.get(source.text))
        evidence |= {
            "quote": source.text[decided.start : decided.stop], "source": source.reference.title,
            "start": decided.start, "stop": decided.stop, **at,
        }  # fmt: skip
    held = {"rationale": decided.reason, "evidence": (evidence,) if evidence else ()}
    if decided.label == "undecided":
        return {"unscored": f"{Reason.UNDECIDED.value}:rule", **held}
    return {"label": decided.label, **held}


def _words(found: Finding, rest: str) -> str:
    """Say the status in words; "invented" stands nowhere, and "nonexistent" only where an authority said so."""
    return f"{found.word.replace('_', ' ')}: {rest}" if rest else found.word.replace("_", " ")
