"""The gold of a shared task: split from what is public, and committed by hash before anybody submits."""

import hashlib
import json
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from percuss.core import seeds
from percuss.core.errors import BadInput
from percuss.core.strict import Record
from percuss.protocols.textbook.items.item import TYPES, Item

__all__ = ["COMMITMENT", "Commitment", "commitment_of", "kept_promise", "question_row", "split_items"]

COMMITMENT, SALT = "commitment.json", "salt.txt"
_GOLD = ("answer", "answers", "explanation", "wrong_step", "provenance", "twin")


class Commitment(Record):
    """What is published before submissions open: it fixes the gold and tells nothing of it.

    Args:
        sha256: of salt and gold. n, by_type: how many items. made_at: date and time, UTC.
    """

    sha256: str
    n: int
    by_type: dict[str, int]
    made_at: str


def split_items(items: Sequence[Item], private: float, seed: int) -> tuple[list[Item], list[Item]]:
    """Return public and private items: whole passages, the share private within each type as near as passages allow.

    Args:
        items: of the set. private: share, 0 to 1. seed: of the draw.
    """
    passages = list(dict.fromkeys(item.passage or item.id for item in items))
    order = [passages[int(at)] for at in seeds.generator(seed, "split").permutation(len(passages))]
    hidden = set(order[: round(private * len(order))])
    kept = [item for item in items if (item.passage or item.id) not in hidden]
    return kept, [item for item in items if (item.passage or item.id) in hidden]


def question_row(item: Item) -> dict[str, Any]:
    """Return what teams get of a private item: nothing of its gold, nor its passage."""
    row: dict[str, Any] = msgspec.to_builtins(item)
    held = {
        key: value for key, value in row.items() if key not in _GOLD and value not in ("", (), [], {}, None)
    }
    unsaid = {"passage", "source", "reference"}
    if (
        item.type != "multi_hop_inverse"
    ):  # there the steps are what is asked about; elsewhere they lead to the answer
        unsaid.add("reasoning")
    return {key: value for key, value in held.items() if key not in unsaid}


def commitment_of(items: Sequence[Item], salt: str, made_at: str) -> Commitment:
    """Return the commitment to a gold.

    Args:
        items: in any order. salt: secret until the gold is published; without it a small gold could be guessed.
        made_at: date and time, UTC.
    """
    held = sorted(items, key=lambda item: item.id)
    text = json.dumps([msgspec.to_builtins(item) for item in held], sort_keys=True, ensure_ascii=False)
    digest = hashlib.sha256(f"{salt}\n{text}".encode()).hexdigest()
    counts: dict[str, int] = {kind: n for kind in TYPES if (n := sum(item.type == kind for item in held))}
    return Commitment(sha256=digest, n=len(held), by_type=counts, made_at=made_at)


def new_salt() -> str:
    """Return a salt that nobody can guess."""
    return secrets.token_hex(32)


def kept_promise(folder: Path, items: Sequence[Item]) -> bool | None:
    """Say whether a gold is the one committed to; None where no commitment or salt lies beside it.

    Args:
        folder: of the gold, with salt.txt; the commitment lies in it or above it. items: the gold as read.

    Raises:
        BadInput: the commitment can't be read.
    """
    place = next((each for each in (folder / COMMITMENT, folder.parent / COMMITMENT) if each.is_file()), None)
    if place is None or not (folder / SALT).is_file():
        return None
    try:
        promised = msgspec.json.decode(place.read_bytes(), type=Commitment)
    except msgspec.MsgspecError as error:
        raise BadInput(f"is no commitment: {error}", source=place.name) from None
    salt = (folder / SALT).read_text(encoding="utf-8").strip()
    return commitment_of(items, salt, promised.made_at).sha256 == promised.sha256
