"""Requests and replies in the chat-completions format, and back."""

import base64
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from percuss.core.errors import BadReply, Refused
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
    ToolCall,
    ToolResult,
    WebSearchRequest,
)
from percuss.core.ports import Blobs

__all__ = ["ImageUrl", "data_url", "has_images", "read_reply", "write_request"]

ImageUrl = Callable[[Blob], str]

_FINISH: dict[str, Finish] = {
    "stop": "stop",
    "eos": "stop",
    "end_turn": "stop",
    "length": "length",
    "max_tokens": "length",
    "tool_calls": "tool",
    "function_call": "tool",
    "tool_use": "tool",
}
_FILTERED = frozenset({"content_filter", "safety", "refusal", "recitation", "prohibited_content"})


def data_url(blob: Blob) -> str:
    """Return an image as a base64 data URL."""
    return f"data:{blob.media_type};base64,{base64.b64encode(blob.data).decode('ascii')}"


def has_images(request: Request) -> bool:
    """Say whether any message carries an image."""
    return any(isinstance(part, Image) for message in request.messages for part in message.parts)


def write_request(
    request: Request,
    model: str,
    *,
    blobs: Blobs | None,
    image_url: ImageUrl = data_url,
    limit_name: str = "max_tokens",
) -> dict[str, Any]:
    """Return the body of a chat-completions request.

    Args:
        request: what the model sees.
        model: name that the server knows.
        blobs: where the images' bytes are; None when the request has none.
        image_url: how an image is written; a server on this machine may take file URLs.
        limit_name: name of the parameter that bounds the answer.

    Raises:
        KeyError: an image whose bytes are not kept.
    """
    body: dict[str, Any] = {
        "model": model,
        "messages": [wired for message in request.messages for wired in _messages(message, blobs, image_url)],
        "temperature": request.temperature,
        "top_p": request.top_p,
        limit_name: request.max_tokens,
    }
    return {**body, **_settings(request)}


def _settings(request: Request) -> dict[str, Any]:
    """Return the parameters that are sent only when they were asked for."""
    body: dict[str, Any] = {}
    if request.seed is not None:
        body["seed"] = request.seed
    if request.stop:
        body["stop"] = list(request.stop)
    if request.tools:
        body["tools"] = [
            {"type": "function", "function": msgspec.to_builtins(tool)} for tool in request.tools
        ]
    if request.reply_schema is not None:
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "reply", "strict": True, "schema": request.reply_schema},
        }
    if request.logprobs:
        body["logprobs"] = True
    if isinstance(request, NextTokenRequest):
        body["top_logprobs"] = request.top_logprobs
    if isinstance(request, WebSearchRequest):
        body["web_search_options"] = {}
    if isinstance(request, EffortRequest):
        body["reasoning_effort"] = request.effort
    return body


def _messages(message: Message, blobs: Blobs | None, image_url: ImageUrl) -> Iterator[dict[str, Any]]:
    """Yield one wire message, or one a tool result: the format has a message for each."""
    rest = [part for part in message.parts if not isinstance(part, ToolResult)]
    for part in message.parts:
        if isinstance(part, ToolResult):
            yield {"role": "tool", "tool_call_id": part.id, "content": part.content}
    if rest:
        yield _message(message.role, rest, blobs, image_url)


def _message(role: str, parts: Sequence[Part], blobs: Blobs | None, image_url: ImageUrl) -> dict[str, Any]:
    calls = [part for part in parts if isinstance(part, ToolCall)]
    shown = [part for part in parts if isinstance(part, Text | Image)]
    wired: dict[str, Any] = {"role": role}
    if all(isinstance(part, Text) for part in shown):
        text = "".join(part.text for part in shown if isinstance(part, Text))
        wired["content"] = text if text or not calls else None
    else:
        wired["content"] = [_content(part, blobs, image_url) for part in shown]
    if calls:
        wired["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in calls
        ]
    return wired


def _content(part: Text | Image, blobs: Blobs | None, image_url: ImageUrl) -> dict[str, Any]:
    if isinstance(part, Text):
        return {"type": "text", "text": part.text}
    if blobs is None:
        raise KeyError(part.digest)
    return {"type": "image_url", "image_url": {"url": image_url(blobs.get(part.digest))}}


def read_reply(body: Any) -> Reply:
    """Return the reply that a chat-completions answer holds.

    Raises:
        Refused: the provider's filter or the model's refusal field.
        BadReply: not of the format, or empty.
    """
    try:
        choice = body["choices"][0]
        message = choice["message"]
        reason = str(choice.get("finish_reason") or "stop").lower()
        refusal = message.get("refusal")
        content = _texts(message.get("content"))
        calls = tuple(_call(call, index) for index, call in enumerate(message.get("tool_calls") or ()))
        usage = body.get("usage") or {}
        logprobs = (choice.get("logprobs") or {}).get("content")
        reply = Reply(
            parts=((Text(text=content),) if content else ()) + calls,
            finish="tool" if calls and reason != "length" else _FINISH.get(reason, "stop"),
            served_model=str(body.get("model") or ""),
            fingerprint=str(body.get("system_fingerprint") or ""),
            tokens_in=int(usage.get("prompt_tokens") or 0),
            tokens_out=int(usage.get("completion_tokens") or 0),
            logprobs=tuple(logprobs) if logprobs else None,
        )
    except (KeyError, IndexError, TypeError, AttributeError, ValueError, OverflowError) as error:
        raise BadReply(
            f"the reply has no readable choices[0].message ({type(error).__name__}); expected the "
            "chat-completions format; check the base URL"
        ) from None
    _refuse_empty(reply, reason, refusal)
    return reply


def _refuse_empty(reply: Reply, reason: str, refusal: Any) -> None:
    """Raise what a reply without an answer in it deserves."""
    if reason in _FILTERED:
        raise Refused(f"the provider's filter withheld the answer (finish reason {reason})")
    if refusal:
        raise Refused(f"the model refused: {str(refusal)[:200]}")
    if not reply.tool_calls and not reply.text.strip():
        cut = (
            "; all tokens went before the answer began: raise --max-tokens"
            if reply.finish == "length"
            else ""
        )
        raise BadReply(f"the reply is empty (finish reason {reason}){cut}")


def _texts(content: Any) -> str:
    """Join a content that is text, null or a list of parts; parts that aren't text (thinking) are left out."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    return "".join(part["text"] for part in content if part.get("type", "text") in ("text", "output_text"))


def _call(call: dict[str, Any], index: int) -> ToolCall:
    function = call["function"]
    arguments = function.get("arguments")
    if not isinstance(arguments, str):
        # Some servers send the arguments as an object.
        arguments = msgspec.json.encode(arguments or {}).decode()
    return ToolCall(
        id=str(call.get("id") or f"call_{index}"), name=str(function["name"]), arguments=arguments
    )
