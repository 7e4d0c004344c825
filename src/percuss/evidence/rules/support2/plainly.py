"""Short forms of a claim written out: a change of form that no statement hangs on."""

import re

from percuss.text.cued import Cued

__all__ = ["in_percent", "undressed", "written_out"]

_DRESS = re.compile(r"^(?:[-*•]+|\(?\d{1,2}[.)])\s+(?=[A-Z]|\*\*|__|`)|\*\*|__|`")
"""Signs of a list or of emphasis, which say nothing."""
_DRESSING = frozenset("-*•(0123456789")
"""Signs that such dress begins with."""

_ROMAN = {"one": "I", "two": "II", "three": "III", "four": "IV"}
_SEX = {"M": "male", "F": "female"}
_ELECTROLYTES = frozenset({"K", "Na", "Ca", "Mg", "Cl", "H", "Li"})
_SHORT = re.compile(
    r"\b(?P<age>\d{1,3})[\s-]?(?:y/?\.?o\.?|yrs?\.?\sold)(?![\w.])(?:\s(?P<sex>[MF])\b)?"
    r"|(?:(?<=^)|(?<=[:;(]\s))(?P<bare>\d{1,3})\s?(?P<of>[MF])\b"
    r"|\b[Ss]t\.\s?(?=I|V|[1-4]\b|one\b|two\b|three\b|four\b)"
    r"|\b(?P<staged>[Ss]tage\s|[Ss]t\.\s?)(?P<word>one|two|three|four)\b"
    r"|\b(?P<smoker>smkrs?)\b\.?"
    r"|(?<=[\dga-z]\s)(?P<times>o\.\s?d|b\.\s?d|b\.i\.d|t\.\s?d\.\s?s|t\.i\.d|q\.\s?d\.\s?s|q\.i\.d|tds|tid|bid|qds|qid)(?:\.|(?!\w))"
    r"|\b(?P<route>i\.\s?v\.|p\.\s?o\.|s\.\s?c\.)"
    r"|\b(?P<only>[Oo]nly)\s(?=\d|one\b|two\b|three\b|four\b|five\b|six\b|ten\b)"
    r"|\b(?P<clin>Clin\.|clin\.)(?=\s)"
    r"|\b(?P<hist>[HhPp]\.?x|[HhPp]x)(?=\sof\b)"
    r"|\b(?P<marker>[A-Z][A-Za-z-]{1,9}\d{0,3})\+(?=[.,;]|$)"
)
_SHORTENED = Cued(
    r"\b(?:d|o|v|c|x|tds|tid|bid|qds|qid|st|smkrs?|only|clin|hx|px|one|two|three|four)\b", flags=re.NOFLAG
)
"""Words one of which every short form holds, but for ages and markers."""
_AGED = re.compile(r"\d[\s-]?y|\d\s?[MF]\b")
_TIMES = {"o": "once daily", "b": "twice daily", "t": "three times daily", "q": "four times daily"}
_ROUTES = {"i": "intravenous", "p": "oral", "s": "subcutaneous"}

_CONTRACTED = re.compile(
    r"\b(?P<verb>is|are|was|were|has|have|had|does|do|did|could|would|should|must)n['’]t\b", re.IGNORECASE
)

_TIER_ALONE = re.compile(r"(?<!intermediate\s)\((?P<of>[Hh]ot|[Ww]arm|[Cc]old)\)")

_BOUNDED = re.compile(
    r"\b(?:(?P<over>over|above|past|beyond|older\sthan)|(?P<under>under|below|younger\sthan)|(?P<when>before|after|by|until|since|from))"
    r"\s(?:the\s)?age\s(?:of\s)?(?P<years>\d{1,3})\b(?!\s?(?:years?|months?|weeks?|days?|[-.,/]\d))",
    re.IGNORECASE,
)
"""An age that bounds one, or says when something else began: the latter is nobody's age."""

_COUNTS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20,
}  # fmt: skip
_PARTS = {
    "half": 2, "halves": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10, "twelfth": 12, "twentieth": 20,
}  # fmt: skip
_WORDS = {str(count): word for word, count in _COUNTS.items()}
_BY_DIGIT = Cued(
    rf"(?<![\w.,/-])(?:(?P<some>[1-9]\d?)[\s-](?P<several>(?:{'|'.join(_PARTS)})s|halves)|1[\s-](?P<part>{'|'.join(_PARTS)})(?=\sof\b))\b"
)
"""A share whose count is a digit: "3 fifths"; "1 third lesion" is none."""


def undressed(claim: str) -> str:
    """Return a claim with single blanks and without the signs of a list or of emphasis.

    >>> undressed("-  Stage **IB** disease")
    'Stage IB disease'
    >>> undressed("- **TSH:** 6.8 mIU/L")
    'TSH: 6.8 mIU/L'
    """
    text = " ".join(claim.split())
    if text[:1] in _DRESSING or "*" in text or "__" in text or "`" in text:
        return _DRESS.sub("", text)
    return text


def written_out(claim: str) -> str:
    """Return a claim with its short forms written out.

    Args:
        claim: the claim's text.

    >>> written_out("She is over the age of 60")
    'She is over 60 years old'
    >>> written_out("TSH isn't raised")
    'TSH is not raised'
    >>> written_out("Nearly 3 quarters")
    'Nearly three quarters'
    >>> written_out("46 y/o F, st. III, ex-smkr, propranolol 40 mg t.d.s.")
    '46-year-old female, stage III, ex-smoker, propranolol 40 mg three times daily'
    """
    claim = _BY_DIGIT.sub(_counted, claim)
    if "n't" in claim or "n’t" in claim:
        claim = _CONTRACTED.sub(r"\g<verb> not", claim)
    if claim.find("(") >= 0:
        claim = _TIER_ALONE.sub(r"(\g<of> tier)", claim)
    if "age " in claim:
        claim = _BOUNDED.sub(_bounded, claim)
    if not ("+" in claim or _SHORTENED.may(claim) or _AGED.search(claim)):
        return claim
    return _SHORT.sub(_written, claim)


def _bounded(match: re.Match[str]) -> str:
    if match["when"]:
        return f"{match['when']} {match['years']}"
    return f"{'over' if match['over'] else 'under'} {match['years']} years old"


def _counted(match: re.Match[str]) -> str:
    if match["part"]:
        return f"one {match['part']}"
    word = _WORDS.get(match["some"])
    return f"{word} {match['several']}" if word else match.group()


def _written(match: re.Match[str]) -> str:
    said = match.groupdict()
    if said["age"] or said["bare"]:
        sex = _SEX.get(said["sex"] or said["of"] or "", "")
        return f"{said['age'] or said['bare']}-year-old {sex}".rstrip()
    if said["word"]:
        return f"stage {_ROMAN[said['word']]}"
    if said["only"]:
        return ""
    if said["smoker"]:
        return "smokers" if said["smoker"].endswith("s") else "smoker"
    if said["times"]:
        return _TIMES[said["times"][0]]
    if said["route"]:
        return _ROUTES[said["route"][0]]
    if said["clin"]:
        return "clinical" if said["clin"][0] == "c" else "Clinical"
    if said["hist"]:
        return "history"
    if said["marker"]:
        return match.group() if said["marker"] in _ELECTROLYTES else f"{said['marker']} positive"
    return "stage "


_NUMBER = "|".join(_COUNTS)
_SHARE = re.compile(
    rf"\b(?P<some>{_NUMBER})\s(?:in|out\sof)\s(?:every\s)?(?P<whole>{_NUMBER}|\d{{1,3}})\b(?:\scells?)?|\b(?P<top>{_NUMBER})[\s-](?P<part>{'|'.join(_PARTS)})s?\b|(?<!and\sa\s)\b(?P<half>half)\b(?=\sof\b)"
    rf"|\b(?P<times>{_NUMBER})\sand\sa\shalf\stimes\b",
    re.IGNORECASE,
)
_PARTED = Cued(rf"\b(?:{'|'.join(_PARTS)})s?\b")
_OUT_OF = re.compile(r"\s(?:in|out\sof)\s(?:every\s)?\w", re.IGNORECASE)
"""What every share in words holds: a part of a whole, or so many in so many."""
_ROUGHLY = re.compile(
    r"\b(?:about|around|roughly|nearly|almost|some|approximately|close\sto|over|under|above|below|than|exactly)\s$",
    re.IGNORECASE,
)


def in_percent(claim: str) -> str:
    """Return a claim with its shares in words as percents: "one in twelve" is about 8%, "three fifths" about 60%.

    Args:
        claim: the claim's text.

    >>> in_percent("One in twelve cells is necrotic, nearly two thirds are tumor")
    'about 8% is necrotic, nearly 67% are tumor'
    """
    if not (_PARTED.may(claim) or _OUT_OF.search(claim)):
        return claim
    return _SHARE.sub(_percent, claim)


def _percent(match: re.Match[str]) -> str:
    said = {name: (text or "").lower() for name, text in match.groupdict().items()}
    if said["times"]:
        return f"{_COUNTS[said['times']]}.5 times"
    some = _COUNTS.get(said["some"] or said["top"], 1)
    whole = _COUNTS.get(said["whole"]) or int(said["whole"] or _PARTS.get(said["part"] or said["half"], 0))
    if not 0 < some < whole:
        return match.group()
    rough = "" if _ROUGHLY.search(match.string, 0, match.start()) else "about "
    return f"{rough}{round(100 * some / whole)}%"
