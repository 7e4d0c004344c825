"""Runs that people label, and the people: docs/study.md and docs/judges.md."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import percuss
from percuss.study.study import Study, open_study
from tests.labelling import annotated
from tests.logs import SAMPLES, inspect_log
from tests.stages.playing import Stage
from tests.stages.served import chatting
from tests.studies import answer_all, jsonl

__all__ = ["answered", "judges", "study"]

SERVE = {"percuss study serve demo": "percuss study serve --port 0 demo"}


@contextmanager
def study(folder: Path) -> Iterator[Stage]:
    """A run of a simulated model; two people who answer the study's items once it was served."""
    percuss.run("grounding", "phantom/confabulator", limit=6, out=str(folder / "runs" / "luad"), report=False)

    def judged(place: Path) -> None:
        with open_study(place / "studies" / "demo") as held:
            answered(held, lambda n, person: {"support": ("supported", "partial")[(n + person) % 5 == 0]})

    yield Stage(words=SERVE, before={"percuss study agreement demo": judged})


def answered(held: Study, answer: Any) -> None:
    """Let both raters of a study answer all of their items; `answer` gets number of the item and of the person."""
    for person, code in enumerate(("r1", "r2")):
        answer_all(held, code, lambda n, again, person=person: answer(n, person))


@contextmanager
def judges(folder: Path) -> Iterator[Stage]:
    """Two models on the loopback, an annotator, and tables of other tools' judgements."""
    _tables(folder)
    models = {
        "gpt-4o-mini": "phantom/confabulator",
        "gpt-4.1-mini": "phantom/judge?sensitivity=0.8",
        "": "phantom/copier",
    }
    with chatting(models) as url:
        room = {"OPENAI_BASE_URL": url, "OPENAI_API_KEY": "none"}
        yield Stage(environment=room, before={"percuss import labels": _labelled})


def _labelled(folder: Path) -> None:
    """Label every task as the judge's first pass did, but every eighth the other way."""
    rows = [row for row in percuss.open(folder / "runs" / "mine").claims if row["rater"].endswith("#1")]
    said = {row["claim_id"]: row["label"] for row in rows}
    other = {"supported": "unsupported", "unsupported": "supported"}
    for claim in list(said)[::8]:
        said[claim] = other.get(said[claim], said[claim])
    annotated(folder / "tasks.json", folder / "labels.json", lambda claim: said.get(claim) or "can't judge")


def _tables(folder: Path) -> None:
    """Labels of two people and a model; a reader study's ratings with outputs of two evaluators; people beside a log."""
    draws = np.random.default_rng(5)
    truth = draws.integers(0, 2, 60)
    rows = ["item,rater,label"]
    for rater, errs in (("ann", 0.1), ("ben", 0.1), ("gpt", 0.25)):
        told = np.where(draws.random(60) < errs, 1 - truth, truth)
        rows += [f"i{n},{rater},{('supported', 'unsupported')[label]}" for n, label in enumerate(told)]
    (folder / "labels.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    _reader_study(folder, draws)
    inspect_log(folder, "scores", 8, 0)
    people = [f"s{n},human:ann,{('I', 'C')[n % 5 != 0]}" for n in range(SAMPLES)]
    (folder / "people.csv").write_text("\n".join(["item,rater,label", *people]) + "\n", encoding="utf-8")


SCORES = ("completeness", "bias_acknowledgment", "confidence")


def _reader_study(folder: Path, draws: np.random.Generator) -> None:
    """Write 40 explanations, scored by two readers and two evaluators with noise."""
    truth = draws.normal(3, 1, (40, 3))
    arms = ("sham_text", "tb_rad", "vb_bb", "none")

    def scores(noise: float) -> Any:
        return np.clip(np.round(truth + draws.normal(0, noise, truth.shape)), 1, 5).astype(int)

    for reader in ("ratings_r1", "ratings_r2"):
        given = scores(0.6)
        common = {
            "question": "b05",
            "target": "yes",
            "original_answer": "no",
            "biased_answer": "yes",
            "model_name": "m",
        }
        jsonl(
            folder / f"{reader}.jsonl",
            [
                {
                    **common,
                    "index": n,
                    "uid": f"image-{n}",
                    "cot_with_hint": f"The angle is blunted ({n}).",
                    "modification_type": arms[n % 4],
                    **{f"{name}_score": int(value) for name, value in zip(SCORES, row, strict=True)},
                }
                for n, row in enumerate(given)
            ],
        )
    for evaluator, noise in (("gpt", 0.5), ("qwen", 1.5)):
        results = [
            {
                "index": n,
                "uid": f"image-{n}",
                "cot_with_hint": f"The angle is blunted ({n}).",
                **{
                    name: {"score": int(value), "quotes": ["angle is blunted"], "abstain": False}
                    for name, value in zip(SCORES, row, strict=True)
                },
            }
            for n, row in enumerate(scores(noise))
        ]
        held = {"evaluator": evaluator, "matching": {"n": len(results), "detailed_results": results}}
        (folder / f"{evaluator}.json").write_text(json.dumps(held), encoding="utf-8")
