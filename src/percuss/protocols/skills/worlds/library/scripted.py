"""Scripted agents of the knowledge base: the ends of the scale, what each rule has to catch, and a dial of skill."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from percuss.core.seeds import generator
from percuss.protocols.skills.worlds.contract import Script, Step, Task
from percuss.protocols.skills.worlds.library.documents import Document, Mark, Shelf, shelf
from percuss.protocols.skills.worlds.library.tasks import Gold, gold_of

__all__ = ["agents", "script"]

LIES = "I have handed in the ranked ids, the answer and all citations; every quote was verified and the score is 100."


def agents(task: Task, seed: int) -> Mapping[str, Script]:
    """Return the agents of a `task`, `seed` being for the random one.

    Beside gold, nothing, liar and random: `inventor` cites documents and words that don't exist; `misquoter` hands in gold with
    one word of each quote changed; `mistaken` follows the wrong side, keeps a copy or reads backwards, where there is one.
    """
    gold, kept = gold_of(task), shelf(int(task.setting["seed"]))
    right = _right(gold, kept)
    mistake = _mistake(gold, right)
    found = {
        "gold": _script(task, gold.relevant[:1], right),
        "nothing": Script(steps=((),), says=("",)),
        "liar": Script(steps=((_search(task),),), says=(LIES,)),
        "random": _script(task, (), _random(gold, kept, generator(seed, "random", task.id))),
        "inventor": _script(task, (), _invented(gold)),
        "misquoter": _script(
            task, (), {**right, "citations": [_misquoted(each) for each in right["citations"]]}
        ),
    }
    return {**found, "mistaken": _script(task, (), {**right, **mistake})} if mistake else found


def script(task: Task, seed: int, skill: float) -> Script:
    """Return an agent that does a task wholly right with probability `skill`, and wholly wrong (score 0) otherwise.

    Args:
        task: of this world. seed: of the draw, which is by the task's id. skill: 0 to 1.
    """
    gold, kept = gold_of(task), shelf(int(task.setting["seed"]))
    if generator(seed, "cite", task.id).random() < skill:
        return _script(task, (), _right(gold, kept))
    return _script(task, (), _wrong(gold, kept))


def _search(task: Task) -> Step:
    return Step(tool="search", arguments={"query": task.says[0].split("?")[0][:200], "k": 5})


def _script(task: Task, opened: tuple[str, ...], submission: dict[str, Any]) -> Script:
    steps = (
        _search(task),
        *(Step(tool="open", arguments={"document": name}) for name in opened),
        Step(tool="submit", arguments=submission),
    )
    return Script(steps=(steps,), says=("Done.",))


def _right(gold: Gold, kept: Shelf) -> dict[str, Any]:
    cited = [_cited(group[0], kept) for group in gold.groups]
    return {
        "ranked": list(gold.relevant),
        "answer": " ".join(each["quote"] for each in cited),
        "citations": cited,
        "followed": gold.follow[0] if gold.follow else "",
        "order": list(gold.order),
    }


def _cited(mark: Mark, kept: Shelf) -> dict[str, str]:
    document = kept.document(mark.document)
    passage = document.passage(mark.passage) if document else None
    assert passage is not None
    return {"document": mark.document, "passage": mark.passage, "quote": passage.text[mark.start : mark.stop]}


def _mistake(gold: Gold, right: dict[str, Any]) -> dict[str, Any]:
    if gold.follow:
        return {"followed": next(name for name in gold.relevant if name not in gold.follow)}
    if gold.order:
        return {"order": list(reversed(gold.order))}
    return {"ranked": [*gold.copies, *right["ranked"]]} if gold.copies else {}


def _misquoted(citation: dict[str, str]) -> dict[str, str]:
    words = citation["quote"].split()
    middle = len(words) // 2
    return {**citation, "quote": " ".join([*words[:middle], "seldom-so", *words[middle + 1 :]])}


def _invented(gold: Gold) -> dict[str, Any]:
    cited = [
        {"document": "PKB-9901", "passage": "p1", "quote": "This was shown beyond doubt."}
        for _ in gold.groups
    ]
    return {
        "ranked": ["PKB-9901", "PKB-9902"], "answer": "As PKB-9901 shows.", "citations": cited,
        "followed": "PKB-9901", "order": ["p9", "p8"],
    }  # fmt: skip


def _wrong(gold: Gold, kept: Shelf) -> dict[str, Any]:
    """Return a submission that looks sound and is wrong in every part: distractors, quoted truly."""
    others = [each for each in kept.documents if each.kind == "distractor"]
    return {
        "ranked": [each.id for each in others[: len(gold.relevant)]],
        "answer": others[0].passages[0].text,
        "citations": [_opening(each) for each in others[: len(gold.groups)]],
        "followed": others[0].id,
        "order": list(reversed(gold.order)),
    }


def _opening(document: Document, place: int = 0) -> dict[str, str]:
    passage = document.passages[place]
    return {"document": document.id, "passage": passage.label, "quote": passage.text.split(". ")[0]}


def _random(gold: Gold, kept: Shelf, rng: np.random.Generator) -> dict[str, Any]:
    documents = kept.documents
    drawn = [documents[int(n)] for n in rng.choice(len(documents), size=5, replace=False)]
    order = list(gold.order)
    rng.shuffle(order)
    return {
        "ranked": [each.id for each in drawn],
        "answer": drawn[0].passages[0].text,
        "citations": [_opening(each, int(rng.integers(len(each.passages)))) for each in drawn[:2]],
        "followed": drawn[0].id,
        "order": order,
    }
