"""The report in a real browser: silent, without errors, accessible, usable by keys, whole without scripts.

Screenshots for people to look at are written where PERCUSS_SCREENSHOTS names a folder.
"""

import os
from pathlib import Path
from typing import Any

import pytest

from percuss.core.sections import Section, Viewer
from percuss.measure.numbers import figure_of, show
from percuss.report import render_html
from tests import reports
from tests.browser.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.slow]
ROOT = Path(__file__).resolve().parents[2]
AXE = ROOT / "tests" / "vendor" / "axe.min.js"
SIZES = {"wide": (1440, 1000), "narrow": (390, 844)}


class Opened:
    """A page and what it asked for or complained of."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.requests: list[str] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def open(self, path: Path, fragment: str = "") -> Any:
        self.page.goto(path.as_uri() + fragment)
        self.page.wait_for_selector("#reader[data-ready]", state="attached")
        until(self.page, "[...document.querySelectorAll('.vega')].every((one) => one.querySelector('svg'))")
        return self.page


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("report") / "report.html"
    calls = reports.calls(reports.sections())
    render_html(
        "Grounding of two models",
        reports.MANIFEST,
        reports.estimates(),
        reports.sections(),
        out=out,
        calls=calls,
    )
    return out


def opened(browser: Any, *, size: str = "wide", **settings: Any) -> Opened:
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, offline=True, **settings)
    context.set_default_timeout(15_000)
    return Opened(context.new_page())


def screenshot(page: Any, name: str) -> None:
    folder = os.environ.get("PERCUSS_SCREENSHOTS")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=str(Path(folder) / f"{name}.png"), full_page=True)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_silent_without_errors_and_nothing_wider_than_the_screen(
    browser: Any, path: Path, scheme: str, size: str
) -> None:
    tab = opened(browser, size=size, color_scheme=scheme)
    page = tab.open(path)
    for section in page.query_selector_all(".chapter"):
        section.scroll_into_view_if_needed()
    page.locator("mark.claim[data-id]").first.click()
    assert tab.requests == [path.as_uri()]
    assert tab.complaints == []
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0]
    screenshot(page, f"report-{scheme}-{size}")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(browser: Any, path: Path, scheme: str) -> None:
    # the tool under test is the page: its policy would keep the auditor out
    page = opened(browser, color_scheme=scheme, bypass_csp=True).open(path)
    page.locator("mark.claim[data-id]").first.click()
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.add_script_tag(path=str(AXE))
    found = page.evaluate("axe.run(document).then((result) => result.violations)")
    grave = [
        f"{one['id']}: {one['nodes'][0]['html'][:160]}"
        for one in found
        if one["impact"] in {"serious", "critical"}
    ]
    assert grave == []


def test_without_scripts_everything_to_section_five_is_there(browser: Any, path: Path) -> None:
    tab = opened(browser, java_script_enabled=False)
    tab.page.goto(path.as_uri())
    text = tab.page.locator("main").inner_text()
    for estimate in reports.estimates():
        if estimate.labels == "agreement" and estimate.name in {"hdi_pooled", "unsupported_rate"}:
            assert " ".join(show(figure_of(estimate)).split()) in " ".join(text.split())
    for words in ("10.0 points [7.9, 12.1]", "conflict: 195", "need its script"):
        assert words in text
    assert tab.page.locator("svg.interval").first.is_visible()
    screenshot(tab.page, "report-no-script")


def test_the_policy_holds_against_a_script_that_slips_in(browser: Any, path: Path) -> None:
    tab = opened(browser)
    failed: list[str] = []
    tab.page.on("requestfailed", lambda request: failed.append(request.failure))
    page = tab.open(path)
    page.evaluate(
        "() => { const s = document.createElement('script'); s.textContent = 'window.ran = 1'; document.body.append(s); }"
    )
    page.evaluate("() => { new Image().src = 'https://example.org/x.png'; }")
    for _ in range(100):
        refused = [one for one in tab.complaints if "Content Security Policy" in one]
        if len(refused) == 2 and failed:
            break
        page.wait_for_timeout(100)
    assert page.evaluate("window.ran") is None
    assert len(refused) == 2
    assert failed == ["csp"]


def test_the_first_case_is_the_one_in_dispute_and_keys_work(browser: Any, path: Path) -> None:
    tab = opened(browser)
    page = tab.open(path)
    page.locator("#reader").scroll_into_view_if_needed()
    page.wait_for_selector("#reader[data-on-screen]")
    until(page, "document.querySelector('.cases [aria-current=true]').innerText.startsWith('TCGA-0007')")
    assert page.locator('[data-side="left"] h3').inner_text().startswith("with evidence")
    assert page.locator('[data-side="right"] h3').inner_text().startswith("without evidence")
    page.keyboard.press("j")
    until(page, "!document.querySelector('.cases [aria-current=true]').textContent.startsWith('TCGA-0007')")
    page.keyboard.press("k")
    until(page, "document.querySelector('.cases [aria-current=true]').textContent.startsWith('TCGA-0007')")
    page.keyboard.press("n")
    card = page.locator("[data-card]")
    assert "clinical.stage = IA · claim says IIIA" in card.inner_text()
    assert "quote not found: “never smoked”" in card.inner_text()
    assert "judge openai/gpt-4.1-mini, pass 2" in card.inner_text()
    assert page.locator(".fields .lit").inner_text().split() == ["stage", "IA"]
    assert page.locator("mark.found").inner_text().endswith("at diagnosis: 60.")
    assert page.locator("mark.twinned").count() == 1
    page.keyboard.press("?")
    assert page.locator("dialog").is_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("3")
    until(
        page, "document.querySelector('[data-verdict=unsupported]').getAttribute('aria-pressed') === 'true'"
    )
    assert "v=unsupported" in page.url
    assert tab.complaints == []


def test_the_address_restores_case_claim_and_filters(browser: Any, path: Path) -> None:
    tab = opened(browser)
    page = tab.open(path, "#read?case=TCGA-0033&claim=33-ungrounded-1&v=partial,unsupported&stratum=Hot")
    until(page, "document.querySelector('.cases [aria-current=true]').textContent.includes('TCGA-0033')")
    assert "The patient is 62 years old." in page.locator("[data-card] h3").inner_text()
    pressed = page.locator("[data-verdict][aria-pressed=true]")
    assert [pressed.nth(i).get_attribute("data-verdict") for i in range(pressed.count())] == [
        "partial",
        "unsupported",
    ]
    assert "Hot" in (page.locator(".cases li").first.text_content() or "")


def test_at_most_fifty_cases_stand_in_the_page(browser: Any, path: Path) -> None:
    page = opened(browser).open(path)
    assert page.locator(".cases li").count() == 50
    page.locator("[data-page='1']").click()
    page.locator("[data-page='1']").click()
    assert page.locator(".cases li").count() == 20


def test_filters_count_what_they_show(browser: Any, path: Path) -> None:
    page = opened(browser).open(path)
    assert (
        page.locator("[data-counts]").inner_text().startswith("1,200 of 1,200 claims, in 120 of 120 cases.")
    )
    page.get_by_label("passes differ").check()
    assert page.locator("[data-counts]").inner_text().startswith("8 of 1,200 claims, in 1 of 120 cases.")


def test_saving_and_the_study_list(browser: Any, path: Path, tmp_path: Path) -> None:
    tab = opened(browser)
    page = tab.open(path)
    saved = {}
    for kind in ("svg", "data"):
        with page.expect_download() as download:
            page.locator(f"#chart-where-1 [data-save={kind}]").click()
        download.value.save_as(tmp_path / kind)
        saved[kind] = (tmp_path / kind).read_text(encoding="utf-8")
    assert saved["svg"].startswith("<svg")
    assert 'id="percuss-hatch-soft"' in saved["svg"]
    assert "var(--" not in saved["svg"]
    assert saved["data"].splitlines()[0] == "kind,arm,rate,n,undefined"
    assert len(saved["data"].splitlines()) == 21
    page.locator("mark.claim[data-id]").first.click()
    page.get_by_role("button", name="Send to study").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save list for a study (1)").click()
    download.value.save_as(tmp_path / "items")
    assert (tmp_path / "items").read_text().split() == ["7-full_multimodal-0"]
    assert tab.complaints == []


def test_print_shows_every_chart_and_no_buttons(browser: Any, path: Path) -> None:
    tab = opened(browser, color_scheme="dark")
    page = tab.open(path)
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert not page.locator(".rail").is_visible()
    assert not page.locator(".tools").first.is_visible()
    assert page.locator(".vega svg").count() == page.locator(".vega").count()
    screenshot(page, "report-print")


def test_hostile_text_stays_text_in_the_reader(browser: Any, tmp_path: Path) -> None:
    hostile = "</script><img src=x onerror='ran=1'> javascript:alert(1) 😀 stage I."
    case = reports.case(1, text=hostile, claims=1)
    out = tmp_path / "report.html"
    sections = [Section.of("read", "Read it yourself", Viewer(cases=(case,)))]
    render_html(hostile, {"protocol": hostile}, (), sections, out=out)
    tab = opened(browser)
    page = tab.open(out)
    page.locator("mark.claim[data-id]").first.click()
    assert page.locator("[data-card] h3").inner_text() == hostile
    assert page.evaluate("window.ran") is None
    assert tab.complaints == []


def test_a_click_brings_the_reason_into_view(browser: Any, path: Path) -> None:
    tab = opened(browser)
    page = tab.open(path)
    page.set_viewport_size({"width": 1280, "height": 300})
    claim = page.locator('[data-side="right"] mark.claim[data-id]').first
    claim.evaluate("mark => mark.scrollIntoView({ block: 'end' })")
    claim.dispatch_event("click")  # a real click would scroll by itself
    place = page.locator("[data-card] h3").bounding_box()
    assert place is not None
    assert 0 <= place["y"] <= 300 - place["height"], "what was found opened below the screen"
    assert tab.complaints == []


def test_the_reason_opens_in_the_claims_column_and_what_was_sent_is_one_click_away(
    browser: Any, path: Path
) -> None:
    tab = opened(browser)
    page = tab.open(path)
    page.evaluate("document.getElementById('reader').scrollIntoView()")
    claim = page.locator('[data-side="right"] mark.claim[data-id]').first
    claim.click()
    assert page.locator('[data-side="right"] [data-card]').is_visible()
    page.locator("[data-card] button", has_text="What was sent").click()
    until(page, "document.querySelectorAll('[data-sent-list] > li').length > 0")
    rows = page.locator("[data-sent-list] > li")
    assert "judge judge/j" in " ".join(rows.all_inner_texts())
    rows.filter(has_text="judge judge/j").first.locator("summary").click()
    until(page, "document.querySelectorAll('[data-sent-list] pre').length > 0")
    assert "<script>alert(1)</script>" in rows.filter(has_text="judge judge/j").first.inner_text()
    screenshot(page, "report-sent")
    page.locator("[data-sent-all]").click()
    page.locator("[data-sent-words]").fill("second question")
    until(page, "document.querySelectorAll('[data-sent-list] > li').length === 1")
    assert "1 of 3 calls; 7 more are not in this file" in page.locator("[data-sent-counts]").inner_text()
    page.locator("[data-sent-words]").fill("")
    until(page, "document.querySelectorAll('[data-sent-list] > li').length === 3")
    page.locator("[data-sent-list] > li", has_text="judge judge/j").locator("summary").click()
    until(page, "document.querySelectorAll('[data-sent-list] a').length > 0")
    page.locator("[data-sent-list] a", has_text="the claim").first.click()
    until(page, "location.hash.includes('claim=')")
    assert tab.complaints == []
