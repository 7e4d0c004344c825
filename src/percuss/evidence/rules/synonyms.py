"""Enumerated values beyond the exact words: stage groups, smoking, tier and sex synonyms, immune subtypes."""

import re
from typing import Literal, NamedTuple

from percuss.text.lexicon import Gate

__all__ = ["Said", "compare", "read"]

Agreement = Literal["match", "mismatch", "finer"]

_ROMAN = {"0": "0", "1": "I", "2": "II", "3": "III", "4": "IV"}
_STAGE_VALUE = re.compile(r"(IV|I{1,3}|[0-4])([ABC]?)\d?", re.IGNORECASE)
_GROUPS: dict[str, frozenset[str]] = {
    "early": frozenset({"0", "I", "II"}),
    "locally advanced": frozenset({"III"}),
    "advanced": frozenset({"III", "IV"}),
    "late": frozenset({"III", "IV"}),
    "metastatic": frozenset({"IV"}),
}
"""Stage groups as clinicians use them for lung cancer (TNM: stage IV is metastatic)."""

_ONE = r"(?:IV|I{1,3}|[0-4])(?:[ABC]\d?)?"
_STAGE = re.compile(
    rf"\bstages?\b[\s:*_=(-]{{0,6}}(?:is\s|was\s|of\s|group\s)?(?P<stage>{_ONE})(?![\w%]|\.\d)"
    rf"(?:\s?(?:/|-|–|to|or)\s?(?P<high>{_ONE})(?![\w%]|\.\d))?"
    r"|\b(?P<group>early|locally[\s-]advanced|advanced|late)[\s-](?:stage|disease|lung|adenocarcinoma|cancer|nsclc|luad|non-small)\b"
    r"|(?<!non-)(?<!non)(?<!no )\b(?P<metastatic>metastatic)\s(?:disease|lung|adenocarcinoma|cancer|luad|nsclc)",
    re.IGNORECASE,
)
_SMOKING = re.compile(
    r"(?P<never>\b(?:never|non|lifelong (?:never|non))[\s-]?(?:a\s)?smok(?:er|ed|ing)\b|\bno (?:history of smoking|smoking history|tobacco (?:use|history))\b"
    r"|\bnever used tobacco\b|\bsmok(?:er|ing)(?:[\s_](?:status|history))?[\s:*_=-]{1,6}(?:is\s|was\s)?(?:never|no|none)\b)"
    r"|(?P<former>\b(?:former|ex|past|previous|prior)[\s-](?:heavy\s|light\s)?smoker\b|\bquit smoking\b|\bstopped smoking\b|\bformerly smoked\b"
    r"|\bsmok(?:er|ing)(?:[\s_](?:status|history))?[\s:*_=-]{1,6}(?:is\s|was\s)?(?:former|ex|past|quit)\b)"
    r"|(?P<current>\b(?:current|active|ongoing)(?:ly)?[\s-](?:heavy\s|light\s|a\s)?smok(?:er|ing|es)\b|\bcurrently smokes\b"
    r"|\bsmok(?:er|ing)(?:[\s_](?:status|history))?[\s:*_=-]{1,6}(?:is\s|was\s)?(?:current|active)\b)"
    r"|(?P<ever>\bever[\s-]smok(?:er|ed)\b|\b(?:(?:has a |with a |positive )(?:heavy )?|(?<!no )(?:heavy|long|extensive|significant|known) )(?:smoking history|history of (?:smoking|tobacco))\b|\bsmoked\b"
    r"|\b(?:a|heavy|is a) smoker\b|\bsmok(?:er|ing)(?:[\s_](?:status|history))?[\s:*_=-]{1,6}(?:is\s|was\s)?(?:ever|yes|positive)\b)",
    re.IGNORECASE,
)
_LEVEL = r"(?:immune[\s-](?:phenotype|readiness|tier)|(?:io|immune|immunotherapy|readiness)(?:[\s-](?:immune|readiness))?[\s-]tier|tier|readiness|immunophenotype)"
_TIER = re.compile(
    r"\btier[\s:*_#=-]{1,6}(?P<number>[1-5]|I{1,3}|IV)(?![\w%]|\.\d)"
    r"|(?<![\w-])(?:immun\w{0,9}[\s-])?(?P<hot>hot|(?<!non-)(?<!un)inflamed)(?![\w-]|\s(?:flash|flush|spot|compress))"
    r"|(?<![\w-])(?:immun\w{0,9}[\s-])?(?P<warm>warm)(?![\w-]|\s(?:compress|water|ischemi))"
    r"|(?<![\w-])(?:immun\w{0,9}[\s-])?(?P<cold>cold|desert|non-inflamed|uninflamed)(?![\w-]|\s(?:sore|water|compress|agglutinin|ischemi|intolerance))"
    rf"|\b(?:(?P<high_level>high|highest|top|upper)|(?P<mid_level>intermediate|moderate|middle|mid)|(?P<low_level>low|lowest|bottom|lower))[\s-]{_LEVEL}\b"
    rf"|\b{_LEVEL}(?:\s(?:that\sis|is|was|of)|:)?[\s*_]{{1,4}}(?:(?:an?|the|in|within)\s){{0,2}}(?:(?P<level_high>high|highest|top|upper)"
    r"|(?P<level_mid>intermediate|moderate|middle|mid)|(?P<level_low>low|lowest|bottom|lower))\b",
    re.IGNORECASE,
)
_SEX = re.compile(
    r"\b(?:(?P<male>male|man|gentleman|boy)|(?P<female>female|woman|lady|girl))\b", re.IGNORECASE
)
_SUBTYPE = re.compile(
    r"(?<![\w-])C(?P<subtype>[1-6])(?![\w-])|\b(?P<c2>ifn-?(?:γ|gamma)[\s-]dominant)|\b(?P<c1>wound[\s-]healing)(?=\s\(?(?:immune )?subtype)"
    r"|\b(?P<c3>inflammatory)(?=\s\(?(?:immune )?subtype)|\b(?P<c4>lymphocyte[\s-]depleted)|\b(?P<c5>immunologically quiet)"
    r"|\b(?P<c6>tgf-?(?:β|beta)[\s-]dominant)",
    re.IGNORECASE,
)
_SUBTYPE_SIGN = re.compile(r"[Cc][1-6]")
_TIER_OF = {
    "hot": "hot", "high_level": "hot", "level_high": "hot", "warm": "warm", "mid_level": "warm", "level_mid": "warm",
    "cold": "cold", "low_level": "cold", "level_low": "cold",
}  # fmt: skip


class Said(NamedTuple):
    """A value as a claim says it: its field and the values it allows ("early stage" allows 0, I and II)."""

    start: int
    stop: int
    field: str
    values: frozenset[str]


def read(claim: str, gate: Gate | None = None) -> list[Said]:
    """Return the enumerated values of a claim with their synonyms, in order.

    Args:
        claim: the claim.
        gate: of the claim, where the caller has it.
    """
    gate = gate or Gate(claim)
    low = gate.low
    found: list[Said] = []
    if "stage" in low or "advanced" in low or "metastatic" in low:
        found += [_stage(match) for match in _STAGE.finditer(claim)]
    if "smok" in low or "tobacco" in low:
        found += [
            Said(m.start(), m.end(), "smoking", frozenset({m.lastgroup or ""}))
            for m in _SMOKING.finditer(claim)
        ]
    if gate.open("tier"):
        found += [_tier(match) for match in _TIER.finditer(claim)]
    if gate.open("man"):
        found += [
            Said(m.start(), m.end(), "sex", frozenset({m.lastgroup or ""})) for m in _SEX.finditer(claim)
        ]
    if (
        (gate.digit and _SUBTYPE_SIGN.search(claim))
        or "dominant" in low
        or "subtype" in low
        or "quiet" in low
        or "depleted" in low
    ):
        found += [_subtype(match) for match in _SUBTYPE.finditer(claim)]
    return sorted(found)


def compare(said: Said, held: str) -> Agreement:
    """Compare what a claim says with the packet's value.

    Args:
        said: of `read`.
        held: the packet's value, as the packet writes it.

    Returns:
        "finer" where the claim is consistent with the packet but more exact: IIIA against III, former against ever.

    >>> compare(read("stage III")[0], "IIIA"), compare(read("stage IIIA")[0], "III")
    ('match', 'finer')
    """
    if said.field == "stage":
        return _compare_stages(said.values, held)
    if said.field == "smoking":
        return _compare_smoking(next(iter(said.values)), _smoking_of(held))
    low = held.strip().lower()
    if said.field == "tier":
        low = next((word for word in ("hot", "warm", "cold") if word in low), low)
    if said.field == "sex":
        low = {"m": "male", "f": "female", "man": "male", "woman": "female"}.get(low, low)
    return "match" if low in said.values else "mismatch"


def _stage(match: re.Match[str]) -> Said:
    if match["group"] or match["metastatic"]:
        name = (match["group"] or match["metastatic"]).lower().replace("-", " ")
        return Said(match.start(), match.end(), "stage", _GROUPS[name])
    first = _normal(match["stage"])
    if not match["high"]:
        return Said(match.start(), match.end(), "stage", frozenset({first}))
    order = ["0", "I", "II", "III", "IV"]
    last = _normal(match["high"])
    low, high = (order.index(each.rstrip("ABC")) for each in (first, last))
    return Said(match.start(), match.end(), "stage", frozenset({first, last, *order[low + 1 : high]}))


def _normal(stage: str) -> str:
    match = _STAGE_VALUE.fullmatch(stage.strip())
    if not match:
        return stage.strip().upper()
    return _ROMAN.get(match[1], match[1].upper()) + match[2].upper()


def _compare_stages(said: frozenset[str], held: str) -> Agreement:
    value = _normal(re.sub(r"(?i)^stage\s*", "", held.strip()))
    if value in said or value.rstrip("ABC") in said:
        return "match"
    return "finer" if any(each.rstrip("ABC") == value for each in said) else "mismatch"


def _smoking_of(held: str) -> str:
    low = held.strip().lower()
    for value, starts in (
        ("never", ("never", "non", "no", "lifelong non")),
        ("former", ("former", "ex", "past", "quit", "previous", "reformed")),
        ("current", ("current", "active")),
    ):
        if low.startswith(starts):
            return value
    return "ever" if low.startswith(("ever", "yes", "smoker")) else low


def _compare_smoking(said: str, held: str) -> Agreement:
    if said == held or (said == "ever" and held in {"former", "current"}):
        return "match"
    return "finer" if held == "ever" and said in {"former", "current"} else "mismatch"


def _tier(match: re.Match[str]) -> Said:
    name = match.lastgroup or ""
    value = f"tier {match['number'].lower()}" if name == "number" else _TIER_OF[name]
    return Said(match.start(), match.end(), "tier", frozenset({value}))


def _subtype(match: re.Match[str]) -> Said:
    number = match["subtype"] or (match.lastgroup or "c0")[1]
    return Said(match.start(), match.end(), "immune_subtype", frozenset({f"c{number}"}))
