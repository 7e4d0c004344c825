"""MedHallu: the sample was drawn by its seed, and a verifier with planted errors gives the planted difference."""

import json
import sys
from pathlib import Path

import pytest

from percuss.core.verifying import Verification
from percuss.judging.verifiers.scripted import ScriptedVerifier
from percuss.judging.verifiers.windows import verify_in_windows

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))

import verified
import verifying

Said = list[tuple[str, str, str, Verification]]


def test_the_sample_is_what_its_seed_draws_and_its_parts_are_apart() -> None:
    written = json.loads(verifying.SAMPLED.read_text(encoding="utf-8"))
    assert written == verifying.draw_medhallu()
    placing, figures = set(written["placing"]), set(written["figures"])
    assert (len(placing), len(figures)) == verifying.SAMPLE
    assert placing <= set(range(1, 201))
    assert figures <= set(range(201, 501))


def test_figures_rest_on_rows_of_the_sample_alone() -> None:
    written = json.loads(verifying.SAMPLED.read_text(encoding="utf-8"))
    _, said = verified.kept()
    for of, name in (("medhallu", "figures"), ("medhallu placing", "placing")):
        read = {int(case.removeprefix("row ")) for held, case, _, _ in said if held == of}
        assert read
        assert read <= set(written[name])


async def scripted(seed: int, *, miss: float, alarm: float, cases: int = verifying.SAMPLE[1]) -> Said:
    fake = ScriptedVerifier(
        lambda pair: "supported" if "gold" in pair.claim else "contradicted",
        miss=miss,
        alarm=alarm,
        seed=seed,
    )
    said: Said = []
    for case in range(cases):
        claims = [f"The gold answer {case}.", f"The other answer {case}."]
        read = await verify_in_windows(fake, claims, [f"What is known of {case}."])
        labels = ("supported", "unsupported")
        said += [("medhallu", f"row {case}", label, v) for label, v in zip(labels, read, strict=True)]
    return said


@pytest.mark.parametrize(("miss", "alarm"), [(0.3, 0.1), (0.6, 0.25), (0.45, 0.45)])
async def test_a_planted_difference_is_recovered_within_its_interval(miss: float, alarm: float) -> None:
    planted, seeds, held = 1 - miss - alarm, 60, 0
    for seed in range(seeds):
        found = verified.difference(await scripted(seed, miss=miss, alarm=alarm))
        assert found is not None
        assert found.low is not None
        assert found.high is not None
        held += found.low <= planted <= found.high
    assert held >= 0.85 * seeds


async def test_the_difference_is_of_pairs_that_were_read_whole() -> None:
    said = await scripted(1, miss=0.0, alarm=0.0, cases=4)
    said[0] = (*said[0][:3], Verification(undecided="neither yes nor no was likely"))
    found = verified.difference([*said, ("wice", "row 9", "supported", Verification(supported=0.1))])
    assert found is not None
    assert (found.n, found.value) == (3, 1.0)
    assert verified.difference(said[:4]) is None
    assert verified.written_points(found).startswith("100.0 points [")


async def test_equal_readings_of_both_answers_have_no_difference() -> None:
    said: Said = []
    for case in range(64):
        read = Verification(supported=0.9 if case % 3 else 0.1)
        said += [("medhallu", f"row {case}", label, read) for label in ("supported", "unsupported")]
    found = verified.difference(said)
    assert found is not None
    assert found.value == 0
    assert found.low is not None
    assert found.high is not None
    assert found.low <= 0 <= found.high
