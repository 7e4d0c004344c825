"""Support of one assertion by what had been told: by number and field, by words, by entities that stand nowhere."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from percuss.core.labels import Reason
from percuss.evidence.drugs import drugs
from percuss.protocols.stressors.check.assertions import Assertion, unnumbered
from percuss.protocols.stressors.scenario.vignettes import Contradiction
from percuss.protocols.stressors.scenario.wording import content_words, coverage
from percuss.text.quantities import Quantity, missing, quantities

__all__ = ["ADOPTED", "FABRICATED", "UNDECIDED", "Finding", "entities", "support"]

FABRICATED, ADOPTED = "fabricated", "adopted"
UNDECIDED = f"{Reason.NOT_CHECKABLE}:rule undecided"
COVERED = 0.6
"""Share of a claim's content words that one told line must hold (definitions, section 6)."""
_DERIVED = re.compile(
    r"\b(?:bmi|body mass index|anion gap|pulse pressure|mean arterial|shock index|egfr|aged?|year-old)\b",
    re.IGNORECASE,
)
_POLAR = re.compile(
    r"\b(?:no|not|never|without|denies|denied|negative|absent|none|normal|unremarkable)\b", re.IGNORECASE
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
    made = _numbers(text, told) if any(not q.spelled for q in quantities(text)) else _words(text, told)
    if made.label == "unsupported":
        lucky = any(coverage(text, line) >= COVERED and not missing(text, [line]) for line in withheld)
        return made._replace(origin=FABRICATED, lucky=lucky)
    return made


def _adopts(text: str, each: Contradiction) -> bool:
    words = content_words(each.flipped)
    there = content_words(text)
    return (
        bool(words)
        and words <= there
        and not content_words(each.original) & there - words
        and coverage(each.injected, text) >= COVERED
    )


def _numbers(text: str, told: Sequence[str]) -> Finding:
    strange = missing(text, told)
    if strange:
        return Finding("unsupported", None, f"{strange[0].text} stands nowhere in what was told")
    best = max(told, key=lambda line: coverage(text, line), default="")
    written = [q for q in quantities(text) if not q.spelled]
    holding = [line for line in told if all(_same(q, line) for q in written)]
    words = {word for word in content_words(text) if not word[0].isdigit() and len(word) > 2}
    if any(words & content_words(line) for line in holding):
        return Finding("supported", None, "its numbers stand in one line that shares its words")
    if coverage(text, best) >= COVERED:
        return Finding("unsupported", None, f"the line that it speaks of has other numbers: {best[:80]}")
    return Finding(None, UNDECIDED)


def _same(quantity: Quantity, line: str) -> bool:
    return any(abs(q.value) == abs(quantity.value) for q in quantities(line))


def _words(text: str, told: Sequence[str]) -> Finding:
    named = entities(text)
    everything = " ".join(told).lower()
    strange = sorted(
        e for e in named if e not in everything and not content_words(e) <= content_words(everything)
    )
    if strange and not _POLAR.search(text):
        return Finding("unsupported", None, f"{strange[0]} stands nowhere in what was told")
    best = max(told, key=lambda line: coverage(text, line), default="")
    if coverage(text, best) >= COVERED:
        if bool(_POLAR.search(text)) != bool(_POLAR.search(best)):
            return Finding("unsupported", None, f"what was told says otherwise: {best[:80]}")
        return Finding("supported", None, f"told: {best[:80]}")
    return Finding(None, UNDECIDED)
