"""A server on this machine that speaks the chat-completions format and fails on purpose.

    async with Loopback(lambda body: "Stage II.") as server:
        model = registry.build("vllm/any", client=client, base_url=server.url)

or `python -m percuss.models.loopback --port 8123 --fault rate_limit=0.1`. It counts requests by content, keeps images
as they arrived, and serves a function of the request, or any model of ours.
"""

import asyncio
import inspect
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, Self

import msgspec
from aiohttp import web

from percuss.core.errors import BadInput, BadRequest, PercussError, Refused, Transient
from percuss.core.messages import Reply, Request, Text
from percuss.core.ports import Model
from percuss.core.seeds import generator
from percuss.models.faults import Fault, Faults
from percuss.models.wire_server import Images, body_key, read_request, write_reply

__all__ = ["Answer", "Loopback"]

Answer = Callable[[dict[str, Any]], str | Reply | Awaitable[str | Reply]]

_DIMENSIONS = 64


class Loopback:
    """The server. `url` is its base URL once it runs; what it saw stays readable after it stopped.

    Args:
        answer: function of the request's JSON, or a model; None answers with a text made of the request's hash.
        latency_s: seconds an answer takes.
        faults: what goes wrong.
        retry_after: the Retry-After header of a 429.
        rejects: parameters that get a 400 naming them.
        api_key: key that is asked for; None takes any.
        port: 0 takes a free one.
        hang_s: seconds for which a `timeout` holds the connection.
        keep: bodies kept in `requests`, newest last.
        images: where decoded images are kept; give a model that looks at them the same.

    `seen` counts requests by content key (`wire_server.request_key`), `answered` those answered in full.
    """

    def __init__(
        self,
        answer: Answer | Model | None = None,
        *,
        latency_s: float = 0.0,
        faults: Faults | None = None,
        retry_after: str = "0",
        rejects: frozenset[str] = frozenset(),
        api_key: str | None = None,
        port: int = 0,
        hang_s: float = 3600.0,
        keep: int = 1000,
        images: Images | None = None,
    ) -> None:
        self._answer = answer
        self._latency_s = latency_s
        self._faults = faults or Faults()
        self._retry_after = retry_after
        self._rejects = rejects
        self._api_key = api_key
        self._port = port
        self._hang_s = hang_s
        self._runner: web.AppRunner | None = None
        self.images = Images() if images is None else images
        self.seen: Counter[str] = Counter()
        self.answered: Counter[str] = Counter()
        self.made: Counter[str] = Counter()
        self.requests: deque[dict[str, Any]] = deque(maxlen=keep)
        self.embedded: list[str] = []

    @property
    def url(self) -> str:
        """Base URL, `http://127.0.0.1:PORT/v1`."""
        return f"http://127.0.0.1:{self._port}/v1"

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def start(self) -> None:
        """Listen on 127.0.0.1."""
        app = web.Application(client_max_size=256 << 20)
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_post("/v1/embeddings", self._embeddings)
        app.router.add_get("/v1/models", self._models)
        app.router.add_get("/counts", self._counts)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.05)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self._port, backlog=2048)
        await site.start()
        self._port = self._runner.addresses[0][1]

    async def stop(self) -> None:
        """Stop listening and tear down what hangs."""
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        refused = self._unauthorised(request)
        if refused is not None:
            return refused
        try:
            body = msgspec.json.decode(await request.read())
        except msgspec.DecodeError:
            return _error(400, "the body is not JSON")
        key = body_key(body)
        self.seen[key] += 1
        self.requests.append(body)
        for parameter in self._rejects & body.keys():
            return _error(400, f"Unsupported parameter: '{parameter}'", "unsupported_parameter", parameter)
        fault = self._faults.draw(key, self.seen[key])
        if self._latency_s:
            await asyncio.sleep(self._latency_s)
        if fault is not None:
            self.made[fault] += 1
            early = await self._fail(request, fault)
            if early is not None:
                return early
        answer = await self._answered(body, key)
        if isinstance(answer, web.Response):
            return answer
        data = _body(answer, str(body.get("model", "")), fault)
        if fault == "malformed":
            return web.Response(body=data[: len(data) // 2], content_type="application/json")
        if fault == "broken_off":
            return await _break_off(request, data)
        self.answered[key] += 1
        return web.Response(body=data, content_type="application/json")

    async def _fail(self, request: web.Request, fault: Fault) -> web.Response | None:
        """Make the faults that come before an answer; None for those that spoil the answer itself."""
        if fault == "rate_limit":
            response = _error(429, "Rate limit reached, try again later", "rate_limit_exceeded")
            response.headers["Retry-After"] = self._retry_after
            return response
        if fault == "server_error":
            return _error(500, "The server had an error")
        if fault == "bad_request":
            return _error(400, "This request cannot be served", "invalid_request_error")
        if fault == "timeout":
            await asyncio.sleep(self._hang_s)
        if fault in ("timeout", "reset") and request.transport is not None:
            request.transport.abort()
            return web.Response()
        return None

    async def _answered(self, body: dict[str, Any], key: str) -> Reply | web.Response:
        try:
            asked = read_request(body, self.images)
            reply = await self._reply(body, asked, key)
        except BadInput as error:
            return _error(400, str(error), "invalid_request_error")
        except Refused as error:
            return _error(400, str(error), "content_filter")
        except BadRequest as error:
            return _error(400, str(error), "invalid_request_error")
        except Transient as error:
            return _error(503, str(error))
        except PercussError as error:
            return _error(500, str(error))
        return Reply(parts=(Text(text=reply),), finish="stop") if isinstance(reply, str) else reply

    async def _reply(self, body: dict[str, Any], asked: Request, key: str) -> str | Reply:
        if self._answer is None:
            return f"Reply {key[:8]} to a request of {len(asked.messages)} messages."
        if callable(self._answer):
            found = self._answer(body)
            return await found if inspect.isawaitable(found) else found
        return await self._answer.generate(asked)

    async def _embeddings(self, request: web.Request) -> web.Response:
        refused = self._unauthorised(request)
        if refused is not None:
            return refused
        body = msgspec.json.decode(await request.read())
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        self.embedded += texts
        data = [
            {"object": "embedding", "index": index, "embedding": _vector(text)}
            for index, text in enumerate(texts)
        ]
        count = sum(len(text.split()) for text in texts)
        usage = {"prompt_tokens": count, "total_tokens": count}
        return web.json_response({"object": "list", "model": body.get("model"), "data": data, "usage": usage})

    async def _models(self, request: web.Request) -> web.Response:
        refused = self._unauthorised(request)
        return refused or web.json_response(
            {"object": "list", "data": [{"id": "loopback", "object": "model"}]}
        )

    async def _counts(self, _request: web.Request) -> web.Response:
        return web.json_response(
            {"seen": dict(self.seen), "answered": dict(self.answered), "made": dict(self.made)}
        )

    def _unauthorised(self, request: web.Request) -> web.Response | None:
        wanted = self._api_key
        if wanted is None or request.headers.get("Authorization") == f"Bearer {wanted}":
            return None
        # As real servers do, the answer repeats the key it was given: clients must not show it.
        given = request.headers.get("Authorization", "").removeprefix("Bearer ")
        return _error(401, f"Incorrect API key provided: {given}", "invalid_api_key")


def _body(reply: Reply, model: str, fault: Fault | None) -> bytes:
    """Write an answer, spoilt as the fault says."""
    body = write_reply(reply, model, tokens_in=0)
    choice = body["choices"][0]
    if fault == "empty":
        choice["message"] = {"role": "assistant", "content": ""}
    elif fault == "truncation":
        choice["message"]["content"] = reply.text[: len(reply.text) // 2]
        choice["finish_reason"] = "length"
    elif fault == "refusal":
        choice["message"] = {"role": "assistant", "content": None, "refusal": "I cannot help with that."}
    elif fault == "content_filter":
        choice.update(message={"role": "assistant", "content": ""}, finish_reason="content_filter")
    return msgspec.json.encode(body)


async def _break_off(request: web.Request, data: bytes) -> web.StreamResponse:
    response = web.StreamResponse(
        headers={"Content-Type": "application/json", "Content-Length": str(len(data))}
    )
    await response.prepare(request)
    await response.write(data[: len(data) // 2])
    if request.transport is not None:
        request.transport.abort()
    return response


def _vector(text: str) -> list[float]:
    """Return a vector drawn by the text, so that equal texts are equal and others are nearly orthogonal."""
    drawn = generator(0, "loopback-embedding", text).standard_normal(_DIMENSIONS)
    return [float(value) for value in drawn]


def _error(status: int, message: str, code: str = "", parameter: str | None = None) -> web.Response:
    error = {"message": message, "type": code or "server_error", "code": code or None, "param": parameter}
    return web.json_response({"error": error}, status=status)


def main(arguments: list[str] | None = None) -> None:
    """Serve until interrupted; the first line of standard output is the base URL."""
    import argparse
    from pathlib import Path

    from percuss.models.scripted import Scripted

    parser = argparse.ArgumentParser(
        prog="python -m percuss.models.loopback", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--port", type=int, default=0, help="port on 127.0.0.1; 0 takes a free one")
    parser.add_argument("--latency-ms", type=float, default=0.0, help="milliseconds an answer takes")
    parser.add_argument(
        "--fault", action="append", default=[], metavar="KIND=RATE", help="planted rate of a fault"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the faults")
    parser.add_argument("--retry-after", default="0", help="Retry-After header of a 429")
    parser.add_argument("--hang-s", type=float, default=3600.0, help="seconds that a timeout hangs")
    parser.add_argument("--replies", type=Path, help="script of JSON lines (models/scripted.py)")
    parser.add_argument("--text", help="one text that answers everything")
    given = parser.parse_args(arguments)
    rates = {kind: float(rate or 0) for kind, _, rate in (fault.partition("=") for fault in given.fault)}
    answer: Answer | Model | None = Scripted.from_file(given.replies) if given.replies else None
    if given.text is not None:
        answer = lambda _body: str(given.text)  # noqa: E731 - one of three answers
    server = Loopback(
        answer,
        port=given.port,
        latency_s=given.latency_ms / 1000,
        faults=Faults(rates, seed=given.seed),
        retry_after=given.retry_after,
        hang_s=given.hang_s,
    )
    try:
        asyncio.run(_serve(server))
    except KeyboardInterrupt:
        return


async def _serve(server: Loopback) -> None:
    async with server:
        print(server.url, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    main()
