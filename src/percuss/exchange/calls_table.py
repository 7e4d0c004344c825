"""What was sent, as a flat table: one row per call and answer that it was made for."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from percuss.core.labels import CERTIFICATE
from percuss.core.messages import Reply
from percuss.store.run import RunStore
from percuss.store.sent import CACHED, Sent, sent

__all__ = ["call_rows", "calls_of", "messages_in", "reply_in_words"]


def calls_of(store: RunStore, scoring: str, response: str | None = None) -> tuple[Sent, ...]:
    """Return the calls of asking and of the latest check.

    Args:
        store: the run. scoring: whose verdicts name their calls. response: id of one answer; None: of all.
    """
    return store.read(lambda db: tuple(sent(db, scoring, CERTIFICATE, response)))


def call_rows(store: RunStore, scoring: str, *, text: bool = True) -> Iterator[dict[str, Any]]:
    """Yield one row per call and answer that it was made for.

    Args:
        store: the run. scoring: whose verdicts name their calls. text: False leaves messages, tools and replies out.
    """
    simulated = store.view(scoring).simulated
    for call in calls_of(store, scoring):
        request = call.request["request"]
        yield {
            "model": call.model,
            "simulated": call.model in simulated,
            "case_id": call.case_id,
            "arm": call.arm,
            "epoch": call.epoch,
            "response_id": call.response_id,
            "stage": call.stage,
            "role": call.role,
            "played_by": call.played_by,
            "claims": ";".join(call.subjects),
            "messages": json.dumps(messages_in(request), ensure_ascii=False) if text else None,
            "tools": json.dumps(request.get("tools") or [], ensure_ascii=False) if text else None,
            "reply": reply_in_words(call.reply) if text else None,
            "finish": None if call.reply is None else call.reply.finish,
            "failure": None if call.failure is None else call.failure[0],
            "served_model": "" if call.reply is None else call.reply.served_model,
            "temperature": request.get("temperature"),
            "top_p": request.get("top_p"),
            "max_tokens": request.get("max_tokens"),
            "seed": request.get("seed"),
            "tokens_in": call.tokens_in,
            "tokens_out": call.tokens_out,
            "cost_usd": call.cost_usd,
            "latency_s": call.latency_s,
            "attempts": call.attempts,
            "from_cache": call.attempts == CACHED,
            "finished_at": call.finished_at,
            "key": call.key,
        }


def messages_in(request: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the messages of a request as it is kept: role and words, images and tools by what they are.

    Args:
        request: as the journal keeps it.
    """
    return [
        {"role": str(message["role"]), "text": "\n".join(filter(None, map(_part, message["parts"])))}
        for message in request.get("messages", ())
    ]


def _part(part: Mapping[str, Any]) -> str:
    kind = part.get("type")
    if kind == "image":
        return f"[image {str(part.get('digest', ''))[:12]}]"
    if kind == "tool_call":
        return f"[calls {part.get('name')}: {part.get('arguments')}]"
    return str(part.get("content" if kind == "tool_result" else "text", ""))


def reply_in_words(reply: Reply | None) -> str | None:
    """Return what came back: its text, and the tools that it calls.

    Args:
        reply: None where the call failed.
    """
    if reply is None:
        return None
    calls = [f"[calls {call.name}: {call.arguments}]" for call in reply.tool_calls]
    return "\n".join(filter(None, [reply.text, *calls]))
