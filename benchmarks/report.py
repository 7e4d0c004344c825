"""How long a report of 100,000 claims takes, how large it is, and how soon a browser can use it.

    python benchmarks/report.py [--claims N] [--browser]

Targets: built in under 20 s with under 1 GB, file under 15 MB, usable in under 3 s.
"""

import argparse
import resource
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from percuss.core.sections import (
    Chart,
    Field,
    Figure,
    Mark,
    Pane,
    Panel,
    PanelRow,
    Section,
    Viewer,
    ViewerCase,
)
from percuss.report import render_html

ARMS = ("pathology_only", "pathology_rna", "full_multimodal", "ungrounded")
MODELS = ("made/model-a", "made/model-b")
CLAIMS_A_PANE = 5
CASES_A_VIEWER = 1_000
LABELS = ("supported", "partial", "unsupported", "unknown", "not_scored")
KINDS = ("numeric", "tier", "modality", "uncertainty", "other")
WORDS = ("tumour stage age purity fraction infiltrate signature expression smoking history mutation burden immune hot warm "
         "cold suggests indicates about not available shows with grade left upper lobe adenocarcinoma patient value").split()  # fmt: skip


def sections(claims: int, seed: int) -> Iterator[Section]:
    """Yield a panel, a chart and as many viewers as the claims need; text is drawn, so that it compresses badly."""
    rows = tuple(PanelRow(label=m, figures={"with": Figure(value=0.1, low=0.08, high=0.12)}) for m in MODELS)
    yield Section.of("findings", "What did we find?", Panel(columns=(), rows=rows))
    strip = tuple({"x": 0.1, "y": model, "low": 0.08, "high": 0.12} for model in MODELS)
    yield Section.of("findings", "Rates", Chart(kind="strip", rows=strip, low="low", high="high"))
    heat = tuple({"x": arm, "y": kind, "value": 0.2, "n": 900} for arm in ARMS for kind in KINDS)
    yield Section.of("where", "Kinds", Chart(kind="heat", rows=heat, value="value"))
    random = Random(seed)
    cases = -(-claims // (CLAIMS_A_PANE * len(ARMS) * len(MODELS)))
    for first in range(0, cases, CASES_A_VIEWER):
        made = tuple(case(number, random) for number in range(first, min(first + CASES_A_VIEWER, cases)))
        yield Section.of("read", "Read it yourself", Viewer(cases=made))


def case(number: int, random: Random) -> ViewerCase:
    """Return one made-up case: every model in every arm."""
    panes = tuple(pane(model, arm, random) for model in MODELS for arm in ARMS)
    packet = tuple(
        Field(path=f"clinical.f{i}", label=f"field {i}", value=f"{random.random():.4f}") for i in range(20)
    )
    return ViewerCase(
        id=f"CASE-{number:06}", stratum=random.choice(("Hot", "Warm", "Cold")), packet=packet, panes=panes
    )


def pane(model: str, arm: str, random: Random) -> Pane:
    """Return one response with its marks."""
    parts: list[str] = []
    marks = []
    at = 0
    for _ in range(CLAIMS_A_PANE):
        text = " ".join(random.choices(WORDS, k=14)) + f" {random.random():.2f}."
        label = random.choice(LABELS)
        said: tuple[dict[str, Any], ...] = (
            {"rater": "rule:strict", "label": random.choice(LABELS)},
            {
                "rater": "judge:made/judge#1",
                "label": label,
                "rationale": " ".join(random.choices(WORDS, k=10)),
            },
            {"rater": "judge:made/judge#2", "label": label},
        )
        marks.append(
            Mark(id=f"{random.getrandbits(128):032x}", start=at, stop=at + len(text), label=label, kind=random.choice(KINDS), said=said)
        )  # fmt: skip
        parts.append(text)
        at += len(text) + 1
    return Pane(model=model, arm=arm, text=" ".join(parts), marks=tuple(marks))


def usable_s(path: Path) -> float:
    """Return seconds from opening the file to a case that can be read, in Debian's Chromium."""
    from playwright.sync_api import sync_playwright

    browser_path = shutil.which("chromium") or "/usr/bin/chromium"
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=browser_path,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        page = browser.new_page()
        began = time.perf_counter()
        page.goto(path.as_uri())
        page.wait_for_selector("#reader[data-ready] mark.claim", state="attached")
        took = time.perf_counter() - began
        browser.close()
    return took


def main() -> None:
    """Build, measure, print ratios to the targets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=int, default=100_000)
    parser.add_argument("--browser", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "report.html"
        began = time.perf_counter()
        render_html("Benchmark", {"protocol": "grounding"}, (), sections(chosen.claims, seed=1), out=out)
        took = time.perf_counter() - began
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        size = out.stat().st_size / 1e6
        print(f"built {chosen.claims:,} claims in {took:.1f} s ({took / 20:.2f} of target)")
        print(f"peak memory {peak:.0f} MB ({peak / 1000:.2f} of target)")
        print(f"file {size:.1f} MB ({size / 15:.2f} of target)")
        if chosen.browser:
            opened = usable_s(out)
            print(f"usable in {opened:.2f} s ({opened / 3:.2f} of target)")


if __name__ == "__main__":
    main()
