"""What an embedder adds: a question in other words, a statement in other words, evidence in other words."""

import asyncio
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from percuss.core.ports import Roles, ScoredResponse
from percuss.core.records import Arm, Posed, Reply, Request, Text
from percuss.protocols.stressors.arms import pose
from percuss.protocols.stressors.ask import ask
from percuss.protocols.stressors.check.identity import BAND, TWIN
from percuss.protocols.stressors.options import StressorsOptions
from tests.protocols.stressors.direct import assessed, case_of, cells_of
from tests.protocols.stressors.generator import vignette

V = vignette(6)
WARFARIN = "The patient takes warfarin."
THINNER = "A coumarin is swallowed daily."
WAIT = "This is most likely Indigo colic."


class Near:
    """An embedder with a table: texts of one row lie at its cosine to each other, all others at right angles."""

    id, pin, dim = "test/near", "1", 64

    def __init__(self, *rows: tuple[str, str, float]) -> None:
        self.rows = rows

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([self._vector(text) for text in texts])

    def _vector(self, text: str) -> NDArray[np.float32]:
        out = np.zeros(self.dim, dtype=np.float32)
        for at, (one, other, cosine) in enumerate(self.rows):
            if text == one:
                out[2 * at] = 1
                return out
            if text == other:
                out[2 * at], out[2 * at + 1] = cosine, (1 - cosine**2) ** 0.5
                return out
        out[40 + sum(text.encode()) % 20] = 1
        return out


class Saying:
    id, pin = "test/saying", "1"

    def __init__(self, *turns: str) -> None:
        self.turns = turns

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        del epoch
        at = sum(m.role == "assistant" for m in request.messages)
        return Reply(parts=(Text(text=self.turns[at]),), finish="stop")


class Matcher(Saying):
    """A judge of identity; it answers nothing else."""

    id = "test/matcher"

    def __init__(self, label: str) -> None:
        self.label = label

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        del epoch
        label = self.label if "<later>" in request.messages[-1].text else "unsupported"
        return Reply(parts=(Text(text=f'{{"rationale": "", "label": "{label}"}}'),), finish="stop")


def found_in(
    turns: tuple[str, str, str, str], embedder: Near, judge: Matcher | None = None
) -> ScoredResponse:
    made = assessed(case_of(V), "baseline", Saying(*turns), 5, embedder=embedder, judge=judge)
    found = asyncio.run(made)
    assert found is not None
    return found


def hpr(found: ScoredResponse, labels: str) -> tuple[float, float, dict[str, int]]:
    [cell] = [c for c in cells_of([found], 5) if c.name == "hpr_pooled" and c.labels == labels]
    return cell.num, cell.den, dict(cell.excluded)


@pytest.mark.parametrize(
    ("cosine", "line", "near"),
    [(TWIN + 0.01, 0, None), (TWIN - 0.01, 1, 0), (BAND + 0.01, 1, 0), (BAND - 0.01, 1, None)],
)
def test_a_statement_in_other_words_joins_by_cosine_to_its_birth(
    cosine: float, line: int, near: int | None
) -> None:
    found = found_in((WARFARIN, THINNER, WAIT, WAIT), Near((WARFARIN, THINNER, cosine)))
    one, two = (next(c for c in found.claims if c.text == text) for text in (WARFARIN, THINNER))
    assert two.payload["line"] == (one, two)[line].id
    assert two.payload.get("near") == (None if near is None else one.id)
    assert found.claims[0].extractor.endswith("+test/near")


def test_negation_forbids_a_twin_whatever_the_cosine() -> None:
    denial = "No coumarin is swallowed."
    found = found_in((WARFARIN, denial, WAIT, WAIT), Near((WARFARIN, denial, 0.99)))
    assert all(c.payload["line"] == c.id for c in found.claims if c.text in {WARFARIN, denial})


@pytest.mark.parametrize(("label", "counts"), [("same", (1, 1)), ("different", (0, 1)), ("unknown", (0, 0))])
def test_in_the_band_the_judge_decides_else_it_stays_unscored(label: str, counts: tuple[int, int]) -> None:
    """Persistence of one statement that may come again: 1 of 1 if it does, 0 of 1 if not, left out if nobody knows."""
    found = found_in((WARFARIN, WAIT, WAIT, THINNER), Near((WARFARIN, THINNER, TWIN - 0.03)), Matcher(label))
    said = [v for v in found.verdicts if v.aspect == "identity"]
    assert [v.label for v in said] == [label, label]
    num, den, excluded = hpr(found, "agreement")
    assert (round(num), round(den)) == counts
    assert (excluded.get("not_checkable:identity", 0) == 1) == (label == "unknown")
    assert hpr(found, "rule:flow") == (0, 0, {"not_checkable:identity": 1})


def test_a_question_in_other_words_finds_its_group() -> None:
    question = "How are the days spent?"
    posed = pose(case_of(V), Arm(name="baseline"), None, StressorsOptions(), 5)
    assert isinstance(posed, Posed)
    said = {}
    for cosine in (0.6, 0.5):
        roles = Roles(
            {"model": Saying(question, WAIT, WAIT, WAIT)}, seed=1, embedder=Near((question, "Social history", cosine))
        )  # fmt: skip
        [said[cosine]] = asyncio.run(ask(posed, roles, StressorsOptions())).artifacts["answers"]
    assert said[0.6]["text"] == "The patient works as a baker."
    assert said[0.5]["text"] == "Not done or not recorded."


@pytest.mark.parametrize(
    ("item", "cosine", "label"),
    [
        ("Sound perception stays the same", 0.9, "supported"),
        ("Sound perception stays the same", 0.8, None),
        ("Sound perception is not the same", 0.9, None),
    ],
)
def test_evidence_in_other_words_is_found_among_what_was_told(
    item: str, cosine: float, label: str | None
) -> None:
    final = f"Done.\nDIAGNOSIS: Verdigris fever\nEVIDENCE:\n- {item}"
    found = found_in((WAIT, WAIT, WAIT, final), Near(("Hearing: unchanged", item, cosine)))
    [claim] = [c for c in found.claims if c.kind == "evidence"]
    [verdict] = [v for v in found.verdicts if v.subject == claim.id]
    assert verdict.label == label
