"""A judge of code: whether an answer installs, imports or calls what doesn't exist, beside the static reading."""

from collections.abc import AsyncIterator
from typing import Any

from percuss.core import seeds
from percuss.core.labels import Reason
from percuss.core.messages import Message, Reply, Request, WebSearchRequest
from percuss.core.ports import Model
from percuss.core.prompts import fill, neutralise
from percuss.core.records import Claim, Response, Verdict
from percuss.judging.judge import last_object
from percuss.judging.passes import rated
from percuss.text.quotes import locate

__all__ = ["CODE_ASPECT", "KINDS", "code_verdicts"]

CODE_ASPECT = "code"
KINDS = ("install", "import", "call")
TOKENS = 900
_WORD = {"type": "string", "enum": ["yes", "no", "n/a"]}
_FAULT = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("kind", "quote", "evidence")},
    "required": ["kind", "quote", "evidence"],
    "additionalProperties": False,
}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "reason": {"type": "string"}, **dict.fromkeys(KINDS, _WORD), "faults": {"type": "array", "items": _FAULT},
    },
    "required": ["reason", *KINDS, "faults"],
    "additionalProperties": False,
}  # fmt: skip


async def code_verdicts(
    response: Response,
    findings: list[Claim],
    judge: Model,
    prompt: str,
    *,
    seed: int,
    passes: int,
    searches: bool,
) -> AsyncIterator[Verdict]:
    """Yield whether the code of a conversation uses what doesn't exist, of each pass of a judge.

    Args:
        response: of a coding question. findings: of the static reading, which the judge is shown.
        judge: who judges. prompt: template. seed: root seed. passes: of the judge.
        searches: the judge has a web search of its own, as the paper's has.
    """
    listed = "\n".join(
        f"{each.payload['finding']['kind']} {each.payload['finding']['name']}: {each.payload['finding']['status']}"
        for each in findings
    )
    fields = {"answer": neutralise(response.text), "findings": neutralise(listed or "nothing could be read")}
    made = WebSearchRequest if searches else Request
    request = made(
        messages=(Message.of("user", fill(prompt, fields)),), max_tokens=TOKENS,
        seed=seeds.derive(seed, "judge", judge.id), reply_schema=SCHEMA,
    )  # fmt: skip
    whose = {"subject": response.id, "response_id": response.id, "aspect": CODE_ASPECT}
    async for verdict in rated(
        judge, request, lambda reply: _read(reply, response.text), passes=passes, **whose
    ):
        yield verdict


def _read(reply: Reply, answer: str) -> dict[str, Any]:
    """Read a reply: a fault counts where the words that it quotes stand in the answer."""
    found = last_object(reply.text, "install")
    if found is None:
        cut = "truncated" if reply.finish == "length" else "parse"
        return {"unscored": f"{Reason.UNPARSABLE.value}:{cut}", "rationale": reply.text[:500]}
    words = {kind: str(found.get(kind, "")).strip().casefold() for kind in KINDS}
    if any(word not in {"yes", "no", "n/a"} for word in words.values()):
        return {"unscored": f"{Reason.UNPARSABLE.value}:label", "rationale": reply.text[:500]}
    listed = found.get("faults")
    faults = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    standing = [
        {
            "kind": str(each.get("kind")),
            "quote": str(each.get("quote")),
            "evidence": str(each.get("evidence")),
        }
        for each in faults
        if locate(str(each.get("quote") or ""), answer) is not None
    ]
    said = {"rationale": str(found.get("reason") or ""), "evidence": ({"kinds": words}, *standing)}
    if "yes" in words.values():
        shown = {fault["kind"] for fault in standing}
        if not any(word == "yes" and kind in shown for kind, word in words.items()):
            return {"unscored": Reason.INVALID_QUOTE.value, **said}
        return {"label": "hallucinated", **said}
    if set(words.values()) == {"n/a"}:
        return {"unscored": f"{Reason.NOT_CHECKABLE.value}:code", **said}
    return {"label": "clean", **said}
