"""What was sent, as a flat table: one row per call and answer that it was made for."""

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from percuss.core.labels import CERTIFICATE
from percuss.core.messages import Reply
from percuss.store.run import RunStore
from percuss.store.sent import CACHED, Sent, count_sent, sent

__all__ = ["SHOWN", "call_rows", "calls_of", "messages_in", "reply_in_words", "shown_calls"]

SHOWN = 2_000
"""Calls that a report carries, so that it stays small; `percuss export --table calls` writes all."""


def calls_of(
    store: RunStore, scoring: str, stage: str | None = None, most: int | None = None
) -> tuple[Sent, ...]:
    """Return the calls of asking and of the latest check.

    Args:
        store: the run. scoring: whose verdicts name their calls. stage: ask or check; None: both.
        most: the first so many; None: all.
    """
    return store.read(lambda db: tuple(islice(sent(db, scoring, CERTIFICATE, stage), most)))


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


def shown_calls(store: RunStore, scoring: str, most: int = SHOWN) -> dict[str, Any]:
    """Return the calls that a report's reader shows, those of asking first, each text once.

    Args:
        store: the run. scoring: whose verdicts name their calls. most: calls at the most.

    Returns:
        `texts`: every message and reply once; `calls`: rows that point at them; `left`: how many more there are.
    """
    asked = calls_of(store, scoring, "ask", most)
    calls = (*asked, *calls_of(store, scoring, "check", most - len(asked)))
    texts: dict[str, int] = {}
    rows = [_shown(call, texts) for call in calls]
    return {
        "texts": list(texts),
        "calls": rows,
        "left": max(0, store.read(count_sent, CERTIFICATE) - len(rows)),
    }


def _shown(call: Sent, texts: dict[str, int]) -> dict[str, Any]:
    def held(text: str) -> int:
        return texts.setdefault(text, len(texts))

    request = call.request["request"]
    failed = None if call.failure is None else f"{call.failure[0]}: {call.failure[1]}"
    return {
        "case": call.case_id, "arm": call.arm, "model": call.model, "epoch": call.epoch, "stage": call.stage,
        "role": call.role, "by": call.played_by, "claims": list(call.subjects),
        "messages": [[one["role"], held(one["text"])] for one in messages_in(request)],
        "tools": [held(json.dumps(tool, ensure_ascii=False)) for tool in request.get("tools") or ()],
        "reply": held(reply_in_words(call.reply) or failed or ""), "failed": failed is not None,
        "tokens": [call.tokens_in, call.tokens_out], "seconds": round(call.latency_s, 3), "attempts": call.attempts,
        "made": call.finished_at, "usd": call.cost_usd,
    }  # fmt: skip
