"""Ways of saying that the other readers know under another one: "has come off X" is "X has been stopped"."""

import re

from percuss.evidence.rules.support2.tables import members
from percuss.text.concepts import mentions
from percuss.text.cued import Cued

__all__ = ["apposed", "reworded"]

_WHO = r"(?P<who>(?:[Tt]he\s)?(?:[Pp]atient|[Hh]e|[Ss]he|[Tt]hey))"
_DRUG = r"(?P<drug>[A-Za-z][a-z]{4,}(?:[-/][a-z]+)*)"
_FORMS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(form), by)
    for form, by in (
        (rf"^{_WHO}\s(?:has\scome|came|has\sbeen\staken|was\staken|is\snow|is)\soff\s(?:the\s|his\s|her\s)?{_DRUG}(?=[.]?$)", r"\g<drug> has been stopped"),
        (rf"^{_DRUG}\s(?:has\scome\soff|came\soff|has\sbeen\s(?:taken\soff|dropped|ceased|halted)|was\s(?:dropped|ceased|halted))(?=[.]?$)", r"\g<drug> has been stopped"),
        (rf"^{_WHO}\s(?:is\sno\slonger\son|has\sfinished\swith|has\sbeen\sweaned\soff)\s(?:the\s|his\s|her\s)?{_DRUG}(?=[.]?$)", r"\g<drug> has been stopped"),
        (rf"^{_DRUG}\s(?:has\sbeen|was|is\sbeing|is)\s(?:built\sup|brought\sup|titrated|titrated\sup|uptitrated|up-titrated|pushed\sup|increased|raised|cut\sdown|cut|brought\sdown|reduced|lowered)\sto\s(?P<dose>\d[^,;]*?)(?=[.]?$)", r"\g<drug> \g<dose>"),
        (rf"^{_WHO}\s(?:is|was|has\sbeen)\s(?:anticoagulated|treated|rate[- ]controlled|managed|covered|maintained|established)\s(?:with|on)\s(?P<drug>[a-z]{{5,}}[^,;]*?)(?=[.]?$)", r"\g<who> takes \g<drug>"),
        (rf"^(?:{_WHO}\s)(?:went\shome|was\sdischarged|goes\shome|left)\son\s(?P<drug>[a-z]{{5,}}[^,;]*?)(?=[.]?$)", r"\g<who> takes \g<drug>"),
        (r"^(?:The\s|His\s|Her\s)?(?P<of>[A-Za-z][A-Za-z0-9 -]{1,40}?)\s(?P<v>was|were)\s(?P<x>\d[^,;]*?)\s(?:on|at)\s(?:arrival|admission|presentation|the\soutset)(?=[.]?$)", r"The initial \g<of> \g<v> \g<x>"),
        (r"^(?:The\s|His\s|Her\s)?(?P<of>[A-Za-z][A-Za-z0-9 -]{1,40}?)\s(?:on|at)\s(?:arrival|admission|presentation)\s(?P<v>was|were)\s(?P<x>\d[^,;]*?)(?=[.]?$)", r"The initial \g<of> \g<v> \g<x>"),
        (r"^(?:The\s|His\s|Her\s)?(?P<of>[A-Za-z][A-Za-z0-9 -]{1,40}?)\s(?P<v>was|were)\s(?P<x>\d[^,;]*?)\s(?:at\sthe\slast\scheck|when\slast\s(?:checked|measured)|most\srecently)(?=[.]?$)", r"The latest \g<of> \g<v> \g<x>"),
        (r"\b(?:came|comes|come)\sback\s(?:as|at)\b", "was"),
        (r"\b(?:was|is)\sa\s(?:touch|little|bit|shade|tad)\s(?P<w>high|low|raised)\sat\b", r"was \g<w> at"),
        (r"\s(?:a|per)\sminute\b", "/min"),
        (r"\bfast\s(?=AF\b|atrial)", ""),
        (r"\bon\sthe\s(?P<n>first|second|third|fourth|fifth)\sof\s(?=January|February|March|April|May|June|July|August|September|October|November|December)", r"on \g<n> of "),
        (r"\b[Tt]umou?r[-\s]infiltrating\slymphocytes\s(?=make|account|are|cover|fill)", "TILs "),
        (r"^Overall\s(?:that|this)\smakes\s(?=stage)", "This is "),
        (r"^(?:In\s(?:total|all)|All\sin\sall|Overall|In\sshort|In\ssum),?\s(?=[a-zA-Z])", ""),
    )
)  # fmt: skip
_CUE = Cued(
    r"\b(?:come|came|taken|now|is) off\b|\b(?:dropped|ceased|halted|finished|weaned|longer|built|brought|titrated|uptitrated|pushed|cut|increased|raised|reduced|lowered|anticoagulated|treated|controlled|managed|covered|maintained|established|went home|goes home|discharged|back|touch|little|bit|shade|tad|minute|fast|makes|overall|in all|in total|in short|in sum|arrival|admission|presentation|outset|last|recently)\b|\bup-titrated\b|\binfiltrating\b|\bon the \w+ of\b"
)
_OFF = Cued(r"\boff\b")
_ENDS = 2
"""How many of the forms say that something has ended: they are read first, for "off" turns what follows."""
_NUMBERS = {"first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5"}
_NTH = re.compile(r"\bon\s(?P<n>first|second|third|fourth|fifth)\sof\s")
_APPOSED = re.compile(
    r"^(?:[Tt]he|[Hh]is|[Hh]er)\s(?P<class>[A-Za-z][A-Za-z -]{2,30}?),\s(?P<drug>[a-z]{5,}(?:-[a-z]+)*),\s(?=(?:has|had|is|was)\s)"
)
_COMMAS = Cued(r",\s[a-z]+,\s(?:has|had|is|was)\b")


def reworded(claim: str) -> str:
    """Return a claim in words that more readers know; "" where it has none of those that are known here.

    Args:
        claim: the claim's text.

    >>> reworded("She is no longer on methotrexate.")
    'methotrexate has been stopped.'
    """
    if not _CUE.search(claim):
        return ""
    text = claim
    for form, by in _FORMS:
        text = form.sub(by, text)
    text = _NTH.sub(lambda m: f"on {_NUMBERS[m['n']]} ", text)
    return text if text != claim else ""


def apposed(claim: str) -> str:
    """Return a claim whose subject is named twice ("the ACE inhibitor, ramipril, has ...") with the narrower name alone, and one that something
    "has come off" as one that it has been stopped; "" where the two names are of different things.

    Args:
        claim: the claim's text.

    >>> apposed("The ACE inhibitor, ramipril, has come off.")
    'ramipril has been stopped.'
    """
    if _OFF.search(claim):
        for form, by in _FORMS[:_ENDS]:
            claim = form.sub(by, claim)
    match = _APPOSED.match(claim) if _COMMAS.search(claim) else None
    if match is None:
        return claim
    fits = _fits(match["drug"], match["class"])
    if fits is None:
        return claim
    kept = f"{match['drug']} {claim[match.end() :]}"
    return (apposed(kept) if _OFF.search(kept) else kept) if fits else ""


def _fits(drug: str, said: str) -> bool | None:
    """Tell whether a drug is of the class that is said; None where one of the two isn't known."""
    named, classes = mentions(drug), mentions(said)
    if len(named) != 1 or len(classes) != 1:
        return None
    drug, of = named[0].concept, classes[0].concept
    classes_of = [row for row in members() if row.drug and drug in row.of]
    return any(of in row.gives for row in classes_of) if classes_of else None
