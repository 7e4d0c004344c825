"""Scores told by what they mean ("in bed for more than half the day", "no limitation"), and a stage told beside its categories."""

import re

from percuss.evidence.packet import Fact, Packet
from percuss.evidence.rules.support2.fielded import Fielded
from percuss.evidence.rules.support2.reference import reference
from percuss.evidence.rules.support2.spoken.taking import Taking
from percuss.evidence.rules.support2.tables import stages
from percuss.text.cued import Cued

__all__ = ["by_score"]

_CUE = Cued(
    r"\b(?:ECOG|NYHA|stage|limitation|limited|restricted|ambulatory|bedbound|bed-bound|bedridden|breathless|short of breath|up and about|in bed|fully active|strenuous|ordinary activity)\b"
)
_ECOG = (
    ("0", re.compile(r"\bfully\sactive(?:,?\s(?:with\sno|without\sany|without)\s(?:restrictions?|limitations?))?\b")),
    ("1", re.compile(r"\b(?:is\s)?(?:only\s)?(?:restricted|limited)\s(?:only\s)?(?:in|by)\s(?:physically\s)?(?:strenuous|heavy)\s(?:activity|exertion|work)(?:,?\s(?:but|and)\s(?:is\s)?(?:up\sand\sabout|ambulatory|able\sto\sdo\slight\swork))?\b")),
    ("2", re.compile(r"\b(?:is\s)?(?:up\sand\sabout|ambulatory|out\sof\sbed)\s(?:for\s)?(?:more\sthan|over)\shalf\s(?:of\s)?(?:the|his|her)\s(?:day|waking\shours|time)(?:,?\s(?:but|and)\s(?:is\s)?unable\sto\swork)?\b")),
    ("3", re.compile(r"\b(?:is\s)?(?:in\s(?:a\s)?(?:bed|chair)(?:\sor\s(?:a\s)?(?:bed|chair))?|confined\sto\s(?:bed|a?\s?chair)(?:\sor\s(?:bed|a?\s?chair))?)\s(?:for\s)?(?:more\sthan|over)\shalf\s(?:of\s)?(?:the|his|her)\s(?:day|waking\shours|time)\b")),
    ("4", re.compile(r"\b(?:is\s)?(?:completely\s|totally\s)?(?:bedbound|bed-bound|bedridden)\b")),
)  # fmt: skip
_NYHA = (
    ("I", re.compile(r"\b(?:no|without(?:\sany)?)\slimitation(?:\sof\s(?:physical\s|ordinary\s)?activity)?\b")),
    ("II", re.compile(r"\b(?:only\s)?(?:slight|mild)\slimitation(?:\sof\s(?:physical\s)?activity)?\b")),
    ("III", re.compile(r"\bmarked\slimitation(?:\sof\s(?:physical\s)?activity)?\b|\b(?:is\s)?(?:breathless|short\sof\sbreath|symptomatic)\s(?:on|with|at)\s(?:less\sthan\sordinary|minimal|little)\s(?:activity|exertion)\b")),
    ("IV", re.compile(r"\b(?:is\s)?(?:breathless|short\sof\sbreath|symptomatic|symptoms)\s(?:even\s)?at\srest\b")),
)  # fmt: skip
_SAID_ECOG = re.compile(
    r"\b(?:ecog|performance\sstatus)(?:\s(?:of|is|ps|performance\sstatus))*\s(?P<n>[0-4])\b"
)
_SAID_NYHA = re.compile(r"\bnyha(?:\s(?:class|functional\sclass))?\s(?P<n>iv|iii|ii|i|[1-4])\b")
_ROMAN = {"1": "I", "2": "II", "3": "III", "4": "IV"}
_STAGE = re.compile(r"\bstage\s(?P<n>iv|i{1,3}|0|[1-4])(?:(?P<sub>[abc])\d?)?\b(?![.,]\d)")
_CODE = re.compile(r"\b[pcy]{0,2}(?P<of>[tnm])(?P<n>[0-4x]|is)(?P<sub>[a-d])?\b")
_LEFT = frozenset(
    "tumor tumour cancer lung disease makes make means puts put which so thus class performance status score grade activity adenocarcinoma staged staging making".split()
)
_LONGEST = 120


def by_score(claim: str, packet: Packet) -> Fielded | None:
    """Return how a claim of what a score means, or of a stage, stands to the record; None where it says more, or contradicts itself.

    Args:
        claim: the claim's text. packet: the full packet of the case, in the shape that rules read.

    >>> held = Packet.of_layers({"scores": {"ecog": 1}})
    >>> by_score("He is in bed for more than half the day.", held).label
    'contradicted'
    """
    if len(claim) > _LONGEST or not packet.facts or not _CUE.search(claim):
        return None
    taking = Taking(re.sub(r"[()]", " ", claim))
    if "stage" in taking.text:
        return _staged(taking, packet)
    for table, number, leaf in ((_ECOG, _SAID_ECOG, "ecog"), (_NYHA, _SAID_NYHA, "nyha")):
        said = taking.take(number)
        told = [grade for grade, pattern in table if taking.take(pattern) is not None]
        if said is None and not told:
            continue
        fact = _field(leaf, packet)
        if fact is None or not taking.done(_LEFT):
            return None
        grades = {_grade(said["n"], leaf)} if said is not None else set()
        grades |= set(told)
        if len(grades) != 1:
            return None
        right = grades.pop() == _grade(str(fact.value).strip().lower().removeprefix("class "), leaf)
        reason = "the score that is recorded" if right else "another score is recorded"
        return Fielded("supported" if right else "contradicted", reason, fact.path, str(fact.value))
    return None


def _grade(said: str, leaf: str) -> str:
    return _ROMAN.get(said, said.upper()) if leaf == "nyha" else said


def _field(leaf: str, packet: Packet) -> Fact | None:
    found = [
        fact
        for fact in packet.facts
        if fact.leaf.lower().startswith(leaf) and not isinstance(fact.value, bool)
    ]
    return (
        found[0]
        if len(found) == 1
        and re.fullmatch(r"(?:class\s)?(?:[0-4]|I{1,3}|IV)", str(found[0].value).strip(), re.IGNORECASE)
        else None
    )


def _staged(taking: Taking, packet: Packet) -> Fielded | None:
    """Decide a stage that is told, beside its categories or alone."""
    said = taking.take(_STAGE)
    codes = []
    while (code := taking.take(_CODE)) is not None:
        codes.append(code)
    if said is None or not taking.done(_LEFT):
        return None
    word, path, value = _recorded(packet)
    held = re.match(r"(?P<n>IV|I{1,3}|0)(?P<sub>[A-C])?", word)
    if held is None or not all(_same_code(code, packet) for code in codes):
        return None
    number = _ROMAN.get(said["n"], said["n"].upper())
    sub = (said["sub"] or "").upper()
    if number == held["n"] and sub != (held["sub"] or ""):
        return _stage(path, value, right=not sub) if not sub or held["sub"] else None
    return _stage(path, value, right=number == held["n"])


def _recorded(packet: Packet) -> tuple[str, str, str]:
    """Return the stage that is recorded, or that of the categories of a tumour of the lung, and where it stands; "" for none."""
    known = [k for k in reference(packet, "").known if k.statement.attribute == "tumour stage"]
    if len(known) == 1:
        return known[0].statement.word, known[0].path, known[0].value
    facts = {fact.leaf: fact for fact in packet.facts}
    held = {letter: facts.get(f"{letter.lower()}_category") for letter in "TNM"}
    site = next(
        (str(f.value).lower() for leaf, f in facts.items() if leaf in {"site", "primary_site", "location"}),
        "",
    )
    if (
        known
        or None in held.values()
        or not re.search(r"\blung\b|\b(?:upper|middle|lower)\slobe\b|bronch", site)
    ):
        return "", "", ""
    said = {letter: str(fact.value).lstrip("pcy") for letter, fact in held.items() if fact is not None}
    for row in stages():
        if (
            (not row.m or row.m == said["M"])
            and (not row.n or row.n == said["N"])
            and (not row.t or said["T"] in row.t)
        ):
            return row.gives, facts["t_category"].path, " ".join(said.values())
    return "", "", ""


def _stage(path: str, value: str, *, right: bool) -> Fielded:
    reason = "the stage of these categories" if right else "these categories make another stage"
    return Fielded("supported" if right else "contradicted", reason, path, value)


def _same_code(code: re.Match[str], packet: Packet) -> bool:
    held = [f for f in packet.facts if f.leaf == f"{code['of']}_category"]
    said = f"{code['of']}{code['n']}{code['sub'] or ''}".lower()
    return len(held) == 1 and str(held[0].value).lower().lstrip("pcy") == said
