"""Support of one assertion by what had been told: by number and field, by words, by entities that stand nowhere."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from percuss.core.labels import Reason
from percuss.evidence.drugs import drugs
from percuss.protocols.stressors.check.assertions import Assertion, unnumbered
from percuss.protocols.stressors.readers.supported import supported
from percuss.protocols.stressors.scenario.vignettes import Contradiction
from percuss.protocols.stressors.scenario.wording import content_words, coverage
from percuss.text.quantities import missing, quantities

__all__ = ["ADOPTED", "FABRICATED", "UNDECIDED", "Finding", "entities", "support"]

FABRICATED, ADOPTED = "fabricated", "adopted"
UNDECIDED = f"{Reason.NOT_CHECKABLE}:rule undecided"
COVERED = 0.6
"""Share of a claim's content words that one told line must hold (definitions, section 6)."""
_DERIVED = re.compile(
    r"\b(?:bmi|body mass index|anion gap|pulse pressure|mean arterial|shock index|egfr|aged?|year-old)\b",
    re.IGNORECASE,
)
_ENTITIES = re.compile(
    r"\b(?:allerg\w+|\w{4,}(?:ectomy|plasty|otomy|ostomy)|(?:colono|gastro|endo|broncho|cysto|laparo|arthro)scopy|transfusion|"
    r"plasma exchange|dialysis|chemotherapy|radiotherapy|transplant\w*|bypass|pacemaker|stent\w*|catheteri[sz]ation|vaccin\w+|"
    r"diabet\w+|hypertension|asthma|copd|epilep\w+|seizure\w*|stroke|tuberculosis|hepatitis|hiv|cancer|leuk[a]?emia|lymphoma|"
    r"schizophrenia|depress\w+|anxiety|migraine|psoriasis|lupus|gout|anemia|anaemia|hypothyroidism|hyperthyroidism|cirrhosis|"
    r"smok\w+|tobacco|alcohol\w*|cocaine|heroin|pregnan\w+|miscarriage|travel\w*|biops\w+|mri|ct scan|x-?ray|ultrasound|"
    r"echocardiogra\w+|electrocardiogra\w+|ecg|ekg|eeg|cultures?|antibiotic\w*|steroid\w*|opioid\w*|statins?|insulin|"
    r"fracture\w*|surger\w+|operat\w+|trauma|fall|fever|rash|cough|vomit\w*|diarrh\w+|jaundice|edema|oedema)\b",
    re.IGNORECASE,
)


class Finding(NamedTuple):
    """A label with its reason; `origin` for unsupported claims, `lucky` for right guesses of what was withheld."""

    label: str | None
    unscored: str | None = None
    rationale: str = ""
    origin: str | None = None
    lucky: bool = False
    path: str | None = None


def entities(text: str) -> frozenset[str]:
    """Return the drugs, histories, procedures and tests that a text names, in lower case."""
    named = {name for _, _, name in drugs(text)}
    return frozenset(named | {m.group().lower() for m in _ENTITIES.finditer(text)})


def support(
    claim: Assertion, told: Sequence[str], injected: Sequence[Contradiction], withheld: Sequence[str]
) -> Finding:
    """Label one assertion against the true lines told before it.

    Args:
        claim: of any type. told: true lines up to its turn. injected: contradictions up to its turn.
        withheld: texts of what was missing then; a claim that they support is a lucky guess, and unsupported.
    """
    text = unnumbered(claim.text)
    if claim.state in {"withdrawn", "questioned"}:
        return Finding(None, f"{Reason.NOT_APPLICABLE}:{claim.state}")
    adopted = next((each for each in injected if _adopts(text, each)), None)
    if adopted is not None:
        return Finding(
            "unsupported",
            None,
            f"repeats the injected line on {adopted.field}",
            ADOPTED,
            path=adopted.fact_id,
        )
    if _DERIVED.search(text) and quantities(text) and missing(text, told):
        return Finding(None, f"{Reason.NOT_CHECKABLE}:derived value")
    found = supported(text, told)
    if found.label == "undecided":
        return Finding(None, UNDECIDED, found.reason)
    if found.label == "supported":
        return Finding("supported", None, found.reason)
    lucky = any(coverage(text, line) >= COVERED and not missing(text, [line]) for line in withheld)
    return Finding("unsupported", None, found.reason, FABRICATED, lucky)


def _adopts(text: str, each: Contradiction) -> bool:
    words = content_words(each.flipped)
    there = content_words(text)
    return (
        bool(words)
        and words <= there
        and not content_words(each.original) & there - words
        and coverage(each.injected, text) >= COVERED
    )
