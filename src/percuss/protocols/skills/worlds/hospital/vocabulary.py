"""The words of the synthetic hospital: written by us; no person, no real record stands behind any."""

from typing import NamedTuple

__all__ = [
    "ALLERGIES",
    "CONDITIONS",
    "DEPARTMENTS",
    "DISTRICTS",
    "DRUGS",
    "FAMILY_NAMES",
    "GIVEN_NAMES",
    "LABS",
    "REPORTS",
    "WARDS",
    "Condition",
    "Drug",
    "Lab",
]


class Lab(NamedTuple):
    """A test: unit, reference range and decimals; `drift`: how far a series may move, in the test's own unit."""

    name: str
    unit: str
    low: float
    high: float
    decimals: int
    drift: float


class Condition(NamedTuple):
    """A diagnosis with its code (ICD-10 categories are public), the drugs that go with it and its department."""

    code: str
    name: str
    drugs: tuple[str, ...]
    department: str


class Drug(NamedTuple):
    """A drug: tablets' strengths in mg, times per day, the most per day in mg by the hospital's own list, and its route."""

    name: str
    strengths: tuple[int, ...]
    per_day: tuple[int, ...]
    most: int
    route: str


DISTRICTS = ("Harbour", "Northfield", "Old Town", "Riverside", "Westgate")
DEPARTMENTS = ("Cardiology", "Emergency", "Endocrinology", "Nephrology", "Respiratory", "Surgery")
WARDS = ("A1", "A2", "B1", "B2", "C1")
FAMILY_NAMES = (
    "Abara Brandt Castell Dorval Ekholm Farkas Grell Haddon Ivers Jansky Kessler Lindqvist Moreau Novik Okada "
    "Pellew Quist Rasmus Sorley Tamm Ulrik Varga Wexler Yilan Zeller"
).split()
GIVEN_NAMES = {
    "F": "Ada Bela Cora Dina Edda Fleur Greta Hanne Iris Juna Kira Leonie Mara Nell Oda Petra".split(),
    "M": "Aron Boris Cyril Daan Emil Falk Gero Hugo Ivo Joris Karl Lars Milan Nils Otto Piet".split(),
}
ALLERGIES = ("penicillin", "latex", "iodinated contrast", "ibuprofen", "peanut", "sulfonamides")
LABS = (
    Lab("potassium", "mmol/L", 3.5, 5.1, 1, 0.5),
    Lab("sodium", "mmol/L", 135, 145, 0, 4),
    Lab("creatinine", "umol/L", 50, 105, 0, 25),
    Lab("haemoglobin", "g/dL", 12.0, 17.0, 1, 1.4),
    Lab("CRP", "mg/L", 0, 5, 0, 30),
    Lab("HbA1c", "%", 4.0, 5.9, 1, 0.9),
    Lab("platelets", "10^9/L", 150, 400, 0, 60),
)
CONDITIONS = (
    Condition("I10", "essential hypertension", ("ramipril", "amlodipine"), "Cardiology"),
    Condition("I48", "atrial fibrillation", ("bisoprolol", "apixaban"), "Cardiology"),
    Condition("I50", "heart failure", ("furosemide", "spironolactone", "bisoprolol"), "Cardiology"),
    Condition("E11", "type 2 diabetes mellitus", ("metformin", "empagliflozin"), "Endocrinology"),
    Condition("E03", "hypothyroidism", ("levothyroxine",), "Endocrinology"),
    Condition("N18", "chronic kidney disease", ("furosemide", "ramipril"), "Nephrology"),
    Condition("J18", "pneumonia", ("amoxicillin", "paracetamol"), "Respiratory"),
    Condition("J44", "chronic obstructive pulmonary disease", ("prednisolone",), "Respiratory"),
    Condition("K35", "acute appendicitis", ("paracetamol", "amoxicillin"), "Surgery"),
    Condition("S72", "fracture of femur", ("paracetamol", "ibuprofen"), "Surgery"),
)
DRUGS = (
    Drug("ramipril", (2, 5, 10), (1,), 10, "oral"),
    Drug("amlodipine", (5, 10), (1,), 10, "oral"),
    Drug("bisoprolol", (2, 5), (1, 2), 20, "oral"),
    Drug("apixaban", (2, 5), (2,), 10, "oral"),
    Drug("furosemide", (20, 40), (1, 2), 160, "intravenous"),
    Drug("spironolactone", (25, 50), (1,), 50, "oral"),
    Drug("metformin", (500, 850, 1000), (2, 3), 3000, "oral"),
    Drug("empagliflozin", (10, 25), (1,), 25, "oral"),
    Drug("levothyroxine", (1,), (1,), 1, "oral"),
    Drug("amoxicillin", (500, 1000), (3,), 3000, "intravenous"),
    Drug("paracetamol", (500, 1000), (3, 4), 4000, "oral"),
    Drug("prednisolone", (5, 20, 40), (1,), 60, "oral"),
    Drug("ibuprofen", (200, 400), (2, 3), 1200, "oral"),
)
REPORTS = (
    ("chest X-ray", ("No consolidation.", "Patchy opacity in the left lower zone.", "Small right effusion.")),
    ("CT", ("No acute finding.", "Uncomplicated diverticula.", "Simple cyst of the left kidney.")),
    (
        "echocardiogram",
        ("Normal ejection fraction.", "Mildly reduced ejection fraction.", "Left atrium enlarged."),
    ),
    ("ultrasound", ("Gallbladder without stones.", "Fatty liver.", "Both kidneys of normal size.")),
)
