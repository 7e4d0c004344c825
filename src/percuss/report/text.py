"""Text that came from a model or a file, made safe to look at."""

import re

__all__ = ["slug", "visible"]

_PICTURES = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n"}
# Bidirectional overrides reorder what a reader sees; lone surrogates can't be written as UTF-8 at all.
_HIDDEN = [
    0x7F,
    *range(0x80, 0xA0),
    *range(0x202A, 0x202F),
    *range(0x2066, 0x206A),
    0x2028,
    0x2029,
    0xFEFF,
    *range(0xD800, 0xE000),
    0xFFFE,
    0xFFFF,
]
_TABLE = {**_PICTURES, **dict.fromkeys(_HIDDEN, 0xFFFD)}


def visible(text: str) -> str:
    r"""Return a text with each control character replaced by one that can be seen, so that offsets stay.

    Args:
        text: anything; carriage returns become the picture of one, too.

    >>> visible("a\x1b[31mb")
    'a␛[31mb'
    """
    # most texts hold nothing to replace, and to ask is ten times faster than to translate
    return text if text.isprintable() else text.translate(_TABLE)


def slug(text: str) -> str:
    """Return a text as part of a file name or element id: lower case letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "x"
