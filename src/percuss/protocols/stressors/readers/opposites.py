"""Words of findings that exclude each other."""

import re

__all__ = ["PAIRS"]

_OPPOSITES: tuple[tuple[str, str], ...] = (
    (r"flat|not distended|collapsed", r"distended|raised|engorged|elevated"),
    (r"elevat\w*", r"depress\w*"),
    (r"positive\w*|detected|reactive|present", r"negative\w*|absent|undetected|non-reactive|not detected|not found"),
    (r"left(?:-sided)?", r"right(?:-sided)?"),
    (r"anter\w+|anteroseptal", r"infer\w+|posterior"),
    (r"systolic", r"diastolic"),
    (r"eas(?:es|ed)|relie\w+|better|improv\w+", r"wors\w+|no relief|aggravat\w+"),
    (r"soft", r"hard|rigid"),
    (r"open", r"closed"),
    (r"intact|preserved|normal|unremarkable|full", r"impaired|reduced|lost|abnormal|absent|broken"),
    (r"small|shrunken", r"large|enlarged|big"),
    (r"upgoing|extensor", r"downgoing|flexor"),
    (r"symmetrical|bilateral|both sides", r"asymmetrical|unilateral|one side|right side only|left side only"),
    (r"high|elevated|raised|increased", r"low|reduced|decreased|suppressed"),
    (r"diffuse", r"focal|localised|nodular"),
    (r"smooth", r"nodular|beaded|rough|coated"),
    (r"tense", r"flaccid"),
    (r"gram-negative", r"gram-positive"),
    (r"subepidermal", r"intraepidermal"),
    (r"fluent", r"slurred"),
    (r"gained", r"lost"),
    (r"clear", r"crackles|wheeze\w*|cloudy"),
    (r"supple", r"stiff"),
    (r"sparse", r"lively|brisk"),
    (r"linear", r"granular"),
    (r"sinus", r"atrial fibrillation|flutter"),
    (r"stiff", r"supple|mobile"),
    (r"empty", r"sac|gestational sac|embryo"),
    (r"cold|cool", r"hot|warm"),
    (r"unobstructed|patent", r"obstructed|blocked|dilated|beaded"),
    (r"bloody", r"watery|no blood"),
    (r"lying|flat", r"leaning forward|leans forward|sitting"),
    (r"aortic", r"mitral|tricuspid"),
)  # fmt: skip
PAIRS = tuple(
    (re.compile(rf"\b(?:{a})\b", re.IGNORECASE), re.compile(rf"\b(?:{b})\b", re.IGNORECASE))
    for a, b in _OPPOSITES
)
"""Expressions for the two sides; each side may have several words."""
