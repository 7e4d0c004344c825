"""Sentences: clinical abbreviations don't end one, lists and labels do, and spans are exact."""

import pytest

from percuss.text.sentences import is_finished, is_heading, split

CASES = [
    ("Disease is Stage III. RNA is absent.", ["Disease is Stage III.", "RNA is absent."]),
    ("Stage III. disease was found.", ["Stage III. disease was found."]),
    ("HER2 was IHC 3+. No FISH was done.", ["HER2 was IHC 3+.", "No FISH was done."]),
    ("Dose approx. 50 mg per Dr. Wu.", ["Dose approx. 50 mg per Dr. Wu."]),
    ("Pt. denies pain. Pt. Smith agrees.", ["Pt. denies pain.", "Pt. Smith agrees."]),
    ("Seen by PT. He walked.", ["Seen by PT.", "He walked."]),
    ("Take q.d. with food, b.i.d. if needed.", ["Take q.d. with food, b.i.d. if needed."]),
    ("Give 5 mg p.o. The patient improved.", ["Give 5 mg p.o.", "The patient improved."]),
    ("Score 0.683. Tumor 61%.", ["Score 0.683.", "Tumor 61%."]),
    ("Smith et al. (2018) and Wu et al. 2019 agree.", ["Smith et al. (2018) and Wu et al. 2019 agree."]),
    ("See Fig. 2 and No. 5. Then stop.", ["See Fig. 2 and No. 5.", "Then stop."]),
    ("J. Smith wrote it. Vitamin C. Then D.", ["J. Smith wrote it.", "Vitamin C.", "Then D."]),
    ("Below 70 g/L. Budesonide helps.", ["Below 70 g/L.", "Budesonide helps."]),
    (
        "He drank 5 L. Fever of 38 C. Then K. L. Wu left.",
        ["He drank 5 L.", "Fever of 38 C.", "Then K. L. Wu left."],
    ),
    ("- Tumor 61%\n- Stroma 24%\n", ["Tumor 61%", "Stroma 24%"]),
    ("1. Tumor 61%\n2) Stroma 24%\n(a) Necrosis 8%", ["Tumor 61%", "Stroma 24%", "Necrosis 8%"]),
    ("**Tier:** Hot. **Stage:** III.", ["**Tier:** Hot.", "**Stage:** III."]),
    ("* **RNA:** none\n• Age 62", ["**RNA:** none", "Age 62"]),
    ("Findings: 1. Tumor 61%. 2. Stroma 24%.", ["Findings: 1. Tumor 61%.", "2. Stroma 24%."]),
    ("| Stage | III |\n|---|---|\n| Age | 62 |", ["Stage | III", "Age | 62"]),
    ("RNA absent. mRNA was not read. pT2 was.", ["RNA absent.", "mRNA was not read.", "pT2 was."]),
    ("Is it hot? Yes! (It is warm.) Fine", ["Is it hot?", "Yes!", "(It is warm.)", "Fine"]),
    ("It is (see above. And below) fine. Next.", ["It is (see above. And below) fine.", "Next."]),
    (
        "The tumor, which was large and lay in the upper lobe,\nwas resected.",
        ["The tumor, which was large and lay in the upper lobe,\nwas resected."],
    ),
    ("肺癌。三期！", ["肺癌。", "三期！"]),
    ("No data…", ["No data…"]),
    ("### Summary\n\nTier is Hot", ["Summary", "Tier is Hot"]),
    ("Lives in the U.S. The rest is unknown.", ["Lives in the U.S.", "The rest is unknown."]),
    ("a\r\nB\u2028C", ["a", "B", "C"]),
    ("", []),
    (" \n--- \n...", []),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_sentences_are_split_where_a_reader_would(text: str, expected: list[str]) -> None:
    """Abbreviations, decimals, lists, labels, tables."""
    assert [text[start:stop] for start, stop in split(text)] == expected


@pytest.mark.parametrize(
    ("sentence", "heading"),
    [
        ("**Key pathology evidence:**", True),
        ("Summary of readiness:", True),
        ("**Clinical Context**", True),
        ("**Tier:** Hot", False),
        ("**Stage 3:**", False),
        ("Tumor fraction", False),
        ("**The tumor is hot.**", False),
    ],
)
def test_a_bare_label_is_a_heading(sentence: str, heading: bool) -> None:
    """What says something checkable is no heading."""
    assert is_heading(sentence) is heading


@pytest.mark.parametrize(
    ("sentence", "finished"),
    [("Tumor is 61%.", True), ("Tumor is 0.", False), ("Tumor is", False), ("It is.**", True), ("", False)],
)
def test_a_cut_reply_ends_finished_only_at_a_sure_full_stop(sentence: str, finished: bool) -> None:
    """A stop after a digit may be a cut decimal."""
    assert is_finished(sentence) is finished
