"""How far raters agree stands among the estimates, just as the tables show it; the panel says how often the reader is right."""

from typing import Any

import pytest
from msgspec.structs import replace

from percuss.core.ports import ScoredResponse
from percuss.core.reading import ReadRight
from percuss.core.records import Estimate
from percuss.core.sections import Panel, Section, Table
from percuss.kit.report import sections
from percuss.kit.report.judged import AGREEMENT, BUCKETS, KAPPA, SAME
from percuss.stats import cohen_kappa
from tests.unit.kit.views import ARMS, Held, answer, rate

BOTH = [rate("m", arm) for arm in ARMS]
READ = ReadRight(corpus="support", date="2026-11-22", n=1_050, right=0.914)


def _with_people(told: ScoredResponse, number: int) -> ScoredResponse:
    """People say the same but of the second claim of every third case."""
    said = []
    for at, verdict in enumerate(told.verdicts):
        other = "supported" if verdict.label == "unsupported" else "unsupported"
        label = other if at == 1 and number % 3 == 0 else verdict.label
        said.append(replace(verdict, rater="human:ann", label=label))
    return ScoredResponse(
        case=told.case, response=told.response, claims=told.claims, verdicts=(*told.verdicts, *said)
    )


def _made(estimates: list[Estimate] = BOTH) -> list[Section]:
    answers = [_with_people(answer(n, arm), n) for n in range(12) for arm in ARMS]
    return list(sections(Held(answers), estimates, None))


def _estimates(made: list[Section]) -> list[Estimate]:
    return [e for section in made for e in section.estimates]


def test_every_number_of_the_tables_of_agreement_is_an_estimate() -> None:
    made = _made()
    found = {(e.name, e.model, e.arm, e.stratum): e for e in _estimates(made)}
    table = next(s.record for s in made if s.title == AGREEMENT)
    assert isinstance(table, Table)
    (row,) = [row for row in table.rows if row["of"] == "labelled by people"]
    whole = ("all models", "all arms", "claims: labelled by people")
    for key, name in (("raw", SAME), ("kappa", KAPPA)):
        e = found[name, *whole]
        assert (e.value, e.low, e.high) == (row[key]["value"], row[key]["low"], row[key]["high"])
        assert (e.labels, e.n, e.simulated) == ("people and rules", 48, False)
    assert found[SAME, *whole].value == pytest.approx(40 / 48)
    rules = [v.label for n in range(12) for arm in ARMS for v in answer(n, arm).verdicts]
    people = [
        v.label for n in range(12) for arm in ARMS for v in _with_people(answer(n, arm), n).verdicts[2:]
    ]
    expected = cohen_kappa(people, rules)  # type: ignore[arg-type]
    assert found[KAPPA, *whole].value == pytest.approx(expected.value)
    buckets = next(s.record for s in made if s.title == BUCKETS)
    assert isinstance(buckets, Table)
    assert [row["bucket"] for row in buckets.rows] == ["m · with", "m · without"]
    for bucket in buckets.rows:
        e = found[SAME, "m", bucket["bucket"].removeprefix("m · "), "claims: labelled by people"]
        assert (e.value, e.n) == (bucket["raw"]["value"], bucket["n"]) == (pytest.approx(20 / 24), 24)


def test_without_a_second_rater_there_is_nothing_to_agree_with() -> None:
    answers = [answer(n, arm) for n in range(12) for arm in ARMS]
    assert _estimates(list(sections(Held(answers), BOTH, None))) == []


@pytest.mark.parametrize(
    ("read", "words"),
    [
        (None, "Labels: rules t. "),
        (READ, "Labels: rules t (read 91% of 1,050 labelled texts right, 2026-11-22). "),
    ],
)
def test_the_panel_says_how_often_the_reader_is_right(read: Any, words: str) -> None:
    made = _made([replace(e, read_right=read) for e in BOTH])
    panel = next(s.record for s in made if isinstance(s.record, Panel))
    assert any(line.startswith(words) for line in panel.lines), panel.lines
