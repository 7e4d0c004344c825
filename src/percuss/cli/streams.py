"""What the command line writes can always be written: on a terminal of plain ASCII, to a full disk, into a closed pipe."""

import codecs
import sys
import unicodedata

__all__ = ["plain", "spell_out"]

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
