"""Content addresses: BLAKE2b-128 in hex over canonical JSON or bytes."""

import hashlib
from typing import Any

import msgspec

__all__ = ["b2", "canonical_json", "claim_id", "digest", "response_id"]

_ENCODER = msgspec.json.Encoder(order="sorted")


def canonical_json(value: Any) -> bytes:
    """Encode a value deterministically: keys sorted, no spaces, UTF-8.

    Args:
        value: anything that msgspec encodes to JSON.
    """
    return _ENCODER.encode(value)


def digest(data: bytes) -> str:
    """Return the BLAKE2b-128 of bytes as 32 hex digits."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def b2(*parts: Any) -> str:
    """Return the id of a tuple of JSON values: BLAKE2b-128 of its canonical JSON, in hex."""
    return digest(canonical_json(parts))


def response_id(model: str, case_id: str, arm: str, epoch: int) -> str:
    """Return the id of what one model said to one case in one arm and epoch."""
    return b2(model, case_id, arm, epoch)


def claim_id(response: str, turn: int, start: int, stop: int, text: str, key: str = "") -> str:
    """Return the id of a claim, so that a second check finds the same claims.

    Args:
        response: id of the response.
        turn: index of the turn.
        start: first character in the turn's text, 0-based.
        stop: one past the last character.
        text: the claim's text.
        key: what tells two claims of one span apart (`Claim.key`); "" is no part of the id.
    """
    return b2(response, turn, start, stop, text, *([key] if key else []))
