"""Facts put into words by a model before a certificate is made: asked once, kept in the journal, priced before."""

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from percuss.core.errors import ModelError
from percuss.core.messages import Request, Text
from percuss.core.ports import Roles
from percuss.core.price import Price
from percuss.core.protocol import Options, Protocol
from percuss.core.records import Record, Scoring
from percuss.engine.budget import CHARACTERS_A_TOKEN
from percuss.engine.pool import each
from percuss.engine.uses import Player, collecting
from percuss.store import RunStore
from percuss.store.responses import Use

__all__ = ["ROLE", "Verbalised", "price_of_words", "verbalise"]

ROLE = "verbaliser"
Asked = Sequence[tuple[str, Request]]


class Verbalised(Record):
    """What a verbaliser said, by the name of what it was asked, and the calls that this took."""

    replies: dict[str, str] = {}
    uses: tuple[Use, ...] = ()


def price_of_words(
    store: RunStore, protocol: Protocol[Any], options: Options, *, roles: Roles, scoring: Scoring, seed: int, price: Price | None
) -> str:  # fmt: skip
    """Return in one sentence what is asked of the verbaliser and costs at the most; "" where none takes part.

    Args:
        store, protocol, options, roles, scoring, seed: as in `verbalise`. price: of the verbaliser; None where none is known.
    """
    asked = _asked(store, protocol, options, roles, scoring, seed)
    if not asked:
        return ""
    letters = sum(
        len(part.text)
        for _, request in asked
        for message in request.messages
        for part in message.parts
        if isinstance(part, Text)
    )
    said = "; no price is known for it"
    if price is not None:
        out = sum(request.max_tokens for _, request in asked)
        usd = (price.usd_in * letters / CHARACTERS_A_TOKEN + price.usd_out * out) / 1e6
        said = f", at most {usd:.2f} USD"
    return (
        f"verbaliser {roles.models[ROLE].id}: {len(asked):,} facts, one call each; the journal answers those made before"
        f"{said}"
    )


async def verbalise(
    store: RunStore, protocol: Protocol[Any], options: Options, *, roles: Roles, scoring: Scoring, seed: int, workers: int
) -> Verbalised:  # fmt: skip
    """Ask the role `verbaliser` for one sentence a fact; nothing where nobody plays it.

    Args:
        store: the run. protocol, options: what is asked. roles: who plays. scoring: that is certified. seed: root seed.
        workers: calls at a time.

    A call that fails is one sentence less; the same command goes on where it was.
    """
    asked = _asked(store, protocol, options, roles, scoring, seed)
    if not asked:
        return Verbalised()
    player = Player(roles.models[ROLE], ROLE)

    async def one(item: tuple[str, Request]) -> tuple[str, str | None, tuple[Use, ...]]:
        with collecting() as collected:
            try:
                text: str | None = (await player.generate(item[1])).text
            except ModelError:
                text = None
        return item[0], text, collected.uses()

    found = await each(asked, one, workers=workers)
    return Verbalised(
        replies={name: text for name, text, _ in found if text is not None},
        uses=tuple(dict.fromkeys(use for _, _, uses in found for use in uses)),
    )


def _asked(
    store: RunStore, protocol: Protocol[Any], options: Options, roles: Roles, scoring: Scoring, seed: int
) -> Asked:
    room = f"{protocol.module}.certificate"
    if ROLE not in roles.models or protocol.seeded is None or find_spec(room) is None:
        return ()
    asked = getattr(import_module(room), "asked", None)
    return () if asked is None else tuple(asked(store.view(scoring.id), options, seed))
