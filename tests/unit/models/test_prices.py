"""The price table."""

import json
from datetime import date
from pathlib import Path

import pytest

from percuss.core.errors import BadInput
from percuss.models.prices import Prices


def test_the_shipped_table_is_dated_and_says_where_it_is_from() -> None:
    table = Prices.read()
    assert date.fromisoformat(table.date) > date(2025, 1, 1)
    assert table.source


def test_a_dated_name_has_the_price_of_its_plain_name() -> None:
    table = Prices.read()
    assert table.of("openai/gpt-4o-mini-2024-07-18") == table.of("openai/gpt-4o-mini")
    assert table.of("anthropic/claude-sonnet-4-20250514") == table.of("anthropic/claude-sonnet-4")


def test_unknown_is_none_and_not_free() -> None:
    assert Prices.read().of("openai/gpt-unheard-of") is None
    assert Prices.read().of("vllm/anything") is None


def test_what_runs_here_is_free() -> None:
    price = Prices.read().of("embedded/smollm2-135m-instruct")
    assert price is not None
    assert price.of(10**6, 10**6) == 0.0


def test_a_price_is_per_million_tokens() -> None:
    price = Prices.read().of("openai/gpt-4o-mini")
    assert price is not None
    assert price.of(2_000_000, 1_000_000) == pytest.approx(2 * price.usd_in + price.usd_out)


def test_the_users_table_replaces_ours(tmp_path: Path) -> None:
    path = tmp_path / "prices.json"
    models = {"vllm/*": {"usd_in": 0.5, "usd_out": 1}}
    path.write_text(
        json.dumps({"date": "2026-01-01", "source": "us", "unit": "USD per million tokens", "models": models})
    )
    table = Prices.read(path)
    price = table.of("vllm/anything")
    assert price is not None
    assert price.usd_in == 0.5
    assert table.of("openai/gpt-4o") is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"date": "d", "source": "s", "unit": "EUR", "models": {}}',
        '{"date": "d", "source": "s", "unit": "USD per million tokens", "models": {"a": {"usd_in": -1, "usd_out": 0}}}',
        '{"date": "d", "source": "s", "unit": "USD per million tokens", "models": {"a": {"usd_in": 1}}}',
    ],
)
def test_what_is_no_price_table_is_bad_input(tmp_path: Path, text: str) -> None:
    path = tmp_path / "prices.json"
    path.write_text(text)
    with pytest.raises(BadInput, match=r"prices\.json"):
        Prices.read(path)


def test_a_missing_table_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        Prices.read(tmp_path / "none.json")
