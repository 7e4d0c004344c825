"""Seeds of a cohort's lists: entries stated whole, in templates and in a model's sentences, and the same with one field changed."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from percuss.core import seeds
from percuss.evidence.packet import Packet
from percuss.protocols.grounding.certificate.entries import Entry, Listed, listed
from percuss.protocols.grounding.certificate.erring import Changed, changes
from percuss.protocols.grounding.certificate.saying import told
from percuss.protocols.grounding.certificate.seed import Seed
from percuss.protocols.grounding.certificate.verbal import Told, twin_of

__all__ = ["Lists"]


class Lists:
    """The entries of every case's lists, and what they may be changed to.

    Args:
        packets: case id -> its record.
    """

    def __init__(self, packets: Mapping[str, Packet]) -> None:
        self._held = {name: listed(packet) for name, packet in packets.items()}
        self._cohort: dict[str, list[Entry]] = {}
        for entry in (entry for held in self._held.values() for entry in held.entries):
            self._cohort.setdefault(entry.kind, []).append(entry)
        self._changes: dict[tuple[str, str], list[Changed]] = {}

    def of(self, name: str) -> Listed:
        """Return a case's entries, and what stands outside of them."""
        return self._held[name]

    def true(self, name: str) -> list[Seed]:
        """Return the entries of a case, each in two wordings.

        Args:
            name: case id.
        """
        made = [told(entry, way) for way in (0, 1) for entry in self._held[name].entries]
        return [Seed(text, True, "entry", "template") for text in dict.fromkeys(made)]

    def errors(self, name: str, model: Iterable[Told]) -> list[list[Seed]]:
        """Return the entries of a case with one field changed, by class of errors; a model's sentences stand beside templates.

        Args:
            name: case id. model: what a model said of its entries and facts.
        """
        made: dict[tuple[str, str], list[Seed]] = {}
        sentences = {one.entry.key: one for one in model if one.entry is not None and one.sentence}
        for entry in self._held[name].entries:
            for n, (changed, of) in enumerate(self._changed(name, entry)):
                texts = [("template", told(changed, n))]
                if (one := sentences.get(entry.key)) and (text := twin_of(one, changed)):
                    texts.append(("model", text))
                for source, text in texts:
                    made.setdefault((of, source), []).append(Seed(text, False, of, source))
        return list(made.values())

    def _changed(self, name: str, entry: Entry) -> Sequence[Changed]:
        """Return what an entry was changed to: drawn once per entry, the same in every arm of every model."""
        if (name, entry.key) not in self._changes:
            rng: np.random.Generator = seeds.generator(0, "entries", name, entry.key)
            cohort = self._cohort[entry.kind]
            self._changes[name, entry.key] = list(changes(entry, self._held[name], cohort, rng))
        return self._changes[name, entry.key]
