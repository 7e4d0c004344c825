"""The bundled set: passages of our own over ten specialties, each with its questions, and the card that says who checked them."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from percuss.protocols.textbook.ingest.funnel import sentences_of
from percuss.protocols.textbook.ingest.passage import Passage
from percuss.protocols.textbook.ingest.tokens import tokens
from percuss.protocols.textbook.items.item import FORWARD, Item

__all__ = ["BOOK", "Bundled", "bundled", "card"]

FOLDER = Path(__file__).parent
BOOK = "Percuss textbook set"
SPECIALTIES = (
    "cardiology", "respiratory", "nephrology", "gastroenterology", "endocrinology", "neurology", "infection", "haematology", "obstetrics",
    "pharmacology",
)  # fmt: skip


class Bundled(NamedTuple):
    """Passages and items of the bundled set, in the order of specialties."""

    passages: tuple[Passage, ...]
    items: tuple[Item, ...]


@cache
def card() -> dict[str, Any]:
    """Return the card of the set: version, licence, canary, who wrote and checked it and when."""
    return tomllib.loads((FOLDER / "card.toml").read_text(encoding="utf-8"))


@cache
def bundled() -> Bundled:
    """Return the bundled passages and items; an inverse item knows its forward twin of the same passage."""
    passages, items = list[Passage](), list[Item]()
    at = 0
    for domain in SPECIALTIES:
        file = FOLDER / "specialties" / f"{domain}.toml"
        for number, row in enumerate(tomllib.loads(file.read_text(encoding="utf-8"))["passage"], start=1):
            passage = Passage(
                id=f"{domain}-{number}", book=BOOK, section=row["title"], text=row["text"], source=file.name, start=at,
                stop=at + len(row["text"]), licence=card()["licence"], domain=domain, tokens=len(tokens(row["text"])),
                sentences=len(sentences_of(row["text"])),
            )  # fmt: skip
            at = passage.stop + 2
            passages.append(passage)
            items += _items(passage, row["item"])
    return Bundled(tuple(passages), tuple(items))


def _items(passage: Passage, rows: list[dict[str, Any]]) -> list[Item]:
    made: list[Item] = []
    for number, row in enumerate(rows, start=1):
        fields: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in row.items()
        }
        forward = FORWARD.get(row["type"])
        twin = next((item.id for item in reversed(made) if item.type == forward), "")
        made.append(
            Item(
                id=f"{passage.id}-{number}",
                passage=passage.id,
                domain=passage.domain,
                twin=twin,
                source={"set": card()["name"]},
                provenance={name: str(card()[name]) for name in ("written_by", "checked_by", "checked_on")},
                **fields,
            )
        )
    return made
