"""Reference ranges and physiological limits of common measurements, for moving one number across its range.

Adult ranges as printed in standard laboratory handbooks, rounded; they decide only in which direction an injected value
is moved and where it must stay, never what is normal for a patient.
"""

import re
from typing import NamedTuple

__all__ = ["ANALYTES", "Analyte", "analyte_of"]


class Analyte(NamedTuple):
    """One measurement in one unit: reference range [low, high], physiological limits [least, most]."""

    name: str
    label: str
    unit: str
    low: float
    high: float
    least: float
    most: float


_G = r"g/d[lL]"
_MEQ = r"m(?:Eq|mol)/L"
_MG = r"mg/d[lL]"
_COUNT = r"/(?:µ|μ|u|mc)?[lL]\b|/mm[³3]?|/mcL|/microliter|cells"
_MIN = r"/\s?min|bpm|beats|breaths"
ANALYTES: tuple[Analyte, ...] = tuple(
    Analyte(*row)
    for row in (
        ("temperature_c", r"temp", r"°\s?C|degrees? C|\bC\b", 36.1, 37.5, 34.0, 41.5),
        ("temperature_f", r"temp", r"°\s?F|degrees? F|\bF\b", 97.0, 99.5, 93.0, 106.5),
        ("heart_rate", r"heart[ _]rate|pulse|\bhr\b", _MIN, 60, 100, 35, 190),
        ("respiratory_rate", r"respirat\w+|\brr\b", _MIN, 12, 20, 6, 50),
        ("oxygen_saturation", r"saturation|sp\s?o2|oximetry", "%", 94, 100, 70, 100),
        ("haemoglobin", r"ha?emoglobin(?! a1c)|\bhgb?\b|\bhb\b", _G, 12.0, 16.5, 4.0, 21.0),
        ("haematocrit", r"ha?ematocrit|\bhct\b", "%", 36, 50, 14, 62),
        ("leukocytes", r"leu[ck]ocyte|\bwbc\b|white (?:blood )?cell", _COUNT, 4000, 11000, 800, 60000),
        ("platelets", r"platelet", _COUNT, 150000, 400000, 8000, 1200000),
        ("sodium", r"sodium|\bna\b", _MEQ, 135, 145, 112, 165),
        ("potassium", r"potassium|\bk\b", _MEQ, 3.5, 5.0, 2.0, 7.5),
        ("chloride", r"chloride|\bcl\b", _MEQ, 98, 106, 75, 125),
        ("bicarbonate", r"bicarbonate|hco3", _MEQ, 22, 28, 6, 45),
        ("calcium", r"calcium", _MG, 8.5, 10.5, 5.5, 16.0),
        ("phosphate", r"phosph(?:ate|orus)", _MG, 2.5, 4.5, 0.8, 10.0),
        ("magnesium", r"magnesium", rf"{_MG}|{_MEQ}", 1.5, 2.5, 0.6, 5.0),
        ("creatinine", r"creatinine", _MG, 0.6, 1.3, 0.2, 12.0),
        ("urea_nitrogen", r"urea|\bbun\b", _MG, 7, 20, 2, 140),
        ("glucose", r"glucose", _MG, 70, 110, 25, 900),
        ("hba1c", r"a1c", "%", 4.0, 5.7, 3.5, 16.0),
        ("bilirubin", r"bilirubin", _MG, 0.2, 1.2, 0.1, 30.0),
        ("albumin", r"albumin", _G, 3.5, 5.0, 1.2, 6.0),
        ("alt", r"\balt\b|alanine", r"I?U/L|units/L", 7, 45, 4, 4000),
        ("ast", r"\bast\b|aspartate", r"I?U/L|units/L", 8, 40, 4, 4000),
        ("alkaline_phosphatase", r"alkaline|\balp\b", r"I?U/L|units/L", 40, 130, 15, 1500),
        ("lipase", r"lipase", r"I?U/L|units/L", 10, 140, 5, 6000),
        ("lactate_dehydrogenase", r"\bldh\b|lactate dehydrogenase", r"I?U/L|units/L", 100, 220, 60, 5000),
        ("creatine_kinase", r"creatine kinase|\bck\b", r"I?U/L|units/L", 30, 200, 15, 90000),
        ("troponin", r"troponin", r"ng/m[lL]", 0.0, 0.04, 0.0, 60.0),
        ("tsh", r"\btsh\b|thyro\w+ stimulating", r"[mµμu]I?U/m?L", 0.4, 4.5, 0.01, 150.0),
        ("ferritin", r"ferritin", r"ng/m[lL]|[µμ]g/L|mcg/L", 20, 300, 2, 8000),
        ("crp", r"c-reactive|\bcrp\b", r"mg/L", 0, 8, 0, 450),
        ("esr", r"sedimentation|\besr\b", r"mm(?:/h\w*)?", 0, 20, 0, 140),
        ("inr", r"\binr\b", "", 0.8, 1.2, 0.7, 9.0),
        ("ph", r"\bph\b", "", 7.35, 7.45, 6.9, 7.7),
        ("mcv", r"\bmcv\b|corpuscular volume", r"fL|µm3|μm3|µm³|μm³", 80, 100, 55, 140),
        ("protime", r"prothrombin|\bpt\b", r"s(?:ec\w*)?\b", 10, 14, 8, 90),
        ("ptt", r"\ba?ptt\b|thromboplastin", r"s(?:ec\w*)?\b", 25, 38, 18, 150),
    )
)  # fmt: skip


def analyte_of(label: str, unit: str) -> Analyte | None:
    """Return the measurement that a label and a unit name; None where there is none in that unit.

    Args:
        label: words before the number. unit: characters after it, "" for none.
    """
    for row in ANALYTES:
        if not re.search(row.label, label, re.IGNORECASE):
            continue
        if (not row.unit and not unit.strip()) or (row.unit and re.match(rf"\s*(?:{row.unit})", unit)):
            return row
    return None
