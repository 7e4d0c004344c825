"""A claim against what is known: the same, in conflict, open, or about something else."""

from pathlib import Path

import msgspec
import pytest

from percuss.text.concepts import (
    Field,
    attribute_of,
    read_fields,
    read_statements,
    relation,
    same_concept,
    settle,
)

LABELLED = Path(__file__).parent / "labelled" / "settled.txt"


def rows() -> list[tuple[str, str, str]]:
    found = []
    for line in LABELLED.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            known, _, rest = line.partition(" | ")
            claim, _, label = rest.partition(" =>")
            found.append((known, claim, label.strip()))
    return found


@pytest.mark.parametrize(("known", "claim", "label"), rows(), ids=lambda v: v[:30])
def test_a_claim_is_settled_as_labelled(known: str, claim: str, label: str) -> None:
    facts = read_statements(known)
    said = [each for each in read_statements(claim) if not each.derived and each.kind != "named"]
    assert sorted(settle(each, facts).label for each in said) == sorted(label.split()), said


FIELDS = (
    Field(path="pathology.purity_ihc", value=0.6),
    Field(path="clinical.tmb_nonsilent_per_mb", value=30.957, unit="mutations per megabase"),
    Field(path="clinical.age_years", value=56, unit="years"),
    Field(path="clinical.sex", value="male"),
    Field(path="clinical.stage", value="IA"),
    Field(path="clinical.smoking", value="ever"),
    Field(path="fusion.io_tier", value="Hot"),
    Field(path="fusion.inputs_available.stage", value=True),
    Field(path="transcriptomics.z_cd274", value=0.375),
    Field(path="medications.warfarin|name", value="Warfarin", date="2019-01-02"),
    Field(path="medications.warfarin|status", value="stopped"),
    Field(path="medications.metformin|name", value="Metformin 500 MG Oral Tablet"),
    Field(path="medications.metformin|status", value="active"),
    Field(path="medications.metformin|dose", value="500 mg twice daily"),
    Field(path="conditions.diabetes|name", value="Type 2 diabetes mellitus", date="2015-05-01"),
    Field(path="observations.potassium", value=5.9, unit="mmol/L", date="2021-03-04"),
    Field(path="labs.glucose", value="<2.1", unit=""),
    Field(path="allergies.penicillin|name", value="Penicillin"),
)


@pytest.mark.parametrize(
    ("claim", "attribute", "label"),
    [
        ("He is a 56-year-old man with stage IA disease.", "age", "supported"),
        ("He is a 56-year-old man with stage IA disease.", "male", "supported"),
        ("He is a 56-year-old man with stage IA disease.", "tumour stage", "supported"),
        ("Stage IIB disease.", "tumour stage", "contradicted"),
        ("TMB is 31 mutations/Mb.", "tumour mutational burden", "supported"),
        ("TMB is 13 mutations/Mb.", "tumour mutational burden", "contradicted"),
        ("Tumour purity by IHC is 60%.", "tumour purity by immunohistochemistry", "supported"),
        ("PD-L1 z-score 0.38.", "CD274", "supported"),
        ("The tier is hot.", "immune tier", "supported"),
        ("The tier is cold.", "immune tier", "contradicted"),
        ("Never smoker.", "never smoker", "contradicted"),
        ("He takes warfarin.", "warfarin", "contradicted"),
        ("Warfarin was stopped.", "warfarin", "supported"),
        ("Metformin 500 mg BID.", "dose", "supported"),
        ("Metformin 850 mg BID.", "dose", "contradicted"),
        ("Type 2 diabetes since 2015.", "type 2 diabetes mellitus", "supported"),
        ("Type 2 diabetes since 2017.", "type 2 diabetes mellitus", "contradicted"),
        ("No diabetes.", "diabetes mellitus", "contradicted"),
        ("Potassium was 5.9 on 4 March 2021.", "potassium", "supported"),
        ("Potassium was high.", "potassium", "supported"),
        ("Allergic to penicillin.", "allergy", "supported"),
        ("Sodium was 138.", "sodium", "silent"),
    ],
)
def test_a_claim_is_settled_by_the_fields_of_a_record(claim: str, attribute: str, label: str) -> None:
    known = read_fields(FIELDS)
    said = next(
        each for each in read_statements(claim) if each.attribute == attribute and each.kind != "named"
    )
    assert settle(said, known).label == label


def test_names_of_one_concept_are_the_same() -> None:
    assert same_concept("MI", "heart attack")
    assert same_concept("haemoglobin", "Hgb")
    assert not same_concept("anterior myocardial infarction", "inferior myocardial infarction")
    assert relation("diabetes mellitus", "type 2 diabetes mellitus") == "broader"
    assert relation("ST elevation", "ST depression") == "opposite"
    assert attribute_of("labs.serum_albumin") == "albumin"
    assert attribute_of("misc.shoe_size_code") is None


SENTENCES = [
    line.partition(" =>")[0].replace("\\n", "\n")
    for name in ("frames.txt", "statements.txt")
    for line in (LABELLED.parent / name).read_text(encoding="utf-8").splitlines()
    if "=>" in line and not line.startswith("#")
]
OPEN = {"planned", "hypothetical", "compared", "unlikely"}


@pytest.mark.parametrize("text", SENTENCES, ids=lambda text: text[:40])
def test_a_sentence_supports_itself(text: str) -> None:
    known = read_statements(text)
    for each in known:
        if each.kind != "named" and not OPEN & set(each.frames) and not each.others:
            label = settle(each, known).label
            assert label == "supported" or (each.kind != "presence" and "negated" in each.frames), each


@pytest.mark.parametrize("text", SENTENCES, ids=lambda text: text[:40])
def test_a_number_that_was_changed_is_never_supported(text: str) -> None:
    known = read_statements(text)
    for each in known:
        if (
            each.number is None
            or each.number.value is None
            or sum(other.attribute == each.attribute for other in known) > 1
        ):
            continue
        for changed in (each.number.value * 3 + 7, -each.number.value - 5):
            upper = None if each.number.upper is None else changed + 1
            other = msgspec.structs.replace(each.number, value=changed, upper=upper, comparator="")
            twin = msgspec.structs.replace(each, number=other)
            assert settle(twin, known).label != "supported", twin


@pytest.mark.parametrize("text", SENTENCES, ids=lambda text: text[:40])
def test_what_is_denied_of_what_is_said_is_never_supported(text: str) -> None:
    known = read_statements(text)
    for each in known:
        if each.kind == "presence" and sum(other.attribute == each.attribute for other in known) == 1:
            twin = msgspec.structs.replace(each, present=not each.present)
            assert settle(twin, known).label != "supported", twin
