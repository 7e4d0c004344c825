"""The knowledge base: its documents, its tools, and what its grade can't be talked into."""

import re
from difflib import SequenceMatcher
from typing import Any

import numpy as np
import pytest

from percuss.core.ports import Roles
from percuss.protocols.skills.worlds.contract import Script, Step, Task
from percuss.protocols.skills.worlds.library import Library
from percuss.protocols.skills.worlds.library.documents import shelf
from percuss.protocols.skills.worlds.library.scripted import script
from percuss.protocols.skills.worlds.library.tasks import gold_of
from tests.protocols.skills.offline_worlds import gold_submission, graded, handed, played

WORLD = Library()
TASKS = WORLD.tasks(0)
DOZEN = TASKS[:12]


def _of_kind(kind: str) -> Task:
    return next(task for task in TASKS if task.kind == kind)


def test_there_are_enough_tasks_of_every_family() -> None:
    kinds = [task.kind for task in TASKS]
    assert len(TASKS) >= 60
    assert {kind: kinds.count(kind) >= 12 for kind in set(kinds)} == dict.fromkeys(
        ("noise", "rewrite", "copies", "order", "join", "conflict"), True
    )
    assert len({task.id for task in TASKS}) == len(TASKS)
    assert {task.kind for task in DOZEN} == set(kinds)


@pytest.mark.parametrize("topic", shelf(0).topics, ids=lambda topic: topic.name)
def test_a_topic_holds_what_its_families_need(topic: Any) -> None:
    current, copy, old = (topic.of(kind) for kind in ("current", "copy", "outdated"))
    assert old.date < "2016" <= current.date < copy.date
    assert old.strength == current.strength
    assert all(re.fullmatch(r"PKB-\d{4}", each.id) for each in topic.documents)
    for one, other in zip(current.passages, copy.passages, strict=True):
        assert SequenceMatcher(None, one.text, other.text, autojunk=False).ratio() > 0.8
    assert [p.text for p in current.passages] != [p.text for p in copy.passages]
    steps = topic.of("steps")
    assert list(steps.order) != [p.label for p in steps.passages]
    for weak in (each for each in topic.documents if each.kind == "weak"):
        assert (weak.date > current.date, weak.strength) == (True, "opinion")
    told = {name: topic.marks[name] for name in ("new", "new~copy", "same", "old", "detail", "first", "last")}
    texts = {p.text for each in topic.documents for p in each.passages if each.kind == "distractor"}
    for mark in told.values():
        passage = shelf(0).document(mark.document).passage(mark.passage).text  # type: ignore[union-attr]
        sentence = passage[mark.start : mark.stop]
        assert sentence.endswith(".")
        assert not any(sentence in text for text in texts)


def test_ids_are_unique() -> None:
    names = [each.id for each in shelf(0).documents]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
async def test_the_ends_of_the_scale(task: Task) -> None:
    agents = WORLD.agents(task, 0)
    scores = {
        name: (await graded(WORLD, task, agents[name])).score
        for name in ("gold", "nothing", "liar", "inventor")
    }
    assert scores == {"gold": 100.0, "nothing": 0.0, "liar": 0.0, "inventor": 0.0}
    if "mistaken" in agents:
        assert (await graded(WORLD, task, agents["mistaken"])).score == 0.0


async def test_a_planted_skill_is_recovered() -> None:
    """Each task is right or wrong as a whole, so the mean is a binomial share: 94 tasks, 3 standard errors at 0.7 are 0.142."""
    assert {(await graded(WORLD, task, script(task, 3, 0.0))).score for task in DOZEN} == {0.0}
    assert {(await graded(WORLD, task, script(task, 3, 1.0))).score for task in DOZEN} == {100.0}
    scores = [(await graded(WORLD, task, script(task, 3, 0.7))).score or 0.0 for task in TASKS]
    assert abs(sum(scores) / len(scores) - 70) < 14.2


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (lambda quote: re.sub(r"\d", "7", quote), "a digit changed"),
        (lambda quote: f"not {quote}", "a word added"),
        (lambda quote: quote[: len(quote) // 3], "a third of the sentence"),
        (lambda quote: f"{quote} " * 20, "more than a quote may have"),
        (lambda _: "", "nothing"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
async def test_a_quote_that_is_not_there_supports_nothing(change: Any, part: str) -> None:
    task = _of_kind("join")
    submission = gold_submission(WORLD, task)
    if part == "a digit changed":
        assert any(re.search(r"\d", each["quote"]) for each in submission["citations"])
        submission["citations"] = [c for c in submission["citations"] if re.search(r"\d", c["quote"])]
    submission["citations"] = [{**each, "quote": change(each["quote"])} for each in submission["citations"]]
    grade = WORLD.grade(task, handed(submission))
    assert (grade.parts["citation_precision"], grade.parts["citation_recall"]) == (0.0, 0.0)


def test_a_quote_counts_in_the_passage_it_names_only() -> None:
    task = _of_kind("noise")
    submission = gold_submission(WORLD, task)
    elsewhere = {**submission["citations"][0], "passage": "p2"}
    assert (
        WORLD.grade(task, handed({**submission, "citations": [elsewhere]})).parts["citation_precision"] == 0.0
    )


def test_true_words_that_answer_nothing_support_nothing() -> None:
    task = _of_kind("noise")
    passage = shelf(0).document(gold_of(task).relevant[0]).passage("p2")  # type: ignore[union-attr]
    assert passage is not None
    cited = {"document": gold_of(task).relevant[0], "passage": "p2", "quote": passage.text.split(". ")[0]}
    grade = WORLD.grade(task, handed({**gold_submission(WORLD, task), "citations": [cited]}))
    assert grade.parts["citation_precision"] == 0.0


def test_the_prose_of_an_answer_decides_nothing() -> None:
    task = _of_kind("conflict")
    gold = gold_of(task)
    old = next(name for name in gold.relevant if name not in gold.follow)
    told = {
        **gold_submission(WORLD, task),
        "followed": old,
        "answer": f"I follow {gold.follow[0]}, the newer one.",
    }
    assert WORLD.grade(task, handed(told)).score == 0.0
    silent = {**gold_submission(WORLD, task), "answer": ""}
    assert WORLD.grade(task, handed(silent)).score == 100.0


def test_a_conflict_needs_both_sides() -> None:
    task = _of_kind("conflict")
    submission = gold_submission(WORLD, task)
    for side in range(2):
        grade = WORLD.grade(task, handed({**submission, "citations": [submission["citations"][side]]}))
        assert (grade.score, grade.parts["conflict"], grade.reason) == (0.0, 0.0, "one side isn't cited")


def test_one_swap_of_five_passages_costs_a_fifth() -> None:
    task = _of_kind("order")
    submission = gold_submission(WORLD, task)
    first, second, *rest = submission["order"]
    grade = WORLD.grade(task, handed({**submission, "order": [second, first, *rest]}))
    assert grade.score == pytest.approx(80.0)  # tau = 1 - 2/10
    for order in ([*submission["order"], "p1"], ["p1", "p1"], [], ["p9"]):
        assert WORLD.grade(task, handed({**submission, "order": order})).parts["order"] == 0.0


@pytest.mark.parametrize(
    ("ranked", "expected"),
    [("012", 1.0), ("0x1", (1 + 2 / 3) / 3), ("xyz0", 0.25 / 3), ("", 0.0), ("xyz", 0.0)],
)
def test_every_relevant_document_is_in_the_denominator(ranked: str, expected: float) -> None:
    task = _of_kind("noise")
    relevant = gold_of(task).relevant
    names = [relevant[int(each)] if each.isdigit() else f"PKB-99{each}" for each in ranked]
    assert WORLD.grade(task, handed({**gold_submission(WORLD, task), "ranked": names})).parts[
        "map"
    ] == pytest.approx(100 * expected)


async def test_same_task_and_seed_give_one_digest() -> None:
    name = next(task.id for task in WORLD.tasks(7) if task.kind == "order")
    one, other, another = (next(t for t in WORLD.tasks(seed) if t.id == name) for seed in (7, 7, 8))
    assert one == other
    finals = [await played(WORLD, task, WORLD.agents(task, 1)["gold"], seed=7) for task in (one, other)]
    assert finals[0] == finals[1]
    assert finals[0].before != finals[0].after
    assert finals[0].changed == ("submission",)
    assert another.gold != one.gold  # passages of the same document lie otherwise


class _Letters:
    """An embedder of letter counts, deterministic and tiny."""

    id = "letters"

    async def embed(self, texts: Any) -> Any:
        rows = np.array(
            [[text.lower().count(c) + 0.01 for c in "abcdefghijklmnopqrstuvwxyz"] for text in texts]
        )
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


async def test_meaning_is_ranked_beside_words_where_there_is_an_embedder() -> None:
    nonsense = Script(steps=((Step(tool="search", arguments={"query": "zzqx", "k": 3}),),), says=("",))
    alone = await played(WORLD, DOZEN[0], nonsense)
    assert alone.log[0].text == "Nothing was found."
    fused = await played(WORLD, DOZEN[0], nonsense, roles=Roles({}, seed=1, embedder=_Letters()))
    assert fused.log[0].text.count("PKB-") == 3


async def test_rerank_puts_the_nearest_document_first() -> None:
    asked = {"query": "peanut introduced in infants", "ids": ["PKB-0104", "PKB-0601", "PKB-9999"]}
    final = await played(
        WORLD, DOZEN[0], Script(steps=((Step(tool="rerank", arguments=asked),),), says=("",))
    )
    assert final.log[0].text == "PKB-0601 PKB-0104"


async def test_a_laypersons_words_find_less_than_the_documents_own() -> None:
    """What `rewrite` is for: searched as it is asked, it finds fewer of the relevant documents than the same question in `noise`."""
    found = {}
    for kind in ("rewrite", "noise"):
        shares = []
        for task in (each for each in TASKS if each.kind == kind):
            step = Step(tool="search", arguments={"query": _asked(task, kind), "k": 10})
            final = await played(WORLD, task, Script(steps=((step,),), says=("",)))
            ids = set(re.findall(r"^PKB-\d{4}", final.log[0].text, re.MULTILINE))
            relevant = gold_of(task).relevant
            shares.append(len(ids & set(relevant)) / len(relevant))
        found[kind] = sum(shares) / len(shares)
    assert found["noise"] > 0.8
    assert found["rewrite"] < found["noise"] / 2, found


def _asked(task: Task, kind: str) -> str:
    return str(
        next(each for each in shelf(0).topics if each.name == task.setting["topic"]).head[kind]["asks"]
    )
