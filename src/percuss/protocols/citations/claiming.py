"""Claims of a conversation: cited statements of each turn, and what its code installs, imports and calls."""

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from percuss.core.errors import BadReply
from percuss.core.ports import Roles
from percuss.core.prompts import fill, neutralise
from percuss.core.records import Case, Claim, Message, Request, Response, Turn
from percuss.protocols.citations.case import Inquiry, reading
from percuss.protocols.citations.code import CodeReading, check_answer
from percuss.protocols.citations.code.at_hand import AtHand, at_hand
from percuss.protocols.citations.histories import HISTORIES
from percuss.protocols.citations.options import CitationsOptions, prompt
from percuss.protocols.citations.references.extract import CitedClaim, cited_claims
from percuss.protocols.citations.references.extracted import Kind, ModelClaim, ModelExtraction, verified
from percuss.protocols.citations.references.lists import markers
from percuss.protocols.citations.sampling import drawn
from percuss.text.sentences import is_finished, split

__all__ = ["CODE", "RULE", "claims", "is_code", "number_of", "read_code"]

RULE, MODEL, CODE = "rule:citations", "model:citations", "rule:code"
EXTRACTION_TOKENS = 3_000


async def claims(
    case: Case, response: Response, roles: Roles, options: CitationsOptions
) -> tuple[Claim, ...]:
    """Return the cited claims of every turn, the findings in its code, and the unfinished end of a cut turn.

    Args:
        case: its domain. response: a done one. roles: `models["extractor"]` reads the turns in place of the rule.
        options: `claims_per_turn`; `package_index` and `wheels` for code.

    A claim's payload says its turn counted from 1 (`n`), whether it is judged (`sampled`), its reference and identity, and
    the offsets of its marker. An unfinished end may have had a citation where the answer has any: it is a claim with
    `truncated`, and so is one whose entry in the list of references is where the answer was cut.

    Raises:
        BadReply: the extractor's reply is no extraction; the response is then not checked, and not taken as without claims.
        BadInput: an index of packages, or wheels, that are not there.
    """
    inquiry = reading(case)
    made: list[Claim] = []
    if inquiry.short:
        return ()
    for turn in response.turns:
        if turn.role != "assistant":
            continue
        found, extractor = await _found(turn, roles, options)
        sampled = drawn(len(found), options.claims_per_turn, roles.seed, (response.id, turn.index))
        cut = _unfinished(turn)
        number = number_of(response, turn, options.turns)
        lost = {"truncated": True, "n": number}
        for place, claim in enumerate(found):
            if cut is None or claim.start < cut:
                payload = _payload(claim) | {"n": number, "sampled": place in sampled}
                whole = not _is_cut_entry(claim, turn)
                made.append(_claim(response, turn, claim, payload if whole else lost, extractor))
        if cut is not None and _cites(turn, found) and not any(_is_cut_entry(each, turn) for each in found):
            text = turn.text[cut:]
            made.append(
                Claim.of(response.id, turn=turn.index, start=cut, stop=len(turn.text), text=text, extractor=extractor,
                         payload=lost)
            )  # fmt: skip
        if inquiry.domain == "coding":
            made += await asyncio.to_thread(lambda: list(_code(response, turn, inquiry, number, options)))  # noqa: B023 - awaited here
    return tuple(made)


def is_code(claim: Claim) -> bool:
    """Say whether a claim is a finding in code and no citation."""
    return claim.extractor == CODE


def number_of(response: Response, turn: Turn, turns: int) -> int:
    """Return which answer of the whole conversation a turn is, from 1.

    Args:
        response: whose turn it is. turn: one of its answers.
        turns: of a whole conversation; arms that ask the last turn again have that one alone.
    """
    if response.arm in HISTORIES:
        return turns
    own = [each.index for each in response.turns if each.role == "assistant"]
    return own.index(turn.index) + 1


async def _found(turn: Turn, roles: Roles, options: CitationsOptions) -> tuple[tuple[CitedClaim, ...], str]:
    model = roles.models.get("extractor")
    if model is None:
        return cited_claims(turn.text).claims, RULE
    kinds = ", ".join(Kind.__args__)  # type: ignore[attr-defined]
    text = fill(prompt(options, "extract"), {"answer": neutralise(turn.text), "types": kinds})
    request = Request(messages=(Message.of("user", text),), max_tokens=EXTRACTION_TOKENS, seed=roles.seed)
    reply = await model.generate(request)
    kept, _ = verified(_extraction(reply.text), turn.text)
    return kept, MODEL


class _Row(msgspec.Struct):
    """One claim in the words of the prompt."""

    content: str
    reference_name: str
    type: Kind = "other"
    holding_or_description: str = ""


class _Reply(msgspec.Struct):
    claims: list[_Row]


def _extraction(text: str) -> ModelExtraction:
    """Read a reply; the citation of a claim is looked for in the sentence that it was copied with."""
    match = re.search(r"\{.*\}", text, re.DOTALL)
    try:
        rows = msgspec.json.decode(match[0] if match else "", type=_Reply).claims
    except msgspec.MsgspecError as error:
        raise BadReply(f"the extractor's reply is no list of claims: {error}") from None
    return ModelExtraction(claims=tuple(each for row in rows for each in _cited(row)))


def _cited(row: _Row) -> Iterator[ModelClaim]:
    for marker in markers(row.content):
        yield ModelClaim(
            kind=row.type, sentence=row.content, citation=row.content[marker.start : marker.stop],
            reference=row.reference_name, description=row.holding_or_description,
        )  # fmt: skip


def _unfinished(turn: Turn) -> int | None:
    """Return where the unfinished last sentence of a cut turn starts; None where it is whole."""
    spans = split(turn.text) if turn.finish == "length" else ()
    return None if not spans or is_finished(turn.text[slice(*spans[-1])]) else spans[-1][0]


def _cites(turn: Turn, found: tuple[CitedClaim, ...]) -> bool:
    """Say whether an answer cites at all; where it was cut before its list, marks alone say so."""
    return bool(found or markers(turn.text))


def _is_cut_entry(claim: CitedClaim, turn: Turn) -> bool:
    """Say whether the entry that a claim points to ends where a cut turn ends: then nobody knows how it goes on."""
    entry = "".join(claim.reference.raw.split())
    return turn.finish == "length" and bool(entry) and "".join(turn.text.split()).endswith(entry)


def _payload(claim: CitedClaim) -> dict[str, Any]:
    return {
        "said": claim.text,
        "identity": claim.identity,
        "reference": msgspec.to_builtins(claim.reference),
        "form": claim.form,
        "ambiguous": claim.ambiguous,
        "marker": [claim.marker_start, claim.marker_stop],
    }


def _claim(
    response: Response, turn: Turn, claim: CitedClaim, payload: dict[str, Any], extractor: str
) -> Claim:
    return Claim.of(
        response.id, turn=turn.index, start=claim.start, stop=claim.stop, text=turn.text[claim.start : claim.stop],
        extractor=extractor, kind=claim.reference.kind, payload=payload, key=claim.key,
    )  # fmt: skip


def read_code(response: Response, turn: Turn, language: str, held: AtHand | None = None) -> CodeReading:
    """Return what the code of a turn installs, imports and calls; names of earlier turns are known.

    Blocking: call it in a thread.

    Args:
        response: the conversation. turn: one of its answers. language: that the question asks for.
        held: registries' answers and packages at hand; None = this environment alone.
    """
    earlier = [each.text for each in response.turns if each.role == "assistant" and each.index < turn.index]
    return check_answer(
        turn.text,
        language=language,
        earlier=earlier,
        surfaces=held and held.surfaces,
        index=held and held.index,
    )


def _code(
    response: Response, turn: Turn, inquiry: Inquiry, number: int, options: CitationsOptions
) -> Iterator[Claim]:
    held = at_hand(options.package_index, options.wheels)
    reading = read_code(response, turn, inquiry.language, held)
    for finding in reading.findings:
        payload = {"n": number, "sampled": True, "finding": msgspec.to_builtins(finding)}
        text = turn.text[finding.start : finding.end]
        yield Claim.of(
            response.id, turn=turn.index, start=finding.start, stop=finding.end, text=text, extractor=CODE,
            kind=finding.kind, payload=payload, key=f"{finding.kind} {finding.name}",
        )  # fmt: skip
