"""The bundled library: short educational documents with checkable facts, seed questions over them, short questions."""

from percuss.protocols.citations.library.documents import (
    Document,
    Fact,
    Library,
    Section,
    bundled,
    read_document,
)
from percuss.protocols.citations.library.seeds import Seed, bundled_seeds
from percuss.protocols.citations.library.short import ShortItem, fabricated, read_niche, templates

__all__ = [
    "Document",
    "Fact",
    "Library",
    "Section",
    "Seed",
    "ShortItem",
    "bundled",
    "bundled_seeds",
    "fabricated",
    "read_document",
    "read_niche",
    "templates",
]
