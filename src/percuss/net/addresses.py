"""Hosts and addresses: which are this machine, which are public, how they are written."""

import ipaddress
import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import urlsplit

from percuss.core.errors import UsageError

__all__ = ["Place", "is_loopback", "is_public", "place"]

_DEFAULT_PORTS = {"http": 80, "https": 443}
_NAT64 = ipaddress.ip_network("64:ff9b::/96")  # RFC 6052: the last 32 bits are an IPv4 address


class Place(NamedTuple):
    """Where a URL leads: scheme, lower-case host without brackets, and port."""

    scheme: str
    host: str
    port: int

    def __str__(self) -> str:
        """Write the host, with its port where that isn't the scheme's own."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return name if _DEFAULT_PORTS.get(self.scheme) == self.port else f"{name}:{self.port}"


_ORIGIN = re.compile(r"https?://[A-Za-z0-9.:-]+(?=[/?#]|\Z)")


def place(url: str) -> Place:
    """Return where a URL leads.

    Args:
        url: absolute http or https URL, without user name or password.

    Raises:
        UsageError: anything else; the sentence never repeats a password or a query.
    """
    plain = _ORIGIN.match(url)
    return _read(url if plain is None else plain.group())


@lru_cache(maxsize=256)  # thousands of pages lie on a few hosts
def _read(url: str) -> Place:
    """Return where a URL leads, read whole; what `place` raises."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise UsageError("got a URL that cannot be read; expected http://host or https://host") from None
    shown = f"{parts.scheme}://{parts.hostname or ''}"
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
        raise UsageError(
            f"got the URL {shown!r}; expected one that starts with http:// or https:// and a host"
        )
    if parts.username is not None or parts.password is not None:
        raise UsageError(
            f"the URL of {parts.hostname} carries a user name or password; expected none: "
            "put the key into the provider's environment variable"
        )
    return Place(parts.scheme, parts.hostname.rstrip("."), port or _DEFAULT_PORTS[parts.scheme])


def is_loopback(host: str) -> bool:
    """Say whether a host name or address is this machine: localhost, 127.0.0.0/8 or ::1."""
    name = host.strip("[]").rstrip(".").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    address = _address(name)
    return address is not None and any(form.is_loopback for form in _forms(address))


def is_public(address: str) -> bool:
    """Say whether an address is one of the public internet, in every form that it hides.

    Private, loopback, link-local, carrier, multicast, reserved and unspecified addresses are not, nor are IPv6
    addresses that carry such an IPv4 address (mapped, 6to4, Teredo, NAT64).

    Args:
        address: IPv4 or IPv6 address in text, scope allowed; anything else isn't public.
    """
    parsed = _address(address)
    if parsed is None:
        return False
    return all(form.is_global and not form.is_multicast and not _site_local(form) for form in _forms(parsed))


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None


def _site_local(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    return isinstance(address, ipaddress.IPv6Address) and address.is_site_local


def _forms(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> tuple[ipaddress.IPv4Address | ipaddress.IPv6Address, ...]:
    """Return the addresses that a packet may reach: the hidden IPv4 one where there is one, else itself."""
    if isinstance(address, ipaddress.IPv4Address):
        return (address,)
    if address.ipv4_mapped is not None:
        return (address.ipv4_mapped,)
    if address in _NAT64:
        return (ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF),)
    if address.sixtofour is not None:
        return (address, address.sixtofour)
    if address.teredo is not None:
        return (address, *address.teredo)
    return (address,)
