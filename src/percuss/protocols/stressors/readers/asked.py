"""Which entries of a record a question asks for. A question for what the record doesn't hold asks for none of them."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from percuss.protocols.stressors.readers.topics import (
    CATEGORIES,
    Topics,
    panel_members,
    read_topics,
    sign_members,
)
from percuss.protocols.stressors.scenario.wording import content_words
from percuss.text.concepts import concept, with_parents

__all__ = ["READER", "Asked", "Entry", "asked_for", "names_entries"]

READER = "rule:asked-3"
"""Name of the reader in runs, passports and panels."""
FITS = 0.6
"""From this score on an entry is what was asked for."""
SURE = 0.8
"""Where one part of a question fits this well, parts that fit less well are its explanation."""
_TESTS = frozenset({"lab", "imaging", "pathology", "procedure", "functional"})
_PARTS = re.compile(
    r"\s*(?:[,;?]|\.\s|\band/or\b|\band\b|\bn?or\b|\bneither\b|\bboth\b|\bas well as\b|\bplus\b|\bbut\b|(?<=\s)\d[.)]\s)\s*",
    re.IGNORECASE,
)
_TOKENS = re.compile(r"[a-z0-9]{3,}")
_OF_ITS_OWN = re.compile(r"\s*(?:does|do|did|is|are|was|were|has|have|had|any)\b", re.IGNORECASE)
"""How a part begins that is a question of its own, and no explanation of the part before it."""


class Entry(NamedTuple):
    """What can be asked for.

    Args:
        id: of the entry. names: the group's and its labels' names. kind: of its facts. told: texts that may be looked at; () while it is
            withheld. askable: held back until it is asked for.
    """

    id: str
    names: tuple[str, ...]
    kind: str
    told: tuple[str, ...] = ()
    askable: bool = False


class Asked(NamedTuple):
    """What a question asks for.

    Args:
        entries: ids, in order of the question; () where the record holds nothing of the kind.
        about: whether the question was understood to be about something, in the record or not.
        undecided: why it can't be said which entry is meant; "" where it can.
    """

    entries: tuple[str, ...]
    about: bool
    undecided: str = ""


_EXAMPLES = re.compile(
    r",?\s*\(?\b(?:such as|e\.g\.,?|for example|for instance)\s+[^.?;)]*\)?", re.IGNORECASE
)
"""What is named as an example belongs to the class that was asked for ("any illnesses, such as hypertension")."""
_HEADED = re.compile(
    r"^\W*(?:(?:additional|further|more|other) )?(?:information|data)(?: (?:needed|requested|required|wanted))?\s*:\W*",
    re.IGNORECASE,
)


@lru_cache(maxsize=8192)
def asked_for(question: str, entries: tuple[Entry, ...]) -> Asked:
    """Return the entries that a question asks for.

    Args:
        question: as asked; lists and orders count. entries: all that the record holds, what is withheld included.

    A test is never answered with an examination, and the other way round.
    """
    head = _EXAMPLES.sub("", _HEADED.sub("", question))
    if head != question and (without := asked_for(head, entries)).entries:
        return without
    whole = read_topics(question)
    parts = [
        part for part in _PARTS.split(question) if _TOKENS.search(part.lower()) or part.strip().isupper()
    ]
    found: dict[str, float] = {}
    undecided = ""
    for part in dict.fromkeys([*parts, question] if len(parts) != 1 else [question]):
        last = part == question and len(parts) != 1
        if last and found:
            break
        scored = _best(part, whole if last else read_topics(part), whole, entries)
        if len(scored) > 1:
            undecided = undecided or "several entries fit the question equally"
        elif scored:
            ((entry, score),) = scored
            found[entry] = max(found.get(entry, 0.0), score, SURE if _OF_ITS_OWN.match(part) else 0.0)
    top = max(found.values(), default=0.0)
    kept = tuple(i for i, score in found.items() if top < SURE or score >= SURE)
    about = bool(kept) or bool(undecided) or not whole.nothing
    return Asked(kept, about, "" if kept else undecided)


def names_entries(sentence: str, entries: Sequence[Entry]) -> tuple[str, ...]:
    """Return the entries that a sentence speaks of: by the same measure, else by the one name that it shares words with."""
    found = asked_for(sentence, tuple(entries))
    if found.entries or found.undecided:
        return found.entries
    words = content_words(sentence) - _LOOSE
    held = [
        e.id
        for e in entries
        if e.kind in _TESTS and words & frozenset(w for n in e.names for w in content_words(n)) - _LOOSE
    ]
    return tuple(held) if len(held) == 1 else ()


def _best(part: str, topics: Topics, whole: Topics, entries: Iterable[Entry]) -> list[tuple[str, float]]:
    scored = [(entry, _score(part, topics, whole, entry)) for entry in entries]
    top = max((score for _, score in scored), default=0.0)
    if top < FITS:
        return []
    best = [entry for entry, score in scored if score > top - 0.005]
    if len(best) > 1:
        best = _told_apart(part, best)
    return [(entry.id, top) for entry in best]


def _told_apart(part: str, best: list[Entry]) -> list[Entry]:
    """Entries that fit equally: the one whose names or texts share most words with the question."""
    words = content_words(part)

    def shared(entry: Entry) -> tuple[int, int]:
        named = frozenset(w for name in entry.names for w in content_words(name))
        told = frozenset(w for text in entry.told for w in content_words(text))
        return len(words & named), len(words & told)

    most = max(shared(entry) for entry in best)
    return [entry for entry in best if shared(entry) == most]


def _score(part: str, topics: Topics, whole: Topics, entry: Entry) -> float:
    if "family history" in topics.categories and _category(entry) != "family history":
        return 0.0
    if entry.kind in _TESTS:
        by_topic = max((_test(topics, whole, name) for name in _expanded(entry.names)), default=0.0)
        return max(by_topic, _by_name(part, topics, entry))
    if entry.kind == "vital":
        return _vital(topics, entry)
    if entry.kind == "exam":
        tested = topics.modalities or whole.modalities or topics.concepts & _TESTS_OF_ORGANS
        return 0.0 if tested else _exam(part, topics, entry)
    return _history(part, topics, whole, entry)


def _by_name(part: str, asked: Topics, entry: Entry) -> float:
    """By the very words of a name, where nothing more specific is asked for."""
    words = content_words(part)
    for name in entry.names:
        wanted = content_words(name) - _LOOSE
        enough = len(wanted) > 1 or asked.nothing
        if wanted and enough and wanted <= words and asked.concepts <= read_topics(name).concepts:
            return 0.93
    return 0.0


def _expanded(names: tuple[str, ...]) -> tuple[Topics, ...]:
    return tuple(read_topics(name) for name in names)


def _test(asked: Topics, whole: Topics, there: Topics) -> float:
    held = there.concepts
    return max(
        _by_concept(asked.concepts, held),
        _by_modality(asked, whole, there),
        0.0,
    )


def _by_concept(asked: frozenset[str], held: frozenset[str]) -> float:
    if asked & held & _specific(held):
        return 1.0
    best = 0.0
    for name in asked:
        if any(name in with_parents(h) for h in _specific(held)):
            best = max(best, 0.92)
        if any(h in with_parents(name) for h in _specific(held)):
            best = max(best, 0.9)
        if sign_members(name) & held:
            best = max(best, 0.88)
        if panel_members(name) & held or (panel_members(name) and name in held):
            best = max(best, 0.86)
    return best


@lru_cache(maxsize=4096)
def _specific(held: frozenset[str]) -> frozenset[str]:
    """Without the panel's own name where a member is named too: "Metabolic panel, potassium" holds no creatinine."""
    return frozenset(h for h in held if not panel_members(h) & held and h not in _WIDE) or held


_WIDE = frozenset(
    {
        "serology",
        "biopsy",
        "radiograph",
        "ultrasound",
        "computed tomography",
        "magnetic resonance imaging",
        "stool test",
    }
)


def _by_modality(asked: Topics, whole: Topics, there: Topics) -> float:
    where = asked.regions or whole.regions
    if "imaging" in asked.modalities and there.modalities & _IMAGING and where & there.regions:
        return 0.85
    shared = asked.modalities & there.modalities
    if not shared:
        return 0.0
    if shared <= {"echocardiogram", "electrocardiogram", "bone densitometry"}:
        return 0.95
    if not where or not there.regions:
        return 0.75
    return 0.95 if where & there.regions else 0.0


_IMAGING = frozenset(
    {
        "radiograph",
        "computed tomography",
        "magnetic resonance",
        "ultrasound",
        "echocardiogram",
        "scintigraphy",
        "positron emission",
    }
)


def _vital(asked: Topics, entry: Entry) -> float:
    if asked.exams:
        return 0.0
    held = frozenset(c for name in entry.names for c in read_topics(name).concepts)
    if "vital signs" in asked.categories:
        return 0.9
    return 0.95 if _by_concept(asked.concepts, held) else 0.0


def _exam(part: str, asked: Topics, entry: Entry) -> float:
    names = " ; ".join(entry.names)
    there = read_topics(names)
    told = read_topics(" ".join(entry.told))
    if asked.exams & there.exams:
        return 0.9
    if (asked.concepts & there.concepts) - _GENERAL:
        return 0.94
    if (asked.concepts & told.concepts) - _GENERAL or asked.exams & told.exams:
        return 0.85
    if asked.categories & {"family history", "social history", "medication"}:
        return 0.0
    words = content_words(part) - _LOOSE
    if words & (content_words(names) - _LOOSE):
        return 0.82
    return 0.7 if words & frozenset(w for text in entry.told for w in content_words(text)) - _LOOSE else 0.0


_TESTS_OF_ORGANS = frozenset(
    {"lung function tests", "liver function tests", "renal function tests", "thyroid function tests"}
)
_GENERAL = frozenset({"swelling", "tenderness", "size", "mass", "normal", "heart rate"})
_LOOSE = content_words(
    "normal normally left right side sided clear present absent examination history sign signs skin examine look looks like anything "
    "raised enlarged palpable positive negative large small type area lower upper any there what does have has feel find see what first second"
)


def _history(part: str, asked: Topics, whole: Topics, entry: Entry) -> float:
    del whole
    if asked.modalities or any(_is_test(name) for name in asked.concepts):
        return 0.0
    category = _category(entry)
    words = content_words(part) - _LOOSE
    told = frozenset(w for text in entry.told for w in content_words(text)) - _LOOSE
    shared = 0.02 * min(len(words & told), 4)
    said = read_topics(" ".join(entry.told))
    meets = asked.concepts & said.concepts or any(
        _related(a, b) for a in asked.concepts for b in said.concepts
    )
    if category and category in asked.categories:
        first = next(name for name in CATEGORIES if name in asked.categories)
        return (0.79 if category == first else 0.7) + shared + (0.05 if meets else 0.0)
    if not entry.askable:
        return 0.62 + shared if len(words & told) > 1 else 0.0
    return 0.76 + shared if meets else 0.65 + shared if words & told else 0.0


def _is_test(name: str) -> bool:
    held = concept(name)
    return (
        held is not None
        and held.kind in {"test", "procedure"}
        and name not in {"surgery", "vaccination", "dialysis", "transfusion"}
    )


def _related(first: str, second: str) -> bool:
    return first in with_parents(second) or second in with_parents(first)


def _category(entry: Entry) -> str:
    if entry.kind == "medication":
        return "medication"
    name = entry.names[0].lower() if entry.names else ""
    return next((c for c in CATEGORIES if c in name), "")
