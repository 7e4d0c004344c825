"""A model behind the chat-completions format: OpenAI, Anthropic, Gemini, OpenRouter, vLLM, Ollama, llama.cpp and kin."""

import asyncio
import re
from typing import Any

import msgspec

from percuss.core.errors import BadReply, BadRequest, Refused, Transient, UsageError
from percuss.core.messages import Reply, Request
from percuss.core.ports import Blobs
from percuss.models.answers import complaint, error_of
from percuss.models.endpoints import Endpoint
from percuss.models.wire import ImageUrl, data_url, has_images, read_reply, write_request
from percuss.net.client import Answer, Client, NetError

__all__ = ["OpenAICompatible"]

# What may be left out when a server says that it doesn't take it. Messages and tools never are.
_OPTIONAL = ("temperature", "top_p", "seed", "stop", "top_logprobs", "logprobs", "response_format")
_TOKEN_LIMITS = ("max_completion_tokens", "max_tokens")


class OpenAICompatible:
    """Asks a model at an endpoint; one attempt a call, retries belong to the engine.

    A parameter that the server says it does not take is left out, for this and all later calls, and recorded in
    `dropped`: parameter -> the reason. Nothing is left out on a guess.

    Args:
        id: the model's identity, `provider/name`.
        name: what the server calls the model.
        endpoint: where it is.
        client: shared HTTP client.
        blobs: where images are kept; None where no request carries any.
        timeout_s: seconds a call may take.
        image_url: how an image is written; default base64 in the request.
    """

    def __init__(
        self,
        *,
        id: str,  # noqa: A002 - the port's own word
        name: str,
        endpoint: Endpoint,
        client: Client,
        blobs: Blobs | None = None,
        timeout_s: float = 120.0,
        image_url: ImageUrl = data_url,
    ) -> None:
        self._id = id
        self._name = name
        self._endpoint = endpoint
        self._client = client
        self._blobs = blobs
        self._timeout_s = timeout_s
        self._image_url = image_url
        self._limit_name = endpoint.limit_name
        self.dropped: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"OpenAICompatible({self._id!r}, host={self._endpoint.host!r})"

    @property
    def id(self) -> str:
        """`provider/name`."""
        return self._id

    @property
    def pin(self) -> str:
        """Host of the base URL."""
        return self._endpoint.host

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:  # noqa: ARG002 - the port's
        """Ask once. `epoch` tells calls apart in the journal; the server is not told.

        Raises:
            Transient, Refused, BadRequest, BadReply: as the answer deserves.
            UsageError: key, account, model name or address are wrong, which no other case would survive either.
        """
        for _ in range(len(_OPTIONAL) + len(_TOKEN_LIMITS)):
            body = await self._body(request)
            answer = await self._post(body)
            if answer.status == 200:
                return read_reply(_decoded(answer))
            if not self._learn(body, answer):
                break
        raise complaint(answer, self._endpoint, self._name)

    async def _body(self, request: Request) -> dict[str, Any]:
        if has_images(request):
            # Base64 of megabytes would hold up the event loop.
            return await asyncio.to_thread(self._written, request)
        return self._written(request)

    def _written(self, request: Request) -> dict[str, Any]:
        body = write_request(
            request,
            self._name,
            blobs=self._blobs,
            image_url=self._image_url,
            limit_name=self._limit_name,
        )
        if body["top_p"] == 1.0 and "top_p=1" in self._endpoint.omits:
            del body["top_p"]
        for parameter, reason in self._endpoint.omits.items():
            if body.pop(parameter, None) is not None:
                self.dropped.setdefault(parameter, reason)
        for parameter in self.dropped:
            body.pop(parameter, None)
        return body

    async def _post(self, body: dict[str, Any]) -> Answer:
        try:
            return await self._client.post(
                self._endpoint.url("chat/completions"),
                body=msgspec.json.encode(body),
                headers=self._endpoint.headers(),
                timeout_s=self._timeout_s,
            )
        except NetError as error:
            if error.kind == "tls":
                raise UsageError(str(error)) from None
            if error.kind == "size":
                raise BadReply(str(error)) from None
            raise Transient(str(error)) from None

    def _learn(self, body: dict[str, Any], answer: Answer) -> bool:
        """Take the server's word for a parameter that it does not take; say whether there was one to drop."""
        if answer.status not in (400, 422):
            return False
        error = error_of(answer)
        if not error.names_unsupported:
            return False
        if error.mentions(self._limit_name):
            other = next(name for name in _TOKEN_LIMITS if name != self._limit_name)
            if self._limit_name == self._endpoint.limit_name:
                self._limit_name = other
                return True
        for parameter in _OPTIONAL:
            if parameter in body and error.mentions(parameter):
                self.dropped[parameter] = self._scrubbed(error.message)
                return True
        return False

    def _scrubbed(self, text: str) -> str:
        key = self._endpoint.key
        return re.sub(r"\s+", " ", key.scrub(text) if key else text)[:200]


def _decoded(answer: Answer) -> Any:
    try:
        body = msgspec.json.decode(answer.body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise BadReply(
            "the reply is not JSON; expected the chat-completions format; check the base URL"
        ) from None
    error = body.get("error") if isinstance(body, dict) else None
    if error and not body.get("choices"):
        # OpenRouter and some proxies answer 200 with an error inside.
        raise _inner(error)
    return body


def _inner(error: Any) -> Exception:
    code = error.get("code") if isinstance(error, dict) else None
    if code in ("content_filter", 403):
        return Refused("the provider's filter withheld the answer")
    if isinstance(code, int) and 400 <= code < 500 and code not in (408, 409, 425, 429):
        return BadRequest(f"the provider rejected the request (code {code})")
    return Transient("the provider answered with an error in place of a reply")
