"""Serve a study: one command, one process, loopback unless told otherwise."""

import socket
import sys
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

from percuss.core.errors import UsageError
from percuss.study.store.people import everybody, invitation
from percuss.study.study import Study

__all__ = ["address_of", "links", "serve"]

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def address_of(host: str, port: int, public_url: str) -> str:
    """Return the address under which people reach the study, without a slash at the end.

    Raises:
        UsageError: the public URL is not http or https, or carries a query.
    """
    if not public_url:
        return f"http://{f'[{host}]' if ':' in host else host}:{port}"
    parts = urlsplit(public_url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise UsageError(f"--public-url {public_url!r} is not an address; give https://host/path")
    return public_url.rstrip("/")


def links(study: Study, address: str) -> list[tuple[str, str]]:
    """Return code and invitation link of everybody who has not joined yet."""
    with study.database.read() as connection:
        persons = everybody(connection)
    return [
        (person.code, f"{address}/join/{invitation(study.secret, person)}")
        for person in persons
        if not person.joined and not person.left and person.role != "imported"
    ]


def serve(
    study: Study | Sequence[Study],
    *,
    host: str = "127.0.0.1",
    port: int = 8780,
    public_url: str = "",
    say: Callable[[str], None] = print,
    ready: Callable[[int], None] | None = None,
) -> None:
    """Serve a study, or several under a path each, until interrupted.

    Args:
        study: open; several share the address and nothing else.
        host: address to listen on.
        port: 0 takes a free one.
        public_url: address under which people reach it through a proxy, base path included.
        say: told the address and the invitation links.
        ready: told the port once connections are taken.

    Raises:
        UsageError: the port is taken, or the public URL is not an address.
    """
    import uvicorn

    from percuss.study.portal.many import slugs
    from percuss.study.standing import report_so_far, standing

    studies = (study,) if isinstance(study, Study) else tuple(study)
    address_of(host, port, public_url)
    listener = _listener(host, port)
    port = listener.getsockname()[1]
    address = address_of(host, port, public_url)
    for one, slug in zip(studies, slugs([one.settings.name for one in studies]), strict=True):
        _forget_when_due(one, say)
        report_so_far(one, standing(one))  # all labels are read before anybody asks for a page
        _announce(one, host, address if len(studies) == 1 else f"{address}/{slug}", public_url, say)
    say("\nStop with Ctrl+C: every answer that was shown as saved is on disk.")
    app = _app(studies, address, host, public_url)
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            log_level="warning",
            access_log=False,
            server_header=False,
            date_header=True,
            timeout_graceful_shutdown=10,
        )
    )
    if ready is not None:
        ready(port)
    sys.stdout.flush()
    server.run(sockets=[listener])


def _forget_when_due(study: Study, say: Callable[[str], None]) -> None:
    """Delete the names and accounts of a study whose days of retention are over, and say so."""
    from percuss.study.retention import forget, is_due

    settings = study.settings
    if study.database.write(lambda c: is_due(c, settings) and forget(c, by="system")):
        say(
            f"{settings.name}: names and accounts are deleted, {settings.retention_days} days after archiving"
        )


def _app(studies: Sequence[Study], address: str, host: str, public_url: str) -> Any:
    """Return the portal of a study, or of several under a path each."""
    from percuss.study.portal.app import portal
    from percuss.study.portal.many import portals

    if len(studies) == 1:
        return portal(studies[0], public_url=public_url, host=host)
    return portals(studies, public_url=address, host=host)


def _listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise UsageError(
            f"can't listen on {host} port {port}: {error.strerror}; give another --port"
        ) from None
    listener.listen(512)
    return listener


def _announce(study: Study, host: str, address: str, public_url: str, say: Callable[[str], None]) -> None:
    say(f"{study.settings.title or study.design.title}\n")
    say(f"  {address}/")
    if host in LOOPBACK and not public_url:
        say("  only this machine can reach it (loopback); --host or --public-url opens it to others\n")
    elif host not in LOOPBACK and not public_url.startswith("https://"):
        say(
            f"  listening on {host} without https: put a proxy with a certificate in front and give --public-url\n"
        )
    else:
        say("")
    waiting = links(study, address)
    if waiting:
        say("Invitations, one for each person; send them privately:")
        for code, link in waiting:
            say(f"  {code:4} {link}")
    else:
        say("Everybody has joined; they sign in at the address above.")
