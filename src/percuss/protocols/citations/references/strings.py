"""A printed reference into fields: Vancouver, APA, Harvard, Nature, IEEE, Chicago, ACL and plain LaTeX styles.

What is read is compared with records later; a field that can't be told stays empty.
"""

import re
import unicodedata

from msgspec import structs

from percuss.protocols.citations.references.bodies import body_at_start
from percuss.protocols.citations.references.identifiers import BREAK, Found, find, normalise
from percuss.protocols.citations.references.names import PARTICLES, fold, is_body, parse_name
from percuss.protocols.citations.references.orders import COMMAS, WRITTEN_OUT, surname_first
from percuss.protocols.citations.references.record import Name, Reference

__all__ = ["parse"]

_YEAR = re.compile(r"(?<![\d./-])((?:1[5-9]|2[01])\d\d)(?![\d])[a-z]?\b")
_PAREN_YEAR = re.compile(r"\(((?:1[5-9]|2[01])\d\d)[a-z]?(?:,[^)]{0,20})?\)")
_QUOTED = re.compile(
    r"[\"“‘«]([^\"“”«»]{8,300}?)[,.]?[\"”»](?=\W|$)|(?<!\w)‘([^‘]{8,300}?)[,.]?’(?=[\s,.;(]|$)"
)
_LABEL = re.compile(r"^\s*(?:\[\w{1,12}\]|\(?\d{1,4}[.)](?!\d)|\d{1,4}(?=\s+[A-Z])|[-*•])\s*")
# [Adams et al., 2025] · [Doe, n.d.]
_OWN_LABEL = re.compile(r"^\[[A-ZÀ-ÖØ-ÞĀ-Ž][^\]]{2,80}(?:(?:19|20)\d\d[a-z]?|n\.?d\.?)\]\s+")
# Cited by: §1, §1. · Accessed: 2026-04-18. · Last accessed 1 May 2020
_TAIL = re.compile(
    r"\s*(?:External Links:.{0,80}?)?\bCited by:.{0,200}$|\s*\(?(?:last )?accessed(?: on)?:?\s.{4,30}?\)?\.?$",
    re.IGNORECASE,
)
# doi:10.1/zz, doi: 1056/NEJM1: written as a DOI and none
_NO_DOI = re.compile(r"\bdoi:\s{0,3}(?!<?10\.\d{4,9}/|<?https?:)(?=\S{0,60}\d)(\S{3,60})", re.IGNORECASE)
_ITALIC = re.compile(r"(?<!\*)\*([^*]{1,160})\*(?!\*)|(?<![\w_])_([^_]{1,160})_(?!\w)")
# 2019;380(2):123-30 · 12(3), 1–10 · 12:123-130 · vol. 1, no. 2, pp. 1-2
_VANCOUVER = re.compile(
    r"((?:1[5-9]|2[01])\d\d)[^;.:]{0,20};\s?(\d{1,5}|[A-Z]?\d{1,4})?\s?(?:\(([^)]{1,20})\))?\s?(?::\s?([A-Za-z]{0,3}\d[\w–-]{0,20}))?"
)
_VOLUME = re.compile(
    r"\b(\d{1,4})\s?\(([\w–\- ]{1,12})\)\s?[,:]\s?([A-Za-z]{0,2}\d{1,7}(?:\s?[–—-]{1,3}\s?[A-Za-z]{0,2}\d{1,7})?)"
)
_VOLUME_PAGES = re.compile(
    r"[,\s](\d{1,4})\s?[:,]\s?(?:pp?\.?\s?)?([A-Za-z]?\d{1,7}\s?[–—-]{1,3}\s?[A-Za-z]?\d{1,7})"
)
# 12, no. 3 (2019): 1-10
_CHICAGO = re.compile(
    r"(?<![\d–—-])\b(\d{1,4})(?:, no\. (\d{1,4}))? \((?:[A-Z][a-z]+ )?((?:1[5-9]|2[01])\d\d)\)(?:: ?([A-Za-z]?\d{1,7}(?:\s?[–—-]\s?[A-Za-z]?\d{1,7})?)|,? ([A-Za-z]?\d{1,7}\s?[–—-]\s?[A-Za-z]?\d{1,7}))?"
)
_VOL = re.compile(r"\bvol(?:ume|\.)?\s?(\d{1,4})\b", re.IGNORECASE)
_NO = re.compile(r"\b(?:no|issue|number)\.?\s?(\d{1,4})\b", re.IGNORECASE)
_PP = re.compile(
    r"\b(?:pp?|pages?)\.?\s?([A-Za-z]?\d{1,7}(?:\s?[–—-]{1,3}\s?[A-Za-z]?\d{1,7})?)", re.IGNORECASE
)
_SURNAME = r"(?:(?:van|von|della|(?!and\s|und\s|et\s)[a-z]{2,3})\s|[dDlLO]['’]){0,3}[A-ZÀ-ÖØ-ÞĀ-Ž][\w'’‐-]{1,40}(?:(?: |\s(?:y|e)\s)(?:[A-ZÀ-ÖØ-ÞĀ-Ž][\w'’-]{1,40}))?"
_VANCOUVER_NAME = re.compile(
    rf"{_SURNAME}\s(?:[A-ZÀ-ÖØ-ÞĀ-Ž]{{1,4}}(?:\s(?:Jr|Sr|2nd|3rd|II|III))?(?=[,.;:]|\sand\s|\s&\s|$)|(?:[A-ZÀ-ÖØ-ÞĀ-Ž]\.){{1,4}}(?=[,;]|\set\.?\sal\b))"
)
_UPPER = r"[A-ZÀ-ÖØ-ÞĀ-Ž]"
_INVERTED = re.compile(
    rf"{_SURNAME},\s(?:(?:{_UPPER}\.(?:-?[a-z]\.)?[-\s]?){{1,4}}(?:[a-z]\.)?|{_UPPER}{{1,3}}|{_UPPER}(?:\s{_UPPER}){{1,3}})(?:\s(?:von|van|de|der|den|du|la)(?=,))?(?=[,.;:&(]|\s|$)"
)
_INVERTED_FULL = re.compile(
    rf"{_SURNAME},\s{_UPPER}[\w'’-]+(?:\s(?:{_UPPER}\.?|{_UPPER}[\w'’-]+))?(?=[,.;]|\sand\s|\s&\s)"
)
# each given name is an initial with its stop, or a word and a blank: no text can be cut in two ways
_GIVEN_FIRST = re.compile(
    rf"(?:{_UPPER}(?:\.[-\s]?|[\w'’-]{{0,30}}\s)){{1,5}}{_SURNAME}(?=[,.:;(]|\sand\s|\s&\s|\set\.?\sal\b|$)"
)
# J. Smith, A. Doe, Effect of rest on sepsis, Lancet 395 (2020) 10-20: nothing but commas between the parts
_INITIALS_FIRST = re.compile(rf"(?:{_UPPER}\.[-\s]?){{1,4}}{_SURNAME}(?=,)")
_JOIN = re.compile(
    r"(?:\s*[,;]\s*(?:and|&|y|und|et)\s+|\s*[,;]\s*|\s*&\s+|\s+(?:and|&|y|und|et)\s+|\.,?\s*(?:&|and)\s+|\.,\s*)"
)
_ET_AL = re.compile(r"[,;]?\s*(?:and\s+)?(?:et\.?\sal\b\.?|and\sothers|\.\.\.|…)", re.IGNORECASE)
# what stands behind a known body's name: its acronym, its working group
_SIGNED = re.compile(
    r"((?:[^.:(\"“\d]|\([A-Z][A-Za-z]{1,9}\)){0,80}?)(?:[.:](?=\s)|\s?(?=\((?:1[5-9]|2[01])\d\d)|,(?=\s[\"“]))"
)
_PLACE_ALONE = re.compile(
    r"\(?([A-Z][A-Za-z. ]{1,50}?),?\s?(?:1[5-9]|2[01])\d\d\)?(?:;[\d():–A-Za-z-]{1,30})?$"
)
# Lipson et al 2018, Once-daily .. · Evans et al., Surviving Sepsis ..
_ALONE = re.compile(rf"({_SURNAME})\set\.?\sal\.?,?\s(?=[\"“(A-Z\d])")
# Diederik P. Kingma and Jimmy Ba. Adam: .. is no "Diederik P" who wrote "Kingma and Jimmy Ba"
_TWO_GIVEN = re.compile(rf"{_UPPER}[\w'’-]+\s{_UPPER}\.\s")
_KIND = (
    ("thesis", re.compile(r"\b(?:ph\.?d\.?|doctoral|master'?s)\b.{0,12}\b(?:thesis|dissertation)\b|\bdissertation\b", re.IGNORECASE)),
    ("legal", re.compile(r"\b\w+\sv\.?\s[A-Z]\w+")),
    ("report", re.compile(r"\b(?:technical report|working paper|tech\. rep|white paper)\b", re.IGNORECASE)),
    ("guideline", re.compile(r"\b(?:guidelines?|guidance|recommendations?)\b.{0,80}\b(?:NICE|WHO|ESC|AHA|NCCN|ESMO|IDSA|USPSTF)\b|\bNICE guideline", re.IGNORECASE)),
    ("conference", re.compile(r"\bIn:?\s(?:Proc|Advances|International|Conference|Annual|Workshop|Findings)|\bProceedings\b")),
    ("chapter", re.compile(r"\bIn:\s.{3,80}\b(?:editors?|eds?\.)", re.IGNORECASE)),
    ("book", re.compile(r"\b(?:\d(?:st|nd|rd|th) ed(?:ition|n|\.)|Press\b|Publishers?\b|Verlag\b|Elsevier;|Springer;)|\bISBN")),
)  # fmt: skip


_BROKEN_DOI = re.compile(rf"\b10\.\d{{4,9}}/\S*{BREAK}\S*")


def parse(text: str) -> Reference:
    """Read one printed reference.

    Args:
        text: the entry, with or without its number; Markdown emphasis and links are understood.

    >>> made = parse("1. Smith J, Doe AB. Sepsis in adults. N Engl J Med. 2019;380(2):123-30. doi:10.1/x")
    >>> made.title, made.authors[1].given, made.year, made.container, made.volume, made.pages
    ('Sepsis in adults', 'AB', 2019, 'N Engl J Med', '380', '123-30')
    """
    flat = " ".join(unicodedata.normalize("NFKC", text).replace("\u00ad", "").split())[:3000]
    bare = re.sub(r"\[([^\]]{1,300})\]\((https?://[^)\s]{3,500})\)", r"\1 \2", _LABEL.sub("", flat, count=1))
    bare = _TAIL.sub("", _OWN_LABEL.sub("", bare, count=1))
    found = find(bare)
    italic = [(match[1] or match[2]).strip(" .,") for match in _ITALIC.finditer(bare)]
    body = _ITALIC.sub(lambda match: match[1] or match[2], _without(bare, found)).replace("**", "")
    authors, et_al, rest = _authors(body)
    numbers = _numbers(body)
    year = _year(body, numbers)
    title, container = _title_and_container(rest, body, italic)
    place = _PLACE_ALONE.match(title)
    if place:  # "Granger CB, et al. N Engl J Med 2011;365:981-92.": no title at all
        title, container = "", place[1].strip(" .,") or container
    return Reference(
        title=title,
        authors=authors,
        et_al=et_al,
        year=year,
        container=container,
        volume=numbers.get("volume", ""),
        issue=numbers.get("issue", ""),
        pages=re.sub(r"\s?[–—-]{1,3}\s?", "-", numbers.get("pages", "")),
        kind=_kind(body, found, bool(numbers.get("volume"))),
        ids={each.kind: each.value for each in reversed(found)},
        raw=bare.replace(BREAK, ""),
        doubtful=_doubtful(bare),
        broken=tuple(
            ("identifier", f"DOI {each[1]} has not the form 10.registrant/name")
            for each in _NO_DOI.finditer(bare)
        )[:1],
    )


def _doubtful(bare: str) -> dict[str, str]:
    """Return a broken DOI with its hyphen where it was read without, and without where it was read with it."""
    broken = _BROKEN_DOI.search(bare)
    if broken is None:
        return {}
    kept = re.sub(rf"(-?){BREAK}", lambda match: "" if match[1] else "-", broken[0])
    return {"doi": normalise("doi", kept)}


def _without(text: str, found: tuple[Found, ...]) -> str:
    out, last = [], 0
    for each in found:
        if each.kind == "legal":
            continue
        out.append(text[last : each.start])
        last = each.stop
    out.append(text[last:])
    cut = re.sub(
        r"\b(?:doi|pmid|pmcid|isbn|url|available (?:from|at)|retrieved from)\s?:?\s*(?=[.,;)]|$)",
        " ",
        "".join(out),
        flags=re.IGNORECASE,
    )
    return " ".join(re.sub(r"[\[(<]\s*[\])>]", " ", cut).split())


def _authors(body: str) -> tuple[tuple[Name, ...], bool, str]:
    """Read names from the start while they come; return them, whether more were left out, and what follows."""
    known = body_at_start(body)
    signed = _SIGNED.match(body, len(known)) if known else None
    if signed:
        return (Name(family=body[: signed.end(1)].strip(" ,"), literal=True),), False, body[signed.end() :]
    alone = _ALONE.match(body)
    if alone:
        particle = fold(alone[1].split()[0]) in PARTICLES
        name = Name(family=alone[1]) if particle else parse_name(alone[1])
        return (name,), True, body[alone.end() :]
    if _given_first(body):
        names, stop = _run(body, _GIVEN_FIRST)
        return tuple(map(_named, names)), False, body[stop:]
    for pattern in (_VANCOUVER_NAME, WRITTEN_OUT, _INVERTED, _GIVEN_FIRST, _INVERTED_FULL):
        names, stop = _run(body, pattern)
        ordered = surname_first(names) if pattern in {_VANCOUVER_NAME, WRITTEN_OUT} else None
        if pattern is WRITTEN_OUT and ordered is None:
            continue
        if names and _plausible_end(body, stop, len(names)):
            et_al = _ET_AL.match(body, stop)
            rest = body[et_al.end() if et_al else stop :]
            return ordered or tuple(map(_named, names)), bool(et_al), rest
    names, stop = _run(body, _INITIALS_FIRST)
    if names and COMMAS.match(body, stop):
        return tuple(map(_named, names)), False, body[stop:]
    return _body(body)


def _body(body: str) -> tuple[tuple[Name, ...], bool, str]:
    """Read a group, company or body that signs a reference, alone or before names."""
    group = re.match(r"([A-Z][\w-]{2,30}(?:\s[A-Z][\w-]{2,30})?),\s", body)
    if group:  # "DeepSeek-AI, Liu, A., Mei, A., .."
        names, stop = _run(body[group.end() :], _INVERTED)
        if len(names) > 1 and _plausible_end(body, group.end() + stop, len(names)):
            et_al = _ET_AL.match(body, group.end() + stop)
            rest = body[et_al.end() if et_al else group.end() + stop :]
            return (Name(family=group[1], literal=True), *map(parse_name, names)), bool(et_al), rest
    head = re.match(
        r"([A-Z][\w-]{3,24}|[A-Z]{2,3}(?=\.\s[A-Z][^.]{14})|[A-Z]\w{0,20}\.(?:ai|com|io|org))\.\s(?=\w(?:[^.]{12,}|\S+\s))",
        body,
    )
    if head:  # "OpenAI. New embedding models, 2024." "Z.ai. A card, 2025."
        return (Name(family=head[1], literal=True),), False, body[head.end(1) :]
    head = re.match(r"([A-Z][^.(\"“]{6,100}\([A-Z]{3,8}\)(?:\s[^.:(\"“]{3,60})?)[.:]\s", body)
    if head:  # "Kidney Disease: Improving Global Outcomes (KDIGO) CKD Work Group. KDIGO 2012 .."
        return (Name(family=head[1], literal=True),), False, body[head.end(1) :]
    head = re.match(r"([^.(\"“:]{3,120}?)(?:[.:]\s|\s?\(|,\s[\"“])", body)
    if head and is_body(head[1]) and (len(head[1].split()) <= 9):
        return (Name(family=head[1].strip(" ,"), literal=True),), False, body[head.end(1) :]
    return (), False, body


def _given_first(body: str) -> bool:
    """Say whether names given first begin a reference that reads as one surname with an initial and a title of names."""
    if not _TWO_GIVEN.match(body):
        return False
    names, stop = _run(body, _GIVEN_FIRST)
    title = re.match(r"\.\s([^.]{12,})", body[stop:])
    return len(names) > 1 and title is not None and len(title[1].split()) > 2


def _named(written: str) -> Name:
    """Read a name; what begins with "The" is a body: The State Bar of California."""
    return Name(family=written, literal=True) if written.startswith("The ") else parse_name(written)


def _run(body: str, pattern: re.Pattern[str]) -> tuple[list[str], int]:
    names: list[str] = []
    place = 0
    match = pattern.match(body)
    if (
        match is None
        and (body_head := re.match(r"(?:The\s)?[A-Z][\w -]{3,80}?(?=[,;]\s)", body))
        and is_body(body_head[0])
    ):
        match = body_head
    while match:
        names.append(re.sub(r"^(?:for\s)?(?:the\s)?(?=[A-Z])", "", match[0].rstrip(" ,;")))
        place = match.end()
        joined = _JOIN.match(body, place)
        if not joined or len(names) >= 400:
            break
        match = pattern.match(body, joined.end())
        if match is None and pattern is _INVERTED_FULL:  # Chicago inverts the first name only
            match = _GIVEN_FIRST.match(body, joined.end())
        if match is None:
            match = re.compile(r"(?:for\s)?(?:the\s)?[A-Z][\w'’ -]{3,80}?(?=[.;(])", re.IGNORECASE).match(
                body, joined.end()
            )
            match = match if match and is_body(match[0]) else None
    return names, place


def _plausible_end(body: str, stop: int, n: int) -> bool:
    """Say whether names may end here: by a stop, a year, a quotation mark, "et al."; one name needs a clear end."""
    after = body[stop : stop + 24]
    if (
        _ET_AL.match(after)
        or re.match(r"\s?[.,:]?\s?[(\"“]", after)
        or re.match(r"[.,:;]?\s?\(?(?:1[5-9]|2[01])\d\d", after)
    ):
        return True
    if re.match(r",?\s?\(?(?:editors?|eds?\b\.?)\)?", after, re.IGNORECASE):
        return True
    if re.search(r"[A-Z]\.\s?$", body[max(0, stop - 4) : stop]) and re.match(r"\s?[A-Z\"“(]", after):
        return n > 1 or bool(re.match(r"\s?[A-Z][\w-]+\s\w", after))
    return bool(re.match(r"\s?[.:](?:\s|$)", after))


def _year(body: str, numbers: dict[str, str]) -> int | None:
    match = _PAREN_YEAR.search(body)
    if match:
        return int(match[1])
    if numbers.get("year"):
        return int(numbers["year"])
    masked = _PP.sub(" ", _VOLUME.sub(" ", body))
    years = [int(each[1]) for each in _YEAR.finditer(masked)]
    after_names = re.match(r".{0,400}?[.,]\s((?:1[5-9]|2[01])\d\d)[a-z]?\.\s", body)
    if after_names:
        return int(after_names[1])
    return years[-1] if years else None


def _numbers(body: str) -> dict[str, str]:
    match = _VANCOUVER.search(body)
    if match and (match[2] or match[4]):
        return {"year": match[1], "volume": match[2] or "", "issue": match[3] or "", "pages": match[4] or ""}
    match = _CHICAGO.search(body)
    if match:
        return {
            "volume": match[1],
            "issue": match[2] or "",
            "year": match[3],
            "pages": match[4] or match[5] or "",
        }
    match = _VOLUME.search(body)
    if match:
        return {"volume": match[1], "issue": match[2].strip(), "pages": match[3]}
    out = {
        name: each[1]
        for name, pattern in (("volume", _VOL), ("issue", _NO), ("pages", _PP))
        if (each := pattern.search(body))
    }
    if "pages" not in out or "volume" not in out:
        match = _VOLUME_PAGES.search(body)
        if match:
            out.setdefault("volume", match[1])
            out.setdefault("pages", match[2])
    return out


def _title_and_container(rest: str, body: str, italic: list[str]) -> tuple[str, str]:
    quoted = _QUOTED.search(body)
    if quoted:
        title = (quoted[1] or quoted[2]).strip(" ,.")
        return title, _container(body[quoted.end() :], italic)
    commas = COMMAS.match(rest)
    if commas:
        return commas[1].strip(), commas[2].strip()
    text = re.sub(r"^[\s.,:;]*(?:\(?(?:editors?|eds?)\b\.?\)?[.,]?\s*)?", "", rest, flags=re.IGNORECASE)
    text = re.sub(r"^\(?((?:1[5-9]|2[01])\d\d)[a-z]?(?:,[^)]{0,20})?\)?[.,:]?\s*", "", text)
    parts = _sentences(text)
    if not parts:
        return "", ""
    title = _DATED.sub("", parts[0].strip(" .,"))
    after = text[text.find(parts[0]) + len(parts[0]) :]
    if len(parts) == 1 or (italic and italic[0] in title):
        cut = next((name for name in italic if name in title and title.index(name) > 8), "")
        if cut:
            return title[: title.index(cut)].strip(" .,"), cut
    return title, _container(after, [name for name in italic if fold(name) != fold(title)])


_DATED = re.compile(r",\s(?:[A-Z][a-z]{2,8}\.?\s)?(?:1[5-9]|2[01])\d\d[a-z]?$")


def _sentences(text: str) -> list[str]:
    """Cut at stops that end a title: followed by a capital or by the end, not after an initial or "vs."."""
    out, last = [], 0
    for match in re.finditer(
        r"[.?!](?=\s+(?:[\"“(]?[A-ZÀ-ÖØ-ÞĀ-Ž0-9]|arXiv|bioRxiv|medRxiv|in\s[A-Z])|\s*$)", text
    ):
        word = re.search(r"([\w'’-]+)$", text[last : match.start()])
        if word and (
            word[1].lower() in {"vs", "v", "st", "dr", "no", "vol"}
            or (len(word[1]) == 1 and word[1].isupper() and len(text[last : match.start()]) < 6)
        ):
            continue
        piece = text[last : match.end()].strip()
        if piece.strip(". "):
            out.append(piece if text[match.start()] in "?!" else piece[:-1])
        last = match.end()
    tail = text[last:].strip(" .")
    return [*out, tail] if tail else out


def _container(after: str, italic: list[str]) -> str:
    names = [name for name in italic if len(name) > 2 and not name.isdigit()]
    if names:
        return re.sub(r"[,\s]+\d{1,4}(?:\s?\(\d{1,4}\))?[\s,]*$|,\s\d.*$", "", names[0]).strip(" ,.")
    text = re.sub(r"^[\s.,:;]*(?:In:?\s+(?:.{3,300}?\b(?:[Ee]ditors?|[Ee]ds?\.)\)?[.,:]*\s+)?)?", "", after)
    stop = re.search(
        r"[.,;:]?\s*(?:\(?(?:1[5-9]|2[01])\d\d\b|\bvol(?:ume|\.)|\bno\.|\bpp?\.|\bpages?\b|\d{1,4}\s?[(:,]|\d{1,4}\s*$|\()|[.;]\s+(?=\D)|\.?\s*$|,\s(?=\d)",
        text,
        re.IGNORECASE,
    )
    name = text[: stop.start()] if stop else text
    name = re.sub(r"[\s.,]+\d{1,4}$", "", name)
    return name.strip(" .,;:") if re.search(r"[A-Za-z]{2}", name) and len(name) < 200 else ""


def _kind(body: str, found: tuple[Found, ...], has_volume: bool) -> str:
    kinds = {each.kind for each in found}
    if "legal" in kinds:
        return "legal"
    for kind, pattern in _KIND:
        if pattern.search(body) and not (kind == "book" and has_volume):
            return kind
    if has_volume or kinds & {"pmid", "pmcid"}:
        return "article"
    if re.search(r"arxiv|biorxiv|medrxiv|preprint", body, re.IGNORECASE) or "arxiv" in kinds:
        return "preprint"
    if "isbn" in kinds:
        return "book"
    return "article" if "doi" in kinds else "web" if "url" in kinds else "other"


def relabelled(reference: Reference, key: str, start: int, stop: int) -> Reference:
    """Return a reference with the document's own label and its place."""
    return structs.replace(reference, key=key, start=start, stop=stop)
