"""The server of one response: GET reads the hospital and what was created, POST keeps a resource here and sends nothing anywhere."""

from collections.abc import Mapping
from typing import Any

from percuss.core.ids import b2, canonical_json
from percuss.core.messages import Tool
from percuss.core.ports import Embedder
from percuss.core.strict import Record
from percuss.protocols.skills.worlds.contract import Result, Task
from percuss.protocols.skills.worlds.desk import Desk, offered, read
from percuss.protocols.skills.worlds.fhir.resources import Resource, resources_of
from percuss.protocols.skills.worlds.fhir.searching import answered
from percuss.protocols.skills.worlds.fhir.wording import wording
from percuss.protocols.skills.worlds.fhir.writing import refused

__all__ = ["MOST_ANSWERS", "Answer", "FhirDesk", "Left", "tools"]

MOST_ANSWERS, MOST_LETTERS = 20, 200
CREATED = "created"
"""The effect in the tool log of a resource that was kept."""
Answer = str | int | float


class Left(Record, forbid_unknown_fields=False):
    """What is left of a task: answers that were handed in (None: none were), and the resources that were created, in order."""

    answers: tuple[Answer, ...] | None = None
    created: tuple[dict[str, Any], ...] = ()


class _Get(Record, forbid_unknown_fields=False):
    url: str


class _Post(Record, forbid_unknown_fields=False):
    resource: dict[str, Any]


class _Submit(Record, forbid_unknown_fields=False):
    answers: tuple[Answer, ...]


class FhirDesk(Desk):
    """One task's server.

    Args:
        task: what is asked. seed: of the hospital. embedder: not used; nothing is searched by meaning.
    """

    def __init__(self, task: Task, seed: int, embedder: Embedder | None) -> None:
        del embedder
        self._held: dict[str, list[Resource]] = {
            kind: list(rows) for kind, rows in resources_of(seed).items()
        }
        self._held["ServiceRequest"] = []
        self._created: list[Resource] = []
        handlers = {"get": self._get, "post": self._post, "submit": self._submit}
        super().__init__(b2(task.id, seed, "fhir"), handlers)

    def digest(self) -> str:
        """Return the digest of the hospital, of what was created and of what was handed in."""
        return b2(super().digest(), self._created)

    def changed(self) -> tuple[str, ...]:
        """Return the types of which something was created, and `submission` where answers were handed in."""
        return (*dict.fromkeys(each["resourceType"] for each in self._created), *super().changed())

    def submitted(self, round_: int) -> Any:
        """Return answers and created resources of the one round (`round_`, from 0); None where there are neither."""
        handed = super().submitted(round_)
        if handed is None and not self._created:
            return None
        return {"answers": None if handed is None else handed["answers"], "created": list(self._created)}

    async def _get(self, arguments: Mapping[str, Any]) -> Result:
        asked = read(arguments, _Get)
        if isinstance(asked, Result):
            return asked
        found = answered(asked.url, self._held)
        return _result(found, rows=len(found.get("entry", ())))

    async def _post(self, arguments: Mapping[str, Any]) -> Result:
        asked = read(arguments, _Post)
        if isinstance(asked, Result):
            return asked
        why = refused(asked.resource, self._held, len(self._created))
        if why is not None:
            return _result(why)
        kept = {**asked.resource, "id": f"new-{len(self._created) + 1}"}
        self._created.append(kept)
        self._held[kept["resourceType"]].append(kept)
        return Result(text=f"201 Created: {kept['resourceType']}/{kept['id']}", effect=CREATED)

    async def _submit(self, arguments: Mapping[str, Any]) -> Result:
        asked = read(arguments, _Submit)
        if isinstance(asked, Result):
            return asked
        if len(asked.answers) > MOST_ANSWERS or any(len(str(each)) > MOST_LETTERS for each in asked.answers):
            words = f"Not taken: expected at most {MOST_ANSWERS} answers of {MOST_LETTERS} characters."
            return Result(text=words, outcome="error")
        return self.hand_in(asked)


def _result(found: Resource, *, rows: int = 0) -> Result:
    failed = found["resourceType"] == "OperationOutcome"
    return Result(
        text=canonical_json(found).decode(), outcome="error" if failed else "ok", spent={"rows": rows}
    )


def tools() -> tuple[Tool, ...]:
    """Return the tools as they are offered."""
    shapes: dict[str, tuple[dict[str, dict[str, Any]], tuple[str, ...]]] = {
        "get": ({"url": {"type": "string"}}, ("url",)),
        "post": ({"resource": {"type": "object"}}, ("resource",)),
        "submit": ({"answers": {"type": "array", "items": {"type": ["string", "number"]}}}, ("answers",)),
    }
    return offered(shapes, wording()["tools"], wording()["fields"])
