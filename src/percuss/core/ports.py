"""Ports: what the stages and protocols ask of the world, as `typing.Protocol` classes with shipped fakes."""

import typing
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from percuss.core.records import (
    Blob,
    Case,
    Claim,
    Record,
    Reply,
    Request,
    Response,
    Verdict,
)
from percuss.core.verifying import Rule, Verifier

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "Blobs",
    "Document",
    "Embedder",
    "Fetch",
    "Hit",
    "Judge",
    "JudgeRequest",
    "Model",
    "Once",
    "ReadBlobs",
    "Roles",
    "RunView",
    "ScoredResponse",
    "Search",
    "Session",
    "is_simulated",
]

Unit = TypeVar("Unit")
Made = TypeVar("Made")


class Model(typing.Protocol):
    """A language model. Stateless: a conversation is in the request.

    `id` is `provider/name` ("openai/gpt-4o-mini", "phantom/recycler?reuse=0.8", parameters sorted); `pin` is what the
    id leaves open (sha256 of the weights, host of the base URL, version of a phantom) and part of the journal's key.
    """

    @property
    def id(self) -> str: ...
    @property
    def pin(self) -> str: ...
    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        """Answer a request, or raise a `ModelError`."""
        ...


def is_simulated(model: Model | Verifier) -> bool:
    """Say whether a model or verifier is a simulation: its provider says so by an attribute `simulated`."""
    return bool(getattr(model, "simulated", False))


class Embedder(typing.Protocol):
    """Turns texts into unit vectors."""

    @property
    def id(self) -> str: ...
    async def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Return an array of shape (n, d) whose rows have length 1."""
        ...


class JudgeRequest(Record):
    """What a judge is asked: one subject (claim or response) under one aspect.

    `fields` fill the judge's prompt template; `labels` are the words it may answer with.
    """

    subject: str
    response_id: str
    aspect: str
    fields: dict[str, str]
    labels: tuple[str, ...] = ()


class Judge(typing.Protocol):
    """Rates inquiries; never raises for a bad reply: the verdict is unscored with a reason."""

    @property
    def rater(self) -> str: ...
    async def rate(self, judge_request: JudgeRequest) -> tuple[Verdict, ...]:
        """Return one verdict a pass."""
        ...


class Hit(Record):
    """One search result. `score` is higher for better; its scale is the search's own."""

    id: str
    title: str
    text: str
    url: str = ""
    score: float = 0.0


class Document(Record):
    """A fetched document. `url` is the final one, after redirects.

    Args:
        pages: offset in the text at which each page begins; () where there are none.
        digest: of the bytes as sent; extractor: what read the text, with its version; empty where nobody said.
    """

    url: str
    media_type: str
    text: str
    data: bytes = b""
    pages: tuple[int, ...] = ()
    digest: str = ""
    extractor: str = ""


class Search(typing.Protocol):
    """Finds documents by words or meaning."""

    @property
    def id(self) -> str: ...
    async def search(self, query: str, *, k: int = 5) -> tuple[Hit, ...]:
        """Return at most k hits, best first."""
        ...


class Fetch(typing.Protocol):
    """Fetches a document under the rules for hostile content."""

    async def fetch(self, url: str) -> Document:
        """Return the document, or raise a `FetchError`."""
        ...


class ReadBlobs(typing.Protocol):
    """Bytes by content digest, for reading."""

    def get(self, digest: str) -> Blob:
        """Return the blob, or raise `KeyError`."""
        ...


class Blobs(typing.Protocol):
    """Bytes by content digest."""

    def get(self, digest: str) -> Blob:
        """Return the blob, or raise `KeyError`."""
        ...

    def put(self, blob: Blob) -> None:
        """Keep the blob; keeping it twice is the same as once."""
        ...


class Once(typing.Protocol):
    """The journal's door for anything but a model's call: what was made once is read from the run ever after."""

    async def __call__(self, kind: str, key: Any, make: Callable[[], Awaitable[bytes]]) -> bytes:
        """Return what `make` made the first time that this kind and key were asked for.

        Args:
            kind: what is made: tool, page, embedding, file.
            key: all that the outcome depends on, as JSON.
            make: makes it; called only where the journal has nothing. What it raises is not kept.
        """
        ...


class Roles:
    """Who plays: models by role ("model" is the one under test), and the instruments beside them.

    Args:
        models: role -> model. A role that the protocol does not require may be missing.
        embedder, search, fetch, verifier: None where the run has none; pairs that a verifier reads at the same time for
            one case go together, and equal ones once.
        seed: root seed of the run; inside `ask` it belongs to one response.
        paired: what all arms of one model, case and epoch share, for a protocol whose arms begin alike; `seed` unless given.
        judge_passes: how many passes a judge makes (pass k is epoch k of its call).
        scratch: an empty folder of one response's own, removed after it, or what makes it; None outside `ask`.
        blobs: where files that a response points at are put in `ask` and read in `check`; None where there is no run.
        once: keeps what was made by anything but a model; None where there is no run.
        rule: the user's own rule in place of the protocol's; None where there is none.
    """

    __slots__ = (
        "_scratch",
        "blobs",
        "embedder",
        "fetch",
        "judge_passes",
        "models",
        "once",
        "paired",
        "rule",
        "search",
        "seed",
        "verifier",
    )

    def __init__(
        self,
        models: Mapping[str, Model],
        *,
        seed: int,
        paired: int | None = None,
        embedder: Embedder | None = None,
        search: Search | None = None,
        fetch: Fetch | None = None,
        verifier: Verifier | None = None,
        judge_passes: int = 2,
        scratch: Path | Callable[[], Path] | None = None,
        blobs: Blobs | None = None,
        once: Once | None = None,
        rule: Rule | None = None,
    ) -> None:
        self.models = models
        self.embedder = embedder
        self.search = search
        self.fetch = fetch
        self.verifier = verifier
        self.seed = seed
        self.paired = seed if paired is None else paired
        self.judge_passes = judge_passes
        self._scratch = scratch
        self.blobs = blobs
        self.once = once
        self.rule = rule

    @property
    def scratch(self) -> Path | None:
        """An empty folder of one response's own, made when it is first asked for; None outside `ask`."""
        return self._scratch() if callable(self._scratch) else self._scratch


class Session(typing.Protocol):
    """What a protocol's own command works with: all roles, and the engine's own loop."""

    @property
    def roles(self) -> Roles:
        """Models by role, journaled and within the budget; `roles.seed` is the root seed."""
        ...

    @property
    def offline(self) -> bool:
        """Whether nobody may be contacted."""
        ...

    @property
    def dry_run(self) -> bool:
        """Whether to say what would be done, and do nothing."""
        ...

    async def each(self, units: Iterable[Unit], work: Callable[[Unit], Awaitable[Made]]) -> tuple[Made, ...]:
        """Do the work on every unit, so many at a time as the user said, and return the outcomes in order of the units."""
        ...


class ScoredResponse(Record):
    """One response with all that is known of it in one scoring (human verdicts included).

    `left_out` is the reason why nothing of the response counts (it failed, or it could not be checked); its claims,
    where there are any, are all left out by that reason. None where it was checked.
    """

    case: Case
    response: Response
    claims: tuple[Claim, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    left_out: str | None = None


class RunView(typing.Protocol):
    """What `estimate` and `annotate` may read of a run, in one scoring."""

    @property
    def scoring(self) -> str: ...
    @property
    def seed(self) -> int: ...
    @property
    def models(self) -> tuple[str, ...]:
        """Models with at least one response, in the order in which they were first named."""
        ...

    @property
    def simulated(self) -> frozenset[str]:
        """Ids of the models, judges included, that are simulations."""
        ...

    @property
    def blobs(self) -> "ReadBlobs":
        """The bytes that answers point at, by digest."""
        ...

    def manifest(self) -> Mapping[str, Any]:
        """Return the run's manifest: versions, seeds, prompts, policies."""
        ...

    def cases(self) -> Iterator[Case]:
        """Yield the cases that were posed, in order."""
        ...

    def case(self, case_id: str) -> Case:
        """Return one case, or raise `KeyError`."""
        ...

    def assessed(self, *, model: str | None = None, arm: str | None = None) -> Iterator[ScoredResponse]:
        """Yield responses of every status with claims and verdicts, ordered by model, case ordinal, arm, epoch."""
        ...
