"""EPUB: its chapters in the order of the spine, by zipfile and lxml, with limits against files that unpack without end."""

import posixpath
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from percuss.core.errors import BadInput
from percuss.protocols.textbook.ingest.passage import Block, Book
from percuss.protocols.textbook.ingest.readers.markup import (
    blocks_of_html,
    html_root,
    local,
    text_in,
    xml_root,
)

__all__ = ["read_epub"]

MOST_ENTRY, MOST_ALL, MOST_RATIO = 64 << 20, 512 << 20, 200
"""Bytes of one file and of all, unpacked, and how many times larger than packed one may be."""


def read_epub(path: Path) -> Book:
    """Read an EPUB; each chapter's blocks stand under its headings.

    Raises:
        BadInput: no EPUB, an encrypted one, or one that unpacks to more than a book holds.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            return _book(archive, path)
    except (zipfile.BadZipFile, RuntimeError) as error:
        raise BadInput(f"cannot be opened as EPUB ({error})", source=path.name) from None


def _book(archive: zipfile.ZipFile, path: Path) -> Book:
    budget = [MOST_ALL]
    container = xml_root(_read(archive, "META-INF/container.xml", path.name, budget), path.name)
    rootfile = next((node.get("full-path") for node in container.iter() if local(node) == "rootfile"), None)
    if rootfile is None:
        raise BadInput(
            "names no package file; expected META-INF/container.xml with a rootfile", source=path.name
        )
    package = xml_root(_read(archive, rootfile, path.name, budget), path.name)
    files = {n.get("id"): n for n in package.iter() if local(n) == "item"}
    blocks: list[Block] = []
    for reference in (n.get("idref") for n in package.iter() if local(n) == "itemref"):
        item = files.get(reference)
        if (
            item is None
            or "html" not in (item.get("media-type") or "")
            or "nav" in (item.get("properties") or "")
        ):
            continue
        name = posixpath.normpath(
            posixpath.join(posixpath.dirname(rootfile), unquote(item.get("href") or ""))
        )
        root = html_root(_read(archive, name, path.name, budget), f"{path.name}/{name}")
        blocks += blocks_of_html(root)
    return Book(_meta(package, "title") or path.stem, _meta(package, "rights"), blocks)


def _meta(package: Any, name: str) -> str:
    return next((text_in(node) for node in package.iter() if local(node) == name), "")


def _read(archive: zipfile.ZipFile, name: str, source: str, budget: list[int]) -> bytes:
    try:
        entry = archive.getinfo(name)
    except KeyError:
        raise BadInput(
            f"lacks {name}; expected an EPUB with its package and chapters", source=source
        ) from None
    budget[0] -= entry.file_size
    if (
        entry.file_size > MOST_ENTRY
        or budget[0] < 0
        or entry.file_size > MOST_RATIO * max(1, entry.compress_size)
    ):
        raise BadInput(f"{name} unpacks to more than a chapter holds", source=source)
    with archive.open(entry) as file:
        data = file.read(entry.file_size + 1)
    if len(data) > entry.file_size:
        raise BadInput(f"{name} unpacks to more than it says", source=source)
    return data
