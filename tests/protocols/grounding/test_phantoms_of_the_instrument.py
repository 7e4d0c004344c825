"""Models that would catch the instrument: unequal decided shares, easy cases only, hedging, padding, memory: each is named or withheld."""

import json
from pathlib import Path

import pytest

from percuss.core.messages import Request
from percuss.core.seeds import derive
from percuss.models.scripted import Scripted
from percuss.protocols.grounding.estimate.word import CANT_TELL, CORRECTS, HOLDS_BACK, REMEMBERS
from percuss.protocols.grounding.options import GroundingOptions
from tests.protocols.grounding.ordinary import stated
from tests.protocols.grounding.runs import MAIN, PlacedEmbedder, Ran, run

ARM, BARE = MAIN
OPTIONS = GroundingOptions(resamples=200)
MODEL = "scripted/planted"
LABELS = "rule:support-2"
WRONG, RIGHT = "Troponin was 88.2.", "The io score is below 400."
OPEN = tuple(
    f"Her {kind} glow was seen {when}."
    for kind in ("violet", "amber", "silver", "copper", "indigo", "russet")
    for when in ("twice", "at noon", "by night")
)
"""Sentences about the patient that no rule can decide: nothing in them is of the table."""


def case_of(request: Request) -> str:
    return request.messages[-1].text.split("Case ID: ")[1].split()[0]


def is_shown(request: Request) -> bool:
    return "<evidence>" in request.messages[-1].text


def planted(folder: Path, decided: dict[bool, int], wrong: float, limit: int = 40) -> Ran:
    """Run a model that says ten things an answer, of which so many can be decided and a share of these is wrong, whatever it is shown."""

    def say(request: Request, _epoch: int) -> str:
        shown, case = is_shown(request), case_of(request)
        said = []
        for at in range(decided[shown]):
            bad = derive(7, case, str(at), str(shown)) < wrong * 2**31
            said.append(f"Ferritin stood at {400 + at}.5." if bad else f"The io score is below {400 + at}.")
        said.extend(OPEN[: 10 - decided[shown]])
        return " ".join(said)

    return run(folder, (), limit=limit, options=OPTIONS, extra=(Scripted(say, id=MODEL),))


@pytest.mark.parametrize("shares", [(7, 4), (4, 7)], ids=["more decided with evidence", "more without"])
def test_equal_rates_at_unequal_decided_shares_give_no_word(tmp_path: Path, shares: tuple[int, int]) -> None:
    made = planted(tmp_path / "run", {True: shares[0], False: shares[1]}, wrong=0.5)
    for arm, share in zip(MAIN, shares, strict=True):
        assert made.one("decided_share", MODEL, arm, labels=LABELS).value == pytest.approx(
            share / 10, abs=0.02
        )
        assert made.one("unsupported_rate", MODEL, arm, labels=LABELS).value == pytest.approx(0.5, abs=0.1)
    pattern = made.one("pattern", MODEL)
    assert pattern.note.startswith(f"{CANT_TELL}: rules decide 4")
    assert pattern.value is None


def test_equal_decided_shares_of_four_in_ten_give_no_word_though_rates_differ(tmp_path: Path) -> None:
    """The floor alone, without a difference of shares: what is withheld above isn't withheld for its rates."""

    def say(request: Request, _epoch: int) -> str:
        case = case_of(request)
        held = RIGHT if is_shown(request) else WRONG
        return " ".join((held.replace("88", str(80 + len(case))), *OPEN[:3]))

    made = run(tmp_path / "run", (), limit=40, options=OPTIONS, extra=(Scripted(say, id=MODEL),))
    assert made.one("pattern", MODEL).note.startswith(f"{CANT_TELL}: rules decide")


def test_a_word_on_spoken_cases_survives_silence_without_evidence(tmp_path: Path) -> None:
    """A third of the cases is declined without evidence; of the others all is wrong without it and right with it: that is a correction."""

    def say(request: Request, _epoch: int) -> str:
        case = case_of(request)
        if not is_shown(request):
            return (
                "I can't answer this." if sum(case.encode()) % 4 == 0 else f"{WRONG} Ferritin stood at 412."
            )
        return f"{RIGHT} Consensus purity is below 300."

    made = run(tmp_path / "run", (), limit=40, options=OPTIONS, extra=(Scripted(say, id=MODEL),))
    assert made.one("pattern", MODEL).note == CORRECTS


def test_a_model_that_answers_only_easy_cases_is_withheld(tmp_path: Path) -> None:
    """With evidence it answers the cases that it gets right anyway and refuses the others; its rates look far better for it."""

    def say(request: Request, _epoch: int) -> str:
        easy = sum(case_of(request).encode()) % 5 < 2
        if is_shown(request) and not easy:
            return "I can't answer this."
        return (
            f"{RIGHT} Consensus purity is below 300. {WRONG}" if easy else f"{WRONG} Ferritin stood at 412."
        )

    made = run(tmp_path / "run", (), limit=40, options=OPTIONS, extra=(Scripted(say, id=MODEL),))
    pattern = made.one("pattern", MODEL)
    hdi, silent = made.one("hdi_pooled", MODEL), made.one("no_assertion", MODEL)
    assert hdi.value is not None
    assert hdi.value > 0.4, "the trap: by its number alone the evidence corrects it"
    assert silent.value == pytest.approx(0.6, abs=0.2)
    assert pattern.note.startswith(f"{CANT_TELL}: it is another one on the ")
    assert pattern.note.endswith("cases of which something is said in both arms")


def corrected(request: Request, _epoch: int) -> str:
    return " ".join(stated(case_of(request), wrong=not is_shown(request))[:7])


@pytest.mark.parametrize("cases", [2, 4])
def test_too_few_cases_for_an_interval_give_no_word(tmp_path: Path, cases: int) -> None:
    """Two patients were enough for "evidence corrects it": the limits of their rates stood in for the interval that there is not."""
    made = run(tmp_path / "run", (), limit=cases, options=OPTIONS, extra=(Scripted(corrected, id=MODEL),))
    assert made.one("hdi_pooled", MODEL).low is None
    assert made.one("pattern", MODEL).note.startswith(
        f"{CANT_TELL}: worth {cases}.0 equal cases, fewer than 5"
    )
    found = next(s.record for s in made.sections if s.place == "findings" and s.kind == "panel")
    assert found.rows[0].words["pattern"].startswith(f"{CANT_TELL} from {cases} cases: worth")  # type: ignore[union-attr]


def test_resamples_are_classed_by_the_conditions_of_the_word(tmp_path: Path) -> None:
    """Silent in half of the cases in both arms alike, corrected in the others: no resample holds back (76% did)."""

    def say(request: Request, epoch: int) -> str:
        return "I can't answer this." if sum(case_of(request).encode()) % 2 else corrected(request, epoch)

    made = run(tmp_path / "run", (), limit=80, options=OPTIONS, extra=(Scripted(say, id=MODEL),))
    assert (made.one("pattern", MODEL).note, made.one("pattern", MODEL).value) == (CORRECTS, 1)
    assert made.one("pattern_probability", MODEL, stratum=HOLDS_BACK).value == 0


def test_memory_has_its_share_of_resamples(tmp_path: Path) -> None:
    """The word stood without one: "no resample is classed by it"."""

    def say(request: Request, _epoch: int) -> str:
        return " ".join(stated(case_of(request))[:4])

    made = run(tmp_path / "run", (), limit=24, options=OPTIONS, extra=(Scripted(say, id=MODEL),))
    pattern = made.one("pattern", MODEL)
    assert pattern.note == REMEMBERS
    assert pattern.value is not None
    assert pattern.value > 0.95


def test_the_question_said_again_in_both_arms_repeats_nothing(tmp_path: Path) -> None:
    """Overlap at the placed threshold, on which a word rests, met the question's own sentences, too."""
    rows = [
        {"id": f"q{i}", "question": f"A {30 + i}-year-old man from ward {i} takes digoxin. What are the values?",
         "evidence": {"labs": {"sodium": 130 + i, "potassium": 3 + i / 20}}}
        for i in range(24)
    ]  # fmt: skip
    source = tmp_path / "cases.jsonl"
    source.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")

    def said(echo: str) -> Ran:
        def say(request: Request, _epoch: int) -> str:
            text = request.messages[-1].text
            n = int(text.split("from ward ")[1].split()[0])
            about = rows[n]["question"].partition(" What")[0] if echo else ""  # type: ignore[attr-defined]
            value = f"Sodium is {130 + n} mmol/L." if "sodium" in text else f"Potassium is {7 + n / 10:.1f}."
            return f"{about} {value}".strip()

        return run(
            tmp_path / f"run{echo}", (), options=OPTIONS, source=str(source), arms=("full", BARE), embedder=PlacedEmbedder(),
            extra=(Scripted(say, id=MODEL),),
        )  # fmt: skip

    plain, echoed = said(""), said("again")
    for name in ("overlap_placed", "overlap_excess_placed"):
        assert echoed.one(name, MODEL, "full").value == pytest.approx(plain.one(name, MODEL, "full").value)
    before, after = (made.one("overlap_80", MODEL, "full").value for made in (plain, echoed))
    assert before is not None
    assert after is not None
    assert after > before, "the trap, at the paper's threshold"
