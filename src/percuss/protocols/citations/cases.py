"""Where cases come from: the bundled seeds, or a table in the layouts that the benchmark released."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from percuss.core import seeds
from percuss.core.errors import BadInput, UsageError
from percuss.core.records import Case
from percuss.exchange.rows import rows
from percuss.protocols.citations.audit.library import read_library
from percuss.protocols.citations.case import Inquiry, Source
from percuss.protocols.citations.library import Seed, bundled, bundled_seeds
from percuss.protocols.citations.library.short import fabricated, read_niche
from percuss.protocols.citations.options import DOMAINS, SHORT, CitationsOptions
from percuss.protocols.citations.references.names import fold
from percuss.protocols.citations.replaying import replayed, with_follow_ups

__all__ = ["cases"]

_QUESTION = ("question", "research_question", "prompt")
_LANGUAGES = ("python", "r", "scala", "elixir")


def cases(source: str | None, options: CitationsOptions, seed: int) -> Iterator[Case]:
    """Yield the bundled seeds of the domains asked for, or one case a row of a table.

    Args:
        source: None = bundled; else JSONL, CSV or any table with a column question, research_question or prompt, and where
            they are known domain, question_category, doi, title, abstract, guideline_text, task, follow_ups (a list).
        options: `domain`, `turns`, `followups` and `replay` (only what that run asked is asked again), `short_items`, `niche`,
            `short_index`, `per_language`.
        seed: of what doesn't exist.

    Raises:
        UsageError: an unknown domain. BadInput: a row without a question, or without enough follow-ups; an
            index that is no library.
    """
    held = _seeds(source, options, seed)
    if not _replays(options):
        yield from held
        return
    said = replayed(Path(options.replay))
    yield from (with_follow_ups(case, said, options) for case in held if case.id in said)


def _seeds(source: str | None, options: CitationsOptions, seed: int) -> Iterator[Case]:
    if source is not None:
        held = _table(Path(source), options)
        yield from _per_language(held, options.per_language, seed) if options.per_language else held
        return
    wanted = [name.strip() for name in options.domain.split(",") if name.strip()] or list(DOMAINS)
    unknown = [name for name in wanted if name not in {*DOMAINS, SHORT}]
    if unknown:
        raise UsageError(f"got the domain {unknown[0]!r}; expected some of {', '.join((*DOMAINS, SHORT))}")
    for each in bundled_seeds():
        if each.domain in wanted:
            yield _bundled(each)
    if SHORT in wanted:
        yield from _short(options, seed)


def _per_language(cases: Iterable[Case], n: int, seed: int) -> Iterator[Case]:
    """Yield n coding questions per language, drawn by seed and language, and all other questions, in the order of the file."""
    rows = list(cases)
    by_language: dict[str, list[str]] = defaultdict(list)
    for case in rows:
        if case.payload["domain"] == "coding":
            by_language[case.payload.get("language", "")].append(case.id)
    kept = {
        name
        for language, names in by_language.items()
        for name in sorted(names, key=lambda each: seeds.derive(seed, "per_language", language, each))[:n]
    }
    yield from (case for case in rows if case.payload["domain"] != "coding" or case.id in kept)


def _replays(options: CitationsOptions) -> bool:
    if (options.followups == "replay") != bool(options.replay):
        raise UsageError("--followups replay and --replay RUN go together; expected both or neither")
    return options.followups == "replay"


def _short(options: CitationsOptions, seed: int) -> Iterator[Case]:
    """Yield short questions: about things made up by the seed, and about niche ones of a file."""
    niche = read_niche(Path(options.niche)) if options.niche else ()
    held = {fold(each.item) for each in niche} | _titles(options.short_index)
    made = fabricated(options.short_items, seed=seed, known=lambda name: fold(name) in held)
    for item in (*made, *niche):
        inquiry = Inquiry(
            question=item.question, domain=SHORT, category=item.domain, short=item.kind, gold=item.gold
        )
        yield Case(id=item.id, cluster=item.id, stratum=item.kind, payload=msgspec.to_builtins(inquiry))


def _titles(index: str) -> set[str]:
    """Return the folded titles of the bundled library and of an index at hand: nothing made up may be one of them."""
    own = {fold(document.title) for document in bundled().documents}
    if not index:
        return own
    return own | {fold(known.reference.title) for known in read_library(index).records}


def _bundled(seed: Seed) -> Case:
    inquiry = Inquiry(
        question=seed.question, domain=seed.domain, category=seed.category, follow_ups=seed.follow_ups,
        documents=seed.documents, bundled=True, language="python" if seed.domain == "coding" else "",
    )  # fmt: skip
    return Case(id=seed.id, cluster=seed.id, stratum=seed.domain, payload=msgspec.to_builtins(inquiry))


def _table(path: Path, options: CitationsOptions) -> Iterator[Case]:
    seen: set[str] = set()
    for line, row in rows(path):
        inquiry = _read(row, path.name, line)
        if options.followups == "file" and len(inquiry.follow_ups) < options.turns - 1:
            raise BadInput(
                f"got {len(inquiry.follow_ups)} follow_ups, expected {options.turns - 1} for {options.turns} turns; give a list "
                "follow_ups, or --turns 1, or --followups live --role user=MODEL",
                source=path.name,
                line=line,
            )
        name = str(row.get("id") or f"row-{line}")
        if name in seen:
            raise BadInput(
                f"a second question has the id {name!r}; each needs its own", source=path.name, line=line
            )
        seen.add(name)
        cluster = str(row.get("cluster") or name)
        yield Case(id=name, cluster=cluster, stratum=inquiry.domain, payload=msgspec.to_builtins(inquiry))


def _read(row: Mapping[str, Any], file: str, line: int) -> Inquiry:
    question = next((str(row[name]) for name in _QUESTION if row.get(name)), "")
    if not question:
        raise BadInput(f"has no question; expected one of {', '.join(_QUESTION)}", source=file, line=line)
    domain = str(row.get("domain") or _domain(row))
    if domain not in DOMAINS:
        raise BadInput(
            f"got the domain {domain!r}, expected one of {', '.join(DOMAINS)}", source=file, line=line
        )
    later = row.get("follow_ups") or ()
    if isinstance(later, str):
        later = [text for text in later.split("\n") if text.strip()]
    return Inquiry(
        question=question, domain=domain, category=str(row.get("question_category") or row.get("category") or ""),
        follow_ups=tuple(map(str, later)), sources=tuple(_sources(row)), language=_language(row, domain),
    )  # fmt: skip


def _domain(row: Mapping[str, Any]) -> str:
    """Tell the domain by the fields that each released file has."""
    if row.get("guideline_text"):
        return "medical_guidelines"
    if row.get("task") or row.get("prompt"):
        return "coding"
    return "research_questions"


def _sources(row: Mapping[str, Any]) -> Iterator[Source]:
    title, doi = str(row.get("title") or ""), str(row.get("doi") or "").lower()
    doi = doi.removeprefix("https://doi.org/")
    if row.get("guideline_text"):
        yield Source(title=title, text=str(row["guideline_text"]), whole=True, doi=doi)
    elif row.get("abstract"):
        yield Source(title=title, text=str(row["abstract"]), doi=doi)


def _language(row: Mapping[str, Any], domain: str) -> str:
    if domain != "coding":
        return ""
    said = f"{row.get('language', '')} {row.get('task', '')}".lower().split()
    return next((name for name in _LANGUAGES if name in said), "")
