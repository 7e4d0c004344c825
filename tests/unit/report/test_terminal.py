import io
from collections.abc import Sequence

import pytest

from percuss.core.records import Estimate
from percuss.core.sections import Column, Figure, Panel, PanelRow, Section
from percuss.measure.numbers import figure_of, show
from percuss.report import render_terminal
from tests import reports


def printed(
    sections: Sequence[Section], *, full: bool = False, width: int | None = None, no_text: bool = False
) -> str:
    stream = io.StringIO()
    render_terminal(
        "A title", reports.MANIFEST, (), sections, file=stream, full=full, width=width, no_text=no_text
    )
    return stream.getvalue()


def findings(panel: Panel) -> list[Section]:
    return [Section.of("findings", "What did we find?", panel)]


def test_the_panel_in_the_words_of_the_specification() -> None:
    lines = printed(findings(reports.panel())).splitlines()
    assert (
        lines[0]
        == "grounding · 119 patients · seed 42 · rules strict + judge gpt-4.1-mini (carded: kappa 0.680 [0.610, 0.750])"
    )
    assert (
        lines[1]
        == "data goes to: api.openai.com (model, judge)    primary: HDI, pooled over claims, judge labels (passes agree)"
    )
    assert lines[2].split() == ["unsupported", "unsupported"]
    assert lines[3].split("  ")[0] == "model"
    assert "with evidence" in lines[3]
    assert lines[4].startswith("model-a ")
    assert "4.00% [3.10, 5.20]" in lines[4]
    assert lines[4].endswith("holds back without evidence (abstains 71%)")
    assert lines[6].startswith("~ phantom/calibrated (simulated)")
    assert "undefined (no unsupported claim without evidence)" in lines[6]
    assert lines[7].startswith("scored 5,812 of 6,340 claims; left out 528")


def test_columns_line_up() -> None:
    lines = printed(findings(reports.panel())).splitlines()
    at = lines[3].index("with evidence")
    assert lines[4].index("4.00%") == lines[5].index("14.0%") == at


def test_every_figure_is_shown() -> None:
    text = printed(findings(reports.panel()))
    for estimate in reports.estimates():
        if estimate.labels == "agreement" and estimate.name in {"hdi_pooled", "unsupported_rate"}:
            assert show(figure_of(estimate)) in text


def test_words_of_a_reference_row_run_across() -> None:
    row = PanelRow(
        label="phantom/x", simulated=True, words={"note": "planted HDI 0.10, measured 0.08 [-0.24, 0.33]"}
    )
    panel = Panel(
        columns=(Column(key="with", title="with"),),
        rows=(PanelRow(label="m", figures={"with": Figure(value=0.5)}), row),
    )
    assert (
        printed(findings(panel)).splitlines()[-1]
        == "~ phantom/x  simulated, planted HDI 0.10, measured 0.08 [-0.24, 0.33]"
    )


@pytest.mark.parametrize("width", [40, 60, 80])
def test_a_narrow_terminal_gets_one_block_a_model(width: int) -> None:
    lines = printed(findings(reports.panel()), width=width).splitlines()
    assert max(map(len, lines)) <= width
    assert any(line.startswith("  unsupported with evidence: 4.00%") for line in lines)


def test_what_is_no_terminal_is_neither_coloured_nor_wrapped() -> None:
    text = printed(findings(reports.panel()))
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) > 120


def test_full_prints_every_chapter_that_can_be_text() -> None:
    text = printed(list(reports.sections()), full=True)
    for words in (
        "1. What did we find?",
        "5. What was left out, and does it matter?",
        "From claim to score",
        "conflict",
    ):
        assert words in text


def test_control_characters_of_a_model_reach_no_terminal() -> None:
    panel = Panel(
        columns=(), rows=(PanelRow(label="m\x1b]0;owned\x07\x1b[2J"),), lines=("x\x1b[31m \u202eevil",)
    )
    text = printed(findings(panel))
    assert not {"\x1b", "\x07", "\u202e"} & set(text)


def test_no_text_says_aggregates_only() -> None:
    assert "aggregates only" in printed(findings(reports.panel()), no_text=True).splitlines()


def test_the_machine_alone_is_said() -> None:
    stream = io.StringIO()
    estimates: list[Estimate] = []
    render_terminal(
        "t", {"protocol": "grounding", "hosts": []}, estimates, findings(reports.panel()), file=stream
    )
    assert "data goes to: nowhere; everything ran on this machine" in stream.getvalue()
