"""Things that a packet notes with what qualifies them: a finding with its side, size, grade and day; a device, a murmur, a tumour."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from percuss.evidence.packet import Fact, Packet, Value
from percuss.text.concepts import concept, mentions
from percuss.text.words import key_of

__all__ = ["GRADES", "Noted", "concepts_in", "grade_of", "noted", "tokens"]

GRADES = {
    "trivial": 1, "trace": 1, "minimal": 1, "tiny": 1, "mild": 2, "slight": 2, "small": 2, "moderate": 3, "severe": 4, "gross": 4, "marked": 4, "large": 4, "massive": 4,
}  # fmt: skip
"""Words of a degree, least first."""
_PLUSES = {"1+": (1, 2), "+": (1, 2), "2+": (2, 3), "++": (2, 3), "3+": (3, 4), "+++": (3, 4), "4+": (4, 4)}
_NAMING = ("finding", "procedure", "device", "sign", "abnormality", "lesion", "operation", "symptom")
_SIDES = ("side", "laterality")
_GRADED = frozenset({"grade", "severity", "degree", "extent"})
_STATES = frozenset({"status", "state"})
_DAYS = {
    "date": "", "time": "", "performed": "in", "implanted": "in", "inserted": "in", "placed": "in", "fitted": "in", "removed": "out", "explanted": "out",
}  # fmt: skip
"""Parts that hold a day, and what happened on it."""
_SIZES = re.compile(
    r"^(?:(?:max(?:imum)?_)?(?:size|diameter|thickness|length|width|depth|shift|[a-z_]+?)_)?(?P<unit>mm|cm)$"
)
_NONE = frozenset("none absent no nil negative never".split()) | {"not present", "not seen", "none seen"}
_TUMOUR = frozenset("tumor primary cancer lesion mass growth".split())
_SITES = frozenset("site location lobe segment quadrant primary_site tumor_site tumour_site".split())
_OF_TUMOUR = re.compile(r"size|diameter|segment|lobe|quadrant|location|histology")
_ROOTS = {
    "renal": "kidney", "hepatic": "liver", "pulmonary": "lung", "cardiac": "heart", "ureteral": "ureter", "ureteric": "ureter", "cerebral": "brain", "splenic": "spleen", "gastric": "stomach",
    "pericardium": "pericardial", "pleura": "pleural", "edema": "edema", "hematoma": "hematoma", "carotids": "carotid", "apical": "apex", "basal": "base", "bases": "base", "bibasal": "base",
    "enlargement": "enlarged", "dilation": "dilated", "calculus": "stone", "leak": "regurgitation", "leaky": "regurgitation", "leaking": "regurgitation", "narrowing": "stenosis",
    "narrowed": "stenosis", "thrombus": "clot", "thrombosis": "clot", "film": "xray", "radiograph": "xray", "echocardiogram": "echo", "echocardiography": "echo", "echocardiographic": "echo",
    "sonography": "ultrasound", "sonogram": "ultrasound", "uss": "ultrasound", "transthoracic": "echo", "electrocardiogram": "ecg", "ekg": "ecg", "carcinoma": "cancer",
    "ruptured": "rupture", "torn": "tear", "fractured": "fracture", "thickened": "thickening", "pulsation": "pulse", "systole": "systolic", "diastole": "diastolic",
}  # fmt: skip
_ENDS = re.compile(r"(?<=[a-z]{4})(?:osis|otic|osed|oses)$")
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)*|\d+(?:\.\d+)?")
_ROMAN = re.compile(r"^(?:grade\s)?(?P<of>[IVX]{1,4}|[1-6])(?:/(?:VI|IV|6|4))?$", re.IGNORECASE)
_VOID = frozenset("the a an of in on at to and or with for side type not no".split())


class Noted(NamedTuple):
    """One thing that is noted, with what qualifies it; empty or None = not said.

    `present`: whether it is there. `words`: of its name; `head`: the last of them. `told`: words of its other parts and of what showed it.
    """

    fact: Fact
    name: str
    words: frozenset[str]
    head: str
    concepts: frozenset[str]
    present: bool | None
    side: str
    grade: tuple[int, int] | None
    roman: str
    sizes: tuple[Decimal, ...]
    told: frozenset[str]
    study: frozenset[str]
    date: str
    out: str
    status: str
    listed: bool


@lru_cache(maxsize=16384)
def _root(word: str) -> str:
    key = key_of(word)
    key = _ROOTS.get(key, key)
    return _ENDS.sub("os", key)


@lru_cache(maxsize=8192)
def tokens(text: str) -> frozenset[str]:
    """Return the words of a text that name something, alike whatever their form.

    Args:
        text: words of a path ("mitral_regurgitation"), of a value or of a claim.

    >>> sorted(tokens("Hydronephrotic right kidneys")) == sorted(tokens("renal hydronephrosis, right"))
    True
    """
    low = text.lower().replace("_", " ").replace("x-ray", "xray").replace("-", " ")
    return frozenset(map(_root, _WORD.findall(low))) - _VOID


@lru_cache(maxsize=4096)
def concepts_in(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """Return the things that a text names, but for parts of the body, each with the words that name it.

    Args:
        text: words of a name or of a claim.
    """
    found = []
    for mention in mentions(text.replace("_", " ")):
        known = concept(mention.concept)
        if known is not None and known.kind != "anatomy":
            found.append((mention.concept, tokens(text[mention.start : mention.stop])))
    return tuple(found)


def grade_of(said: str) -> tuple[int, int] | None:
    """Return the degree that words tell, as the least and the greatest that they may mean; None where they tell none.

    >>> grade_of("mild to moderate"), grade_of("2+"), grade_of("yellow")
    ((2, 3), (2, 3), None)
    """
    low = said.strip().lower()
    if low in _PLUSES:
        return _PLUSES[low]
    found = [GRADES[word] for word in re.split(r"[ -]+(?:to[ -]+)?", low) if word in GRADES]
    return (min(found), max(found)) if found else None


@lru_cache(maxsize=1024)
def noted(packet: Packet) -> tuple[Noted, ...]:
    """Return what a packet notes with what qualifies it: entries of lists, objects, and fields that say that something is there, or how much of it.

    Args:
        packet: as it was given, not brought to another shape.
    """
    heads: dict[str, dict[str, Fact]] = {}
    for fact in packet.facts:
        head, _, leaf = fact.path.rpartition(".")
        heads.setdefault(head, {})[leaf.lower()] = fact
    found: list[Noted] = []
    for head, parts in heads.items():
        found.extend(_of_head(head, parts, heads))
    return tuple(found)


def _of_head(
    head: str, parts: Mapping[str, Fact], heads: Mapping[str, Mapping[str, Fact]]
) -> Iterator[Noted]:
    above, date = _above(head, heads)
    naming = next((name for name in _NAMING if name in parts and isinstance(parts[name].value, str)), "")
    last = head.rpartition(".")[2]
    if naming:
        yield _entry(parts[naming], str(parts[naming].value), parts, above, date, listed=True)
        return
    if not last.isdigit() and last and (_GRADED | {"side", "timing", "present"}) & parts.keys():
        first = next(iter(parts.values()))
        yield _entry(first, last, parts, above, date, listed=False)
        return
    site = next((parts[name] for name in _SITES & parts.keys() if isinstance(parts[name].value, str)), None)
    if site is not None and ("histology" in parts or "tumo" in last):
        histology = parts.get("histology")
        name = f"{histology.value if histology else ''} tumour"
        about = {leaf: part for leaf, part in parts.items() if _OF_TUMOUR.search(leaf)}
        made = _entry(site, name, about, above, date, listed=False)
        where = str(site.value)
        yield made._replace(
            words=made.words | _TUMOUR, head="tumor", told=made.told | tokens(where), side=_side(where)
        )
    for leaf, fact in parts.items():
        flat = _flat(leaf, fact, above, date)
        if flat is not None:
            yield flat


def _above(head: str, heads: Mapping[str, Mapping[str, Fact]]) -> tuple[frozenset[str], str]:
    """Return the words of what showed an entry, its side among them, and its day."""
    study, date, side, at = "", "", "", head
    while at:
        parts = heads.get(at, {})
        for name in ("study", "modality", "type"):
            if name in parts and isinstance(parts[name].value, str):
                study += f" {parts[name].value}"
        side = side or next((str(parts[s].value) for s in _SIDES if s in parts), "")
        date = date or str(next((parts[n].value for n in ("date", "time") if n in parts), "") or "")
        at = at.rpartition(".")[0]
    section = " ".join(
        part for part in [*head.split(".")[:-1], head.split(".", maxsplit=1)[0]] if not part.isdigit()
    )
    return tokens(f"{study} {section} {side}"), date[:10]


def _side(text: str) -> str:
    words = set(re.findall(r"left|right|both|bilateral", text.lower()))
    if ("left" in words and "right" in words) or words & {"both", "bilateral"}:
        return "both"
    return next(iter(words & {"left", "right"}), "")


def _present(value: Value) -> bool | None:
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        low = value.strip().lower()
        return False if low in _NONE else True if low in {"present", "yes", "positive"} else None
    return None


def _entry(
    fact: Fact, name: str, parts: Mapping[str, Fact], above: frozenset[str], date: str, *, listed: bool
) -> Noted:
    """Return an entry whose parts stand beside its name."""
    told, grade, roman, day, out, status = set(above), None, "", date, "", ""
    sizes: list[Decimal] = []
    side = next((_side(str(parts[s].value)) for s in _SIDES if s in parts), "")
    present = _present(parts["present"].value) if "present" in parts else None
    for leaf, part in parts.items():
        said = str(part.value)
        sized = _SIZES.match(leaf)
        if leaf in _GRADED or leaf == "size":
            match = _ROMAN.match(said)
            roman, grade = (match["of"].upper(), grade) if match else (roman, grade_of(said) or grade)
        elif leaf in _STATES:
            status = said.lower()
        elif leaf in _DAYS:
            day, out = (day, said[:10]) if _DAYS[leaf] == "out" else (said[:10], out)
        elif sized and isinstance(part.value, int | float) and not isinstance(part.value, bool):
            sizes.append(_in_mm(part.value, sized["unit"]))
        elif isinstance(part.value, str) and part is not fact:
            told |= tokens(said)
            side = side or _side(said)
    words = tokens(name)
    side = side or _side(name) or _side(" ".join(above))
    named = [word for word in re.split(r"[\s_-]+", name.lower()) if word and not _side(word)]
    of = frozenset(each for each, _ in concepts_in(name))
    return Noted(
        fact, name, words - {"left", "right", "bilateral"}, next(iter(tokens(named[-1])), "") if named else "", of, present, side, grade,
        roman, tuple(sizes), frozenset(told), above, day, out, status, listed
    )  # fmt: skip


def _in_mm(value: float, unit: str) -> Decimal:
    return Decimal(str(value)) * (10 if unit == "cm" else 1)


def _flat(leaf: str, fact: Fact, above: frozenset[str], date: str) -> Noted | None:
    """Return what a single field notes; None where it holds no degree, side, size or whether it is there."""
    value = fact.value
    sized = _SIZES.match(leaf)
    name = leaf[: -len(sized["unit"]) - 1] if sized else leaf
    if not name or leaf in _DAYS or leaf in {"site", "location"}:
        return None
    present, grade = _present(value), None
    sizes: tuple[Decimal, ...] = ()
    if sized and isinstance(value, int | float) and not isinstance(value, bool):
        sizes, present = (_in_mm(value, sized["unit"]),), value > 0
    elif isinstance(value, str):
        low = value.strip().lower()
        grade = (
            grade_of(low) if low in _PLUSES or all(w in GRADES or w == "to" for w in low.split()) else None
        )
        if grade is None and present is None and not _side(low):
            return None
    if grade is None and present is None and not sizes and not isinstance(value, str):
        return None
    told = above | (tokens(value) if isinstance(value, str) and present is None else frozenset())
    made = _entry(fact, name, {}, above, date, listed=False)
    side = made.side or (_side(value) if isinstance(value, str) else "")
    return made._replace(present=present, grade=grade, sizes=sizes, told=told, side=side)
