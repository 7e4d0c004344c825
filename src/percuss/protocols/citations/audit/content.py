"""With `--content`: does the cited source say what the sentence says? Texts come from libraries, records and pages."""

from collections.abc import Callable, Mapping

from msgspec import structs

from percuss.protocols.citations.audit.document import Document, line_of
from percuss.protocols.citations.audit.report import ContentLine, ReferenceLine
from percuss.protocols.citations.content.rule import check_content
from percuss.protocols.citations.references.extract import is_factual
from percuss.text.sentences import split

__all__ = ["content_lines", "text_of_record"]

Text = tuple[str, bool]


def text_of_record(line: ReferenceLine) -> Text | None:
    """Return the text that a reference's record carries, and whether it is the whole work; None where it has none."""
    candidate = line.finding.candidate
    if candidate is None or line.finding.status not in {
        "found",
        "retracted",
        "corrected",
        "concern",
        "superseded",
    }:
        return None
    return (candidate.text, candidate.text_whole) if candidate.text else None


def content_lines(
    document: Document, lines: Mapping[str, ReferenceLine], text_of: Callable[[ReferenceLine], Text | None]
) -> list[ContentLine]:
    """Check each sentence that cites a reference against the reference's text.

    Args:
        document: with its text and uses. lines: by key. text_of: gives a source's text, and whether it is all of it.
    """
    out: list[ContentLine] = []
    end = min(
        (each.start for each in document.references if each.stop > each.start + 40),
        default=len(document.text),
    )
    spans = split(document.text[:end]) if document.text else ()
    for start, stop in spans:
        sentence = document.text[start:stop]
        inside = [use for use in document.uses if start <= use.start <= stop + 2]
        if not inside or not is_factual(sentence):
            continue
        claim = _without(document.text, start, stop, [(use.start, use.stop) for use in inside])
        keys = [key for key in dict.fromkeys(key for use in inside for key in use.keys) if key in lines]
        found = (_line(document.name, key, claim, text_of(lines[key])) for key in keys)
        out += [structs.replace(each, line=line_of(document, start)) for each in found]
    return out


def _line(file: str, key: str, claim: str, source: Text | None) -> ContentLine:
    if source is None:
        return ContentLine(file=file, key=key, sentence=claim, label="not_checkable", note="no text")
    verdict = check_content(claim, source[0], whole=source[1])
    quote = source[0][verdict.start : verdict.stop]
    return ContentLine(
        file=file,
        key=key,
        sentence=claim,
        label=verdict.label,
        subtype=verdict.subtype,
        note=verdict.reason,
        quote=quote,
    )


def _without(text: str, start: int, stop: int, cuts: list[tuple[int, int]]) -> str:
    out, last = [], start
    for low, high in sorted(set(cuts)):
        if low >= last and high <= stop:
            out.append(text[last:low])
            last = high
    out.append(text[last:stop])
    return " ".join("".join(out).replace("()", "").split()).replace(" .", ".")
