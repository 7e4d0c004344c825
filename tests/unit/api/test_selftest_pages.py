"""The picture of a self-test: of the index where one was planted, under the name of what it shows."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from percuss.api.run.selftest_pages import write_pages
from percuss.api.run.selftesting import Selftest
from percuss.selftest.planted import PlantedRow

ROOT = Path(__file__).resolve().parents[3]


def row(estimate: str, planted: float, *, arm: str = "full", width: float | None = 0.1) -> PlantedRow:
    ends = (None, None) if width is None else (planted - width, planted + width)
    return PlantedRow(
        model=f"phantom/one?with={planted:g}&without=0.3",
        estimate=estimate,
        arm=arm,
        planted=planted,
        measured=planted + 0.02,
        low=ends[0],
        high=ends[1],
        n=10,
        holds=None if width is None else width > 0.05,
    )


def picture(tmp_path: Path, *rows: PlantedRow) -> tuple[list[str], str]:
    found = Selftest(
        protocol="x", version="1-1", seed=1, counts=None, rows=rows, misses=0, intervals=0, allowed=0
    )
    page, figure = write_pages(found, tmp_path)
    texts = [node.text or "" for node in ET.parse(figure).iter() if node.tag.endswith("text")]
    return texts, page.read_text(encoding="utf-8")


def test_the_picture_is_of_the_index_where_one_was_planted(tmp_path: Path) -> None:
    rates = [row("unsupported_rate", 0.1), row("unsupported_rate", 0.7, arm="bare")]
    texts, page = picture(
        tmp_path, *rates, row("hdi_pooled", -0.95), row("hdi_pooled", 0.5, width=None), row("hdi_pooled", 0.4, width=0.01)
    )  # fmt: skip
    assert sum("phantom/" in text for text in texts) == 3
    assert texts[0] == "Planted and measured HDI of simulated models"
    assert "-1" in texts
    assert "to -1.05" in texts
    assert [text for text in texts if "(missed)" in text] == ["phantom/one?with=0.4&without=0.3 (missed)"]
    assert "![Planted HDI (line)" in page


def test_a_picture_of_rates_is_not_called_an_index(tmp_path: Path) -> None:
    texts, page = picture(tmp_path, row("unsupported_rate", 0.2), row("unsupported_rate", 0.7, arm="bare"))
    assert texts[0] == "Planted and measured unsupported rate of simulated models"
    assert "-1" not in texts
    assert {text.partition(" · ")[2] for text in texts if "phantom/" in text} == {"full", "bare"}
    assert "HDI" not in page


@pytest.mark.parametrize("protocol", ["grounding", "textbook"])
def test_shipped_pictures_show_the_index_of_their_page(protocol: str) -> None:
    page = (ROOT / "docs" / f"selftest-{protocol}.md").read_text(encoding="utf-8")
    figure = (ROOT / "docs" / f"selftest-{protocol}.svg").read_text(encoding="utf-8")
    assert figure.count("<circle") == len(re.findall(r"\| hdi_pooled \|", page))
    assert "Planted against measured HDI" in figure
