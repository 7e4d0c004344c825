"""Tokens of a passage: word-like runs and numbers (definitions, "Ingest")."""

import re

__all__ = ["TOKEN", "tokens"]

TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9'-]*|\d+(?:[.,]\d+)*")
"""A word-like run or a number."""


def tokens(text: str) -> list[str]:
    """Return the tokens of a text.

    >>> tokens("Beta-2 agonists act within 5.5 min.")
    ['Beta-2', 'agonists', 'act', 'within', '5.5', 'min']
    """
    return TOKEN.findall(text)
