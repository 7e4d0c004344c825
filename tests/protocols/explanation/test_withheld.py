"""What an answer to a covered picture says that it can't see: labelled sentences, and the estimate beside the one before the cover."""

import asyncio
import json
from pathlib import Path

import pytest

from percuss.core.messages import Reply, Request, Text
from percuss.core.ports import Roles
from percuss.core.records import Estimate
from percuss.engine import ask, check, estimate, identity_of
from percuss.protocols.explanation import PROTOCOL
from percuss.protocols.explanation.check.withheld import NAME, withheld
from percuss.protocols.explanation.options import ExplanationOptions
from percuss.protocols.explanation.passports import passport
from percuss.store import RunStore, survey
from tests.protocols.explanation.runs import SEED

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "reading" / "explanation" / "withheld.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


@pytest.mark.parametrize("half", ["dev", "locked"])
def test_labelled_sentences_are_read_within_the_floors(half: str) -> None:
    rows = [row for row in ROWS if row["half"] == half and row["label"] != "unclear"]
    found = [withheld(row["text"]) for row in rows if row["label"] == "true"]
    alarms = [withheld(row["text"]) for row in rows if row["label"] == "false"]
    assert len(rows) >= 50
    assert sum(found) >= 0.80 * len(found)
    assert sum(alarms) <= 0.05 * len(alarms)


def test_groups_lie_in_one_half_and_the_reader_has_a_passport() -> None:
    halves: dict[str, set[str]] = {row["group"]: set() for row in ROWS}
    for row in ROWS:
        halves[row["group"]].add(row["half"])
    assert all(len(held) == 1 for held in halves.values())
    row = passport(NAME)
    assert row is not None
    assert row["floors_met"]


class Honest:
    """A model that says so where a picture has black in it, and else answers."""

    id, pin = "test/honest", "1"

    def __init__(self, original: set[str]) -> None:
        self._original = original

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        del epoch
        shown = {part.digest for m in request.messages for part in m.parts if hasattr(part, "digest")}
        said = (
            "No effusion is seen." if shown & self._original else "That region is hidden behind a black box."
        )
        return Reply(parts=(Text(text=f"<think>{said}</think><answer>no</answer>"),), finish="stop")


def test_what_is_withheld_is_counted_behind_the_cover_and_not_before_it(tmp_path: Path) -> None:
    made = {(e.name, e.arm): e for e in asyncio.run(_ran(tmp_path / "run")) if not e.versus}
    behind, before = made["withheld", "vo_bb"], made["withheld_before_cover", "vo_bb"]
    assert (behind.value, before.value) == (1.0, 0.0)
    assert behind.n == before.n == 32
    assert behind.labels == NAME
    assert behind.read_right is not None
    assert behind.read_right.corpus == "explanation/withheld"
    assert (
        (made["stated_before_cover", "vo_bb"].value or 0)
        > (made["seen_behind_cover", "vo_bb"].value or 0)
        == 0
    )


async def _ran(folder: Path) -> tuple[Estimate, ...]:
    options = ExplanationOptions(chests=1, resamples=100)
    cases = tuple(PROTOCOL.cases(None, options, SEED))
    identity = identity_of(PROTOCOL, options, survey(iter(cases)), seed=SEED, roles={})
    with RunStore.create(folder, identity) as store:
        store.add_cases(iter(cases))
        arms = [arm for arm in PROTOCOL.arms(options) if arm.name in {"none", "vo_bb"}]
        model = Honest({case.blobs[0].digest for case in cases})
        await ask(store, PROTOCOL, options, roles=Roles({}, seed=SEED), models=[model], arms=arms)
        scoring = await check(store, PROTOCOL, options, roles=Roles({}, seed=SEED))
        return tuple(await estimate(store, PROTOCOL, options, scoring=scoring.id, seed=SEED))
