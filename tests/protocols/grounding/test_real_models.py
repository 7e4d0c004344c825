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
    assert [row.label for row in panel.rows] == ["scripted/bold", "scripted/blind"]
    assert not any(row.simulated for row in panel.rows)
    assert any(line.startswith("By rule alone, so no headline and no comparison") for line in panel.lines)
    assert not any(s.place == "differences" for s in ran.sections)
    assert {row.words["pattern"] for row in panel.rows} == {"no word by rule alone"}
    assert next(line for line in panel.lines if "copier" in line).startswith(
        "~ phantom/copier: simulated, HDI"
    )
    shown = [s for s in ran.sections if s.place not in {"read", "instrument"} and s.kind != "panel"]
    assert "copier" not in str([s.body for s in shown])
    table = next(s.record for s in ran.sections if s.place == "instrument")
    assert isinstance(table, Table)
    assert {row["model"] for row in table.rows} == {"phantom/copier"}


def test_the_families_are_apart(ran: Ran) -> None:
    pairs = [e for e in ran.estimates if e.name == "hdi_pooled_difference" and e.stratum is None]
    assert Counter(e.simulated for e in pairs) == {False: 1, True: 2}
    (own,) = [e for e in pairs if not e.simulated]
    assert own.p == own.p_adjusted


def test_ranks_beside_each_other_hold_no_simulated_model(ran: Ran) -> None:
    assert not [e for e in ran.estimates if e.name == "rank_tau"], "two real models are too few for tau"
    slope = next(r for s in ran.sections if isinstance(r := s.record, Chart) and r.kind == "slope")
    assert {row["side"] for row in slope.rows} == {"by support with evidence", "by HDI"}
    assert {row["model"] for row in slope.rows} == {"scripted/bold", "scripted/blind"}


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
    assert all(c.den == 2 and c.excluded == {"truncated": 1} for c in claims)
    flow = next(r for s in ran.sections if isinstance(r := s.record, Chart) and r.kind == "flow")
    left = {row["reason"] for row in flow.rows if row.get("reason")}
    assert left == {"refused", "error:bad_request", "truncated"}
    e = next(e for e in ran.estimates if e.name == "case_unsupported_rate" and e.arm == "ungrounded")
    assert e.bounds is not None
    assert e.bounds[0] < e.bounds[1]
