"""A run conditioned on a judge is known by the judge's name and pin, before any model is built."""

from pathlib import Path

import pytest

from percuss.api.run.factory import ModelFactory, name_and_pin
from percuss.api.run.prepare import conditioning_known
from percuss.api.run.request import RunRequest
from percuss.core.errors import UsageError
from percuss.core.ports import Roles
from percuss.engine.budget import Budget
from percuss.engine.conditioning import conditioning_of
from percuss.models.prices import Prices
from tests.chains import CHAIN
from tests.tiny import TinyOptions, create


@pytest.mark.parametrize(
    "judge",
    ["phantom/judge", "ollama/llama3", "embedded/smollm2-135m-instruct", "scripted/said.jsonl"],
)
async def test_the_identity_knows_the_very_scoring_that_the_run_makes(
    tmp_path: Path, judge: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("said.jsonl").write_text('{"text": "supported"}\n')  # noqa: ASYNC240 - a test's own file
    options, request = TinyOptions(), RunRequest(protocol="chain", condition_on="judge", seed=7)
    known = conditioning_known(CHAIN, options, request, {"judge": judge})
    with create(tmp_path / "r", source="1") as store:
        prices = Prices.read(None)
        extra = {"rule": lambda *_: "unknown"}
        async with ModelFactory(
            store, seed=7, budget=Budget(), prices=prices, concurrency=1, extra=extra
        ) as factory:
            try:
                model = factory.model(judge)
            except UsageError as error:
                pytest.skip(f"cannot be built here: {error}")
            assert (model.id, model.pin) == name_and_pin(judge)
            made = conditioning_of(CHAIN, options, Roles({}, seed=7), CHAIN.arms(options), model)
    assert known is not None
    assert made is not None
    assert (known.raters, known.config) == (made.raters, made.config)
    assert known.id == made.id


def test_another_address_is_another_run() -> None:
    assert name_and_pin("openai/gpt-4o") == ("openai/gpt-4o", "api.openai.com")
    assert name_and_pin("openrouter/openai/gpt-4o")[1] != "api.openai.com"
