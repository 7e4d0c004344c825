"""How much a fact bears on the diagnosis, and what kind of evidence a test is: from its words, for cases without marks."""

import re

from percuss.protocols.stressors.scenario.vignettes import Kind
from percuss.protocols.stressors.scenario.wording import content_words

__all__ = ["is_missing", "key_score", "kind_of_test", "names"]

_CONFIRMS = re.compile(
    r"\b(?:consistent with|indicat\w+|confirm\w+|suggest\w+|compatible with|diagnostic|characteristic|reveal\w+)\b",
    re.IGNORECASE,
)
_ABNORMAL = re.compile(
    r"\b(?:elevated|decreased|increased|reduced|positive|abnormal\w*|low|high|present|enlarged|mass|lesions?|thicken\w+|"
    r"tender\w*|swelling|swollen|absent|prolonged|infiltrat\w+|opacit\w+|consolidation|effusion|necro\w+|atroph\w+|"
    r"diminished|plaques?|papules?|nodules?|ulcer\w*|eryth\w+|scal\w+|vesicles?|blisters?|fracture|dilat\w+|steno\w+|"
    r"murmur|crackles|wheez\w+|rash|hyper\w+|hypo\w+|cysts?|granulom\w+|organisms?|atypi\w+)\b",
    re.IGNORECASE,
)
_MISSING = re.compile(
    r"^\s*(?:n/?a|none|null|not (?:provided|available|applicable|recorded|performed|done|specified|indicated.*)|pending.*|"
    r"imagine findings.*|unknown|to be determined|awaiting.*)\s*\.?\s*$|\bcould be considered\b|\bcan be considered\b|"
    r"\b(?:should|may|might) be (?:considered|ordered|performed)\b|\bnot indicated in the scenario\b|\bnot mandatory\b|"
    r"\bimagine findings\b|\bif clinically indicated\b",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(r"^\s*(?:no|normal|negative|unremarkable|within normal|clear)\b", re.IGNORECASE)
_KINDS: tuple[tuple[Kind, str], ...] = (
    ("pathology", r"biops|smear|aspirat|histolog|cytolog|patholog|scraping|koh\b|immunofluoresc|gram stain|tzanck|dermatoscop|microscop"),
    ("imaging", r"x-?ray|\bct\b|\bmri\b|ultraso|echo|radiograph|imaging|angiogra|mammogra|\bscan\b|doppler|pyelogram|fluoroscop|barium|scintigra"),
    ("procedure", r"scopy\b|lumbar puncture|amniocent|paracentes|catheteri|endoscop"),
    ("functional", r"\becg\b|\bekg\b|electrocardio|\beeg\b|\bemg\b|electromyo|audiometr|spirometr|pulmonary function|nerve conduction|polysomno|tonometr"),
)  # fmt: skip


def is_missing(value: object) -> bool:
    """Tell whether a leaf is no finding: null, "N/A", "Pending", or a suggestion of what could be done."""
    return value is None or not str(value).strip() or bool(_MISSING.search(str(value)))


def kind_of_test(name: str) -> Kind:
    """Return the kind of a test by its name; what nothing else names is a laboratory test."""
    return next((kind for kind, pattern in _KINDS if re.search(pattern, name, re.IGNORECASE)), "lab")


def names(text: str, diagnosis: str) -> bool:
    """Tell whether a text says the diagnosis: the whole string, or all of its content words."""
    if diagnosis.lower() in text.lower():
        return True
    words = content_words(diagnosis)
    return len(words) > 1 and words <= content_words(text)


def key_score(text: str, diagnosis: str) -> int:
    """Return how much a fact bears on the diagnosis (definitions, section 3).

    Args:
        text: of the fact. diagnosis: the gold one.

    +4 names the diagnosis, +2 holds a content word of it, +2 "consistent with / indicates / confirms", +1 an abnormal
    word; 0 is a normal or unrelated finding.
    """
    score = 4 if names(text, diagnosis) else 0
    score += 2 if content_words(diagnosis) & content_words(text) else 0
    score += 2 if _CONFIRMS.search(text) else 0
    negative = bool(_NEGATIVE.match(text.rpartition(": ")[2]))
    return score + (1 if _ABNORMAL.search(text) and not negative else 0)
