"""A document against itself: cited but not listed, listed but not cited, listed twice, one DOI under two titles."""

from collections import defaultdict
from itertools import combinations

from percuss.protocols.citations.audit.document import Document
from percuss.protocols.citations.audit.report import Issue
from percuss.protocols.citations.references.identity import same_reference
from percuss.protocols.citations.references.record import Reference
from percuss.protocols.citations.references.titles import same_title, title_words

__all__ = ["issues_of"]


def issues_of(document: Document) -> tuple[Issue, ...]:
    """Return what is wrong with a document, whatever any record says."""
    return (
        *_unlisted(document),
        *_uncited(document),
        *_twice(document),
        *_two_titles(document),
        *_uncut(document),
    )


def _issue(document: Document, kind: str, keys: tuple[str, ...], note: str) -> Issue:
    return Issue(file=document.name, kind=kind, keys=keys, note=note)  # type: ignore[arg-type]


def _unlisted(document: Document) -> list[Issue]:
    return [
        _issue(document, "cited_not_listed", (written,), f"{written} points at no entry of the list")
        for written in document.dangling
    ]


def _uncited(document: Document) -> list[Issue]:
    if not document.uses or document.missing:
        return []  # a bare list of references cites nothing, and a part that was not read may cite all of it
    cited = {key for use in document.uses for key in use.keys}
    return [
        _issue(document, "listed_not_cited", (each.key,), f"{each.key} is listed and cited nowhere")
        for each in document.references
        if each.key not in cited
    ]


def _twice(document: Document) -> list[Issue]:
    groups: dict[str, list[Reference]] = defaultdict(list)
    for each in document.references:
        for mark in _marks(each):
            groups[mark].append(each)
    seen: set[tuple[int, int]] = set()
    found = []
    for group in groups.values():
        for one, other in combinations(group[:20], 2):
            pair = (id(one), id(other))
            if pair in seen or one is other or _list_of(one.key) != _list_of(other.key):
                continue  # chapters with lists of their own may each cite a work
            seen.add(pair)
            if same_reference(one, other) and _alike(one, other):
                found.append(
                    _issue(
                        document, "duplicate", (one.key, other.key), f"{one.key} and {other.key} are one work"
                    )
                )
    return found


def _list_of(key: str) -> str:
    return key.partition(" (list ")[2]


def _marks(each: Reference) -> list[str]:
    words = title_words(each.title)
    ids = [f"{kind}:{value}" for kind, value in each.ids.items() if kind in {"doi", "pmid", "arxiv", "pmcid"}]
    return [*ids, *(["title:" + " ".join(sorted(words)[:4])] if len(words) > 2 else [])]


def _alike(one: Reference, other: Reference) -> bool:
    """Say whether two entries have one title: a token-set ratio takes long-form and short-form factuality for one."""
    return not (one.title and other.title) or same_title(one.title, other.title)


def _two_titles(document: Document) -> list[Issue]:
    held: dict[str, Reference] = {}
    found = []
    for each in document.references:
        doi = each.ids.get("doi")
        if not doi or not each.title:
            continue
        first = held.setdefault(doi, each)
        if first is not each and not same_title(first.title, each.title):
            found.append(
                _issue(document, "two_titles", (first.key, each.key), f"DOI {doi} stands under two titles")
            )
    return found


def _uncut(document: Document) -> list[Issue]:
    unread = [
        f"{name} is included and was not read (not in this folder): what is listed and cited nowhere can't be told"
        for name in document.missing
    ]
    said = [*([document.problem] if document.problem else []), *unread]
    return [_issue(document, "not_checkable", (), each) for each in said]
