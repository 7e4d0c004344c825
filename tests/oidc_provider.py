"""A small OpenID Connect provider on loopback: authorization code with PKCE, RS256, one user, and ways to misbehave."""

import base64
import hashlib
import secrets
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from joserfc import jwt
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route


@dataclass
class Provider:
    """What the provider knows, and what it does wrong when asked to.

    Args:
        wrong: claims that replace the right ones in the identity token.
        forged: sign with another key than the one that is published.
        asked: documents that were fetched, in order.
    """

    subject: str = "user-17"
    name: str = "Dr Ada"
    wrong: dict[str, Any] = field(default_factory=dict)
    forged: bool = False
    issuer: str = ""
    asked: list[str] = field(default_factory=list)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "one"}))
    other: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "one"}))

    def discovery(self, _: Request) -> Response:
        self.asked.append("discovery")
        at = self.issuer
        return JSONResponse(
            {
                "issuer": at,
                "authorization_endpoint": f"{at}/authorize",
                "token_endpoint": f"{at}/token",
                "jwks_uri": f"{at}/jwks",
            }
        )

    def authorize(self, request: Request) -> Response:
        """Say yes at once, as a provider does whose user is signed in."""
        asked = dict(request.query_params)
        assert asked["response_type"] == "code"
        assert asked["code_challenge_method"] == "S256"
        assert "openid" in asked["scope"]
        code = secrets.token_urlsafe(12)
        self.codes[code] = asked
        return RedirectResponse(
            f"{asked['redirect_uri']}?code={code}&state={asked['state']}", status_code=303
        )

    async def token(self, request: Request) -> Response:
        """Exchange a code once, for whoever holds the verifier."""
        form = await request.form()
        asked = self.codes.pop(str(form.get("code")), None)
        digest = hashlib.sha256(str(form.get("code_verifier")).encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if (
            asked is None
            or challenge != asked["code_challenge"]
            or form.get("redirect_uri") != asked["redirect_uri"]
        ):
            return JSONResponse({"error": "invalid_grant"}, status_code=400)
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "sub": self.subject,
            "aud": asked["client_id"],
            "iat": now,
            "exp": now + 300,
            "nonce": asked["nonce"],
            "name": self.name,
        }
        key = self.other if self.forged else self.key
        signed = jwt.encode({"alg": "RS256", "kid": "one"}, {**claims, **self.wrong}, key)
        return JSONResponse(
            {"access_token": "x", "token_type": "Bearer", "expires_in": 300, "id_token": signed}
        )

    def jwks(self, _: Request) -> Response:
        self.asked.append("jwks")
        return JSONResponse({"keys": [self.key.as_dict(private=False)]})


@contextmanager
def provider() -> Iterator[Provider]:
    """Serve a provider on a free port of loopback."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(32)
    made = Provider(issuer=f"http://127.0.0.1:{listener.getsockname()[1]}")
    routes = [
        Route("/.well-known/openid-configuration", made.discovery),
        Route("/authorize", made.authorize),
        Route("/token", made.token, methods=["POST"]),
        Route("/jwks", made.jwks),
    ]
    server = uvicorn.Server(uvicorn.Config(Starlette(routes=routes), log_level="error", lifespan="off"))
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.01)
    try:
        yield made
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()
