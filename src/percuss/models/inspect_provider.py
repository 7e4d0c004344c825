"""Any model of Inspect as one of ours, through the extra `inspect`."""

import asyncio
import base64
from importlib.util import find_spec
from typing import Any

import msgspec

from percuss.core.errors import BadReply, BadRequest, Refused, Transient, UsageError
from percuss.core.messages import (
    EffortRequest,
    Finish,
    Image,
    Message,
    Reply,
    Request,
    Text,
    ToolCall,
    ToolResult,
)
from percuss.core.ports import Blobs

__all__ = ["InspectModel"]

_FINISH: dict[str, Finish] = {
    "stop": "stop",
    "max_tokens": "length",
    "model_length": "length",
    "tool_calls": "tool",
}
_TRANSIENT_STATUS = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})


class InspectModel:
    """Asks a model through Inspect's provider; Inspect's own retries are off, the engine's are the only ones.

    Args:
        name: Inspect's name of the model, `openai/gpt-4o`, `hf/..`, `mockllm/model`.
        blobs: where images are kept.
        timeout_s: seconds a call may take.
        model: an Inspect model made elsewhere; None makes it of the name at the first call.
    """

    def __init__(
        self, name: str, *, blobs: Blobs | None = None, timeout_s: float = 120.0, model: Any = None
    ) -> None:
        if find_spec("inspect_ai") is None:
            raise UsageError(
                "models of Inspect need the package inspect-ai; expected the extra `inspect`; "
                "install it by: pip install 'percuss[inspect]'"
            )
        self._name = name
        self._blobs = blobs
        self._timeout_s = timeout_s
        self._model = model

    @property
    def id(self) -> str:
        """`inspect/<name>`."""
        return f"inspect/{self._name}"

    @property
    def pin(self) -> str:
        """Nothing: Inspect decides where its providers are."""
        return "inspect"

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:  # noqa: ARG002 - the port's
        """Ask once.

        Raises:
            Transient, Refused, BadRequest, BadReply: as the provider's failure deserves.
            UsageError: Inspect knows no such model, or the provider's package or key is missing.
        """
        if self._model is None:
            self._model = await asyncio.to_thread(_get_model, self._name)
        messages = [wired for message in request.messages for wired in _messages(message, self._blobs)]
        try:
            output = await asyncio.wait_for(
                self._model.generate(
                    messages, tools=_tools(request), config=_config(request, self._timeout_s), cache=False
                ),
                self._timeout_s,
            )
        except TimeoutError:
            raise Transient(f"{self.id} did not answer within {self._timeout_s:g} s") from None
        except Exception as error:  # noqa: BLE001 - each provider has errors of its own
            raise _named(self.id, error) from None
        return _reply(self.id, output)


def _get_model(name: str) -> Any:
    from inspect_ai.model import get_model

    try:
        return get_model(name, memoize=False)
    except Exception as error:  # noqa: BLE001 - missing package, key or name, each another type
        said = str(error).strip().splitlines()
        raise UsageError(
            f"Inspect cannot make the model {name!r} ({said[0][:160] if said else type(error).__name__}); expected a "
            "name it knows, its package installed and its key set"
        ) from None


def _config(request: Request, timeout_s: float) -> Any:
    from inspect_ai.model import GenerateConfig, ResponseSchema

    config = GenerateConfig(
        temperature=request.temperature,
        top_p=request.top_p,
        max_tokens=request.max_tokens,
        seed=request.seed,
        stop_seqs=list(request.stop) or None,
        logprobs=request.logprobs or None,
        max_retries=0,
        timeout=int(timeout_s),
    )
    if isinstance(request, EffortRequest):
        config.reasoning_effort = request.effort
    if request.reply_schema is not None:
        config.response_schema = ResponseSchema(name="reply", json_schema=_schema(request.reply_schema))
    return config


def _schema(schema: dict[str, Any]) -> Any:
    from inspect_ai.util import JSONSchema

    return JSONSchema.model_validate(schema)


def _tools(request: Request) -> list[Any]:
    from inspect_ai.tool import ToolInfo, ToolParams

    return [
        ToolInfo(
            name=tool.name,
            description=tool.description,
            parameters=ToolParams.model_validate(tool.parameters or {"type": "object"}),
        )
        for tool in request.tools
    ]


def _messages(message: Message, blobs: Blobs | None) -> list[Any]:
    from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageTool, ChatMessageUser
    from inspect_ai.tool import ToolCall as InspectCall

    results = [
        ChatMessageTool(content=part.content, tool_call_id=part.id)
        for part in message.parts
        if isinstance(part, ToolResult)
    ]
    calls = [
        InspectCall(id=part.id, function=part.name, arguments=_arguments(part.arguments))
        for part in message.parts
        if isinstance(part, ToolCall)
    ]
    content = _content(message, blobs)
    if message.role == "tool" or (results and not content):
        return results
    if message.role == "system":
        return [*results, ChatMessageSystem(content=content)]
    if message.role == "assistant":
        return [*results, ChatMessageAssistant(content=content, tool_calls=calls or None)]
    return [*results, ChatMessageUser(content=content)]


def _content(message: Message, blobs: Blobs | None) -> Any:
    from inspect_ai.model import ContentImage, ContentText

    if not any(isinstance(part, Image) for part in message.parts):
        return message.text
    content: list[Any] = []
    for part in message.parts:
        if isinstance(part, Text):
            content.append(ContentText(text=part.text))
        elif isinstance(part, Image):
            if blobs is None:
                raise KeyError(part.digest)
            data = base64.b64encode(blobs.get(part.digest).data).decode("ascii")
            content.append(ContentImage(image=f"data:{part.media_type};base64,{data}"))
    return content


def _arguments(text: str) -> dict[str, Any]:
    try:
        value = msgspec.json.decode(text)
    except msgspec.DecodeError:
        return {}
    return value if isinstance(value, dict) else {}


def _reply(model: str, output: Any) -> Reply:
    if output.error:
        raise BadReply(f"{model} failed: {str(output.error)[:200]}")
    if not output.choices:
        raise BadReply(f"{model} gave an empty reply")
    reason = output.stop_reason
    if reason == "content_filter":
        raise Refused(f"the content filter of {model} withheld the answer")
    message = output.choices[0].message
    calls = tuple(
        ToolCall(
            id=call.id,
            name=call.function,
            arguments=msgspec.json.encode(call.arguments).decode(),
        )
        for call in message.tool_calls or ()
    )
    text = message.text
    if not calls and not text.strip():
        raise BadReply(f"{model} gave an empty reply (stop reason {reason})")
    usage = output.usage
    logprobs = output.choices[0].logprobs
    return Reply(
        parts=((Text(text=text),) if text else ()) + calls,
        finish="tool" if calls else _FINISH.get(reason, "stop"),
        served_model=output.model or "",
        tokens_in=usage.input_tokens if usage else 0,
        tokens_out=usage.output_tokens if usage else 0,
        logprobs=tuple(entry.model_dump() for entry in logprobs.content) if logprobs else None,
    )


def _named(model: str, error: Exception) -> Exception:
    """Name a provider's exception by its status; its words may hold a key, so only its type is shown."""
    status = getattr(error, "status_code", None) or getattr(error, "code", None)
    kind = type(error).__name__
    if status in _TRANSIENT_STATUS or "Connection" in kind or "Timeout" in kind:
        return Transient(f"{model} failed for now ({kind})")
    if status == 401:
        return UsageError(f"{model} rejects the key (401); expected a valid one in the provider's variable")
    if isinstance(status, int) and 400 <= status < 500:
        return BadRequest(f"{model} rejected the request ({status} {kind})")
    return Transient(f"{model} failed ({kind})")
