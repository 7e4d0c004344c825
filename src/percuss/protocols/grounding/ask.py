"""Ask the model under test: one call, or a short tool loop where a literature search is offered."""

import re
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from percuss.core.errors import FetchError
from percuss.core.ids import canonical_json
from percuss.core.ports import Roles
from percuss.core.records import Message, Posed, ToolCall, Transcript
from percuss.evidence.literature import topics
from percuss.kit.agent import with_tools
from percuss.protocols.grounding.options import GroundingOptions

__all__ = ["ask", "wants_literature"]

ROUNDS = 3  # searches that a model may make before it has to answer
HITS = 3
_WANTS = re.compile(
    r"\b(?:pubmed|literature|publications?|published (?:findings?|evidence|stud(?:y|ies)))\b", re.IGNORECASE
)


async def ask(posed: Posed, roles: Roles, options: GroundingOptions) -> Transcript:
    """Put a pose to the model under test (T 0.2, top_p 1, 800 tokens: papers/0 Appendix Q).

    Args:
        posed: messages, and the search tool where it is offered.
        roles: `models["model"]`; `search` for the tool, the offline notes where there is none.
        options: the request policy.
    """
    queries: list[str] = []

    async def use(call: ToolCall) -> str:
        return await _search(call.arguments, roles, queries)

    transcript = await with_tools(posed, roles, options, use, rounds=ROUNDS)
    if not posed.tools:
        return transcript
    retrieval = {"called": bool(queries), "queries": queries, "gate": wants_literature(posed.messages)}
    return replace(transcript, artifacts={"retrieval": retrieval})


def wants_literature(messages: Sequence[Message]) -> bool:
    """Return whether a prompt asks for literature in so many words: the paper's keyword gate (papers/0 section 3).

    Args:
        messages: of a request; only the user's count.
    """
    return any(message.role == "user" and _WANTS.search(message.text) for message in messages)


async def _search(arguments: str, roles: Roles, queries: list[str]) -> str:
    try:
        query = str(msgspec.json.decode(arguments)["query"])
    except (msgspec.DecodeError, KeyError, TypeError):
        return '{"error": "give a JSON object with the key query"}'
    queries.append(query)
    try:
        hits = await (roles.search or topics()).search(query, k=HITS)
    except FetchError as error:
        return canonical_json({"error": str(error)}).decode()
    found = [{"id": hit.id, "title": hit.title, "text": hit.text} for hit in hits]
    return canonical_json({"results": found}).decode()
