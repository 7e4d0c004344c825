"""The small runs that the golden files are of: six protocols on phantoms, and the recorded run that ships."""

import asyncio
import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from percuss.api.catalog import load
from percuss.api.report.demo import recorded_run
from percuss.core.ports import Model
from percuss.core.records import Estimate
from percuss.core.sections import Section
from percuss.engine import estimate
from percuss.evidence.packet import Packet
from percuss.evidence.rules import strict
from percuss.phantoms import phantom
from percuss.protocols.explanation.options import ExplanationOptions
from percuss.protocols.grounding.options import GroundingOptions
from percuss.protocols.stressors.options import StressorsOptions
from percuss.store import RunStore
from tests.citing_people import Reader
from tests.protocols.citations.conversations import run as converse
from tests.protocols.explanation.runs import run as explain
from tests.protocols.grounding.runs import HashEmbedder
from tests.protocols.grounding.runs import run as ground
from tests.protocols.skills.runs import run as work
from tests.protocols.stressors.runs import run as stress
from tests.protocols.textbook.runs import run as answer

Made = tuple[Sequence[Estimate], Sequence[Section]]
DEPTHS = ("full_multimodal", "pathology_only", "ungrounded")


def stressors(folder: Path) -> Made:
    """Two simulated clinicians in all eight arms, by rule."""
    models = ["phantom/clinician?contradiction=0.9", "phantom/clinician?contradiction=0.1"]
    made = stress(folder / "run", models, options=StressorsOptions(resamples=100), limit=4)
    return made.estimates, made.sections


def stressors_judged(folder: Path) -> Made:
    """A simulated auditor that overlooks a tenth."""
    made = stress(
        folder / "run", ["phantom/clinician?fabricate=0.3&wrong=0.6"], options=StressorsOptions(resamples=100), limit=3,
        arms=("baseline", "contradiction", "omission+contradiction+delay"), judge=phantom("phantom/auditor?overlook=0.1", seed=7),
    )  # fmt: skip
    return made.estimates, made.sections


def grounding(folder: Path) -> Made:
    """Three simulated models at two depths of evidence, by rule, with an embedder."""
    models = ("calibrated", "confabulator", "recycler")
    made = ground(
        folder / "run", models, options=GroundingOptions(resamples=100), limit=6, arms=DEPTHS, embedder=HashEmbedder()
    )  # fmt: skip
    return made.estimates, made.sections


def grounding_judged(folder: Path) -> Made:
    """One simulated model before a judge that errs in a tenth."""
    made = ground(
        folder / "run", ("confabulator",), options=GroundingOptions(resamples=100), limit=5, judge=_judge()
    )
    return made.estimates, made.sections


def _judge() -> Model:
    def rule(evidence: str, claim: str, _shown: str) -> str:
        found = strict.check(claim, Packet.of_layers(json.loads(evidence)))
        return "unknown" if found.label is None else found.label.value

    return phantom("phantom/judge?sensitivity=0.9&specificity=0.9", seed=1, extra={"rule": rule})


def explanation(folder: Path) -> Made:
    """Two simulated readers of two chests, with thicknesses and opacities of one cue."""
    names = ("none", "sham", "sham_text", "blank", "tb_rad:misleading", "tb_rad:aligned", "vb_bb:misleading")
    options = ExplanationOptions(chests=2, resamples=100)
    made = explain(
        folder / "run", ["reader?invalid=0.05", "reader?follow.tb_rad=1"], options=options, arms=names
    )
    return made.estimates, made.sections


def textbook(folder: Path) -> Made:
    """Two simulated students in four arms, before a marker that errs in a tenth."""
    made = answer(
        folder / "run", ["phantom/student?inverse=0.2&memorise=0.5", "phantom/student?closed=0.1"], limit=30,
        arms=("closed_book", "passage", "wrong_passage", "continuation"), judge="phantom/marker?sensitivity=0.9", contamination=True,
    )  # fmt: skip
    return made.estimates, made.sections


def skills(folder: Path) -> Made:
    """Scripted agents on items of our own, two of each text task, by rule."""
    models = ["phantom/agent?know=0.6", "phantom/agent-random", "phantom/agent-nothing"]
    made = work(folder / "run", models, limit=24)
    return made.estimates, made.sections


def skills_environments(folder: Path) -> Made:
    """Agents with planted skill in all four environments, three tasks each."""
    models = ["phantom/agent?defend=0.5&sql=0.5", "phantom/agent-gold", "phantom/agent-nothing"]
    made = work(folder / "run", models, env="all", tasks=3)
    return made.estimates, made.sections


def demo(folder: Path) -> Made:
    """Estimate the recorded run again: a real model's answers beside two simulated ones."""
    with recorded_run(folder / "demo") as kept:
        shutil.copytree(kept, folder / "run")
    protocol = load("grounding")
    with RunStore.open(folder / "run", writable=True) as store:
        scoring = store.latest_scoring()
        settings: dict[str, Any] = {**_options(store), "resamples": 100}
        options = GroundingOptions(**settings)
        found = asyncio.run(estimate(store, protocol, options, scoring=scoring.id, seed=42))
        return found, store.sections(scoring.id)


def citations(folder: Path) -> Made:
    """A simulated writer over three turns, with the last turn on three histories, by the rule."""
    arms = ("closed_book", "grounded", "history:own", "history:redacted", "history:control")
    made = converse(
        folder / "run", phantom("phantom/citer", seed=42), limit=4, arms=arms, history=True, resamples=100
    )
    return made.estimates, made.sections


def citations_judged(folder: Path) -> Made:
    """The same writer before a judge that reads the bundled library and leaves one question in two open."""
    judge = Reader(lambda said: {**said, "insufficient": len(str(said["quote"])) % 2 == 0})
    made = converse(
        folder / "run", phantom("phantom/citer", seed=42), limit=3, roles={"judge": judge}, resamples=100
    )
    return made.estimates, made.sections


def _options(store: RunStore) -> dict[str, object]:
    held: Mapping[str, object] = store.manifest().get("options", {})
    return {
        name: held[name] for name in GroundingOptions.__struct_fields__ if name in held and name != "prompts"
    }


RUNS: Mapping[str, Callable[[Path], Made]] = {
    made.__name__: made
    for made in (
        stressors,
        stressors_judged,
        grounding,
        grounding_judged,
        explanation,
        textbook,
        citations,
        citations_judged,
        skills,
        skills_environments,
        demo,
    )
}
