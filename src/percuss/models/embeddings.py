"""Texts -> unit vectors: MiniLM-L6 in this process, or an endpoint of the embeddings format."""

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from percuss.core.errors import BadReply, BadRequest, Transient, UsageError
from percuss.core.ports import Embedder
from percuss.models.answers import complaint
from percuss.models.assets import ASSETS, OnProgress
from percuss.models.endpoints import PROVIDERS, Endpoint, endpoint, service_endpoint
from percuss.models.wordpiece import WordPiece
from percuss.net.client import Client, NetError
from percuss.net.contacts import Contacts

__all__ = ["DEFAULT", "EndpointEmbedder", "MiniLM", "build"]

DEFAULT = "embedded/minilm-l6-int8"
_DIMENSIONS = 384  # all-MiniLM-L6-v2
_LONGEST = 256  # tokens; the model's own limit for sentences (its sentence_bert_config.json)
_BATCH = 32


def build(
    text: str = DEFAULT,
    *,
    client: Client,
    base_url: str | None = None,
    environ: Mapping[str, str] | None = None,
    on_progress: OnProgress | None = None,
) -> Embedder:
    """Make the embedder of a name: `embedded/minilm-l6-int8` or `provider/name` of an endpoint.

    Raises:
        UsageError: unknown provider, missing key, or missing extra.
    """
    import os

    from percuss.models.registry import parse

    variables = os.environ if environ is None else environ
    name = parse(text)
    if name.provider == "embedded":
        if not name.name.startswith("minilm-l6"):
            raise UsageError(
                f"got the embedder {text!r}; expected {DEFAULT} or an endpoint such as openai/NAME"
            )
        return MiniLM(on_progress=on_progress, contacts=client.contacts)
    if name.provider == "openai-api":
        place = service_endpoint(name.service, variables, base_url=base_url)
    elif name.provider in PROVIDERS:
        place = endpoint(name.provider, variables, base_url=base_url)
    else:
        raise UsageError(f"got the embedder {text!r}; expected {DEFAULT} or an endpoint such as openai/NAME")
    return EndpointEmbedder(id=name.id, name=name.name, endpoint=place, client=client)


class MiniLM:
    """all-MiniLM-L6-v2 with int8 weights through onnxruntime: mean of the token vectors, scaled to length 1.

    Texts are cut at 256 tokens. A text has the same vector alone and in a batch.

    Args:
        threads: threads of a batch; None leaves it to onnxruntime.
        on_progress: told how far fetching the weights is.
        contacts: where hosts asked for weights are counted.
    """

    def __init__(
        self,
        *,
        threads: int | None = None,
        on_progress: OnProgress | None = None,
        contacts: Contacts | None = None,
    ) -> None:
        from importlib.util import find_spec

        if find_spec("onnxruntime") is None:
            raise UsageError(
                "the embedder needs the package onnxruntime; expected the extra `embedded`; "
                "install it by: pip install 'percuss[embedded]'"
            )
        self._threads = threads or 0
        self._on_progress = on_progress
        self._contacts = contacts
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="minilm")
        self._opening: asyncio.Lock | None = None
        self._session: Any = None
        self._tokens: WordPiece | None = None

    @property
    def id(self) -> str:
        """`embedded/minilm-l6-int8`."""
        return DEFAULT

    @property
    def pin(self) -> str:
        """Sha256 of the weights."""
        return ASSETS["minilm-l6-int8"].sha256

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return an array of shape (n, 384) whose rows have length 1, in the order of the texts."""
        if not texts:
            return np.zeros((0, _DIMENSIONS), dtype=np.float32)
        await self._open()
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._worker, partial(self._embed, list(texts)))

    async def _open(self) -> None:
        if self._session is not None:
            return
        self._opening = self._opening or asyncio.Lock()
        async with self._opening:
            if self._session is None:
                from percuss.models.asset_sources import ensure

                fetch = partial(ensure, on_progress=self._on_progress, contacts=self._contacts)
                weights = await fetch(ASSETS["minilm-l6-int8"])
                words = await fetch(ASSETS["minilm-l6-vocabulary"])
                loop = asyncio.get_running_loop()
                await loop.run_in_executor(self._worker, partial(self._load, weights, words))

    def _load(self, weights: Path, words: Path) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.log_severity_level = 3
        # Threads that spin between calls take the cores from the model under test.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._tokens = WordPiece.from_file(words, longest=_LONGEST)
        self._session = onnxruntime.InferenceSession(
            str(weights), sess_options=options, providers=["CPUExecutionProvider"]
        )

    def _embed(self, texts: list[str]) -> NDArray[np.float32]:
        assert self._tokens is not None
        tokens = [self._tokens.encode(text) for text in texts]
        out = np.zeros((len(texts), _DIMENSIONS), dtype=np.float32)
        # Similar lengths together: padding is computed too.
        order = sorted(range(len(texts)), key=lambda index: len(tokens[index]))
        for start in range(0, len(order), _BATCH):
            batch = order[start : start + _BATCH]
            out[batch] = self._run([tokens[index] for index in batch])
        return out

    def _run(self, tokens: list[list[int]]) -> NDArray[np.float32]:
        width = max(map(len, tokens))
        numbers = np.zeros((len(tokens), width), dtype=np.int64)
        mask = np.zeros((len(tokens), width), dtype=np.int64)
        for row, line in enumerate(tokens):
            numbers[row, : len(line)] = line
            mask[row, : len(line)] = 1
        feeds = {"input_ids": numbers, "attention_mask": mask, "token_type_ids": np.zeros_like(numbers)}
        hidden = self._session.run(["last_hidden_state"], feeds)[0]
        weights = mask[:, :, None].astype(np.float32)
        return _unit((hidden * weights).sum(axis=1) / weights.sum(axis=1))


class EndpointEmbedder:
    """Asks an endpoint for embeddings, in batches, and scales the rows to length 1.

    Args:
        id: `provider/name`. name: what the server calls the model.
        endpoint: where it is. client: shared HTTP client.
        batch: texts a request. timeout_s: seconds a request may take.
    """

    def __init__(
        self,
        *,
        id: str,  # noqa: A002 - the port's own word
        name: str,
        endpoint: Endpoint,
        client: Client,
        batch: int = 128,
        timeout_s: float = 60.0,
    ) -> None:
        self._id = id
        self._name = name
        self._endpoint = endpoint
        self._client = client
        self._batch = batch
        self._timeout_s = timeout_s

    def __repr__(self) -> str:
        return f"EndpointEmbedder({self._id!r}, host={self._endpoint.host!r})"

    @property
    def id(self) -> str:
        """`provider/name`."""
        return self._id

    @property
    def pin(self) -> str:
        """Host of the base URL."""
        return self._endpoint.host

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return an array of shape (n, d) whose rows have length 1.

        Raises:
            Transient, BadRequest, BadReply, UsageError: as for a model's call.
        """
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        starts = range(0, len(texts), self._batch)
        return np.concatenate([await self._asked(list(texts[at : at + self._batch])) for at in starts])

    async def _asked(self, texts: list[str]) -> NDArray[np.float32]:
        try:
            answer = await self._client.post(
                self._endpoint.url("embeddings"),
                body=msgspec.json.encode({"model": self._name, "input": texts}),
                headers=self._endpoint.headers(),
                timeout_s=self._timeout_s,
            )
        except NetError as error:
            raise Transient(str(error)) from None
        if answer.status != 200:
            raise complaint(answer, self._endpoint, self._name)
        try:
            data = sorted(msgspec.json.decode(answer.body)["data"], key=lambda entry: entry["index"])
            rows = np.asarray([entry["embedding"] for entry in data], dtype=np.float32)
        except (msgspec.DecodeError, UnicodeDecodeError, KeyError, TypeError, ValueError):
            raise BadReply(
                f"{self.pin} sent no readable embeddings; expected the embeddings format"
            ) from None
        if rows.ndim != 2 or len(rows) != len(texts) or not rows.size or not np.isfinite(rows).all():
            raise BadReply(
                f"{self.pin} sent {len(rows)} embeddings for {len(texts)} texts; expected one each"
            )
        if (np.linalg.norm(rows, axis=1) == 0).any():
            raise BadRequest(f"{self.pin} sent an embedding of length 0; expected a direction")
        return _unit(rows)


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    scaled: NDArray[np.float32] = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return scaled
