"""Sections in the order of a report: eight places, each with its question, its answer and its parts."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from percuss.core.records import Estimate
from percuss.core.sections import PLACES, Chart, Panel, Prose, Section, Table, Viewer
from percuss.report.aggregates import without_text

__all__ = ["UNCARDED", "Chapter", "Document", "Part", "assemble", "caution"]

UNCARDED = "This judge has not been compared with people."
Shown = Panel | Table | Chart | Prose


@dataclass(frozen=True)
class Part:
    """One block of a chapter; `title` is empty where it only repeats the chapter's question."""

    title: str
    answer: str
    record: Shown

    @property
    def kind(self) -> str:
        """The kind of section, as the templates name it."""
        return type(self.record).__name__.lower()


@dataclass(frozen=True)
class Chapter:
    """One place of the report; `number` counts the places that are shown, 0 for one that has nothing to say."""

    place: str
    number: int
    question: str
    answer: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Document:
    """All of a report but the viewers, which are streamed."""

    title: str
    manifest: Mapping[str, Any]
    chapters: tuple[Chapter, ...]
    no_text: bool
    viewers: int
    estimates: tuple[Estimate, ...]

    @property
    def panel(self) -> Panel | None:
        """The first panel, or None."""
        parts = (part.record for chapter in self.chapters for part in chapter.parts)
        return next((record for record in parts if isinstance(record, Panel)), None)

    @property
    def shown(self) -> tuple[Chapter, ...]:
        """The chapters that have something to say, in order."""
        return tuple(chapter for chapter in self.chapters if chapter.number)

    def chapter(self, place: str) -> Chapter:
        """Return the chapter of a place; it may be empty."""
        return next(chapter for chapter in self.chapters if chapter.place == place)


def assemble(
    title: str,
    manifest: Mapping[str, Any],
    estimates: Sequence[Estimate],
    sections: Iterable[Section],
    *,
    no_text: bool = False,
    keep: Callable[[Viewer], None] = lambda _: None,
) -> Document:
    """Put sections in their places.

    Args:
        title: the report's title.
        manifest: keys as in `percuss.report`.
        estimates: every estimate of the scoring.
        sections: in the protocol's order; read once, viewers are handed on and not held.
        no_text: drop viewers and quotations and hide small cells.
        keep: takes each viewer as it comes.
    """
    parts: dict[str, list[Part]] = {place: [] for place in PLACES}
    answers: dict[str, str] = dict.fromkeys(PLACES, "")
    questions = dict(PLACES)
    viewers = 0
    for section in sections:
        questions[section.place] = section.chapter or questions[section.place]
        if section.kind == "viewer":
            answers[section.place] = answers[section.place] or section.answer
            if not no_text:
                viewers += 1
                record = section.record
                assert isinstance(record, Viewer)
                keep(record)
            continue
        parts[section.place].append(_part(section, no_text=no_text))
    made = [_chapter(place, questions[place], answers[place], parts[place]) for place in PLACES]
    return Document(title, manifest, _numbered(made, manifest, viewers), no_text, viewers, tuple(estimates))


def _numbered(chapters: Sequence[Chapter], manifest: Mapping[str, Any], viewers: int) -> tuple[Chapter, ...]:
    """Number the chapters that have something to say; the reader's is shown by the viewers."""
    out: list[Chapter] = []
    for chapter in chapters:
        place = chapter.place
        held = viewers > 0 if place == "read" else bool(chapter.parts or chapter.answer)
        says = held or place == "how" or (place == "judge" and bool(manifest.get("judge")))
        out.append(replace(chapter, number=1 + sum(bool(one.number) for one in out) if says else 0))
    return tuple(out)


def _part(section: Section, *, no_text: bool) -> Part:
    record = section.record
    assert not isinstance(record, Viewer)
    title = "" if section.title == PLACES[section.place] else section.title
    return Part(title, section.answer, without_text(record) if no_text else record)


def _chapter(place: str, question: str, answer: str, parts: list[Part]) -> Chapter:
    """Lift the first part's answer to be the chapter's first sentence."""
    if parts and not answer:
        answer = parts[0].answer
        parts = [Part(parts[0].title, "", parts[0].record), *parts[1:]]
    return Chapter(place, 0, question, answer, tuple(parts))


def caution(manifest: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return what the box of a judge without a card says, first in bold; None where there is a card or no judge.

    Args:
        manifest: of the report; `judge.people` says whether people labelled a part of this run.
    """
    judge = manifest.get("judge") or {}
    if not judge or judge.get("card"):
        return None
    if judge.get("people"):
        return "This judge has no card yet.", (
            "People labelled a part of this run, and it is held against them below. A card says whether it may be trusted:"
        )
    return (
        UNCARDED,
        "Its labels are a model's opinion: how often it errs here isn't known. A card from labels of yours:",
    )
