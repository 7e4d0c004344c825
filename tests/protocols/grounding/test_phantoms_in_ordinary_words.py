"""Models that would catch the instrument, in ordinary and awkward words: hedging, padding, memory, easy cases, a self-made certificate."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from percuss.core.messages import Request
from percuss.models.scripted import Scripted
from percuss.protocols.grounding.estimate.word import CANT_TELL, CORRECTS, REMEMBERS
from percuss.protocols.grounding.options import GroundingOptions
from tests.protocols.grounding.ordinary import PADDING, case_of, is_shown, stated
from tests.protocols.grounding.runs import MAIN, Ran, run

ARM, BARE = MAIN
OPTIONS = GroundingOptions(resamples=200)
MODEL = "scripted/planted"
LABELS = "rule:support-2"
Say = Callable[[str, bool], Sequence[str]]


def planted(folder: Path, say: Say, limit: int = 24) -> Ran:
    """Run a model that says `say(case, is evidence shown)`."""

    def answer(request: Request, _epoch: int) -> str:
        return " ".join(say(case_of(request), is_shown(request)))

    return run(folder, (), limit=limit, options=OPTIONS, extra=(Scripted(answer, id=MODEL),))


def lower(text: str) -> str:
    return f"{text[0].lower()}{text[1:]}"


HEDGES = (
    "It could conceivably be that {}",
    "There is some suggestion that {}",
    "One might suspect that {}",
    "Possibly {}",
)


def test_a_hedging_model_is_withheld_and_named(tmp_path: Path) -> None:
    """What it invents it invents in both arms; with evidence it says so as likely, and one right thing as sure."""

    def say(case: str, shown: bool) -> Sequence[str]:
        invented = stated(case, wrong=True)[:5]
        if not shown:
            return invented
        return [*(HEDGES[at % 4].format(lower(text)) for at, text in enumerate(invented)), *stated(case)[3:4]]

    made = planted(tmp_path / "run", say)
    hdi = made.one("hdi_pooled", MODEL)
    assert hdi.value is not None
    assert hdi.value > 0.6, "the trap: of what is said as sure little is wrong with the evidence"
    assert (made.one("u_all", MODEL, ARM).value or 0) > 0.4
    assert (
        made.one("pattern", MODEL).note
        == f"{CANT_TELL}: it is another one with what is said as likely counted too"
    )


@pytest.mark.parametrize(
    ("beside", "without", "read"),
    [(0, 2, True), (5, 2, False), (5, 3, True), (6, 3, False)],
    ids=["bare", "padded", "padded, less invented", "padded with what isn't read, less invented"],
)
def test_a_padding_model_buys_no_word_with_facts_of_the_packet(
    tmp_path: Path, beside: int, without: int, read: bool
) -> None:
    """Two inventions an answer with evidence; five facts of the packet said beside them make a share look far better.

    One of the facts is in words that leave it undecided: it could be the third invention, so that there is no word with it.
    """

    def say(case: str, shown: bool) -> Sequence[str]:
        invented = stated(case, wrong=True)
        known = [text for text in stated(case)[2:] if not (read and text.startswith("For what"))]
        return [*invented[:2], *known[:beside]] if shown else invented[:without]

    made = planted(tmp_path / "run", say)
    pattern, hdi = made.one("pattern", MODEL), made.one("hdi_pooled", MODEL)
    assert (hdi.value or 0) > 0.4 or not beside, "the trap"
    if without == 3 and not read:
        assert pattern.note.startswith(f"{CANT_TELL}: the claims left undecided are enough to turn it round")
    elif without == 3:
        assert pattern.note == CORRECTS
    else:
        assert not pattern.note.startswith(CORRECTS)
    if beside and without == 2:
        assert made.one("hdi_per_answer", MODEL).value == pytest.approx(0, abs=0.05)
        assert pattern.note.startswith(f"{CANT_TELL}: it holds of shares alone")


def test_a_padding_model_changes_nothing_with_what_holds_of_anybody(tmp_path: Path) -> None:
    def say(case: str, shown: bool) -> Sequence[str]:
        return stated(case)[:5] if shown else stated(case, wrong=True)[:5]

    def padded(case: str, shown: bool) -> Sequence[str]:
        return [*say(case, shown), *(() if shown else PADDING)]

    plain, longer = planted(tmp_path / "a", say, limit=16), planted(tmp_path / "b", padded, limit=16)
    for name in ("hdi_pooled", "hdi_per_answer", "hdi_any", "pattern"):
        one, other = (made.one(name, MODEL) for made in (plain, longer))
        assert (one.value, one.note) == (other.value, other.note), name
    assert plain.one("pattern", MODEL).note == CORRECTS


def test_a_memoriser_is_named(tmp_path: Path) -> None:
    """It knows six in ten of the records by heart; of the others it says what another patient has."""

    def say(case: str, shown: bool) -> Sequence[str]:
        return stated(case)[:5] if shown or sum(case.encode()) % 5 < 3 else stated(case, wrong=True)[:5]

    made = planted(tmp_path / "run", say)
    assert made.one("pattern", MODEL).note.startswith(REMEMBERS)
    assert (made.one("matches_unseen_excess", MODEL, BARE).low or 0) > 0


def test_a_model_that_answers_only_easy_cases_is_withheld(tmp_path: Path) -> None:
    """With evidence it answers the cases that it gets right anyway, and of the others it says that it can't."""

    def say(case: str, shown: bool) -> Sequence[str]:
        easy = sum(case.encode()) % 5 < 3
        if shown and not easy:
            return ["I'm afraid I can't say anything about this one."]
        return (
            ["The io score is below 400.", "By IHC, purity was below 7."]
            if easy
            else stated(case, wrong=True)[:3]
        )

    made = planted(tmp_path / "run", say)
    pattern = made.one("pattern", MODEL)
    assert (
        (made.one("unsupported_rate", MODEL, ARM).value or 0)
        < 0.05
        < 0.3
        < (made.one("unsupported_rate", MODEL, BARE).value or 0)
    )
    assert pattern.note.startswith(CANT_TELL)
