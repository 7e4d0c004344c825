"""Blinding that is proven: what prompts and items show beside their content, held against the arm and model that they hide."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

from percuss.core.strict import Record
from percuss.stats.leakage import Leak, leaks

__all__ = ["CONTENT", "Shown", "leak_sentence", "leaks_of_items"]

CONTENT = frozenset({"content", "claim", "answer", "reasoning", "picture", "text"})
"""Fields whose words may differ between arms, because they are what is judged; their form is not tested."""
_FEW = 20  # distinct values up to which a field is a category of its own


class Shown(Record):
    """One prompt or item, as far as the leak test needs it.

    Args:
        fields: what is shown beside the content, by name; nested objects by dotted names.
        arm, model: what is hidden. case: unit within which they are permuted. stratum: of the case.
    """

    fields: dict[str, Any]
    arm: str
    model: str
    case: str
    stratum: str = ""


def leaks_of_items(items: Sequence[Shown], *, seed: int) -> tuple[tuple[str, Leak], ...]:
    """Hold every form of every shown field against arm and model; return (`arm` or `model`, leak), refused ones first.

    A field is tested by presence, type, keys, length, count, order among the items, category and size; fields named in
    `CONTENT` are exempt (reading.md, section 3).

    Args:
        items: all items of a study, or all requests of a judge, in the order in which they are put.
        seed: of the permutations.
    """
    if not items:
        return ()
    features = _features(items)
    cases, strata = [item.case for item in items], [item.stratum for item in items]
    found = [
        (name, leak)
        for name, hidden in (("arm", [item.arm for item in items]), ("model", [item.model for item in items]))
        for leak in leaks(features, hidden, cases=cases, strata=strata, seed=seed)
    ]
    return tuple(sorted(found, key=lambda pair: (not pair[1].refused, pair[1].p)))


def leak_sentence(hidden: str, leak: Leak) -> str:
    """Return what a leak says, in words.

    Args:
        hidden: `arm` or `model`. leak: of one feature, named `field (form)`.
    """
    verb = "tells" if leak.refused else "may tell"
    return f"{leak.feature} {verb} the {hidden} (information {leak.information:.2f}, p {leak.p:.4f})"


def _features(items: Sequence[Shown]) -> dict[str, list[Hashable]]:
    flat = [dict(_flat(item.fields)) for item in items]
    names = dict.fromkeys(name for row in flat for name in row)
    features: dict[str, list[Hashable]] = {
        "order of items (tenth)": _tenths([float(n) for n in range(len(items))])
    }
    for name in names:
        values = [row.get(name) for row in flat]
        for form, told in _forms(values):
            features[f"{name} ({form})"] = told
    features["fields (which and in what order)"] = [tuple(row) for row in flat]
    return features


def _flat(fields: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield (dotted name, value) of everything but content."""
    for name, value in fields.items():
        if name in CONTENT:
            continue
        yield prefix + name, value
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")


def _forms(values: Sequence[Any]) -> Iterator[tuple[str, list[Hashable]]]:
    yield "presence", [value is not None and value not in ("", [], {}, ()) for value in values]
    yield "type", [type(value).__name__ for value in values]
    if any(isinstance(value, Mapping) for value in values):
        yield "keys", [tuple(value) if isinstance(value, Mapping) else None for value in values]
    if any(isinstance(value, list | tuple) for value in values):
        yield "count", [len(value) if isinstance(value, list | tuple) else None for value in values]
    yield "length", _tenths([float(len(str(value))) for value in values])
    if all(
        isinstance(value, int | float) and not isinstance(value, bool)
        for value in values
        if value is not None
    ):
        yield "size", _tenths([float(value) if value is not None else float("-inf") for value in values])
    texts = [str(value) for value in values]
    if len(set(texts)) <= _FEW:
        yield "category", list(texts)


def _tenths(values: Sequence[float]) -> list[Hashable]:
    """Return which tenth of the sorted values each lies in; equal values lie together."""
    order = sorted(set(values))
    place = {value: number for number, value in enumerate(order)}
    top = max(len(order), 1)
    return [place[value] * 10 // top for value in values]
