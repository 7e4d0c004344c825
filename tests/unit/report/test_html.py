import base64
import gzip
import hashlib
import io
import json
import re
import stat
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from percuss import report
from percuss.core.errors import RunError
from percuss.core.sections import (
    Chart,
    Column,
    Figure,
    Mark,
    Pane,
    Panel,
    PanelRow,
    Prose,
    Section,
    Table,
    Viewer,
    ViewerCase,
)
from percuss.report import render_html
from percuss.report.html.assets import VENDORED, vendored
from percuss.report.html.blocks import FLAGS
from tests import reports

HOSTILE = "</script><img src=x onerror=alert(1)>\x00\x1b[31m\u202e<b>&\"' javascript:alert(1) 😀 end"


class Page(HTMLParser):
    """What a test needs of a page: figures, links, scripts, tags, text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.figures: list[dict[str, str | None]] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.text = ""
        self._inside: str | None = None
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        self.tags.append((tag, known))
        self._inside = tag
        if tag == "script":
            self.scripts.append((known, ""))
        if "data-figure" in known:
            self.figures.append(known)

    def handle_endtag(self, tag: str) -> None:
        self._inside = None

    def handle_data(self, data: str) -> None:
        if self._inside == "script":
            self.scripts[-1] = (self.scripts[-1][0], self.scripts[-1][1] + data)
        elif self._inside != "style":
            self.text += data

    def block(self, attribute: str) -> Any:
        found = next(text for known, text in self.scripts if attribute in known)
        return json.loads(gzip.decompress(base64.b64decode(found)))


def built(
    at: Path, sections: Iterator[Section] | list[Section], *, no_text: bool = False, **manifest: Any
) -> str:
    out = at / "report.html"
    render_html(
        "A title", {**reports.MANIFEST, **manifest}, reports.estimates(), sections, no_text=no_text, out=out
    )
    return out.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def html(tmp_path_factory: pytest.TempPathFactory) -> str:
    return built(tmp_path_factory.mktemp("report"), reports.sections())


def test_every_figure_of_the_panel_reads_back(html: str) -> None:
    arms = {
        "with": ("unsupported_rate", "full_multimodal"),
        "without": ("unsupported_rate", "ungrounded"),
        "hdi": ("hdi_pooled", "full_multimodal"),
    }
    known = {(e.model, e.name, e.arm): e for e in reports.estimates() if e.labels == "agreement"}
    figures = [f for f in Page(html).figures if f["data-figure"] in arms]
    assert len(figures) == 9
    for figure in figures:
        estimate = known[(str(figure["data-row"]), *arms[str(figure["data-figure"])])]
        read = {key: figure.get(f"data-{key}") for key in ("value", "low", "high")}
        assert {k: None if v is None else float(v) for k, v in read.items()} == {
            "value": estimate.value,
            "low": estimate.low,
            "high": estimate.high,
        }
        assert figure.get("data-undefined") == estimate.undefined


def test_the_policy_forbids_every_request(html: str) -> None:
    page = Page(html)
    policy = next(
        str(a["content"])
        for tag, a in page.tags
        if tag == "meta" and a.get("http-equiv") == "Content-Security-Policy"
    )
    head, _, scripts = policy.partition("script-src ")
    assert head == "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    run = [text for known, text in page.scripts if not known]
    hashes = {f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in run}
    assert set(scripts.split()) == hashes


def test_nothing_points_outside(html: str) -> None:
    for tag, known in Page(html).tags:
        assert (
            tag not in {"link", "iframe", "object", "embed", "base", "form"}
            or known.get("method") == "dialog"
        )
        assert not [key for key in known if key.startswith("on")]
        assert str(known.get("src", "data:")).startswith("data:")
        assert str(known.get("href", "#")).startswith("#")


def test_the_headline_needs_no_script(html: str) -> None:
    plain = re.sub(r"<script.*?</script>", "", html, flags=re.DOTALL)
    page = Page(plain)
    for words in (
        "4.00%",
        "[12.1, 16.0]",
        "holds back without evidence",
        "conflict: 195",
        "10.0 points [7.9, 12.1]",
        "not separable",
    ):
        assert words in page.text
    drawn = [known for tag, known in page.tags if tag == "svg" and "interval" in str(known.get("class"))]
    assert len(drawn) == 9
    assert all(known["aria-label"] for known in drawn)


def test_chapters_keep_their_numbers(html: str) -> None:
    found = re.findall(r'<span class="number">(\d)</span> ([^<]+)</h2>', html)
    assert [(int(n), q) for n, q in found] == list(
        enumerate(
            [
                "What did we find?",
                "Which models differ?",
                "Does the evidence help?",
                "Where does it go wrong?",
                "What was left out, and does it matter?",
                "Read it yourself",
                "Can the judge be trusted?",
                "How was it done?",
            ],
            1,
        )
    )


def test_every_chart_has_its_data_words_and_buttons(html: str) -> None:
    for figure in re.findall(r'<figure class="chart".*?</figure>', html, flags=re.DOTALL):
        assert "<details><summary>Data" in figure
        assert 'data-save="svg"' in figure
        assert 'data-save="data"' in figure
        assert "<figcaption>" in figure
        spec = json.loads(re.search(r'class="spec">(.*?)</script>', figure, flags=re.DOTALL)[1])  # type: ignore[index]
        drawn = re.search(r'class="drawing">(.*?)</script>', figure, flags=re.DOTALL)
        assert spec["$schema"].endswith("/v6.json") if drawn is None else drawn[1].startswith("<svg")
        assert spec["data"]["values"]
        if "(simulated)" in figure:
            assert "imulated" in re.search("<figcaption>(.*?)</figcaption>", figure)[1]  # type: ignore[index]


def test_simulated_rows_are_hatched_and_named(html: str) -> None:
    assert html.count('<tr role="row" class="simulated">') == 1
    assert '<span class="tag">simulated</span>' in html
    assert 'class="interval simulated"' in html


def test_model_text_is_inert_everywhere(tmp_path: Path) -> None:
    mark = Mark(
        id=HOSTILE,
        start=0,
        stop=5,
        label="unsupported",
        kind=HOSTILE,
        said=({"rater": HOSTILE, "rationale": HOSTILE},),
        tags=(HOSTILE,),
    )
    pane = Pane(model=HOSTILE, arm=HOSTILE, text=HOSTILE, marks=(mark,))
    made = [
        Section.of("findings", HOSTILE, Panel(columns=(Column(key="k", title=HOSTILE),), rows=(PanelRow(label=HOSTILE, figures={"k": Figure(undefined=HOSTILE)}),), lines=(HOSTILE,)), answer=HOSTILE),
        Section.of("where", HOSTILE, Table(columns=(Column(key="k", title=HOSTILE),), rows=({"k": HOSTILE},), note=HOSTILE)),
        *(Section.of("where", HOSTILE, Chart(kind=kind, rows=({"x": HOSTILE, "y": 0.5, "value": 0.1, "from": HOSTILE, "to": "b", "n": 3},), x_title=HOSTILE)) for kind in ("strip", "heat", "matrix", "flow", "curve")),
        Section.of("how", HOSTILE, Prose(markdown=f"{HOSTILE}\n\n[x](javascript:alert(1)) ![y](https://example.org/p.png) <script>alert(1)</script>")),
        Section.of("read", HOSTILE, Viewer(cases=(ViewerCase(id=HOSTILE, question=HOSTILE, panes=(pane,)),), images={HOSTILE: "data:text/html,<script>"})),
    ]  # fmt: skip
    html = built(
        tmp_path, made, folder=HOSTILE, commands=[HOSTILE], prompts=[{"name": HOSTILE, "text": HOSTILE}]
    )
    page = Page(html)
    executable = [text for known, text in page.scripts if not known]
    assert not any("alert(1)" in text for text in executable)
    assert "img" not in {tag for tag, _ in page.tags}
    assert not [known for _, known in page.tags if "onerror" in known]
    assert not [known for tag, known in page.tags if tag == "a" and "javascript" in str(known.get("href"))]
    assert not {"\x00", "\x1b", "\u202e"} & set(html)
    assert not [known for known, _ in page.scripts if "data-image" in known]
    assert page.block("data-block")[0]["panes"][0]["text"].startswith("</script>")


def test_offsets_count_as_scripts_count(tmp_path: Path) -> None:
    text = "😀😀 the tumour is stage I."
    mark = Mark(id="c", start=3, stop=len(text), label="supported")
    viewer = Viewer(cases=(ViewerCase(id="1", panes=(Pane(model="m", arm="a", text=text, marks=(mark,)),)),))
    html = built(tmp_path, [Section.of("read", "Read it yourself", viewer)])
    pane = Page(html).block("data-block")[0]["panes"][0]
    start, stop = pane["marks"][0]["span"]
    assert pane["text"].encode("utf-16-le")[2 * start : 2 * stop].decode("utf-16-le") == text[3:]


def test_the_index_says_who_disagrees(tmp_path: Path) -> None:
    said = (
        {"rater": "rule:strict", "label": "supported"},
        {"rater": "judge:j#1", "label": "partial"},
        {"rater": "judge:j#2", "label": "unknown"},
        {"rater": "human:r1", "label": "unsupported"},
    )
    marks = (
        Mark(id="all", start=0, stop=1, label="unsupported", said=said),
        Mark(id="none", start=1, stop=2, label="partial", said=said[1:2]),
    )
    viewer = Viewer(cases=(ViewerCase(id="1", panes=(Pane(model="m", arm="a", text="ab", marks=marks),)),))
    index = Page(built(tmp_path, [Section.of("read", "Read it yourself", viewer)])).block("data-index")
    assert [combo[4] for combo in index["combos"]] == [2 ** len(FLAGS) - 1, 0]


def test_answers_to_two_questions_are_no_dispute(tmp_path: Path) -> None:
    raters = ("rule:citations", "judge:j#1", "judge:j#2")
    said = [{"rater": who, "label": "yes", "aspect": "reference"} for who in raters]
    said += [{"rater": who, "label": "unsupported", "aspect": "support"} for who in raters]
    differing = [*said[:-1], {"rater": "judge:j#2", "label": "supported", "aspect": "support"}]
    marks = (
        Mark(id="agreed", start=0, stop=1, label="unsupported", said=tuple(said)),
        Mark(id="differ", start=1, stop=2, label="unsupported", said=tuple(differing)),
    )
    viewer = Viewer(cases=(ViewerCase(id="1", panes=(Pane(model="m", arm="a", text="ab", marks=marks),)),))
    index = Page(built(tmp_path, [Section.of("read", "Read it yourself", viewer)])).block("data-index")
    assert [combo[4] for combo in index["combos"]] == [0, 3]


def test_long_viewers_are_split(tmp_path: Path) -> None:
    viewer = Viewer(cases=tuple(ViewerCase(id=str(i)) for i in range(2_100)))
    page = Page(built(tmp_path, [Section.of("read", "Read it yourself", viewer)]))
    blocks = [
        json.loads(gzip.decompress(base64.b64decode(text)))
        for known, text in page.scripts
        if "data-block" in known
    ]
    assert [len(block) for block in blocks] == [1_000, 1_000, 100]
    assert [row[3:5] for row in page.block("data-index")["cases"][999:1001]] == [[0, 999], [1, 0]]


def test_a_judge_without_a_card_gets_a_box(tmp_path: Path) -> None:
    html = built(tmp_path, [], judge={"id": "openai/x"})
    assert "This judge has not been compared with people." in html
    assert "This judge has not been compared with people." not in built(tmp_path, [])
    labelled = built(tmp_path, [], judge={"id": "openai/x", "people": True})
    assert "This judge has no card yet." in labelled
    assert "has not been compared with people" not in labelled


def test_no_chart_brings_no_vega(tmp_path: Path) -> None:
    html = built(tmp_path, [Section.of("findings", "What did we find?", reports.panel())])
    assert "vegaEmbed" not in html
    assert len(html) < 80_000


def test_the_same_run_makes_the_same_file(tmp_path: Path) -> None:
    assert built(tmp_path, reports.sections()) == built(tmp_path, reports.sections())


def test_a_report_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    def failing() -> Iterator[Section]:
        yield Section.of("findings", "What did we find?", reports.panel())
        raise ValueError("half way")

    out = tmp_path / "report.html"
    with pytest.raises(ValueError, match="half way"):
        render_html("t", {}, (), failing(), out=out)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(RunError, match=r"cannot write .*report\.html: No such file"):
        render_html("t", {}, (), [], out=tmp_path / "missing" / "report.html")


def test_a_report_of_patients_is_for_its_owner(tmp_path: Path) -> None:
    built(tmp_path, [])
    assert stat.S_IMODE((tmp_path / "report.html").stat().st_mode) == 0o600


@pytest.mark.parametrize("name", VENDORED)
def test_vendored_scripts_are_the_reviewed_ones(name: str) -> None:
    script = vendored(name)
    assert "sourceMappingURL" not in script
    assert "</script" not in script.lower()


def test_large_images_are_scaled_down_once(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image", reason="scaling needs Pillow (extra `vision`)")
    buffer = io.BytesIO()
    image.effect_noise((1600, 1200), 60).save(buffer, "PNG")
    url = "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()
    broken = "data:image/png;base64," + "A" * 300_000
    panes = (
        Pane(
            model="m",
            arm="a",
            image="big",
            status="failed",
            reason="refused",
            margin=({"turn": 2, "note": "late"},),
        ),
    )
    viewer = Viewer(cases=(ViewerCase(id="1", panes=panes),), images={"big": url, "broken": broken})
    page = Page(built(tmp_path, [Section.of("read", "Read it yourself", viewer)] * 2))
    images = {str(known["data-image"]): text for known, text in page.scripts if "data-image" in known}
    assert [known["data-image"] for known, _ in page.scripts if "data-image" in known] == ["big", "broken"]
    scaled = image.open(io.BytesIO(base64.b64decode(images["big"].partition(",")[2])))
    assert max(scaled.size) == 768
    assert len(images["big"]) < len(url)
    assert images["broken"] == broken
    packed = page.block("data-block")[0]["panes"][0]
    assert (packed["status"], packed["reason"], packed["margin"]) == (
        "failed",
        "refused",
        [{"turn": 2, "note": "late"}],
    )


def test_the_judge_box_says_it_once(tmp_path: Path) -> None:
    said = "This judge has not been compared with people."
    made = [
        Section.of("judge", "Was it?", Prose(markdown=f"> **{said}**"), answer=said),
        Section.of("judge", "More", Prose(markdown="It reads twice.")),
    ]
    page = Page(built(tmp_path, made, judge={"id": "openai/x"}))
    assert page.text.count(said) == 1
    assert "It reads twice." in page.text


def test_every_vendored_file_has_its_hash() -> None:
    sums = (Path(report.__file__).parent / "_vendor" / "SHA256SUMS").read_text().split()
    assert [name for name in sums if name.endswith(".js")] == sorted(VENDORED)
    for name in VENDORED:
        path = Path(report.__file__).parent / "_vendor" / name
        assert hashlib.sha256(path.read_bytes()).hexdigest() in sums
