"""A hook of mkdocs: what pages link to outside docs/ becomes part of the site, so that every link of the repository holds there too."""

import re
from pathlib import Path, PurePosixPath
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
LINK = re.compile(r"\]\(([^)#:\s]+)(#[^)\s]*)?\)")
PLACE = "source"
"""Folder of the site in which files of the repository stand, under their own paths."""


def on_files(files: Files, config: Any) -> Files:
    """Add each file of the repository that a page of docs/ links to."""
    pages = sorted(Path(config["docs_dir"]).rglob("*.md"))
    linked = {
        target
        for page in pages
        for name, _ in LINK.findall(page.read_text(encoding="utf-8"))
        if not (target := (page.parent / name).resolve()).is_relative_to(config["docs_dir"])
        and target.is_file()
        and target.is_relative_to(ROOT)
    }
    for target in sorted(linked):
        place = f"{PLACE}/{target.relative_to(ROOT).as_posix()}"
        files.append(File.generated(config, place, abs_src_path=str(target)))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Point links at the copies; a link of a copied page to what isn't in the site becomes its plain text."""
    here = PurePosixPath(page.file.src_uri)
    copied = here.parts[0] == PLACE
    at = Path(config["docs_dir"]) / here if not copied else ROOT / here.relative_to(PLACE)

    def pointed(found: re.Match[str]) -> str:
        target = (at.parent / found[1]).resolve()
        if target.is_relative_to(config["docs_dir"]):
            place = target.relative_to(config["docs_dir"]).as_posix()
        elif target.is_relative_to(ROOT):
            place = f"{PLACE}/{target.relative_to(ROOT).as_posix()}"
        else:
            return found[0]
        if copied and files.get_file_from_path(place) is None:
            return "]"
        up = "../" * (len(here.parts) - 1)
        return f"]({up}{place}{found[2] or ''})"

    return LINK.sub(pointed, markdown)
