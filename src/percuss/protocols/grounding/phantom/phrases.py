"""What grounding phantoms say: facts read from evidence, invented figures, admissions, and sentences that commit to nothing.

Phrasing is the phantoms' own; no checker's word lists are used. Invented figures lie above every value of the bundled
cohort (mutations per megabase, percentages, ages, z-scores all stay below 190), so that none is right by chance.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

__all__ = ["Leaf", "admission", "assertion", "garbled", "invention", "leaves", "neutral", "values"]

Leaf = tuple[str, float | str]
Rng = np.random.Generator

INVENTED_LOW, INVENTED_HIGH = 200.0, 990.0
NAMES = {
    "purity_ihc": "Purity on the stained slide",
    "purity_absolute": "Purity by copy number",
    "purity_estimate": "Purity by expression",
    "purity_lump": "Purity by methylation",
    "purity_cpe": "Consensus purity",
    "age_years": "Age",
    "sex": "Sex",
    "stage": "Stage",
    "pack_years": "Exposure in pack-years",
    "tmb_nonsilent_per_mb": "Nonsilent mutations per megabase",
    "tmb_silent_per_mb": "Silent mutations per megabase",
    "io_score": "The combined score",
    "io_tier": "The tier",
}
# An invented sentence is one of these in one of the settings below, so that two of them are rarely near-paraphrases.
_MEASURES = (
    "ferritin climbed to {n}", "the corridor walk came to {n} metres", "platelets stood at {n}",
    "kidney filtration was charted at {n}", "cells in culture doubled every {n} minutes",
    "interleukin traces peaked at {n} picograms", "a call to the family took {n} seconds",
    "radiation planning used {n} monitor units", "vitamin reserves of {n} were reported",
    "alkaline phosphatase reached {n}", "the sequencing invoice listed {n} euros",
    "fasting insulin came back as {n}", "table speed of the scanner was {n}",
    "dietary sodium amounted to {n} milligrams", "oxygen cylinders weighed {n} pounds",
    "elastase rose by {n}", "sleep monitoring counted {n} arousals", "the copper balance was {n}",
    "retinal thickness was photographed at {n}", "the cough diary held {n} entries",
    "cholesterol particles numbered {n}", "grip strength registered {n} newtons",
    "the wound drain collected {n} millilitres", "air pollution indoors averaged {n} micrograms",
    "amylase in the fluid hit {n}", "uric acid was {n} before breakfast", "troponin was reported as {n}",
    "bone mineral content was {n}", "the allergy panel totalled {n} units",
    "bacterial colonies multiplied to {n}", "the ventilator delivered {n} breaths",
    "urine volume was {n} over one shift", "a bilirubin of {n} turned the skin yellow",
    "thyroid antibodies were {n}", "the noise in the ward reached {n} pascals",
    "ultrasound gain was set to {n}", "sweat chloride gave {n}", "glucose spiked to {n} after lunch",
    "the pacemaker fired {n} times", "step counts fell to {n}",
)  # fmt: skip
_SETTINGS = (
    "On the first admission", "During the winter", "After the second infusion", "By the local laboratory",
    "In a letter from abroad", "At the dental check", "Before the flight home", "According to the night nurse",
    "Following physiotherapy", "In the archived notes", "Under general anaesthesia", "Once the fever had gone",
)  # fmt: skip
_TOPICS = (
    "A treatment plan", "The outlook", "Biology of this sort", "The choice of words", "Family support",
    "Comfort", "Shared judgement", "A second opinion", "The team's experience", "Timing", "Patience",
    "Toxicity", "A lively discussion", "Trial participation", "The course so far", "Response to treatment",
    "Recovery at home", "Communication",
)  # fmt: skip
_REMARKS = (
    "deserves careful thought", "varies widely between people", "is seldom simple", "leaves room for debate",
    "matters more than any single test", "should be weighed at the board meeting", "tends to be underrated",
    "can change within months", "is typical for a tumour of this kind", "would be an attractive point to raise",
    "remains a matter of taste", "asks for a balanced reading",
)  # fmt: skip
_ADMISSIONS = (
    "No RNA data were supplied.",
    "Pathology data are not available.",
    "Clinical data were not supplied.",
    "The fused summary is unavailable.",
    "No pathology reading can be given.",
    "Transcriptomics cannot be assessed.",
    "No clinical record was supplied.",
    "RNA readings are unavailable.",
)
_STAGES = ("I", "II", "III", "IV")


def leaves(evidence: str) -> tuple[Leaf, ...]:
    """Return the values that a JSON evidence packet holds, as (last key, value); empty for anything else.

    Args:
        evidence: text between the evidence delimiters.
    """
    try:
        packet = json.loads(evidence)
    except json.JSONDecodeError:
        return ()
    return values(packet)


def values(packet: Any) -> tuple[Leaf, ...]:
    """Return the values of a packet as nested mappings, as (last key, value)."""
    return tuple(_walk("", packet))


def _walk(key: str, value: Any) -> Iterator[Leaf]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _walk(name, inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _walk(key, inner)
    elif (key in NAMES or key.startswith("z_")) and _stated(value):
        yield key, value


def assertion(leaf: Leaf) -> str:
    """Return a sentence that states one value of the evidence as it stands there."""
    key, value = leaf
    if key.startswith("z_"):
        return f"{key.removeprefix('z_').upper()} expression sits at {value}."
    if key == "stage":
        return f"Disease is at stage {value}."
    if key == "sex":
        return f"The patient is {value}."
    if key == "io_tier":
        return f"The tier is {value}."
    return f"{NAMES[key]} is {value}."


def garbled(leaf: Leaf, rng: Rng) -> str:
    """Return a sentence on the same field with another value."""
    key, value = leaf
    if key == "stage":
        others = [stage for stage in _STAGES if stage != str(value).rstrip("ABC")]
        return assertion((key, _pick(others, rng)))
    if isinstance(value, str):
        return invention(rng)
    return assertion((key, _figure(rng)))


def invention(rng: Rng) -> str:
    """Return a sentence with an invented figure."""
    return f"{_pick(_SETTINGS, rng)}, {_pick(_MEASURES, rng).format(n=_figure(rng))}."


def neutral(rng: Rng) -> str:
    """Return a sentence that names no field and commits to no value."""
    return f"{_pick(_TOPICS, rng)} {_pick(_REMARKS, rng)}."


def admission(rng: Rng) -> str:
    """Return a sentence that says that evidence is missing."""
    return _pick(_ADMISSIONS, rng)


def _stated(value: Any) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _figure(rng: Rng) -> float:
    return round(float(rng.uniform(INVENTED_LOW, INVENTED_HIGH)), 1)


def _pick(words: Sequence[str], rng: Rng) -> str:
    return words[int(rng.integers(len(words)))]
