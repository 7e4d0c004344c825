"""Numbers in clinical text, typed before anything is done with them: what is a quantity, and what only looks like one."""

from percuss.text.numbers.comparing import Agreement, compare_quantities, in_unit
from percuss.text.numbers.measures import Measure, measure
from percuss.text.numbers.reading import numbers
from percuss.text.numbers.record import Kind, Number

__all__ = ["Agreement", "Kind", "Measure", "Number", "compare_quantities", "in_unit", "measure", "numbers"]
