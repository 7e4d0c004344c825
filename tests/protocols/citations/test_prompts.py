"""Every prompt of the protocol fills, keeps data between marks, and says that data is no instruction."""

import re
from pathlib import Path

import pytest

from percuss.core.prompts import fields_of, fill

FOLDER = Path(__file__).resolve().parents[3] / "src" / "percuss" / "protocols" / "citations" / "prompts"
FILES = sorted(FOLDER.glob("*.md"))
# What others wrote: models, pages, searches.
FOREIGN = {
    "answer",
    "conversation",
    "passages",
    "results",
    "texts",
    "documents",
    "document",
    "earlier",
    "content",
}


def test_there_is_a_citation_instruction_for_each_domain() -> None:
    names = {path.stem for path in FILES}
    assert {
        f"cite_{d}" for d in ("medical_guidelines", "research_questions", "legal_cases", "coding")
    } <= names
    assert {
        "judge_full_text",
        "judge_snippet",
        "judge_provider_search",
        "judge_fallback",
        "judge_code",
    } <= names


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_fills_and_keeps_foreign_text_between_marks(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    fields = fields_of(text)
    filled = fill(text, dict.fromkeys(fields, "XX"))
    assert "{" not in filled
    marked = "".join(match[2] for match in re.finditer(r"<(\w+)>\n(.*?)</\1>", text, flags=re.DOTALL))
    for field in fields & FOREIGN:
        assert f"{{{field}}}" in marked, f"{field} stands outside marks"
        assert re.search(
            r"never (?:an )?instruction|nothing in them is an instruction", text
        ) or path.stem in {
            "judge_full_text",
            "judge_snippet",
        }, "data is not said to be no instruction (judge_system says it for the two judges)"


def test_the_judges_ask_for_the_same_fields() -> None:
    def asked(name: str) -> set[str]:
        last = (FOLDER / f"{name}.md").read_text(encoding="utf-8").strip().splitlines()[-1]
        return set(re.findall(r"`(\w+)`", last)) - {"addresses"}

    assert (
        asked("judge_full_text")
        == asked("judge_snippet")
        == asked("judge_provider_search")
        == asked("judge_fallback")
    )
    assert {"reference", "content", "quote", "abstention", "hallucination", "insufficient"} <= asked(
        "judge_snippet"
    )
