"""The model inside this process: llama.cpp through xllamacpp, one answer at a time, the same text for the same seed."""

import asyncio
import atexit
import os
import secrets
import shutil
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from percuss.core.errors import BadReply, BadRequest, ModelError, UsageError
from percuss.core.messages import EffortRequest, NextTokenRequest, Reply, Request
from percuss.core.ports import Blobs
from percuss.models.assets import ASSETS, Asset, OnProgress, cache_dir, locate, sha256_of
from percuss.models.stream import Stream
from percuss.models.wire import has_images, read_reply, write_request
from percuss.net.contacts import Contacts

__all__ = ["DEFAULT", "Embedded"]

DEFAULT = "smollm2-135m-instruct"
_LONGEST_SOCKET = 100  # sockets have names of at most 103 (macOS) or 107 (Linux) bytes


class Embedded:
    """A GGUF model in this process. Weights are fetched and loaded at the first call, in a thread.

    Same weights, request and seed give the same text: one slot, no reuse of an earlier prompt's state, and seed 0 where
    the request has none.

    Args:
        name: what follows `embedded/`.
        weights: a known asset, or a GGUF file.
        projector: GGUF file that turns pictures into tokens of these weights; None: it reads text alone.
        blobs: where the pictures of requests are kept.
        context: tokens that prompt and answer may take together.
        threads: threads of a generation; None is the number of cores this process may use.
        on_progress: told how far fetching the weights is.
        contacts: where hosts asked for weights are counted.
    """

    def __init__(
        self,
        *,
        name: str,
        weights: Asset | Path,
        context: int = 8192,
        threads: int | None = None,
        projector: Path | None = None,
        blobs: Blobs | None = None,
        on_progress: OnProgress | None = None,
        contacts: Contacts | None = None,
    ) -> None:
        self._contacts = contacts
        self._name = name
        self._weights = weights
        self._context = context
        self._threads = threads or _cores()
        self.on_progress = on_progress
        self._projector = projector
        self._blobs = blobs
        self._sha256 = weights.sha256 if isinstance(weights, Asset) else sha256_of(weights)
        if projector is not None:
            self._sha256 = f"{self._sha256}+{sha256_of(projector)}"
        self._server: Any = None
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedded")
        self._opening: asyncio.Lock | None = None

    @classmethod
    def named(cls, name: str, **settings: Any) -> "Embedded":
        """Make the model of a known name, of a GGUF that `models add` brought, or of a GGUF file.

        `NAME?mmproj=FILE.gguf` gives a model that sees its projector.

        Raises:
            UsageError: none of them, no such projector, or the extra `embedded` isn't installed.
        """
        _need_library()
        name, _, given = name.partition("?")
        if given:
            settings["projector"] = _projector(given)
        asset = ASSETS.get(name.lower())
        if asset is not None and asset.kind == "gguf":
            return cls(name=asset.name, weights=asset, **settings)
        path = Path(name).expanduser()
        if name.endswith(".gguf") and path.is_file():
            return cls(name=path.stem, weights=path, **settings)
        added = cache_dir() / f"{name.lower()}.gguf"
        if "/" not in name and added.is_file():
            return cls(name=name.lower(), weights=added, **settings)
        known = ", ".join(asset.name for asset in ASSETS.values() if asset.kind == "gguf")
        raise UsageError(
            f"got the embedded model {name!r}; expected one of {known}, a name that `percuss models add` gave, "
            "or a .gguf file that exists"
        )

    @property
    def id(self) -> str:
        """`embedded/<name>`; never a path."""
        return f"embedded/{self._name}"

    @property
    def pin(self) -> str:
        """Sha256 of the weights."""
        return self._sha256

    @property
    def weights(self) -> Asset | Path:
        """What the model is made of."""
        return self._weights

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:  # noqa: ARG002 - the port's
        """Answer in a thread, after the answers before it. `epoch` changes nothing: the seed does.

        Raises:
            BadRequest: images, a reasoning effort, or a prompt longer than the context.
            BadReply: an empty answer.
        """
        if isinstance(request, EffortRequest):
            raise BadRequest(
                f"{self.id} has no reasoning effort to set; name a model that has, or leave the efforts out"
            )
        if has_images(request) and self._projector is None:
            raise BadRequest(
                f"{self.id} reads no images; expected text only; name a model that sees, with its projector (?mmproj=FILE.gguf)"
            )
        body = write_request(request, self._name, blobs=self._blobs)
        body["seed"] = 0 if request.seed is None else request.seed
        body["cache_prompt"] = isinstance(request, NextTokenRequest)
        if request.logprobs:
            body.setdefault("top_logprobs", 1)
        await self._open()
        loop = asyncio.get_running_loop()
        given_up = threading.Event()
        try:
            answer = await loop.run_in_executor(self._worker, partial(_ask, self._server, body, given_up))
        finally:
            # A cancelled call ends at the next token, so that the one behind it need not wait for the rest.
            given_up.set()
        if error := answer.get("error"):
            raise _complaint(self.id, error)
        reply = read_reply(answer)
        # The server writes the path of the weights there; a path is no one else's business.
        return Reply(
            parts=reply.parts,
            finish=reply.finish,
            served_model=self.id,
            fingerprint=reply.fingerprint,
            tokens_in=reply.tokens_in,
            tokens_out=reply.tokens_out,
            logprobs=reply.logprobs,
        )

    async def _open(self) -> None:
        if self._server is not None:
            return
        self._opening = self._opening or asyncio.Lock()
        async with self._opening:
            self._server = self._server or await self._loaded()

    async def _loaded(self) -> Any:
        path = await self._file()
        loop = asyncio.get_running_loop()
        load = partial(_load, path, self._context, self._threads, self._projector)
        return await loop.run_in_executor(self._worker, load)

    async def _file(self) -> Path:
        if isinstance(self._weights, Path):
            return self._weights
        found = await asyncio.to_thread(locate, self._weights)
        if found is not None:
            return found
        from percuss.models.asset_sources import ensure

        return await ensure(self._weights, on_progress=self.on_progress, contacts=self._contacts)


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        return os.cpu_count() or 1


def _need_library() -> None:
    from importlib.util import find_spec

    if find_spec("xllamacpp") is None:
        raise UsageError(
            "the embedded model needs the package xllamacpp; expected the extra `embedded`; "
            "install it by: pip install 'percuss[embedded]'"
        )


def _projector(given: str) -> Path:
    key, _, name = given.partition("=")
    path = Path(name).expanduser()
    if key != "mmproj" or path.suffix != ".gguf" or not path.is_file():
        raise UsageError(
            f"got ?{given} after the embedded model; expected ?mmproj=FILE.gguf, a projector that exists"
        )
    return path


def _load(path: Path, context: int, threads: int, projector: Path | None = None) -> Any:
    xllamacpp = _library()
    params = xllamacpp.CommonParams()
    params.model.path = str(path)
    if projector is not None:
        params.mmproj.path = str(projector)
        params.mmproj_use_gpu = False
    params.n_ctx = context
    params.verbosity = -1
    params.warmup = False
    # One slot and no state of an earlier prompt: the text depends on request and seed alone.
    params.n_parallel = 1
    params.cache_prompt = False
    params.cache_ram_mib = 0
    params.n_gpu_layers = 0
    for cpu in (params.cpuparams, params.cpuparams_batch):
        cpu.n_threads = threads
        cpu.poll = 0  # as OpenMP's setting in `_library`, where a build has threads of its own
    # The library listens for itself: no port but a socket in a folder of ours where the system has them, a key that
    # nobody knows, no pages from elsewhere.
    params.hostnames = [_private_socket() or "127.0.0.1"]
    params.api_keys = [secrets.token_urlsafe(32)]
    params.cors_origins = ""
    params.ui = False
    params.endpoint_slots = False
    try:
        return xllamacpp.Server(params)
    except Exception as error:  # noqa: BLE001 - the binding raises bare exceptions
        raise UsageError(
            f"{path.name}{f' with {projector.name}' if projector else ''} could not be loaded ({str(error)[:120]}); "
            "expected a GGUF model that fits into memory"
        ) from None


def _library() -> Any:
    """Import llama.cpp so that its threads sleep while they wait for each other.

    Its wheels use OpenMP, which reads this setting once, when it is loaded. With OpenMP's default, threads spin at
    every barrier; with two of them on a busy two-core machine 40 tokens took 33-45 s in place of 2 s.
    """
    before = os.environ.get("OMP_WAIT_POLICY")
    os.environ["OMP_WAIT_POLICY"] = before or "passive"
    try:
        import xllamacpp
    finally:
        if before is None:
            del os.environ["OMP_WAIT_POLICY"]
    return xllamacpp


def _private_socket() -> str | None:
    """Return the path of a socket that only this user can reach; None where there are no such sockets."""
    if os.name != "posix":
        return None
    folder = tempfile.mkdtemp(prefix="percuss-")  # made with mode 0700
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = str(Path(folder, "model.sock"))
    return path if len(path) < _LONGEST_SOCKET else None


def _ask(server: Any, body: dict[str, Any], given_up: threading.Event) -> dict[str, Any]:
    stream = Stream()

    def take(chunk: dict[str, Any]) -> bool:
        stream.add(chunk)
        return given_up.is_set()

    streamed = {**body, "stream": True, "stream_options": {"include_usage": True}}
    try:
        server.handle_chat_completions(streamed, take)
    except Exception as error:  # noqa: BLE001 - the binding raises bare exceptions for what it cannot read
        return {"error": {"code": 400, "message": str(error)}}
    return stream.answer()


def _complaint(model: str, error: Any) -> ModelError:
    message = str(error.get("message", error) if isinstance(error, dict) else error)[:300]
    code = error.get("code") if isinstance(error, dict) else None
    if isinstance(code, int) and code >= 500:
        return BadReply(f"{model} failed: {message}")
    return BadRequest(f"{model} rejected the request: {message}")
