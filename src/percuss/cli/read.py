"""`percuss read CLAIM --evidence FILE`: one claim against one piece of evidence."""

import sys
from pathlib import Path
from typing import Any

import click

__all__ = ["command"]


@click.command()
@click.argument("claim")
@click.option(
    "--evidence",
    "file",
    required=True,
    metavar="FILE",
    help="Text, or JSON of nested facts or a packet; - reads standard input.",
)
@click.option(
    "--question", default="", metavar="TEXT", help="What was asked: what it says is given, not claimed."
)
@click.option("--json", "as_json", is_flag=True, help="As JSON on standard output, and nothing else there.")
def command(claim: str, file: str, question: str, *, as_json: bool) -> int:
    """Say whether evidence supports one claim, and what that hangs on."""
    import msgspec

    from percuss.api.one_claim import in_another_language, read

    evidence, left = _packet(_evidence(file))
    result = read(claim, evidence, question=question)
    if as_json:
        click.echo(msgspec.json.encode(result))
        return 0
    click.echo(f"{result.label}: {result.reason}")
    for hang in result.hangs_on:
        stands = f"  [{hang.path} = {hang.value}]" if hang.path else f"  [{hang.value}]" if hang.value else ""
        click.echo(f"  {hang.text!r} {hang.outcome}: {hang.reason}{stands}")
    if left:
        click.echo(f"Left out of the evidence: {left}.", err=True)
    other = in_another_language(claim, evidence)
    kind = f"in {other}" if other else "of this kind"
    click.echo(
        result.read_right.sentence
        if result.read_right
        else f"{result.reader} has not been measured on text {kind}."
    )
    return 0


def _packet(held: Any) -> tuple[Any, str]:
    """Return evidence as a packet, and what of a FHIR Bundle no reader knows, by count."""
    from percuss.api.one_claim import packet_from
    from percuss.exchange.entries import Notes
    from percuss.exchange.fhir import packet_of_fhir

    if not (isinstance(held, dict) and isinstance(held.get("resourceType"), str)):
        return packet_from(held), ""
    notes = Notes(layout="FHIR")
    packet = packet_of_fhir(held, notes)
    return packet, ", ".join(f"{count} {what}" for what, count in notes.left_out.items())


def _evidence(file: str) -> Any:
    """Return the evidence of a file: JSON where it is JSON, else text; a packet written by `msgspec` is one."""
    import msgspec

    from percuss.core.errors import BadInput
    from percuss.evidence.packet import Packet

    try:
        raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        text = raw.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(
            f"{file}: {getattr(error, 'strerror', None) or 'is not UTF-8 text'}; give a text or JSON file"
        ) from None
    if text.lstrip()[:1] not in {"{", "["}:
        return text
    try:
        held = msgspec.json.decode(text)
    except msgspec.DecodeError as error:
        if file.endswith(".json"):
            raise BadInput(f"{file}: is no JSON ({error}); mend it, or give it as a text file") from None
        return text
    if (
        isinstance(held, dict)
        and isinstance(held.get("facts"), list)
        and set(held) <= {"facts", "texts", "layers"}
    ):
        return msgspec.convert(held, Packet)
    return held
