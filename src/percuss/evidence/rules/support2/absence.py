"""When a structured record that is silent may be said to lack what a claim states."""

import re

from percuss.evidence.rules.support2.compared import kind_of
from percuss.evidence.rules.support2.record import Outcome
from percuss.evidence.rules.support2.reference import Reference
from percuss.evidence.rules.support2.tables import members
from percuss.evidence.rules.support2.wording import stems
from percuss.text.concepts import Statement, concepts, with_parents

__all__ = ["EMPTY", "absence"]

EMPTY = "its field holds nothing"

_GENERAL = frozenset(
    "surgery procedure treatment therapy operation medication disease cancer tumour infection pain smoking".split()
)
_NEVER_ABSENT = frozenset(
    {
        "tumour stage",
        "T category",
        "N category",
        "M category",
        "stage band",
        "CKD stage",
        "age",
        "size",
        "duration",
        "birth year",
        "weight",
        "height",
        "body mass index",
        "temperature",
        "pain",
        "fall",
        "sex",
    }
)
"""Attributes whose words mean other things too, or that are said in passing."""
_BY_VALUES = frozenset(
    "chronic kidney disease|acute kidney injury|arterial hypertension|diabetes mellitus|hyperlipidaemia|hypercholesterolaemia|sepsis|anaemia|anaemia finding|respiratory failure|"
    "weakness|hemiparesis|confusion|impaired consciousness|drowsiness|osteoporosis|heart failure|infection|hypothyroidism|hyperthyroidism|liver disease|acidosis|shock|malnutrition|obesity|coronary artery disease|dehydration|hypoxia".split(
        "|"
    )
)
"""Diagnoses that values alone can show: their names need not stand in a record for it to hold them."""
_SHARED = frozenset(
    "tumour tumor grade high low acute chronic disease syndrome primary level cell lung type heart failure inhibitor antagonist agonist receptor blocker agent drug".split()
)
_EVENTS = frozenset({"drug", "drug_class", "procedure", "diagnosis", "gene", "finding", "organism", "test"})
_MEASURED = frozenset({"analyte", "vital", "score", "gene"})
_TUMOUR = re.compile(r"carcinoma|cancer|tumou?r|metasta|lymphoma|sarcoma|neoplas|malignan", re.IGNORECASE)
_OF_CANCER = stems(
    "cancer tumour tumor carcinoma neoplasm malignancy oncology metastasis lymphoma leukaemia sarcoma stage"
)
_COMPLAINTS = frozenset(
    "cough|fatigue|shortness of breath|sore throat|nausea|vomiting|diarrhoea|constipation|headache|dizziness|palpitations|aphasia|dysphagia|dysarthria|diplopia|syncope|night sweats|weight loss|"
    "loss of appetite|itching|insomnia|chest pain|abdominal pain|back pain|joint swelling|haemoptysis|wheezing|hearing loss|tinnitus|paraesthesia|swelling|peripheral oedema|chills|hoarseness".split(
        "|"
    )
)
"""What a patient says or a first look shows, and no value or list of diagnoses tells."""
_HISTOLOGY = frozenset({"high-grade tumour", "low-grade tumour", "tumour relapse"})
"""What a slide or a course shows of a tumour: no score or stage implies it."""
_OF_TUMOUR = frozenset({"tumour stage", "immune tier", "tumour purity", "tumour mutational burden"})


def absence(claim: Statement, reference: Reference) -> tuple[Outcome, str, None]:
    """Say absent only of what is recognised, is no denial, is related to nothing recorded, and belongs to a topic that the packet covers."""
    nothing = "the evidence doesn't speak of it"
    denied = bool(set(claim.frames) & {"negated", "ruled_out"}) or claim.present is False
    if not reference.structured or denied:
        return "undecided", nothing, None
    if "family" in claim.frames:
        told = "family" in reference.covers and claim.kind == "presence" and claim.attribute not in _GENERAL
        return (
            ("absent", "the family history doesn't hold it", None) if told else ("undecided", nothing, None)
        )
    if _of_another_year(claim, reference):
        return "absent", "no value of that year is recorded", None
    attribute = claim.subject if claim.kind == "dose" else claim.attribute
    if reference.empty & set(with_parents(attribute)) and not any(
        k.statement.attribute == attribute for k in reference.known
    ):
        return "absent", EMPTY, None
    kind = kind_of(attribute)
    if not _could_be_absent(attribute, kind, reference):
        return "undecided", nothing, None
    if (
        kind in _MEASURED
        and (claim.kind in {"quantity", "code"} or (claim.kind == "word" and kind == "gene"))
        and not claim.subject
        and not claim.derived
    ):
        return "absent", "no such value is recorded", None
    if kind == "drug_class" and not _classes_known(reference):
        return "undecided", "a recorded drug may be of that class", None
    if kind in _EVENTS and claim.kind in {"presence", "dose"}:
        return "absent", "nothing of it is recorded", None
    return "undecided", nothing, None


def _could_be_absent(attribute: str, kind: str, reference: Reference) -> bool:
    """Tell whether the packet covers the topic, and holds nothing that is related to what is claimed."""
    if _TUMOUR.search(attribute) and "tumour" in reference.covers:
        return not any(_TUMOUR.search(k.statement.attribute) for k in reference.known) and not (
            reference.words & _OF_CANCER
        )
    if attribute in _COMPLAINTS and "complaint" in reference.covers and "finding" not in reference.opaque:
        return not _related(attribute, kind, reference)
    if not kind or kind not in reference.covers or kind in reference.opaque:
        return False
    if attribute in _GENERAL or attribute in _NEVER_ABSENT or _BY_VALUES & set(with_parents(attribute)):
        return False
    return not _related(attribute, kind, reference)


def _classes_known(reference: Reference) -> bool:
    """Tell whether the table of classes knows every recorded drug: only then is none of them of the class that is claimed."""
    known = {name for member in members() if member.drug for name in member.of}
    return all(
        k.statement.attribute in known for k in reference.known if kind_of(k.statement.attribute) == "drug"
    )


def _of_another_year(claim: Statement, reference: Reference) -> bool:
    """Tell whether a value is claimed of a year, and every recorded one of the same attribute is of other years."""
    held = [
        k.statement
        for k in reference.known
        if k.statement.attribute == claim.attribute and k.statement.kind == claim.kind
    ]
    return (
        claim.kind == "quantity"
        and re.match(r"\d{4}", claim.date) is not None
        and bool(held)
        and all(re.match(r"\d{4}", each.date) and each.date[:4] != claim.date[:4] for each in held)
    )


def _related(attribute: str, kind: str, reference: Reference) -> bool:
    """Tell whether anything recorded may be the same under another name: a shared word, or a shared broader concept."""
    found = concepts()[attribute]
    if (
        _TUMOUR.search(attribute)
        and attribute not in _HISTOLOGY
        and any(k.statement.attribute in _OF_TUMOUR for k in reference.known)
    ):
        return True
    for name in (attribute, *found.also):
        words = stems(name) - _SHARED
        if (words and words <= reference.words) or (
            kind in {"diagnosis", "finding", "procedure", "test", "drug_class"} and words & reference.words
        ):
            return True
    broader = set(with_parents(attribute)[1:])
    return any(
        attribute in (known.statement.attribute, known.statement.subject) or broader & set(with_parents(known.statement.attribute))
        for known in reference.known
    )  # fmt: skip
