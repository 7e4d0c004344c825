"""Passports: what ships with the package, and whom it lets carry a headline."""

import pytest
from msgspec.structs import replace

from percuss.judging.passport import Passport, passport_of, passports


def test_every_passport_can_be_read_and_said() -> None:
    assert passports()
    for passport in passports():
        assert 0 <= passport.right <= passport.decided <= 1
        assert f"of {passport.n:,} labelled texts right" in passport.words


@pytest.mark.parametrize("reader", ["rule:strict", "rule:extended"])
def test_the_first_rules_carry_no_headline(reader: str) -> None:
    """False "unsupported" among supported claims above .01, false "supported" among unsupported ones above .02."""
    passport = passport_of(reader)
    assert passport is not None
    assert passport.false_unsupported is not None
    assert passport.false_unsupported > 0.01
    assert not passport.floors_met


def test_a_passport_that_meets_the_floors_says_its_errors() -> None:
    passport = Passport(
        reader="rule:x", version="1", corpus="support", layout="structured", date="2026-11-22", n=1050, right=0.71,
        decided=0.72, false_unsupported=0.004, false_supported=0.011, floors_met=True,
    )  # fmt: skip
    assert passport.words == (
        "reads 71% of 1,050 labelled texts right, calls 0.4% of supported claims unsupported and 1.1% of unsupported "
        "ones supported"
    )


def test_nobody_knows_a_reader_without_a_passport() -> None:
    assert passport_of("rule:strict", layout="pictures") is None
    assert passport_of("rule:unheard") is None


def test_a_passport_in_words() -> None:
    held = Passport(
        reader="rule:x", version="1", corpus="support", layout="", date="2026-11-22", n=1_417, right=0.466, decided=0.5,
        false_unsupported=0.0125, false_supported=0.004, floors_met=False,
    )  # fmt: skip
    assert held.sentence == (
        "rule:x reads 47% of 1,417 labelled texts right, calls 1.2% of supported claims unsupported and 0.4% of "
        "unsupported ones supported; below its floors."
    )
    bare = replace(held, false_supported=None, right=1.0, floors_met=True)
    assert bare.sentence == "rule:x reads 100% of 1,417 labelled texts right; within its floors."


@pytest.mark.parametrize(
    ("unsupported", "wrong"),
    [(0.5, 0.05), (0.05, 0.5), (0.2, 0.174)],
    ids=["half of the text", "five in a hundred", "a fifth"],
)
def test_what_a_reader_flags_is_wrong_more_often_where_little_is_unsupported(
    unsupported: float, wrong: float
) -> None:
    """Spec, reading, section 2: precision .95 at half and half is .50 where 5% are unsupported."""
    held = Passport(
        reader="rule:x", version="1", corpus="support", layout="", date="2026-11-22", n=1_000, right=0.95, decided=1.0,
        false_unsupported=0.05, false_supported=0.05, floors_met=False, finds=0.95,
    )  # fmt: skip
    flagged = unsupported * 0.95 + (1 - unsupported) * 0.05
    assert held.wrongly_flagged(flagged) == pytest.approx(wrong, abs=0.001)


def test_what_a_passport_cannot_tell_of_flags() -> None:
    held = passport_of("rule:support-2")
    assert held is not None
    assert held.false_unsupported is not None
    assert held.finds is not None
    assert held.wrongly_flagged(0.0) is None
    assert held.wrongly_flagged(held.finds + 0.01) is None, "more than it flags where nothing is supported"
    assert held.wrongly_flagged(held.false_unsupported / 2) == 1.0, "no more than its false alarms"
    assert replace(held, finds=None).wrongly_flagged(0.1) is None
