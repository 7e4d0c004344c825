"""What sentences do, on sentences that are in no corpus."""

import pytest

from percuss.text.acts import speech_act

ASSERTIONS = """
No evidence of metastasis.
There is no evidence of pulmonary embolism.
There is no history of stroke.
She denies chest pain.
Blood cultures grew E. coli.
Troponin is raised.
The lungs are clear.
Stop warfarin because of the bleed.
What caused her hyponatraemia of 118?
Two stents were placed in the LAD.
Hot tier, stage IIB.
Ejection fraction 35%.
Allergies: penicillin
Nodes are free of tumour.
His mother had breast cancer.
Lactate fell from 4.2 to 1.1 mmol/L.
The ascites has recurred.
EGFR is mutated.
Wound healing is poor.
Her creatinine of 2.1 rules out metformin.
Sodium normal.
The right kidney is absent.
ER positive, HER2 negative.
Trauma to the left knee.
He was not intubated.
RNA is missing, but purity is 0.61.
No complications were reported.
No antibiotics were given.
Melaena; no scope report.
The patient is a suitable candidate with stage IIB disease.
Metastatic adenocarcinoma of unknown primary.
Diabetes, treated with metformin, is under control.
She was admitted for sepsis, though no culture is on file.
Not a smoker.
CT shows a 12 mm nodule in the right upper lobe.
Mitral regurgitation, moderate.
She has no allergies and takes no medication.
"""
HEDGED = """
This is probably a viral infection.
Sepsis cannot be excluded.
The picture is consistent with Crohn's disease.
He might have had a silent infarct.
Pneumonia is suspected.
Her rash is likely due to amoxicillin.
The nodule appears malignant.
Pulmonary embolism should be considered.
Findings are suggestive of sarcoidosis.
It could be an early relapse.
Differential diagnosis: lymphoma.
I suspect a urinary infection.
"""
AVAILABILITY = """
No biopsy result is on file.
Her weight was not recorded.
Blood cultures are pending.
Smoking history: unknown
There is no mention of allergies.
The notes do not say who referred him.
RNA sequencing data are not available.
Histology has not been reported.
We have no imaging.
Neither the dose nor the date is stated.
I was given no laboratory results.
No information on family history was provided.
Purity is not available.
The genotype is unknown.
Key uncertainty: RNA evidence is missing.
It is unclear whether she took the tablets.
Nothing is said about her alcohol intake.
The authors do not say how long patients were followed.
Lactate was not measured.
No dose given.
Whether he ever smoked is left open, an open question.
The chart is silent on allergies.
The letter lists age, sex and stage.
RNA data are available.
There is a lack of information about the tumour stage.
We lack a biopsy.
There is no evidence about this patient.
The record ends before the operation, so the outcome can't be given.
No conclusion can be drawn.
I was not shown a record.
The stage cannot be determined from the evidence.
"""
GENERAL = """
Aspirin reduces mortality after myocardial infarction.
Hypothyroidism is a common disorder of the thyroid gland.
Statins are usually well tolerated.
Checkpoint inhibitors can cause colitis.
Patients with cirrhosis should be screened for varices.
Recent studies suggest that screening saves lives.
Immunotherapy is a promising target for cancer treatment.
Heparin is given before surgery.
The immune system plays a role in cancer.
It is important to monitor renal function.
The patient should be monitored closely.
Immunotherapy has been shown to help many people.
Personalized treatment improves cancer outcomes.
Doctors use their judgement when they prescribe opioids.
Oncologists weigh benefit against harm.
Pneumococcus is the commonest cause of pneumonia.
A CURB-65 of 3 means a high risk of death.
Statins may cause myalgia.
Most strokes are ischaemic.
Iron is best absorbed on an empty stomach.
The patient is a good candidate for immunotherapy.
The evidence suggests that immunotherapy is a promising treatment.
Children under two rarely need surgery.
A low-salt diet is recommended in heart failure.
"""
HEADINGS = """
Assessment:
**Key findings**
## Plan
Past medical history
Here is a summary:
"""
NONE = """
I hope this helps!
Please let me know if anything is unclear.
TCGA-05-4244
---
"""


def _rows(block: str, act: str) -> list[tuple[str, str]]:
    return [(line, act) for line in block.strip().splitlines()]


@pytest.mark.parametrize(
    ("sentence", "act"),
    [
        *_rows(ASSERTIONS, "assertion"),
        *_rows(HEDGED, "hedged"),
        *_rows(AVAILABILITY, "availability"),
        *_rows(GENERAL, "general"),
        *_rows(HEADINGS, "heading"),
        *_rows(NONE, "none"),
    ],
)
def test_what_a_sentence_does(sentence: str, act: str) -> None:
    assert speech_act(sentence).act == act, speech_act(sentence).reason
