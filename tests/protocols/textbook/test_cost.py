"""Costs of the paper's measured row, to the cent (paper, Table 3)."""

import asyncio
from pathlib import Path

import pytest

from percuss.api.run.session import OwnSession
from percuss.core.errors import UsageError
from percuss.core.labels import CERTIFICATE
from percuss.core.ports import Roles
from percuss.protocols.textbook.cost import CostOptions, cost_of, cost_table, prices, verification_cost
from percuss.protocols.textbook.people.minutes import minutes_of
from percuss.store import RunStore
from percuss.store.sent import sent
from tests.protocols.textbook.test_generate import generated


def test_the_measured_row_of_table_3() -> None:
    row = cost_of("LLaMA-3.3 70B", 253, prices())
    assert {cloud: round(value, 2) for cloud, value in row.gpu.items()} == {
        "AWS": 0.36,
        "GCP": 0.28,
        "Azure": 0.32,
    }
    assert {name: round(value, 2) for name, value in row.verified.items()} == {
        "+T1": 0.96,
        "+T2": 2.93,
        "T1+T2": 3.61,
    }


def test_minutes_and_wage() -> None:
    assert verification_cost(2.05, prices().wage) == pytest.approx(0.683, abs=5e-4)
    assert minutes_of([0, 2, 4, 60, 63]) == pytest.approx((2, 7 / 3, 3))
    assert minutes_of([5]) == (0, 0, 0)


def test_gpu_seconds_are_those_of_the_calls_of_a_generation_over_its_valid_questions(tmp_path: Path) -> None:
    run = generated(tmp_path / "book", passages=4, model="phantom/author?invalid=0") / "generation"
    with RunStore.open(run) as store:
        took = store.read(lambda db: sum(call.latency_s for call in sent(db, "", CERTIFICATE, "ask")))
    options = CostOptions(models=(f"author={run}",), gpus=4)
    row = asyncio.run(cost_table(options, OwnSession(Roles({}, seed=1)))).data["rows"][0]
    assert row["GCP"] == pytest.approx(4 * took / 4 / 3600 * 4.01)
    assert took > 0
    none = generated(tmp_path / "none", passages=2, model="phantom/author?invalid=1") / "generation"
    with pytest.raises(UsageError, match="0 valid questions"):
        asyncio.run(cost_table(CostOptions(models=(f"author={none}",)), OwnSession(Roles({}, seed=1))))
