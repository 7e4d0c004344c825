"""Model cards: what a model's maker states of it (papers/2, Table 6), from the user's file; what nobody states is "not stated"."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from percuss.core.errors import BadInput
from percuss.core.strict import Record

__all__ = ["CARDS", "NOT_STATED", "STATED", "Card", "chosen_cards", "in_words", "read_cards"]

CARDS = "model_cards"
"""Key of the manifest: model id -> what its card states."""
NOT_STATED = "not stated"
STATED = ("reasoning_effort", "knowledge_cutoff", "released", "weights")
"""Columns of Table 6, and whether the weights are open."""


class Card(Record):
    """What is stated of a model, in the words of whoever states it; "" is not stated.

    Args:
        reasoning_effort: with which it was asked, such as `medium (default)`. knowledge_cutoff, released: dates.
        weights: open or closed. source: where that is stated, such as an address.
    """

    reasoning_effort: str = ""
    knowledge_cutoff: str = ""
    released: str = ""
    weights: str = ""
    source: str = ""


def read_cards(path: Path) -> Mapping[str, Card]:
    """Read a file of cards: `{"openai/gpt-5": {"knowledge_cutoff": "2024-09-30", ..}, ..}`.

    Raises:
        BadInput: cannot be read, or is no such file.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Card])
    except OSError as error:
        raise BadInput(
            f"cannot be read ({error.strerror}); expected a file of model cards", source=str(path)
        ) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        fields = ", ".join(f'"{name}"' for name in Card.__struct_fields__)
        raise BadInput(
            f'{error}; expected {{"MODEL": {{..}}, ..}} with texts under some of {fields}', source=str(path)
        ) from None


def chosen_cards(path: Path, models: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return the cards of some models, as a manifest keeps them.

    Args:
        path: of the user's file. models: as they were named; what follows a `?` says how to load them.

    Raises:
        BadInput: the file cannot be read, or has a card of none of them.
    """
    cards = read_cards(path)
    names = list(dict.fromkeys(model.partition("?")[0] for model in models))
    held = {name: msgspec.to_builtins(cards[name]) for name in names if name in cards}
    if not held:
        raise BadInput(
            f"has no card of {' or '.join(names)}; expected model names as in this run", source=str(path)
        )
    return held


def in_words(card: Mapping[str, Any] | None) -> dict[str, str]:
    """Return the columns of a model's card, what is not stated said so.

    >>> in_words({"released": "2025-08-07"})["weights"]
    'not stated'
    """
    return {name: (card or {}).get(name) or NOT_STATED for name in STATED}
