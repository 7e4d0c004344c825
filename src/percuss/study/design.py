"""A design is data: the fields a person sees, the fields nobody may see, the questions, their anchors and examples."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any, Literal

import msgspec

from percuss.core.errors import BadInput, UsageError
from percuss.core.ids import b2
from percuss.core.records import Record

__all__ = [
    "ALIASES",
    "Design",
    "Field",
    "Option",
    "Practice",
    "Preset",
    "Question",
    "design_names",
    "load_design",
]

HERE = Path(__file__).parent / "designs"
ALIASES = {
    "grounding": "source-grounding",
    "likert": "likert5",
    "reader": "reader-study",
    "qa": "qa-verification",
}

FieldKind = Literal["text", "passage", "facts", "image", "answers", "sources", "verdict", "list", "marked"]
QuestionKind = Literal["choice", "scale", "multi", "text", "rank", "spans"]


class Option(Record):
    """One answer that can be chosen.

    Args:
        value: what is stored; a scale's values are whole numbers.
        key: the keyboard key that chooses it.
        anchor: when it is the right choice; example: one sentence that shows it.
        colour: name of a colour of the palette; empty for the neutral one.
    """

    value: str
    label: str
    key: str = ""
    anchor: str = ""
    example: str = ""
    colour: str = ""


class Question(Record):
    """One thing asked about an item.

    Args:
        about: the question in full, for the guide, where the screen asks it in few words.
        aspect: aspect of the verdict that it becomes; empty: the question's name.
        per: name of an `answers` field when it is asked once for each answer; empty: once an item.
        when: other question -> answers; it is asked only where the other has one of these answers.
        measure: how agreement on it is computed.
        adjudicated: whether a disagreement on it goes to the adjudicator.
        settle_from: steps between two answers from which somebody settles them; 0: two on a scale of five values or more,
            since one step beside is what such a scale calls agreement, else one.
        ends: whether the buttons of a scale name its ends only; the line below names the step that is pointed at or chosen.
        aliases: names under which other tools export it.
    """

    name: str
    ask: str
    kind: QuestionKind
    about: str = ""
    aspect: str = ""
    hint: str = ""
    option: tuple[Option, ...] = ()
    per: str = ""
    when: dict[str, tuple[str, ...]] = {}
    optional: bool = False
    measure: Literal["nominal", "ordinal", "rank", "spans", "none"] = "nominal"
    adjudicated: bool = True
    settle_from: int = 0
    ends: bool = False
    aliases: tuple[str, ...] = ()

    @property
    def apart(self) -> int:
        """Steps between two answers from which somebody settles them."""
        return self.settle_from or (2 if self.kind == "scale" and len(self.option) >= 5 else 1)

    @property
    def values(self) -> tuple[str, ...]:
        """The values that can be chosen."""
        return tuple(option.value for option in self.option)


class Field(Record):
    """One shown field of an item.

    Args:
        side: column of the screen: left holds what is looked at, right what is judged.
        model_text: written by a model, so names of models and makers in it are masked.
        content: what is judged, or what has to be known to judge it; it may differ between arms, so the leak test
            leaves it out. Fields written by a model, pictures and verdicts are content without saying so.
        aliases: names under which cases and protocols may carry it.
    """

    name: str
    label: str
    kind: FieldKind
    side: Literal["left", "right"] = "left"
    model_text: bool = False
    content: bool = False
    required: bool = True
    note: str = ""
    aliases: tuple[str, ...] = ()

    @property
    def is_content(self) -> bool:
        """Whether the leak test leaves it out."""
        return self.content or self.model_text or self.kind in ("image", "answers", "marked", "verdict")


class Practice(Record):
    """One practice item with the answer shown afterwards and the reason for it."""

    shown: dict[str, Any]
    answer: dict[str, Any]
    why: str


class Preset(Record):
    """A grey window of the image viewer: centre and width in grey values 0..255."""

    name: str
    centre: int
    width: int


class Design(Record):
    """A form, whole: what is shown, what is hidden, what is asked.

    Args:
        version: rises when labels made before are no longer comparable.
        blinded: False where the machine's verdict is on the screen; agreement is then labelled so.
        minutes: typical minutes an item, for the invitation.
        hidden: fields that never reach the browser. What is not declared `shown` does not reach it either.
        cant: reasons offered with "can't judge".
    """

    name: str
    version: int
    title: str
    task: str
    minutes: float
    field: tuple[Field, ...]
    hidden: tuple[str, ...]
    question: tuple[Question, ...]
    practice: tuple[Practice, ...]
    theme: Literal["light", "dark"] = "light"
    blinded: bool = True
    cant: tuple[str, ...] = ("Not enough shown", "Outside my field", "Unclear wording", "Something is broken")
    preset: tuple[Preset, ...] = ()
    guide: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """Content id of the whole form."""
        return b2(msgspec.to_builtins(self))

    @property
    def primary(self) -> Question:
        """The first question."""
        return self.question[0]

    @property
    def pictures(self) -> bool:
        """Whether it shows pictures."""
        return any(f.kind == "image" for f in self.field)

    @property
    def settled(self) -> tuple[Question, ...]:
        """The questions that an adjudicator settles: those declared so, and those that hang on them."""
        return tuple(q for q in self.question if q.adjudicated or q.when)

    @property
    def marked_field(self) -> str | None:
        """Name of the field in which text is marked, None where the design has none."""
        return next((q.per for q in self.question if q.kind == "spans"), None)

    def shown_field(self, name: str) -> Field | None:
        """Return the shown field of this name or alias, None where there is none."""
        return next((f for f in self.field if name == f.name or name in f.aliases), None)

    def asked(self, name: str) -> Question | None:
        """Return the question of this name or alias, None where there is none."""
        return next((q for q in self.question if name == q.name or name in q.aliases), None)

    @property
    def answers_field(self) -> str | None:
        """Name of the field that holds several answers, None where the design has none."""
        return next((f.name for f in self.field if f.kind == "answers"), None)


def design_names() -> tuple[str, ...]:
    """Return the names of the designs that are shipped."""
    return tuple(sorted(path.stem for path in HERE.glob("*.toml")))


def _check(design: Design, source: str) -> Design:
    shown = {name for f in design.field for name in (f.name, *f.aliases)}
    both = sorted(shown & set(design.hidden))
    if both:
        raise BadInput(f"{', '.join(both)} is declared shown and hidden; keep one", source=source)
    names = [q.name for q in design.question]
    if not names or len(set(names)) != len(names):
        raise BadInput(f"got the questions {names}; each needs a name of its own", source=source)
    for question in design.question:
        if question.kind in ("choice", "scale", "multi") and len(question.option) < 2:
            raise BadInput(f"question {question.name} needs at least two options", source=source)
        if question.kind == "scale" and not all(value.isdigit() for value in question.values):
            raise BadInput(f"scale {question.name} needs whole numbers as values", source=source)
        strangers = sorted(set(question.when) - set(names))
        if strangers:
            raise BadInput(
                f"question {question.name} waits for {strangers}, which is not asked", source=source
            )
        if question.per and question.per not in {f.name for f in design.field}:
            raise BadInput(
                f"question {question.name} is asked per {question.per}, which is not shown", source=source
            )
    return design


def parse_design(text: str, source: str) -> Design:
    """Read a design from the text of its file.

    Args:
        source: name of the file, for errors.

    Raises:
        BadInput: not TOML, an unknown or missing entry, or a field declared both shown and hidden.
    """
    try:
        design = msgspec.convert(tomllib.loads(text), Design)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise BadInput(f"not a design: {error}; see the shipped ones for the form", source=source) from None
    return _check(design, source)


@cache
def _read(path: Path) -> Design:
    return parse_design(path.read_text(encoding="utf-8"), path.name)


def load_design(name: str) -> Design:
    """Return a shipped design by name or alias, or one of your own by the path of its file.

    Raises:
        UsageError: no such design.
        BadInput: the file is not a design.
    """
    shipped = HERE / f"{ALIASES.get(name, name)}.toml"
    if shipped.is_file() and shipped.parent == HERE:
        return _read(shipped)
    path = Path(name)
    if path.suffix == ".toml" and path.is_file():
        return _read(path)
    known = ", ".join(design_names())
    raise UsageError(
        f"no design {name!r}; the designs are {known}, or give the path of a .toml file of your own"
    )
