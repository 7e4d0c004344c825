"""What an answer is worth, written before the scorers were tried on it: (type, reference, reply, score or reason)."""

from typing import Any

from percuss.protocols.textbook.items.item import Item, ItemType

Row = tuple[Item, str, float | str]
"""Item, reply, and its score; a text is how the reason begins."""


def item(kind: ItemType, **fields: Any) -> Item:
    return Item(id="q", type=kind, question="What is asked here?", **fields)


TRUE, FALSE = item("true_false", answer="true"), item("true_false", answer="false")
DRUGS = ("Furosemide", "Spironolactone", "Mannitol", "Hydrochlorothiazide")
DRUG = item("multiple_choice", options=DRUGS, answer="Spironolactone")
DOSES = item("multiple_choice", options=("10% - 40%", "3% - 80%", "3% - 30%", "15% - 70%"), answer="3% - 30%")
NESTED = item(
    "multiple_choice",
    options=("Insulin", "Insulin glargine", "Glucagon", "Metformin"),
    answer="Insulin glargine",
)
SIGNS = item(
    "list",
    options=("Fever", "Cough", "Rash", "Jaundice", "Tremor", "Weight loss"),
    answers=("Fever", "Cough", "Weight loss"),
)
OPEN_LIST = item(
    "list", answers=("Systemic lupus erythematosus (SLE)", "Rheumatoid arthritis", "Scleroderma")
)
STEPS = item(
    "multi_hop_inverse",
    reasoning=("One.", "Two.", "Three.", "Four."),
    wrong_step=3,
    given_answer="x",
    explanation="y",
)

TRUE_FALSE: list[Row] = [
    (TRUE, "True", 1), (TRUE, "False", 0), (FALSE, "False", 1), (FALSE, "True", 0), (TRUE, "true.", 1), (TRUE, "TRUE", 1),
    (TRUE, "**True**", 1), (FALSE, "*False.*", 1), (TRUE, "Answer: True", 1), (FALSE, "Answer: False", 1),
    (TRUE, "The statement is true.", 1), (FALSE, "The statement is false.", 1), (TRUE, "This is correct.", 1),
    (FALSE, "This statement is incorrect.", 1), (FALSE, "That is not true.", 1), (FALSE, "This isn't correct.", 1),
    (FALSE, "The statement is not entirely accurate.", 1), (TRUE, "That is not false.", 1), (TRUE, "Yes.", 1), (FALSE, "No.", 1),
    (TRUE, "True. It would be false to say that it has no effect.", 1), (FALSE, "False, because the true value is 3 mg.", 1),
    (TRUE, "True or false? True.", 1), (FALSE, "It is said to be true, but the answer is false.", 1),
    (TRUE, "Thinking of it, one may doubt.\n\nFinal answer: True", 1), (TRUE, "", "unparsable"), (TRUE, "   ", "unparsable"),
    (TRUE, "I don't know.", "unparsable"), (TRUE, "The kidney filters blood.", "unparsable"),
    (TRUE, "It may be true and it may be false.", "undecided"), (FALSE, "<think>It is true?</think>False", 1),
    (FALSE, "The statement is untrue.", 1), (TRUE, "The correct answer is: True.", 1), (FALSE, "1. False", 1),
]  # fmt: skip
CHOICE: list[Row] = [
    (DRUG, "B", 1), (DRUG, "B.", 1), (DRUG, "(B)", 1), (DRUG, "b)", 1), (DRUG, "B) Spironolactone", 1), (DRUG, "B: Spironolactone", 1),
    (DRUG, "Spironolactone", 1), (DRUG, "spironolactone.", 1), (DRUG, "**Spironolactone**", 1), (DRUG, "Answer: B", 1),
    (DRUG, "The answer is B.", 1), (DRUG, "The correct answer is (B) Spironolactone.", 1), (DRUG, "Option B", 1), (DRUG, "A", 0),
    (DRUG, "Furosemide", 0), (DRUG, "The answer is C", 0), (DRUG, "A and B", 0), (DRUG, "Furosemide or spironolactone", 0),
    (DRUG, "A, B", 0), (DRUG, "Both B and D are right.", 0), (DRUG, "", "unparsable"), (DRUG, "I am not sure.", "unparsable"),
    (DRUG, "None of the above", "unparsable"), (DRUG, "It blocks aldosterone.", "unparsable"),
    (DRUG, "B. Spironolactone. Furosemide acts in the loop and is not it.", 1),
    (DRUG, "Furosemide acts in the loop of Henle. The answer is B.", 1),
    (DRUG, "Let us see what each does.\nAnswer: Spironolactone", 1), (DRUG, "It is spironolactone, since it competes with aldosterone.", 1),
    (DRUG, "I would choose B", 1), (DRUG, "The best option is D", 0), (DOSES, "3% - 30%", 1), (DOSES, "3 % – 30 %", 1), (DOSES, "C", 1),
    (DOSES, "3% - 80%", 0), (DOSES, "C. 3% - 30%", 1), (NESTED, "Insulin glargine", 1), (NESTED, "insulin", 0),
    (NESTED, "Insulin glargine is given once a day.", 1), (NESTED, "B", 1), (DRUG, "E", "unparsable"),
    (DRUG, "A patient with ascites gets spironolactone.", 1), (DRUG, "Answer: B\n\nExplanation: A and C act elsewhere.", 1),
]  # fmt: skip
LISTS: list[Row] = [
    (SIGNS, "Fever, Cough, Weight loss", 1), (SIGNS, "Weight loss, fever, cough", 1), (SIGNS, "A, B, F", 1), (SIGNS, "F, A, B", 1),
    (SIGNS, "A B F", 1), (SIGNS, "A\nB\nF", 1), (SIGNS, "- Fever\n- Cough\n- Weight loss", 1), (SIGNS, "1. Fever\n2. Cough\n3. Weight loss", 1),
    (SIGNS, '["Fever", "Cough", "Weight loss"]', 1), (SIGNS, "fever; cough; weight loss", 1), (SIGNS, "Fever and cough and weight loss", 1),
    (SIGNS, "Fever, cough and weight loss.", 1), (SIGNS, "Fever, Fever, Cough, Weight loss", 1), (SIGNS, "A) Fever\nB) Cough\nF) Weight loss", 1),
    (SIGNS, "The correct answers are: A, B, F", 1), (SIGNS, "Answer: Fever, Cough, Weight loss", 1), (SIGNS, "Fever, Cough", 0.8),
    (SIGNS, "Fever", 0.5), (SIGNS, "Fever, Rash", 0.4), (SIGNS, "Rash, Tremor", 0), (SIGNS, "Fever, Cough, Weight loss, Rash", 6 / 7),
    (SIGNS, "A, B, C, D, E, F", 2 / 3), (SIGNS, "Fever, Cough, Weight loss, Headache", 6 / 7), (SIGNS, "None", 0), (SIGNS, "[]", 0),
    (SIGNS, "None of the above", 0), (SIGNS, "", "unparsable"), (SIGNS, " \n", "unparsable"), (SIGNS, "Headache", 0),
    (SIGNS, "**Fever**, **Cough**", 0.8), (SIGNS, "Here they are:\n- Fever\n- Cough\n- Weight loss", 1),
    (OPEN_LIST, "Rheumatoid arthritis, scleroderma, systemic lupus erythematosus", 1),
    (OPEN_LIST, "Scleroderma; SLE; rheumatoid arthritis", 2 / 3), (OPEN_LIST, "1. Scleroderma\n2. Rheumatoid arthritis", 0.8),
    (OPEN_LIST, "- Systemic lupus erythematosus (SLE)\n- Gout", 0.4), (OPEN_LIST, "rheumatoid arthritides", 0),
]  # fmt: skip
STEP: list[Row] = [
    (STEPS, "3", 1), (STEPS, "Step 3", 1), (STEPS, "Step 3.", 1), (STEPS, "step 3 is wrong because it is not so.", 1), (STEPS, "The third step.", 1),
    (STEPS, "Step 2", 0.5), (STEPS, "Step 4", 0.5), (STEPS, "Step 1", 0), (STEPS, "The first incorrect step is Step 3.", 1),
    (STEPS, "Steps 1 and 2 are fine; the error is in step 3.", 1), (STEPS, "The first wrong step is 2, and so step 3 fails.", 0.5),
    (STEPS, "", "unparsable"), (STEPS, "There is no error.", "unparsable"), (STEPS, "Step 9", "unparsable"),
    (STEPS, "Step 1 and step 2 and step 3 are discussed.", 0), (STEPS, "I compare steps 2 and also step 3 here.", "undecided"),
    (STEPS, "**Step 3**: the inference does not hold.", 1), (STEPS, "The mistake lies in the fourth step.", 0.5),
]  # fmt: skip
ROWS: list[Row] = [*TRUE_FALSE, *CHOICE, *LISTS, *STEP]
