"""The numbers of this protocol in words, and the arms and thresholds they rest on."""

from percuss.measure.quantity import Quantity

__all__ = [
    "ABSTENTION",
    "BASELINE",
    "CASE_UNSUPPORTED",
    "DELTA",
    "DEPTHS",
    "GROUNDED",
    "JUDGE_AGREEMENT",
    "KINDS",
    "SECONDARY",
    "SUPPORTED",
    "UNSUPPORTED",
    "arm_words",
    "kind_cells",
    "source_words",
]

GROUNDED = ("full_multimodal", "full")
BASELINE = "ungrounded"
DEPTHS = ("pathology_only", "pathology_rna", "full_multimodal", "full")
KINDS = ("numeric", "modality", "tier", "uncertainty", "literature", "other")

UNSUPPORTED = Quantity(
    "unsupported_rate", "unsupported claims", "What share of claims does the evidence not support?", "lower"
)
SUPPORTED = Quantity(
    "supported_rate", "supported claims", "What share of claims does the evidence support?", "higher"
)
CASE_UNSUPPORTED = Quantity(
    "case_unsupported_rate",
    "answers with an unsupported claim",
    "What share of answers hold at least one unsupported claim?",
    "lower",
)
DELTA = Quantity(
    "delta_u",
    "unsupported claims that evidence takes away",
    "By how many points does the unsupported share fall when the evidence is given?",
    "neither",
    "points",
    "unsupported_rate",
)
ABSTENTION = Quantity(
    "abstention",
    "abstention",
    "What share of answers say what is missing and commit to no number, tier or source?",
    "neither",
)
JUDGE_AGREEMENT = Quantity(
    "judge_agreement",
    "judge self-agreement",
    "How often do two passes of the judge give the same label?",
    "higher",
)
SECONDARY = (
    Quantity("sentences", "claims an answer", "How many claims does an answer make?", "neither", "count"),
    Quantity(
        "numeric_fidelity",
        "numeric fidelity, by claim",
        "Of claims with numbers, in what share do all numbers match the evidence?",
        "higher",
    ),
    Quantity(
        "numeric_fidelity_tokens",
        "numeric fidelity, by number",
        "What share of numbers match the evidence?",
        "higher",
    ),
    Quantity(
        "modality_attribution",
        "modality attribution",
        "Of claims that name a kind of data, what share credit the right one?",
        "higher",
    ),
    Quantity(
        "completeness",
        "completeness",
        "How many of pathology, RNA, clinical context and uncertainty does an answer mention, of four?",
        "higher",
    ),
    Quantity("decided_share", "decided by rule", "What share of claims could a rule decide?", "higher"),
)
_ARMS = {
    "full_multimodal": "with evidence",
    "full": "with evidence",
    "ungrounded": "without evidence",
    "pathology_only": "with pathology only",
    "pathology_rna": "with pathology and RNA",
    "shuffled": "with another case's evidence",
    "no_id": "without evidence or identifier",
    "literature": "with evidence, asked for literature",
}


_SOURCES = {
    "agreement": "judge, where both passes agree",
    "majority": "judge, most of three passes",
    "human": "people",
    "corrected": "judge, corrected by people",
    "concordant": "where judge and rules give one label",
}


def arm_words(arm: str) -> str:
    """Return an arm in a person's words."""
    return _ARMS.get(arm, arm)


def source_words(labels: str) -> str:
    """Return whose labels a number rests on, in a person's words.

    >>> source_words("rule:strict"), source_words("judge:openai/gpt-4.1-mini")
    ('rules strict', 'first pass of openai/gpt-4.1-mini')
    """
    kind, _, name = labels.partition(":")
    if kind == "judge":
        return f"first pass of {name}"
    return f"rules {name}" if kind == "rule" else _SOURCES.get(labels, labels)


def kind_cells(name: str, kind: str) -> str:
    """Return the name of the cells of one claim kind."""
    return f"{name}:{kind}"
