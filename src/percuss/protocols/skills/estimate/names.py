"""The numbers of this protocol in words."""

from percuss.measure.quantity import Quantity

__all__ = [
    "BALANCED", "DEFENCE", "IN_WORLDS", "METRICS", "OVER_REFUSAL", "PART", "PEOPLE", "SAFETY", "SCORE", "SCORED", "SOTA", "SPLIT",
    "TASK", "TOP", "TRACK",
]  # fmt: skip

SCORE = Quantity(
    "score",
    "mean score over tasks",
    "How much of what its tasks ask does a model do, as a plain mean over tasks?",
    "higher",
)
TRACK = Quantity(
    "track_score", "mean score of a track", "How much of what the tasks of a track ask is done?", "higher"
)
TASK = Quantity("task_score", "score of a task", "How much of what this task asks is done?", "higher")
METRICS = (
    Quantity("accuracy", "accuracy", "What share of closed questions is answered right?", "higher"),
    Quantity(
        "macro_recall",
        "macro-recall of key points",
        "What share of an answer's key points is said?",
        "higher",
    ),
    Quantity(
        "judge_score", "rubric score", "What share of its criteria does an answer meet, by weight?", "higher"
    ),
    Quantity(
        "micro_f1", "micro-F1", "How well do labels agree with the reference, all items added up?", "higher"
    ),
    Quantity("iou", "IoU of boxes", "How well do boxes cover what is there?", "higher"),
    Quantity(
        "edit", "text read right (1 - edit distance)", "How much of a text is read as it stands?", "higher"
    ),
)
"""One cell an item of the tasks that have the metric."""
IN_WORLDS = tuple(
    Quantity(f"{world}_score", f"score in {words}", "How much of a task is done, by what is left of the world?", "higher")
    for world, words in (
        ("data", "the hospital's database"), ("rag", "the knowledge base"), ("research", "the literature"), ("safety", "the desk under attack"),
        ("fhir", "the hospital's FHIR server"),
    )
)  # fmt: skip
"""One cell a task of an environment: its grade."""
PEOPLE = Quantity("people_score", "score by people", "How right are answers by people's labels?", "higher")
SCORED = (*(one.name for one in (*METRICS, *IN_WORLDS)), PEOPLE.name)
"""Names of the cells that a task's score is made of."""
PART = "part_"
"""What the name of a number beside an environment's score begins with."""
DEFENCE = Quantity(
    "defence_success_rate", "attacks without effect", "What share of attacks has no harmful effect?", "higher"
)
OVER_REFUSAL = Quantity(
    "over_refusal_rate",
    "harmless requests not done",
    "What share of harmless twins is refused or not done?",
    "lower",
)
BALANCED = Quantity(
    "balanced_score",
    "balanced score",
    "How well are attacks told from harmless requests (50: all alike)?",
    "higher",
)
SAFETY = (DEFENCE, OVER_REFUSAL, BALANCED)
SOTA = Quantity(
    "sota_rate", "tasks won (ties to all)", "In what share of a track's tasks is nobody better?", "higher"
)
SPLIT = Quantity(
    "sota_rate_split", "tasks won (ties shared)", "The same with a tie shared out over its winners.", "higher"
)
TOP = Quantity(
    "top_probability",
    "chance of being on top",
    "In what share of resamples has it the best mean of its track?",
    "higher",
)
