r"""A LaTeX file with what it includes: \input, \include and \subfile of files in its folder; nothing outside of it is read."""

import re
from pathlib import Path

from percuss.core.errors import BadInput

__all__ = ["whole"]

_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_INPUT = re.compile(r"\\(?:input|include|subfile)\s*\{([^{}\n]{1,300})\}|\\input[ \t]+([^\s\\{}%]{1,300})")
_READ = {".tex", ".ltx", ".bbl"}
_MOST, _LARGEST = 500, 64 << 20


class _Parts:
    """What was read of the files that a main file includes, and what could not be."""

    def __init__(self, main: Path) -> None:
        self.folder = main.resolve().parent
        self.read: list[Path] = []
        self.missing: list[str] = []
        self.size = 0

    def text(self, path: Path, raw: str, chain: tuple[Path, ...]) -> str:
        """Return the text of a file with its parts in their places, comments left out."""
        bare = _COMMENT.sub("", raw)
        begins = bare.find("\\begin{document}")
        return _INPUT.sub(lambda match: self._part(match, path, chain, body=match.start() > begins), bare)

    def _part(self, match: re.Match[str], path: Path, chain: tuple[Path, ...], *, body: bool) -> str:
        named = (match[1] or match[2]).strip().strip('"')
        place = self._place(named)
        if place is None:
            if body and Path(named).suffix in {"", *_READ}:
                self.missing.append(named)
            return " "
        if place in chain:
            raise BadInput(f"includes itself by way of {named}; it was not read", source=chain[0].name)
        self.read.append(place)
        self.size += place.stat().st_size
        if len(self.read) > _MOST or self.size > _LARGEST:
            raise BadInput(
                f"includes more than {_MOST} files or {_LARGEST >> 20} MiB; it was not read",
                source=chain[0].name,
            )
        return self.text(path, place.read_text(encoding="utf-8", errors="replace"), (*chain, place))

    def _place(self, named: str) -> Path | None:
        """Return the file that a name means, where it stands in the main file's folder or below it."""
        written = Path(named)
        names = [written] if written.suffix in _READ else [written.with_name(f"{written.name}.tex"), written]
        for each in names:
            place = (self.folder / each).resolve()
            if place.suffix in _READ and place.is_relative_to(self.folder) and place.is_file():
                return place
        return None


def whole(path: Path, text: str) -> tuple[str, set[Path], tuple[str, ...]]:
    """Return a file's text with the files that it includes, those files, and the names of those that were not read.

    Args:
        path, text: of the main file.

    Raises:
        BadInput: a file includes itself, or more is included than a document has.
    """
    parts = _Parts(path)
    made = parts.text(path, text, (path.resolve(),))
    return made, set(parts.read), tuple(dict.fromkeys(parts.missing))
