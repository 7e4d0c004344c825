"""Holds what a sentence says of the data that are or aren't there against what was shown."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from percuss.text.acts import words as w
from percuss.text.atoms import pieces
from percuss.text.concepts import Field, attribute_of, concept, mentions, read_fields, relation
from percuss.text.lexicon import layer_words

__all__ = ["AVAILABILITY", "Checked", "Shown", "read_availability"]

AVAILABILITY = "rule:availability-1"
"""Name and version of the reader."""


class Shown(NamedTuple):
    """What one answer's evidence held.

    Args:
        attributes: concepts that were shown with a value.
        layers: layer -> whether it was shown and not empty; {} = the evidence has no layers.
        anything: whether anything was shown at all.
        whole: whether `attributes` are all that was shown; False where texts were shown, which may name more than was read.
    """

    attributes: frozenset[str]
    layers: Mapping[str, bool]
    anything: bool
    whole: bool = True

    @classmethod
    def of(
        cls,
        fields: Iterable[Field],
        *,
        texts: Sequence[str] = (),
        layers_shown: Collection[str] = (),
        layers: Collection[str] = (),
    ) -> "Shown":
        """Read what was shown.

        Args:
            fields: those that were shown; a null one counts as not there. texts: plain ones. layers_shown: layers in this arm. layers: all that the case has.
        """
        there = [field for field in fields if field.value is not None and field.value is not False]
        named = {name for field in there if (name := attribute_of(field.path)) is not None}
        named.update(statement.attribute for statement in read_fields(there))
        filled = {field.path.partition(".")[0] for field in there}
        held = {layer: layer in layers_shown and layer in filled for layer in layers}
        named.update(mention.concept for text in texts for mention in mentions(text))
        return cls(frozenset(named), held, bool(there or texts), not texts)


class Checked(NamedTuple):
    """Whether a sentence is right about the data, and why.

    Args:
        label: "right"; "misread": says present what wasn't shown, or absent what was; None = undecided.
        reason: in a few words.
    """

    label: Literal["right", "misread"] | None
    reason: str


_ALL = re.compile(
    r"\b(?:packet|record|chart|file|dossier)\s(?:\w+\s){0,4}(?:is|was)\s(?:empty|blank|missing)\b|^\W*(?:no|there\s(?:is|are|was|were)\sno)\s(?:any\s|patient\s)?(?:data|evidence|information|records?)"
    r"\W*(?:(?:is|are|was|were)\s)?(?:available|provided|given|supplied|included|shown)?\W*$|^\W*I\s(?:have|was\sgiven)\s(?:no|nothing)\s?(?:data|evidence|information|records?)?\W*$"
    r"|^\W*(?:the\s)?(?:data|evidence|information|records?)\s(?:is|are)\s(?:missing|empty|not\savailable|unavailable)\W*$",
    re.IGNORECASE,
)
_NARROWED = re.compile(
    r"\b(?:specific|detailed|further|other|additional|exact|precise|full|complete|more|enough|sufficient|explicit|recent|previous|repeat|follow-?up|long-term|some|certain|date|dates|dose|whether|when|how|why|who|since)\b",
    re.IGNORECASE,
)
_EXPRESSION = re.compile(r"\b(?:gene\s)?expression\s(?:data|profil\w+|values?)\b", re.IGNORECASE)
_PANEL = re.compile(r"\b(?:panel|count|function|tests|profile|gas|electrolytes|screen)\b")
_TOPICS = frozenset({"analyte", "vital", "measure", "score", "test", "gene"})
_STANDING = frozenset({"smoking", "sex", "ethnicity", "pregnancy", "allergy"})


def read_availability(sentence: str, shown: Shown) -> Checked:
    """Tell whether what a sentence says of the data fits what was shown.

    Args:
        sentence: one whose speech act is `availability`. shown: what the answer's own arm showed.

    Returns:
        misread if any part of it is misread, right if all parts that were understood are right, else undecided.

    >>> shown = Shown.of([Field(path="labs.potassium", value=5.9)])
    >>> [read_availability(text, shown).label for text in ("Potassium is not given.", "Sodium is not given.")]
    ['misread', 'right']
    """
    found = [_part(sentence[start:stop], shown) for start, stop in pieces(sentence)]
    for wanted in ("misread", "right"):
        for one in found:
            if one.label == wanted:
                return one
    return found[0]


def _part(text: str, shown: Shown) -> Checked:
    absent = w.LACK.search(text) is not None
    if not absent and w.PRESENTED.search(text) is None:
        return Checked(None, "says nothing of what is there")
    said = "absent" if absent else "present"
    if not shown.anything or (absent and _ALL.search(text)):
        return _judged(said, "everything", there=shown.anything)
    worded = [hit for hit in layer_words(text) if hit[2] in shown.layers]
    topics = _topics(text, worded)
    layers = {layer for _, _, layer in worded}
    if _EXPRESSION.search(text) and "transcriptomics" in shown.layers:
        layers.add("transcriptomics")
    if not topics and not layers:
        return Checked(None, "what it is about isn't recognised")
    narrowed = _NARROWED.search(text)
    states = {name: _is_shown(name, shown) for name in topics}
    if not topics:
        states = {layer: shown.layers[layer] for layer in layers}
    wrong = [name for name, there in states.items() if there == absent]
    if wrong and narrowed:
        return Checked(None, f"narrowed by '{narrowed[0].lower()}'")
    if wrong:
        return _judged(said, wrong[0], there=absent)
    unsure = [
        name for name, there in states.items() if not there and (not shown.whole or _PANEL.search(name))
    ]
    if unsure:
        return Checked(None, f"parts of {unsure[0]} may have been shown")
    return Checked("right", f"{', '.join(sorted(states))}: {said}, as shown")


def _judged(said: str, name: str, *, there: bool) -> Checked:
    if (said == "present") == there:
        return Checked("right", f"{name}: {said}, as shown")
    return Checked("misread", f"says {said}: {name}, which was {'shown' if there else 'not shown'}")


def _topics(text: str, worded: Sequence[tuple[int, int, str]]) -> set[str]:
    """Return the attributes whose data a part speaks of; diseases and drugs are named in passing, words of a layer mean the layer."""
    out = set()
    for mention in mentions(text):
        known = concept(mention.concept)
        of_layer = any(start < mention.stop and mention.start < stop for start, stop, _ in worded)
        if known is not None and not of_layer and (known.kind in _TOPICS or mention.concept in _STANDING):
            out.add(mention.concept)
    return out


def _is_shown(name: str, shown: Shown) -> bool:
    return any(relation(name, held) in {"same", "broader"} for held in shown.attributes)
