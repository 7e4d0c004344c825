"""Why answers of the recorded small model are cut: they say the same over and over, so no limit of tokens would end them."""

import re
from collections import Counter
from pathlib import Path

from percuss.api.report.demo import recorded_run
from percuss.store import RunStore

README = Path(__file__).resolve().parents[3] / "src" / "percuss" / "protocols" / "grounding" / "README.md"
SMALL = "embedded/smollm2-135m-instruct"


def says_it_again(text: str) -> bool:
    """Whether a text ends in the same words twice or more, at least a dozen of them; numbers count as equal, the last word may be cut."""
    words = [re.sub(r"\d+(?:\.\d+)?", "0", word.casefold()) for word in re.findall(r"[\w.%]+", text)][:-1]
    for period in range(1, len(words) // 2 + 1):
        tail = words[-max(2 * period, 12) :]
        if len(tail) >= 12 and tail[period:] == tail[:-period]:
            return True
    return False


def test_words_that_come_again_are_found() -> None:
    assert says_it_again("It is so. " + "The cancer is stage 4, and the patient smoked for years. " * 3)
    assert says_it_again("He is " + "a stage IB (stage 3) and " * 5)
    assert not says_it_again(
        "She is 61 years old and female. The cancer is stage IIIA. She smoked 40 pack-years. The tumour is 0.7 pure."
    )


def test_cut_answers_of_the_recorded_run_repeat_themselves(tmp_path: Path) -> None:
    again: Counter[bool] = Counter()
    ended: Counter[str] = Counter()
    with recorded_run(tmp_path / "run") as folder, RunStore.open(folder) as store:
        for response in (scored.response for scored in store.view("").assessed()):
            if response.finish == "length":
                assert response.model == SMALL
                again[says_it_again(response.turns[-1].text)] += 1
            else:
                ended[response.model] += 1
    assert (
        f"Of its {again.total()} cut answers in the recorded run {again[True]} end in words said again and again"
        in README.read_text(encoding="utf-8")
    )
    assert again[True] / again.total() > 0.95
    assert min(ended.values()) > 0
