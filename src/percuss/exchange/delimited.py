"""Tables in plain text as spreadsheets of all countries write them: encoding and delimiter are told from the bytes, or asked for."""

import csv
import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from percuss.core.errors import BadInput, UsageError
from percuss.core.strict import Record

__all__ = ["DELIMITERS", "TableForm", "delimited_rows", "delimiter_of", "encoding_of", "unique_columns"]

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
_LONGEST_FIELD = 16 * 1024 * 1024
_HEAD = 1 << 16
_RECORDS_TRIED = 20
_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_WORD = re.compile(r"[^\W\d_]+")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_NO_WESTERN_WORD = re.compile(r"[A-Za-z][ŠšŽžŸƒ„†‡ˆ‰¡¢£¤¥¦§¨©ª«¬¯±²³´¶¸¹º»¼½¾¿×÷][a-zà-ÿ]")
"""Signs in the middle of a word: text of another code page (Mac: gršße, DOS: Gr”áe, Central European: b³¹d) read as Windows-1252."""


class TableForm(Record):
    """How a table is written, where its user says so.

    Args:
        delimiter: one character; "" tells it from the rows.
        encoding: a codec's name; "" tells it from the bytes.
        sheet: of a workbook; "" is the only one that holds rows.
    """

    delimiter: str = ""
    encoding: str = ""
    sheet: str = ""

    @classmethod
    def of(cls, named: dict[str, str]) -> "TableForm":
        """Read the form from words, as `--map delimiter=semicolon,encoding=latin-1` gives them.

        Args:
            named: `delimiter` (comma, semicolon, tab, pipe, or the character), `encoding`, `sheet`.

        Raises:
            UsageError: a delimiter of several characters, or an encoding that Python does not know.
        """
        mark = DELIMITERS.get(named.get("delimiter", ""), named.get("delimiter", ""))
        if len(mark) > 1:
            raise UsageError(
                f"got the delimiter {mark!r}; give one of {', '.join(DELIMITERS)}, or one character"
            )
        encoding = named.get("encoding", "")
        try:
            "".encode(encoding or "utf-8")
        except LookupError:
            raise UsageError(
                f"got the encoding {encoding!r}; give one that Python knows, such as utf-8 or cp1252"
            ) from None
        return cls(delimiter=mark, encoding=encoding, sheet=named.get("sheet", ""))


def delimited_rows(path: Path, form: TableForm) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (line, row) of a table in plain text.

    Args:
        path: the file; its ending decides only where the rows fit no delimiter.
        form: what the user says of it.

    Raises:
        BadInput: encoding or delimiter cannot be told (the sentence names the setting), a column that stands twice, a
            row with more fields than the header.
    """
    csv.field_size_limit(min(sys.maxsize, _LONGEST_FIELD))
    head = _head(path)
    encoding = form.encoding or encoding_of(path, head)
    mark = form.delimiter or delimiter_of(path, head, encoding)
    try:
        with path.open(encoding=encoding, newline="") as file:
            reader = csv.DictReader(file, delimiter=mark, restkey="", strict=mark != "\t")
            unique_columns(reader.fieldnames or (), path)
            for row in reader:
                if row.get(""):
                    raise BadInput(
                        "has more fields than the header; quote fields that hold the delimiter",
                        source=path.name,
                        line=reader.line_num,
                    )
                yield reader.line_num, {key.strip(): value for key, value in row.items() if key}
    except (OSError, UnicodeError, csv.Error) as error:
        raise BadInput(
            f"cannot be read as {encoding} ({error}); name another with --map encoding=..", source=path.name
        ) from error


def unique_columns(names: Any, path: Path) -> None:
    """Refuse a header that names a column twice: one of the two would be lost.

    Args:
        names: the header's cells. path: named in the error.
    """
    seen: set[str] = set()
    for name in (str(name).strip() for name in names if name is not None):
        if name and name in seen:
            raise BadInput(f"the column {name!r} stands twice; rename one of them", source=path.name, line=1)
        seen.add(name)


def encoding_of(path: Path, head: bytes) -> str:
    """Return how a file is encoded: by its mark, as UTF-8 where it is valid, else as Western European where that is sure.

    Args:
        path: read whole where its head is no plain ASCII. head: its first bytes.

    Raises:
        BadInput: none of these can be told.
    """
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name
    if head[1::2].count(0) > len(head) // 4:
        return "utf-16-le"
    if head[0::2].count(0) > len(head) // 4:
        return "utf-16-be"
    whole = path.read_bytes()
    try:
        whole.decode("utf-8")
    except UnicodeDecodeError:
        return _western(path, whole)
    return "utf-8"


def _western(path: Path, whole: bytes) -> str:
    """Windows-1252, which holds Latin-1's letters, where reading it so gives words of a Western language."""
    try:
        text = whole.decode("cp1252")
    except UnicodeDecodeError:
        text = ""
    words = [word for word in _WORD.findall(text) if not word.isascii()]
    foreign = sum(len(_NOT_ASCII.findall(word)) * 2 > len(word) > 2 for word in words)
    if not text or _NO_WESTERN_WORD.search(text) or foreign * 4 > len(words):
        raise BadInput(
            "is not UTF-8, and its encoding cannot be told; say which with --map encoding=.. (utf-16, cp1252, cp1250 ..)",
            source=path.name,
        )
    return "cp1252"


def delimiter_of(path: Path, head: bytes, encoding: str) -> str:
    """Return the delimiter under which header and first rows have the same number of fields, two at least.

    Args:
        path: its ending decides for a table of one column. head: first bytes. encoding: of the file.

    Raises:
        BadInput: two delimiters fit equally well.
    """
    text = head.decode(encoding, errors="ignore")
    if len(head) == _HEAD:
        text = text.rpartition("\n")[0]
    usual = "," if path.suffix.lower() == ".csv" else "\t"
    fits = {mark: width for mark in DELIMITERS.values() if (width := _width(text, mark)) > 1}
    if not fits:
        return usual
    widest = [mark for mark, width in fits.items() if width == max(fits.values())]
    if len(widest) > 1 and usual not in widest:
        raise BadInput(
            f"reads alike with {' and '.join(repr(mark) for mark in widest)} between fields; say which with --map delimiter=..",
            source=path.name,
        )
    return usual if usual in widest else widest[0]


def _width(text: str, mark: str) -> int:
    """Fields of the header where the first rows have as many; 0 where they do not, or cannot be read so."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark)
    widths: list[int] = []
    try:
        for record in reader:
            if record:
                widths.append(len(record))
            if len(widths) > _RECORDS_TRIED:
                break
    except csv.Error:
        return 0
    return (
        widths[0]
        if widths
        and all(width <= widths[0] for width in widths)
        and widths.count(widths[0]) * 2 > len(widths)
        else 0
    )


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_HEAD)
    except OSError as error:
        raise BadInput(f"cannot be read ({error.strerror}); check the path", source=str(path)) from error
