import csv
import io
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from markdown_it import MarkdownIt

from percuss.core.errors import RunError, UsageError
from percuss.core.records import Estimate
from percuss.core.sections import Chart, Column, Panel, PanelRow, Prose, Section, Table
from percuss.report import (
    render_csv,
    render_html,
    render_junit,
    render_latex,
    render_markdown,
    render_picture,
    write_figures,
)
from percuss.report.aggregates import few
from percuss.report.checklist import TODO, checklist
from percuss.report.figures import WIDTHS_MM
from percuss.report.latex import escape
from percuss.report.methods import facts, methods, records
from percuss.report.picture import _broken
from tests import reports
from tests.unit.report.test_charts import CHARTS

MANY = 40
HOSTILE = r"a|b <script>alert(1)</script> \input{x} $x$ _y_ `z` ~#&%^{}" + "\n\x1b[31m"


def markdown(**keys: Any) -> str:
    return render_markdown("A title", reports.MANIFEST, reports.estimates(), reports.sections(), **keys)


def test_markdown_has_every_chapter_and_figure() -> None:
    text = markdown()
    for number, words in enumerate(
        ("What did we find?", "Which models differ?", "Does the evidence help?"), 1
    ):
        assert f"## {number}. {words}" in text
    assert "4.00% \\[3.10, 5.20\\]" in text
    assert "undefined (no unsupported claim without evidence)" in text
    assert "\\~ phantom/calibrated (simulated)" in text
    assert "The cases are in the HTML report." in text


def test_markdown_tables_are_tables() -> None:
    rendered = MarkdownIt("commonmark").enable("table").render(markdown())
    assert rendered.count("<table>") == markdown().count("\n| ---") + markdown().count("\n| ---:")


def test_markdown_shows_hostile_text_as_text() -> None:
    table = Table(columns=(Column(key="k", title=HOSTILE),), rows=({"k": HOSTILE},))
    text = render_markdown(HOSTILE, {"commands": [HOSTILE]}, (), [Section.of("where", "t", table)])
    rendered = MarkdownIt("commonmark").enable("table").render(text)
    assert "<script" not in rendered
    assert "\x1b" not in rendered
    # one cell of the table, four of each of the 36 rows of the checklist: no pipe made another
    assert rendered.count("<td") == 1 + 4 * 36
    assert rendered.count("<code>") == 1


def test_latex_tables_are_booktabs() -> None:
    text = render_latex("t", reports.MANIFEST, reports.estimates(), reports.sections())
    assert text.count(r"\begin{table}") == text.count(r"\end{table}") == 4
    assert text.count(r"\toprule") == text.count(r"\bottomrule") == 4
    assert r"4.00\% [3.10, 5.20]" in text
    assert r"\textasciitilde{} phantom/calibrated (simulated)" in text


def test_latex_escapes_what_it_would_run() -> None:
    text = escape(HOSTILE)
    assert r"\input" not in text
    assert r"\textbackslash{}input\{x\}" in text
    assert "\x1b" not in text
    assert "\n" not in text


def test_latex_compiles(tmp_path: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex isn't installed")
    body = render_latex(HOSTILE, reports.MANIFEST, reports.estimates(), reports.sections())
    head = r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{booktabs,tabularx,textcomp}\begin{document}"
    (tmp_path / "t.tex").write_text(head + body + r"\end{document}", encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"],
        cwd=tmp_path,
        check=False,
        capture_output=True,
    )
    assert done.returncode == 0


def test_csv_has_every_estimate_and_no_formula() -> None:
    evil = Estimate(name="x", model="=cmd|' /C calc'!A0", arm="@a", labels="l", undefined="-reason")
    rows = list(csv.DictReader(io.StringIO(render_csv([*reports.estimates(), evil]))))
    assert len(rows) == len(reports.estimates()) + 1
    assert float(rows[0]["value"]) == reports.estimates()[0].value
    assert rows[-1]["value"] == ""
    assert (rows[-1]["model"][0], rows[-1]["arm"][0], rows[-1]["undefined"][0]) == ("'", "'", "'")
    assert rows[2]["primary"] == "true"


def test_csv_keeps_negative_numbers_numbers() -> None:
    rows = list(csv.DictReader(io.StringIO(render_csv(reports.estimates()))))
    assert float(rows[2]["low"]) == -0.02


def test_junit_counts_gates_and_undefined_estimates() -> None:
    gates = [
        {"text": "a<b", "state": "pass"},
        {"text": "c", "state": "fail", "message": "0.2 \x1b> 0.1"},
        {"text": "d", "state": "inconclusive"},
    ]
    root = ET.fromstring(render_junit("t\x00", reports.MANIFEST, reports.estimates(), gates))
    suite = root.find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors"), suite.get("skipped")) == (
        "14",
        "1",
        "1",
        "1",
    )
    assert [case.get("name") for case in suite if case.find("failure") is not None] == ["c"]
    skipped = [case.find("skipped") for case in suite if case.find("skipped") is not None]
    assert skipped[0] is not None
    assert "undefined (no unsupported claim" in str(skipped[0].get("message"))


def test_figures_are_files_with_their_hatching(tmp_path: Path) -> None:
    pytest.importorskip("vl_convert", reason="figures need the extra `plots`")
    sections = [Section.of("findings", "Rates / models", reports.strip())]
    written = write_figures(sections, tmp_path / "new")
    assert [path.name for path in written] == [
        f"findings-1-rates-models-{mm}mm.{form}" for mm in WIDTHS_MM for form in ("svg", "pdf", "png")
    ]
    svg = written[0].read_text(encoding="utf-8")
    assert 'id="percuss-hatch"' in svg
    assert "url(#percuss-hatch)" in svg
    ET.fromstring(svg)


@pytest.mark.parametrize("kind", sorted(CHARTS))
def test_figures_are_as_wide_as_a_journal_s_columns_and_cut_no_label(kind: str, tmp_path: Path) -> None:
    """84 mm at 300 dots per inch are 992 dots, 174 mm 2,055; a point is 1/72 of an inch."""
    pytest.importorskip("vl_convert", reason="figures need the extra `plots`")
    chart = CHARTS[kind]
    written = write_figures([Section.of("findings", kind, chart)], tmp_path)
    for mm, dots in ((84, 992), (174, 2055)):
        svg, pdf, png = (path for path in written if f"-{mm}mm." in path.name)
        text = svg.read_text(encoding="utf-8")
        assert ET.fromstring(text).get("width") == f"{mm}mm"
        assert "…" not in text
        assert int.from_bytes(png.read_bytes()[16:20]) == dots
        box = re.search(rb"MediaBox *\[0 0 ([\d.]+)", pdf.read_bytes())
        assert box is not None
        assert float(box[1]) == pytest.approx(mm / 25.4 * 72, abs=0.02)
        drawn = " ".join(
            "".join(part.itertext()) for part in ET.fromstring(text).iter() if part.tag.endswith("text")
        )
        names = {row.get(key) for row in chart.rows for key in (chart.y, chart.group) if key}
        for name in names if len(names) < MANY else ():  # patients by the hundred have no names beside them
            assert not isinstance(name, str) or name.split()[-1] in drawn, (mm, name)


def test_figures_refuse_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="got the figure format 'gif', expected svg, pdf or png"):
        write_figures([], tmp_path, formats=["gif"])
    pytest.importorskip("vl_convert", reason="figures need the extra `plots`")
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match="cannot write figures"):
        write_figures([Section.of("findings", "t", reports.strip())], tmp_path / "file")


def test_no_text_leaves_no_quotation_and_no_small_cell(tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    render_html("t", reports.MANIFEST, reports.estimates(), reports.sections(), no_text=True, out=out)
    html = out.read_text(encoding="utf-8")
    plain = [
        html,
        markdown(no_text=True),
        render_latex("t", reports.MANIFEST, reports.estimates(), reports.sections(), no_text=True),
    ]
    for text in plain:
        assert "aggregates only" in text
        for quotation in ("Stage IIIA", "62-year-old", "the patient is stage IIIA", "Lobectomy"):
            assert quotation not in text
        assert "TCGA-0007" not in text
        assert "P-001" not in text
    assert "data-block" not in html.replace("script[data-block", "")
    assert 'id="read"' not in html
    assert "hidden: n under 11" in html


def test_no_text_hides_estimates_of_few_cases() -> None:
    rows = list(csv.DictReader(io.StringIO(render_csv(reports.estimates(), no_text=True))))
    small = [row for row in rows if row["stratum"] == "Hot"]
    assert [row["value"] for row in small] == [""]
    assert small[0]["undefined"] == "hidden: n under 11"
    assert rows[0]["value"] != ""


def test_no_text_keeps_no_row_of_one_patient() -> None:
    text = markdown(no_text=True)
    assert "119 rows hidden" in text


def test_the_methods_paragraph_says_what_the_manifest_says() -> None:
    text = methods(reports.MANIFEST, reports.estimates())
    for words in (
        "grounding, version 1-0",
        "119 patients from tcga_luad",
        "openai/model-a, openai/model-b",
        "temperature 0.2",
        "cluster bootstrap",
        "Holm within: models",
        "seed 42",
    ):
        assert words in text
    assert "TODO" not in text
    assert "phantom" not in text


def test_what_the_manifest_leaves_out_is_to_do() -> None:
    text = methods({}, ())
    assert "TODO" in text
    assert "None" not in text


def test_the_checklist_is_filled_or_to_do() -> None:
    filled = [row.cells for row in checklist(reports.MANIFEST, reports.estimates()).rows]
    empty = [row.cells for row in checklist({}, ()).rows]
    assert {cells[0] for cells in filled} == {"TRIPOD-LLM", "CHART"}
    assert len({cells[:2] for cells in filled}) == len(filled) == 36
    assert all(cells[3] == TODO for cells in empty)
    said = {cells[:2]: cells[3] for cells in filled}
    assert said["CHART", "8"].startswith("119 patients")
    assert said["CHART", "12b"] == TODO


def test_section_eight_leaves_out_what_is_not_known() -> None:
    assert facts({"seed": 0, "policy": {"temperature": 0.0, "top_p": None}}) == [
        ("seed", "0"),
        ("temperature", "0.0"),
    ]
    assert [record.title for record in records({"hosts": []}, ())] == ["Where data went"]


def test_json_of_estimates_stays_readable() -> None:
    grid = records(reports.MANIFEST, reports.estimates())[-1].grid
    assert grid.rows[0].cells[0] == "hdi_pooled (primary)"
    assert json.dumps([list(map(str, row.cells)) for row in grid.rows])


@pytest.mark.parametrize("dark", [False, True])
def test_the_picture_holds_the_panel(*, dark: bool) -> None:
    svg = render_picture(reports.MANIFEST, reports.sections(), dark=dark)
    root = ET.fromstring(svg)
    words = " ".join(str(part.text) for part in root.iter("{http://www.w3.org/2000/svg}text")).replace(
        "\N{NO-BREAK SPACE}", " "
    )
    for figure in ("4.00% [3.10, 5.20]", "0.847 [0.827, 0.862]", "14.0% [12.1, 16.0]", "(simulated)"):
        assert figure in words
    assert "fewer unsupported claims" in root.attrib["aria-label"]
    assert "url(#h)" in svg
    assert not {"image", "script", "style"} & {part.tag.rpartition("}")[2] for part in root.iter()}


def test_the_picture_of_hostile_text_is_well_formed() -> None:
    panel = Panel(columns=(), rows=(PanelRow(label=HOSTILE),), lines=(HOSTILE,))
    ET.fromstring(render_picture({"protocol": HOSTILE}, [Section.of("findings", "t", panel, answer=HOSTILE)]))


def test_a_picture_piles_its_bars_up_to_a_whole_beside_whole_labels() -> None:
    rows = tuple(
        {"value": share, "who": f"m, {arm}", "became": name}
        for arm in ("with evidence", "without evidence")
        for name, share in (("supported", 0.25), ("undecided", 0.75))
    )
    pile = Chart(
        kind="bars", rows=rows, x="value", y="who", group="became", unit="share", options={"stack": True}
    )
    drawn = render_picture(reports.MANIFEST, [Section.of("findings", "What became of it?", pile)])
    boxes = re.findall(r'<rect x="([\d.]+)" y="[\d.]+" width="([\d.]+)" height="19.5"', drawn)
    ends = [(float(x), float(x) + float(wide)) for x, wide in boxes]
    assert len(ends) == 4
    assert ends[0][1] == pytest.approx(ends[1][0])
    assert (ends[1][1] - ends[1][0]) == pytest.approx(3 * (ends[0][1] - ends[0][0]), rel=1e-3)
    for words in ("m, with evidence", "m, without evidence", "S  supported", "U  undecided", "100%"):
        assert f">{words}<" in drawn


def test_a_word_too_long_for_its_column_stays_whole_in_a_picture() -> None:
    assert _broken(["m", "x" * 40, "two words"], [100.0, 40.0, 40.0], 10.0) == [
        ["m"],
        ["x" * 40],
        ["two", "words"],
    ]
    assert _broken(["m", "1.0% [0.5, 2.0]"], [100.0, 40.0], 10.0)[1] == [
        "1.0%",
        "[0.5,\N{NO-BREAK SPACE}2.0]",
    ]


def test_a_picture_draws_the_strip_or_the_pile_that_leads_and_nothing_else() -> None:
    """Bars beside each other, and a heat map with a setting called stack, have no room in it."""
    rows = ({"value": 0.2, "who": "m", "became": "read"}, {"value": 0.8, "who": "m", "became": "lost"})

    def drawn(kind: str, **options: bool) -> str:
        chart = Chart(kind=kind, rows=rows, x="value", y="who", group="became", options=options)  # type: ignore[arg-type]
        return render_picture(reports.MANIFEST, [Section.of("findings", "What became of it?", chart)])

    bare = render_picture(
        reports.MANIFEST, [Section.of("findings", "What became of it?", Prose(markdown="x"))]
    )
    assert drawn("bars") == drawn("heat", stack=True) == bare
    assert drawn("bars", stack=True) != bare
    assert drawn("strip") != bare


def test_aggregates_hide_one_to_ten_and_show_none_and_eleven() -> None:
    assert [few(n) for n in (0, 1, 10, 11, None)] == [False, True, True, False, False]
