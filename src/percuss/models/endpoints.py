"""Endpoints: providers of the chat-completions format, their usual variables and what each is known to reject."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from percuss.core.errors import UsageError
from percuss.net.addresses import is_loopback, place

__all__ = ["PROVIDERS", "Endpoint", "Provider", "Secret", "endpoint", "service_endpoint"]


_SECRET = 8
"""Characters from which on a key can't be a part of an ordinary word."""


class Secret:
    """A key. Nothing shows it but `reveal`, which the client calls when it writes the header."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """Return the key itself."""
        return self._value

    def scrub(self, text: str) -> str:
        """Return the text without the key, should a server have echoed it; a short one (`none`) only as a whole word."""
        if len(self._value) >= _SECRET:
            return text.replace(self._value, "[key]")
        return re.sub(rf"(?<!\w){re.escape(self._value)}(?!\w)", "[key]", text) if self._value else text

    def __repr__(self) -> str:
        return "Secret(..)"

    def __reduce__(self) -> tuple[type["Secret"], tuple[str]]:
        # A pickled or copied model must not write its key to a file.
        return (Secret, ("",))


class Provider(NamedTuple):
    """One provider: address, variables, and what its documentation says it doesn't take.

    Args:
        base_url: default address; url_variables override it, first set wins.
        key_variables: where the key is looked for, in order.
        key_required: a missing key is an error, unless the address is this machine.
        limit_name: name of the parameter that bounds the answer.
        omits: parameters never sent, with the reason.
    """

    base_url: str
    key_variables: tuple[str, ...]
    url_variables: tuple[str, ...]
    key_required: bool = True
    limit_name: str = "max_tokens"
    omits: Mapping[str, str] = {}


# What is omitted or renamed is from the providers' own documentation of their chat-completions endpoints; all other
# peculiarities are learned from the server's 400 (openai_compatible.py) and recorded.
PROVIDERS: dict[str, Provider] = {
    "openai": Provider(
        "https://api.openai.com/v1",
        ("OPENAI_API_KEY",),
        ("OPENAI_BASE_URL",),
        # `max_tokens` is deprecated there, and the reasoning models reject it.
        limit_name="max_completion_tokens",
    ),
    "anthropic": Provider(
        "https://api.anthropic.com/v1",
        ("ANTHROPIC_API_KEY",),
        ("ANTHROPIC_BASE_URL",),
        omits={
            "seed": "ignored by the provider's compatible endpoint",
            "logprobs": "ignored by the provider's compatible endpoint",
            "response_format": "ignored by the provider's compatible endpoint",
            "top_p=1": "models of this provider reject temperature and top_p together; 1 is the default",
        },
    ),
    "google": Provider(
        "https://generativelanguage.googleapis.com/v1beta/openai",
        ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
        ("GEMINI_BASE_URL", "GOOGLE_BASE_URL"),
    ),
    "openrouter": Provider("https://openrouter.ai/api/v1", ("OPENROUTER_API_KEY",), ("OPENROUTER_BASE_URL",)),
    "ollama": Provider(
        "http://localhost:11434/v1",
        ("OLLAMA_API_KEY",),
        ("OLLAMA_BASE_URL", "OLLAMA_HOST"),
        key_required=False,
    ),
    "vllm": Provider("http://localhost:8000/v1", ("VLLM_API_KEY",), ("VLLM_BASE_URL",), key_required=False),
}


class Endpoint(NamedTuple):
    """Where requests go, with which key, and how they are written."""

    base_url: str
    key: Secret | None = None
    key_variable: str = ""
    limit_name: str = "max_tokens"
    omits: Mapping[str, str] = {}

    @property
    def host(self) -> str:
        """The host, with its port where that isn't the scheme's own; the path stays out."""
        return str(place(self.base_url))

    @property
    def is_local(self) -> bool:
        """Whether the address is this machine."""
        return is_loopback(place(self.base_url).host)

    def url(self, path: str) -> str:
        """Return the URL of a path under the base, the base's query kept (Azure's api-version)."""
        base, mark, query = self.base_url.partition("?")
        return f"{base.rstrip('/')}/{path}{mark}{query}"

    def headers(self) -> dict[str, str]:
        """Return the headers of a request, the key among them: give them to the client and nowhere else."""
        headers = {"Content-Type": "application/json"}
        if self.key is not None:
            headers["Authorization"] = f"Bearer {self.key.reveal()}"
        return headers


def endpoint(
    name: str, environ: Mapping[str, str], *, base_url: str | None = None, need_key: bool = True
) -> Endpoint:
    """Return the endpoint of a known provider.

    Args:
        name: key of `PROVIDERS`.
        environ: environment variables.
        base_url: overrides the provider's address and its variable.
        need_key: False when nothing will be sent.

    Raises:
        UsageError: a key is needed and missing, or the address is none.
    """
    provider = PROVIDERS[name]
    address = base_url or _first(environ, provider.url_variables)[1] or provider.base_url
    if name == "ollama":
        address = _ollama(address)
    return _endpoint(name, provider, address, environ, need_key=need_key)


def service_endpoint(
    service: str, environ: Mapping[str, str], *, base_url: str | None = None, need_key: bool = True
) -> Endpoint:
    """Return the endpoint of `openai-api/<service>/..`: <SERVICE>_BASE_URL and <SERVICE>_API_KEY.

    Raises:
        UsageError: no address, or no key for a host that isn't this machine.
    """
    prefix = service.upper().replace("-", "_").replace(".", "_")
    address = base_url or environ.get(f"{prefix}_BASE_URL", "")
    if not address:
        raise UsageError(
            f"no address for the service {service!r}; expected the variable {prefix}_BASE_URL or --base-url; "
            f"set it to the server's address, such as https://host/v1"
        )
    provider = Provider(address, (f"{prefix}_API_KEY",), (f"{prefix}_BASE_URL",))
    return _endpoint(f"openai-api/{service}", provider, address, environ, need_key=need_key)


def _endpoint(
    name: str, provider: Provider, address: str, environ: Mapping[str, str], *, need_key: bool
) -> Endpoint:
    local = is_loopback(place(address).host)
    variable, key = _first(environ, provider.key_variables)
    if need_key and not key and provider.key_required and not local:
        wanted = " or ".join(provider.key_variables)
        raise UsageError(f"no key for {name}; expected it in the variable {wanted}; set it and start again")
    if any(ord(letter) < 33 or ord(letter) > 126 for letter in key):
        raise UsageError(
            f"the key in {variable} has a space, a line break or a letter that no key has; "
            "expected printable ASCII; set it again without them"
        )
    return Endpoint(
        address,
        Secret(key) if key else None,
        variable or provider.key_variables[0],
        provider.limit_name,
        provider.omits,
    )


def _first(environ: Mapping[str, str], names: tuple[str, ...]) -> tuple[str, str]:
    for name in names:
        value = environ.get(name, "").strip()
        if value:
            return name, value
    return "", ""


def _ollama(address: str) -> str:
    """Return OLLAMA_HOST's short forms (`host`, `host:port`) as a base URL."""
    url = address if "://" in address else f"http://{address}"
    where = place(url)
    if where.host == "0.0.0.0":  # noqa: S104 - what a server listens on; a client asks this machine
        url = url.replace("0.0.0.0", "127.0.0.1")  # noqa: S104
    if where.port == 80 and ":80" not in url:
        url = url.rstrip("/") + ":11434"
    return url if url.rstrip("/").endswith("/v1") else url.rstrip("/") + "/v1"
