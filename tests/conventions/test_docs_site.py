"""The docs site: it builds strictly without network, its shell lines name what exists, and no block is left untried in silence."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.documented import Block, blocks, environment, strange
from tests.stages import STAGES, Stage, play

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
BLOCKS = {page.name: blocks(page.read_text(encoding="utf-8")) for page in PAGES}
HERE = {"run", "run: staged"}
"""Marks of blocks that are run with their page."""
RUN = sorted(name for name, found in BLOCKS.items() if any(block.mark in HERE for block in found))
REASONS = re.compile(r"not run: (?:needs|fetches) [\w, ;]*(?:weights|account)[\w, ;]*")
"""Why a block may be left out: what it needs can't be had on this machine."""
INTERNAL = re.compile(r"\bpapers?/\d")
FETCHED = re.compile(
    r"<(?:script|link|img|iframe)\b[^>]*?(?:src|href)=[\"']?(?:https?:)?//[^>]*>|url\(['\"]?https?:"
)
HANGS = 300


def test_the_site_builds_strictly_and_fetches_nothing(tmp_path: Path) -> None:
    site = tmp_path / "site"
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(site)]
    done = subprocess.run(
        words, cwd=ROOT, env=environment(), capture_output=True, text=True, check=False, timeout=HANGS
    )
    assert done.returncode == 0, done.stderr
    pages = sorted(site.rglob("*.html"))
    assert len(pages) >= len(PAGES)
    assert (site / "search" / "search_index.json").is_file(), "the site has no search"
    for page in pages:
        foreign = [
            hit[0] for hit in FETCHED.finditer(page.read_text(encoding="utf-8")) if "canonical" not in hit[0]
        ]
        assert not foreign, f"{page.name} fetches {foreign}"


@pytest.mark.parametrize("name", sorted(BLOCKS))
def test_every_block_is_run_or_says_why_not(name: str) -> None:
    untold = [block.text.splitlines()[0] for block in BLOCKS[name] if not block.mark]
    assert not untold, f"{name}: neither `<!-- run -->` nor `<!-- not run: why -->` above {untold}"
    vague = [
        m for m in (b.mark for b in BLOCKS[name]) if m.startswith("not run") and not REASONS.fullmatch(m)
    ]
    assert not vague, f"{name}: only what needs weights or an account is left out, not {vague}"
    for block in BLOCKS[name]:
        if block.runner:
            assert name in (ROOT / block.runner).read_text(encoding="utf-8"), (
                f"{block.runner} doesn't read {name}"
            )


def test_a_stage_stands_for_the_pages_that_say_so() -> None:
    staged = {name for name, found in BLOCKS.items() if any(block.mark == "run: staged" for block in found)}
    assert staged == set(STAGES)


@pytest.mark.parametrize("name", sorted(BLOCKS))
def test_every_command_and_option_exists(name: str) -> None:
    found = [wrong for block in BLOCKS[name] for line in block.commands() if (wrong := strange(line))]
    assert not found, "\n".join(found)


@pytest.mark.slow
@pytest.mark.parametrize("name", RUN)
def test_blocks_run_from_top_to_bottom(name: str, tmp_path: Path) -> None:
    with STAGES.get(name, _bare)(tmp_path) as stage:
        for block in BLOCKS[name]:
            if block.mark == "run":
                _run(block, tmp_path)
            elif block.mark == "run: staged":
                play(block, stage, tmp_path)


@contextmanager
def _bare(folder: Path) -> Iterator[Stage]:
    """Set an empty folder as the stage of a page that needs nothing."""
    del folder
    yield Stage()


def _run(block: Block, folder: Path) -> None:
    words = (
        [sys.executable, "-c", block.text] if block.language == "python" else ["bash", "-euc", block.script()]
    )
    done = subprocess.run(
        words, cwd=folder, env=environment(), capture_output=True, text=True, check=False, timeout=HANGS
    )
    assert done.returncode == 0, f"{block.text}\n{done.stderr}"
    if block.language == "console":
        assert done.stdout.split() == block.shown().split(), block.text


def test_a_mark_is_needed_and_a_wrong_option_is_found() -> None:
    text = "```sh\npercuss runs list\n```\n<!-- not run: needs a key -->\n```sh\npercuss run grounding --modell x\n```\n"
    first, second = blocks(text)
    assert (first.mark, second.mark) == ("", "not run: needs a key")
    assert not strange(first.commands()[0])
    assert "--modell" in strange(second.commands()[0])
    assert INTERNAL.search("as papers/1 Table S7")


def test_papers_are_named_where_users_read() -> None:
    called = [
        ROOT / "src/percuss/api/library.py",
        *sorted((ROOT / "src/percuss/stats").glob("*.py")),
    ]  # what help() shows
    read = [*PAGES, ROOT / "README.md", *called, *_shipped()]
    texts = {path: path.read_text(encoding="utf-8") for path in read}
    found = [str(path.relative_to(ROOT)) for path, text in texts.items() if INTERNAL.search(text)]
    assert not found, f"numbers of papers in place of authors and year: {found}"


def test_papers_are_named_in_what_the_program_says() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted((ROOT / "src").rglob("*.py"))
        if INTERNAL.search(text := path.read_text(encoding="utf-8"))
        for node in _said(ast.parse(text))
        if INTERNAL.search(str(node.value))
    ]
    assert not found, f"numbers of papers in place of authors and year: {found}"


def _said(tree: ast.Module) -> list[ast.Constant]:
    """Return the strings of a module that are no docstrings."""
    documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in documents]


def _shipped() -> list[Path]:
    kinds = {".md", ".toml", ".html", ".j2", ".txt"}
    return [path for path in sorted((ROOT / "src").rglob("*")) if path.suffix in kinds]
