"""The numbers of this protocol in words."""

from percuss.measure.quantity import Quantity

__all__ = ["BY_PEOPLE", "DISTRACTION", "MEANS", "MEMORISED", "PENALTY", "PER_ANSWER", "RATE", "SCORE"]

RATE = Quantity(
    "hallucination_rate", "wrong answers", "What share of answers is wrong (definition 1)?", "lower"
)
SCORE = Quantity("score", "mean score", "How right are answers on average, from 0 to 1?", "higher")
PER_ANSWER = (
    Quantity("partial_rate", "partly right answers", "What share of answers is right in part, with nothing wrong in it?", "neither"),
    Quantity("list_precision", "list precision", "What share of the entries listed is right?", "higher"),
    Quantity("list_recall", "list recall", "What share of the right entries is listed?", "higher"),
    Quantity("list_f1", "list F1", "How well do lists agree with the reference, order aside?", "higher"),
    Quantity("step_score", "first wrong step found", "How near is the step that is named to the first wrong one (1, half for one beside it)?", "higher"),
    Quantity("token_f1", "overlap with the reference (token F1)", "How many words do answers share with the reference? No measure of being right.", "neither"),
    Quantity("word_cosine", "overlap with the reference (cosine of words)", "How alike are the words of answers and reference, counted? No measure of being right.", "neither"),
    Quantity("rouge_l", "overlap with the reference (ROUGE-L)", "How long a sequence of words do answers share with the reference? No measure of being right.", "neither"),
)  # fmt: skip
"""One cell an answer of the types that it is about."""
BY_PEOPLE = (
    Quantity("bad_rate", "answers that people call bad", "What share of ranked answers do people call bad?", "lower"),
    Quantity("usefulness", "mean label by people", "How good do people call ranked answers, from 0 (bad) to 2 (good)?", "higher", "ratio"),
)  # fmt: skip
"""What a study of rankings says beside the flag of an unsupported claim (definitions, "Rankings and labels")."""
MEANS = frozenset(
    {"score", "list_precision", "list_recall", "list_f1", "step_score", "token_f1", "word_cosine", "rouge_l", "usefulness"}
)  # fmt: skip
"""Numbers that are no share, so that what is left out sets no bound."""
PENALTY = Quantity(
    "inverse_penalty",
    "inverse minus forward questions",
    "How much more often are answers wrong where a wrong answer has to be taken apart?",
    "neither",
    "points",
)
DISTRACTION = Quantity(
    "distraction",
    "what another passage does",
    "How much more often are answers wrong with another passage of the book than without any?",
    "neither",
    "points",
    cells="hallucination_rate",
)
MEMORISED = Quantity(
    "memorised_share",
    "passages known by heart",
    "What share of passages does the model continue word for word beyond what other passages of the book give?",
    "neither",
)
