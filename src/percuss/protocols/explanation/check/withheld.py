"""Does an explanation say that something can't be seen or judged on its picture: `withheld` of definitions/explanation, version 2.

A finding that is denied ("a pneumothorax is not visible"), a hedge ("a small effusion cannot be excluded"), a cover that is named
or taken for a finding ("covered by a black rectangle, which suggests ..") and what hides behind the heart are none.
"""

import re

from percuss.text.sentences import split

__all__ = ["NAME", "is_withheld_at", "withheld"]

NAME = "rule:withheld-1"
_COVER = r"(?:box|boxes|rectangles?|cover|mask|patch|patches|bar|block|square)"
_BY_COVER = rf"(?:by|with|behind|under|in|beneath) (?:a |the |an )?(?:\w+ )?{_COVER}\b"
_NOT = r"(?:can(?:no|')t|can not|could(?: not|n't)|(?:am|is|are|was|were) (?:unable|not able) to|unable to|impossible to|not possible to)"
_SOFT = r"(?:be |clearly |reliably |fully |properly |now )*"
_JUDGED = re.compile(
    rf"\b{_NOT} {_SOFT}(?:assess|evaluat|judge|tell\b|interpret|comment|read\b|inspect|say\b|determin)|"  # "cannot be assessed"
    rf"\bno [\w ]{{1,40}} (?:can|could) be (?:assessed|judged|evaluated|determined)|"  # "no pneumothorax could be judged there"
    r"\bno (?:\w+ )?(?:assessment|judg\w+|evaluation|statement) (?:of [\w ]+ )?(?:is|was) possible|"  # "no assessment of the base is possible"
    r"\b(?:insufficient|not enough) (?:information|evidence|detail)\b|"  # "insufficient information in the picture"
    r"\bnothing (?:can|could) be (?:seen|said|made out|read)|"  # "nothing can be made out"
    r"\bprevents? (?:me|us|one|any) (?:from )?(?:see|assess|judg|evaluat)",  # "prevents me from seeing"
    re.IGNORECASE,
)
_KNOWN_ABOUT = re.compile(r"\b(?:cause|aetiology|etiology|age|duration|nature|significance|origin)\b", re.IGNORECASE)  # "the age of the effusion cannot be determined"  # fmt: skip
_UNSEEN = re.compile(
    rf"\b{_NOT} {_SOFT}(?:see|seen|visuali[sz]ed?|view|viewed)\b|\b(?:isn't|aren't|wasn't|(?:is|are|was|were|be) not) {_SOFT}"
    r"(?:visible|assessable|evaluable|visuali[sz]ed|in view|included in what)",  # "the angle isn't visible"
    re.IGNORECASE,
)
_HIDDEN = re.compile(
    rf"\b(?:hidden|concealed|obscured|masked|occluded|lies|lie) {_BY_COVER}|\b(?:hidden|removed) from (?:view|sight)\b|"  # "hidden behind the black box"
    r"\b(?:blacked|blocked|masked)[ -]out\b|"  # "blocked out"
    rf"\b{_COVER} (?:\w+ )?(?:obscures?|hides?|conceals?|blocks?)\b|"  # "the rectangle hides the very place"
    r"\b(?:picture|image|film) (?:does not|doesn't) show (?:this|that|the) (?:area|region|part|side|place)\b",  # "does not show this area"
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"\b(?:angles?|lungs?|apex|apices|bases?|(?:hemi)?diaphragms?|hemithorax|borders?|regions?|areas?|parts?|zones?|fields?|sides?|silhouette|chest|"
    r"heart|hila|hilum|mediastinum|structures?|place)\b",
    re.IGNORECASE,
)
_FINDING = re.compile(
    r"\b(?:effusions?|opacit\w+|pneumothorax|nodules?|tubes?|lines?|pacemaker|catheters?|consolidation|atelectasis|congestion|markings?|fractures?|devices?|"
    r"abnormalit\w+|fluid|enlargement)\b",
    re.IGNORECASE,
)
_CANT = re.compile(rf"\b{_NOT}", re.IGNORECASE)
#: Where one statement of a sentence ends: "hidden behind the box, so I assume no effusion" states what it can't see.
_PART = re.compile(
    r"[;:]|\b(?:but|however|although|though|whereas|yet|nevertheless|still|despite)\b|,\s+(?=(?:so|and|therefore|hence|thus|or)\b)",
    re.IGNORECASE,
)
_SIGN = re.compile(r"\b(?:suggest|indicat|consistent with|sign of|impl(?:y|ies)|corresponds? to|which means)", re.IGNORECASE)  # fmt: skip


def withheld(text: str) -> bool:
    """Return whether a text says that something can't be seen or judged on the picture, or is hidden by a cover.

    Args:
        text: the whole reasoning.

    >>> withheld("The left angle is hidden behind the black box."), withheld("A small effusion cannot be excluded.")
    (True, False)
    """
    sentences = [text[start:stop] for start, stop in split(text)] or [text]
    return any(_says(sentence.replace("’", "'")) for sentence in sentences)


def is_withheld_at(text: str, at: int) -> bool:
    """Return whether what a text speaks of at a place is said to be hidden or not to be judged, rather than stated.

    Args:
        text: the whole reasoning. at: offset in it, of a finding's first word.

    >>> said = "The base is hidden by the box, so an effusion cannot be assessed; no pneumothorax."
    >>> is_withheld_at(said, said.index("effusion")), is_withheld_at(said, said.index("pneumothorax"))
    (True, False)
    """
    start, stop = next((each for each in split(text) if each[0] <= at < each[1]), (0, len(text)))
    sentence, place = text[start:stop].replace("’", "'"), at - start
    cuts = [match.start() for match in _PART.finditer(sentence)]
    first = max((cut for cut in cuts if cut <= place), default=0)
    part = sentence[first : min((cut for cut in cuts if cut > place), default=len(sentence))]
    return _says(part) or (_CANT.search(part) is not None and _says(sentence))


def _says(sentence: str) -> bool:
    if _JUDGED.search(sentence) and not _KNOWN_ABOUT.search(sentence):
        return True
    if _HIDDEN.search(sentence):
        return _SIGN.search(sentence) is None
    return any(_of_a_place(sentence, unseen) for unseen in _UNSEEN.finditer(sentence))


def _of_a_place(sentence: str, unseen: re.Match[str]) -> bool:
    """Tell whether a place is what isn't seen: the last noun before the words, else the first one after them."""
    before = sentence[: unseen.start()]
    near = [
        (m.start(), place)
        for kind, place in ((_PLACE, True), (_FINDING, False))
        for m in kind.finditer(before)
    ]
    if near:
        return max(near)[1]
    after = [(m.start(), place) for kind, place in ((_PLACE, True), (_FINDING, False)) for m in kind.finditer(sentence, unseen.end())]  # fmt: skip
    return bool(after) and min(after)[1]
