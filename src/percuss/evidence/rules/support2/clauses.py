"""What a claim states of its case, without the appraisal or lesson around it: "Warm, which could be a concern for immunotherapy"."""

import re

from percuss.text.cued import Cued
from percuss.text.words import key_of

__all__ = ["main_clause"]

_TAIL = Cued(
    r"(?P<cut>,?\s(?:which|who|suggesting|indicating|implying|making|meaning|reflecting|highlighting)|,\s(?:so|thus|and\stherefore)|,(?=\san?\s(?:\w+\s){0,4}(?:form|type|kind)\sof\s))\s(?P<rest>[^;:()]*)$"
)
_BEFORE = Cued(
    r"^\W*(?:the\s)?(?:patient|he|she|this\spatient)\s(?:is|may\sbe|could\sbe|might\sbe)\s(?:an?\s)?(?:more\s|less\s|very\s|not\s)?(?:good\s|poor\s|strong\s)?(?:suitable|suited|candidate|eligible)\sfor\s(?:immunotherapy|checkpoint\s\w+|this\streatment)\s(?:based\son|because\sof|due\sto|given)\s(?:his\s|her\s|their\s|the\s)"
)
"""An appraisal before the finding that it is said to rest on."""
_BEING = Cued(
    r"\b(?:has|at|with)\s(?:an?\s)?(?:very\s)?(?:high|higher|good|strong|significant)\s(?:probability|likelihood|chance|risk)\sof\sbeing\b"
)
"""A hedge for "is"."""
_THAT = Cued(
    r"^\W*(?:it\s(?:is|seems|appears)\s(?:(?:also|very|most|more|highly|quite|rather)\s)?(?:(?:likely|probable|possible|clear|evident|apparent|known|noted|stated|recorded|documented|true)\s)?that|the\s(?:evidence|data|findings?|results?|report|record)\s(?:suggests?|indicates?|shows?|implies|imply)\sthat)\s"
)
"""What is said to be so, or likely; "unlikely", "not clear" and "doubtful" turn what follows and are none of these."""
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_APPRAISAL = frozenset(
    key_of(word)
    for word in (
        "the a an of for to in on with and or as is are was be been being may might could can would will that this it these their his her its patient patient's patients "
        "immunotherapy therapy therapies treatment treatments response responses respond responding suitable suitability suited candidate candidates concern concerning risk factor factors resistance benefit "
        "beneficial effective effectiveness efficacy prognosis favourable favorable unfavourable unfavorable good poor bad sign encouraging promising potential potentially likely likelihood unlikely less more most "
        "strong weak better worse outcome outcomes disease checkpoint inhibitor inhibitors inhibition blockade option options consider considered considering consideration important crucial critical "
        "significant suggests suggest suggesting indicates indicate indicating implies implying makes make making means highlights him them overall choice chance success successful approach value predictor predict "
        "highly very rather quite aggressive rare common form type kind cancer lung lungs solid tumor tumour grows grow often usually typically generally associated also which who has have had having given due "
        "component part system immune decision decisions need needed attention management clinical"
    ).split()
)
_CORE = frozenset(
    key_of(word)
    for word in "immunotherapy therapy treatment response respond suitable suited candidate concern concerning risk resistance benefit prognosis sign encouraging promising outcome checkpoint form type kind aggressive solid component".split()
)
_SHORTEST = 10


def main_clause(claim: str) -> str:
    """Return a claim without the appraisal or lesson at its end or before it; "" where it has none, or more than that is said there.

    Args:
        claim: the claim's text.

    >>> main_clause("The immune tier is Warm, which could be a concern for immunotherapy.")
    'The immune tier is Warm.'
    """
    kept = _BEING.sub("is", claim)
    kept = _THAT.sub("", kept)
    kept = _BEFORE.sub("The ", kept)
    tail = _TAIL.search(kept)
    if tail is not None and tail.start() >= _SHORTEST and _appraises(tail["rest"]):
        kept = f"{kept[: tail.start()].rstrip(' ,')}."
    return kept if kept != claim else ""


def _appraises(rest: str) -> bool:
    """Tell whether words say no more than what a finding may mean for somebody like this, or what such a thing is."""
    words = {key_of(word.lower()) for word in _WORD.findall(rest)}
    return not re.search(r"\d", rest) and words <= _APPRAISAL and bool(words & _CORE)
