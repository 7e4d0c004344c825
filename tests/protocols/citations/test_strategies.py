"""What each way of judging took, and how far it agrees with people, side by side for one run."""

from pathlib import Path

import pytest

from percuss.core.errors import UsageError
from percuss.core.records import Verdict
from percuss.net.client import Client
from percuss.protocols.citations.comparing import strategies_of
from percuss.store import RunStore
from tests.citing import Hurried, Web, work
from tests.citing_people import Reader, Writer
from tests.protocols.citations.test_judging import ANSWER, questions, reaching


def _people(folder: Path) -> None:
    """Label the three citations as right, wrong, right by one person and as right, wrong, wrong by another."""
    with RunStore.open(folder, writable=True) as store:
        (scored,) = store.view(store.latest_scoring().id).assessed()
        said = {"human:ann": ("supported", "unsupported", "supported"), "human:consensus": ("supported", "unsupported", "unsupported")}  # fmt: skip
        store.put_human(
            Verdict(subject=claim.id, response_id=claim.response_id, aspect="support", rater=who, label=label)
            for who, labels in said.items()
            for claim, label in zip(scored.claims, labels, strict=True)
        )


async def test_strategies_stand_side_by_side_with_time_cost_and_peoples_word(tmp_path: Path) -> None:
    from tests.protocols.citations.conversations import ran

    source, folder = questions(tmp_path, ["alpha"]), tmp_path / "run"
    works = [work(n) for n in range(12) if n != 6]
    async with Web(works) as server, Client() as client, Hurried(server.place) as pages:
        how = {"source": source, "turns": 1, "reach": reaching(server, client, pages)}
        await ran(folder, Writer({"alpha": ANSWER}), **how)  # type: ignore[arg-type]
        with pytest.raises(UsageError, match="no judge has judged a citation"):
            strategies_of(folder)
        await ran(folder, None, roles={"judge": Reader()}, **how)  # type: ignore[arg-type]
        lenient = Reader(lambda said: {**said, "reference": "yes", "content": "no", "subtype": "unsupported", "quote": ""}, "scripted/lenient")  # fmt: skip
        await ran(folder, None, roles={"judge": lenient}, strategy="snippet", **how)  # type: ignore[arg-type]
    _people(folder)
    full, snippet = strategies_of(folder)
    assert (full.strategy, snippet.strategy) == ("full_text", "snippet")
    assert (full.judge, snippet.judge) == ("scripted/reader", "scripted/lenient")
    assert full.claims == snippet.claims == 3
    assert full.pages > 0 == snippet.pages
    assert full.calls >= 3, "a plan or more, and two passes"
    assert full.tokens > snippet.tokens
    for each in (full, snippet):
        assert each.seconds is not None
        assert each.seconds >= 0
        assert each.usd == 0
    together, ann = full.agreement
    assert (together.who, together.n, together.same, together.kappa) == ("people together", 3, 3, 1.0)
    assert (ann.who, ann.n, ann.same) == ("ann", 3, 2)
    assert snippet.agreement[0].same == 2
