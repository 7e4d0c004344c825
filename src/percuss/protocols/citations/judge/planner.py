"""What to look for next: by rule where there is no model, else by a model and a prompt file."""

import json

from percuss.core.errors import ModelError, OverBudget
from percuss.core.messages import Message, Request
from percuss.core.ports import Hit, Model
from percuss.core.prompts import fill, neutralise
from percuss.engine.journal import key_of
from percuss.judging.judge import last_object
from percuss.protocols.citations.references.compare import TITLE_FLOOR
from percuss.protocols.citations.references.titles import ratio
from percuss.protocols.citations.sources.gather import HTML_PICKS, PDF_PICKS, Gathered, Step, Wanted
from percuss.protocols.citations.sources.passages import select
from percuss.protocols.citations.sources.queries import offline_queries, same_query

__all__ = ["ModelPlanner", "RulePlanner"]

LIKE = 0.6
"""Title ratio from which a result is worth reading in full without a model's word."""
_SHOWN_WORDS, _SNIPPET, _TOKENS = 600, 400, 400
_SCHEMA = {
    "type": "object",
    "properties": {
        "enough": {"type": "boolean"},
        "reason": {"type": "string", "maxLength": 300},
        "query": {"type": "string", "maxLength": 300},
        "picks": {"type": "array", "items": {"type": "integer"}, "maxItems": 10},
    },
    "required": ["enough", "reason", "query", "picks"],
    "additionalProperties": False,
}


class RulePlanner:
    """Identifier, title where that brought nothing like the source, the description, then both; reads what looks like the source.

    Args:
        reads: pick results to be read in full; False searches alone.
    """

    def __init__(self, *, reads: bool = True) -> None:
        self._reads = reads

    async def step(self, wanted: Wanted, so_far: Gathered, rounds_left: int) -> Step:
        """Return the next query that was not put, and the results that look like the source."""
        del rounds_left
        located = any(_looks_like(wanted, hit) for hit in so_far.hits)
        queries = offline_queries(wanted.cited, wanted.description, located=located)
        left = [query for query in queries if not any(same_query(query, each) for each in so_far.queries)]
        picks = tuple(self._picked(wanted, so_far)) if self._reads else ()
        return Step(
            enough=bool(picks) and not left, reason="by rule", query=left[0] if left else "", picks=picks
        )

    def _picked(self, wanted: Wanted, so_far: Gathered) -> list[int]:
        cited = wanted.cited
        ids = [value.lower() for value in cited.ids.values()]
        scored = []
        for place, hit in enumerate(so_far.hits):
            if (
                hit.url in so_far.failures
            ):  # else the links that failed would keep a copy that can be read from its turn
                continue
            own = any(value in hit.url.lower() for value in ids)
            score = 2.0 if own else ratio(cited.title or cited.raw, hit.title)
            if score >= LIKE:
                scored.append((-score, place))
        return [place for _, place in sorted(scored)][: HTML_PICKS + PDF_PICKS]


def _looks_like(wanted: Wanted, hit: Hit) -> bool:
    """Say whether a result is titled as the source; where either has no title, whether its address holds the identifier."""
    cited = wanted.cited
    if cited.title and hit.title:
        return ratio(cited.title, hit.title) >= TITLE_FLOOR
    return any(value.lower() in hit.url.lower() for value in cited.ids.values())


class ModelPlanner:
    """A model plans.

    Args:
        model: who plans. prompt: template. system: system message. seed: of the requests.
        reads: pick results to be read in full; False searches alone.

    A reply that can't be read, a call that failed, and one that has enough before anything was searched fall back to the
    rule for that round.
    """

    def __init__(self, model: Model, prompt: str, *, system: str, seed: int, reads: bool = True) -> None:
        self._model, self._prompt, self._system, self._seed = model, prompt, system, seed
        self._reads = reads
        self._rule = RulePlanner(reads=reads)
        self.tokens = 0
        self.calls: list[str] = []

    async def step(self, wanted: Wanted, so_far: Gathered, rounds_left: int) -> Step:
        """Ask the model for the next step."""
        request = await self._request(wanted, so_far, rounds_left)
        self.calls.append(key_of(self._model, request, 0))
        try:
            reply = await self._model.generate(request)
        except OverBudget:
            raise
        except ModelError:
            return await self._rule.step(wanted, so_far, rounds_left)
        self.tokens += reply.tokens_in + reply.tokens_out
        found = last_object(reply.text, "enough")
        nothing_yet = not so_far.queries
        if found is None or (nothing_yet and (found.get("enough") is True or not found.get("query"))):
            return await self._rule.step(wanted, so_far, rounds_left)
        listed = found.get("picks") or ()
        picks = (
            tuple(int(each) - 1 for each in listed if str(each).strip().isdigit())
            if isinstance(listed, list)
            else ()
        )
        return Step(
            enough=found.get("enough") is True, reason=str(found.get("reason") or ""),
            query=str(found.get("query") or "").strip()[:300], picks=picks if self._reads else (),
        )  # fmt: skip

    async def _request(self, wanted: Wanted, so_far: Gathered, rounds_left: int) -> Request:
        query = f"{_named(wanted)} {wanted.description}"
        passages = await select(query, so_far.texts, budget=_SHOWN_WORDS)
        fields = {
            "reference": _named(wanted),
            "description": wanted.description,
            "results": shown_results(so_far) or "none yet",
            "texts": "\n\n".join(f"[{each.source}] {each.text}" for each in passages) or "none yet",
            "rounds_left": str(rounds_left),
            "html": str(HTML_PICKS if self._reads else 0),
            "pdf": str(PDF_PICKS if self._reads else 0),
        }
        safe = {name: neutralise(text) for name, text in fields.items()}
        messages = (Message.of("system", self._system), Message.of("user", fill(self._prompt, safe)))
        return Request(messages=messages, max_tokens=_TOKENS, seed=self._seed, reply_schema=_SCHEMA)


def _named(wanted: Wanted) -> str:
    cited = wanted.cited
    return cited.raw or cited.title or json.dumps(cited.ids, sort_keys=True)


def shown_results(so_far: Gathered) -> str:
    """Return the results as a numbered list, with what could not be read marked by its kind of failure."""
    rows = []
    for number, hit in enumerate(so_far.hits, start=1):
        state = "read" if hit.url in so_far.documents else so_far.failures.get(hit.url, "")
        mark = f" [{state}]" if state else ""
        rows.append(f"{number}. {hit.title}{mark}\n   {hit.url}\n   {' '.join(hit.text.split())[:_SNIPPET]}")
    return "\n".join(rows)
