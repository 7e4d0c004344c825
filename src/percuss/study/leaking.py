"""Does anything on the screen beside what is judged tell arm or model? Tested on the items as a browser gets them."""

from collections import Counter
from collections.abc import Sequence

from percuss.core.errors import BadInput
from percuss.core.seeds import generator
from percuss.judging.leaks import Shown, leak_sentence, leaks_of_items
from percuss.stats.leakage import Leak, leaks
from percuss.study.design import Design
from percuss.study.items import Prepared

__all__ = ["MOST", "as_seen", "drawn_over", "exempt", "leaking_fields", "refuse_leaks", "untested"]

MOST = 5000
"""Items up to which all are tested (3 s and 400 MB); of more, whole cases drawn over all of them, in their order."""
SUSPECT = 0.05  # p below which a dependence that is not refused is told of
WHOSE = ("model", "arm", "kind")


def exempt(item: Prepared, design: Design) -> frozenset[str]:
    """Return the shown fields that are judged, or without which nothing could be: those of the design and of the item."""
    return frozenset(
        {field.name for field in design.field if field.is_content and field.name in item.shown}
        | set(item.content)
    )


def as_seen(item: Prepared, design: Design) -> Shown:
    """Return what of an item is held against its arm and model: every shown field but those that are judged."""
    judged = exempt(item, design)
    stratum = [value for name, value in sorted(item.stratum.items()) if name not in WHOSE]
    return Shown(
        fields={name: value for name, value in item.shown.items() if name not in judged},
        arm=str(item.hidden.get("arm") or item.stratum.get("arm", "")),
        model=str(item.hidden.get("model") or item.stratum.get("model", "")),
        case=_case(item),
        stratum=" | ".join(stratum),
    )


def drawn_over(items: Sequence[Prepared], *, seed: int, most: int = MOST) -> list[Prepared]:
    """Return the items that are put to the test: all, or of very many whole cases at random, in the order in which they come.

    Args:
        items: in the order in which a person gets them. seed: of the draw. most: items that are tested at most.
    """
    if len(items) <= most:
        return list(items)
    names = list(dict.fromkeys(_case(item) for item in items))
    sizes = Counter(_case(item) for item in items)
    drawn, count = set[str](), 0
    for place in generator(seed, "study", "leaks").permutation(len(names)):
        case = names[place]
        if count and count + sizes[case] > most:
            break
        drawn.add(case)
        count += sizes[case]
    return [item for item in items if _case(item) in drawn]


def _case(item: Prepared) -> str:
    return str(item.hidden.get("case") or item.subject)


def leaking_fields(items: Sequence[Prepared], design: Design, *, seed: int) -> tuple[str, ...]:
    """Return the names of the shown fields that tell arm or model, as `field (form)`.

    Args:
        items: in the order in which a person gets them. design: of the study. seed: of the permutations.
    """
    return tuple(dict.fromkeys(leak.feature for _, leak in _found(items, design, seed) if leak.refused))


def _found(items: Sequence[Prepared], design: Design, seed: int) -> tuple[tuple[str, Leak], ...]:
    return leaks_of_items([as_seen(item, design) for item in drawn_over(items, seed=seed)], seed=seed)


def refuse_leaks(items: Sequence[Prepared], design: Design, *, seed: int) -> tuple[str, ...]:
    """Refuse items of which a shown field tells arm or model; return a sentence for each that only may.

    Args:
        items: in the order in which a person gets them. design: of the study; what is judged is exempt.
        seed: of the permutations.

    Raises:
        BadInput: a field tells what is hidden (family-wise p < .001 and normalised mutual information >= .05).
    """
    found = _found(items, design, seed)
    refused = [leak_sentence(hidden, leak) for hidden, leak in found if leak.refused]
    if refused:
        more = f" and {len(refused) - 3} more" if len(refused) > 3 else ""
        raise BadInput(
            f"the study would not be blind: {'; '.join(refused[:3])}{more}; take the field out of the items or of the design, "
            "or declare it `content = true` in the design where it is what people judge"
        )
    return tuple(leak_sentence(hidden, leak) for hidden, leak in found if leak.p < SUSPECT)


def untested(items: Sequence[Prepared], design: Design, *, seed: int) -> dict[str, str]:
    """Return what of `arm` and `model` the leak test says nothing of, each with why: none is named, one is, or items are too few.

    Too few is measured: a field that says outright what is hidden is put to the test, and not refused.

    Args:
        items: in the order in which a person gets them. design: of the study. seed: of the permutations.
    """
    seen = [as_seen(item, design) for item in drawn_over(items, seed=seed)]
    why = {name: _silent(seen, [getattr(one, name) for one in seen], seed) for name in ("arm", "model")}
    if design.answers_field:
        why["model"] = "each screen shows the answers of all, under letters drawn for each person"
    return {name: reason for name, reason in why.items() if reason}


def _silent(seen: Sequence[Shown], hidden: Sequence[str], seed: int) -> str:
    if not any(hidden):
        return "the items name none"
    if len(set(hidden)) == 1:
        return "all items have the same"
    (outright,) = leaks(
        {"outright": hidden},
        hidden,
        cases=[one.case for one in seen],
        strata=[one.stratum for one in seen],
        seed=seed,
    )
    return "" if outright.refused else "too few items: even a field that says it outright could be chance"
