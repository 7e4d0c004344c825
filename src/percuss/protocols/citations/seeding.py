"""Seed questions made by a model from abstracts or guideline texts: `percuss citations seeds` (papers/2 section 4.1)."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from percuss.core.errors import BadInput, ModelError, OverBudget, UsageError
from percuss.core.messages import Message, Request
from percuss.core.ports import Session
from percuss.core.prompts import fill, neutralise
from percuss.core.protocol import CommandResult
from percuss.core.strict import Record
from percuss.exchange.rows import rows
from percuss.judging.judge import last_object
from percuss.protocols.citations.options import PROMPTS
from percuss.protocols.citations.references.titles import title_words

__all__ = ["SeedOptions", "seeds", "usable"]

LONGEST, TOKENS, MOST_TEXT = 60, 700, 24_000
SCHEMA = {
    "type": "object",
    "properties": {"questions": {"type": "array", "items": {"type": "string"}}},
    "required": ["questions"],
    "additionalProperties": False,
}


class SeedOptions(Record):
    """Settings of `percuss citations seeds`."""

    documents: Annotated[
        str, Meta(description="Table with a column abstract or guideline_text; title, doi where known.")
    ]
    out: Annotated[str, Meta(description="JSONL file that the questions are written to.")] = "seeds.jsonl"
    count: Annotated[int, Meta(description="Questions per document.", ge=1, le=20)] = 1


class Made(Record):
    """What came of one document: rows of questions, and why others were left out."""

    rows: tuple[dict[str, Any], ...] = ()
    dropped: tuple[str, ...] = ()


async def seeds(options: SeedOptions, session: Session) -> CommandResult:
    """Write seed questions; each is open, stands alone, and names neither the document nor its title.

    Args:
        options: the documents. session: `roles.models["builder"]` writes the questions.

    Raises:
        UsageError: no builder. BadInput: a row without a text.
    """
    documents = [_document(row, options.documents, line) for line, row in rows(Path(options.documents))]
    if session.dry_run:
        return CommandResult(
            text=f"would ask the builder for {options.count} questions on each of {len(documents)} documents"
        )
    builder = session.roles.models.get("builder")
    if builder is None:
        raise UsageError("seeds needs a model that writes questions; expected --role builder=MODEL")
    template = (PROMPTS / "seed_questions.md").read_text(encoding="utf-8")

    async def one(document: Mapping[str, str]) -> Made:
        fields = {"document": neutralise(document["text"][:MOST_TEXT]), "count": str(options.count)}
        request = Request(
            messages=(Message.of("user", fill(template, fields)),), max_tokens=TOKENS, seed=session.roles.seed,
            reply_schema=SCHEMA,
        )  # fmt: skip
        try:
            reply = await builder.generate(request)
        except OverBudget:
            raise
        except ModelError as error:
            return Made(dropped=(f"{document['id']}: {error}",))
        return _made(reply.text, document, options.count)

    made = await session.each(documents, one)
    return _written(made, Path(options.out), len(documents))


def _document(row: Mapping[str, Any], file: str, line: int) -> dict[str, str]:
    kind = next((name for name in ("guideline_text", "abstract") if row.get(name)), None)
    if kind is None:
        raise BadInput("has no text; expected a column abstract or guideline_text", source=file, line=line)
    held = {name: str(row[name]) for name in ("title", "doi") if row.get(name)}
    return {"id": str(row.get("id") or f"row-{line}"), "kind": kind, "text": str(row[kind]), **held}


def _made(reply: str, document: Mapping[str, str], count: int) -> Made:
    found = last_object(reply, "questions")
    listed = found["questions"] if found is not None else None
    if not isinstance(listed, list):
        return Made(dropped=(f"{document['id']}: the reply is no list of questions",))
    kept, dropped = list[dict[str, Any]](), list[str]()
    for question in dict.fromkeys(" ".join(str(each).split()) for each in listed[:count]):
        reason = usable(question, document)
        if reason:
            dropped.append(f"{document['id']}: {reason}: {question[:80]}")
        else:
            kept.append(_row(question, document, len(kept) + 1))
    return Made(rows=tuple(kept), dropped=tuple(dropped))


def _row(question: str, document: Mapping[str, str], number: int) -> dict[str, Any]:
    guideline = document["kind"] == "guideline_text"
    return {
        "id": f"{document['id']}-q{number}",
        "question" if guideline else "research_question": question,
        "domain": "medical_guidelines" if guideline else "research_questions",
        **{name: document[name] for name in ("title", "doi") if name in document},
        document["kind"]: document["text"],
    }


def usable(question: str, document: Mapping[str, str]) -> str:
    """Return why a question can't be a seed; "" where it can.

    Args:
        question: as a model wrote it. document: `text` and, where known, `title`.
    """
    if not question.endswith("?"):
        return "is no question"
    if len(question.split()) > LONGEST:
        return f"has more than {LONGEST} words"
    if re.match(r"(?:is|are|was|were|does|do|did|can|should|has|have|will)\b", question, re.IGNORECASE):
        return "can be answered by yes or no"
    title = set(title_words(document.get("title", "")))
    if re.search(
        r"\b(?:this|the) (?:paper|study|abstract|document|guideline|article|text|authors?)\b",
        question,
        re.IGNORECASE,
    ):
        return "names the document"
    if len(title) > 3 and title <= set(title_words(question)):
        return "holds the title"
    return ""


def _written(made: tuple[Made, ...], out: Path, documents: int) -> CommandResult:
    held = [row for each in made for row in each.rows]
    dropped = [reason for each in made for reason in each.dropped]
    out.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in held))
    said = [
        f"{len(held)} questions on {documents} documents written to {out.name}; {len(dropped)} left out",
        *dropped[:20],
        f"they have no later questions: percuss run citations --cases {out.name} --followups live --role user=MODEL, or --turns 1",
    ]
    return CommandResult(
        text="\n".join(said),
        exit_code=0 if held else 1,
        files=(out,),
        data={"written": len(held), "dropped": dropped},
    )
