"""docs/jury.md is what the script makes of the labels, and it gives no verdict where there are few."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "scripts"))

import jury_medics


def test_the_page_is_current_and_says_where_the_jury_has_no_verdict() -> None:
    text = "\n".join(jury_medics.page()) + "\n"
    assert text == jury_medics.PAGE.read_text(encoding="utf-8")
    found = [*jury_medics.lines(jury_medics.explanation), *jury_medics.lines(jury_medics.stressors)]
    assert {one.model for one in found} == {"smollm2-135m-instruct", "qwen2.5-coder-1.5b-instruct"}
    for one in found:
        row = any(
            line.startswith(f"| {one.what} | {one.model} | {one.arm} | {one.n} |")
            for line in text.splitlines()
        )
        assert row == (one.n >= jury_medics.FEWEST), one
        withheld = f"{one.arm} {one.n}" in text.partition("Withheld")[2]
        assert row or withheld, one


def test_two_readers_who_did_not_see_each_other_agree_on_real_explanations() -> None:
    n, kappa = jury_medics.second_reader()
    assert n >= 150
    assert kappa is not None
    assert kappa >= 0.70  # reading.md, section 2: below it the definition is mended first
