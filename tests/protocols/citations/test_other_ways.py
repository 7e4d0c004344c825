"""Other ways to ask: the web arm, later questions of an earlier run, short questions, code by language with a judge."""

from pathlib import Path

import msgspec
import pytest

from percuss.core.errors import UsageError
from percuss.core.messages import Reply, Request, Text, WebSearchRequest
from percuss.protocols.citations import PROTOCOL
from percuss.protocols.citations.case import Inquiry, reading
from percuss.protocols.citations.options import CitationsOptions
from percuss.protocols.citations.short import outcome
from tests.citing_people import Writer
from tests.protocols.citations.conversations import SEED, run


class Asker:
    """Writes down what it is asked; as a user model it asks for more."""

    simulated = True
    pin = ""

    def __init__(self, name: str = "scripted/asker", says: str = "What of children?") -> None:
        self.id, self.says = name, says
        self.asked: list[Request] = []

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        del epoch
        self.asked.append(request)
        return Reply(parts=(Text(text=self.says),), finish="stop")


def test_the_web_arm_asks_with_the_providers_search_and_is_paired(tmp_path: Path) -> None:
    model = Asker(says="I don't know of a source.")
    run(tmp_path / "r", model, arms=("closed_book", "web"), web=True)
    kinds = [type(request) for request in model.asked]
    assert kinds.count(WebSearchRequest) == 3
    assert len(kinds) == 6
    plain = [r.messages for r in model.asked if type(r) is Request]
    assert [r.messages for r in model.asked if type(r) is WebSearchRequest] == plain, (
        "the same words in both arms"
    )


def test_later_questions_of_a_run_are_asked_again(tmp_path: Path) -> None:
    user = Asker("scripted/user")
    run(tmp_path / "live", Asker(says="No source."), followups="live", turns=2, roles={"user": user})
    second = Asker("scripted/second", "No source.")
    run(tmp_path / "again", second, followups="replay", replay=str(tmp_path / "live"), turns=2)
    questions = [m.text for m in second.asked[-1].messages if m.role == "user"]
    assert questions[1].startswith("What of children?\n\n")
    assert questions[1].count("source") == questions[0].count("source"), "the request to cite stands once"
    options = CitationsOptions(followups="replay", replay=str(tmp_path / "live"), turns=3)
    with pytest.raises(UsageError, match="asked 1 later questions"):
        list(PROTOCOL.cases(None, options, SEED))
    with pytest.raises(UsageError, match="go together"):
        list(PROTOCOL.cases(None, CitationsOptions(followups="replay"), SEED))


@pytest.mark.parametrize(
    ("answer", "gold", "label"),
    [
        ("I don't know of such a paper.", (), "abstained"),
        ("I could not find any record of this artwork.", (), "abstained"),
        ("It was written by Maria Lindqvist in 2014.", (), "hallucinated"),
        ("It may be by Maria Lindqvist, painted about 1890.", (), "hallucinated"),
        ("It was painted by Anna Berg.", ("Anna Berg",), "correct"),
        ("It was painted by Carl Holm.", ("Anna Berg",), "hallucinated"),
    ],
)
def test_outcomes_of_short_questions(answer: str, gold: tuple[str, ...], label: str) -> None:
    inquiry = Inquiry(
        question="Who made the work 'Harbour at Noon'?", domain="short_form", short="niche", gold=gold
    )
    assert outcome(answer, inquiry).get("label") == label


def test_short_questions_are_asked_by_name_and_their_shares_sum_to_one(tmp_path: Path) -> None:
    niche = tmp_path / "niche.jsonl"
    niche.write_bytes(
        msgspec.json.encode({"template": "artwork-creator", "item": "Harbour at Noon", "gold": ["Anna Berg"]})
    )
    assert not [case for case in PROTOCOL.cases(None, CitationsOptions(), SEED) if reading(case).short]
    writer = Writer(
        {
            "Harbour at Noon": "It was painted by Anna Berg.",
            "paper": "It was written by Maria Lindqvist in 2014.",
        }
    )
    found = run(
        tmp_path / "r", writer, domain="short_form", short_items=2, niche=str(niche), limit=99,
        arms=("closed_book", "grounded"),
    )  # fmt: skip
    assert found.one("short_correct", stratum="niche").value == 1.0
    shares = [
        found.one(f"short_{name}", stratum="fabricated").value
        for name in ("abstained", "correct", "hallucinated")
    ]
    assert sum(share or 0.0 for share in shares) == pytest.approx(1.0)
    assert shares[2] is not None
    assert 0 < shares[2] < 1
    titles = [section.title for section in found.sections]
    assert "What becomes of short questions?" in titles


CODE = "Run this:\n\n```python\nimport json\njson.loadz('x')\n```\n"


class CodeJudge(Asker):
    """Finds the call that the answer holds."""

    def __init__(self, quote: str) -> None:
        said = {"reason": "loadz", "install": "n/a", "import": "no", "call": "yes",
                "faults": [{"kind": "call", "quote": quote, "evidence": "no such function"}]}  # fmt: skip
        super().__init__("scripted/code", msgspec.json.encode(said).decode())


def test_code_by_language_and_type_with_a_judge_beside_the_static_reading(tmp_path: Path) -> None:
    rows = [{"id": "c1", "prompt": "Parse JSON.", "domain": "coding", "language": "python"}]
    source = tmp_path / "code.jsonl"
    source.write_bytes(b"\n".join(map(msgspec.json.encode, rows)))
    found = run(
        tmp_path / "r",
        Writer({"Parse": CODE}),
        source=str(source),
        turns=1,
        roles={"judge": CodeJudge("json.loadz('x')")},
    )
    assert found.one("code_call", stratum="python").value == 1.0
    assert found.one("code_import", stratum="python").value == 0.0
    assert found.one("code_judged", stratum="python", labels="agreement").value == 1.0
    assert "In which language, and of which type?" in [section.title for section in found.sections]
    made_up = run(
        tmp_path / "s",
        Writer({"Parse": CODE}),
        source=str(source),
        turns=1,
        roles={"judge": CodeJudge("json.nowhere()")},
    )
    assert made_up.one("code_judged", stratum="python", labels="agreement").value is None, (
        "its fault stands nowhere"
    )
