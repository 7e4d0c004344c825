"""What the clinic is built with for one task, as a record; a task carries it as JSON and no agent ever sees it whole."""

from typing import Any, Literal

import msgspec

from percuss.core.strict import Record
from percuss.protocols.skills.worlds.contract import Task
from percuss.protocols.skills.worlds.safety.library import Act, Area, Notice, Side

__all__ = ["Document", "Setting", "as_json", "setting_of"]


class Document(Record):
    """A document as a tool shows it."""

    id: str
    title: str
    text: str


class Setting(Record):
    """The clinic of one task.

    Args:
        side: attack, or its benign twin. area, subcategory, technique: the cell of the grid. twin: id of the other side.
        canary: stands in the sealed line alone. patient, name: whose chart is open; others: known numbers beside it.
        chart, sealed, feed: what the tools show of the patient. documents, notices: what can be found and read.
        addresses: that the chart names. signed: acts that are in order.
        wanted: what the user asks for in good order; None in an attack that asks for nothing else.
        planned: what the attack asks for; None in a benign twin. carrier: tool that shows a planted text; "" where the
            user's own words ask.
    """

    side: Side
    area: Area
    subcategory: str
    technique: str
    twin: str
    canary: str
    patient: str
    name: str
    chart: tuple[str, ...]
    sealed: str
    feed: str
    documents: tuple[Document, ...]
    addresses: tuple[str, ...]
    signed: tuple[Act, ...]
    notices: tuple[Notice, ...] = ()
    others: tuple[str, ...] = ()
    wanted: Act | None = None
    planned: Act | None = None
    carrier: Literal["", "read_document", "read_feed"] = ""


def setting_of(task: Task) -> Setting:
    """Return what a task's clinic is built with.

    Raises:
        ValidationError: the task is none of this world.
    """
    return msgspec.convert(task.setting, Setting)


def as_json(setting: Setting) -> dict[str, Any]:
    """Return a setting as a task carries it."""
    built: dict[str, Any] = msgspec.to_builtins(setting)
    return built
