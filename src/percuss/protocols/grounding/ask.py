"""Ask the model under test: one call, or a short tool loop where a literature search is offered."""

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from percuss.core.errors import FetchError
from percuss.core.ids import canonical_json
from percuss.core.ports import Roles
from percuss.core.records import Message, Posed, Reply, Request, ToolResult, Transcript, Turn
from percuss.evidence.literature import topics
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
    messages = list(posed.messages)
    turns: list[Turn] = []
    queries: list[str] = []
    reply = await _generate(messages, posed, roles, options)
    for _ in range(ROUNDS):
        if not (posed.tools and reply.tool_calls):
            break
        results = [await _search(call.id, call.arguments, roles, queries) for call in reply.tool_calls]
        turns.append(Turn(index=len(turns), role="assistant", parts=reply.parts))
        turns.append(Turn(index=len(turns), role="tool", parts=tuple(results)))
        messages.append(Message(role="assistant", parts=reply.parts))
        messages.append(Message(role="tool", parts=tuple(results)))
        reply = await _generate(messages, posed, roles, options)
    turns.append(Turn(index=len(turns), role="assistant", parts=reply.parts))
    artifacts: dict[str, Any] = {}
    if posed.tools:
        artifacts["retrieval"] = {
            "called": bool(queries),
            "queries": queries,
            "gate": wants_literature(posed.messages),
        }
    return Transcript(turns=tuple(turns), finish=reply.finish, artifacts=artifacts)


def wants_literature(messages: Sequence[Message]) -> bool:
    """Return whether a prompt asks for literature in so many words: the paper's keyword gate (papers/0 section 3).

    Args:
        messages: of a request; only the user's count.
    """
    return any(message.role == "user" and _WANTS.search(message.text) for message in messages)


async def _generate(
    messages: Sequence[Message], posed: Posed, roles: Roles, options: GroundingOptions
) -> Reply:
    model = roles.models["model"]
    request = Request(
        messages=tuple(messages),
        temperature=options.temperature,
        top_p=options.top_p,
        max_tokens=options.max_tokens,
        tools=posed.tools,
        seed=roles.seed,
    )
    return await model.generate(request)


async def _search(call_id: str, arguments: str, roles: Roles, queries: list[str]) -> ToolResult:
    try:
        query = str(msgspec.json.decode(arguments)["query"])
    except (msgspec.DecodeError, KeyError, TypeError):
        return ToolResult(id=call_id, content='{"error": "give a JSON object with the key query"}')
    queries.append(query)
    try:
        hits = await (roles.search or topics()).search(query, k=HITS)
    except FetchError as error:
        return ToolResult(id=call_id, content=canonical_json({"error": str(error)}).decode())
    found = [{"id": hit.id, "title": hit.title, "text": hit.text} for hit in hits]
    return ToolResult(id=call_id, content=canonical_json({"results": found}).decode())
