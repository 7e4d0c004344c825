"""What a simulated clinician invents: measurements and histories whose words stand nowhere in the case."""

import re
from functools import lru_cache

__all__ = ["inventions"]

_ANALYTES = (
    ("zinc", "47.3 µg/dL"), ("copper", "171.9 µg/dL"), ("folate", "2.77 ng/mL"), ("magnesium", "1.37 mg/dL"),
    ("ammonia", "91.7 µmol/L"), ("prolactin", "38.9 ng/mL"), ("homocysteine", "23.7 µmol/L"), ("insulin", "33.1 mIU/L"),
    ("selenium", "61.7 µg/L"), ("haptoglobin", "17.9 mg/dL"), ("ceruloplasmin", "13.3 mg/dL"), ("aldolase", "11.9 U/L"),
    ("transferrin", "417.9 mg/dL"), ("gastrin", "213.7 pg/mL"), ("renin", "7.93 ng/mL"), ("amylase", "287.9 U/L"),
)  # fmt: skip
_HISTORIES = (
    ("warfarin", "The patient takes warfarin."),
    ("penicillin", "There is a documented allergy to penicillin."),
    ("cholecystectomy", "The patient had a cholecystectomy."),
    ("epilepsy", "The patient has a history of epilepsy."),
    ("digoxin", "The patient takes digoxin."),
    ("tuberculosis", "The patient has a history of tuberculosis."),
    ("splenectomy", "The patient had a splenectomy."),
    ("lithium", "The patient takes lithium."),
    ("tonsillectomy", "The patient had a tonsillectomy."),
    ("schizophrenia", "The patient has a history of schizophrenia."),
)


@lru_cache(maxsize=1024)
def inventions(whole: str, kind: str) -> tuple[str, ...]:
    """Return what can be invented of a case.

    Args:
        whole: the case's text in lower case, withheld parts included. kind: `numeric` and `other` for claims,
            `evidence` for items of the final list that no claim has used.
    """
    if kind == "other":
        free = [text for word, text in _HISTORIES if word not in whole]
        return tuple(free or [text for _, text in _HISTORIES])
    # 1.37 and 137 may be one number in two notations, so no digits of the case come again.
    written = frozenset(re.sub(r"\D", "", number) for number in re.findall(r"[\d.]+", whole))
    free = [
        f"The serum {name} is {value}."
        for name, value in _ANALYTES
        if name not in whole and not _digits(value) & written
    ]
    free = free if len(free) >= 9 else [f"The serum {name} is {value}." for name, value in _ANALYTES]
    return tuple(free[4:9] if kind == "evidence" else free[:4])


def _digits(value: str) -> frozenset[str]:
    return frozenset({re.sub(r"\D", "", value.split(maxsplit=1)[0])})
