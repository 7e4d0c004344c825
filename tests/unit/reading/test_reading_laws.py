"""Laws of reading (spec, reading, section 4): a twin of a claim that people call supported is never supported, another form never unsupported."""

import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))
import reading_laws  # noqa: E402

ENOUGH = 200
KNOWN: dict[str, Counter[str]] = {}
"""What breaks a law today, by set and cause: none does."""
HERE = ("structured, dev", "recorded run")


@pytest.mark.slow
@pytest.mark.parametrize("of", ["structured, dev", "recorded run", "texts, dev", "sets of others"])
def test_what_breaks_a_law_is_known_and_printed(of: str) -> None:
    if of not in reading_laws.claims():
        assert of not in HERE
        pytest.skip(
            f"the evidence of {of!r} is not beside this checkout (PERCUSS_SHARED names the folder above data/)"
        )
    assert reading_laws.broken(of) == KNOWN.get(of, Counter())


@pytest.mark.slow
def test_each_law_is_tried_on_real_claims_enough() -> None:
    """Claims, not changes of them; those of the recorded run were all said by models."""
    for made in (reading_laws.twins, reading_laws.forms):
        texts = {of: {one.claim.text for one in made(of)} for of in HERE}
        assert len(texts["structured, dev"]) >= ENOUGH
        assert len(texts["recorded run"]) >= ENOUGH / 2
        assert {one.kind for of in HERE for one in made(of)} >= {
            "negation",
            "number",
            "status",
        } or made is not reading_laws.twins


@pytest.mark.slow
def test_the_page_holds_what_is_found_today() -> None:
    page, shown = reading_laws.page(), reading_laws.PAGE.read_text(encoding="utf-8")
    found = [line for line in page.splitlines() if line.startswith("|")]
    assert set(found) <= set(shown.splitlines()), "run scripts/reading_laws.py"
    assert len(found) >= 2 + 2 * len(HERE)
    assert shown in (ROOT / "docs" / "reading.md").read_text(encoding="utf-8")


def test_a_changed_claim_is_another_one() -> None:
    assert reading_laws.TWINS["number"]("Ferritin is 12.5.") == "Ferritin is 77.5."
    assert reading_laws.TWINS["number"]("Ferritin is below 12.") is None
    assert reading_laws.TWINS["side"]("The left lung.") == "The right lung."
    assert reading_laws.TWINS["negation"]("It is not raised.") is None
