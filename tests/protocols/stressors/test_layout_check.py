"""Readers are proven on the run's own cases: what the simulated clinician plants there and isn't read back is withheld."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from percuss.core.records import Case
from percuss.kit.layouts import LEAST, Read, compared, remembered, sampled
from percuss.phantoms import phantom
from percuss.protocols.stressors.cases import cases
from percuss.protocols.stressors.estimate.counting import ON_LAYOUT, response_cells
from percuss.protocols.stressors.estimate.proving import proofs, reasons
from percuss.protocols.stressors.options import RATER, StressorsOptions
from tests.protocols.stressors.direct import View, clinician, trial
from tests.protocols.stressors.generator import vignette
from tests.protocols.stressors.runs import SEED, Ran, run

SENTENCES = [
    "A 40-year-old woman comes to the clinic with a cough that started two weeks ago",
    "She smokes and works in a bakery",
    "On examination there is a dull percussion note over the right base",
    "A chest film shows a large effusion on the right side",
    "Laboratory tests show a haemoglobin of 9.1 g/dL and a leukocyte count of 14 per nanolitre.",
]
FACTS = [
    "1. The woman is 40 years old.", "2. The cough started two weeks ago.", "3. She smokes.", "4. She works in a bakery.",
    "5. The percussion note is dull over the right base.", "6. The film shows a large effusion on the right side.",
    "7. The haemoglobin is 9.1 g/dL.", "8. The leukocyte count is 14 per nanolitre.",
]  # fmt: skip
ROW: dict[str, Any] = {
    "id": 1, "question": "What is the most likely diagnosis?", "context": SENTENCES, "facts": FACTS, "answer": "Empyema", "answer_idx": "A",
    "options": {"A": "Empyema", "B": "Heart failure"},
}  # fmt: skip


@dataclass(frozen=True)
class Posed:
    """As much of a run as the check reads."""

    held: Sequence[Case]
    seed: int = SEED

    def cases(self) -> Iterator[Case]:
        yield from self.held


def written(folder: Path, rows: Sequence[dict[str, Any]]) -> str:
    path = folder / "cases.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def own(folder: Path, n: int) -> str:
    """A user's own vignettes in the layout of the bundled ones."""
    return written(folder, [msgspec.to_builtins(vignette(number)) for number in range(n)])


def mediq(folder: Path) -> str:
    return written(folder, [ROW, ROW | {"id": 2}])


def test_a_number_is_recovered_within_its_stated_error_or_says_how_it_was_read() -> None:
    near, far, few = (compared({"n": pairs})["n"] for pairs in ([(0.3, 0.35)] * 40, [(0.7, 0.0)] * 40, [(0.7, 0.0)] * (LEAST - 1)))  # fmt: skip
    assert (near.recovered, far.recovered, few.recovered, few.tried) == (True, False, True, False)
    assert far.words == "0.70 planted in a sample of these cases is read as 0.00"
    assert near.error == pytest.approx(0.10 + 2 * 0.05 / 40**0.5, abs=1e-4)


def test_a_sample_is_seeded_and_a_finding_is_kept(tmp_path: Path) -> None:
    ids = [f"case-{n}" for n in range(30)]
    assert sampled(ids, 1, 5) == sampled(reversed(ids), 1, 5) != sampled(ids, 2, 5)
    asked: list[int] = []

    def make() -> dict[str, Read]:
        asked.append(1)
        return {"gdr": Read(planted=0.7, read=0.0, error=0.1, n=90)}

    assert remembered("k", make, tmp_path / "kept") == remembered("k", make, tmp_path / "kept")
    (tmp_path / "kept" / "k.json").write_text("cut off {", encoding="utf-8")
    assert remembered("k", make, tmp_path / "kept")["gdr"].n == 90
    assert len(asked) == 2
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert remembered("k", make, tmp_path / "file")["gdr"].n == 90


def test_bundled_cases_run_no_check_and_own_ones_in_their_layout_come_back(tmp_path: Path) -> None:
    bundled = tuple(cases(None, StressorsOptions(), SEED))
    assert proofs(Posed(bundled), StressorsOptions()) == {}
    mine = tuple(cases(own(tmp_path, 24), StressorsOptions(), SEED))
    found = proofs(Posed((*bundled[:2], *mine)), StressorsOptions())
    assert set(found) == {"own"}
    assert reasons(found["own"]) == {}
    assert sum(read.tried for read in found["own"].values()) >= 18
    assert proofs(Posed(mine), StressorsOptions(layout_check=False)) == {}
    changed = msgspec.structs.replace(
        bundled[0], payload={**bundled[0].payload, "opening": "Another person."}
    )
    assert set(proofs(Posed((changed,)), StressorsOptions())) == {"own"}


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Ran, Ran]:
    """A run on mediQ's layout with the check and without."""
    folder = tmp_path_factory.mktemp("layout")
    source, model = mediq(folder), "phantom/clinician"
    off = StressorsOptions(resamples=300, layout_check=False)
    return run(folder / "on", [model], source=source), run(
        folder / "off", [model], source=source, options=off
    )


def said(ran: Ran) -> str:
    return " ".join(str(msgspec.to_builtins(section)) for section in ran.sections)


def test_what_is_not_read_back_is_withheld_with_the_sentence_why(checked: tuple[Ran, Ran]) -> None:
    ran, _ = checked
    gap = ran.one("gdr", "omission")
    assert gap.value is None
    assert (gap.undefined or "").startswith(
        "withheld, for 0.70 planted in a sample of these cases is read as 0.0"
    )
    assert not any(e.name == "gdr_pooled" and e.value is not None for e in ran.estimates)
    assert ran.one("cdr", "contradiction").value is not None
    assert "Withheld on the cases of mediq" in said(ran)
    assert "gap detection rate (planted 0.70, read 0.0" in said(ran)
    assert "Are the cases of mediq read as they should be?" in said(ran)
    for cell in ran.cells:
        if cell.name in {"gdr", "gdr_final_right", "gdr_final_wrong"} and cell.arm == "omission":
            assert cell.den == 0
            assert all(reason.startswith(ON_LAYOUT) for reason in cell.excluded)


def test_the_option_turns_it_off_and_the_report_says_so(checked: tuple[Ran, Ran]) -> None:
    _, ran = checked
    assert ran.one("gdr", "omission").value is not None
    assert "The readers were not tried on these cases (--no-layout-check)" in said(ran)
    assert not any(reason.startswith(ON_LAYOUT) for cell in ran.cells for reason in cell.excluded)


def test_of_judges_only_what_stands_on_the_rules_claims_is_withheld() -> None:
    held = [vignette(1)]
    model, judge = clinician("phantom/clinician", held, 1), phantom("phantom/auditor", seed=1)
    (answer,) = trial(held, ("omission",), model, 1, judge=judge)
    why = {"gdr": f"{ON_LAYOUT}a test", "nfr": f"{ON_LAYOUT}a test"}
    view: Any = View(1)
    found = list(response_cells(answer, view, StressorsOptions(), why))
    judges = {cell.labels for cell in found} - {RATER}
    gone = {(cell.name, cell.labels) for cell in found if set(cell.excluded) & set(why.values())}
    assert judges
    assert {("gdr", RATER), ("nfr", RATER), *(("nfr", label) for label in judges)} <= gone
    assert not {("gdr", label) for label in judges} & gone


def test_what_the_cases_lack_is_not_called_the_models_doing(tmp_path: Path) -> None:
    """A row without an agreed diagnosis has no accuracy whoever answers; mediQ's rows have no known errors."""
    row = ROW | {"question": "Which drug should be given next?", "options": {}}
    ran = run(
        tmp_path / "run", ["phantom/clinician"], source=written(tmp_path, [row]), arms=["baseline", "delay"]
    )
    assert ran.one("final_accuracy", "baseline").value is None
    words = said(ran)
    assert "these cases hold no diagnosis called right or no known error" in words
    assert (
        "phantom/clinician leaves undefined" not in words
        or "final diagnosis right" not in words.partition("leaves undefined")[2].partition(".")[0]
    )
