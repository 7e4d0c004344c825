"""Whether a file of marks declares entities of its own: one of a few lines can unfold to gigabytes, or name a file of the reader's."""

import re

__all__ = ["declares_entities", "first_mark"]

_MARKS = {"<!--": "-->", "<?": ">"}
"""What may stand before the first mark, and how it ends."""
_BLANK = re.compile(r"[\ufeff\s]*")
_SUBSET = re.compile(r"<!doctype[^>\[]{0,2000}\[", re.IGNORECASE)


def first_mark(text: str) -> int:
    """Return where the first mark of a text begins that is neither comment nor instruction; its length where there is none.

    >>> first_mark("<?xml version='1.0'?><!-- so --> <svg>")
    33
    """
    place = 0
    while True:
        blank = _BLANK.match(text, place)
        place = blank.end() if blank else place
        opened = next((mark for mark in _MARKS if text.startswith(mark, place)), "")
        if not opened:
            return place
        closed = text.find(_MARKS[opened], place + len(opened))
        if closed < 0:
            return len(text)
        place = closed + len(_MARKS[opened])


def declares_entities(data: bytes) -> bool:
    """Say whether the head of a file declares entities, in whatever encoding it is.

    Args:
        data: of HTML or XML.

    >>> declares_entities(b'<!DOCTYPE html [<!ENTITY a "b">]><html>'), declares_entities(b"<!DOCTYPE html><p>&lt;!ENTITY")
    (True, False)
    """
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    text = data.decode("utf-16" if wide else "latin-1", errors="replace")
    place = first_mark(text.removeprefix("\xef\xbb\xbf"))
    head = _SUBSET.match(text.removeprefix("\xef\xbb\xbf"), place)
    return head is not None and "<!entity" in text[head.end() :].lower()
