"""`--offline`: no socket but loopback and the hosts that were allowed by name.

Two nets: `check` says the sentence before a request is made, and an audit hook below every library of the process
(PEP 578: `socket.connect`, `socket.getaddrinfo` and their kin) refuses what went another way. An audit hook cannot be
removed, so the policy lasts as long as the process; enabling again replaces the list of hosts.
"""

import ipaddress
import socket
import sys
import threading
from collections.abc import Iterable
from typing import Any

from percuss.core.errors import HostRefused, UsageError
from percuss.net.addresses import is_loopback

__all__ = ["check", "enable", "enabled", "learn"]

_NAME_EVENTS = frozenset({"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"})
_SEND_EVENTS = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg"})


class _Policy:
    """What is allowed: host -> ports (None = all), and the addresses that those hosts were resolved to."""

    def __init__(self, allow: Iterable[str]) -> None:
        self.ports: dict[str, set[int | None]] = {}
        self.addresses: dict[str, set[str]] = {}
        for entry in allow:
            host, port = _parse(entry)
            self.ports.setdefault(host, set()).add(port)

    def allows(self, host: str, port: int | None) -> bool:
        if is_loopback(host):
            return True
        ports = self.ports.get(_plain(host))
        return ports is not None and (port is None or None in ports or port in ports)

    def allows_address(self, address: str, port: int) -> bool:
        if self.allows(address, port):
            return True
        return any(
            self.allows(host, port) and _plain(address) in self.known(host, address) for host in self.ports
        )

    def known(self, host: str, address: str) -> set[str]:
        """Return the addresses of an allowed host; ask the resolver when the one in question is new."""
        found = self.addresses.setdefault(host, set())
        if _plain(address) not in found:
            try:
                found.update(_plain(str(entry[4][0])) for entry in socket.getaddrinfo(host, None))
            except OSError:
                return found
        return found


class _State:
    policy: _Policy | None = None
    hooked = False


_LOCK = threading.Lock()


def enable(allow: Iterable[str] = ()) -> None:
    """Refuse every connection of this process but those to loopback and to the hosts named.

    Args:
        allow: `host` or `host:port`, IPv6 addresses in brackets where a port follows; without a port, all ports.

    Raises:
        UsageError: an entry that is no host.
    """
    policy = _Policy(allow)
    with _LOCK:
        _State.policy = policy
        if not _State.hooked:
            sys.addaudithook(_hook)
            _State.hooked = True


def enabled() -> bool:
    """Say whether this process is offline."""
    return _State.policy is not None


def check(host: str, port: int | None = None) -> None:
    """Refuse a host in one sentence before anything is sent to it.

    Raises:
        HostRefused: the process is offline and the host is not allowed.
    """
    policy = _State.policy
    if policy is not None and not policy.allows(host, port):
        raise _refusal(host, port)


def learn(host: str, addresses: Iterable[str]) -> None:
    """Remember what an allowed host was resolved to, so that connecting needs no second look-up."""
    policy = _State.policy
    if policy is not None and _plain(host) in policy.ports:
        policy.addresses.setdefault(_plain(host), set()).update(map(_plain, addresses))


def _refusal(host: str, port: int | None) -> HostRefused:
    where = host if port is None else f"{host}:{port}"
    return HostRefused(
        f"this run is offline and {where} is not an allowed host; expected this machine or a host named by "
        f"--allow-host; add --allow-host {host} if data may go there"
    )


def _hook(event: str, args: tuple[Any, ...]) -> None:
    policy = _State.policy
    if policy is None:
        return
    if event in _NAME_EVENTS:
        _check_name(policy, args[0])
    elif event in _SEND_EVENTS:
        _check_address(policy, args[1])


def _check_name(policy: _Policy, host: Any) -> None:
    # No host means this machine; a literal address is resolved without a packet, and connecting is checked.
    name = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    if not name or _is_literal(name):
        return
    if not policy.allows(name, None):
        raise _refusal(name, None)


def _check_address(policy: _Policy, address: Any) -> None:
    # Unix sockets have text addresses; a datagram on a connected socket has none, and was checked when it connected.
    if isinstance(address, tuple) and len(address) >= 2 and isinstance(address[0], str):
        host, port = address[0], int(address[1])
        if not policy.allows_address(host, port):
            raise _refusal(host, port)


def _is_literal(name: str) -> bool:
    try:
        ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    return True


def _plain(host: str) -> str:
    return host.strip("[]").rstrip(".").partition("%")[0].lower()


def _parse(entry: str) -> tuple[str, int | None]:
    text = entry.strip()
    host, port = text, ""
    if text.startswith("["):
        host, _, rest = text[1:].partition("]")
        port = rest.removeprefix(":")
    elif text.count(":") == 1:
        host, _, port = text.partition(":")
    bad = not host or "/" in host or " " in host or (port and not (port.isdigit() and 0 < int(port) < 65536))
    if bad:
        raise UsageError(
            f"got the host {entry!r}; expected a name or address, with a port if wanted: host or host:port"
        )
    return _plain(host), int(port) if port else None
