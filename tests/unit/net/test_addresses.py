"""Addresses in every form that hides what they are."""

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from percuss.core.errors import UsageError
from percuss.net.addresses import is_loopback, is_public, place

PRIVATE = [
    "127.0.0.1",
    "127.8.8.8",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",  # metadata service of clouds
    "100.64.0.1",
    "0.0.0.0",
    "255.255.255.255",
    "224.0.0.1",
    "192.0.2.1",
    "::1",
    "::",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "fec0::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::7f00:1",  # NAT64 of 127.0.0.1
    "2002:7f00:1::",  # 6to4 of 127.0.0.1
    "2001:0:7f00:1::",  # Teredo
    "no address",
    "",
]


@pytest.mark.parametrize("address", PRIVATE)
def test_what_is_not_of_the_public_internet_is_refused(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "1.1.1.1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]
)
def test_public_addresses_are_public(address: str) -> None:
    assert is_public(address)


@given(st.ip_addresses(v=4))
def test_an_ipv4_address_is_as_public_as_its_mapped_form(address: object) -> None:
    assert is_public(str(address)) == is_public(f"::ffff:{address}")


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST.", "a.localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]"]
)
def test_this_machine(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host", ["localhost.example.org", "10.0.0.1", "0.0.0.0", "example.org", "127.0.0.1.nip.io"]
)
def test_other_machines(host: str) -> None:
    assert not is_loopback(host)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://API.example.org/v1", "api.example.org"),
        ("https://api.example.org:443/v1", "api.example.org"),
        ("http://api.example.org:8080/x?y=z", "api.example.org:8080"),
        ("http://[::1]:8000", "[::1]:8000"),
        ("https://api.example.org./v1", "api.example.org"),
    ],
)
def test_place_is_host_and_unusual_port(url: str, shown: str) -> None:
    assert str(place(url)) == shown


@pytest.mark.parametrize(
    "url", ["api.example.org", "ftp://x", "file:///etc/passwd", "https://", "http://x:99999", "http://[::1"]
)
def test_what_is_no_web_address_is_a_usage_error(url: str) -> None:
    with pytest.raises(UsageError, match="expected"):
        place(url)


def test_a_password_in_the_url_is_refused_and_not_repeated() -> None:
    with pytest.raises(UsageError, match="user name or password") as caught:
        place("https://me:hunter2@example.org/v1")
    assert "hunter2" not in str(caught.value)


@given(st.text("aZ9.:-/?#@[]\\\t\r\n %é", max_size=24), st.text("aZ9.:-/?#@[]\\\t\r\n %é", max_size=12))
def test_where_an_address_leads_is_what_the_standard_library_reads(middle: str, end: str) -> None:
    url = f"http://{middle}{end}"
    try:
        parts = urlsplit(url)
        host, port, name = parts.hostname, parts.port, parts.username
    except ValueError:
        host = port = name = None
    if not host or name is not None:
        with pytest.raises(UsageError):
            place(url)
        return
    assert (place(url).host, place(url).port) == (host.rstrip("."), port or 80)
