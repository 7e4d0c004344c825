"""In which language a text is: sentences of a ward in thirteen languages, and English answers that are never another."""

import json
from pathlib import Path

import pytest

from percuss.text.language import language_of

READING = Path(__file__).parents[2] / "reading"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("The patient is on 75 mg of aspirin and has no fever.", "en"),
        ("Der Patient wurde mit Thoraxschmerz aufgenommen; das Troponin war nicht erhöht.", "de"),
        ("Kein Hinweis auf Pneumonie, der Kaliumwert liegt bei 5,9 mmol/l.", "de"),
        ("Le patient a été admis pour une douleur thoracique, avec une troponine normale.", "fr"),
        ("El paciente fue ingresado por dolor torácico, con una troponina normal.", "es"),
        ("Il paziente è stato ricoverato per dolore toracico con una troponina nella norma.", "it"),
        ("O paciente foi internado com dor torácica; a troponina não está elevada.", "pt"),
        ("De patiënt werd opgenomen met pijn op de borst, het troponine is niet verhoogd.", "nl"),
        ("Patienten har smärta i bröstet och är inte febril.", "sv"),
        ("Patienten har ikke feber, og der er ingen tegn på pneumoni.", "da"),
        ("Pacjent został przyjęty z powodu bólu, gorączka nie jest obecna, po lekach bez zmian.", "pl"),
        ("Pacient byl přijat pro bolest na hrudi, horečka není a tlak je nízký.", "cs"),
        ("Potilas on 61-vuotias, eikä kuumetta ole; hemoglobiini oli matala.", "fi"),
        ("Hasta 61 yaşında ve ateşi yok; bir yıl önce ameliyat olan hastanın tümörü var.", "tr"),
        ("患者61岁，诊断为肺腺癌。", "xx"),
        ("Пациент 61 год, аденокарцинома.", "xx"),
        ("Age 61. Stage IIIA. Kaplan et al., de novo AML.", ""),
        ("The TGF-β and IFN-γ signatures are low; the α-fetoprotein is normal.", "en"),
        ("", ""),
    ],
)  # fmt: skip
def test_a_text_in_its_language(text: str, code: str) -> None:
    assert language_of(text) == code


def test_no_english_answer_of_the_corpora_is_another_language() -> None:
    """Answers and labelled sentences of people and two local models; telegraphic ones aren't told, none is told wrongly."""
    read = told = 0
    for file in sorted([*READING.glob("*.jsonl"), *READING.glob("answers/*.jsonl")]):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            for text in (row.get("text"), row.get("answer")):
                if isinstance(text, str) and text.strip():
                    read, told = read + 1, told + (language_of(text) == "en")
                    assert language_of(text) in {"en", ""}, text
    assert read > 4_000
    assert told / read > 0.6
