"""What a sentence says of the data, against what was shown."""

import pytest

from percuss.text.acts.availability import Shown, read_availability
from percuss.text.concepts import Field

FACTS = (
    Field(path="pathology.purity_absolute", value=0.4),
    Field(path="transcriptomics.z_cd274", value=1.2),
    Field(path="clinical.age_years", value=63),
    Field(path="clinical.smoking", value=None),
)
LAYERS = ("pathology", "transcriptomics", "clinical")
ALL = Shown.of(FACTS, layers=LAYERS, layers_shown=LAYERS)
PATHOLOGY = Shown.of(FACTS[:1], layers=LAYERS, layers_shown=LAYERS[:1])
NOTHING = Shown.of((), layers=LAYERS)


@pytest.mark.parametrize(
    ("sentence", "shown", "label"),
    [
        ("Her age is not given.", ALL, "misread"),
        ("Her age is not given.", PATHOLOGY, "right"),
        ("Smoking status is unknown.", ALL, "right"),
        ("RNA data are not available.", ALL, "misread"),
        ("RNA data are not available.", PATHOLOGY, "right"),
        ("RNA data are available.", PATHOLOGY, "misread"),
        ("RNA data are available.", ALL, "right"),
        ("The letter lists age and smoking status.", ALL, "misread"),
        ("No data are available.", ALL, "misread"),
        ("No data are available.", NOTHING, "right"),
        ("The tier cannot be determined.", NOTHING, "right"),
        ("The packet is empty.", PATHOLOGY, "misread"),
        ("No detailed pathology data are available.", ALL, None),
        ("It isn't known which hand he writes with.", ALL, None),
        ("Age is missing, but RNA data are available.", PATHOLOGY, "misread"),
        ("Potassium was 5.9.", ALL, None),
    ],
)
def test_what_is_said_of_the_data(sentence: str, shown: Shown, label: str | None) -> None:
    got = read_availability(sentence, shown)
    assert got.label == label, got.reason


def test_a_text_may_hold_more_than_was_read() -> None:
    shown = Shown.of((), texts=("Creatinine was 1.2 mg/dL.",))
    assert read_availability("Creatinine is not given.", shown).label == "misread"
    assert read_availability("Sodium is not given.", shown).label is None
