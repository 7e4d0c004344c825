"""The other side of the chat-completions format: what a server reads and writes."""

import base64
import binascii
from typing import Any

from percuss.core.errors import BadInput
from percuss.core.ids import b2
from percuss.core.messages import (
    Blob,
    EffortRequest,
    Finish,
    Image,
    Message,
    NextTokenRequest,
    Part,
    Reply,
    Request,
    Text,
    Tool,
    ToolCall,
    ToolResult,
    WebSearchRequest,
)
from percuss.models.wire import write_request

__all__ = ["Images", "body_key", "read_request", "request_key", "write_reply"]

_REASONS: dict[Finish, str] = {
    "stop": "stop",
    "length": "length",
    "tool": "tool_calls",
    "refused": "content_filter",
}


class Images:
    """Images by digest, in memory: the blobs of the server's side, and of tests."""

    def __init__(self) -> None:
        self._blobs: dict[str, Blob] = {}

    def __len__(self) -> int:
        return len(self._blobs)

    def get(self, digest: str) -> Blob:
        """Return the image, or raise `KeyError`."""
        return self._blobs[digest]

    def put(self, blob: Blob) -> None:
        """Keep the image."""
        self._blobs[blob.digest] = blob

    def all(self) -> tuple[Blob, ...]:
        """Return all images in the order in which they came."""
        return tuple(self._blobs.values())


def body_key(body: dict[str, Any]) -> str:
    """Return the content hash of a request's body, the same under both names of the token limit."""
    plain = dict(body)
    if "max_completion_tokens" in plain:
        plain["max_tokens"] = plain.pop("max_completion_tokens")
    return b2(plain)


def request_key(request: Request, model: str, *, blobs: Images | None = None) -> str:
    """Return the key under which a server counts a request, when nothing was left out on the way.

    Args:
        request: what the model sees.
        model: name that the server knows.
        blobs: images of the request.
    """
    return body_key(write_request(request, model, blobs=blobs))


def read_request(body: dict[str, Any], images: Images) -> Request:
    """Return the request that a body holds; its images go into `images`.

    Raises:
        BadInput: not of the format.
    """
    try:
        schema = (body.get("response_format") or {}).get("json_schema") or {}
        kind = NextTokenRequest if body.get("top_logprobs") else Request
        kind = WebSearchRequest if "web_search_options" in body else kind
        extra: dict[str, Any] = (
            {"top_logprobs": int(body["top_logprobs"])} if body.get("top_logprobs") else {}
        )
        if "reasoning_effort" in body:
            kind, extra = EffortRequest, {"effort": str(body["reasoning_effort"])}
        return kind(
            **extra,
            messages=tuple(_message(message, images) for message in body["messages"]),
            temperature=float(body.get("temperature", 1.0)),
            top_p=float(body.get("top_p", 1.0)),
            max_tokens=int(body.get("max_completion_tokens") or body.get("max_tokens") or 800),
            seed=body.get("seed"),
            stop=tuple(body.get("stop") or ()),
            tools=tuple(Tool(**tool["function"]) for tool in body.get("tools") or ()),
            reply_schema=schema.get("schema"),
            logprobs=bool(body.get("logprobs")),
        )
    except (KeyError, TypeError, ValueError, AttributeError, binascii.Error) as error:
        raise BadInput(
            f"the request cannot be read ({error}); expected the chat-completions format"
        ) from None


def _message(message: dict[str, Any], images: Images) -> Message:
    role = message["role"]
    content = message.get("content")
    if role == "tool":
        return Message(role=role, parts=(ToolResult(id=message["tool_call_id"], content=content or ""),))
    parts: list[Part] = []
    if isinstance(content, str):
        parts.append(Text(text=content))
    else:
        parts.extend(_part(part, images) for part in content or ())
    for call in message.get("tool_calls") or ():
        function = call["function"]
        parts.append(ToolCall(id=call["id"], name=function["name"], arguments=function["arguments"]))
    return Message(role=role, parts=tuple(parts))


def _part(part: dict[str, Any], images: Images) -> Part:
    if part["type"] == "text":
        return Text(text=part["text"])
    url = part["image_url"]["url"]
    head, comma, data = url.partition(";base64,")
    if not comma or not head.startswith("data:"):
        raise ValueError("an image that is no base64 data URL")
    blob = Blob.of(base64.b64decode(data, validate=True), head.removeprefix("data:"))
    images.put(blob)
    return Image(digest=blob.digest, media_type=blob.media_type)


def write_reply(reply: Reply, model: str, *, tokens_in: int) -> dict[str, Any]:
    """Return the body of an answer.

    Args:
        reply: what is answered.
        model: name to answer under.
        tokens_in: prompt tokens where the reply doesn't say.
    """
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call in reply.tool_calls
    ]
    message: dict[str, Any] = {
        "role": "assistant",
        "content": reply.text if reply.text or not calls else None,
    }
    if calls:
        message["tool_calls"] = calls
    choice: dict[str, Any] = {"index": 0, "message": message, "finish_reason": _REASONS[reply.finish]}
    if reply.logprobs is not None:
        choice["logprobs"] = {"content": list(reply.logprobs)}
    prompt, completion = reply.tokens_in or tokens_in, reply.tokens_out or len(reply.text.split())
    return {
        "id": "chatcmpl-loopback",
        "object": "chat.completion",
        "created": 0,
        "model": reply.served_model or model,
        "system_fingerprint": reply.fingerprint or "loopback",
        "choices": [choice],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
        },
    }
