"""What grounding phantoms say: facts read from evidence, invented figures, admissions, and what holds of every case.

Phrasing is the phantoms' own. Invented figures lie above every value of the bundled
cohort (mutations per megabase, percentages, ages, z-scores all stay below 190), so that none is right by chance.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

__all__ = ["Leaf", "admission", "assertion", "garbled", "invention", "leaves", "sure", "values"]

Leaf = tuple[str, float | str]
Rng = np.random.Generator

INVENTED_LOW, INVENTED_HIGH = 200.0, 990.0
NAMES = {
    "purity_estimate": "Purity by expression",
    "purity_cpe": "Consensus purity",
    "sex": "Sex",
    "stage": "Stage",
    "pack_years": "Exposure in pack-years",
    "io_score": "The io score",
    "io_tier": "The tier",
}
# An invented sentence names one of these in one of these ways, so that two of them are rarely near-paraphrases. The
# packets hold no laboratory values, and nothing in them implies any.
_MEASURES = (
    "ferritin", "platelets", "troponin", "amylase", "glucose", "bilirubin", "sodium", "potassium", "creatinine",
    "haemoglobin", "albumin", "CRP", "lactate", "calcium", "magnesium", "phosphate", "urea", "AST", "ALT", "LDH", "TSH",
    "lipase", "PSA", "cortisol", "prolactin", "testosterone", "folate", "transferrin", "procalcitonin", "fibrinogen",
    "ammonia", "haptoglobin", "triglycerides", "copper", "zinc", "aldosterone", "alkaline phosphatase", "uric acid",
    "sweat chloride", "vitamin D", "D-dimer", "parathyroid hormone",
)  # fmt: skip
_WAYS = (
    "stood at {n}", "was reported as {n}", "reached {n}", "came back as {n}", "hit {n}",
    "was {n} before breakfast", "spiked to {n} after lunch", "read {n} at noon", "was charted at {n}",
)  # fmt: skip
# What holds of every case of the cohort, so that a model may say it without evidence and be right.
_SURE = (
    "The io score is below {n}", "Io score was less than {n}", "The io score is at most {n}",
    "Consensus purity is below {n}", "Consensus purity was under {n}", "Consensus purity is less than {n}",
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
        return f"{key.removeprefix('z_').upper()} is {value}."
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
    if isinstance(value, str) or key == "purity_estimate":
        return invention(rng)
    return assertion((key, _figure(rng)))


def invention(rng: Rng) -> str:
    """Return a sentence with an invented figure."""
    what = _pick(_MEASURES, rng)
    return f"{what[0].upper()}{what[1:]} {_pick(_WAYS, rng).format(n=_figure(rng))}."


def sure(rng: Rng) -> str:
    """Return a sentence that holds of every case of the cohort, whatever its evidence."""
    return f"{_pick(_SURE, rng).format(n=_figure(rng))}."


def admission(rng: Rng) -> str:
    """Return a sentence that says that evidence is missing."""
    return _pick(_ADMISSIONS, rng)


def _stated(value: Any) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _figure(rng: Rng) -> float:
    return round(float(rng.uniform(INVENTED_LOW, INVENTED_HIGH)), 1)


def _pick(words: Sequence[str], rng: Rng) -> str:
    return words[int(rng.integers(len(words)))]
