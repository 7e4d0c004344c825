"""Simulated students with planted mistakes, and a marker that errs at planted rates."""

from percuss.phantoms.plan import Entry
from percuss.protocols.textbook.phantom.marker import Marker
from percuss.protocols.textbook.phantom.student import KEYS, Student, Tendencies

__all__ = ["PHANTOMS", "Marker", "Student", "Tendencies"]

PHANTOMS: dict[str, Entry] = {
    "student": Entry(
        KEYS, lambda given, seed, extra: Student(Tendencies.of(given), seed, extra.get("textbook_items", {}))
    ),
    "marker": Entry(
        ("sensitivity", "specificity"),
        lambda given, seed, _extra: Marker(
            given.get("sensitivity", 1.0), given.get("specificity", 1.0), seed
        ),
    ),
}
"""`phantom/student` knows every item and errs as planted; `phantom/marker` judges its open answers."""
