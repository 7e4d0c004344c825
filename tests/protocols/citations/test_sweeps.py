"""Temperatures and reasoning efforts: the questions of the closed book, asked again at another setting."""

from pathlib import Path
from typing import Any

import pytest

from percuss.core.errors import BadRequest, UsageError
from percuss.core.messages import EffortRequest, Message, Reply, Request, Text
from percuss.models.wire import write_request
from percuss.models.wire_server import Images, read_request
from percuss.protocols.citations import PROTOCOL
from percuss.protocols.citations.estimate.sections import arm_of
from percuss.protocols.citations.options import CitationsOptions
from tests.protocols.citations.conversations import answer, document, entry, ran, run

RIGHT = "Adults and children over 12 years receive 0.5 mg of adrenaline."
HELD = document("PEL-0001")
INVENTED = entry(HELD, doi="10.5555/pel.9999", title="A review that nobody wrote", year=2015)


class Warm:
    """Cites what exists when it is cold or thinks, and what doesn't when it is warm."""

    simulated = True
    pin = ""
    id = "scripted/warm"

    def __init__(self) -> None:
        self.asked: list[Request] = []

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        del epoch
        self.asked.append(request)
        text = answer((RIGHT, INVENTED if request.temperature >= 1 else entry(HELD)))
        return Reply(parts=(Text(text=text),), finish="stop")


def test_every_setting_is_asked_the_same_questions_and_compared_with_the_closed_book(tmp_path: Path) -> None:
    model = Warm()
    names = ("closed_book", "temperature:0.5", "temperature:1", "effort:low", "effort:high")
    found = run(tmp_path / "r", model, arms=names, temperatures="0.5, 1", efforts="low,high", turns=2)
    asked: dict[tuple[float, str], list[str]] = {}
    for request in model.asked:
        effort = request.effort if isinstance(request, EffortRequest) else ""
        said = [message.text for message in request.messages if message.role == "user"]
        asked.setdefault((request.temperature, effort), []).append(said[-1])
    assert set(asked) == {(0.0, ""), (0.5, ""), (1.0, ""), (0.0, "low"), (0.0, "high")}
    assert len({tuple(questions) for questions in asked.values()}) == 1
    assert found.one("hallucination_pooled", "temperature:1").value == 1.0
    effects = {arm: found.one("hallucination_pooled_setting", arm).value for arm in names[1:]}
    assert effects == {"temperature:0.5": 0.0, "temperature:1": 1.0, "effort:low": 0.0, "effort:high": 0.0}
    table = next(each for each in found.sections if "temperature" in each.title)
    settings = [arm_of(name) for name in ("closed_book", "effort:high", "effort:low", *names[1:3])]
    assert [row["setting"] for row in table.body["rows"]] == settings


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"temperatures": "0,hot"}, "--temperatures got 'hot'; expected numbers from 0 to 2"),
        ({"temperatures": "-1"}, "got '-1'"),
        ({"temperatures": "nan"}, "got 'nan'"),
        ({"efforts": "much"}, "--efforts got 'much'; expected some of none, minimal, low"),
    ],
)
def test_what_is_no_setting_is_refused(settings: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        PROTOCOL.arms(CitationsOptions(**settings))


def test_an_effort_goes_over_the_wire_and_back() -> None:
    request = EffortRequest(messages=(Message.of("user", "Why?"),), effort="high", seed=1)
    body = write_request(request, "m", blobs=None)
    assert body["reasoning_effort"] == "high"
    assert read_request(body, Images()) == request
    assert "reasoning_effort" not in write_request(Request(messages=request.messages), "m", blobs=None)


async def test_an_embedded_model_has_no_effort_and_says_so_in_one_sentence(tmp_path: Path) -> None:
    embedded = pytest.importorskip("percuss.models.embedded", reason="the extra `embedded` is not installed")
    (tmp_path / "ward.gguf").write_bytes(b"never opened")
    model = embedded.Embedded.named(str(tmp_path / "ward.gguf"))
    said = "^embedded/ward has no reasoning effort to set; name a model that has, or leave the efforts out$"
    with pytest.raises(BadRequest, match=said):
        await model.generate(EffortRequest(messages=(Message.of("user", "Why?"),), effort="low"))
    found = await ran(tmp_path / "r", model, arms=("effort:low",), efforts="low", turns=1)
    assert [each.response.status for each in found.scored] == ["failed"]
    assert found.one("hallucination_pooled", "effort:low").value is None
