"""Three ways of judging a citation, and a fourth judge for what they leave open (papers/2 section 4.3.1 and Figure 5).

full_text        rounds of search, pages read in full, the judge sees passages (the paper's)
snippet          up to five searches, titles and extracts alone, nothing is opened
provider_search  a model with its own web search; the pages that it names are opened to verify its quote
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from percuss.core import seeds
from percuss.core.errors import FetchError, ModelError, OverBudget, Refused
from percuss.core.labels import Reason
from percuss.core.messages import Message, Reply, Request, WebSearchRequest
from percuss.core.ports import Embedder, Fetch, Model, Search
from percuss.core.prompts import fill, neutralise
from percuss.core.records import Claim, Verdict
from percuss.engine.journal import key_of
from percuss.protocols.citations.aspects import REFERENCE, SUPPORT
from percuss.protocols.citations.judge.planner import ModelPlanner
from percuss.protocols.citations.judge.verdict import (
    INSUFFICIENT,
    Judged,
    by_what_was_shown,
    derived,
    read_judged,
    schema,
)
from percuss.protocols.citations.references.record import Known
from percuss.protocols.citations.references.status import Finding
from percuss.protocols.citations.sources.gather import ROUNDS, Gathered, Wanted, gather
from percuss.protocols.citations.sources.opened import page_text
from percuss.protocols.citations.sources.passages import Passage, blocks, select
from percuss.protocols.citations.sources.queries import PER_QUERY
from percuss.text.documents.page import PageText

__all__ = ["STRATEGIES", "Judging", "Question"]

STRATEGIES = ("full_text", "snippet", "provider_search")
TOKENS = 900


@dataclass(frozen=True)
class Question:
    """One claim put to a judge.

    Args:
        claim: of the response. wanted: its reference and description. sentence: as it stands in the answer.
        finding: of the checks that were made before. held: address -> record of the corpus.
    """

    claim: Claim
    wanted: Wanted
    sentence: str
    finding: Finding
    held: Mapping[str, Known] = field(default_factory=dict)


@dataclass(frozen=True)
class Shown:
    """What a judge is shown: passages, how they came about, the planner's tokens and the keys of its calls."""

    passages: tuple[Passage, ...]
    gathered: Gathered = field(default_factory=Gathered)
    tokens: int = 0
    calls: tuple[str, ...] = ()


@dataclass(frozen=True)
class Judging:
    """Judges citations.

    Args:
        judge: who judges; planner: who plans its searches; fallback: who is asked what the judge leaves open, or None.
        strategy: one of `STRATEGIES`. prompts: name -> text of the prompt files. seed: root seed. passes: of the judge.
        search, fetch, embedder: None where the run has none.
    """

    judge: Model
    planner: Model
    fallback: Model | None
    strategy: str
    prompts: Mapping[str, str]
    seed: int
    passes: int
    search: Search | None = None
    fetch: Fetch | None = None
    embedder: Embedder | None = None

    async def verdicts(self, question: Question) -> AsyncIterator[Verdict]:
        """Yield reference, content and support of a claim, of each pass of the judge."""
        shown = await self._shown(question)
        bytes_of = {url: each.digest for url, each in shown.gathered.documents.items() if each.digest}
        request = self._request(question, shown)
        for k in range(1, self.passes + 1):
            judged, fields, tokens = await self._asked(self.judge, request, k)
            passages: Sequence[Passage] = shown.passages
            if isinstance(judged, Judged) and self.strategy == "provider_search":
                passages = await self._opened(judged, bytes_of)
            elif isinstance(judged, Judged) and self.strategy == "full_text":
                judged = by_what_was_shown(judged, passages)
            own = [*shown.calls, key_of(self.judge, request, k)]
            note: dict[str, Any] = {**self._note(shown), "tokens": shown.tokens + tokens, "calls": own}
            if isinstance(judged, Judged) and judged.undecided:
                judged, passages, fields, note = await self._fallen(
                    question, judged, passages, k, note, bytes_of
                )
            whose: dict[str, Any] = {
                "subject": question.claim.id, "response_id": question.claim.response_id, "rater": f"judge:{self.judge.id}#{k}",
                "call": key_of(self.judge, request, k),
            }  # fmt: skip
            if isinstance(judged, Judged):
                # An opened page before the abstract of a record: there the quote can be read in its place.
                ordered = sorted(passages, key=lambda each: each.source not in bytes_of)
                made = derived(judged, ordered, described=bool(question.wanted.description))
            else:
                made = {REFERENCE: fields, SUPPORT: fields}
            for aspect, said in made.items():
                hinges = tuple(_with_bytes(row, bytes_of) for row in said.get("evidence", ()))
                extra = (*hinges, note) if aspect == SUPPORT else hinges
                yield Verdict(**whose, aspect=aspect, **{**said, "evidence": extra})

    async def _shown(self, question: Question) -> Shown:
        """Gather what the judge sees; a model with its own search is shown nothing."""
        if self.strategy == "provider_search":
            return Shown(())
        reads = self.strategy == "full_text"
        seed = seeds.derive(self.seed, "planner", self.planner.id)
        planner = ModelPlanner(
            self.planner, self.prompts["plan"], system=self.prompts["judge_system"], seed=seed, reads=reads
        )
        found = await gather(
            question.wanted,
            planner,
            self.search,
            self.fetch if reads else None,
            held=question.held,
            rounds=ROUNDS,
        )
        if not reads:
            return Shown(_extracts(found), found, planner.tokens, tuple(planner.calls))
        texts = dict(found.texts)
        head, own = own_source(question.finding)
        # The source that the checks already found is always read.
        texts = {**{name: text for name, text in own if name not in texts}, **texts}
        wanted = question.wanted
        query = f"{wanted.cited.raw or wanted.cited.title} {wanted.description}"
        chosen = await select(query, tuple(texts.items()), embedder=self.embedder)
        return Shown((*head, *chosen), found, planner.tokens, tuple(planner.calls))

    def _request(self, question: Question, shown: Shown) -> Request:
        wanted = question.wanted
        fields = {
            "reference": wanted.cited.raw or wanted.cited.title or ", ".join(wanted.cited.ids.values()),
            "description": wanted.description or "(nothing is said of it)",
            "content": question.sentence,
            "passages": _listed(shown.passages) or "(nothing was found)",
            "checks": _checks(question.finding),
            "searches": str(len(shown.gathered.queries)),
        }
        return self._made(
            f"judge_{self.strategy}", fields, self.judge, alone=self.strategy == "provider_search"
        )

    def _made(self, prompt: str, fields: Mapping[str, str], model: Model, *, alone: bool) -> Request:
        safe = {name: neutralise(text) for name, text in fields.items()}
        messages = (
            Message.of("system", self.prompts["judge_system"]),
            Message.of("user", fill(self.prompts[prompt], safe)),
        )
        seed = seeds.derive(self.seed, "judge", model.id)
        made = WebSearchRequest if alone else Request
        return made(messages=messages, max_tokens=TOKENS, seed=seed, reply_schema=schema(addresses=alone))

    async def _asked(
        self, model: Model, request: Request, k: int
    ) -> tuple[Judged | None, dict[str, Any], int]:
        """Ask once; what can't be read, a refusal and an error are reasons, never verdicts."""
        try:
            reply: Reply = await model.generate(request, epoch=k)
        except OverBudget:
            raise
        except ModelError as error:
            reason = Reason.REFUSED if isinstance(error, Refused) else Reason.ERROR
            return None, {"unscored": reason.value, "rationale": str(error)}, 0
        tokens = reply.tokens_in + reply.tokens_out
        if reply.finish == "refused":
            return None, {"unscored": Reason.REFUSED.value, "rationale": reply.text[:500]}, tokens
        judged = read_judged(reply.text)
        if isinstance(judged, str):
            cut = f"{Reason.UNPARSABLE.value}:truncated" if reply.finish == "length" else judged
            return None, {"unscored": cut, "rationale": reply.text[:500]}, tokens
        return judged, {}, tokens

    async def _fallen(
        self, question: Question, judged: Judged, passages: Sequence[Passage], k: int, note: dict[str, Any],
        bytes_of: dict[str, str],
    ) -> tuple[Judged | None, Sequence[Passage], dict[str, Any], dict[str, Any]]:  # fmt: skip
        """Ask the fallback judge, where there is one; else what was left open stays open."""
        if self.fallback is None:
            said = {"unscored": INSUFFICIENT, "rationale": judged.content_reason or judged.reference_reason}
            return (
                (None if judged.reference == "n/a" else judged),
                passages,
                said,
                {**note, "left_open": True},
            )
        earlier = "\n".join((judged.reference_reason, judged.content_reason, _listed(passages)))
        wanted = question.wanted
        fields = {
            "reference": wanted.cited.raw or wanted.cited.title, "description": wanted.description,
            "content": question.sentence, "earlier": earlier,
        }  # fmt: skip
        request = self._made("judge_fallback", fields, self.fallback, alone=True)
        found, said, tokens = await self._asked(self.fallback, request, k)
        calls = [*note["calls"], key_of(self.fallback, request, k)]
        note = {**note, "fallback": self.fallback.id, "left_open": True, "tokens": note["tokens"] + tokens, "calls": calls}  # fmt: skip
        if found is None:
            return None, passages, said, note
        return found, (*passages, *await self._opened(found, bytes_of)), {}, note

    async def _opened(self, judged: Judged, bytes_of: dict[str, str]) -> tuple[Passage, ...]:
        """Read the pages that a searching model relied on, so that its quote can be verified; note their digests."""
        out: list[Passage] = []
        for url in judged.addresses if self.fetch is not None else ():
            try:
                document = await self.fetch.fetch(url)  # type: ignore[union-attr]
            except FetchError:
                continue
            out += blocks(url, page_text(document))
            bytes_of[url] = document.digest
        return tuple(out)

    def _note(self, shown: Shown) -> dict[str, Any]:
        found = shown.gathered
        failed = dict(sorted(found.failures.items())[:10])
        return {
            "strategy": self.strategy, "queries": list(found.queries), "read": sorted(found.documents), "stop": found.stop,
            **({"failed": failed} if failed else {}),
        }  # fmt: skip


def _with_bytes(row: dict[str, Any], bytes_of: Mapping[str, str]) -> dict[str, Any]:
    """Return a hinge with the address and digest of the page in which its quote stands, where one was opened."""
    digest = bytes_of.get(str(row.get("source", "")))
    return {**row, "url": row["source"], "digest": digest} if digest else row


def _extracts(found: Gathered) -> tuple[Passage, ...]:
    shown = found.hits[: ROUNDS * PER_QUERY]
    return tuple(
        Passage(source=hit.url or hit.id, start=0, stop=len(text), text=text)
        for hit in shown
        if (text := f"{hit.title}. {hit.text}"[:1_000])
    )


def own_source(finding: Finding) -> tuple[tuple[Passage, ...], tuple[tuple[str, PageText], ...]]:
    """Return the record that the checks found, as a head, and the text that it carries."""
    known = finding.candidate
    if known is None:
        return (), ()
    record = known.reference
    people = ", ".join(map(str, record.authors[:6]))
    ids = ", ".join(f"{kind}:{value}" for kind, value in sorted(record.ids.items()))
    printed = f"{record.container} {record.year or ''} {record.volume} {record.pages}"
    said = " ".join(f"{record.title}. {people}. {printed}. {ids}".split())
    name = record.ids.get("pel") or record.title or known.source
    head = Passage(source=f"record of {name}", start=0, stop=0, text=said, is_head=True)
    return (head,), ((name, PageText(text=known.text, extractor=known.source)),) if known.text else ()


def _listed(passages: Sequence[Passage]) -> str:
    return "\n\n".join(
        f"[{each.source}{'' if each.page is None else f', page {each.page}'}] {each.text}"
        for each in passages
    )


def _checks(finding: Finding) -> str:
    notes = "; ".join(finding.notes)
    word = finding.word.replace("_", " ")
    return f"{word}{': ' + notes if notes else ''}"
