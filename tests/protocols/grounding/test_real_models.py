"""Models that are not simulated beside reference rows that are, and models that fail."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from percuss.core.errors import BadRequest, Refused
from percuss.core.messages import Reply, Request, Text
from percuss.core.sections import Chart, Panel, Table
from percuss.phantoms import phantom
from tests.protocols.grounding.runs import Ran, run

pytestmark = pytest.mark.slow


@dataclass
class Posing:
    """A phantom's behaviour from a provider that does not say that it simulates."""

    name: str
    profile: str
    pin: str = ""

    @property
    def id(self) -> str:
        return f"scripted/{self.name}"

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        return await phantom(f"phantom/{self.profile}", seed=42).generate(request, epoch=epoch)


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    real = (Posing("bold", "confabulator"), Posing("blind", "garbler"))
    return run(tmp_path_factory.mktemp("real") / "run", ("copier",), limit=40, extra=real)


def test_simulated_models_stand_in_no_table_of_real_ones(ran: Ran) -> None:
    panel = next(s.record for s in ran.sections if s.kind == "panel")
    assert isinstance(panel, Panel)
    assert list(dict.fromkeys(row.label for row in panel.rows)) == ["scripted/bold", "scripted/blind"]
    assert not any(row.simulated for row in panel.rows)
    assert any(line.startswith("No index, and no comparison of models: ") for line in panel.lines)
    assert not any(s.place == "differences" for s in ran.sections)
    assert_no_index(ran)
    assert next(line for line in panel.lines if "copier" in line).startswith(
        "~ phantom/copier: simulated, HDI"
    )
    shown = [s for s in ran.sections if s.place not in {"read", "instrument"} and s.kind != "panel"]
    assert "copier" not in str([s.body for s in shown])
    table = next(s.record for s in ran.sections if s.place == "instrument")
    assert isinstance(table, Table)
    assert {row["model"] for row in table.rows} == {"phantom/copier"}


def assert_no_index(ran: Ran) -> None:
    """What became of each assertion leads, by model and arm, and no index is shown, drawn, ranked or said of real models."""
    panel = next(s.record for s in ran.sections if s.kind == "panel")
    assert isinstance(panel, Panel)
    assert [c.key for c in panel.columns[3:]] == ["became=supported", "became=against", "became=undecided"]
    for row in panel.rows:
        parts = [row.figures[key].value or 0.0 for key in row.figures]
        assert sum(parts) == pytest.approx(1.0)
    leading = [s for s in ran.sections if s.place in {"findings", "differences", "evidence"}]
    assert [s.title for s in leading][:2] == ["What did we find?", "What became of the assertions?"]
    assert leading[0].answer.startswith("No index is given: ")
    told = [
        line
        for line in panel.lines
        if not line.startswith(("~ ", "For an index", "No index", "an index would"))
    ]
    assert "HDI" not in str([told, *(s.body for s in leading[1:])])


def test_the_families_are_apart(ran: Ran) -> None:
    pairs = [e for e in ran.estimates if e.name == "hdi_pooled_difference" and e.stratum is None]
    assert Counter(e.simulated for e in pairs) == {False: 1, True: 2}
    (own,) = [e for e in pairs if not e.simulated]
    assert own.p == own.p_adjusted


def test_models_are_not_ranked_where_the_reader_carries_no_headline(ran: Ran) -> None:
    assert not [e for e in ran.estimates if e.name == "rank_tau"], "two real models are too few for tau"
    assert not [
        s
        for s in ran.sections
        if isinstance(r := s.record, Chart) and r.kind in {"slope", "dumbbell", "curve"}
    ]


@dataclass
class Faulty:
    """Answers, or fails by what the prompt says: refuses one case in four, rejects one in four."""

    id: str = "scripted/faulty"
    pin: str = ""
    seen: list[Request] = field(default_factory=list)

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        self.seen.append(request)
        turn = sum(request.messages[-1].text.encode()) % 4
        if turn == 0:
            raise Refused("the provider's filter closed")
        if turn == 1:
            raise BadRequest("too long")
        if turn == 2:
            return Reply(
                parts=(Text(text="The tier is Hot. No RNA data were supplied. The stage is"),),
                finish="length",
            )
        return Reply(parts=(Text(text=""),), finish="stop")


def test_every_case_ends_as_a_value_or_a_named_failure(tmp_path: Path) -> None:
    ran = run(tmp_path / "run", (), limit=40, extra=(Faulty(),))
    cases = [c for c in ran.cells if c.name == "case_unsupported_rate"]
    assert len(cases) == 80
    reasons: Counter[str] = Counter()
    for cell in cases:
        assert cell.den + sum(cell.excluded.values()) == 1
        reasons.update(cell.excluded)
    assert set(reasons) == {"refused", "error:bad_request"}
    claims = [c for c in ran.cells if c.name == "unsupported_rate"]
    assert all(c.den + sum(c.excluded.values()) in {0, 2} for c in claims)
    assert all(c.excluded.get("truncated", 0) == 1 for c in claims if c.den)
    flow = next(r for s in ran.sections if isinstance(r := s.record, Chart) and r.kind == "flow")
    left = {row["reason"] for row in flow.rows if row.get("reason")}
    assert left == {"refused", "error:bad_request", "truncated", "not_applicable:about what data there are"}
    e = next(e for e in ran.estimates if e.name == "case_unsupported_rate" and e.arm == "ungrounded")
    assert e.bounds is not None
    assert e.bounds[0] < e.bounds[1]
