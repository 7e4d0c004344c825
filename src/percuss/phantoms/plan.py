"""What every phantom is: a model whose reply is planned, so that the truth about each sentence is known."""

import asyncio
import re
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

import numpy as np

from percuss.core import seeds
from percuss.core.ids import canonical_json, digest
from percuss.core.messages import Image, Reply, Request, Text, ToolCall

__all__ = [
    "Entry",
    "Phantom",
    "Plan",
    "Planner",
    "Truth",
    "drawing",
    "evidence_text",
    "header_text",
    "plan_of",
    "request_key",
]

VERSION = "1"
_EVIDENCE = re.compile(r"<evidence>\s*(.*?)\s*</evidence>", re.DOTALL)


@dataclass(frozen=True)
class Truth:
    """What a phantom knows about a stretch of its own text: `label` is a support label."""

    start: int
    stop: int
    label: str


@dataclass(frozen=True)
class Plan:
    """A planned reply: its text and the truth about each sentence of it; or calls of tools in place of words."""

    text: str
    truths: tuple[Truth, ...] = ()
    calls: tuple[ToolCall, ...] = ()


class Planner(typing.Protocol):
    """The behaviour of one phantom."""

    def plan(self, request: Request, *, epoch: int = 0) -> Plan:
        """Return what the phantom answers, with the truth about it."""
        ...

    def expected(self, arms: Iterable[str]) -> Mapping[tuple[str, str], float]:
        """Return (estimate, arm) -> value that the planted rates imply."""
        ...


Given = Mapping[str, float]


@dataclass(frozen=True)
class Entry:
    """One name of the registry.

    Args:
        keys: parameters that the name takes, each a share in 0..1.
        make: (parameters given, seed, what it is constructed with) -> behaviour. What a phantom is constructed with
            (a memoriser's records, a judge's rule) is handed over by name and never read from a message.
    """

    keys: tuple[str, ...]
    make: Callable[[Given, int, Mapping[str, Any]], Planner]


@dataclass(frozen=True)
class Phantom:
    """A simulated model: `plan` says what it answers, `generate` answers it."""

    simulated: ClassVar[bool] = True

    id: str
    planner: Planner
    pin: str = field(default=f"phantom {VERSION}")

    def plan(self, request: Request, *, epoch: int = 0) -> Plan:
        """Return the reply to a request, with the truth about each sentence; pure."""
        return self.planner.plan(request, epoch=epoch)

    def expected(self, arms: Iterable[str]) -> Mapping[tuple[str, str], float]:
        """Return (estimate, arm) -> value that the planted rates imply."""
        return self.planner.expected(arms)

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        """Answer as planned; tokens are words."""
        planned = partial(self.plan, request, epoch=epoch)
        # Looking at a picture takes longer than the event loop may wait.
        looks = any(isinstance(part, Image) for message in request.messages for part in message.parts)
        plan = await asyncio.to_thread(planned) if looks else planned()
        text = plan.text
        words = sum(len(message.text.split()) for message in request.messages)
        return Reply(
            parts=plan.calls or (Text(text=text),),
            finish="tool" if plan.calls else "stop",
            served_model=self.id,
            fingerprint=self.pin,
            tokens_in=words,
            tokens_out=len(text.split()),
        )


def plan_of(sentences: Iterable[tuple[str, str]]) -> Plan:
    """Join (sentence, label) pairs into a plan.

    Args:
        sentences: each ends with its full stop.
    """
    text, truths = "", []
    for sentence, label in sentences:
        start = len(text) + (1 if text else 0)
        text = f"{text} {sentence}" if text else sentence
        truths.append(Truth(start, len(text), label))
    return Plan(text, tuple(truths))


def request_key(request: Request) -> str:
    """Return a digest of everything that a model sees."""
    return digest(canonical_json(request))


def evidence_text(request: Request) -> str | None:
    """Return what stands between the evidence delimiters of the user's messages; None where there is none."""
    for message in request.messages:
        if message.role == "user" and (found := _EVIDENCE.search(message.text)):
            return found.group(1) or None
    return None


def header_text(request: Request) -> str:
    """Return what the user's messages say beside the evidence, with the line that announces it left out.

    Args:
        request: with or without evidence; both give the same text, so that a case can be recognised in every arm.
    """
    texts: list[str] = []
    for message in request.messages:
        if message.role == "user":
            lines = _EVIDENCE.sub("\0", message.text).splitlines()
            texts.extend(
                line.strip()
                for line, after in zip(lines, [*lines[1:], ""], strict=True)
                if line.strip("\0 ") and not (after.startswith("\0") and line.rstrip().endswith(":"))
            )
    return "\n".join(texts)


def drawing(seed: int, *names: str | int) -> np.random.Generator:
    """Return the generator of a named draw."""
    return seeds.generator(seed, "phantom", *names)
