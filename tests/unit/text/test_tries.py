"""Alternatives that begin alike are tried at once, and what matches is what `re` makes match."""

import importlib
import json
import pkgutil
import re
import string
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

import percuss.evidence.rules.support2
import percuss.text
from percuss.evidence.rules.support2.tables import phrases
from percuss.evidence.rules.support2.unheld import topics
from percuss.text.cued import Cued
from percuss.text.tries import compiled

CORPUS = Path(__file__).parents[2] / "reading" / "support.jsonl"
WORDS = "No, NO not any k\u017f \u212aind \u0130f \u0131f high higher HIGHEST low in is if i.v. type-2 due to due".split(
    " "
)


def modules(package: ModuleType) -> list[ModuleType]:
    found = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    return [importlib.import_module(each.name) for each in found]


@cache
def shipped() -> tuple[str, ...]:
    """Every expression that readers of text try by its words."""
    held = [*modules(percuss.text), *modules(percuss.evidence.rules.support2)]
    cued = [each.pattern for module in held for each in vars(module).values() if isinstance(each, Cued)]
    tables = [*(each.pattern for each in phrases()), *(each.pattern for each, _, _ in topics())]
    return tuple(dict.fromkeys((*cued, *tables)))


@cache
def texts() -> tuple[str, ...]:
    rows = map(json.loads, CORPUS.read_text(encoding="utf-8").splitlines())
    return tuple(row["text"] for row in rows if row["half"] == "dev")[::4]


def spans(
    pattern: re.Pattern[str], text: str
) -> list[tuple[tuple[int, int], tuple[str | None, ...], str | None]]:
    return [(match.span(), match.groups(), match.lastgroup) for match in pattern.finditer(text)]


@pytest.mark.slow
def test_every_shipped_expression_finds_what_it_found() -> None:
    assert len(shipped()) > 150
    for pattern in shipped():
        for flags in (re.IGNORECASE, re.NOFLAG):
            plain, grouped = re.compile(pattern, flags), compiled(pattern, flags)
            for text in (*texts(), " ".join(WORDS)):
                assert spans(grouped, text) == spans(plain, text), (pattern, text)


part = st.sampled_from(
    [
        "a",
        "ab",
        "abc",
        "a\\w+",
        "b",
        "ba",
        "k",
        "ki",
        "s",
        "i",
        "is",
        "(x)?a",
        "[ab]c",
        "A",
        "",
        "due",
        "due to",
    ]
)
written = st.text(alphabet=string.ascii_lowercase[:4] + "kisKSAB du\u212a\u017f", max_size=12)


@given(st.lists(part, min_size=9, max_size=14), st.lists(written, min_size=1, max_size=4), st.booleans())
def test_the_first_alternative_that_fits_is_still_the_first(
    parts: list[str], said: list[str], ignored: bool
) -> None:
    flags = re.IGNORECASE if ignored else re.NOFLAG
    for pattern in (
        "|".join(parts),
        rf"\b(?:{'|'.join(parts)})\b",
        rf"({'|'.join(parts)})(?:{'|'.join(parts)})$",
    ):
        plain, grouped = re.compile(pattern, flags), compiled(pattern, flags)
        for text in said:
            assert spans(grouped, text) == spans(plain, text)


def test_flags_within_an_expression_hold() -> None:
    pattern = r"(?:a|b|c|d|e|f|g|h|(?i:high|higher|hot|Hit)|(?-i:low|lower|Long))\b"
    for flags in (re.IGNORECASE, re.NOFLAG):
        for text in ("HIGHER hot LOW low LOWER hit long Long HIT",):
            assert spans(compiled(pattern, flags), text) == spans(re.compile(pattern, flags), text)
