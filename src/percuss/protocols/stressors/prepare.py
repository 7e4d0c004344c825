"""`percuss stressors prepare FILE`: a free-text case, split into facts by a model, every span verified, as a vignette file."""

import asyncio
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from percuss.core import seeds
from percuss.core.errors import BadInput, UsageError
from percuss.core.ids import digest
from percuss.core.ports import Session
from percuss.core.prompts import fill, neutralise
from percuss.core.protocol import Command, CommandResult
from percuss.core.records import Message, Record, Request
from percuss.judging.judge import last_object
from percuss.protocols.stressors.options import StressorsOptions, prompt
from percuss.protocols.stressors.scenario.information_flow import FACTORIAL, Unbuildable, build
from percuss.protocols.stressors.scenario.scenario_lint import lint
from percuss.protocols.stressors.scenario.vignettes import Authored, Fact, Vignette
from percuss.protocols.stressors.scenario.wording import coverage
from percuss.text.quantities import missing, quantities
from percuss.text.quotes import locate

__all__ = ["COMMANDS", "PrepareOptions", "prepare", "schema", "vignette_of"]

_KINDS = ("history", "medication", "vital", "exam", "lab", "imaging", "pathology", "procedure", "functional")
_OBJECTIVE = frozenset({"lab", "imaging", "pathology", "procedure", "functional"})
_MAX_TOKENS = 6_000
_LONGEST = 60_000
"""Characters of a case; a longer text is no case report."""
SAME_WORDS = 0.6
"""Share of a fact's content words that its quotation must hold."""


class PrepareOptions(Record):
    """Settings of `percuss stressors prepare`."""

    source: Annotated[str, Meta(description="Text file with one case report.")]
    out: Annotated[
        str, Meta(description="Vignette file to write (JSONL); the source's name with .jsonl unless given.")
    ] = ""


async def prepare(options: PrepareOptions, session: Session) -> CommandResult:
    """Write a vignette file of a free-text case, and return what was made in one sentence.

    Args:
        options: source and target. session: its role `builder` splits the text.

    Raises:
        BadInput: no such file, no text, or a reply that makes no well-formed vignette, with the reason.
        UsageError: no role `builder`.
    """
    roles = session.roles
    model = roles.models.get("builder")
    if model is None:
        raise UsageError(
            "stressors prepare needs a model that splits the text; name one with --role builder=MODEL"
        )
    path = Path(options.source)
    text = await asyncio.to_thread(_case, path)
    request = Request(
        messages=(
            Message.of("user", fill(prompt(StressorsOptions(), "prepare"), {"text": neutralise(text)})),
        ),
        max_tokens=_MAX_TOKENS,
        seed=seeds.derive(roles.seed, "prepare", model.id),
        reply_schema=schema(),
    )
    target = _target(options)
    if session.dry_run:
        told = f"would ask {model.id} once, {len(text):,} characters of {path.name}, and write {target}"
        return CommandResult(told, data={"calls": 1, "characters_in": len(request.messages[0].text)})
    (reply,) = await session.each([request], model.generate)
    found = last_object(reply.text, "facts")
    if found is None:
        raise BadInput(
            "the model's reply holds no JSON object with `facts`; try another model", source=path.name
        )
    vignette, dropped = vignette_of(found, text, path.stem)
    _require(vignette, path.name, roles.seed)
    await asyncio.to_thread(_write, target, msgspec.json.encode(vignette) + b"\n")
    graded = len(vignette.authored)
    said = f"{target}: {len(vignette.facts)} facts, {graded} contradictions of grade model; {dropped} items dropped, their words stand nowhere in the text"
    data = {"facts": len(vignette.facts), "contradictions": graded, "dropped": dropped}
    return CommandResult(said, files=(target,), data=data)


def _target(options: PrepareOptions) -> Path:
    return Path(options.out) if options.out else Path(options.source).with_suffix(".jsonl")


def _case(path: Path) -> str:
    if not path.is_file():
        raise BadInput(f"no file at {str(path)!r}; give a text file with one case report")
    text = path.read_text(encoding="utf-8", errors="replace").strip()
    if not 0 < len(text) <= _LONGEST:
        raise BadInput(
            f"{len(text):,} characters; one case report of at most {_LONGEST:,} was expected",
            source=path.name,
        )
    return text


def _write(target: Path, data: bytes) -> None:
    part = target.with_name(target.name + ".part")
    part.write_bytes(data)
    part.replace(target)


def schema() -> dict[str, Any]:
    """Return the JSON Schema of the reply."""
    text: dict[str, Any] = {"type": "string"}
    flag: dict[str, Any] = {"type": "boolean"}
    fact = {
        "quote": text, "text": text, "kind": {"type": "string", "enum": list(_KINDS)}, "group": text, "label": text,
        "value": text, "key": flag, "askable": flag,
    }  # fmt: skip
    contradiction = {"fact": {"type": "integer"}, "original": text, "flipped": text, "injected": text}
    whole = {
        "demographics": text, "opening": text, "diagnosis": text, "aliases": _list(text), "differential": _list(text),
        "facts": _list(_object(fact)), "contradictions": _list(_object(contradiction)),
    }  # fmt: skip
    return _object(whole)


def _list(of: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": of}


def _object(fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def vignette_of(found: dict[str, Any], text: str, name: str) -> tuple[Vignette, int]:
    """Return the vignette that a reply makes, and how many of its items were dropped.

    Args:
        found: the reply's object. text: the case as it stands. name: id of the vignette.

    A fact stays only if its quotation stands in the text, holds most of its words, and all of its numbers; a
    contradiction only if it differs from its fact in exactly the words that it says it turns round.

    Raises:
        BadInput: demographics, opening or diagnosis are missing.
    """
    for field in ("demographics", "opening", "diagnosis"):
        if not isinstance(found.get(field), str) or not found[field].strip():
            raise BadInput(f"the model's reply has no `{field}`; try another model")
    facts: dict[int, Fact] = {}
    rows = [row for row in found.get("facts") or () if isinstance(row, dict)]
    for number, row in enumerate(rows, start=1):
        if (fact := _fact(number, row, text)) is not None:
            facts[number] = fact
    given = [row for row in found.get("contradictions") or () if isinstance(row, dict)]
    authored = [each for row in given if (each := _contradiction(row, facts)) is not None]
    vignette = Vignette(
        id=f"{name}-{digest(text.encode())[:8]}",
        cluster=name,
        demographics=found["demographics"].strip(),
        opening=found["opening"].strip(),
        facts=tuple(facts.values()),
        diagnosis=found["diagnosis"].strip(),
        aliases=tuple(str(a) for a in found.get("aliases") or ()),
        accepted_differential=tuple(str(a) for a in found.get("differential") or ()),
        authored=tuple(authored),
    )
    return vignette, len(rows) - len(facts) + len(given) - len(authored)


def _fact(number: int, row: dict[str, Any], text: str) -> Fact | None:
    quote, said, kind = (str(row.get(key, "")).strip() for key in ("quote", "text", "kind"))
    place = locate(quote, text) if len(quote) > 3 else None
    if place is None or kind not in _KINDS or not said:
        return None
    if coverage(said, quote) < SAME_WORDS or missing(said, [quote]):
        return None
    value = str(row.get("value", "")).strip()
    one = quantities(value)
    return Fact(
        id=f"f{number}",
        text=said,
        kind=kind,  # type: ignore[arg-type]
        group=str(row.get("group") or kind).strip(),
        label=str(row.get("label", "")).strip(),
        value=value,
        number=float(one[0].value) if len(one) == 1 else None,
        unit=(one[0].unit or None) if len(one) == 1 else None,
        source_path=f"text[{place.start}:{place.stop}]",
        objective=kind in _OBJECTIVE,
        key_score=3 if row.get("key") else 0,
        askable=bool(row.get("askable")) and kind not in _OBJECTIVE,
    )


def _contradiction(row: dict[str, Any], facts: dict[int, Fact]) -> Authored | None:
    fact = facts.get(row["fact"]) if isinstance(row.get("fact"), int) else None
    original, flipped, injected = (
        str(row.get(key, "")).strip() for key in ("original", "flipped", "injected")
    )
    if fact is None or not original or not flipped or original.lower() == flipped.lower():
        return None
    if fact.text.count(original) != 1 or fact.text.replace(original, flipped).rstrip(".") != injected.rstrip(
        "."
    ):
        return None
    return Authored(
        fact_id=fact.id, original=original, flipped=flipped, injected=injected, rule="model", grade="model"
    )


def _require(vignette: Vignette, source: str, seed: int) -> None:
    for arm in FACTORIAL:
        try:
            faults = lint(vignette, build(vignette, arm, seed))
        except Unbuildable as error:
            raise BadInput(f"no well-formed scenario: {error}", source=source) from None
        if faults:
            raise BadInput(f"no well-formed scenario: {faults[0].check}: {faults[0].found}", source=source)


COMMANDS = {
    "prepare": Command(
        PrepareOptions,
        prepare,
        "Split a free-text case into a vignette file; --role builder=MODEL does it.",
        output=_target,
    )
}
