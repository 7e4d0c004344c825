"""--offline. An audit hook lasts as long as its process, so each test has one of its own."""

import subprocess
import sys
import textwrap

import pytest

from percuss.core.errors import UsageError
from percuss.net import offline


def run(code: str) -> str:
    """Run code in a fresh process and return what it printed."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_connections_of_any_library_are_refused_and_the_sentence_names_the_host() -> None:
    said = run("""
        import socket, urllib.request
        from percuss.core.errors import HostRefused
        from percuss.net import offline
        offline.enable()
        for act in (
            lambda: socket.create_connection(("93.184.216.34", 443), timeout=1),
            lambda: socket.getaddrinfo("example.org", 443),
            lambda: socket.gethostbyname("example.org"),
            lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("8.8.8.8", 53)),
            lambda: urllib.request.urlopen("http://example.org", timeout=1),
        ):
            try:
                act()
            except HostRefused as error:
                print(error)
    """).splitlines()
    assert len(said) == 5
    assert "--allow-host 93.184.216.34" in said[0]
    assert "--allow-host example.org" in said[1]
    assert all("offline" in line for line in said)


def test_loopback_works() -> None:
    said = run("""
        import asyncio
        from percuss.models.loopback import Loopback
        from percuss.net import offline
        from percuss.net.client import Client
        offline.enable()
        async def main():
            async with Loopback() as server, Client() as client:
                by_name = server.url.replace("127.0.0.1", "localhost")
                print((await client.get(server.url + "/models")).status, (await client.get(by_name + "/models")).status)
        asyncio.run(main())
    """)
    assert said.split() == ["200", "200"]


def test_the_client_says_the_sentence_before_it_sends() -> None:
    said = run("""
        import asyncio
        from percuss.core.errors import HostRefused
        from percuss.net import offline
        from percuss.net.client import Client
        offline.enable(["api.allowed.org:8443"])
        async def main():
            async with Client() as client:
                for url in ("https://api.other.org/v1", "https://api.allowed.org/v1"):
                    try:
                        await client.post(url, body=b"{}")
                    except HostRefused as error:
                        print(error, client.contacts.counts())
        asyncio.run(main())
    """).splitlines()
    assert "api.other.org:443 is not an allowed host" in said[0]
    assert "--allow-host api.other.org" in said[0]
    assert "api.allowed.org:443 is not an allowed host" in said[1]
    assert all(line.endswith("{}") for line in said)


def test_an_allowed_host_is_reached_by_name_and_by_the_addresses_it_resolves_to() -> None:
    # The machine's own name stands for an allowed host: it resolves without a network.
    said = run("""
        import socket
        from percuss.net import offline
        from percuss.core.errors import HostRefused
        offline.enable(["example.org"])
        offline.check("example.org", 443)
        offline.check("EXAMPLE.org.", 443)
        offline.learn("example.org", ["192.0.2.7"])
        probe = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        probe.connect(("192.0.2.7", 443))
        print(probe.getpeername()[0])
        try:
            probe.connect(("192.0.2.8", 443))
        except HostRefused:
            print("refused")
    """)
    assert said.split() == ["192.0.2.7", "refused"]


def test_enabling_again_replaces_the_list() -> None:
    said = run("""
        from percuss.net import offline
        from percuss.core.errors import HostRefused
        assert not offline.enabled()
        offline.enable(["a.org"])
        offline.enable(["b.org"])
        offline.check("b.org")
        try:
            offline.check("a.org")
        except HostRefused:
            print("refused", offline.enabled())
    """)
    assert said.split() == ["refused", "True"]


@pytest.mark.parametrize("entry", ["", "https://a.org", "a.org:port", "a.org:0", "a b"])
def test_an_entry_that_is_no_host_is_a_usage_error(entry: str) -> None:
    with pytest.raises(UsageError, match="expected a name or address"):
        offline._parse(entry)


@pytest.mark.parametrize(
    ("entry", "host", "port"),
    [
        ("a.org", "a.org", None),
        ("A.org:443", "a.org", 443),
        ("[2001:db8::1]:8000", "2001:db8::1", 8000),
        ("2001:db8::1", "2001:db8::1", None),
    ],
)
def test_entries_are_hosts_with_or_without_port(entry: str, host: str, port: int | None) -> None:
    assert offline._parse(entry) == (host, port)
