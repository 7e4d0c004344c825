"""`percuss citations extraction STUDY`: what people marked in answers beside what was extracted from them (HalluHard, Table 11)."""

import asyncio
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta

from percuss.core.errors import UsageError
from percuss.core.ports import Session
from percuss.core.protocol import CommandResult
from percuss.core.strict import Record
from percuss.protocols.citations.marked import Marked, Table, marks_in, tabled
from percuss.stats import wilson
from percuss.study.items import Prepared
from percuss.study.settings import known_folder

if TYPE_CHECKING:
    from percuss.study.study import Study

__all__ = ["PAPER", "ExtractionOptions", "extraction", "lines", "table_of"]

DESIGN, MARKS, ANSWER = "extraction", "spans", "answer"
PAPER = Table(
    texts=10,
    people=2,
    missed_by_all=3,
    missed_by_some=4,
    wrong=1,
    missed=0,
    extracted=128,
    marked=120,
    both=120,
)
"""Papers/2 Table 11: ten responses, two people, and a second look at what differed."""


class ExtractionOptions(Record):
    """Settings of `percuss citations extraction`."""

    study: Annotated[
        str, Meta(description="Name or folder of a study of the design extraction, made of a run.")
    ]


async def extraction(options: ExtractionOptions, session: Session) -> CommandResult:
    """Say how many statements people and the extractor found alike, and what either missed.

    Args:
        options: the study. session: not used; nobody is asked.
    """
    del session
    found = await asyncio.to_thread(_read, options.study)
    return CommandResult(text="\n".join(lines(found)), data=msgspec.to_builtins(found))


def _read(name: str) -> Table:
    from percuss.study.study import open_study

    with open_study(known_folder(name)) as study:
        return table_of(study)


def table_of(study: "Study") -> Table:
    """Return Table 11 of a study: first labels of people, what was settled, and what was extracted from the same answers.

    Raises:
        UsageError: another design, nobody has marked anything, or the answers don't come from a run that was checked.
    """
    from percuss.study.marks import EXTRACTED, text_as_written
    from percuss.study.reference import human_labels

    if study.design.name != DESIGN:
        raise UsageError(
            f"{study.settings.name} is a study of {study.design.name}; expected one of {DESIGN}: percuss study create "
            f"NAME --design {DESIGN} --from RUN"
        )
    with study.database.read() as connection:
        items = study.all_items(connection)
    settled = {n: given for n, [(_, given)] in human_labels(study, "adjudicated").items()}
    total = Table()
    for number, labels in human_labels(study, "first").items():
        item = items[number]
        machine = item.hidden.get(EXTRACTED)
        read = [given for _, given in labels if MARKS in given.answer]
        if not isinstance(machine, list) or not read:
            continue
        text = text_as_written(item, ANSWER)
        agreed = settled.get(number)
        total += tabled(
            marks_in(text, _once(machine)),
            [_of_person(item, text, given.answer[MARKS]) for given in read],
            None if agreed is None else _of_person(item, text, agreed.answer.get(MARKS, ())),
        )
    if not total.texts:
        raise UsageError(
            f"in {study.settings.name} nobody has marked an answer from which statements were extracted; expected marks "
            "of people, and items of a run that percuss check has read"
        )
    return total


def _of_person(item: Prepared, text: str, spans: Sequence[dict[str, Any]]) -> tuple[Marked, ...]:
    from percuss.study.marks import as_written

    return marks_in(text, as_written(item, ANSWER, spans))


def _once(machine: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return each statement with one source once: a source cited twice in a sentence is one pair."""

    def place(one: dict[str, Any]) -> tuple[int, int, str]:
        return one["start"], one["stop"], one["reference"]

    return [next(same) for _, same in groupby(sorted(machine, key=place), key=place)]


def lines(found: Table) -> Iterator[str]:
    """Yield Table 11 in words, the paper's counts beside it, then both ways of missing as shares.

    Args:
        found: counts of statements with one source each.
    """
    yield (
        f"{found.texts} answers, read by {found.people} {'person' if found.people == 1 else 'people'}; a statement is the same where its source "
        "is and half of its words are. In brackets HalluHard, Table 11 (10 answers, 2 people)"
    )
    for words, name in (
        ("missed by everybody, extracted, and settled to be right", "missed_by_all"),
        ("missed by some, extracted", "missed_by_some"),
        ("extracted, and settled to be none", "wrong"),
        ("marked by everybody or settled, not extracted", "missed"),
        ("extracted in all", "extracted"),
        ("marked by everybody", "marked"),
    ):
        yield f"  {getattr(found, name):5}  {words} ({getattr(PAPER, name)})"
    for words, name in (
        ("extracted, marked by nobody, not settled: extra or missed by people, nobody has said", "open"),
        ("marked by some alone, not extracted, not settled", "missed_of_some"),
    ):
        yield f"  {getattr(found, name):5}  {words}"
    yield _share("of what everybody marked, extracted too", found.both, found.marked)
    yield _share("of what was extracted, marked by everybody", found.both, found.extracted)


def _share(words: str, k: int, n: int) -> str:
    if not n:
        return f"  {words}: nothing to count"
    got = wilson(k, n)
    return f"  {words}: {k} of {n} = {got.value:.2f} [{got.low:.2f}, {got.high:.2f}]"
