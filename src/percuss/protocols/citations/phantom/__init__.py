"""The citations phantom: a writer with planted mistakes in each class of citation, repetition and abstention."""

from percuss.phantoms.plan import Entry
from percuss.protocols.citations.phantom.citer import Citer
from percuss.protocols.citations.phantom.rates import KEYS, Rates

__all__ = ["PHANTOMS", "Citer", "Rates"]

PHANTOMS: dict[str, Entry] = {"citer": Entry(KEYS, lambda given, seed, _extra: Citer(Rates.of(given), seed))}
