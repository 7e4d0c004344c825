"""What simulated models are constructed with: a memoriser its table of records, the fake judge its rule.

Phantoms may import neither protocols nor checkers, so that the checker is never tested on itself; whoever composes a
run hands them what they need.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from percuss.api.catalog import protocols
from percuss.core.errors import BadInput
from percuss.core.labels import Support
from percuss.core.ports import Blobs
from percuss.core.records import Case
from percuss.phantoms.registry import PREFIX
from percuss.store import RunStore

__all__ = ["extras_of", "phantom_extras"]


def phantom_extras(texts: Sequence[str], store: RunStore) -> Mapping[str, Any]:
    """Return what the phantoms among some model strings are constructed with, by name.

    Args:
        texts: model strings of a run.
        store: the run, with its cases.
    """
    return extras_of(texts, store.cases, store.blobs)


def extras_of(texts: Sequence[str], cases: Callable[[], Iterable[Case]], blobs: Blobs) -> Mapping[str, Any]:
    """Return what each protocol's `planting` hands to the phantoms that it brings, and the rule of the simulated judge.

    Args:
        texts: model strings of a run. cases: of the run. blobs: its pictures.

    Raises:
        BadInput: a simulated model that needs the cases of another protocol.
    """
    wanted = {text.removeprefix(PREFIX).partition("?")[0] for text in texts if text.startswith(PREFIX)}
    extras: dict[str, Any] = {"rule": _rule} if "judge" in wanted else {}
    for protocol in protocols() if wanted else ():
        own = wanted & set(protocol.phantoms)
        if own and hasattr(protocol.planting, "extras"):
            try:
                extras |= protocol.planting.extras(own, cases, blobs)
            except msgspec.ValidationError as error:
                names = ", ".join(f"{PREFIX}{name}" for name in sorted(own))
                raise BadInput(
                    f"{names} answers cases of `{protocol.name}` alone, and the cases of this run are others; "
                    f"take a simulated model of this protocol, or `percuss run {protocol.name}`"
                ) from error
    return extras


def _rule(evidence: str, claim: str, shown: str) -> str:
    """Return what the extended rules say of a claim; `unknown` where they are undecided.

    Args:
        evidence, claim: of the judge's prompt. shown: what it says that the writer saw, without which an honest "no
            data" is called wrong.
    """
    from percuss.evidence.rules import checker

    finding = checker.check(claim, _packet(evidence), layers_shown=_layers(shown), rules="extended")
    return Support.UNKNOWN.value if finding.label is None else finding.label.value


def _layers(shown: str) -> tuple[str, ...] | None:
    """Return the layers that a judge's prompt names as shown; None for all of them."""
    if shown.startswith("none"):
        return ()
    some = re.search(r"only the layers? (.*?) of this evidence", shown)
    return tuple(some.group(1).split(", ")) if some else None


@lru_cache(maxsize=1024)
def _packet(evidence: str) -> Any:
    from percuss.evidence.packet import Packet

    try:
        tree = json.loads(evidence)
    except json.JSONDecodeError:
        return Packet.of_text(evidence)
    return Packet.of_layers(tree) if isinstance(tree, dict) else Packet.of_text(evidence)
