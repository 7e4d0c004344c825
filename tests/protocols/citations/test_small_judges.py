"""What a small local model did as a judge, and no longer can: lists without end, and enough before anything was searched."""

import json

import pytest

from percuss.core.messages import Reply, Request, Text
from percuss.protocols.citations.judge.planner import ModelPlanner
from percuss.protocols.citations.judge.verdict import Judged, derived, schema
from percuss.protocols.citations.references.record import Reference
from percuss.protocols.citations.sources.gather import Gathered, Wanted

WANTED = Wanted(
    cited=Reference(title="Lanterns of the northern shore"), description="Lanterns burn for 9 hours."
)


class Says:
    """A model that always replies the same."""

    id, pin, simulated = "scripted/says", "", True

    def __init__(self, said: object) -> None:
        self._said = said

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        del request, epoch
        return Reply(parts=(Text(text=json.dumps(self._said)),), finish="stop")


@pytest.mark.parametrize("addresses", [True, False])
def test_no_field_of_a_verdict_is_without_end(addresses: bool) -> None:
    fields = schema(addresses=addresses)["properties"]
    assert ("addresses" in fields) is addresses, "only a judge that searches by itself names pages"
    for field in fields.values():
        texts = field.get("items", field)
        assert "enum" in texts or texts["type"] == "boolean" or texts["maxLength"] > 0
        assert field["type"] != "array" or field["maxItems"] > 0
    order = list(fields)
    assert order.index("reference_reason") < order.index("reference")
    assert order.index("content_reason") < order.index("quote") < order.index("content")


def test_an_abstention_that_is_also_called_hallucinated_is_counted_as_inconsistent() -> None:
    for hallucination in (True, False):
        said = Judged(reference="no", content="no", abstention=True, hallucination=hallucination)
        support = derived(said, ())["support"]
        assert support["unscored"].startswith("abstained")
        assert any("inconsistent" in row for row in support["evidence"]) is hallucination


@pytest.mark.parametrize("said", [{"enough": True, "query": "any"}, {"enough": False, "query": ""}])
async def test_a_planner_that_has_enough_of_nothing_is_helped_by_the_rule(said: dict[str, object]) -> None:
    planner = ModelPlanner(Says({"reason": "", "picks": [], **said}), "{reference}", system="", seed=1)
    first = await planner.step(WANTED, Gathered(), 5)
    assert (first.enough, first.query) == (False, WANTED.cited.title)
    later = await planner.step(WANTED, Gathered(queries=["put before"]), 4)
    assert (later.enough, later.query) == (said["enough"], said["query"])
