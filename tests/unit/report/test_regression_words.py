"""What a comparison with a baseline prints for a job, and rows in a notebook."""

import re

import pytest

from percuss.measure.compared import compared
from percuss.report.fragment import rows_fragment
from percuss.report.regression import MOST, regression_markdown
from tests.unit.measure.test_measured import PLAN, WRONG, cells


@pytest.mark.parametrize("cases", [4, 44])
def test_cases_that_turned_stand_in_a_table_as_far_as_it_has_room(cases: int) -> None:
    found = compared(cells(cases), WRONG, labels="rule:r", arm="with", plan=PLAN, baseline="b/two")
    text = regression_markdown("one against two", found, ())
    assert text.count("| case | model | baseline | now | |") == 1
    shown = min(MOST, len(found.turned))
    assert len(re.findall(r"^\| c\d", text, re.MULTILINE)) == shown
    more = f"The first {MOST} of {len(found.turned)} are shown."
    assert (more in text) is (len(found.turned) > MOST)


def test_a_table_of_one_row_is_a_table() -> None:
    text = rows_fragment([{"model": "m", "value": 0.5, "why": None}], "rows")
    assert "1 rows" in text
    assert text.count("<th>") == 2, "a column without a value is left out"
    assert rows_fragment([], "rows") == "<p>0 rows</p>"
