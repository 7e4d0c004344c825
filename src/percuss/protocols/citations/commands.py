"""Commands of the protocol's own: code of an answer checked without running it, questions made, judges and extraction beside people."""

import asyncio
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from percuss.core.errors import BadInput
from percuss.core.ports import Session
from percuss.core.protocol import Command, CommandResult
from percuss.core.strict import Record
from percuss.protocols.citations.asking_registries import PackagesOptions, packages
from percuss.protocols.citations.code import CodeReading, check_answer
from percuss.protocols.citations.code.at_hand import at_hand
from percuss.protocols.citations.comparing import StrategiesOptions, strategies
from percuss.protocols.citations.extraction import ExtractionOptions, extraction
from percuss.protocols.citations.niche import NicheOptions, niche
from percuss.protocols.citations.seeding import SeedOptions, seeds

__all__ = ["COMMANDS", "CodeOptions"]


class CodeOptions(Record):
    """Settings of `percuss citations code`."""

    answer: Annotated[str, Meta(description="File with an answer: Markdown with fenced code.")]
    language: Annotated[
        str, Meta(description="Language of fences that name none: python, r, scala or elixir.")
    ] = ""
    index: Annotated[str, Meta(description="File of `percuss citations packages`.")] = ""
    wheels: Annotated[
        str, Meta(description="Wheel, or folder of wheels, that Python code is read against.")
    ] = ""


async def code(options: CodeOptions, session: Session) -> CommandResult:
    """Say of each install, import and call in an answer whether it exists.

    Args:
        options: the file. session: `dry_run` says what would be read.

    Raises:
        BadInput: the file can't be read as text; an index or wheels that are not there.
    """
    path = Path(options.answer)
    if session.dry_run:
        return CommandResult(
            text=f"would read the code of {path.name}; nothing of it is run and nobody is asked"
        )
    try:
        text = await asyncio.to_thread(path.read_text, encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(
            f"can't be read as text ({error}); expected an answer in Markdown", source=str(path)
        ) from None
    held = await asyncio.to_thread(at_hand, options.index, options.wheels)
    reading = await asyncio.to_thread(
        check_answer, text, language=options.language, surfaces=held.surfaces, index=held.index
    )
    data = msgspec.to_builtins(reading)
    return CommandResult(text="\n".join(_lines(reading, text)), data=data)


def _lines(reading: CodeReading, text: str) -> list[str]:
    said = [
        f"line {text.count(chr(10), 0, each.start) + 1}: {each.kind} {each.name}: {each.status.replace('_', ' ')}. {each.reason}"
        for each in reading.findings
        if each.status != "ok"
    ]
    found = sum(each.status == "ok" for each in reading.findings)
    return [
        *said,
        *reading.unread,
        f"{reading.verdict.replace('_', ' ')}: {len(reading.findings)} looked at, {found} there",
    ]


COMMANDS = {
    "seeds": Command(
        options=SeedOptions,
        run=seeds,
        help="Write seed questions from abstracts or guideline texts, by --role builder=MODEL.",
        output=lambda options: Path(options.out),
    ),
    "niche": Command(
        options=NicheOptions,
        run=niche,
        help="Write short questions about little-cited articles, with accepted answers; asks OpenAlex once.",
        output=lambda options: Path(options.out),
    ),
    "code": Command(
        options=CodeOptions,
        run=code,
        help="Say what the code of an answer installs, imports and calls, and what of it doesn't exist.",
    ),
    "packages": Command(
        options=PackagesOptions,
        run=packages,
        help="Ask registries about each package that answers name, one by one, and keep what they say with its date.",
        output=lambda options: Path(options.index),
    ),
    "strategies": Command(
        options=StrategiesOptions,
        run=strategies,
        help="Say for each way of judging in a run what a citation took (time, USD) and how far it agrees with people.",
    ),
    "extraction": Command(
        options=ExtractionOptions,
        run=extraction,
        help="Say which statements people marked in answers, which were extracted, and what either missed.",
    ),
}
