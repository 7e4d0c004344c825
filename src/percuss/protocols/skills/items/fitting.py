"""Does the reference of an item fit its format? Asked before anything is paid for: an item that no scorer can use is no item."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from percuss.protocols.skills.case import Item, metrics_of
from percuss.protocols.skills.scorers.accuracy import options_meant
from percuss.protocols.skills.scorers.boxes import boxes_of
from percuss.protocols.skills.scorers.score import Score

__all__ = ["image_kind", "unfit"]

SIGNATURES = {b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}


def image_kind(data: bytes) -> str:
    """Return the media type that the first bytes of an image say; empty for anything else.

    Args:
        data: of a file.

    >>> image_kind(b"GIF89a")
    ''
    """
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for signature, kind in SIGNATURES.items() if data.startswith(signature)), "")


def unfit(item: Item) -> str:
    """Return what of an item's options or reference does not fit its format, in words that follow its line; empty where all does.

    Args:
        item: as it was read; one without a reference is asked about its options alone.

    >>> unfit(Item(id="a", task="MedExam", format="choice", question="Which?", answer="C", options=("left", "right")))
    "has the answer 'C', which is none of its 2 options"
    """
    return _offered(item) or ("" if item.is_blank else _reference(item))


def _offered(item: Item) -> str:
    if item.format in {"choice", "multi"} and len(item.options) < 2:
        return f"has {len(item.options)} options; expected two or more under other.options for the format {item.format}"
    for name, texts in (("options", item.options), ("labels", item.labels)):
        plain = [" ".join(text.split()).casefold() for text in texts]
        twice = [text for n, text in enumerate(texts) if plain[n] in plain[:n]]
        if twice:
            return f"has {twice[0]!r} twice under other.{name}; nobody could tell them apart"
        if not all(plain):
            return f"has an empty text under other.{name}"
    return ""


def _reference(item: Item) -> str:
    answer: Any = item.answer
    match item.format:
        case "choice" | "multi":
            return _among(answer if item.format == "multi" else [answer], item.options)
        case "class":
            right = answer if "micro_f1" in metrics_of(item) else [answer]
            if item.options:
                return _among(right, item.options)
            return _texts(right) or _known(right, item.labels)
        case "extract":
            if "micro_f1" in metrics_of(item):
                return _texts(answer) or _known(answer, item.labels)
            return (
                "" if isinstance(answer, Mapping) and answer else _wanted(answer, "an object of its fields")
            )
        case "calc":
            is_number = isinstance(answer, int | float) and not isinstance(answer, bool)
            return "" if is_number else _wanted(answer, "an amount")
        case "boxes":
            read = boxes_of(msgspec.json.encode(answer).decode(), relative=item.relative)
            return (
                f"has an answer that can't be read: {read.reason.partition(':')[2]}"
                if isinstance(read, Score)
                else ""
            )
    return "" if isinstance(answer, str) else _wanted(answer, "text")


def _wanted(answer: object, what: str) -> str:
    return f"has an answer that is {_name(answer)}; expected {what}"


def _name(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): "nothing"}
    return "an empty object" if value == {} else names.get(type(value), "a number")


def _texts(right: object) -> str:
    if isinstance(right, str) or not isinstance(right, Sequence):
        return _wanted(right, "a list of texts")
    wrong = [each for each in right if not isinstance(each, str)]
    return _wanted(wrong[0], "text") if wrong else ""


def _known(right: Sequence[str], labels: Sequence[str]) -> str:
    unknown = [
        each
        for each in right
        if labels and each.strip().casefold() not in {x.strip().casefold() for x in labels}
    ]
    return f"has the answer {unknown[0]!r}, which is none of its {len(labels)} labels" if unknown else ""


def _among(right: Any, options: Sequence[str]) -> str:
    wrong = _texts(right)
    if wrong:
        return wrong
    unknown = [each for each in right if isinstance(options_meant((each,), options), Score)]
    if unknown:
        return f"has the answer {unknown[0]!r}, which is none of its {len(options)} options"
    return "" if right else "has no right option; expected at least one"
