"""What games a measure is set, sprung and shown: every trap of `grounding` is caught, and one that isn't fails the self-test."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from percuss.api.catalog import load
from percuss.api.run.certify import certify
from percuss.api.run.selftest_pages import write_pages
from percuss.api.run.selftesting import Selftest
from percuss.phantoms.selftest import Trap
from percuss.protocols.grounding.cases import cases
from percuss.protocols.grounding.options import GroundingOptions
from percuss.protocols.grounding.phantom.gaming import Ward, gaming
from percuss.protocols.grounding.record import reading
from percuss.protocols.grounding.traps import traps
from percuss.selftest.trapped import TrapRow, trapped

SEED = 7
NAMES = (
    "hedger",
    "padder",
    "hedging-padder",
    "inventor",
    "remembering",
    "easy-cases",
    "decided-7-of-10",
    "decided-4-of-10",
    "denier",
    "declined",
    "echo",
    "checker-of-its-successes",
    "checker-blind-in-an-arm",
    "checker-blind-to-a-class",
    "checker-that-decides-nothing",
)


def sprung(some: Sequence[Trap]) -> tuple[TrapRow, ...]:
    return asyncio.run(trapped(load("grounding"), some, seed=SEED, certify=certify))


def named(name: str) -> Trap:
    return next(trap for trap in traps(SEED) if trap.name == name)


def test_the_traps_are_those_that_the_definitions_name() -> None:
    assert tuple(trap.name for trap in traps(SEED)) == NAMES


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_each_is_caught_at_another_seed(name: str) -> None:
    (row,) = sprung([named(name)])
    assert row.caught, row.says


def test_one_that_is_not_caught_fails_the_self_test_and_says_so_on_its_page(tmp_path: Path) -> None:
    """In place of the model that only says the question again, one that says another value: the panel must not find it an echo."""
    trap = named("echo")
    liar = gaming("echo", lambda _case, _shown: ["Potassium is 9.7 mmol/L."], [c.id for c in trap.cases])
    caught, missed = sprung([trap, replace(trap, model=liar)])
    assert caught.caught
    assert not missed.caught

    def found(*rows: TrapRow) -> Selftest:
        return Selftest(
            protocol="grounding", version="1-6", seed=SEED, counts=None, rows=(), misses=0, intervals=0, allowed=0, traps=rows
        )  # fmt: skip

    assert found(caught).passed
    assert not found(caught, missed).passed
    page, _ = write_pages(found(caught, missed), tmp_path)
    text = page.read_text(encoding="utf-8")
    assert "1 of 2 are caught" in text
    assert "| **no** |" in text
    assert "Every number on this page is simulated" in text


def test_a_model_whose_number_looks_bad_anyway_tries_nothing() -> None:
    """A trap that isn't set is not caught: a hedger that invents without a fact beside it has no HDI that could mislead."""
    trap = named("padder")
    honest = gaming("padder", lambda _case, _shown: ["Ferritin stood at 412."], [""])
    (row,) = sprung([replace(trap, model=honest, limit=8)])
    assert not row.caught


def test_these_phantoms_are_of_the_words_of_a_ward() -> None:
    """Plausible values of the cohort, another patient's where they are wrong, never the same sentence right and wrong."""
    held = tuple(cases(None, GroundingOptions(), SEED))
    ward = Ward({case.id: reading(case).packet.tree() for case in held})
    for case in held:
        right, wrong = ward.right(case.id), ward.wrong(case.id)
        assert len(right) == len(wrong) >= 5
        assert not set(right) & set(wrong)
        assert set(wrong) <= {sentence for other in held for sentence in ward.right(other.id)}
