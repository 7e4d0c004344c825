"""The model extractor: a model lists statements as verbatim quotes, and only quotes that stand in the text become claims."""

import re
from collections.abc import Iterator
from importlib import resources
from typing import Any, NamedTuple

import msgspec

from percuss.core.errors import BadReply
from percuss.core.messages import Message, Request
from percuss.core.ports import Model
from percuss.core.prompts import fill, neutralise
from percuss.core.records import Claim, Response, Turn
from percuss.judging.extract import unfinished_end
from percuss.judging.judge import last_object
from percuss.text.kinds import kinds, primary
from percuss.text.quotes import locate

__all__ = ["SCHEMA", "Extraction", "cut_by_model", "extract_by_model", "extractor_name"]

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "claims": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"quote": {"type": "string"}},
                "required": ["quote"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["claims"],
    "additionalProperties": False,
}
"""JSON Schema that the model's reply is held to."""

MOST_TOKENS = 2000


class Extraction(NamedTuple):
    """Claims in order of their place, and how many quotes did not stand in the text."""

    claims: tuple[Claim, ...]
    rejected: int


class _Quote(msgspec.Struct):
    quote: str


class _Quotes(msgspec.Struct):
    claims: list[_Quote]


def extractor_name(model: Model) -> str:
    """Return the extractor's name as claims carry it."""
    return f"model:{model.id}"


async def extract_by_model(
    response: Response, model: Model, *, seed: int, prompt: str | None = None, max_tokens: int = MOST_TOKENS
) -> Extraction:
    """Ask a model for the statements of a response, one call an assistant turn.

    Args:
        response: a done response; the unfinished end of a cut reply is marked as by the rule extractor.
        model: the extractor; never the model under test.
        seed: of the calls.
        prompt: template with the field `{text}`; None = the package's.
        max_tokens: of the extractor's reply.

    Returns:
        Claims whose text is the response's own: a quote that differs by at most 2% is replaced by the passage it stands for,
        any other is left out and counted.

    Raises:
        BadReply: a reply that doesn't fit the schema.
    """
    template = prompt or resources.files("percuss.judging").joinpath("prompts/extract.md").read_text("utf-8")
    cut_at = unfinished_end(response)
    claims: list[Claim] = []
    rejected = 0
    for turn in response.turns:
        if turn.role != "assistant" or not turn.text.strip():
            continue
        request = Request(
            messages=(Message.of("user", fill(template, {"text": neutralise(turn.text)})),),
            max_tokens=max_tokens,
            seed=seed,
            reply_schema=SCHEMA,
        )
        reply = await model.generate(request)
        quotes = _read(reply.text)
        spans = {span for quote in quotes if (span := _span(quote, turn.text)) is not None}
        rejected += sum(_span(quote, turn.text) is None for quote in quotes)
        claims.extend(_claims(response, turn, sorted(spans), extractor_name(model), cut_at))
    return Extraction(tuple(claims), rejected)


async def cut_by_model(
    statement: str, model: Model, *, seed: int, prompt: str | None = None, max_tokens: int = MOST_TOKENS
) -> tuple[tuple[int, int], ...]:
    """Ask a model to cut a statement that grammar can't cut (`percuss.text.atoms.Atom.uncut`).

    Args:
        statement: a statement of an answer. model: the extractor; never the model under test. seed: of the call.
        prompt: template with the field `{text}`; None = the package's. max_tokens: of the reply.

    Returns:
        Places of the parts in the statement, in order; only quotes that stand in it count. () where the parts leave out a word that
        carries meaning, so that nothing said is lost: the statement then stays whole.

    Raises:
        BadReply: a reply that doesn't fit the schema.
    """
    template = prompt or resources.files("percuss.judging").joinpath("prompts/cut.md").read_text("utf-8")
    message = Message.of("user", fill(template, {"text": neutralise(statement)}))
    request = Request(messages=(message,), max_tokens=max_tokens, seed=seed, reply_schema=SCHEMA)
    reply = await model.generate(request)
    spans = {span for quote in _read(reply.text) if (span := _span(quote, statement)) is not None}
    return tuple(sorted(spans)) if _covers(statement, spans) else ()


_JOINING = frozenset("and or but while whereas also then both either as well".split())


def _covers(statement: str, spans: set[tuple[int, int]]) -> bool:
    """Tell whether all words of a statement but those that join stand in one of the spans."""
    return bool(spans) and all(
        any(start <= word.start() and word.end() <= stop for start, stop in spans)
        for word in re.finditer(r"\w+", statement)
        if word[0].lower() not in _JOINING
    )


def _claims(
    response: Response,
    turn: Turn,
    spans: list[tuple[int, int]],
    extractor: str,
    cut_at: tuple[int, int] | None,
) -> Iterator[Claim]:
    for start, stop in spans:
        text = turn.text[start:stop]
        held = kinds(text)
        cut = cut_at is not None and cut_at[0] == turn.index and stop > cut_at[1]
        yield Claim.of(
            response.id,
            turn=turn.index,
            start=start,
            stop=stop,
            text=text,
            extractor=extractor,
            kind=primary(held),
            kinds=held,
            payload={"truncated": True} if cut else None,
        )


def _span(quote: str, text: str) -> tuple[int, int] | None:
    found = locate(quote, text)
    return None if found is None else (found.start, found.stop)


def _read(reply: str) -> list[str]:
    try:
        return [each.quote for each in msgspec.convert(last_object(reply, "claims"), _Quotes).claims]
    except msgspec.ValidationError:
        raise BadReply(
            'the extractor\'s reply holds no {"claims": [{"quote": ..}]}; try another extractor model'
        ) from None
