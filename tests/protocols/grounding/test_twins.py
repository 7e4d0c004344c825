"""Overlap by entailment: both directions, chance apart, undecided outside n, asked once; else the placed threshold; said which."""

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from percuss.core.messages import Request
from percuss.core.ports import Embedder, Model, Roles
from percuss.core.sections import Table
from percuss.core.verifying import Pair, Verification, Verifier
from percuss.judging.verifiers.scripted import ScriptedVerifier
from percuss.protocols.grounding import PROTOCOL
from percuss.protocols.grounding.estimate.readings import BY_ENTAILMENT, repeats_by
from percuss.protocols.grounding.options import GroundingOptions
from percuss.protocols.grounding.twins import DONORS, NEAREST, OTHER, TWIN
from percuss.store import RunStore
from tests.protocols.grounding.runs import MAIN, PlacedEmbedder, Ran, run
from tests.protocols.grounding.test_counting import answering

ARM, BARE = MAIN
MODEL = "scripted/fixed"
OPTIONS = GroundingOptions(resamples=200)
CASES = 12


def number_of(request: Request) -> int:
    """A number that only one case has, so that nothing said of it entails what is said of another."""
    name = request.messages[-1].text.split("Case ID: ")[1].split()[0]
    return sum(place * letter for place, letter in enumerate(name.encode(), start=1))


def with_evidence(request: Request) -> bool:
    return '"purity' in request.messages[-1].text


def says(shown: str, unseen: str) -> Model:
    """Answer with one text where evidence is shown and with another where it isn't; # is the number of the case."""
    return answering(lambda r: (shown if with_evidence(r) else unseen).replace("#", str(number_of(r))))


def entails(pair: Pair) -> str:
    """A text entails what it holds word for word, and nothing that it negates."""
    claim, premise = (" ".join(re.findall(r"[\w.]+", t.lower())) for t in (pair.claim, pair.premises[0]))
    return "supported" if len(pair.premises) == 1 and claim in premise else "neither"


class Counting(ScriptedVerifier):
    """The scripted verifier, which counts the pairs of claims that it is asked."""

    def __init__(self, *, silent: float = 0.0, seed: int = 0) -> None:
        super().__init__(entails, silent=silent, seed=seed)
        self.pairs: list[Pair] = []

    async def verify(self, pairs: Sequence[Pair]) -> tuple[Verification, ...]:
        self.pairs += [pair for pair in pairs if len(pair.premises) == 1]
        return await super().verify(pairs)


def made(
    folder: Path, shown: str, unseen: str, verifier: Verifier | None, embedder: Embedder | None = None
) -> Ran:
    model = says(shown, unseen)
    return run(folder, (), limit=CASES, options=OPTIONS, extra=(model,), verifier=verifier, embedder=embedder)


def test_a_claim_said_again_is_a_twin_and_chance_is_none(tmp_path: Path) -> None:
    shown = "She smoked # cigarettes. The sodium is # mmol/L."
    found = made(tmp_path / "run", shown, "She smoked # cigarettes. The calcium is # mmol/L.", Counting())
    assert found.one("overlap_entailed", MODEL).value == pytest.approx(0.5)
    assert found.one("overlap_chance_entailed", MODEL).value == pytest.approx(0)
    assert found.one(BY_ENTAILMENT, MODEL).value == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("shown", "unseen"),
    [
        ("The sodium is # mmol/L and raised today.", "The sodium is # mmol/L."),
        ("The sodium is # mmol/L.", "The sodium is # mmol/L and raised today."),
        ("No oedema was seen on day #.", "Oedema was seen on day #."),
    ],
)
def test_entailment_in_one_direction_and_an_opposite_are_no_twins(
    tmp_path: Path, shown: str, unseen: str
) -> None:
    found = made(tmp_path / "run", shown, unseen, Counting(), embedder=PlacedEmbedder())
    assert found.one("overlap_entailed", MODEL).value == pytest.approx(0)


def test_a_template_is_overlap_by_chance_and_none_of_the_case(tmp_path: Path) -> None:
    text = "The sodium is 139 mmol/L."
    found = made(tmp_path / "run", text, text, Counting())
    assert found.one("overlap_entailed", MODEL).value == pytest.approx(1)
    assert found.one("overlap_chance_entailed", MODEL).value == pytest.approx(1)
    assert found.one(BY_ENTAILMENT, MODEL).value == pytest.approx(0)


def test_what_the_verifier_does_not_read_is_outside_n(tmp_path: Path) -> None:
    text = "The sodium is # mmol/L. She smoked # cigarettes. The calcium is # mmol/L."
    found = made(tmp_path / "run", text, text, Counting(silent=0.3, seed=5))
    twins = found.one("overlap_entailed", MODEL)
    assert twins.value == pytest.approx(1), "what was read is right; what wasn't is no 'other'"
    with RunStore.open(found.folder) as store:
        said = [v for a in store.view(found.scoring).assessed() for v in a.verdicts if v.aspect == TWIN]
    assert {v.label for v in said} == {TWIN, None}
    assert {v.unscored for v in said if v.label is None} == {"undecided:by the verifier"}
    silent = made(tmp_path / "silent", text, text, Counting(silent=1.0))
    cells = [c for c in silent.cells if c.name == "overlap_entailed"]
    assert {(c.den, *c.excluded) for c in cells} == {(0, "undecided:by the verifier")}


def test_a_pair_is_asked_once_and_a_second_check_asks_nothing(tmp_path: Path) -> None:
    from percuss.engine import check

    verifier = Counting()
    text = "The sodium is # mmol/L. She smoked # cigarettes."
    found = made(tmp_path / "run", text, text, verifier)
    asked = len(verifier.pairs)
    assert asked == len(set(verifier.pairs))
    claims = 2 * CASES
    assert asked <= 2 * claims * NEAREST * (1 + DONORS)
    with RunStore.open(found.folder, writable=True) as store:
        again = asyncio.run(check(store, PROTOCOL, OPTIONS, roles=Roles({}, seed=42, verifier=verifier)))
    assert again.id == found.scoring
    assert len(verifier.pairs) == asked


def test_the_section_says_by_what_repetition_is_read(tmp_path: Path) -> None:
    text = "The sodium is # mmol/L."
    by_verifier = made(tmp_path / "a", text, text, Counting(), embedder=PlacedEmbedder())
    by_cosine = made(tmp_path / "b", text, text, None, embedder=PlacedEmbedder())
    assert repeats_by(by_verifier.estimates) == BY_ENTAILMENT
    assert repeats_by(by_cosine.estimates) == "overlap_excess_placed"
    assert "by entailment in both directions (verifier:scripted/verifier" in _notes(by_verifier)
    assert "at the threshold placed for the embedder" in _notes(by_cosine)
    assert not any(e.name == "overlap_entailed" for e in by_cosine.estimates)


def _notes(found: Ran) -> str:
    return " ".join(s.record.note for s in found.sections if isinstance(s.record, Table))


def test_without_baseline_claims_nothing_is_asked_and_nothing_overlaps(tmp_path: Path) -> None:
    verifier = Counting()
    found = made(tmp_path / "run", "The sodium is # mmol/L.", "No data are available.", verifier)
    assert not verifier.pairs
    assert found.one("overlap_entailed", MODEL).value == pytest.approx(0)
    with RunStore.open(found.folder) as store:
        said = {v.label for a in store.view(found.scoring).assessed() for v in a.verdicts if v.aspect == TWIN}
    assert said == {OTHER}
