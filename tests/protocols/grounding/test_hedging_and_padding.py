"""Laws of reading, section 4, on words: "possibly" before what an answer says, and what is said beside it, buy none and change none.

Everything is said in a ward's ordinary words. Models that the evidence corrects, does not help, makes worse, and one that
remembers; each is hedged and padded in one arm, in the other, in both.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from percuss.core.messages import Request
from percuss.models.scripted import Scripted
from percuss.protocols.grounding.estimate.word import CANT_TELL, CORRECTS, NO_EFFECT, REMEMBERS, WORSE
from percuss.protocols.grounding.options import GroundingOptions
from tests.protocols.grounding.ordinary import PADDING, case_of, is_shown, stated
from tests.protocols.grounding.runs import MAIN, Ran, run

ARM, BARE = MAIN
OPTIONS = GroundingOptions(resamples=200)
WIDE = GroundingOptions(resamples=200, margin=0.2)
"""So few cases tell nothing within 5 points: what evidence doesn't help is called so within 20."""
MODEL = "scripted/planted"
Say = Callable[[str, bool], Sequence[str]]
Change = Callable[[Sequence[str], str], Sequence[str]]
ARMS = {"with evidence": (True,), "without": (False,), "in both arms": (True, False)}
QUESTION = "What can be said of this patient?"
SURE = (
    "The io score is below 400.",
    "Consensus purity is below 300.",
    "The io score is at most 310.",
    "Consensus purity was under 250.",
    "Io score was less than 500.",
)
"""True of everybody in the cohort, so that it can be said without having seen anything."""


def facts(case: str, *, wrong: bool = False) -> list[str]:
    """All that is stated plainly of a case: what the rule reads alike with "possibly" before it."""
    return [text for text in stated(case, wrong=wrong) if not text.startswith(("By IHC", "For what"))]


def corrected(case: str, shown: bool) -> Sequence[str]:
    return facts(case)[:4] if shown else facts(case, wrong=True)[:4]


def unmoved(case: str, shown: bool) -> Sequence[str]:
    """Two inventions in either arm, of which one more now and then, and never more often with evidence than without."""
    return facts(case, wrong=True)[: 2 + (sum(case.encode()) + shown) % 2]


def worsened(case: str, shown: bool) -> Sequence[str]:
    """Mostly wrong with evidence; without it what holds of anybody, and now and then an invention."""
    wrong, now_and_then = facts(case, wrong=True), sum(case.encode()) % 4 == 0
    if shown:
        return [*wrong[:3], *facts(case)[3:4]] if now_and_then else wrong[:4]
    return [*SURE[:3], *wrong[: int(now_and_then)]]


def unhelped(case: str, shown: bool) -> Sequence[str]:
    """Three of five wrong in either arm, in one case of twelve one more with evidence, in another one fewer."""
    turn = sum(case.encode()) % 12 if shown else 1
    bad = {0: 4, 6: 2}.get(turn, 3)
    return [*facts(case, wrong=True)[:bad], *SURE[: 5 - bad]]


def remembering(case: str, shown: bool) -> Sequence[str]:
    return facts(case)[:4] if shown or sum(case.encode()) % 5 < 3 else facts(case, wrong=True)[:4]


MODELS: dict[str, tuple[Say, str]] = {
    "corrected": (corrected, CORRECTS),
    "unmoved": (unmoved, CANT_TELL),
    "worsened": (worsened, WORSE),
    "unhelped": (unhelped, NO_EFFECT),
    "remembering": (remembering, REMEMBERS),
}


def lower(text: str) -> str:
    return f"{text[0].lower()}{text[1:]}"


def possibly(said: Sequence[str], _case: str) -> Sequence[str]:
    return [f"Possibly {lower(text)}" for text in said]


def half(said: Sequence[str], _case: str) -> Sequence[str]:
    return [f"Possibly {lower(text)}" if at % 2 else text for at, text in enumerate(said)]


UNREAD = (
    "One might suspect that {}",
    "It could conceivably be that {}",
    "There is some suggestion that {}",
    "The picture would be in keeping with the following: {}",
)
"""Ways to say a thing as likely after which the rule decides less, or nothing."""


def unread(said: Sequence[str], _case: str) -> Sequence[str]:
    return [UNREAD[3].format(lower(text)) for text in said]


def mixed(said: Sequence[str], _case: str) -> Sequence[str]:
    return [UNREAD[at % 4].format(lower(text)) for at, text in enumerate(said)]


def nothing_said(said: Sequence[str], _case: str) -> Sequence[str]:
    return [PADDING[2], *said, PADDING[3], "As a rule, biopsies are read by two pathologists."]


def unsure(said: Sequence[str], _case: str) -> Sequence[str]:
    """Sentences without a statement of which the reader of speech acts isn't sure: they count as undecided."""
    return [PADDING[0], *said, PADDING[1]]


def asked_again(said: Sequence[str], _case: str) -> Sequence[str]:
    return [QUESTION, *said, QUESTION]


def known(said: Sequence[str], case: str) -> Sequence[str]:
    """Facts of the packet that the answer doesn't hold yet, and of anybody: five of them."""
    return [*said, *[text for text in (*facts(case)[4:], *SURE) if text not in said][:5]]


def true_of_all(said: Sequence[str], _case: str) -> Sequence[str]:
    return [*said, *SURE]


HEDGES: dict[str, Change] = {"possibly": possibly, "half of it possibly": half}
UNREADABLE: dict[str, Change] = {"hedged so that nothing is decided": unread, "hedged in four ways": mixed}
EMPTY: dict[str, Change] = {"sentences without a statement": nothing_said, "the question again": asked_again}


def grid(*axes: Iterable[str]) -> list[Any]:
    """Return all combinations with models and arms: per model another one is tried each time, the rest when slow tests are."""
    made = []
    for at, model in enumerate(MODELS):
        rows = list(product(*axes, ARMS))
        for turn, (*said, arms) in enumerate(rows):
            marks = () if turn == at % len(rows) else pytest.mark.slow
            made.append(
                pytest.param(*said, model, ARMS[arms], id="-".join([*said, model, arms]), marks=marks)
            )
    return made


def planted(folder: Path, say: Say, *changes: tuple[Change, Sequence[bool]], limit: int = 24) -> Ran:
    """Run a model whose sentences are changed, one change after the other, in the arms named."""

    def answer(request: Request, _epoch: int) -> str:
        case, shown = case_of(request), is_shown(request)
        said = say(case, shown)
        for change, arms in changes:
            said = change(said, case) if shown in arms else said
        return " ".join(said)

    options = WIDE if say is unhelped else OPTIONS
    return run(folder, (), limit=limit, options=options, extra=(Scripted(answer, id=MODEL),))


def word_of(made: Ran) -> str:
    """Return the word without its reason."""
    return made.one("pattern", MODEL).note.partition(":")[0]


@pytest.mark.parametrize(("hedge", "model", "arms"), grid(HEDGES))
def test_possibly_changes_no_word(tmp_path: Path, hedge: str, model: str, arms: Sequence[bool]) -> None:
    say, word = MODELS[model]
    made = planted(tmp_path / "run", say, (HEDGES[hedge], arms))
    assert (made.one("hedged_share", MODEL, ARM if arms[0] else BARE).value or 0) > 0.3, "it was hedged"
    assert word_of(made) == word, made.one("pattern", MODEL).note


@pytest.mark.parametrize(("pad", "model", "arms"), grid(EMPTY))
def test_sentences_that_say_nothing_of_the_case_change_no_word(
    tmp_path: Path, pad: str, model: str, arms: Sequence[bool]
) -> None:
    say, word = MODELS[model]
    assert word_of(planted(tmp_path / "run", say, (EMPTY[pad], arms))) == word


@pytest.mark.parametrize(("model", "arms"), grid())
def test_sentences_that_the_reader_is_not_sure_of_give_no_other_word(
    tmp_path: Path, model: str, arms: Sequence[bool]
) -> None:
    say, word = MODELS[model]
    assert word_of(planted(tmp_path / "run", say, (unsure, arms))) in {word, CANT_TELL}


@pytest.mark.parametrize(("model", "arms"), grid())
def test_facts_said_beside_never_give_another_word(tmp_path: Path, arms: Sequence[bool], model: str) -> None:
    """Where shares then say another thing than counts per answer there is no word; what evidence corrects stays corrected."""
    say, word = MODELS[model]
    pad = known if arms == (True,) else true_of_all
    made = planted(tmp_path / "run", say, (pad, arms))
    assert word_of(made) in {word, CANT_TELL}, made.one("pattern", MODEL).note
    if model == "corrected" and True in arms:
        assert word_of(made) == CORRECTS


@pytest.mark.parametrize("hedge", [*HEDGES, *UNREADABLE])
def test_inventions_hedged_with_evidence_beside_facts_of_the_packet_buy_no_word(
    tmp_path: Path, hedge: str
) -> None:
    """The open fault: the same inventions in both arms, with evidence said as likely and five facts beside them."""
    change = (HEDGES | UNREADABLE)[hedge]
    made = planted(tmp_path / "run", unmoved, (change, (True,)), (known, (True,)))
    u, bare = (made.one("unsupported_rate", MODEL, arm).value or 0 for arm in MAIN)
    assert u < 0.5 < bare, "the trap: of what is asserted little is wrong with the evidence"
    assert word_of(made) == CANT_TELL


BOTH = [
    (hedging, padding, pad)
    for hedging, padding in product(ARMS, ARMS)
    for pad in (known, true_of_all)
    if not (pad is known and padding != "with evidence")
]


@pytest.mark.parametrize(("hedging", "padding", "pad"), BOTH)
@pytest.mark.parametrize("hedge", [*HEDGES, *UNREADABLE])
@pytest.mark.parametrize("model", ["corrected", "unmoved", "unhelped", "worsened"])
@pytest.mark.slow
def test_hedging_and_padding_together_buy_no_word(
    tmp_path: Path, model: str, hedge: str, hedging: str, padding: str, pad: Change
) -> None:
    """At equal rates and at differing ones: no word that the plain model doesn't have."""
    say, word = MODELS[model]
    change = (HEDGES | UNREADABLE)[hedge]
    made = planted(tmp_path / "run", say, (change, ARMS[hedging]), (pad, ARMS[padding]), limit=16)
    assert word_of(made) in {word, CANT_TELL}, made.one("pattern", MODEL).note
