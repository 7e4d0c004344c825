"""The numbers of this protocol in words."""

from percuss.measure.quantity import Quantity

__all__ = [
    "BY_ASPECT", "BY_LANGUAGE", "CITED", "CODE", "CONDITIONING", "DOMAINS_MEAN", "MACRO", "OF_JUDGE", "PER_CITATION", "POOLED", "PROPAGATION", "SETTING",
    "SHORT_FORM", "TURN", "turn_quantity",
]  # fmt: skip

MACRO = Quantity(
    "hallucination_macro_turns",
    "hallucinated citations, mean over turns",
    "Of citations that could be verified, what share has a wrong reference or is not what the source says? Mean over turns.",
    "lower",
)
POOLED = Quantity(
    "hallucination_pooled",
    "hallucinated citations, pooled",
    "Of citations that could be verified, what share has a wrong reference or is not what the source says?",
    "lower",
)
DOMAINS_MEAN = Quantity(
    "hallucination_macro_domains",
    "hallucinated citations, mean over domains",
    "What share of verifiable citations is hallucinated, averaged over domains without weights?",
    "lower",
)
PER_CITATION = (
    POOLED,
    Quantity(
        "hallucination_macro_conversations", "hallucinated citations, mean over conversations",
        "What share of a conversation's verifiable citations is hallucinated, on average?", "lower",
    ),
    Quantity(
        "hallucination_weighted", "hallucinated citations, weighted to all claims",
        "What would the share be, had every claim been judged and not a sample of each turn?", "lower",
    ),
    Quantity(
        "hallucination_located", "hallucinated citations, references not located left out",
        "What is the share where a reference that no search found is left out?", "lower",
    ),
    Quantity(
        "reference_failure", "wrong or nonexistent references",
        "Of references that could be checked, what share is wrong in a field or doesn't exist?", "lower",
    ),
    Quantity(
        "content_failure", "content failures, inherited ones included",
        "What share of citations has content that its reference doesn't hold, wrong references included?", "lower",
    ),
    Quantity(
        "content_failure_given_reference", "content failures given a right reference",
        "Where the reference is right, how often does the source not say it?", "lower",
    ),
    Quantity(
        "flagged_references", "retracted or superseded references",
        "Of references that could be checked, what share has been retracted or superseded?", "lower",
    ),
)  # fmt: skip
"""Shares of citations, one cell a conversation and label source (the last five not by people)."""
BY_ASPECT = frozenset(
    {
        "hallucination_located",
        "reference_failure",
        "content_failure",
        "content_failure_given_reference",
        "flagged_references",
    }
)
CITED = (
    Quantity("citation_rate", "factual sentences with a citation", "What share of factual sentences has a citation?", "higher"),
    Quantity("abstention_rate", "turns that abstain", "What share of turns says that it knows no source, and cites none?", "neither"),
    Quantity("claims_per_turn", "citations per turn", "How many cited claims has a turn?", "neither", "count"),
    Quantity("unique_references", "different references per conversation", "How many different references has a conversation?", "neither", "count"),
)  # fmt: skip
OF_JUDGE = (
    Quantity(
        "fallback_share", "citations that the judge left open",
        "What share of citations could the judge not decide, so that the fallback judge was asked where there is one?", "neither",
    ),
    Quantity(
        "inconsistent_share", "citations on which the judge contradicts itself",
        "In what share of citations do the judge's own fields disagree with what follows from them?", "neither",
    ),
    Quantity("judge_tokens", "tokens per judged citation", "How many tokens do planner and judge take per citation and pass?", "neither", "count"),
    Quantity("judge_searches", "searches per judged citation", "How many queries are put per citation?", "neither", "count"),
    Quantity("judge_pages", "pages read per judged citation", "How many pages are read in full per citation?", "neither", "count"),
)  # fmt: skip
PROPAGATION = (
    Quantity("propagation", "incorrect references that come back", "Of incorrect references of the first turn, what share comes back in a later turn?", "lower"),
    Quantity("survival_incorrect_2", "incorrect references still there in turn 2", "Of incorrect references of the first turn, what share stands in turn 2?", "lower"),
    Quantity("survival_incorrect_3", "incorrect references still there in turn 3", "Of incorrect references of the first turn, what share stands in turn 3?", "lower"),
    Quantity("survival_correct_2", "right references still there in turn 2", "Of right references of the first turn, what share stands in turn 2? Repeating is normal.", "neither"),
    Quantity("survival_correct_3", "right references still there in turn 3", "Of right references of the first turn, what share stands in turn 3? Repeating is normal.", "neither"),
)  # fmt: skip
CODE = (
    Quantity("code_hallucination", "answers with code that doesn't exist, of all answers", "What share of answers to coding questions installs, imports or calls what doesn't exist?", "lower"),
    Quantity("code_hallucination_with_code", "answers with code that doesn't exist, of those with checkable code", "What share of answers with code that could be checked uses what doesn't exist?", "lower"),
)  # fmt: skip
BY_LANGUAGE = (
    *CODE,
    Quantity("code_install", "answers that install what doesn't exist", "What share of answers to coding questions installs a package or version that doesn't exist?", "lower"),
    Quantity("code_import", "answers that import what doesn't exist", "What share of answers to coding questions imports what doesn't exist?", "lower"),
    Quantity("code_call", "answers that call what doesn't exist", "What share of answers to coding questions calls a function or argument that doesn't exist?", "lower"),
    Quantity("code_judged", "conversations with code that doesn't exist, as a judge says", "In what share of coding conversations does a judge find what doesn't exist?", "lower"),
)  # fmt: skip
"""Shares of answers with code; each has a stratum per language (papers/2 Table 8, Figure 7)."""
SHORT_FORM = (
    Quantity("short_abstained", "short questions abstained", "What share of short questions is answered by saying that it isn't known or doesn't exist?", "neither"),
    Quantity("short_correct", "short questions answered right", "What share of short questions is answered right?", "higher"),
    Quantity("short_hallucinated", "short questions hallucinated", "What share of short questions gets a specific answer that is wrong?", "lower"),
)  # fmt: skip
"""What became of short questions; a stratum each for fabricated and niche ones (papers/2 section 6, Figure 8)."""
CONDITIONING = Quantity(
    "self_conditioning",
    "effect of one's own mistakes",
    "How much more is hallucinated in the last turn with the mistakes of earlier turns than without them?",
    "neither",
    "points",
)
SETTING = Quantity(
    "hallucination_pooled_setting",
    "effect of the setting",
    "How much more is hallucinated at this temperature or reasoning effort than in the closed book?",
    "neither",
    "points",
)
"""Paired by question with `closed_book` (papers/2 Tables 4 and 7)."""
TURN = "hallucination_turn_"


def turn_quantity(number: int) -> Quantity:
    """Return the words of the share in one turn, counted from 1."""
    return Quantity(
        f"{TURN}{number}", f"hallucinated citations in turn {number}",
        f"Of verifiable citations in turn {number}, what share is hallucinated?", "lower",
    )  # fmt: skip
