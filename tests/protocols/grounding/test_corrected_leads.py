"""Who leads where people labelled (reading.md, section 6): people on all, `corrected` on a random part, nobody's word on chosen rows."""

import asyncio
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from percuss.api.report.comparing import compare
from percuss.core.messages import Reply, Request, Text
from percuss.core.records import Estimate, Verdict
from percuss.engine import estimate
from percuss.protocols.grounding import PROTOCOL
from percuss.store import RunStore
from tests.protocols.grounding.ordinary import case_of, is_shown, stated
from tests.protocols.grounding.runs import Ran
from tests.protocols.grounding.test_withheld import OPTIONS, made

WITH, WITHOUT = "full_multimodal", "ungrounded"


@dataclass
class Mixed:
    """Half of what it says without evidence is wrong, and a fifth with it."""

    id: str = "vendor/one"
    pin: str = ""

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        del epoch
        case, of_ten = case_of(request), 2 if is_shown(request) else 5
        right, wrong = stated(case), stated(case, wrong=True)
        said = [
            w if zlib.crc32(f"{case}{n}".encode()) % 10 < of_ten else r
            for n, (r, w) in enumerate(zip(right, wrong, strict=True))
        ]
        return Reply(parts=(Text(text=" ".join(said)),), finish="stop")


def labels_of(ran: Ran, store: RunStore, looked: Callable[[Verdict], bool]) -> Iterator[Verdict]:
    """People who say what the rule says, and call supported what it left undecided."""
    for assessed in store.view(ran.scoring).assessed():
        for v in assessed.verdicts:
            if v.aspect == "support" and looked(v):
                yield Verdict(
                    subject=v.subject, response_id=v.response_id, aspect="support", rater="human:r", label=v.label or "supported"
                )  # fmt: skip


def at_random(v: Verdict) -> bool:
    return zlib.crc32(v.subject.encode()) % 10 < 6


def what_the_rule_accused(v: Verdict) -> bool:
    return v.label == "unsupported" or zlib.crc32(v.subject.encode()) % 10 < 4


def labelled(folder: Path, looked: Callable[[Verdict], bool]) -> tuple[list[Estimate], str, Path]:
    ran = made(folder / "run", Mixed(), limit=30)
    with RunStore.open(ran.folder, writable=True) as store:
        store.put_human(list(labels_of(ran, store, looked)))
        found = asyncio.run(estimate(store, PROTOCOL, OPTIONS, scoring=ran.scoring, seed=42))
        panel = next(str(s.body) for s in store.sections(ran.scoring) if s.kind == "panel")
    return list(found), panel, ran.folder


@pytest.mark.parametrize(
    ("looked", "leads", "said"),
    [
        (lambda _: True, "human", "Labels: people"),
        (at_random, "corrected", "A random part is assumed; the machine's labels don't show it to be another."),
        (what_the_rule_accused, "rule:support-2", "What people say holds for the claims that they labelled alone, and corrects nothing: "),
    ],
    ids=["all", "a random part", "chosen rows"],
)  # fmt: skip
def test_who_leads(tmp_path: Path, looked: Callable[[Verdict], bool], leads: str, said: str) -> None:
    """The trap: people's part alone led, though the machine had read the rest, and rows chosen for what a rule said of them led too."""
    found, panel, folder = labelled(tmp_path, looked)
    hdi = next(e for e in found if e.primary)
    assert (hdi.name, hdi.labels) == ("hdi_pooled", leads)
    assert said in panel
    if leads == "corrected":
        assert not hdi.withheld
        assert hdi.low is not None
        word = next(e for e in found if e.name == "pattern")
        assert (word.labels, word.withheld) == ("human", "")
        assert "One of the two arms was not asked" not in panel
        with pytest.raises(Exception, match="a comparison needs two"):
            compare([folder])
    if leads == "rule:support-2":
        for e in found:
            if e.labels in {"human", "corrected"} and e.name == "hdi_pooled":
                assert e.withheld.startswith("the claims that people labelled are no random part: ")


def test_a_random_part_is_called_chosen_at_its_own_rate() -> None:
    """On 200 random halves of the same claims the check errs in at most five: its level is one in a hundred."""
    import numpy as np

    from percuss.measure.quantity import Plan
    from percuss.measure.tally import tallies
    from percuss.protocols.grounding.estimate.sampled import looks_chosen
    from tests.protocols.grounding.parts import part_cells

    rng = np.random.default_rng(42)
    wrong = sum(
        looks_chosen(tallies(part_cells(rng)), (WITH, WITHOUT), (), Plan(seed=1, B=100)) for _ in range(200)
    )
    assert wrong <= 5
