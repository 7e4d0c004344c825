"""The report of every protocol in a real browser: on a desk and a phone, light and dark, in print; axe-core finds nothing."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.browser.test_report import AXE, SIZES, Opened, opened, screenshot

pytestmark = [pytest.mark.browser, pytest.mark.slow]
MODELS = {
    "grounding": "phantom/calibrated", "citations": "phantom/citer", "explanation": "phantom/reader",
    "stressors": "phantom/clinician", "textbook": "phantom/student", "skills": "phantom/agent-gold",
}  # fmt: skip
HANGS = 300


@pytest.fixture(scope="module", params=sorted(MODELS))
def report(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run a protocol on a few cases of its own and return its report."""
    folder = tmp_path_factory.mktemp("reports") / str(request.param)
    words = [
        "run", request.param, "--model", MODELS[request.param], "--limit", "2", "--out", str(folder),
    ]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "percuss", *words], capture_output=True, text=True, timeout=HANGS, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder / "report.html"


def _whole(tab: Opened, report: Path) -> Any:
    page = tab.open(report)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    for section in page.query_selector_all(".chapter"):
        section.scroll_into_view_if_needed()
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_every_report_is_silent_fits_and_is_accessible(
    browser: Any, report: Path, scheme: str, size: str
) -> None:
    # the tool under test is the page: its policy would keep the auditor out
    tab = opened(browser, size=size, color_scheme=scheme, bypass_csp=True)
    page = _whole(tab, report)
    assert tab.complaints == []
    assert tab.requests == [report.as_uri()]
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0]
    screenshot(page, f"{report.parent.name}-{scheme}-{size}")
    page.add_script_tag(path=str(AXE))
    found = page.evaluate("axe.run(document).then((result) => result.violations)")
    assert [f"{one['impact']} {one['id']}: {one['nodes'][0]['html'][:160]}" for one in found] == []


def test_every_report_prints(browser: Any, report: Path, tmp_path: Path) -> None:
    tab = opened(browser)
    page = _whole(tab, report)
    page.emulate_media(media="print")
    printed = page.pdf(path=str(tmp_path / "report.pdf"), format="A4")
    assert printed.startswith(b"%PDF")
    assert page.locator("h1").first.is_visible()
    screenshot(page, f"{report.parent.name}-print")
