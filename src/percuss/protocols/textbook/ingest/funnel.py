"""The funnel: cheapest first, how many fell where, and what is left (paper, section 3.3; definitions, "Ingest")."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from percuss.core.strict import Record
from percuss.protocols.textbook.ingest.density import LOWEST, entity_density
from percuss.protocols.textbook.ingest.duplicates import duplicates
from percuss.protocols.textbook.ingest.passage import Paragraph
from percuss.protocols.textbook.ingest.structure import noise
from percuss.protocols.textbook.ingest.tokens import tokens
from percuss.text.sentences import split

__all__ = ["MIN_SENTENCES", "MIN_TOKENS", "Dropped", "Funnel", "Step", "Survivor", "sentences_of", "sieve"]

MIN_TOKENS, MIN_SENTENCES = 15, 2
"""Shorter paragraphs are dropped (paper, section 3.3)."""


class Step(Record):
    """One step of the funnel: how many came, how many fell and why.

    Args:
        applied: False where the step was left out; then all went through.
    """

    name: str
    came: int
    fell: int
    reasons: dict[str, int] = {}
    applied: bool = True


class Funnel(Record):
    """All steps in order, with what was read and what was kept."""

    read: int
    kept: int
    steps: tuple[Step, ...]
    embedder: str = ""
    files: tuple[str, ...] = ()


class Dropped(NamedTuple):
    """A paragraph that fell: at which step and why."""

    paragraph: Paragraph
    step: str
    reason: str


class Survivor(NamedTuple):
    """A paragraph that stands so far, with its tokens, sentences and entity density."""

    paragraph: Paragraph
    n_tokens: int
    sentences: tuple[str, ...]
    density: float


def sentences_of(text: str) -> tuple[str, ...]:
    """Return the sentences of a passage."""
    return tuple(text[start:stop] for start, stop in split(text))


def sieve(paragraphs: Iterable[Paragraph]) -> tuple[list[Survivor], list[Dropped], list[Step]]:
    """Take paragraphs through all steps that need no embedder: structure, length, entity density, duplicates.

    Args:
        paragraphs: of all books, in order; of duplicates the first stays.
    """
    held, dropped, steps = list(paragraphs), list[Dropped](), list[Step]()
    prose = [p for p in held if not _drop(dropped, p, "structure", noise(p))]
    steps.append(_step("structure", len(held), dropped))
    long = [each for p in prose if not _drop(dropped, p, "length", _too_short(each := _read(p)))]
    steps.append(_step("length", len(prose), dropped))
    dense = list[Survivor]()
    for one in long:
        density = entity_density(one.paragraph.text)
        if not _drop(
            dropped, one.paragraph, "entity_density", f"below {LOWEST}" if density < LOWEST else None
        ):
            dense.append(one._replace(density=density))
    steps.append(_step("entity_density", len(long), dropped))
    again = duplicates([one.paragraph.text for one in dense])
    for at, (_, kind) in again.items():
        dropped.append(Dropped(dense[at].paragraph, "duplicates", kind))
    steps.append(_step("duplicates", len(dense), dropped))
    return [one for at, one in enumerate(dense) if at not in again], dropped, steps


def _read(paragraph: Paragraph) -> Survivor:
    return Survivor(paragraph, len(tokens(paragraph.text)), sentences_of(paragraph.text), 0.0)


def _too_short(one: Survivor) -> str | None:
    if one.n_tokens < MIN_TOKENS:
        return f"under {MIN_TOKENS} tokens"
    return f"under {MIN_SENTENCES} sentences" if len(one.sentences) < MIN_SENTENCES else None


def _drop(dropped: list[Dropped], paragraph: Paragraph, step: str, reason: str | None) -> bool:
    if reason is not None:
        dropped.append(Dropped(paragraph, step, reason))
    return reason is not None


def _step(name: str, came: int, dropped: Sequence[Dropped]) -> Step:
    reasons = Counter(each.reason for each in dropped if each.step == name)
    return Step(name=name, came=came, fell=sum(reasons.values()), reasons=dict(reasons.most_common()))
