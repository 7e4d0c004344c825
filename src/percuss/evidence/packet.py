"""An evidence packet: what a case offers a model, as facts, layers and texts in one typed record."""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from percuss.core.errors import BadInput
from percuss.core.strict import Record

__all__ = ["LAYERS", "Fact", "Packet", "Value", "layer_of", "leaf_of"]

Value = str | int | float | bool | None

LAYERS = ("pathology", "transcriptomics", "clinical", "fusion")
"""Layers of the paper's packet (section 3), in its order."""


class Fact(Record, cache_hash=True):
    """One fact of a packet.

    Args:
        path: dotted place in the packet; its first part names the layer ("pathology.purity_ihc"), list items by number.
        value: number, text, boolean; None = not recorded.
        unit: as the source writes it; "" = none or unknown.
        source: where the fact comes from; "" = not said.
        date: ISO date; "" = undated.
    """

    path: str
    value: Value = None
    unit: str = ""
    source: str = ""
    date: str = ""

    @property
    def leaf(self) -> str:
        """The last part of the path that is not a list index."""
        return leaf_of(self.path)

    @property
    def empty(self) -> bool:
        """Whether the value says that there is nothing: null or false, and only these (definitions, rule checker)."""
        return self.value is None or self.value is False


class Packet(Record, cache_hash=True):
    """What a case offers as evidence.

    Args:
        facts: structured facts; a layer without any recorded fact is empty.
        texts: plain evidence texts (passages, notes), checked by the text rules.
        layers: names of the layers that the packet is made of, empty ones included; () = not layered.
    """

    facts: tuple[Fact, ...] = ()
    texts: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()

    @classmethod
    def of_layers(
        cls,
        layers: Mapping[str, Any],
        *,
        units: Mapping[str, str] | None = None,
        sources: Mapping[str, str] | None = None,
        texts: Iterable[str] = (),
    ) -> "Packet":
        """Make a packet of nested layers; a layer may be None.

        Args:
            layers: layer name -> nested mapping, list, or None. Single values beside the layers become facts without one.
            units: path or last part of a path -> unit.
            sources: path or layer -> source.
            texts: plain texts beside the layers.

        Raises:
            BadInput: a value that JSON doesn't know.

        >>> p = Packet.of_layers({"pathology": {"tumor": 0.61}, "transcriptomics": None})
        >>> p.facts[0].path, p.filled
        ('pathology.tumor', frozenset({'pathology'}))
        """
        units, sources = units or {}, sources or {}
        facts = []
        for path, value in _flat(layers, ""):
            leaf = path.rpartition(".")[2]
            layer = path.partition(".")[0]
            facts.append(
                Fact(
                    path=path,
                    value=value,
                    unit=units.get(path, units.get(leaf, "")),
                    source=sources.get(path, sources.get(layer, "")),
                )
            )
        named = tuple(
            name for name, body in layers.items() if name in LAYERS or isinstance(body, Mapping | list)
        )
        return cls(
            facts=tuple(fact for fact in facts if fact.path not in named), texts=tuple(texts), layers=named
        )

    @classmethod
    def of_text(cls, *texts: str) -> "Packet":
        """Make a packet of plain texts."""
        return cls(texts=texts)

    @property
    def filled(self) -> frozenset[str]:
        """Names of the layers that hold at least one value other than null and false.

        A layer that the packet doesn't declare counts if another layer holds values under its name: the paper's packet has
        the clinical facts within `fusion.modality_contributions.clinical` (App. L).
        """
        held: set[str] = set()
        for fact in self.facts:
            if not fact.empty:
                held.add(layer_of(fact.path))
                held.update(name for name in _layers_inside(fact.path) if name not in self.layers)
        return frozenset(name for name in (*self.layers, *LAYERS) if name in held)

    def restricted(self, shown: Collection[str]) -> "Packet":
        """Return the packet as an arm shows it: facts of other layers left out, all layer names kept.

        Args:
            shown: names of the layers shown. Facts that belong to no layer, and texts, stay if anything is shown.
        """
        if not shown:
            return Packet(layers=self.layers)
        kept = tuple(
            fact
            for fact in self.facts
            if layer_of(fact.path) in shown or layer_of(fact.path) not in self.layers
        )
        return Packet(facts=kept, texts=self.texts, layers=self.layers)

    def tree(self) -> dict[str, Any]:
        """Return the facts as nested mappings, in their order; a layer without facts is None; texts under `texts`."""
        out: dict[str, Any] = {}
        for fact in self.facts:
            *parents, leaf = fact.path.split(".")
            node = out
            for part in parents:
                child = node.setdefault(part, {})
                node = child if isinstance(child, dict) else node
            node[leaf] = fact.value
        for name in self.layers:
            out.setdefault(name, None)
        if self.texts:
            out["texts"] = list(self.texts)
        return out


@lru_cache(maxsize=8192)
def layer_of(path: str) -> str:
    """Return the first part of a path."""
    return path.partition(".")[0]


@lru_cache(maxsize=8192)
def leaf_of(path: str) -> str:
    """Return the last part of a path that is not a list index."""
    parts = [part for part in path.split(".") if not part.isdigit()]
    return parts[-1] if parts else path


@lru_cache(maxsize=8192)
def _layers_inside(path: str) -> tuple[str, ...]:
    return tuple(name for name in path.split(".")[1:] if name in LAYERS)


def _flat(node: Any, path: str) -> Iterator[tuple[str, Value]]:
    """Yield (path, value) of every leaf; an empty container is a null leaf."""
    if isinstance(node, Mapping):
        for key, child in node.items():
            yield from _flat(child, f"{path}.{key}" if path else str(key))
    elif isinstance(node, list | tuple):
        for index, child in enumerate(node):
            yield from _flat(child, f"{path}.{index}")
    elif isinstance(node, float) and not math.isfinite(node):
        raise BadInput(
            f"evidence field {path!r} is not a finite number; give null where nothing was recorded"
        )
    elif node is None or isinstance(node, str | int | float):
        yield path, node
    else:
        raise BadInput(
            f"evidence field {path!r} is a {type(node).__name__}; give text, a number, true, false or null"
        )
