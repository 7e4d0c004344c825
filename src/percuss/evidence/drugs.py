"""Named drugs in clinical text: stems of international non-proprietary names and common names that have none."""

import re

__all__ = ["drugs"]

_STEMS = (
    "mab nib tinib ciclib parib rafenib statin prazole sartan pril olol dipine gliptin gliflozin glutide glitazone floxacin cillin "
    "mycin cycline azole vir navir tegravir platin taxel rubicin trexed caine barbital azepam zolam setron triptan oxetine "
    "tidine thiazide parin xaban gatran semide lukast terol profen coxib dronate tretin sone solone fungin"
).split()
_NAMES = (
    "aspirin ibuprofen acetaminophen paracetamol metformin insulin warfarin heparin digoxin lithium morphine codeine oxycodone fentanyl "
    "naloxone methadone tramadol gabapentin pregabalin phenytoin valproate carbamazepine levetiracetam lamotrigine amiodarone verapamil "
    "diltiazem nitroglycerin hydralazine clopidogrel ticagrelor furosemide spironolactone epinephrine norepinephrine dopamine "
    "atropine methotrexate cyclophosphamide gemcitabine fluorouracil capecitabine etoposide vincristine bleomycin tamoxifen anastrozole "
    "letrozole bicalutamide prednisone dexamethasone hydrocortisone levothyroxine methimazole allopurinol colchicine albuterol tiotropium "
    "montelukast omeprazole ondansetron metoclopramide loperamide vancomycin gentamicin ceftriaxone cephalexin trimethoprim "
    "sulfamethoxazole nitrofurantoin isoniazid rifampin ethambutol pyrazinamide acyclovir oseltamivir ivermectin "
    "hydroxychloroquine sertraline citalopram escitalopram venlafaxine bupropion mirtazapine trazodone amitriptyline nortriptyline "
    "haloperidol risperidone olanzapine quetiapine clozapine aripiprazole donepezil memantine levodopa carbidopa lorazepam "
    "diazepam ketamine propofol lidocaine sildenafil tadalafil finasteride tamsulosin nivolumab sotorasib adagrasib"
).split()
# Common words that end like a stem and are no drugs.
_NOT = frozenset(
    "april persone person caffeine reason season poison prison comparison unison jason mason crimson cortisone resone blouson "
    "bison liaison diapason garrison harrison robinson johnson jefferson anderson endoscope sole console coating april prill "
    "amazole azole azepam virvir statin statins vir solone mycin prosome cholesterol sterol ergosterol corticosterone "
    "testosterone progesterone aldosterone cocaine nonpersone".split()
)
_WORD = re.compile(r"(?<![\w-])[A-Za-z][a-z]{5,24}(?![\w])")
_STEM = re.compile(r"[a-z]{3,}(?:" + "|".join(sorted(_STEMS, key=len, reverse=True)) + r")s?\Z")
_KNOWN = frozenset(_NAMES)


def drugs(text: str) -> tuple[tuple[int, int, str], ...]:
    """Return (start, stop, name in lower case) of every drug named in a text.

    >>> [name for _, _, name in drugs("Pembrolizumab after cisplatin, with aspirin in April")]
    ['pembrolizumab', 'cisplatin', 'aspirin']
    """
    found = []
    for match in _WORD.finditer(text):
        word = match.group().lower()
        if word in _KNOWN or (word not in _NOT and len(word) > 6 and _STEM.match(word)):
            found.append((match.start(), match.end(), word))
    return tuple(found)
