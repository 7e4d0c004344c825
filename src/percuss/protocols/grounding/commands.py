"""`percuss grounding calibrate FILE`: thresholds of a verifier, learned on claims that people labelled."""

import asyncio
import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from percuss.core.errors import BadInput, UsageError
from percuss.core.ids import b2
from percuss.core.ports import Session
from percuss.core.protocol import Command, CommandResult
from percuss.core.strict import Record
from percuss.core.verifying import Verification, Verifier
from percuss.evidence.packet import Packet
from percuss.judging.verifiers.thresholds import RISKS, Labelled, Thresholds, calibrate, label_of
from percuss.judging.verifiers.windows import WINDOW_WORDS, verify_in_windows
from percuss.protocols.grounding.premises import premises
from percuss.protocols.grounding.verifying import CHAT_WORDS

__all__ = ["COMMANDS", "CalibrateOptions", "Row", "counts_of", "rows_of"]

LABELS = {"supported": True, "unsupported": False, "contradicted": False, "absent": False}


class CalibrateOptions(Record):
    """Settings of `percuss grounding calibrate`."""

    source: Annotated[
        str,
        Meta(
            description="JSONL of labelled claims: `claim`, `label` (supported, unsupported), `packet` or `evidence`, `case`."
        ),
    ]
    name: Annotated[
        str, Meta(description="What labels are then `calibrated on`; default: the file's name.")
    ] = ""
    risk: Annotated[
        float,
        Meta(
            description="Mean share per case of claims wrongly called supported that is promised; half of it for unsupported.",
            gt=0,
            lt=0.5,
        ),
    ] = RISKS["supported"]


class Row(Record):
    """A labelled claim: the case that promises are kept by, the statement, its evidence, whether it is supported."""

    case: str
    claim: str
    packet: Packet
    supported: bool


def rows_of(path: Path) -> list[Row]:
    """Return the labelled claims of a file; those with another label than supported or unsupported are left aside.

    Raises:
        BadInput: no such file, or a line without claim, label or evidence.
    """
    if not path.is_file():
        raise BadInput("no such file; expected JSONL of labelled claims", source=str(path))
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            held: dict[str, Any] = json.loads(line)
            packet = _packet(held)
            label, claim = str(held["label"]), str(held["claim"])
        except (ValueError, KeyError, TypeError, msgspec.ValidationError) as error:
            raise BadInput(
                f"line {number}: {error}; expected an object with claim, label, and packet or evidence",
                source=path.name,
            ) from None
        if label in LABELS:
            case = str(held.get("case") or b2(msgspec.to_builtins(packet)))
            found.append(Row(case=case, claim=claim, packet=packet, supported=LABELS[label]))
    return found


def counts_of(rows: Sequence[Row], read: Sequence[Verification], learned: Thresholds) -> dict[str, int]:
    """Return how the labels that thresholds give stand to people's: by true class, right, wrong and undecided.

    Args:
        rows, read: claims and what the verifier said of each. learned: thresholds.
    """
    counts: dict[str, int] = defaultdict(int)
    for row, one in zip(rows, read, strict=True):
        label, _ = label_of(one, learned)
        true = "supported" if row.supported else "unsupported"
        counts[true] += 1
        counts[
            f"{true} undecided" if label is None else f"{true} {'right' if label == true else 'wrong'}"
        ] += 1
    return dict(counts)


def _packet(held: dict[str, Any]) -> Packet:
    if "packet" in held:
        return msgspec.convert(held["packet"], Packet, strict=False)
    text = held["evidence"]
    return Packet.of_text(*(text if isinstance(text, list) else [text]))


async def _calibrate(options: CalibrateOptions, session: Session) -> CommandResult:
    verifier = session.roles.verifier
    if verifier is None:
        raise UsageError(
            "grounding calibrate needs a verifier; name one with --role verifier=MODEL or onnx:PATH"
        )
    path = Path(options.source)
    rows = await asyncio.to_thread(rows_of, path)
    cases: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        cases[row.case].append(row)
    if session.dry_run:
        said = f"would read {len(rows)} claims of {len(cases)} cases with {verifier.id}"
        return CommandResult(said, data={"claims": len(rows), "cases": len(cases)})
    read = await session.each(cases.values(), lambda held: _read(verifier, held))
    pairs = [
        pair for held, said in zip(cases.values(), read, strict=True) for pair in zip(held, said, strict=True)
    ]
    labelled = [Labelled(case=row.case, supported=row.supported, read=one) for row, one in pairs]
    learned = calibrate(
        labelled,
        source=options.name or path.stem,
        supported_risk=options.risk,
        unsupported_risk=options.risk / 2,
    )
    counts = counts_of([row for row, _ in pairs], [one for _, one in pairs], learned)
    return CommandResult(
        _said(verifier.id, learned, counts),
        data={"verifier": verifier.id, "thresholds": msgspec.to_builtins(learned), "counts": counts},
    )


async def _read(verifier: Verifier, held: Sequence[Row]) -> tuple[Verification, ...]:
    words = WINDOW_WORDS if verifier.at_once else CHAT_WORDS
    return await verify_in_windows(
        verifier, [row.claim for row in held], premises(held[0].packet), words=words
    )


def _said(verifier: str, learned: Thresholds, counts: dict[str, int]) -> str:
    n = counts.get("supported", 0) + counts.get("unsupported", 0)
    head = f"{verifier}: {n} claims of {learned.cases} cases"
    if learned.supported is None and learned.unsupported is None:
        return f"{head}; no threshold keeps its promise at level 0.05, so its word is no label (more cases, or a larger --risk)"
    yes, no = ("-" if p is None else f"{p:g}" for p in (learned.supported, learned.unsupported))
    lines = [
        f"{head}; the promise holds at level 0.05 for cases like these, elsewhere labels are calibrated on them"
    ]
    for true in ("supported", "unsupported"):
        right, wrong, left = (counts.get(f"{true} {word}", 0) for word in ("right", "wrong", "undecided"))
        lines.append(
            f"{true}: {right} right, {wrong} wrong, {left} undecided (on the claims that they were learned on)"
        )
    lines.append(f"use: percuss check RUN --role verifier=.. --set thresholds='{yes}/{no}@{learned.source}'")
    return "\n".join(lines)


COMMANDS = {
    "calibrate": Command(
        CalibrateOptions,
        _calibrate,
        "Learn a verifier's thresholds on labelled claims, with a guarantee by case.",
    ),
}
