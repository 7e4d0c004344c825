"""The jury (reading.md, section 8): rates by rule beside rates by people, on labelled sentences of real answers, per model and arm.

`scripts/jury.py` prints the section; `--write` puts it into tests/reading/verified.md and docs/reading.md, and the rates that lie
outside into the package, where they switch the rule's headline off.
"""

import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from percuss.api.report.demo import recorded_run
from percuss.core.records import Estimate
from percuss.evidence.rules.support2 import RATER, support2
from percuss.judging.extract import is_truncated
from percuss.judging.passport import passport_of
from percuss.measure.numbers import written
from percuss.protocols.grounding.estimate.floors import FEWEST_DECIDED
from percuss.stats import wilson_clustered
from percuss.store import RunStore

sys.path.insert(0, str(Path(__file__).resolve().parent))

import reading

ROOT = Path(__file__).resolve().parents[1]
PAGES = (ROOT / "tests" / "reading" / "verified.md", ROOT / "docs" / "reading.md")
OUTSIDE = ROOT / "src" / "percuss" / "judging" / "jury.json"
DATE = "2026-11-23"
SECTION = re.compile(r"## The jury: rates by rule.*?(?=\n## (?!The jury)|\Z)", re.DOTALL)
ARMS = {"full_multimodal": "with evidence", "ungrounded": "without evidence"}
BAD = {"contradicted", "absent"}
NOT_COUNTED = {"unclear"}


class Rate(NamedTuple):
    """Unsupported share of one model in one arm: by people over all, by the rule over what it decides."""

    model: str
    arm: str
    n: int
    decided: int
    people: float
    rule: float | None
    low: float | None
    high: float | None

    @property
    def agrees(self) -> bool | None:
        """Whether the rule's interval holds what people say; None where there is no interval."""
        return None if self.low is None or self.high is None else self.low <= self.people <= self.high


def headline_off(rate: Rate, layout: str) -> bool:
    """Say whether a report gives no headline on such labels: the rule is below its floors, or decides less than half."""
    known = passport_of("rule:support-2", layout=layout)
    return known is None or not known.floors_met or rate.decided < FEWEST_DECIDED * rate.n


def rates(layout: str = "structured") -> list[Rate]:
    """Return the rates of the corpus `support`, real answers alone, assertions that the question doesn't say.

    Args:
        layout: of the evidence.
    """
    held: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for row in reading.rows("support"):
        model, _, _ = row["origin"].removeprefix("model:").partition("|")
        if not row["origin"].startswith("model:") or row["label"] in NOT_COUNTED or row.get("given"):
            continue
        if reading.layout(row) == layout and reading.is_there(row) and row["arm"] in {"evidence", "none"}:
            held[model, row["arm"]].append(row)
    return [_rate(model, arm, rows) for (model, arm), rows in sorted(held.items())]


def _rate(model: str, arm: str, rows: Sequence[Any]) -> Rate:
    people = np.array([row["label"] in BAD or 0.5 * (row["label"] == "partial") for row in rows], dtype=float)
    said = [
        support2(row["text"], reading.packet(row["context"]), reading.question_of(row) or "").label
        for row in rows
    ]
    bad = [(row["group"], label in BAD or 0.5 * (label == "partial")) for row, label in zip(rows, said, strict=True) if label in {*BAD, "partial", "supported"}]  # fmt: skip
    if len({group for group, _ in bad}) < 2:
        return Rate(model, arm, len(rows), len(bad), float(people.mean()), None, None, None)
    values, groups = np.array([float(b) for _, b in bad]), np.array([group for group, _ in bad])
    found = wilson_clustered(values, np.ones(len(values)), clusters=groups)
    return Rate(
        model, arm, len(rows), len(bad), float(people.mean()), float(values.mean()), found.low, found.high
    )


def lines() -> Iterator[str]:
    """Yield the section of docs/reading.md."""
    yield "## The jury: rates by rule beside rates by people"
    yield ""
    yield (
        "Labelled sentences of real answers (corpus `support`, both halves), the unsupported share by people over all of them and by "
        "`rule:support-2` over those that it decides; intervals by case. A rate outside the rule's interval is a fault of the rule "
        "alone; the headline is off wherever the rule is below its floors or decides less than half."
    )
    yield ""
    yield "| evidence | model | arm | sentences | decided | by people | by rule | inside |"
    yield "|---|---|---|---|---|---|---|---|"
    for layout in ("structured", "text"):
        for rate in rates(layout):
            ruled = "-" if rate.rule is None else f"{rate.rule:.2f} [{_two(rate.low)}, {_two(rate.high)}]"
            inside = {None: "no interval", True: "yes", False: "no"}[rate.agrees]
            inside += ", headline off" if headline_off(rate, layout) else ""
            yield f"| {layout} | {rate.model} | {rate.arm} | {rate.n} | {rate.decided} | {rate.people:.2f} | {ruled} | {inside} |"
    yield ""
    yield from recorded()


class Recorded(NamedTuple):
    """The recorded run: its real models, its estimates by what they are, whole statements per model and arm, the rule."""

    real: list[str]
    by: dict[tuple[str, str, str, str], Estimate]
    sentences: Counter[tuple[str, str]]
    rule: str


@cache
def held_run() -> Recorded:
    """Return what the jury needs of the run that ships."""
    with recorded_run() as folder, RunStore.open(folder) as store:
        scoring = store.latest_scoring()
        view = store.view(scoring.id)
        real = [model for model in view.models if model not in view.simulated]
        sentences: Counter[tuple[str, str]] = Counter(
            (model, a.response.arm) for model in real for a in view.assessed(model=model)
            for claim in a.claims if not is_truncated(claim)
        )  # fmt: skip
        by = {
            (e.name, e.model, e.arm, e.labels): e for e in store.estimates(scoring.id)
            if e.stratum is None and e.versus is None
        }  # fmt: skip
        return Recorded(real, by, sentences, next(r for r in scoring.raters if r.startswith("rule:")))


def outside() -> list[dict[str, str]]:
    """Return the rates of the recorded run whose interval by rule doesn't hold what people say."""
    run, found = held_run(), []
    for model, arm in sorted(run.sentences):
        if arm in ARMS:
            people, ruled = (run.by["unsupported_rate", model, arm, s] for s in ("human", run.rule))
            if _inside(people, ruled).startswith("**no"):
                found.append(
                    {
                        "reader": run.rule, "layout": "structured", "date": DATE, "model": model, "arm": ARMS[arm],
                        "by_rule": written(ruled), "by_people": written(people),
                    }
                )  # fmt: skip
    return found


def recorded() -> Iterator[str]:
    """Yield the table of the recorded run: every statement of two models by a reader, and by the rule, in the same run."""
    real, by, sentences, rule = held_run()
    yield f"## The jury on the recorded run: `{RATER}` beside a reader"
    yield ""
    yield (
        "All statements of two models about 40 patients (`tests/reading/demo`), labelled by one reader of the project, no clinician, before the "
        "rule's word on them was looked at. Both columns are estimates of the run as a report shows them: over cases with an answer "
        "and a decided assertion in both arms, so the rule's are over fewer cases."
    )
    yield ""
    yield "| model | arm | sentences | decided | by people | by rule | people inside the rule's interval |"
    yield "|---|---|---|---|---|---|---|"
    for model, arm in sorted(sentences):
        if arm in ARMS:
            people, ruled = (by["unsupported_rate", model, arm, source] for source in ("human", rule))
            share = by["decided_share", model, arm, rule]
            yield (
                f"| {model.rpartition('/')[2]} | {arm} | {sentences[model, arm]} | {written(share)} | {written(people)} | {written(ruled)} | "
                f"{_inside(people, ruled)} |"
            )
    yield ""
    for source, words in (("human", "people"), (rule, "rule")):
        order = sorted(
            real, key=lambda model: -(by["hdi_pooled", model, "full_multimodal", source].value or 0.0)
        )
        said = [
            f"{m.rpartition('/')[2]} {written(by['hdi_pooled', m, 'full_multimodal', source])}" for m in order
        ]
        yield f"- HDI by {words}, highest first: {'; '.join(said)}."
    noted = [f"{m.rpartition('/')[2]}: {by['pattern', m, 'full_multimodal', 'human'].note}" for m in real]
    yield f"- The panel's word by people: {'; '.join(noted)}. By the rule none is given: no headline rests on it here."
    yield ""


def _inside(people: Estimate, ruled: Estimate) -> str:
    if people.value is None or ruled.low is None or ruled.high is None:
        return "no interval, headline off"
    return (
        "yes, headline off all the same"
        if ruled.low <= people.value <= ruled.high
        else "**no**, headline off"
    )


def _two(number: float | None) -> str:
    return "-" if number is None else f"{number:.2f}"


def write() -> None:
    """Put the section into the pages, and what lies outside into the package."""
    section = "\n".join(lines()).strip() + "\n"
    for page in PAGES:
        page.write_text(SECTION.sub(lambda _: section, page.read_text(encoding="utf-8")), encoding="utf-8")
    OUTSIDE.write_text(json.dumps({"outside": outside()}, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    print("\n".join(lines()))
    if "--write" in sys.argv:
        write()
