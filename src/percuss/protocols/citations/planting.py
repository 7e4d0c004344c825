"""What `percuss selftest citations` plants."""

from percuss.phantoms.selftest import SelftestPlan

__all__ = ["PLAN"]

_OTHER = {
    "abstain": 0, "heed": 0.3, "nonexistent": 0.1, "repeat": 0.3, "retracted": 0.1, "uncited": 0.4, "wrong_content_1": 0.1,
    "wrong_content_2": 0.2, "wrong_content_3": 0.4, "wrong_field": 0.1,
}  # fmt: skip
PLAN = SelftestPlan(
    models=(
        "phantom/citer",
        "phantom/citer?" + "&".join(f"{key}={value:g}" for key, value in sorted(_OTHER.items())),
    ),
    limit=77,
    arms=("closed_book", "grounded"),
    estimates=(
        "hallucination_macro_turns", "hallucination_pooled", "hallucination_weighted", "hallucination_turn_1", "hallucination_turn_2",
        "hallucination_turn_3", "reference_failure", "content_failure", "content_failure_given_reference", "flagged_references",
        "citation_rate", "abstention_rate", "propagation", "survival_incorrect_2", "survival_incorrect_3", "survival_correct_2",
        "survival_correct_3", "hdi_pooled",
    ),
    settings={"resamples": 1_000},
)  # fmt: skip
