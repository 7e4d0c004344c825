"""Standard input read once as a file, and output that can always be written, on a terminal of plain ASCII too."""

import codecs
import sys
import tempfile
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from percuss.core.errors import UsageError

__all__ = ["file_of", "plain", "spell_out"]

_SIGNS = {
    "·": "-",
    "–": "-",
    "—": "-",
    "…": "...",
    "≤": "<=",
    "≥": ">=",
    "×": "x",
    "→": "->",
    "−": "-",
    "’": "'",
    "█": "#",
}


def plain(text: str) -> str:
    """Return a text in ASCII: signs by their plain form, letters without their accents, all else as `?`.

    >>> plain("Zürich · 12–15 ≥ 3")
    'Zurich - 12-15 >= 3'
    """
    spelled = (
        _SIGNS.get(sign, unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode() or "?")
        for sign in text
    )
    return "".join(spelled)


def spell_out() -> None:
    """Let standard output and error write any sign: what their encoding lacks is spelled out."""
    codecs.register_error("percuss", _spelled)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="percuss")


def _spelled(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return plain(error.object[error.start : error.end]), error.end


@contextmanager
def file_of(name: str | None) -> Iterator[str | None]:
    """Yield the name of a file; for `-` a file with what standard input holds, which is gone afterwards.

    Args:
        name: as the user gave it; None stays None.

    Raises:
        UsageError: standard input is empty.
    """
    if name != "-":
        yield name
        return
    data = sys.stdin.buffer.read()
    if not data.strip():
        raise UsageError(
            "standard input is empty; expected a table, JSON or JSON lines there, or a file's name in place of -"
        )
    with tempfile.TemporaryDirectory(prefix="percuss-") as folder:
        path = Path(folder) / f"stdin{_ending(data)}"
        path.write_bytes(data)
        yield str(path)


def _ending(data: bytes) -> str:
    """Return the ending that files of such content have."""
    start = data.lstrip()[:1]
    if data.startswith(b"PK"):
        return ".xlsx"
    lines = [line for line in data.splitlines()[:2] if line.strip()]
    many = len(lines) > 1 and all(line.startswith(b"{") for line in lines)
    return (
        ".json"
        if start == b"[" or (start == b"{" and not many and len(lines) > 1)
        else ".jsonl"
        if start == b"{"
        else ".csv"
    )
