"""Whether a term may say in one word what was told in others: "splenomegaly" and "spleen: 12 cm below the ribs".

A term of medicine that no line holds is an invention only if nothing that was told could be what it names. Its own names in the
concept table, and the Greek and Latin parts of its word, say what it could be of.
"""

import re
from collections.abc import Collection
from functools import lru_cache

from percuss.protocols.stressors.scenario.wording import content_words
from percuss.text.concepts import concept

__all__ = ["could_be_told"]

_PARTS: tuple[tuple[str, str], ...] = (
    (r"splen", "spleen splenic"),
    (r"hepat", "liver hepatic hepatitis"),
    (r"nephr|renal", "kidney kidneys renal creatinine"),
    (r"uria\b|urin", "urine urinates urination micturition"),
    (r"noct", "night nights"),
    (r"aden", "node nodes gland glands"),
    (r"card", "heart cardiac"),
    (r"pneum|pulmon", "lung lungs"),
    (r"pno?ea", "breath breathless breathlessness breathing respiratory"),
    (r"thrombocyt", "platelet platelets"),
    (r"leu[ck]o|neutrophil|white", "leukocytes white"),
    (r"an(?:a)?emi", "haemoglobin pale pallor"),
    (r"glyc", "glucose"),
    (r"kal(?:a)?emi", "potassium"),
    (r"natr(?:a)?emi", "sodium"),
    (r"calc(?:a)?emi", "calcium"),
    (r"albumin", "albumin protein"),
    (r"erythem", "red redness"),
    (r"arthr", "joint joints knuckles knees"),
    (r"myo|myal", "muscle muscles"),
    (r"derm|cutan|rash|exanthem", "skin spots nodules rash"),
    (r"ophthal|conjunct|retin|fund", "eye eyes fundus vision"),
    (r"gloss|stomat", "tongue mouth lips"),
    (r"cephal", "head headache"),
    (r"photo", "light"),
    (r"icter|jaund", "yellow jaundice icteric"),
    (r"pty[sz]", "blood cough sputum coughed"),
    (r"melaen|melen|stool|diarrh", "stool stools diarrhoea"),
    (r"syncop", "consciousness fainting fainted"),
    (r"(?:o)?edema|swell", "swollen swelling puffy oedema"),
    (r"par(?:a)?esthe|numb", "tingling tingle numb numbness"),
    (r"pyr|febri|fever", "fever temperature"),
    (r"diaphor|sweat", "sweat sweats sweating"),
    (r"emes|vomit", "vomited vomiting"),
    (r"menorr|metro", "period bleeding spotting"),
    (r"alopec", "hair"),
    (r"petech|purpur|ecchym", "spots bruises"),
    (r"pto[sz]", "lid lids droops droop"),
    (r"ataxi", "gait unsteady"),
    (r"diplop", "double vision"),
    (r"encephal|confus|deliri", "confused confusion forgot clear"),
    (r"thromb|embol", "vein clot compressible filling"),
    (r"tachy|brady", "rate"),
    (r"hypert|hypot", "pressure"),
)  # fmt: skip
"""Parts of words with what they speak of, from the usual roots of medical Greek and Latin."""
_LEAST = 4
"""Letters from which a word of a name tells what it is of."""
_EMPTY = frozenset(
    "disease syndrome disorder acute chronic test level examination finding sign symptom defect enlarged absent positive negative reduced "
    "increased primary secondary with left right both sided deep high abnormal loss pain antibody antibodies blood cell count".split()
)
"""Words of names that stand in too many names to say what one is of."""


@lru_cache(maxsize=4096)
def _speaks_of(name: str, written: str) -> frozenset[str]:
    """Words that a term could have been told in: of its names, and of the parts of its word."""
    each = concept(name)
    names = (written, name, *((*each.also, each.parent) if each else ()))
    words = {w for one in names for w in content_words(one) if len(w) >= _LEAST and w not in _EMPTY}
    for part, of in _PARTS:
        if any(re.search(part, one, re.IGNORECASE) for one in names):
            words |= content_words(of)
    return frozenset(words)


def could_be_told(name: str, written: str, told: Collection[str]) -> bool:
    """Say whether what was told may be what a term names.

    Args:
        name: of the concept. written: as the statement writes it. told: content words of all that was told.

    >>> could_be_told("splenomegaly", "Splenomegaly", {"spleen", "palpable"})
    True
    """
    stems = {word[:5] for word in told if len(word) > _LEAST}
    return any(
        word in told or (len(word) > _LEAST and word[:5] in stems) for word in _speaks_of(name, written)
    )
