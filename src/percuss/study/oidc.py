"""Single sign-on by OpenID Connect: authorization code with PKCE, state and nonce. The only module that calls a provider."""

import os
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from percuss.core.errors import RunError, UsageError
from percuss.core.records import Record
from percuss.study.plain import plain
from percuss.study.settings import Oidc

__all__ = ["Identity", "Provider", "begin", "finish"]

TIMEOUT_S = 10.0
ALGORITHMS = ["RS256", "ES256", "PS256", "EdDSA"]  # no `none`, no shared-secret algorithm
LEEWAY_S = 60


class Identity(Record):
    """Who a provider says somebody is; `subject` is unique at the issuer."""

    issuer: str
    subject: str
    name: str


class Begun(Record):
    """A sign-in under way: where to send the browser, and what must come back."""

    address: str
    state: str
    nonce: str
    verifier: str


def _client(settings: Oidc, redirect: str) -> Any:
    from authlib.integrations.httpx_client import OAuth2Client

    secret = os.environ.get(settings.secret_env) if settings.secret_env else None
    return OAuth2Client(
        client_id=settings.client_id,
        client_secret=secret,
        token_endpoint_auth_method="client_secret_basic" if secret else "none",
        scope=settings.scope,
        redirect_uri=redirect,
        code_challenge_method="S256",
        timeout=TIMEOUT_S,
    )


class Provider:
    """What a provider says of itself and its keys, kept for a while; few requests wait for it at a time.

    Args:
        fresh_s: seconds for which what was fetched is used again.
        waiting: requests that may wait for the provider at once; others are told to try again.
    """

    def __init__(self, *, fresh_s: float = 3600.0, waiting: int = 4) -> None:
        self.fresh_s = fresh_s
        self.fetched = 0
        self._waiting = threading.BoundedSemaphore(waiting)
        self._kept: dict[str, tuple[float, Mapping[str, Any]]] = {}

    @contextmanager
    def asked(self) -> Iterator[None]:
        """Hold one of the few places in which a request may wait for the provider.

        Raises:
            RunError: all of them are taken.
        """
        if not self._waiting.acquire(blocking=False):
            raise RunError("the sign-on provider is slow at the moment; please try again in a minute")
        try:
            yield
        finally:
            self._waiting.release()

    def json(self, client: Any, address: str, *, anew: bool = False) -> Mapping[str, Any]:
        """Fetch a document, or return the one that is kept; `anew` fetches in any case, for a key that is not known yet."""
        kept = self._kept.get(address)
        if kept is not None and not anew and kept[0] > time.monotonic() - self.fresh_s:
            return kept[1]
        response = client.request("GET", address, withhold_token=True)
        response.raise_for_status()
        self.fetched += 1
        found: Mapping[str, Any] = response.json()
        self._kept[address] = (time.monotonic(), found)
        return found


def _discovered(client: Any, settings: Oidc, provider: Provider) -> Mapping[str, Any]:
    """Fetch the provider's discovery document; it must speak for the issuer that was configured."""
    issuer = settings.issuer.rstrip("/")
    host = urlsplit(issuer).hostname or ""
    if not issuer.startswith("https://") and host not in ("127.0.0.1", "localhost"):
        raise UsageError(f"the OIDC issuer {issuer} is not https; sign-on over an open line is refused")
    found = provider.json(client, f"{issuer}/.well-known/openid-configuration")
    if str(found.get("issuer", "")).rstrip("/") != issuer:
        raise RunError(
            f"the sign-on provider calls itself {found.get('issuer')!r}; study.toml says {issuer!r}"
        )
    return found


def begin(settings: Oidc, redirect: str, provider: Provider | None = None) -> Begun:
    """Begin a sign-in.

    Args:
        settings: of the study.
        redirect: our address to which the provider sends the browser back.
        provider: keeps what was fetched; None fetches anew.

    Raises:
        RunError: the provider can't be reached or is another one.
    """
    import secrets

    provider = provider or Provider()
    nonce, verifier = secrets.token_urlsafe(24), secrets.token_urlsafe(48)
    with provider.asked(), _client(settings, redirect) as client:
        try:
            found = _discovered(client, settings, provider)
            address, state = client.create_authorization_url(
                found["authorization_endpoint"], nonce=nonce, code_verifier=verifier
            )
        except (OSError, ValueError, KeyError, _http_error()) as error:
            raise RunError(
                f"the sign-on provider could not be reached ({type(error).__name__}); try again"
            ) from None
    return Begun(address=address, state=state, nonce=nonce, verifier=verifier)


def _http_error() -> type[Exception]:
    import httpx2

    error: type[Exception] = httpx2.HTTPError
    return error


def _claims(client: Any, provider: Provider, address: str, token: str) -> dict[str, Any]:
    """Return a token's claims once its signature fits one of the provider's keys; keys may have been changed since."""
    from joserfc import jwt
    from joserfc.errors import JoseError
    from joserfc.jwk import KeySet

    for anew in (False, True):
        keys = KeySet.import_key_set(dict(provider.json(client, address, anew=anew)))  # type: ignore[arg-type]
        try:
            return dict(jwt.decode(token, keys, algorithms=ALGORITHMS).claims)
        except (JoseError, ValueError):
            if anew:
                raise
    raise AssertionError("unreachable")


def _check_party(claims: Mapping[str, Any], client_id: str) -> None:
    """A token for several audiences must name us as the party that asked for it (OpenID Connect Core 1.0, 3.1.3.7)."""
    audience, party = claims["aud"], claims.get("azp")
    several = isinstance(audience, list) and len(audience) > 1
    if (several or party is not None) and party != client_id:
        raise ValueError("the token was asked for by another party")


def finish(
    settings: Oidc, redirect: str, begun: Begun, code: str, provider: Provider | None = None
) -> Identity:
    """Exchange the code for an identity token and check it: signature, issuer, audience, party, time, nonce.

    Raises:
        RunError: anything does not fit.
    """
    from authlib.common.errors import AuthlibBaseError
    from joserfc import jwt
    from joserfc.errors import JoseError

    provider = provider or Provider()
    with provider.asked(), _client(settings, redirect) as client:
        try:
            found = _discovered(client, settings, provider)
            token = client.fetch_token(found["token_endpoint"], code=code, code_verifier=begun.verifier)
            claims = _claims(client, provider, found["jwks_uri"], token["id_token"])
            registry = jwt.JWTClaimsRegistry(
                leeway=LEEWAY_S,
                iss={"essential": True, "value": found["issuer"]},
                aud={"essential": True, "value": settings.client_id},
                exp={"essential": True},
                iat={"essential": True},
                sub={"essential": True},
                nonce={"essential": True, "value": begun.nonce},
            )
            registry.validate(claims)
            _check_party(claims, settings.client_id)
        except (JoseError, AuthlibBaseError, OSError, ValueError, KeyError, _http_error()) as error:
            raise RunError(
                f"the sign-on did not succeed ({type(error).__name__}); please try again"
            ) from None
    name = str(claims.get("name") or claims.get("preferred_username") or claims.get("email") or "signed in")
    subject = str(claims["sub"])
    if plain(subject) != subject:  # replacing something in it could make two people one
        raise RunError("the sign-on provider sent an identity that is not plain text; please ask who runs it")
    return Identity(issuer=settings.issuer.rstrip("/"), subject=subject, name=plain(name)[:120])
