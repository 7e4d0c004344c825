"""Serve a study: one command, one process, loopback unless told otherwise."""

import socket
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from percuss.core.errors import UsageError
from percuss.study.links import links
from percuss.study.study import Study

__all__ = ["address_of", "forget_those_due", "keep_promises", "links", "listener_on", "serve"]

EVERY_S = 3600.0  # between two looks at whose days of retention are over
HOW_SERVED: dict[str, Any] = {
    "log_level": "warning",
    "access_log": False,
    "server_header": False,
    "proxy_headers": False,  # who may say where somebody comes from stands in study.toml alone
    "date_header": True,
    "timeout_graceful_shutdown": 10,
}
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


def serve(
    study: Study | Sequence[Study],
    *,
    host: str = "127.0.0.1",
    port: int = 8780,
    public_url: str = "",
    say: Callable[[str], None] = print,
    ready: Callable[[int], None] | None = None,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> None:
    """Serve a study, or several under a path each, until interrupted.

    Args:
        study: open; several share the address and nothing else.
        host: address to listen on.
        port: 0 takes a free one.
        public_url: address under which people reach it through a proxy, base path included.
        say: told the address and the invitation links.
        ready: told the port once connections are taken.
        clock: gives the time, with its zone, by which it is known whose days of retention are over.

    Raises:
        UsageError: the port is taken, or the public URL is not an address.
    """
    import uvicorn

    from percuss.study.portal.choosing import refuse_unsorted
    from percuss.study.portal.many import slugs
    from percuss.study.standing import report_so_far, standing

    studies = (study,) if isinstance(study, Study) else tuple(study)
    address_of(host, port, public_url)
    for one in studies:
        if one.settings.breached_passwords:
            refuse_unsorted(Path(one.settings.breached_passwords))
    listener = listener_on(host, port)
    port = listener.getsockname()[1]
    address = address_of(host, port, public_url)
    for one, slug in zip(studies, slugs([one.settings.name for one in studies]), strict=True):
        forget_those_due([one], say, clock)
        report_so_far(one, standing(one))  # all labels are read before anybody asks for a page
        _announce(one, host, address if len(studies) == 1 else f"{address}/{slug}", public_url, say)
    say("\nStop with Ctrl+C: every answer that was shown as saved is on disk.")
    app = _app(studies, address, host, public_url)
    server = uvicorn.Server(uvicorn.Config(app, **HOW_SERVED))
    if ready is not None:
        ready(port)
    sys.stdout.flush()
    with _kept(studies, say, clock):
        server.run(sockets=[listener])


def forget_those_due(
    studies: Sequence[Study], say: Callable[[str], None], clock: Callable[[], datetime]
) -> None:
    """Delete what the retention of each study promises, where the days are over, and say so."""
    from percuss.study.retention import forget_where_due

    for one in studies:
        if forget_where_due(one, now=clock()):
            days = one.settings.retention_days
            say(f"{one.settings.name}: names and accounts are deleted, {days} days after archiving")


def keep_promises(
    studies: Sequence[Study],
    say: Callable[[str], None],
    clock: Callable[[], datetime],
    stopped: threading.Event,
    every_s: float = EVERY_S,
) -> None:
    """Look again and again whose days are over, until the server stops: it may run for longer than they last."""
    while not stopped.wait(every_s):
        forget_those_due(studies, say, clock)


@contextmanager
def _kept(
    studies: Sequence[Study], say: Callable[[str], None], clock: Callable[[], datetime]
) -> Iterator[None]:
    """Keep what the studies promise for as long as they are served."""
    stopped = threading.Event()
    threading.Thread(target=keep_promises, args=(studies, say, clock, stopped), daemon=True).start()
    try:
        yield
    finally:
        stopped.set()


def _app(studies: Sequence[Study], address: str, host: str, public_url: str) -> Any:
    """Return the portal of a study, or of several under a path each."""
    from percuss.study.portal.app import portal
    from percuss.study.portal.many import portals

    if len(studies) == 1:
        return portal(studies[0], public_url=public_url, host=host)
    return portals(studies, public_url=address, host=host)


def listener_on(host: str, port: int) -> socket.socket:
    """Return a socket that listens.

    Args:
        host: address to listen on. port: 0 takes a free one.

    Raises:
        UsageError: the port is taken.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP, or asyncio leaves Nagle's delay on: a page's body then waits 40 ms for its head to be acknowledged.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
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
