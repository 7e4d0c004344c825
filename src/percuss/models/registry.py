"""Models by name: "provider/name" -> model, and where its data goes.

openai/gpt-4o-mini  anthropic/..  google/..  openrouter/..  ollama/..  vllm/..   endpoints (endpoints.py)
openai-api/<service>/<model>     any endpoint: <SERVICE>_BASE_URL, <SERVICE>_API_KEY
inspect/<any Inspect model>      through the extra `inspect`
embedded/<name or GGUF file>     inside this process
scripted/<file>                  replies from a file
`provider:name` means the same. Simulated models (`phantom/..`) are made where runs are composed, as are a script's own
objects (`python/..`).
"""

import difflib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from percuss.core.errors import UsageError
from percuss.core.ports import Blobs, Model
from percuss.models.endpoints import PROVIDERS, Endpoint, endpoint, service_endpoint
from percuss.models.wire import ImageUrl, data_url
from percuss.net.client import Client

__all__ = ["ModelName", "build", "hosts", "is_local", "parse"]

_OTHER = ("openai-api", "inspect", "embedded", "scripted")
_ELSEWHERE = ("phantom", "python")


class ModelName(NamedTuple):
    """A model's name in its parts. `service` is that of `openai-api`."""

    provider: str
    name: str
    service: str = ""

    @property
    def id(self) -> str:
        """`provider/name`, the identity in rows and journal keys."""
        return "/".join(part for part in (self.provider, self.service, self.name) if part)


def parse(text: str) -> ModelName:
    """Read a model's name.

    Raises:
        UsageError: an unknown provider, or a part is missing.
    """
    known = (*PROVIDERS, *_OTHER, *_ELSEWHERE)
    cut = min((text.find(mark) for mark in "/:" if mark in text), default=-1)
    provider, name = (text[:cut], text[cut + 1 :]) if cut > 0 else (text, "")
    if provider not in known:
        near = difflib.get_close_matches(provider, known, n=1)
        hint = f"; did you mean {near[0]}/..?" if near else ""
        raise UsageError(
            f"got the model {text!r}; expected provider/name with a provider of {', '.join(known)}{hint}"
        )
    if not name.strip("/: "):
        raise UsageError(
            f"got the model {text!r}; expected a name after the provider, such as {provider}/NAME"
        )
    if provider != "openai-api":
        return ModelName(provider, name)
    service, _, name = name.partition("/")
    if not name:
        raise UsageError(f"got the model {text!r}; expected openai-api/SERVICE/MODEL")
    return ModelName(provider, name, service)


def build(
    text: str,
    *,
    client: Client,
    blobs: Blobs | None = None,
    base_url: str | None = None,
    environ: Mapping[str, str] | None = None,
    timeout_s: float = 120.0,
    image_url: ImageUrl = data_url,
) -> Model:
    """Make the model of a name. Nothing is sent, loaded or fetched before its first call.

    Args:
        text: the name.
        client: the HTTP client that all models share.
        blobs: where the images of requests are kept.
        base_url: address in place of the provider's; only for endpoints.
        environ: environment variables; None is the process's.
        timeout_s: seconds a call may take.
        image_url: how images are written for endpoints.

    Raises:
        UsageError: unknown provider, missing key, missing extra, weights that aren't there.
    """
    name = parse(text)
    variables = os.environ if environ is None else environ
    place = _endpoint(name, variables, base_url)
    if place is None and base_url is not None:
        raise UsageError(
            f"got --base-url with {name.id}; expected a model at an endpoint; leave --base-url out"
        )
    if place is None:
        return _build_elsewhere(name, client, blobs, timeout_s)
    from percuss.models.openai_compatible import OpenAICompatible

    return OpenAICompatible(
        id=name.id,
        name=name.name,
        endpoint=place,
        client=client,
        blobs=blobs,
        timeout_s=timeout_s,
        image_url=image_url,
    )


def _build_elsewhere(name: ModelName, client: Client, blobs: Blobs | None, timeout_s: float) -> Model:
    """Make a model that is no endpoint of ours."""
    if name.provider == "embedded":
        from percuss.models.embedded import Embedded

        return Embedded.named(name.name, contacts=client.contacts, blobs=blobs)
    if name.provider == "scripted":
        from percuss.models.scripted import Scripted

        return Scripted.from_file(Path(name.name))
    if name.provider == "inspect":
        from percuss.models.inspect_provider import InspectModel

        return InspectModel(name.name, blobs=blobs, timeout_s=timeout_s)
    if name.provider == "python":
        raise UsageError(
            f"{name.id} is an object of the script that started the run; start it there again with percuss.run(..)"
        )
    raise UsageError(f"{name.id} is simulated and has no endpoint; expected a run to make it")


def hosts(
    text: str, *, base_url: str | None = None, environ: Mapping[str, str] | None = None
) -> tuple[str, ...]:
    """Return where a model's data goes, to be said before the first call; empty when it stays in this process.

    A missing key is no error here: a dry run needs none.

    Raises:
        UsageError: an unknown provider, or an address that is none.
    """
    name = parse(text)
    place = _endpoint(name, os.environ if environ is None else environ, base_url, need_key=False)
    if place is not None:
        return (place.host,)
    if name.provider == "python":
        return (f"chosen by your own code ({name.id})",)
    return (f"chosen by Inspect for {name.name.split('/')[0]}",) if name.provider == "inspect" else ()


def is_local(text: str, *, base_url: str | None = None, environ: Mapping[str, str] | None = None) -> bool:
    """Say whether a model's data stays on this machine: in this process, or at a loopback address."""
    name = parse(text)
    place = _endpoint(name, os.environ if environ is None else environ, base_url, need_key=False)
    return place.is_local if place is not None else name.provider not in {"inspect", "python"}


def _endpoint(
    name: ModelName, environ: Mapping[str, str], base_url: str | None, *, need_key: bool = True
) -> Endpoint | None:
    if name.provider in PROVIDERS:
        return endpoint(name.provider, environ, base_url=base_url, need_key=need_key)
    if name.provider == "openai-api":
        return service_endpoint(name.service, environ, base_url=base_url, need_key=need_key)
    return None
