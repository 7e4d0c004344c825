"""The elements that the records of a topic carry, with every name by which a report may call them."""

from percuss.protocols.skills.worlds.literature.elements import Element
from percuss.protocols.skills.worlds.literature.index import Index, Outcome, Topic

__all__ = ["element", "elements"]

SIZES = ("concentrations", "concentration", "levels", "level", "exposure")


def elements(index: Index, topic: str) -> dict[str, Element]:
    """Return the elements of a `topic` of the `index` by the role of the record that carries each."""
    roles = ("benefit", "pooled", "split", "null", "harm", "alert", "interaction", "notice")
    return {role: element(index, topic, role) for role in roles}


def element(index: Index, topic: str, role: str) -> Element:
    """Return the element that the record with a `role` carries for a `topic` of the `index`."""
    facts = index.topics[topic]
    drugs = tuple(name for each in index.topics.values() for name in (each.drug, each.other) if name != topic)
    record = index.of(topic, role).id
    if role == "notice":
        return Element(
            id="notice", drug=topic, drugs=drugs, outcome=("mortality", "survival"), way="retracted", alert=True,
            records=(record, index.of(topic, "retracted").id),
        )  # fmt: skip
    outcome = _outcome(facts, role)
    return Element(
        id=role,
        drug=topic,
        drugs=drugs,
        outcome=(outcome.say, *outcome.also),
        concept=outcome.concept,
        rivals=_rivals(facts, role),
        way="none" if role in {"split", "null"} else "lower" if role in {"benefit", "pooled"} else "higher",
        number=_number(facts, role),
        leads=role in {"harm", "alert"},
        group=(facts.group.say, *facts.group.also) if role == "split" else (),
        groups=(facts.group.say, *facts.group.also),
        alert=role in {"alert", "interaction"},
        records=(record,),
    )


def _outcome(facts: Topic, role: str) -> Outcome:
    if role == "interaction":
        partner = facts.partner["say"]
        names = [f"{partner} {size}" for size in SIZES] + [f"{size} of {partner}" for size in SIZES]
        return Outcome(say=names[0], also=tuple(names[1:]))
    return {"null": facts.c, "harm": facts.b, "alert": facts.d}.get(role, facts.a)


def _rivals(facts: Topic, role: str) -> tuple[str, ...]:
    own = _outcome(facts, role)
    others = [_outcome(facts, each) for each in ("benefit", "null", "harm", "alert", "interaction")]
    names = [name for each in others if each != own for name in (each.say, *each.also)]
    return tuple(name for name in (*names, "mortality", "death") if name not in {own.say, *own.also})


def _number(facts: Topic, role: str) -> float | None:
    return {
        "benefit": float(facts.n),
        "pooled": float(facts.m),
        "harm": facts.harm[0],
        "alert": facts.alert[0],
        "interaction": float(facts.partner["rise"]),
    }.get(role)
