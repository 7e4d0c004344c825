"""The words of the screens in the language of who reads them: English sentences are the keys of a catalogue per language."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

__all__ = ["LANGUAGES", "Words", "catalogue", "language_of", "words_of"]

HERE = Path(__file__).parent / "languages"
LANGUAGES: dict[str, str] = {"en": "English", "de": "Deutsch"}
"""Languages of the screens, each under its own name; English is the one in which the sentences are written."""
COMMA = frozenset({"de"})
"""Languages that write a decimal comma."""


@cache
def catalogue(language: str) -> dict[str, dict[str, str]]:
    """Return the catalogue of a language: name of its file -> English sentence -> sentence; empty for English.

    Args:
        language: one of `LANGUAGES`.
    """
    return {
        path.stem: tomllib.loads(path.read_text(encoding="utf-8"))
        for path in sorted((HERE / language).glob("*.toml"))
    }


def language_of(name: str, *, otherwise: str = "en") -> str:
    """Return a language that the screens have: the one named, else the other one."""
    return name if name in LANGUAGES else otherwise


class Words:
    """Says sentences in one language; a sentence that its catalogue does not have stays as it is written.

    Args:
        language: its code, for the page and the browser.
        sentences: English sentence -> sentence. browser: those that the page's own scripts say.
    """

    def __init__(self, language: str, sentences: Mapping[str, str], browser: Mapping[str, str]) -> None:
        self.language = language
        self.sentences = sentences
        self.browser = browser

    def __call__(self, text: str, **values: Any) -> Markup:
        """Return a sentence, escaped, with values in its places; values that are no markup are escaped, too."""
        said = escape(self.sentences.get(text, text))
        return said.format(**values) if values else said

    def n(self, count: int, one: str, many: str, **values: Any) -> Markup:
        """Return one of two sentences, by a count that stands in them as `{n}`."""
        return self(one if count == 1 else many, n=count, **values)

    def has(self, text: str) -> bool:
        """Return whether the catalogue has a sentence; English has every one."""
        return self.language == "en" or text in self.sentences

    def plain(self, text: str, **values: Any) -> str:
        """Return a sentence as plain text, for what is no page: a file, a script's data, an error that is escaped later."""
        said = self.sentences.get(text, text)
        return said.format(**values) if values else said

    def number(self, value: float, digits: int = 2) -> str:
        """Return a number as the language writes it."""
        text = f"{value:.{digits}f}"
        return self.decimal(text)

    def decimal(self, text: str) -> str:
        """Return a number that is written with a point as the language writes it."""
        return text.replace(".", ",") if self.language in COMMA else text


@cache
def words_of(language: str) -> Words:
    """Return the words of a language.

    Args:
        language: one of `LANGUAGES`.
    """
    files = catalogue(language)
    sentences = {english: said for table in files.values() for english, said in table.items()}
    return Words(language, sentences, files.get("browser", {}))
