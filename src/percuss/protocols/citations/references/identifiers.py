"""Identifiers: found in a text, normalised, and checked for form. Nothing here asks anybody."""

import re
import unicodedata
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

__all__ = ["BREAK", "Found", "canonical_url", "fault", "find", "normalise"]


BREAK = "\u200b"
"""Zero-width space: stands in a DOI where a line ended at a hyphen that may be the line's or the DOI's own."""


class Found(NamedTuple):
    """An identifier in a text: `text[start:stop]`, its kind, and its normalised value."""

    start: int
    stop: int
    kind: str
    value: str


_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    # doi:10.1056/NEJMoa1 · https://doi.org/10.1002/(SICI)1097-0258(19980815)17:15<1661::AID-SIM968>3.0.CO;2-2
    ("doi", re.compile(r"(?:https?://(?:dx\.)?doi\.org/|\bdoi:?\s{0,3})?\b(10\.\d{4,9}/[^\s\"“”|{}\\^`]{1,200})", re.IGNORECASE)),
    # PMC1234567 · PMCID: PMC1234567
    ("pmcid", re.compile(r"\b(?:PMCID:?\s{0,3})?(PMC\d{4,9})\b", re.IGNORECASE)),
    # PMID: 12345678 · pubmed.ncbi.nlm.nih.gov/12345678
    ("pmid", re.compile(r"(?:\bPMID:?\s{0,3}|pubmed\.ncbi\.nlm\.nih\.gov/|ncbi\.nlm\.nih\.gov/pubmed/)(\d{1,12})\b", re.IGNORECASE)),
    # arXiv:2101.00001v2 · arxiv.org/abs/hep-th/9901001
    (
        "arxiv",
        re.compile(r"(?:\barXiv:?\s{0,3}|arxiv\.org/(?:abs|pdf)/)(\d{4}\.\d{4,5}|[a-z-]{2,12}(?:\.[A-Z]{2})?/\d{7})(?:v\d{1,3})?", re.IGNORECASE),
    ),
    # ISBN 978-0-306-40615-7 · ISBN-10: 0-306-40615-2
    ("isbn", re.compile(r"\bISBN(?:-1[03])?:?\s{0,3}((?:97[89][-\s]?)?\d[-\s\d]{7,14}[\dXx])\b", re.IGNORECASE)),
    # ISSN 0028-4793
    ("issn", re.compile(r"\bISSN:?\s{0,3}(\d{4}-?\d{3}[\dXx])\b", re.IGNORECASE)),
    # PEL-0001
    ("pel", re.compile(r"\b(PEL-\d{4})\b")),
    # 410 U.S. 113 · 505 F.3d 1010
    ("legal", re.compile(r"\b(\d{1,4}\s(?:U\.\s?S\.|S\.\s?Ct\.|L\.\s?Ed\.(?:\s?2d)?|F\.(?:\s?(?:2d|3d|4th))?|F\.\s?Supp\.(?:\s?[23]d)?)\s\d{1,5})\b")),
    ("url", re.compile(r"\b(https?://[^\s<>\"“”|\\^`]{3,2000})", re.IGNORECASE)),
)  # fmt: skip
_TRAILING = ".,;:'\"”’!?>*_"
_TRACKING = re.compile(r"^(?:utm_\w+|fbclid|gclid|mc_[ce]id|ref|source|via|igshid|_ga)$")


def find(text: str) -> tuple[Found, ...]:
    """Return the identifiers of a text in order; a URL that carries another identifier is that identifier.

    >>> [(f.kind, f.value) for f in find("See https://doi.org/10.1000/ABC., PMID: 0123 and http://who.int/a/")]
    [('doi', '10.1000/abc'), ('pmid', '123'), ('url', 'who.int/a')]
    """
    found: list[Found] = []
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            start, stop = match.span()
            value = match.group(1)
            trimmed = _trim(value)
            stop -= (len(value) - len(trimmed)) if match.end(1) == stop else 0
            if any(start < each.stop and stop > each.start for each in found):
                continue
            normal = normalise(kind, trimmed)
            if normal:
                found.append(Found(start, stop, kind, normal))
    return tuple(sorted(found))


def _trim(value: str) -> str:
    """Cut what closes the sentence around an identifier, never a bracket that the identifier opened itself."""
    for closing in ("](", ")[", ">)"):  # the end of a Markdown link
        value = value.split(closing, maxsplit=1)[0]
    while value:
        closes = any(
            value[-1] == end and value.count(end) > value.count(start) for start, end in ("()", "[]")
        )
        if not closes and (value[-1] not in _TRAILING or (value[-1] == ">" and "<" in value)):
            break
        value = value[:-1]
    return value


def normalise(kind: str, value: str) -> str:
    """Return the one form in which an identifier is compared; "" where nothing is left.

    >>> normalise("doi", "https://doi.org/10.1000/A–B."), normalise("isbn", "0-306-40615-2")
    ('10.1000/a-b', '9780306406157')
    """
    text = unicodedata.normalize("NFKC", value).strip().strip("{}").replace("&amp;", "&")
    if kind == "doi":
        text = re.sub(
            r"^(?:https?://(?:dx\.)?doi\.org/|doi:?\s*)", "", text.strip("<> "), flags=re.IGNORECASE
        )
        text = unquote(text) if "%" in text else text
        return _trim(re.sub("[‐‑‒–—−]", "-", text).replace("\\_", "_").replace(BREAK, "")).lower()
    if kind in {"pmid", "pmcid"}:
        digits = re.sub(r"\D", "", text).lstrip("0")
        return digits if kind == "pmid" or not digits else f"PMC{digits}"
    if kind == "arxiv":
        text = re.sub(r"^(?:arxiv:?\s*|https?://arxiv\.org/(?:abs|pdf)/)", "", text, flags=re.IGNORECASE)
        return re.sub(r"(?:v\d+)?(?:\.pdf)?$", "", text).lower()
    if kind == "isbn":
        return _isbn13(re.sub(r"[^\dXx]", "", text).upper())
    if kind == "issn":
        digits = re.sub(r"[^\dXx]", "", text).upper()
        return f"{digits[:4]}-{digits[4:]}"
    if kind == "legal":
        return re.sub(r"(?<=[A-Z])\.\s(?=[A-Z])", ".", " ".join(text.split()))
    if kind == "url":
        return canonical_url(text)
    return text.upper()


def _isbn13(digits: str) -> str:
    if len(digits) == 10 and digits[:9].isdigit():
        body = "978" + digits[:9]
        total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(body))
        return body + str(-total % 10) if _isbn10_holds(digits) else digits
    return digits


def _isbn10_holds(digits: str) -> bool:
    values = [10 if digit == "X" else int(digit) for digit in digits]
    return sum(value * (10 - place) for place, value in enumerate(values)) % 11 == 0


def canonical_url(url: str) -> str:
    """Return a URL without scheme, www, fragment, tracking words and final slash; host in lower case.

    >>> canonical_url("HTTPS://www.Who.int/a/?utm_source=x&b=1#top")
    'who.int/a?b=1'
    """
    try:
        parts = urlsplit(url.strip())
        host = (parts.hostname or "").removeprefix("www.")
        port = f":{parts.port}" if parts.port and parts.port not in {80, 443} else ""
    except ValueError:
        return ""
    if not host:
        return ""
    query = [(k, v) for k, v in parse_qsl(parts.query, keep_blank_values=True) if not _TRACKING.match(k)]
    path = re.sub("[‐‑‒–—−]", "-", parts.path).rstrip("/")
    return f"{host}{port}{path}" + (f"?{urlencode(query)}" if query else "")


def fault(kind: str, value: str) -> str:
    """Return what is wrong with an identifier's form, in one sentence; "" where nothing is.

    Args:
        kind: as in `find`. value: normalised or as written.

    >>> fault("isbn", "9780306406158")
    'ISBN 9780306406158 fails its check digit'
    """
    normal = normalise(kind, value)
    check = _FAULTS.get(kind)
    return check(normal, value) if check else ""


def _doi(normal: str, written: str) -> str:
    holds = re.fullmatch(r"10\.\d{4,9}(?:\.\d+)*/\S{1,200}", normal)
    return "" if holds else f"DOI {written[:60]} has not the form 10.registrant/name"


def _pmid(normal: str, written: str) -> str:
    return (
        ""
        if normal.isdigit() and 0 < int(normal) < 60_000_000
        else f"PMID {written[:30]} is no number that PubMed has given"
    )


def _arxiv(normal: str, written: str) -> str:
    match = re.fullmatch(r"(\d{2})(\d{2})\.(\d{4,5})", normal)
    if match:
        month, five = int(match[2]), int(match[1]) >= 15
        holds = 1 <= month <= 12 and len(match[3]) == (5 if five else 4)
    else:
        holds = bool(re.fullmatch(r"[a-z-]{2,12}(?:\.[a-z]{2})?/\d{2}(?:0[1-9]|1[0-2])\d{3}", normal))
    return "" if holds else f"arXiv id {written[:30]} has not the form YYMM.number"


def _isbn(normal: str, written: str) -> str:
    if re.fullmatch(r"\d{9}[\dX]", normal):  # one that held would have become 13 digits
        return f"ISBN {written[:20]} fails its check digit"
    if not re.fullmatch(r"97[89]\d{10}", normal):
        return f"ISBN {written[:20]} has neither 10 nor 13 digits"
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(normal))
    return "" if total % 10 == 0 else f"ISBN {normal} fails its check digit"


def _issn(normal: str, written: str) -> str:
    if not re.fullmatch(r"\d{4}-\d{3}[\dX]", normal):
        return f"ISSN {written[:20]} has not the form 1234-567X"
    digits = normal.replace("-", "")
    total = sum((10 if digit == "X" else int(digit)) * (8 - place) for place, digit in enumerate(digits))
    return "" if total % 11 == 0 else f"ISSN {normal} fails its check digit"


_VOLUMES = {
    "U.S.": 620,
    "F.2d": 999,
    "F.3d": 999,
    "F.4th": 400,
    "S.Ct.": 160,
    "F.Supp.": 999,
    "F.Supp.2d": 999,
}


def _legal(normal: str, written: str) -> str:
    match = re.fullmatch(r"(\d{1,4}) (.+) (\d{1,5})", normal)
    if not match:
        return f"{written[:40]} has not the form volume reporter page"
    reporter = match[2].replace(" ", "")
    limit = _VOLUMES.get(reporter)
    high = limit is not None and int(match[1]) > limit
    return f"{written[:40]} names a volume that {reporter} has not reached" if high or match[1] == "0" else ""


_FAULTS = {"doi": _doi, "pmid": _pmid, "arxiv": _arxiv, "isbn": _isbn, "issn": _issn, "legal": _legal}
