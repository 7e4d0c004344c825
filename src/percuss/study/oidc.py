"""Single sign-on by OpenID Connect: authorization code with PKCE, state and nonce. The only module that calls a provider."""

import os
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from percuss.core.errors import RunError, UsageError
from percuss.core.records import Record
from percuss.study.plain import plain
from percuss.study.settings import Oidc

__all__ = ["Identity", "begin", "finish"]

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


def _discovered(client: Any, settings: Oidc) -> Mapping[str, Any]:
    """Fetch the provider's discovery document; it must speak for the issuer that was configured."""
    issuer = settings.issuer.rstrip("/")
    host = urlsplit(issuer).hostname or ""
    if not issuer.startswith("https://") and host not in ("127.0.0.1", "localhost"):
        raise UsageError(f"the OIDC issuer {issuer} is not https; sign-on over an open line is refused")
    response = client.request("GET", f"{issuer}/.well-known/openid-configuration", withhold_token=True)
    response.raise_for_status()
    found: Mapping[str, Any] = response.json()
    if str(found.get("issuer", "")).rstrip("/") != issuer:
        raise RunError(
            f"the sign-on provider calls itself {found.get('issuer')!r}; study.toml says {issuer!r}"
        )
    return found


def begin(settings: Oidc, redirect: str) -> Begun:
    """Begin a sign-in.

    Args:
        settings: of the study.
        redirect: our address to which the provider sends the browser back.

    Raises:
        RunError: the provider can't be reached or is another one.
    """
    import secrets

    nonce, verifier = secrets.token_urlsafe(24), secrets.token_urlsafe(48)
    with _client(settings, redirect) as client:
        try:
            found = _discovered(client, settings)
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


def finish(settings: Oidc, redirect: str, begun: Begun, code: str) -> Identity:
    """Exchange the code for an identity token and check it: signature, issuer, audience, time, nonce.

    Raises:
        RunError: anything does not fit.
    """
    from authlib.common.errors import AuthlibBaseError
    from joserfc import jwt
    from joserfc.errors import JoseError
    from joserfc.jwk import KeySet

    with _client(settings, redirect) as client:
        try:
            found = _discovered(client, settings)
            token = client.fetch_token(found["token_endpoint"], code=code, code_verifier=begun.verifier)
            keys = KeySet.import_key_set(client.request("GET", found["jwks_uri"], withhold_token=True).json())
            claims = jwt.decode(token["id_token"], keys, algorithms=ALGORITHMS).claims
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
        except (JoseError, AuthlibBaseError, OSError, ValueError, KeyError, _http_error()) as error:
            raise RunError(
                f"the sign-on did not succeed ({type(error).__name__}); please try again"
            ) from None
    name = str(claims.get("name") or claims.get("preferred_username") or claims.get("email") or "signed in")
    subject = str(claims["sub"])
    if plain(subject) != subject:  # replacing something in it could make two people one
        raise RunError("the sign-on provider sent an identity that is not plain text; please ask who runs it")
    return Identity(issuer=settings.issuer.rstrip("/"), subject=subject, name=plain(name)[:120])
