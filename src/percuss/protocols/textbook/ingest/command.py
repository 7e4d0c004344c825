"""`percuss textbook ingest FILE.. --out DIR`: books into passages, with the funnel said."""

import asyncio
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from percuss.core.errors import UsageError
from percuss.core.ports import Embedder, Session
from percuss.core.protocol import CommandResult
from percuss.core.strict import Record
from percuss.protocols.textbook.ingest.funnel import Dropped, Funnel, Step, Survivor, sieve
from percuss.protocols.textbook.ingest.heuristics import LINK
from percuss.protocols.textbook.ingest.passage import Paragraph, Passage, paragraphs_of, passage_of
from percuss.protocols.textbook.ingest.readers import books_of, files_of
from percuss.protocols.textbook.ingest.reading import PASSAGES
from percuss.protocols.textbook.ingest.semantic import (
    Calibration,
    Measured,
    calibrated,
    measured,
    semantic_sieve,
)
from percuss.protocols.textbook.ingest.vectors import FILE as VECTORS
from percuss.protocols.textbook.ingest.vectors import embedded

__all__ = ["FUNNEL", "LEFT_OUT", "PASSAGES", "IngestOptions", "ingest"]

FUNNEL, LEFT_OUT = "funnel.json", "left_out.jsonl"
NONE = "none"
DEFAULT = "embedded/minilm-l6-int8"


class IngestOptions(Record):
    """Settings of `percuss textbook ingest`."""

    files: Annotated[
        tuple[str, ...],
        Meta(description="Books, or folders of books: txt, md, html, epub, pdf, cnxml, JSONL of paragraphs."),
    ]
    out: Annotated[str, Meta(description="Folder that passages.jsonl is written to.")] = "passages"
    embedder: Annotated[
        str,
        Meta(description="Embedder of the two heuristics on sentence vectors, or none to leave both out."),
    ] = DEFAULT
    calibrate: Annotated[
        bool, Meta(description="Say what both heuristics keep of real paragraphs and of scrambled ones.")
    ] = False
    link: Annotated[
        float, Meta(description="Cosine from which two sentences are one cluster; per embedder.", ge=0, le=1)
    ] = LINK
    licence: Annotated[str, Meta(description="Licence of books that name none.")] = ""
    domain: Annotated[str, Meta(description="Specialty of these books.")] = ""


async def ingest(options: IngestOptions, session: Session) -> CommandResult:
    """Read books, keep their passages, and say how many paragraphs fell where.

    Args:
        options: files and folder. session: `dry_run` says what would be read; its seed is that of the scramble test.

    Raises:
        BadInput: a file that can't be read. UsageError: an embedder that isn't there.
    """
    files = [file for name in options.files for file in files_of(Path(name))]
    if options.calibrate and options.embedder == NONE:
        raise UsageError("got --calibrate with --embedder none; expected an embedder to calibrate")
    if session.dry_run:
        said = f"would read {len(files)} files and write {PASSAGES}, {FUNNEL} and {LEFT_OUT} to {options.out}"
        return CommandResult(text=said)
    folder = Path(options.out)
    paragraphs = await asyncio.to_thread(_paragraphs, files, options)
    survivors, dropped, steps = await asyncio.to_thread(sieve, paragraphs)
    if options.embedder == NONE:
        off = [
            Step(name=name, came=len(survivors), fell=0, applied=False)
            for name in ("coherence_variance", "semantic_entropy")
        ]
        made = _Made(survivors, {}, list(range(len(survivors))), dropped, [*steps, *off], None)
    else:
        made = await _embedding(survivors, dropped, steps, options, session.roles.seed)
    return await asyncio.to_thread(_written, made, paragraphs, files, options, folder)


class _Made(msgspec.Struct):
    """What came of the funnel."""

    survivors: list[Survivor]
    found: Measured
    kept: list[int]
    dropped: list[Dropped]
    steps: list[Step]
    calibration: Calibration | None


def _paragraphs(files: Sequence[Path], options: IngestOptions) -> list[Paragraph]:
    read = [paragraph for file in files for paragraph in paragraphs_of(books_of(file), file.name)]
    return [p if p.licence else p._replace(licence=options.licence) for p in read]


async def _embedding(
    survivors: list[Survivor], dropped: list[Dropped], steps: list[Step], options: IngestOptions, seed: int
) -> _Made:
    from percuss.models.embeddings import build
    from percuss.net.client import Client

    texts = [text for one in survivors for text in one.sentences]
    async with Client() as client:
        embedder: Embedder = build(options.embedder, client=client)
        vectors = await embedded(texts, embedder, Path(options.out))
    found = await asyncio.to_thread(measured, survivors, vectors, options.link)
    kept, fell, more = semantic_sieve(survivors, found)
    calibration = None
    if options.calibrate and len(survivors) > 1:
        calibration = await asyncio.to_thread(
            lambda: calibrated(survivors, vectors, embedder=embedder.id, seed=seed, link=options.link)
        )
    return _Made(survivors, found, kept, [*dropped, *fell], [*steps, *more], calibration)


def _written(
    made: _Made, paragraphs: Sequence[Paragraph], files: Sequence[Path], options: IngestOptions, folder: Path
) -> CommandResult:
    folder.mkdir(parents=True, exist_ok=True)
    passages = [_passage(made.survivors[at], made.found.get(at), options.domain) for at in made.kept]
    funnel = Funnel(
        read=len(paragraphs), kept=len(passages), steps=tuple(made.steps), embedder="" if options.embedder == NONE else options.embedder,
        files=tuple(file.name for file in files),
    )  # fmt: skip
    _lines(folder / PASSAGES, map(msgspec.to_builtins, passages))
    _lines(folder / LEFT_OUT, (_left_out(each) for each in made.dropped))
    (folder / FUNNEL).write_bytes(msgspec.json.format(msgspec.json.encode(funnel), indent=2) + b"\n")
    data: dict[str, Any] = {"funnel": msgspec.to_builtins(funnel)}
    if made.calibration is not None:
        data["calibration"] = msgspec.to_builtins(made.calibration)
    names = [PASSAGES, FUNNEL, LEFT_OUT, *([VECTORS] if (folder / VECTORS).is_file() else [])]
    text = "\n".join(_told(funnel, made.calibration, folder))
    return CommandResult(text=text, files=tuple(folder / name for name in names), data=data)


def _passage(one: Survivor, found: tuple[float, float] | None, domain: str) -> Passage:
    variance, entropy = (None, None) if found is None else found
    made = passage_of(
        one.paragraph, tokens=one.n_tokens, sentences=len(one.sentences), entity_density=round(one.density, 4),
        coherence_variance=None if variance is None else round(variance, 4), semantic_entropy=None if entropy is None else round(entropy, 4),
    )  # fmt: skip
    return msgspec.structs.replace(made, domain=domain)


def _left_out(each: Dropped) -> dict[str, Any]:
    p = each.paragraph
    return {"source": p.source, "number": p.number, "name": p.name, "section": p.section, "step": each.step, "reason": each.reason, "text": p.text[:160]}  # fmt: skip


def _lines(path: Path, rows: Iterable[Any]) -> None:
    part = path.with_suffix(".part")
    with part.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    part.replace(path)


def _told(funnel: Funnel, calibration: Calibration | None, folder: Path) -> Iterable[str]:
    yield f"{funnel.read:,} paragraphs of {len(funnel.files)} files"
    for step in funnel.steps:
        words = step.name.replace("_", " ")
        if not step.applied:
            yield f"  {words}: left out (--embedder none)"
            continue
        why = ", ".join(f"{reason.replace('_', ' ')} {n:,}" for reason, n in step.reasons.items())
        yield f"  {words}: {step.fell:,} of {step.came:,} fell" + (f" ({why})" if why else "")
    yield f"{funnel.kept:,} passages kept: {folder / PASSAGES}"
    if calibration is not None:
        c = calibration
        yield f"scramble test, {c.n:,} paragraphs, {c.embedder}:"
        yield f"  coherence variance keeps {c.variance_real:.1%} of real ones and {c.variance_scrambled:.1%} of scrambled ones"
        yield f"  semantic entropy keeps {c.entropy_real:.1%} of real ones and {c.entropy_scrambled:.1%} of scrambled ones"
