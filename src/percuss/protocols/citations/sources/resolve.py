"""Several registries asked about one reference, at once; which they are is named on the command line."""

import asyncio
import os
from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec.structs import replace

from percuss.core.errors import UsageError
from percuss.protocols.citations.references.record import Reference
from percuss.protocols.citations.references.status import Answer, fits
from percuss.protocols.citations.sources.arxiv import ARXIV, Arxiv
from percuss.protocols.citations.sources.crossref import CROSSREF, Crossref
from percuss.protocols.citations.sources.datacite import DATACITE, DataCite
from percuss.protocols.citations.sources.openalex import OPENALEX, OpenAlex
from percuss.protocols.citations.sources.polite import Polite
from percuss.protocols.citations.sources.pubmed import EUTILS, PubMed

__all__ = ["RESOLVERS", "Resolver", "ask_all", "refuse_unknown", "resolvers"]


class Resolver(Protocol):
    """Answers about references from one authority; a failure is an answer, never an exception."""

    @property
    def name(self) -> str: ...
    async def ask(self, cited: Reference) -> tuple[Answer, ...]:
        """Return what the authority says of one reference."""
        ...


RESOLVERS = {
    "crossref": CROSSREF,
    "pubmed": EUTILS,
    "openalex": OPENALEX,
    "datacite": DATACITE,
    "arxiv": ARXIV,
}
"""Name -> address; `<NAME>_BASE_URL` in the environment names another one."""


def refuse_unknown(names: Sequence[str]) -> None:
    """Refuse a name of no resolver.

    Args:
        names: as given.

    Raises:
        UsageError: a name that isn't one of `RESOLVERS`.
    """
    unknown = [name for name in names if name not in RESOLVERS]
    if unknown:
        raise UsageError(f"--resolve got {unknown[0]!r}; expected some of {', '.join(RESOLVERS)}, web")


def resolvers(
    names: Sequence[str], polite: Polite, environment: Mapping[str, str] | None = None
) -> tuple[Resolver, ...]:
    """Build resolvers by name.

    Args:
        names: of `RESOLVERS`. polite: the client that all share. environment: None = the process's.

    Raises:
        UsageError: a name that isn't one.
    """
    given = os.environ if environment is None else environment
    kinds = {
        "crossref": Crossref,
        "pubmed": PubMed,
        "openalex": OpenAlex,
        "datacite": DataCite,
        "arxiv": Arxiv,
    }
    refuse_unknown(names)
    return tuple(
        kinds[name](polite, given.get(f"{name.upper()}_BASE_URL") or RESOLVERS[name]) for name in names
    )


async def _answers(cited: Reference, asked: Sequence[Resolver]) -> list[Answer]:
    return [
        answer for group in await asyncio.gather(*(each.ask(cited) for each in asked)) for answer in group
    ]


async def ask_all(cited: Reference, asked: Sequence[Resolver]) -> tuple[Answer, ...]:
    """Ask every resolver about one reference, at once; answers in the order of the resolvers.

    A DOI that one registry lacks and another holds is no missing DOI, and one that a line's end broke is asked for in both spellings.
    Where an identifier leads to no work of that title, the title is looked for too: the identifier may be the mistake.
    """
    answers = await _answers(cited, asked)
    if "doi" in cited.doubtful and not any(each.records for each in answers if each.by == "doi"):
        answers = await _respelled(cited.doubtful["doi"], answers, asked)
    answers += await _by_title(cited, answers, asked)
    held = {answer.by for answer in answers if answer.state == "found" and answer.records}
    return tuple(
        answer
        for answer in answers
        if not (answer.state == "absent" and answer.by in held and answer.by != "search")
    )


async def _by_title(cited: Reference, answers: Sequence[Answer], asked: Sequence[Resolver]) -> list[Answer]:
    """Search for a title whose identifiers led elsewhere or nowhere, with those who have not searched for it yet."""
    if not cited.title or any(fits(cited, known) for each in answers for known in each.records):
        return []
    searched = {each.source for each in answers if each.by == "search"}
    bare = replace(cited, ids={}, doubtful={})
    return await _answers(bare, [each for each in asked if each.name not in searched])


async def _respelled(doi: str, answers: Sequence[Answer], asked: Sequence[Resolver]) -> list[Answer]:
    """Ask for the other spelling of a DOI; a registry that lacks both has said so of both."""
    lacking = {each.source for each in answers if each.by == "doi" and each.state == "absent"}
    again = [each for each in await _answers(Reference(ids={"doi": doi}), asked) if each.by == "doi"]
    kept = [each for each in answers if each.by != "doi" or each.state == "failed"]
    return [*kept, *(replace(each, both=each.source in lacking) for each in again)]
