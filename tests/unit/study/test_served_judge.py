"""A judge of no simulation, served over the real chat format, is held against people of a study: what it said is what is counted.

The judge answers as models do: clean JSON, JSON after words and a first try, in a fence; some replies hold no verdict. Two people judge every
item at the portal. Who is right when is planted by the texts of claims, and each figure is counted here from what the server
sent and from what people saved.
"""

import json
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import percuss
from percuss.api.judge.validating import Validation, validate_judges
from percuss.cli import cli
from percuss.models.loopback import Loopback
from percuss.study.runs import export_to_run
from percuss.study.selftest.raters import judge_all
from percuss.study.study import Study, open_study

JUDGE = "openai-api/ward/grader"
LABELS = ("supported", "partial", "unsupported")
"""Of what people and the judge say here."""
CLAIM = re.compile(r"<claim>\n(.*)\n</claim>", re.DOTALL)


def drawn(text: str, salt: str, of: int) -> int:
    """Return a number below `of` that a text alone decides."""
    return int.from_bytes(blake2b(f"{salt}\0{text}".encode(), digest_size=4).digest()) % of


def true_of(claim: str) -> str:
    """Return what both people say of a claim."""
    return LABELS[drawn(claim, "truth", 3)]


def said_of(claim: str) -> str | None:
    """Return what the judge says of a claim: the truth in three of four, another label else; None: nothing that can be read."""
    if drawn(claim, "form", 10) >= 8:
        return None
    return true_of(claim) if drawn(claim, "right", 4) else LABELS[(LABELS.index(true_of(claim)) + 1) % 3]


def reply(body: Mapping[str, Any]) -> str:
    """Answer in one of ten forms."""
    found = CLAIM.search(body["messages"][-1]["content"])
    assert found is not None
    claim = found[1]
    label = said_of(claim)
    clean = json.dumps({"rationale": f"It says: {claim[:60]}", "label": label})
    other = json.dumps({"rationale": "At first sight.", "label": LABELS[drawn(claim, "other", 3)]})
    forms = (
        *(clean,) * 4,
        f"Let me see. My first try: {other}\nOn reflection:\n{clean}",
        f"```json\n{clean}\n```",
        f"{clean}\n",
        f"The verdict follows.\n\n```\n{clean}\n```\nThat is all.",
        "The evidence doesn't let me answer in the form that you want.",
        '{"rationale": "It is mostly right.", "label": "mostly supported"}',
    )
    return forms[drawn(claim, "form", 10)]


@contextmanager
def served() -> Iterator[str]:
    """Serve the judge beside the test, in a loop of its own, and give its address."""
    import asyncio

    loop = asyncio.new_event_loop()
    server = Loopback(reply)
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    asyncio.run_coroutine_threadsafe(server.start(), loop).result(30)
    try:
        yield server.url
    finally:
        asyncio.run_coroutine_threadsafe(server.stop(), loop).result(30)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


def person(study: Study, claims: dict[str, str]) -> Callable[[int, str, float], dict[str, str]]:
    """Say of each claim what is true of it, and keep which claims were seen."""

    def answer(item: int, token: str, progress: float) -> dict[str, str]:
        del token, progress
        with study.database.read() as connection:
            held = study.item(connection, item)
        claims[held.id] = str(held.shown["claim"])
        return {"active_ms": "9000", "q.support": true_of(claims[held.id])}

    return answer


@pytest.mark.slow
def test_what_a_served_judge_said_is_what_its_card_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, claims = tmp_path / "run", dict[str, str]()
    with served() as url:
        monkeypatch.setenv("WARD_API_KEY", "k")
        monkeypatch.setenv("WARD_BASE_URL", url)
        percuss.run(
            "grounding",
            "phantom/confabulator",
            judge=JUDGE,
            limit=12,
            arms=("full_multimodal", "ungrounded"),
            out=str(run),
        )
    words = [
        "study",
        "create",
        str(tmp_path / "s"),
        "--design",
        "claim-adjudication",
        "--from",
        str(run),
        "--raters",
        "2",
        "--repeats",
        "0",
    ]
    done = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    with open_study(tmp_path / "s") as study:
        judge_all(study, {code: person(study, claims) for code in ("r1", "r2")})
        export_to_run(study, run)
    (card,) = validate_judges(Validation(sources=(str(run),), judges=(JUDGE,), resamples=200)).cards
    sent = Counter((true_of(text), said_of(text)) for text in claims.values())
    read = sum(number for (_, said), number in sent.items() if said is not None)
    assert read < sent.total()
    assert not card.simulated
    assert (card.items, card.people) == (len(claims), ("human:r1", "human:r2"))
    (metric,) = card.metrics
    counted = {
        (one, other): metric.confusion[row][column]
        for row, one in enumerate(metric.words)
        for column, other in enumerate(metric.words)
    }
    assert {pair: number for pair, number in counted.items() if number} == {
        pair: number for pair, number in sent.items() if pair[1] is not None
    }
    assert metric.n == read
    wrong = [pair for pair in counted if pair[0] == "unsupported"]
    assert metric.sensitivity is not None
    assert metric.sensitivity.value == pytest.approx(
        counted["unsupported", "unsupported"] / sum(map(counted.__getitem__, wrong))
    )
    assert metric.coefficient.value == pytest.approx(kappa(counted))
    (invalid,) = (line for line in card.gates if line.name == "invalid")
    assert invalid.rate.value == pytest.approx(1 - read / sent.total())


def kappa(counted: Mapping[tuple[str, str], int]) -> float:
    """Return Cohen's kappa of a table, by its definition."""
    total = sum(counted.values())
    rows, columns = Counter[str](), Counter[str]()
    for (one, other), number in counted.items():
        rows[one] += number
        columns[other] += number
    same = sum(number for (one, other), number in counted.items() if one == other) / total
    chance = sum(rows[word] * columns[word] for word in rows) / total**2
    return (same - chance) / (1 - chance)
