"""Niche papers with accepted answers out of OpenAlex, for short questions: `percuss citations niche` (papers/2 section 6)."""

import asyncio
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from percuss.core.errors import BadInput, FetchError
from percuss.core.ports import Session
from percuss.core.protocol import CommandResult
from percuss.core.strict import Record
from percuss.net.client import Client
from percuss.protocols.citations.sources.openalex import OPENALEX, known_of_work
from percuss.protocols.citations.sources.polite import Polite

__all__ = ["NicheOptions", "niche", "niche_rows"]

CITED_LESS_THAN = 50
"""Citations below which a paper is niche (papers/2 section 6)."""
_PAGE = 200  # works in one answer, the most that OpenAlex gives
_TITLE = range(4, 40)
"""Words of a title that names one paper: shorter ones ("Editorial") are shared, longer ones are no title."""


class NicheOptions(Record):
    """Settings of `percuss citations niche`."""

    out: Annotated[str, Meta(description="JSONL file that the items are written to.")] = "niche.jsonl"
    count: Annotated[int, Meta(description="Papers, one question each.", ge=1, le=200)] = 50
    before: Annotated[int, Meta(description="Year up to which papers are drawn.", ge=1900, le=2100)] = 2022


async def niche(options: NicheOptions, session: Session) -> CommandResult:
    """Draw articles with few citations by the seed, and write a question with its accepted answers for each.

    Args:
        options: how many, and from when. session: its seed draws; `dry_run` asks nobody.

    Raises:
        BadInput: OpenAlex could not be asked, or gave nothing that can be asked about.
    """
    base = os.environ.get("OPENALEX_BASE_URL") or OPENALEX
    query = _query(options, session.roles.seed, os.environ.get("PERCUSS_MAIL", ""))
    if session.dry_run:
        return CommandResult(
            text=f"would ask {base} once for articles cited less than {CITED_LESS_THAN} times"
        )
    async with Client() as client:
        try:
            status, body = await Polite(client).json("openalex", base, "/works", **query)
        except FetchError as error:
            raise BadInput(
                f"could not be asked ({error}); expected its index of works", source=base
            ) from None
    works = body.get("results") if isinstance(body, dict) else None
    rows = list(niche_rows(works if isinstance(works, list) else (), options.count))
    if not rows:
        raise BadInput(
            f"answered {status} without a work to ask about; expected a list of results", source=base
        )
    out = Path(options.out)
    await asyncio.to_thread(out.write_bytes, b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    text = (
        f"{len(rows)} questions on articles cited less than {CITED_LESS_THAN} times written to {out.name}\n"
        f"ask them beside things that don't exist: percuss run citations --domain short_form --niche {out.name}"
    )
    return CommandResult(text=text, files=(out,), data={"written": len(rows)})


def _query(options: NicheOptions, seed: int, mail: str) -> dict[str, str]:
    wanted = f"cited_by_count:<{CITED_LESS_THAN},type:article,has_doi:true,language:en,to_publication_date:{options.before}-12-31"
    drawn = {
        "filter": wanted,
        "sample": str(min(_PAGE, 2 * options.count)),
        "seed": str(seed),
        "per-page": str(_PAGE),
    }
    return {**drawn, **({"mailto": mail} if mail else {})}


def niche_rows(works: Any, count: int) -> Iterator[dict[str, Any]]:
    """Yield at most so many questions, one a work, the five of a paper in turn.

    Args:
        works: of OpenAlex. count: at most.

    A work is left out that is cited more, was retracted, has no title of its own, or lacks what is asked of it.
    """
    made = 0
    for work in works:
        if made == count:
            return
        cited = work.get("cited_by_count") if isinstance(work, dict) else None
        if not isinstance(cited, int) or cited >= CITED_LESS_THAN or work.get("is_retracted"):
            continue
        title = " ".join(known_of_work(work).reference.title.split())
        template, gold = list(_answers(work).items())[made % 5]
        if len(title.split()) in _TITLE and gold:
            made += 1
            yield {"template": template, "item": title, "gold": gold}


def _answers(work: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return template -> accepted answers; none where the record doesn't say it."""
    reference = known_of_work(work).reference
    places = [
        str(place.get("display_name") or "")
        for each in work.get("authorships") or ()
        for place in each.get("institutions") or ()
    ]
    return {
        "paper-authors": [name.family for name in reference.authors],
        "paper-affiliation": [*dict.fromkeys(filter(None, places))],
        "paper-year": [str(reference.year)] if reference.year else [],
        "paper-doi": [reference.ids["doi"]] if reference.ids.get("doi") else [],
        "paper-journal": [reference.container] if reference.container else [],
    }
