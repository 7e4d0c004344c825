"""The only place that builds models: by name, wrapped so that nobody can miss the journal."""

import asyncio
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Self

from percuss.core.errors import UsageError
from percuss.core.ports import Blobs, Embedder, Fetch, Model, Search
from percuss.core.price import Price
from percuss.core.verifying import Verifier
from percuss.engine.archive import Archive, Refetch
from percuss.engine.budget import Budget, Budgeted
from percuss.engine.cached import Cached
from percuss.engine.journal import Calls, Journal, Journaled
from percuss.engine.limit import TIMEOUT_S, Limited
from percuss.engine.reach import Reach
from percuss.engine.retry import Retrying
from percuss.engine.vectors import JournaledEmbedder
from percuss.models import registry
from percuss.models.assets import ASSETS
from percuss.models.prices import Prices
from percuss.models.providers import FREE, provider_of
from percuss.net.client import Client
from percuss.net.fetching import PageFetcher
from percuss.phantoms import phantom
from percuss.store import RunStore
from percuss.store.replies import Replies

__all__ = [
    "NO_MODELS",
    "ONNX",
    "OWN",
    "UNVERSIONED",
    "ModelFactory",
    "canonical_id",
    "data_goes_to",
    "name_and_pin",
    "plays_model",
    "require_buildable",
    "slashed",
    "stays_here",
]

OWN = "python"
"""Provider of objects that a script hands over."""
UNVERSIONED = "unversioned"
"""Pin of such an object without a version: nothing tells whether its answers are still the same."""
NO_MODELS = frozenset({"embedder", "search"})
"""Roles that no language model plays."""
ONNX = "onnx:"
"""Before the path of a verifier that is a cross-encoder."""
EMBEDDERS = {"minilm": "embedded/minilm-l6-int8"}
"""Short names of embedders."""

EMBEDDED_TIMEOUT_S = 900.0
"""A local model on a busy machine is slow, not dead."""


def canonical_id(text: str) -> str:
    """Return the id that a model string stands for (`openai:x` and `openai/x` are one model).

    Raises:
        UsageError: unknown provider or phantom.
    """
    if provider_of(text) == "phantom":
        return phantom(slashed(text), seed=0).id
    return registry.parse(text).id


def name_and_pin(text: str) -> tuple[str, str]:
    """Return id and pin of the model that a string stands for, without its key or weights that are still to be fetched.

    Args:
        text: model string.

    Raises:
        UsageError: unknown provider, or a file that is not there.
    """
    provider = provider_of(text)
    if provider == "phantom":
        return canonical_id(text), phantom(slashed(text), seed=0).pin
    if provider == "embedded" and (asset := ASSETS.get(registry.parse(text).name.lower())) is not None:
        return canonical_id(text), asset.sha256
    if provider in {"embedded", "scripted", "inspect"}:
        made = registry.build(text, client=Client())
        return made.id, made.pin
    return canonical_id(text), registry.hosts(text)[0]


def plays_model(role: str, text: str) -> bool:
    """Say whether a language model plays a role.

    Args:
        role: name. text: who plays it, as the user said.
    """
    return role not in NO_MODELS and not (role == "verifier" and text.startswith((ONNX, f"{OWN}/")))


def slashed(text: str) -> str:
    """Return a model string with a slash after its provider (`phantom:x` and `phantom/x` are one)."""
    return f"{provider_of(text)}/{text[len(provider_of(text)) + 1 :]}"


def data_goes_to(text: str, *, base_url: str | None = None) -> tuple[str, ...]:
    """Return the hosts that a model's data goes to; () where it stays in this process."""
    return () if provider_of(text) == "phantom" else registry.hosts(text, base_url=base_url)


def stays_here(text: str, *, base_url: str | None = None) -> bool:
    """Say whether a model's data stays on this machine."""
    return provider_of(text) == "phantom" or registry.is_local(text, base_url=base_url)


async def require_buildable(texts: Mapping[str, str | None], own: Mapping[str, Any] | None = None) -> None:
    """Build models once for nothing, so that a missing key, file or extra is told before anything is written.

    Args:
        texts: model string -> address of its endpoint; simulated models and those of this process are left out.
        own: objects that a script handed over, by id.

    Raises:
        UsageError: one that can't be built.
    """
    async with Client() as client:
        for text, base_url in texts.items():
            if provider_of(text) not in {"phantom", "embedded"} and text not in (own or {}):
                registry.build(text, client=client, base_url=base_url)


class ModelFactory:
    """Builds and wraps the models of one run; close it, or use it as a context manager.

    Args:
        store: the run, whose journal every call goes through.
        seed: root seed; phantoms draw from it.
        budget: shared by all models.
        prices: the price table in force.
        concurrency: calls at a time to one model.
        retry_failed: ask again what failed terminally in an earlier start.
        extra: what phantoms are constructed with, by name.
        calls, blobs: where finished calls and images are, where the run itself is elsewhere (`store` is None then).
        refetch: which pages and searches of the run are asked for again: no, failed or all.
        contact: searches and pages may reach out; else the run's archive alone answers.
        allow: `host:port` places that a fetched page may lie on though they aren't public.
        processes: that read text out of pages; 0 = threads of this one.
        own: objects that a script handed over, by id: models and verifiers.
        replies: the cache across runs; None where the run has none.
    """

    def __init__(
        self,
        store: RunStore | None,
        *,
        seed: int,
        budget: Budget,
        prices: Prices,
        concurrency: int,
        retry_failed: bool = False,
        extra: Mapping[str, Any] | None = None,
        calls: Calls | None = None,
        blobs: Blobs | None = None,
        refetch: Refetch = "no",
        contact: bool = True,
        allow: Iterable[str] = (),
        processes: int = 0,
        own: Mapping[str, Any] | None = None,
        replies: Replies | None = None,
    ) -> None:
        self._own, self._replies = own or {}, replies
        self.client = Client(per_host=max(64, 2 * concurrency))
        self._pages = PageFetcher(allow=allow, contacts=self.client.contacts)
        self._refetch: Refetch = refetch
        self._contact = contact
        self._archive: Archive | None = None
        self._processes = processes
        self._pool: ProcessPoolExecutor | None = None
        self._store = store
        self._seed = seed
        self._budget, self._prices = budget, prices
        self._concurrency = concurrency
        self._extra = extra or {}
        journaled = calls or store
        if journaled is None:
            raise ValueError("a factory needs a run, or a place for its calls")
        self._journal = Journal(journaled, retry_failed=retry_failed)
        self._blobs = blobs if blobs is not None or store is None else store.blobs
        self._made: dict[tuple[str, str | None], Model] = {}
        self._bare_models: list[Model] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.client.close()
        await self._pages.close()
        if self._replies is not None:
            self._replies.close()
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    def model(self, text: str, *, base_url: str | None = None) -> Model:
        """Return a model, journaled, budgeted, retried and limited; the same string gives the same object.

        Raises:
            UsageError: unknown provider, missing key, missing extra or weights.
        """
        key = (text, base_url)
        if key not in self._made:
            bare = self._bare(text, base_url)
            self._bare_models.append(bare)
            self._made[key] = self._wrapped(bare, text)
        return self._made[key]

    def dropped(self) -> dict[str, dict[str, str]]:
        """Return, by model id, the request parameters that its server does not take, with the reason."""
        found = {model.id: dict(getattr(model, "dropped", {})) for model in self._bare_models}
        return {name: reasons for name, reasons in found.items() if reasons}

    def _bare(self, text: str, base_url: str | None) -> Model:
        if text in self._own:
            given: Model = self._own[text]
            return given
        if provider_of(text) == "phantom":
            return phantom(slashed(text), seed=self._seed, extra=self._extra)
        return registry.build(text, client=self.client, blobs=self._blobs, base_url=base_url)

    def _wrapped(self, bare: Model, text: str) -> Model:
        here = provider_of(text) in {"embedded", OWN}
        at_once = (
            1 if provider_of(text) == "embedded" else getattr(bare, "at_once", None) or self._concurrency
        )
        limited = Limited(
            bare, asyncio.Semaphore(at_once), timeout_s=EMBEDDED_TIMEOUT_S if here else TIMEOUT_S
        )
        asked: Model = Budgeted(Retrying(limited), self._budget, self.price_of(bare.id))
        pinned = provider_of(text) in {*FREE, OWN}
        if self._replies is not None and bare.pin != UNVERSIONED:
            asked = Cached(asked, self._replies, pinned=pinned)
        return Journaled(asked, self._journal)

    def price_of(self, model: str) -> Price | None:
        """Return what a model costs, nothing for one on this machine; None where no price is known.

        Args:
            model: its id.
        """
        if provider_of(model) in FREE:
            return Price(usd_in=0.0, usd_out=0.0)
        return self._prices.of(model)

    def archive(self) -> Archive:
        """Return the pages of the run; the same object every time, so that a page is asked for once in a start."""
        if self._archive is None:
            getter = self._pages if self._contact else None
            if self._processes:
                self._pool = ProcessPoolExecutor(self._processes, mp_context=get_context("spawn"))
            self._archive = Archive(self._run(), getter, refetch=self._refetch, pool=self._pool)
        return self._archive

    def fetch(self) -> Fetch | None:
        """Return what fetches pages into the run; None where the run is elsewhere."""
        from percuss.engine.pages import ArchivedFetch

        return None if self._store is None else ArchivedFetch(self.archive())

    def search(self, text: str, *, own: Any = None, embedder: Embedder | None = None) -> Search:
        """Return a search by name, whose results stay in the run: a protocol's own, `topics` (our offline notes), `pubmed`, `crossref`.

        Args:
            text: name or names. own: the protocol's module `searching`; None where it has none. embedder: of the run.

        Raises:
            UsageError: another name.
        """
        from percuss.engine.pages import ArchivedSearch
        from percuss.evidence.literature import Registries, addresses, topics

        client = self.client if self._contact else None
        if own is not None:
            made: Search = own.searched(text, Reach(self.archive(), client, embedder))
            return made
        if text == "topics":
            return topics()
        name = ",".join(addresses(text))
        found = None if client is None else Registries(text, client)
        return ArchivedSearch(found, name, self.archive(), self._run())

    def _run(self) -> RunStore:
        if self._store is None:
            raise UsageError(
                "searches and embeddings of an endpoint are kept in the run; they can't be made elsewhere"
            )
        return self._store

    def verifier(self, text: str, *, base_url: str | None = None) -> Verifier:
        """Return a verifier: `onnx:PATH` a cross-encoder, anything else a chat model, whose calls are journaled.

        Raises:
            UsageError: missing extra, key or file, or an unknown provider.
        """
        if text in self._own:
            given: Verifier = self._own[text]
            return given
        if text.startswith(ONNX):
            from percuss.judging.verifiers.onnx import CrossEncoder

            return CrossEncoder(Path(text.removeprefix(ONNX)))
        from percuss.judging.verifiers.chat import ChatVerifier

        return ChatVerifier(self.model(text, base_url=base_url), seed=self._seed)

    def embedder(self, text: str) -> Embedder:
        """Return an embedder by name; what an endpoint answers is journaled, what is computed here isn't.

        Raises:
            UsageError: unknown name, missing key or extra.
        """
        from percuss.models.embeddings import EndpointEmbedder, build

        made = build(EMBEDDERS.get(text, text), client=self.client)
        return JournaledEmbedder(made, self._run()) if isinstance(made, EndpointEmbedder) else made
