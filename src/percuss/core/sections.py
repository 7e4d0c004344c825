"""Five kinds of section: how a protocol says what belongs in a report, without a word of HTML, CSS or number format.

Protocols fill these records with raw numbers; `report` alone decides how they look. A new kind is one record here, one
template there, one test.
"""

from typing import Any, Literal

import msgspec

from percuss.core.records import Estimate, Record

__all__ = [
    "PLACES",
    "Chart",
    "Column",
    "Field",
    "Figure",
    "Mark",
    "Pane",
    "Panel",
    "PanelRow",
    "Prose",
    "Section",
    "Table",
    "Viewer",
    "ViewerCase",
]

Place = Literal[
    "findings", "differences", "evidence", "where", "left_out", "read", "judge", "instrument", "how"
]
PLACES: dict[str, str] = {
    "findings": "What did we find?",
    "differences": "Which models differ?",
    "evidence": "Does the evidence help?",
    "where": "Where does it go wrong?",
    "left_out": "What was left out, and does it matter?",
    "read": "Read it yourself",
    "judge": "Can the judge be trusted?",
    "instrument": "Is the instrument in order?",
    "how": "How was it done?",
}


class Figure(Record):
    """A number as it is: `value` is None exactly when `undefined` says why. `unit` as in `Estimate`."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    unit: str = "share"
    n: int | None = None
    undefined: str | None = None
    simulated: bool = False


class Column(Record):
    """A column of a table: `key` finds the cell in a row; numbers align right."""

    key: str
    title: str
    unit: str = ""
    align: Literal["left", "right"] = "left"


class Table(Record):
    """Rows by column key; a cell is text, a number, None or a `Figure` as a dict with the key `value`."""

    columns: tuple[Column, ...]
    rows: tuple[dict[str, Any], ...]
    note: str = ""


class PanelRow(Record):
    """One model in the panel: figures and words by column key."""

    label: str
    simulated: bool = False
    figures: dict[str, Figure] = {}
    words: dict[str, str] = {}


class Panel(Record):
    """The first thing a person sees. `lines` follow the rows: exclusions, comparison, what intervals cover.

    `first` is what must be read before any figure: the first sentence of the chapter's answer, and of a screen without one.
    """

    columns: tuple[Column, ...]
    rows: tuple[PanelRow, ...]
    lines: tuple[str, ...] = ()
    first: str = ""


class Chart(Record):
    """A picture of rows. `x`, `y`, `low`, `high`, `group`, `facet` name keys of the rows; `simulated` rows are hatched.

    `lifelines`: rows carry lane, start, stop, state. `flow`: rows carry from, to, n, reason.
    `matrix` and `heat`: x, y and value, n in the cell. `options` are data-level settings (zero line, domain, order).
    """

    kind: Literal[
        "bars", "strip", "slope", "curve", "heat", "dots", "matrix", "forest", "dumbbell", "lifelines", "flow"
    ]
    rows: tuple[dict[str, Any], ...]
    x: str = "x"
    y: str = "y"
    low: str | None = None
    high: str | None = None
    group: str | None = None
    facet: str | None = None
    value: str | None = None
    x_title: str = ""
    y_title: str = ""
    unit: str = "share"
    options: dict[str, Any] = {}
    alt: str = ""


class Field(Record):
    """One field of an evidence packet, as the reader shows it; `path` is what marks refer to."""

    path: str
    label: str
    value: str
    shown: bool = True


class Mark(Record):
    """A stretch of a pane's text with its verdict: label, who said what, and what it hangs on.

    `label` is a support label or `not_scored`; `twin` joins marks across panes by number;
    `said` holds rows of rater, label or reason, rationale (and aspect, where raters spoke of several); `evidence` holds paths or quotes with offsets.
    """

    id: str
    start: int
    stop: int
    label: str
    kind: str = "other"
    said: tuple[dict[str, Any], ...] = ()
    evidence: tuple[dict[str, Any], ...] = ()
    twin: int | None = None
    tags: tuple[str, ...] = ()


class Pane(Record):
    """One column of the reader: a response (or an image) of one model in one arm. `margin` holds notes beside turns."""

    model: str
    arm: str
    title: str = ""
    text: str = ""
    image: str | None = None
    marks: tuple[Mark, ...] = ()
    margin: tuple[dict[str, Any], ...] = ()
    status: str = "done"
    reason: str | None = None


class ViewerCase(Record):
    """One case of the reader: its evidence and every pane. `interest` orders the cases, highest first."""

    id: str
    stratum: str = ""
    question: str = ""
    packet: tuple[Field, ...] = ()
    passage: str = ""
    panes: tuple[Pane, ...] = ()
    interest: float = 0.0


class Viewer(Record):
    """At most 1,000 cases to read side by side; a longer run yields several viewers. `images`: digest -> data URL."""

    cases: tuple[ViewerCase, ...]
    images: dict[str, str] = {}


class Prose(Record):
    """Markdown."""

    markdown: str


_BODIES = {"panel": Panel, "table": Table, "chart": Chart, "viewer": Viewer, "prose": Prose}
Body = Panel | Table | Chart | Viewer | Prose


class Section(Record):
    """A part of a report. `title` is a question, `answer` the answer in words; `place` is where it stands.

    `chapter` is the place's question in this protocol's words; "" leaves the general one of `PLACES`. `estimates` are
    numbers that only this section's reading of the answers could give (how far raters agree): the engine takes them out
    and puts them among the estimates, so that no number stands in a section alone.
    """

    kind: Literal["panel", "table", "chart", "viewer", "prose"]
    place: Place
    title: str
    body: dict[str, Any]
    answer: str = ""
    chapter: str = ""
    estimates: tuple[Estimate, ...] = ()

    @classmethod
    def of(cls, place: Place, title: str, body: Body, answer: str = "", *, chapter: str = "") -> "Section":
        """Make a section of a body record."""
        kind: Any = next(name for name, record in _BODIES.items() if isinstance(body, record))
        return cls(
            kind=kind,
            place=place,
            title=title,
            answer=answer,
            body=msgspec.to_builtins(body),
            chapter=chapter,
        )

    @property
    def record(self) -> Body:
        """The body as its record."""
        body: Body = msgspec.convert(self.body, _BODIES[self.kind])
        return body
