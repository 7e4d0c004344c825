"""Claims of cultures, grades, courses, genes and days against fields that hold them; the twins of a right claim are never supported."""

import pytest

from percuss.evidence.packet import Packet
from percuss.evidence.rules.support2 import support2

WARD = Packet.of_layers(
    {
        "microbiology": [
            {
                "specimen": "urine",
                "date": "2025-09-02",
                "organism": "Escherichia coli",
                "susceptibilities": {"ampicillin": "R", "nitrofurantoin": "S", "gentamicin": "I"},
            },
            {
                "specimen": "blood",
                "date": "2025-09-02",
                "organism": "Staphylococcus aureus",
                "antibiogram": [
                    {"drug": "oxacillin", "result": "sensitive"},
                    {"drug": "ampicillin", "result": "R"},
                ],
            },
            {"specimen": "blood", "date": "2025-09-05", "organism": None, "result": "no growth after 5 days"},
            {"specimen": "sputum", "date": "2025-09-03", "organism": "no growth"},
        ],
        "echo": {
            "mitral_regurgitation": "mild to moderate",
            "aortic_stenosis": "severe",
            "left_atrium": "mildly dilated",
            "right_ventricle": "normal",
            "tricuspid_regurgitation": "trace",
            "pericardial_effusion": False,
            "aortic_valve_area_cm2": 0.8,
            "lvef_percent": 32,
            "previous_lvef_percent": 45,
        },
        "ecg": {"rhythm": "sinus tachycardia", "qtc_ms": 512},
        "genomics": {
            "egfr": "wild type",
            "kras": "G12D",
            "braf": "variant of uncertain significance",
            "alk": "not tested",
            "tp53": "R175H, pathogenic",
        },
        "clinical": {"stage": "IIIA", "t": "T2b", "n": "N2", "m": "M0", "smoking": "current"},
        "labs": [
            {"test": "Creatinine", "value": 98, "unit": "umol/L", "date": "2025-03-01"},
            {"test": "Creatinine", "value": 141, "unit": "umol/L", "date": "2025-03-04"},
            {"test": "Creatinine", "value": 117, "unit": "umol/L", "date": "2025-03-08"},
            {"test": "Sodium", "value": 126, "unit": "mmol/L", "date": "2025-03-01"},
            {"test": "Sodium", "value": 138, "unit": "mmol/L", "date": "2025-03-08"},
        ],
        "vitals": [
            {"date": "2025-09-02", "heart_rate_bpm": 112, "temperature_c": 38.9},
            {"date": "2025-09-05", "heart_rate_bpm": 84, "temperature_c": 37.0},
        ],
        "medications": [
            {"drug": "metformin", "dose": "500 mg", "frequency": "twice daily", "status": "on hold"},
            {"drug": "bisoprolol", "dose": "5 mg", "frequency": "once daily", "status": "active"},
        ],
        "allergies": [{"substance": "penicillin", "reaction": "rash"}],
    }
)

RIGHT = """
The urine grew E. coli resistant to ampicillin but sensitive to nitrofurantoin.
Cultures grew E. coli.
Sputum culture was negative.
Sputum cultures grew nothing.
Blood cultures grew Staph aureus.
The urine isolate is resistant to ampicillin.
The isolate is sensitive to nitrofurantoin.
E. coli is not susceptible to gentamicin.
E. coli was isolated from the urine.
Blood cultures taken on 5 September were negative.
Repeat blood cultures showed no growth.
There is mild to moderate mitral regurgitation.
The left atrium is dilated.
No pericardial effusion.
The aortic valve area is 0.8 cm2.
QTc is 0.512 s.
LVEF has fallen from 45 to 32%.
No EGFR mutation was found.
KRAS G12D.
KRAS is mutated.
A pathogenic TP53 mutation was found.
The tumor is T2b N2 M0.
There is nodal involvement.
The patient is a current smoker.
The latest creatinine is 117 umol/L.
The initial creatinine was 98.
The most recent sodium is normal.
Creatinine rose from 98 to 141 umol/L.
Creatinine fell from 141 to 117.
Creatinine peaked at 141 umol/L on 4 March.
Sodium increased over the week.
On 1 March, sodium was low.
On 5 September the heart rate was 84.
Her metformin is being held.
She had a rash with penicillin.
"""
WRONG = """
The urine grew E. coli sensitive to ampicillin.
The urine grew E. coli, resistant to ampicillin and nitrofurantoin.
The urine grew Klebsiella pneumoniae.
No growth in blood cultures.
Blood cultures grew Staphylococcus epidermidis.
E. coli was isolated from the blood.
E. coli is resistant to gentamicin.
S. aureus is resistant to oxacillin.
Blood cultures taken on 2 September were negative.
There is severe mitral regurgitation.
No mitral regurgitation.
Aortic stenosis is moderate.
The left atrium is severely dilated.
The left atrium is of normal size.
The right ventricle is dilated.
The rhythm is atrial fibrillation.
Ejection fraction is preserved.
The aortic valve area is 1.8 cm2.
QTc is 412 ms.
LVEF improved from 32 to 45%.
No KRAS mutation.
KRAS G12C mutation.
TP53 variant is benign.
There is no pathogenic TP53 variant.
The tumor is T2b N0 M0.
There is no nodal involvement.
The patient is a former smoker.
The latest creatinine is 141 umol/L.
Creatinine fell from 117 to 98.
Sodium fell from 136 to 128.
Creatinine peaked at 141 on 8 March.
Creatinine peaked at 117.
Sodium fell over the week.
Sodium was 126 on 8 March 2025.
On 5 September the heart rate was 112.
Metformin 500 mg twice daily continues.
No known drug allergies.
She had anaphylaxis to penicillin.
"""
OPEN = """
Blood cultures grew a gram-positive coccus.
Blood cultures grew MRSA.
The urine culture may have grown E. coli.
Her mother's urine grew E. coli.
If the urine grew E. coli, give nitrofurantoin.
Urine did not grow E. coli.
All cultures were negative.
No tricuspid regurgitation.
The ECG shows sinus rhythm at 60.
The left ventricle is normal.
BRAF is wild type.
ALK is wild type.
No ALK mutation.
On 4 March the sodium was 126.
Sodium has never been below 130.
Ampicillin would not cover the organism in the urine.
"""


@pytest.mark.parametrize("drug", ["oxacillin", "ampicillin", "nitrofurantoin"])
def test_nobody_takes_what_an_isolate_was_tested_against(drug: str) -> None:
    assert support2(f"The patient takes {drug}.", WARD).label != "supported"


def _lines(text: str) -> list[str]:
    return text.strip().splitlines()


@pytest.mark.parametrize("claim", _lines(RIGHT))
def test_what_a_field_holds_is_supported(claim: str) -> None:
    assert support2(claim, WARD).label == "supported"


@pytest.mark.parametrize("claim", _lines(WRONG))
def test_what_a_field_refutes_is_unsupported(claim: str) -> None:
    assert support2(claim, WARD).label in {"contradicted", "absent"}


@pytest.mark.parametrize("claim", _lines(OPEN))
def test_what_the_fields_leave_open_is_undecided(claim: str) -> None:
    assert support2(claim, WARD).label == "undecided"
