"""From sentences to statements: a sentence that says several things is cut, and each part stands alone."""

from collections.abc import Sequence

from percuss.core.errors import BadReply
from percuss.core.ports import Roles
from percuss.core.records import Claim
from percuss.judging.extract import is_truncated
from percuss.judging.extract_model import cut_by_model, extractor_name
from percuss.text.atoms import SPLITTER, Atom, atoms
from percuss.text.kinds import kinds, primary

__all__ = ["cut"]


async def cut(claims: Sequence[Claim], roles: Roles) -> tuple[Claim, ...]:
    """Return statements in place of sentences: where grammar decides it by rule, where it doesn't by the role `extractor`.

    Args:
        claims: sentences of one response; the unfinished end of a cut reply stays as it is.
        roles: `models["extractor"]` cuts what grammar can't; without it such a statement stays whole.

    A statement stands at its own words; the subject that it shares is put before it in `payload["says"]`.
    """
    model = roles.models.get("extractor")
    name = SPLITTER if model is None else f"{SPLITTER}+{extractor_name(model)}"
    found: list[Claim] = []
    for claim in claims:
        parts = () if is_truncated(claim) else atoms(claim.text)
        for atom in parts or (Atom(claim.text, ((0, len(claim.text)),)),):
            pieces = [atom]
            if atom.uncut and model is not None:
                pieces = await _by_model(atom, claim.text, roles) or pieces
            found.extend(_statement(claim, piece, name) for piece in pieces)
    return tuple(found)


async def _by_model(atom: Atom, sentence: str, roles: Roles) -> list[Atom]:
    """Return the parts that the extractor finds in a statement; none where it can't cut it or its reply can't be read."""
    low, high = atom.own
    shared = " ".join(sentence[a:b].strip() for a, b in atom.spans[:-1])
    try:
        spans = await cut_by_model(sentence[low:high], roles.models["extractor"], seed=roles.seed)
    except BadReply:
        return []
    return [Atom(f"{shared} {sentence[low + a : low + b]}".strip(), ((low + a, low + b),)) for a, b in spans]


def _statement(claim: Claim, atom: Atom, name: str) -> Claim:
    low, high = atom.own
    text = claim.text[low:high]
    held = kinds(atom.text)
    payload = dict(claim.payload) | ({} if atom.text == text else {"says": atom.text})
    return Claim.of(
        claim.response_id,
        turn=claim.turn,
        start=claim.start + low,
        stop=claim.start + high,
        text=text,
        extractor=f"{claim.extractor}+{name}",
        kind=primary(held),
        kinds=held,
        payload=payload,
    )
