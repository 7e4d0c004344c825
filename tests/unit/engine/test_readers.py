"""Every estimate says who made its labels and how often that reader was right on labelled text."""

from pathlib import Path

from percuss.judging.passport import passport_of
from tests.golden.sections.runs import grounding_judged


def test_rules_carry_their_passport_and_a_judge_its_name(tmp_path: Path) -> None:
    estimates, sections = grounding_judged(tmp_path)
    found = {(e.name, e.labels): e for e in estimates}
    rule = found["unsupported_rate", "rule:support-2"]
    passport = passport_of("rule:support-2")
    assert passport is not None
    assert rule.reader == "rule:support-2"
    assert rule.read_right is not None
    assert (rule.read_right.corpus, rule.read_right.date, rule.read_right.n) == (
        passport.corpus, passport.date, passport.n,
    )  # fmt: skip
    assert rule.read_right.false_unsupported == passport.false_unsupported
    assert rule.read_right.false_supported == passport.false_supported
    assert found["abstention", "rule:support-2"].reader == "rule:abstention-2"
    judged = found["unsupported_rate", "agreement"]
    assert judged.reader.startswith("judge:")
    assert judged.read_right is None
    assert found["answered_share", "run"].reader == "run"
    agree = found["raters_kappa", "rules and judge"]
    assert (agree.model, agree.arm, agree.reader) == ("all models", "all arms", "rules and judge")
    assert not any(section.estimates for section in sections), "they stand among the estimates alone"
