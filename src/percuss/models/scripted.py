"""A model that replays given replies: the fake for tests, demonstrations and recorded answers."""

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from percuss.core.errors import BadInput, BadReply, BadRequest, ModelError, OverBudget, Refused, Transient
from percuss.core.ids import digest
from percuss.core.messages import Finish, Reply, Request, Text
from percuss.core.strict import Record

__all__ = ["Line", "Scripted"]

_ERRORS: dict[str, type[ModelError]] = {
    "transient": Transient,
    "refused": Refused,
    "bad_request": BadRequest,
    "bad_reply": BadReply,
    "over_budget": OverBudget,
}

Answer = str | Reply | ModelError


class Line(Record):
    """One line of a script: what is said, and to which request.

    Args:
        text: the reply. error: raised in its place: transient, refused, bad_request, bad_reply, over_budget.
        when: text that the request's messages must contain; empty matches all.
        repeat: whether the line serves every request that it matches, or one.
    """

    text: str = ""
    error: str | None = None
    when: str = ""
    finish: Finish = "stop"
    repeat: bool = False


class Scripted:
    """Answers from a script, and keeps the requests that it saw in `requests`.

    Args:
        script: replies or errors in order, or a function of request and epoch.
        id: the model's identity.
        pin: what the id leaves open.
        latency_s: seconds that an answer takes.
    """

    simulated = True

    def __init__(
        self,
        script: Iterable[Answer] | Callable[[Request, int], Answer],
        *,
        id: str = "scripted/replies",  # noqa: A002 - the port's own word
        pin: str = "",
        latency_s: float = 0.0,
    ) -> None:
        self._id = id
        self._pin = pin
        self._latency_s = latency_s
        self.requests: list[Request] = []
        if callable(script):
            self._answer = script
        else:
            self._answer = _in_order(iter(tuple(script)))

    @classmethod
    def from_file(cls, path: Path) -> "Scripted":
        """Read a script: JSON lines of `Line`. The pin is the file's digest.

        Raises:
            BadInput: no such file, or a line that is none.
        """
        try:
            data = path.read_bytes()
        except OSError as error:
            raise BadInput(
                f"cannot be read ({error.strerror}); expected a script of JSON lines", source=str(path)
            ) from None
        lines = []
        for number, text in enumerate(data.splitlines(), start=1):
            if text.strip():
                lines.append(_line(text, path, number))
        return cls(_matching(lines), id=f"scripted/{path.stem}", pin=digest(data))

    @property
    def id(self) -> str:
        """`scripted/..`."""
        return self._id

    @property
    def pin(self) -> str:
        """Digest of the script's file; empty for a script in memory."""
        return self._pin

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        """Answer with what the script says.

        Raises:
            ModelError: the one the script holds, or BadRequest when it has run out.
        """
        if self._latency_s:
            await asyncio.sleep(self._latency_s)
        self.requests.append(request)
        answer = self._answer(request, epoch)
        if isinstance(answer, ModelError):
            raise answer
        if isinstance(answer, Reply):
            return answer
        return Reply(
            parts=(Text(text=answer),),
            finish="stop",
            served_model=self._id,
            tokens_in=sum(len(message.text.split()) for message in request.messages),
            tokens_out=len(answer.split()),
        )


def _in_order(answers: Iterable[Answer]) -> Callable[[Request, int], Answer]:
    rest = iter(answers)
    return lambda _request, _epoch: next(rest, _spent())


def _spent() -> BadRequest:
    return BadRequest(
        "the script has no reply left for this request; expected a line for each; add lines to it"
    )


def _line(text: bytes, path: Path, number: int) -> Line:
    try:
        line = msgspec.json.decode(text, type=Line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput(
            f"{error}; expected an object with `text` or `error`", source=str(path), line=number
        ) from None
    if line.error is not None and line.error not in _ERRORS:
        known = ", ".join(_ERRORS)
        raise BadInput(
            f"got the error {line.error!r}; expected one of {known}", source=str(path), line=number
        )
    return line


def _matching(lines: list[Line]) -> Callable[[Request, int], Answer]:
    """Return a function that takes the first line that fits, and uses it up unless it repeats."""
    rest = list(lines)

    def answer(request: Request, _epoch: int) -> Answer:
        said = "\n".join(message.text for message in request.messages)
        for index, line in enumerate(rest):
            if line.when in said:
                if not line.repeat:
                    del rest[index]
                if line.error is not None:
                    return _ERRORS[line.error](line.text or "the script says so")
                return Reply(parts=(Text(text=line.text),), finish=line.finish, served_model="scripted")
        return _spent()

    return answer
