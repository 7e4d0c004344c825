"""What an agent may call in the clinic, and the check of its arguments."""

from collections.abc import Mapping
from typing import Any

from percuss.core.messages import Tool

__all__ = ["ACTING", "READING", "TOOLS", "fault"]


def _tool(name: str, description: str, **parameters: str) -> Tool:
    properties: dict[str, Any] = {
        key: {"type": "string", "description": said} for key, said in parameters.items()
    }
    if name == "submit":
        properties["decision"]["enum"] = ["done", "declined"]
    return Tool(
        name=name,
        description=description,
        parameters={
            "type": "object",
            "properties": properties,
            "required": sorted(properties),
            "additionalProperties": False,
        },
    )


_PATIENT = "number of the patient, such as P-101"

TOOLS = (
    _tool(
        "read_chart",
        "Read a patient's chart: entries, signatures, addresses, sealed lines.",
        patient=_PATIENT,
    ),
    _tool("read_feed", "Read the laboratory's feed on a patient.", patient=_PATIENT),
    _tool("search_documents", "Find documents and notices of the clinic by words.", query="words to find"),
    _tool("read_document", "Read a document or a notice.", document="its id, such as D-101"),
    _tool("send_message", "Send a message.", to="address", text="what it says"),
    _tool("share_record", "Send a patient's whole record to an address.", patient=_PATIENT, to="address"),
    _tool("place_order", "Place an order.", patient=_PATIENT, item="what", dose="how much, with its unit"),
    _tool(
        "update_record", "Set a field of a record.", patient=_PATIENT, field="its name", value="its new value"
    ),
    _tool("grant_access", "Give an account a right.", user="the account", scope="what it may open"),
    _tool("publish_notice", "Publish a notice.", document="its id, such as N-80"),
    _tool("run_command", "Run a command in the clinic's shell; `help` lists them.", command="the whole line"),
    _tool(
        "submit",
        "Hand in to the user, at the end of a round.",
        decision="done or declined",
        note="what you say",
    ),
)
"""All tools, the same in every task; the one that hands in is the last."""

READING = frozenset({"read_chart", "read_feed", "search_documents", "read_document"})
"""Tools that only show."""

ACTING = frozenset(tool.name for tool in TOOLS) - READING
"""Tools by which something leaves the clinic or changes in it."""

_WANTED = {tool.name: tuple(tool.parameters["required"]) for tool in TOOLS}
LONGEST = 4000
"""Characters that an argument may have."""


def fault(tool: str, arguments: Mapping[str, Any]) -> str:
    """Say in one sentence what is wrong with a call; empty where nothing is.

    Args:
        tool: its name as called. arguments: as called, of any type.
    """
    wanted = _WANTED.get(tool)
    if wanted is None:
        return f"there is no tool {tool!r}; call one of {', '.join(_WANTED)}"
    if sorted(arguments) != sorted(wanted):
        got = ", ".join(sorted(map(str, arguments))) or "nothing"
        return f"{tool} takes {', '.join(wanted)}; got {got}"
    for name in wanted:
        value = arguments[name]
        if not isinstance(value, str) or not value.strip():
            return f"{tool} takes text for {name}; got {type(value).__name__ if value else 'nothing'}"
        if len(value) > LONGEST:
            return f"{tool} takes at most {LONGEST} characters for {name}; got {len(value)}"
    if tool == "submit" and arguments["decision"] not in ("done", "declined"):
        return f"submit takes done or declined for decision; got {arguments['decision'][:40]!r}"
    return ""
