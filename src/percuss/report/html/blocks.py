"""Cases to read, packed: JSON, gzip, base64, a block of at most 1,000 cases, and a small index that is decoded first."""

import base64
import gzip
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TextIO

import msgspec
from markupsafe import Markup

from percuss.core.sections import Mark, Pane, Viewer, ViewerCase
from percuss.report.html.images import smaller
from percuss.report.text import visible

__all__ = ["FLAGS", "Block", "Blocks"]

CASES_A_BLOCK = 1_000
_LEVEL = 6
_IMAGE = re.compile(r"^data:image/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/=]+$")
# Bits of a claim in the index; the reader's filters have the same order.
FLAGS = ("judge and rule disagree", "passes differ", "human overruled")


@dataclass(frozen=True)
class Block:
    """One data element of the page."""

    attributes: Markup
    text: Markup


class Blocks:
    """Viewers as they come, compressed into a spool file; iterating gives the index first.

    Args:
        spool: a text file for the compressed blocks, so that memory holds the index alone.
    """

    def __init__(self, spool: TextIO) -> None:
        self._spool = spool
        self._attributes: list[Markup] = []
        self._images: set[str] = set()
        self._cases: list[list[Any]] = []
        self._combos: dict[tuple[Any, ...], int] = {}
        self._blocks = 0
        self._titles: dict[str, str] = {}
        self.sent = 0

    def send(self, calls: Mapping[str, Any] | None) -> None:
        """Pack what was sent; nothing where there is no case to read beside it."""
        if calls is None or not calls["calls"] or not self._blocks:
            return
        self.sent = len(calls["calls"])
        shown = {**calls, "texts": [visible(text) for text in calls["texts"]]}
        self._put(Markup("data-sent-calls"), _squeeze(shown))

    def add(self, viewer: Viewer) -> None:
        """Pack one viewer's cases and its images."""
        for first in range(0, len(viewer.cases), CASES_A_BLOCK):
            cases = viewer.cases[first : first + CASES_A_BLOCK]
            packed = [self._case(case, position) for position, case in enumerate(cases)]
            self._put(Markup('data-block="{}"').format(self._blocks), _squeeze(packed))
            self._blocks += 1
        for digest, url in viewer.images.items():
            if digest not in self._images and _IMAGE.match(url):
                self._images.add(digest)
                self._put(Markup('data-image="{}"').format(digest), smaller(url))

    def __iter__(self) -> Iterator[Block]:
        if not self._blocks:
            return
        index = {
            "combos": [list(combo) for combo in self._combos],
            "cases": self._cases,
            "flags": FLAGS,
            "titles": self._titles,
        }
        yield Block(Markup("data-index"), Markup(_squeeze(index)))  # noqa: S704 - base64
        self._spool.seek(0)
        for attributes in self._attributes:
            yield Block(attributes, Markup(self._spool.readline().rstrip("\n")))  # noqa: S704 - base64, or a checked data URL

    def _put(self, attributes: Markup, text: str) -> None:
        self._attributes.append(attributes)
        self._spool.write(text + "\n")

    def _case(self, case: ViewerCase, position: int) -> dict[str, Any]:
        self._titles |= {visible(pane.arm): visible(pane.title) for pane in case.panes if pane.title}
        panes = [_pane(pane) for pane in case.panes]
        codes = [self._code(pane, mark) for pane in panes for mark in pane["marks"]]
        self._cases.append(
            [visible(case.id), visible(case.stratum), case.interest, self._blocks, position, codes]
        )
        packed: dict[str, Any] = {"id": visible(case.id), "panes": panes}
        if case.stratum:
            packed["stratum"] = visible(case.stratum)
        if case.question:
            packed["question"] = visible(case.question)
        if case.packet:
            packed["packet"] = [
                [visible(field.path), visible(field.label), visible(field.value), int(field.shown)]
                for field in case.packet
            ]
        if case.passage:
            packed["passage"] = visible(case.passage)
        return packed

    def _code(self, pane: Mapping[str, Any], mark: Mapping[str, Any]) -> int:
        """Return the number of what the filters ask of a claim; most claims of a run share a few dozen."""
        tags = tuple(mark.get("tags", ()))
        combo = (mark["label"], mark["kind"], pane["arm"], pane["model"], mark.get("flags", 0), tags)
        return self._combos.setdefault(combo, len(self._combos))


def _squeeze(value: Any) -> str:
    return base64.b64encode(gzip.compress(msgspec.json.encode(value), _LEVEL, mtime=0)).decode("ascii")


def _pane(pane: Pane) -> dict[str, Any]:
    text = visible(pane.text)
    at = _utf16(text)
    packed: dict[str, Any] = {"model": visible(pane.model), "arm": visible(pane.arm), "text": text}
    packed["marks"] = [_mark(mark, at) for mark in pane.marks]
    if pane.title:
        packed["title"] = visible(pane.title)
    if pane.image:
        packed["image"] = pane.image
    if pane.margin:
        packed["margin"] = [_words(note) for note in pane.margin]
    if pane.status != "done":
        packed["status"] = visible(pane.status)
        packed["reason"] = visible(pane.reason or "")
    return packed


def _mark(mark: Mark, at: Sequence[int] | None) -> dict[str, Any]:
    start, stop = (mark.start, mark.stop) if at is None else (_at(at, mark.start), _at(at, mark.stop))
    packed: dict[str, Any] = {"id": visible(mark.id), "span": [start, stop]}
    packed |= {"label": visible(mark.label), "kind": visible(mark.kind)}
    if mark.said:
        packed["said"] = [_words(row) for row in mark.said]
    if mark.evidence:
        packed["evidence"] = [_words(row) for row in mark.evidence]
    if mark.twin is not None:
        packed["twin"] = mark.twin
    if mark.tags:
        packed["tags"] = [visible(tag) for tag in mark.tags]
    flags = _flags(mark)
    if flags:
        packed["flags"] = flags
    return packed


def _words(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _seen(value) for key, value in row.items() if value is not None}


def _seen(value: Any) -> Any:
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, Mapping):
        return _words(value)
    return [_seen(each) for each in value] if isinstance(value, list | tuple) else value


def _utf16(text: str) -> list[int] | None:
    """Return the UTF-16 offset of each character, as scripts count, or None where they are the same."""
    if text.isascii() or max(text) <= "\uffff":
        return None
    offsets, at = [], 0
    for character in text:
        offsets.append(at)
        at += 2 if character > "\uffff" else 1
    return [*offsets, at]


def _at(offsets: Sequence[int], position: int) -> int:
    return offsets[min(max(position, 0), len(offsets) - 1)]


def _flags(mark: Mark) -> int:
    """Return who disagrees with whom on anything that they spoke of, as bits of `FLAGS`."""
    by_aspect: dict[str, list[Mapping[str, Any]]] = {}
    for row in mark.said:
        by_aspect.setdefault(str(row.get("aspect", "")), []).append(row)
    bits = 0
    for rows in by_aspect.values():
        bits |= _flags_of(rows)
    return bits


def _flags_of(rows: Sequence[Mapping[str, Any]]) -> int:
    rule, judge, human = set(), [], set()
    for row in rows:
        rater = str(row.get("rater", ""))
        label = row.get("label") or row.get("reason") or row.get("unscored")
        if rater.startswith("rule:"):
            rule.add(label)
        elif rater.startswith("judge:"):
            judge.append(label)
        elif rater.startswith("human"):
            human.add(label)
    machine = rule | set(judge)
    disagree = bool(rule and judge and set(judge) != rule)
    return disagree | (len(set(judge)) > 1) << 1 | bool(human and machine and human != machine) << 2
