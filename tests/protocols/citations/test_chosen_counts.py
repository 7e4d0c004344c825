"""What is asked and what is counted where the user chooses: questions per language, abstentions in the denominator."""

from pathlib import Path
from typing import Literal

import msgspec
import pytest

from percuss.protocols.citations import PROTOCOL
from percuss.protocols.citations.options import CitationsOptions
from tests.citing_people import Reader, Writer
from tests.protocols.citations.conversations import answer, document, entry, run

LANGUAGES = ("python", "r", "scala", "elixir")


def _file(folder: Path, rows: list[dict[str, str]]) -> str:
    path = folder / "coding.jsonl"
    path.write_bytes(b"\n".join(map(msgspec.json.encode, rows)))
    return str(path)


def test_so_many_coding_questions_per_language_whatever_the_order_of_the_file(tmp_path: Path) -> None:
    rows = [
        {"id": f"{name}-{n}", "prompt": f"Write number {n}.", "language": name, "domain": "coding"}
        for name in LANGUAGES
        for n in range(9)
    ]
    other = {"id": "law", "question": "What was held?", "domain": "legal_cases"}
    options = CitationsOptions(turns=1, per_language=3)
    chosen = [case.id for case in PROTOCOL.cases(_file(tmp_path, [*rows, other]), options, 5)]
    assert [sum(name.startswith(f"{language}-") for name in chosen) for language in LANGUAGES] == [3] * 4
    assert chosen[-1] == "law"
    again = [case.id for case in PROTOCOL.cases(_file(tmp_path, [other, *rows[::-1]]), options, 5)]
    assert set(again) == set(chosen)
    elsewise = [case.id for case in PROTOCOL.cases(_file(tmp_path, [*rows, other]), options, 6)]
    assert set(elsewise) != set(chosen), "drawn by the seed"


@pytest.mark.parametrize(
    ("abstentions", "counts"), [("out", (0.0, 0.0, {"abstained": 1})), ("in", (0.0, 1.0, {}))]
)
def test_an_abstention_is_left_out_or_counted_as_not_hallucinated(
    abstentions: Literal["out", "in"], counts: tuple[float, float, dict[str, int]], tmp_path: Path
) -> None:
    held = document("PEL-0001")
    said = answer((held.facts[0].sentence, entry(held)))
    judge = Reader(lambda verdict: {**verdict, "abstention": True})
    ran = run(tmp_path / "run", Writer({"?": said}), turns=1, roles={"judge": judge}, abstentions=abstentions)
    cell = next(each for each in ran.cells if each.name == "hallucination_pooled" and "judge" in each.labels)
    excluded = {reason.partition(":")[0]: n for reason, n in cell.excluded.items()}
    assert (cell.num, cell.den, excluded) == counts
