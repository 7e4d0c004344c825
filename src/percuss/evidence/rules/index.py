"""A packet made ready for look-ups: its numbers in order, its enumerated values, its layers. Built once a packet."""

import re
import threading
from bisect import bisect_left
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import NamedTuple

from percuss.evidence.concepts import GENES
from percuss.evidence.packet import Fact, Packet, layer_of
from percuss.evidence.rules.fields import FieldBook
from percuss.text.lexicon import enumerated
from percuss.text.quantities import quantities

__all__ = ["Entry", "Index", "enumerated_field"]

_PAIR = re.compile(r"(\w{2,24})\s?[=:]\s?([\w.-]{1,24})")
_WORDY = re.compile(r"[A-Za-z][A-Za-z -]{3,39}")
_CACHED = 512


class Entry(NamedTuple):
    """One value of a packet under its fact; `layer` is "" where the fact is in none."""

    value: str
    fact: Fact
    layer: str


class Index:
    """The values of one packet.

    Args:
        packet: what claims are held against.
    """

    __slots__ = ("__dict__", "_numbers", "entries", "fields", "filled", "layers", "packet", "prose")

    def __init__(self, packet: Packet) -> None:
        self.packet = packet
        self.layers = frozenset(packet.layers)
        self.filled = packet.filled
        self.fields: dict[str, list[Entry]] = {}
        self.entries: list[tuple[Decimal, Fact, str]] = []
        prose: list[str] = []
        for fact in packet.facts:
            if not fact.empty:
                self._take(fact, prose)
        self.entries.sort(key=lambda entry: entry[0])
        self._numbers = [entry[0] for entry in self.entries]
        self.prose = " \n ".join((*prose, *packet.texts))

    def _take(self, fact: Fact, prose: list[str]) -> None:
        layer = layer_of(fact.path)
        layer = layer if layer in self.layers else ""
        field = enumerated_field(fact.leaf)
        if isinstance(fact.value, str):
            prose.append(fact.value)
            if field:
                self.fields.setdefault(field, []).append(Entry(_folded(field, fact.value), fact, layer))
                return
            for name, value in _pairs(fact.value) if "=" in fact.value or ":" in fact.value else ():
                inner = enumerated_field(name)
                if inner:
                    self.fields.setdefault(inner, []).append(Entry(_folded(inner, value), fact, layer))
            for number in quantities(fact.value):
                self.entries.append((number.value, fact, layer))
        elif not isinstance(fact.value, bool) and fact.value is not None:
            self.entries.append((Decimal(str(fact.value)), fact, layer))

    @cached_property
    def book(self) -> FieldBook:
        """The names of the packet's fields."""
        return FieldBook(self.packet)

    @cached_property
    def genes(self) -> dict[str, Fact]:
        """The packet's facts about genes of the panel, by symbol in lower case."""
        found: dict[str, Fact] = {}
        for fact in self.packet.facts:
            symbol = fact.leaf.lower().removeprefix("z_").partition("_")[0]
            if symbol in GENES and not isinstance(fact.value, bool | str):
                found.setdefault(symbol, fact)
        return found

    @cached_property
    def words(self) -> tuple[tuple[str, Fact], ...]:
        """The packet's short texts that are no enumerated values or identifiers, lower case, with their facts."""
        return tuple(
            (fact.value.strip().lower(), fact)
            for fact in self.packet.facts
            if isinstance(fact.value, str)
            and _WORDY.fullmatch(fact.value.strip())
            and not enumerated_field(fact.leaf)
            and not fact.leaf.lower().endswith("id")
        )

    @classmethod
    def of(cls, packet: Packet) -> "Index":
        """Return the packet's index; the last 512 packets asked for are kept."""
        held = _KEPT.get(id(packet))
        if held is not None and held.packet is packet:
            return held
        index = cls(packet)
        with _LOCK:
            while len(_KEPT) >= _CACHED:
                del _KEPT[next(iter(_KEPT))]
            _KEPT[id(packet)] = index
        return index

    def within(self, value: Decimal, tolerance: Decimal) -> Iterator[tuple[Decimal, Fact, str]]:
        """Yield the (number, fact, layer) within a tolerance, ends included, in ascending order."""
        position = bisect_left(self._numbers, value - tolerance)
        high = value + tolerance
        while position < len(self.entries) and self._numbers[position] <= high:
            yield self.entries[position]
            position += 1

    def seen(self, shown: frozenset[str] | None) -> Callable[[str], bool]:
        """Return a test of whether a layer was shown; facts of no layer are seen if any layer is.

        Args:
            shown: layers shown; None = all.
        """
        if shown is None:
            return lambda _layer: True
        return lambda layer: layer in shown if layer else bool(shown)


# Keyed by identity: two packets that differ only in 1 and True are equal to Python. The index keeps its packet alive.
_KEPT: dict[int, Index] = {}
_LOCK = threading.Lock()  # large checks run in threads


@lru_cache(maxsize=4096)
def enumerated_field(leaf: str) -> str:
    """Return the enumerated field that a path's last part names: stage, smoking, tier, sex, or "".

    >>> enumerated_field("ajcc_pathologic_stage"), enumerated_field("io_tier"), enumerated_field("pack_years")
    ('stage', 'tier', '')
    """
    name = leaf.lower()
    if name == "stage" or name.endswith("_stage"):
        return "stage"
    if name.startswith(("smoker", "smoking", "tobacco")) and not name.endswith(("year", "years")):
        return "smoking"
    if name == "tier" or name.endswith("_tier"):
        return "tier"
    return "sex" if name in {"sex", "gender"} else ("immune_subtype" if name == "immune_subtype" else "")


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    """Yield the key=value pairs of a summary text ("stage=I, smoker=former", App. L)."""
    for match in _PAIR.finditer(text):
        yield match[1], match[2]


@lru_cache(maxsize=4096)
def _folded(field: str, value: str) -> str:
    """Fold case and white space as the claim's values are folded ("Stage IIIA" -> "IIIA", "never smoker" -> "never")."""
    read = enumerated(value if field != "stage" or "stage" in value.lower() else f"stage {value}")
    for each in read:
        if each.field == field:
            return each.value
    return " ".join(value.split()).lower()
