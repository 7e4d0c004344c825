"""Law of identity (reading.md, section 4): an arm compared with itself has no effect, whoever reads, on three sets of real answers.

Each set is what one local model said of structured cases without evidence; the same texts stand in both arms.
"""

import asyncio
import json
import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

from percuss.api.report.demo import recorded_run
from percuss.core.labels import JUDGED
from percuss.core.messages import Reply, Request, Text
from percuss.core.records import Estimate, Verdict
from percuss.core.verifying import Pair
from percuss.engine import estimate
from percuss.evidence.packet import Fact, Packet
from percuss.judging.verifiers.scripted import ScriptedVerifier
from percuss.models.scripted import Scripted
from percuss.protocols.grounding import PROTOCOL
from percuss.protocols.grounding.estimate.word import CANT_TELL, NO_EFFECT, REPEATS
from percuss.protocols.grounding.options import GroundingOptions
from percuss.protocols.grounding.record import reading
from percuss.store import RunStore
from tests.protocols.grounding.ordinary import case_of
from tests.protocols.grounding.runs import run

pytestmark = pytest.mark.slow

CORPUS = Path(__file__).parents[2] / "reading"
BARE = "ungrounded"
OPTIONS = GroundingOptions(resamples=200, thresholds="0.9/0.9@a hundred cases")
READERS = ("rule:support-2", JUDGED[0], "verifier:", "human")
SETS = ("qwen2.5-coder-1.5b-instruct", "smollm2-135m-instruct", "the recorded run")
Said = dict[str, tuple[str, Packet]]


@cache
def answers(of: str) -> Said:
    """Return case -> what was said of it without evidence, and its evidence."""
    return _recorded() if of == SETS[2] else _of_the_corpus(of)


def _of_the_corpus(of: str) -> Said:
    lines = (CORPUS / "contexts.jsonl").read_text(encoding="utf-8").splitlines()
    held = {row["id"]: row for row in map(json.loads, lines) if row.get("facts") and row["layers"] == []}
    found: Said = {}
    for line in (CORPUS / "answers" / f"{of}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        if row["case"] in held:
            facts = tuple(Fact(**fact) for fact in held[row["case"]]["facts"])
            if row["arm"] == BARE or row["case"] not in found:
                found[row["case"]] = (
                    row["answer"],
                    Packet(facts=facts, layers=tuple(held[row["case"]]["layers"])),
                )
    return found


def _recorded() -> Said:
    with recorded_run() as folder, RunStore.open(folder) as store:
        view = store.view(store.latest_scoring().id)
        model = next(name for name in view.models if "smollm2" in name)
        return {
            a.case.id: (a.response.text, reading(a.case).packet)
            for a in view.assessed(model=model, arm=BARE) if a.response.text
        }  # fmt: skip


def coin(text: str) -> str:
    """Label a statement by its words alone: two in three are unsupported."""
    return "supported" if zlib.crc32(text.strip().encode()) % 3 == 0 else "unsupported"


def judged(request: Request, _epoch: int) -> str:
    claim = request.messages[-1].text.rpartition("<claim>")[2].partition("</claim>")[0]
    return json.dumps({"rationale": "r", "label": coin(claim)})


def verified(pair: Pair) -> str:
    return "supported" if coin(pair.claim) == "supported" else "neither"


@dataclass
class Same:
    """A model that says of a case what was recorded, whatever it is shown; it doesn't simulate."""

    said: Mapping[str, tuple[str, Packet]] = field(repr=False)
    id: str = "vendor/same"
    pin: str = ""

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        del epoch
        return Reply(parts=(Text(text=self.said[case_of(request)][0]),), finish="stop")


def labelled(store: RunStore, scoring: str) -> None:
    """Put a person's label on every claim."""
    store.put_human(
        [
            Verdict(
                subject=c.id, response_id=a.response.id, aspect="support", rater="human:a", label=coin(c.text)
            )
            for a in store.view(scoring).assessed()
            for c in a.claims
        ]
    )


@cache
def estimated(of: str, folder: Path) -> tuple[Estimate, ...]:
    said = answers(of)
    source = folder / "cases.jsonl"
    rows = [
        {"id": case, "question": "What is known of this patient?", "evidence": packet.tree()}
        for case, (_, packet) in said.items()
    ]
    source.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    made = run(
        folder / "run", (), source=str(source), arms=("full", "full_multimodal", BARE), options=OPTIONS, extra=(Same(said),),
        judge=Scripted(judged, id="scripted/judge"), verifier=ScriptedVerifier(verified),
    )  # fmt: skip
    with RunStore.open(made.folder, writable=True) as store:
        labelled(store, made.scoring)
        return asyncio.run(estimate(store, PROTOCOL, OPTIONS, scoring=made.scoring, seed=42))


@pytest.fixture(scope="module", params=SETS)
def found(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Estimate, ...]:
    return estimated(request.param, tmp_path_factory.mktemp("identity"))


@pytest.mark.parametrize("reader", READERS)
def test_an_arm_compared_with_itself_has_no_effect(found: tuple[Estimate, ...], reader: str) -> None:
    mine = [e for e in found if e.labels.startswith(reader) and e.stratum is None]
    arm = next(e.arm for e in found if e.primary)
    shares = {e.arm: (e.value, e.n) for e in mine if e.name == "unsupported_rate"}
    assert shares[arm] == shares[BARE], "equal texts have equal labels"
    assert shares[arm][1] > 10, "something was read"
    effects = [
        e
        for e in mine
        if e.name in {"hdi_pooled", "hdi_per_answer", "hdi_any", "hdi_all", "delta_u"} and e.arm == arm
    ]
    assert {"hdi_pooled", "delta_u"} <= {e.name for e in effects}
    for one in effects:
        assert one.value is None or one.value == pytest.approx(0), one.name
        assert one.low is None or one.high is None or one.low <= 0 <= one.high, one.name


@pytest.mark.parametrize("reader", READERS)
def test_no_word_and_no_headline_come_of_it(found: tuple[Estimate, ...], reader: str) -> None:
    """People's labels lead where they are enough, with an index of 0; whatever a machine reads is withheld, and no word but that it says the same twice."""
    mine = [e for e in found if e.labels.startswith(reader)]
    arm = next(e.arm for e in found if e.primary)
    for pattern in (e for e in mine if e.name == "pattern"):
        assert pattern.note.partition(":")[0] in {CANT_TELL, NO_EFFECT, REPEATS}, pattern.note
    (index,) = [e for e in mine if e.name == "hdi_pooled" and e.stratum is None and e.arm == arm]
    assert bool(index.withheld) == (reader != "human")
    assert not index.primary or reader in {"human", JUDGED[0]}, (
        "the judge's is primary where people labelled too few, and withheld"
    )


def test_what_the_sets_are() -> None:
    sizes = Counter({of: len(answers(of)) for of in SETS})
    assert min(sizes.values()) >= 12, sizes
