"""mediQ atomic-facts cases (JSONL, CC BY 4.0): facts aligned to their sentence, which is what is told or withheld."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from percuss.core.errors import BadInput
from percuss.protocols.stressors.cases.keys import key_score, kind_of_test, names
from percuss.protocols.stressors.scenario.vignettes import Fact, Kind, Vignette
from percuss.protocols.stressors.scenario.wording import coverage
from percuss.text.quantities import quantities

__all__ = ["asks_diagnosis", "is_mediq", "vignette_of"]

_ALIGNED = 0.6
"""Below this coverage a fact belongs to the sentence of the one before it."""
_TEST = re.compile(
    r"\b(?:biops\w+|histopatholog\w+|histolog\w+|patholog\w+|laborator\w+|serum|blood (?:count|test|work)|cultures?|koh|"
    r"microscop\w+|dermoscop\w+|dermatoscop\w+|ultraso\w+|x-?ray|radiograph\w*|\bct\b|\bmri\b|imaging|echocardio\w+|"
    r"electrocardio\w+|urinalysis|scraping|smear|stain\w*|immunofluorescence|antibod\w+|titers?|serolog\w+|pcr|"
    r"hemoglobin|leukocyt\w+|platelets?|creatinine|lab(?:s| values| results| work))\b",
    re.IGNORECASE,
)
_EXAM = re.compile(
    r"\b(?:exam\w*|inspection|palpation|auscultation|vital signs|on (?:skin|physical|visual)|reveal\w*|noted|observed|"
    r"visible|palpable|identified|afebrile|lesions? (?:is|are|was|were)|plaques?|papules?|there (?:is|are|was|were))\b",
    re.IGNORECASE,
)
_HISTORY = re.compile(
    r"\b(?:denie[sd]|reports?|reported|states|stated|complain\w*|history|family|mother|father|sibling|ago|began|started|"
    r"medications?|allerg\w+|smok\w+|alcohol|travel\w*|works?|previous\w*|recently|treated|tried|used|notices?|noticed|"
    r"presents?|presented|says|has been|takes|taking)\b",
    re.IGNORECASE,
)
_ASKABLE = re.compile(
    r"\b(?:family history|mother|father|brother|sister|parents?|smok\w+|alcohol|travel\w*|occupation|works as|pets?|"
    r"vaccin\w+|social history|sexual\w*|past medical history|surgical history)\b",
    re.IGNORECASE,
)


def is_mediq(record: dict[str, Any]) -> bool:
    """Tell whether a JSON object has the mediQ layout."""
    return {"context", "facts", "answer"} <= set(record)


def vignette_of(record: dict[str, Any], line: int) -> Vignette:
    """Return a case as a vignette; its sentences are the groups, and the answer is compared as stripped text.

    Args:
        record: one line of the file. line: its number.

    Raises:
        BadInput: facts, context or answer are missing.
    """
    context, facts = record.get("context"), record.get("facts")
    if not (isinstance(context, list) and isinstance(facts, list) and facts and record.get("answer")):
        raise BadInput("a mediQ case holds context, facts and answer; one of them is missing", line=line)
    diagnosis = str(record["answer"]).strip()
    texts = [re.sub(r"^\s*\d+\.\s*", "", str(fact)).strip() for fact in facts]
    sentences = [_sentence(str(each)) for each in context]
    at = _aligned(texts, sentences)
    demographics = _demographics(record.get("patient") or {}, texts[0])
    options = {str(key): str(value).strip() for key, value in (record.get("options") or {}).items()}
    kinds, askable = _kinds(sentences), _askable(sentences)
    return Vignette(
        id=f"mediq-{record.get('id', line)}",
        cluster=f"mediq-{record.get('id', line)}",
        stratum=_stratum(record),
        layout="mediq",
        demographics=demographics,
        opening=_opening(demographics, texts[0]),
        facts=tuple(_facts(texts[1:], at[1:], kinds, askable, diagnosis)),
        passages={f"Sentence {n + 1}": text for n, text in enumerate(sentences) if n},
        question=str(record.get("question") or "What is the most likely diagnosis?"),
        options=options or None,
        diagnosis=diagnosis,
        accepted_differential=(),
        gold_status=_status(record, options, diagnosis),
    )


_AGE = re.compile(r"(\d+)[\s-]*(year|month|week|day)s?", re.IGNORECASE)
_SEX = re.compile(r"\b(female|woman|girl|male|man|boy)\b", re.IGNORECASE)


def _demographics(patient: dict[str, Any], first: str) -> str:
    """Age and sex as they are read, from their own fields or the first statement; what is neither is left out."""
    age = _AGE.search(str(patient.get("age", ""))) or _AGE.search(first)
    sex = _SEX.search(str(patient.get("gender", ""))) or _SEX.search(first)
    who = sex[1].lower() if sex else "patient"
    return f"{age[1]}-{age[2].lower()}-old {who}" if age else f"A {who}"


def _stratum(record: dict[str, Any]) -> str:
    """The specialty that the row names; without one, skin where the text speaks of it."""
    named = (record.get("patient") or {}).get("specialties") or []
    if named:
        return str(named[0]).lower()
    return (
        "skin"
        if re.search(
            r"\b(?:skin|rash|lesions?|derm\w+|plaques?|papules?)\b",
            " ".join(map(str, record["context"])),
            re.IGNORECASE,
        )
        else "other"
    )


_ASKS_DIAGNOSIS = re.compile(
    r"\bdiagnos[ie]s\b(?! (?:test|step|procedure))|\bmost likely (?:cause|aetiology|etiology|pathogen|organism|causative)|\bcause of (?:this|the|her|his|these)|\bmost likely (?:explanation|explains)\b|\b(?:best|most likely) explain|"
    r"\bmost likely (?:has|suffering)|\blikely has\b|\bwhich (?:condition|disease|disorder) (?:is|does)|\b(?:most likely|underlying) (?:condition|disease|disorder)\b",
    re.IGNORECASE,
)
_ASKS_ELSE = re.compile(
    r"\b(?:next (?:best )?step|treatment|management|therapy|medication|drug|antibiotic|mechanism|risk factor|associated|finding|test|prevent\w*|complication|pathophysiolog\w*|"
    r"gene|enzyme|structure|statement)\b",
    re.IGNORECASE,
)


_PLAINLY = re.compile(
    r"\b(?:most likely|probable|likely|correct|primary|underlying|best|following|what is the|this patient's|your) (?:\w+ )?diagnosis\b",
    re.IGNORECASE,
)


def asks_diagnosis(question: str) -> bool:
    """Tell whether a question asks for a diagnosis or a cause; the answer to any other is none.

    Args:
        question: as the row has it; "" asks for the diagnosis.
    """
    if not question or _PLAINLY.search(question):
        return True
    return bool(_ASKS_DIAGNOSIS.search(question)) and not _ASKS_ELSE.search(question)


def _opening(demographics: str, first: str) -> str:
    said = re.search(r"\d+[- ](?:year|month|week|day)", first)
    return _sentence(first) if said else f"{_sentence(demographics)}. {_sentence(first)}"


def _sentence(text: str) -> str:
    text = text.strip()
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")


def _aligned(texts: Sequence[str], sentences: Sequence[str]) -> list[int]:
    """Return the sentence of each fact, by the share of its words that the sentence holds."""
    at: list[int] = []
    for text in texts:
        scores = [coverage(text, sentence) for sentence in sentences]
        best = max(range(len(scores)), key=lambda n: scores[n], default=0)
        low = not scores or scores[best] < _ALIGNED
        at.append((at[-1] if at else 0) if low else best)
    return at


def _kinds(sentences: Sequence[str]) -> list[Kind]:
    """Objective from an exam or test cue on, over sentences of findings, until a cue of history."""
    kinds: list[Kind] = []
    for n, sentence in enumerate(sentences):
        before: Kind = kinds[-1] if kinds else "history"
        if _TEST.search(sentence):
            kinds.append(kind_of_test(sentence))
        elif (
            n
            and _EXAM.search(sentence)
            and not re.match(r"^(?:he|she|the patient)\b.*\b(?:denie[sd]|reports?)", sentence, re.IGNORECASE)
        ):
            kinds.append("exam")
        elif n and before != "history" and not _HISTORY.search(sentence):
            kinds.append(before)
        else:
            kinds.append("history")
    return kinds


def _askable(sentences: Sequence[str]) -> list[bool]:
    """At most two sentences of family, social and past history, never one with an examination."""
    found, left = [], 2
    for n, sentence in enumerate(sentences):
        held = bool(
            n
            and left
            and _ASKABLE.search(sentence)
            and not _EXAM.search(sentence)
            and not _TEST.search(sentence)
        )
        left -= held
        found.append(held)
    return found


_TOPICS: dict[str, str] = {
    "exam": "examination",
    "lab": "laboratory test",
    "pathology": "histology",
    "functional": "functional test",
}


def _facts(
    texts: Sequence[str], at: Sequence[int], kinds: Sequence[Kind], askable: Sequence[bool], diagnosis: str
) -> Iterator[Fact]:
    for number, (text, sentence) in enumerate(zip(texts, at, strict=True), start=2):
        kind = kinds[sentence]
        said = quantities(text)
        one = said[0] if len(said) == 1 and said[0].part == "one" else None
        yield Fact(
            id=f"f{number}",
            text=text,
            kind=kind,
            group=f"Sentence {sentence + 1}",
            label=_TOPICS.get(kind, kind),
            number=None if one is None else float(one.value),
            unit=None if one is None else one.unit or None,
            source_path=f"facts[{number - 1}]",
            objective=kind not in {"history", "exam", "vital"},
            key_score=key_score(text, diagnosis),
            askable=askable[sentence],
            names_diagnosis=names(text, diagnosis),
        )


_DISPUTED = frozenset({1})
"""Ids whose answer contradicts the case: 1 describes acrodermatitis of Hallopeau, its answer is contact dermatitis."""


def _status(record: dict[str, Any], options: dict[str, str], diagnosis: str) -> Any:
    if not asks_diagnosis(str(record.get("question") or "")):
        return "none"
    by_index = options.get(str(record.get("answer_idx")), diagnosis)
    differs = by_index.casefold() != diagnosis.casefold()
    return "disputed" if differs or record.get("id") in _DISPUTED else "given"
