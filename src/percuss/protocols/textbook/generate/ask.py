"""Ask for a question by its schema; an invalid one is asked for again, and what was invalid is kept with its faults."""

from typing import Any

import msgspec

from percuss.core.ports import Roles
from percuss.core.prompts import fill, neutralise
from percuss.core.records import Message, Posed, Reply, Transcript, Turn
from percuss.core.seeds import derive
from percuss.judging.judge import last_object
from percuss.kit import request_of, turn_of
from percuss.protocols.textbook.generate.options import GenerateOptions
from percuss.protocols.textbook.generate.schemas import DISTRACTORS, item_from, schema_of
from percuss.protocols.textbook.items.item import Item
from percuss.protocols.textbook.items.valid import faults
from percuss.protocols.textbook.scoring.normal import normal

__all__ = ["ask"]

WRONG_OPTIONS = 3


async def ask(posed: Posed, roles: Roles, options: GenerateOptions) -> Transcript:
    """Ask for one question until it is valid, `1 + resamples_of_item` times at the most.

    Args:
        posed: passage and type in its script. roles: `models["model"]`; each try has a seed of its own. options: policy.

    The turns are all tries in order, the last one counts; artifacts hold its item, its faults and those of earlier tries.
    """
    turns: list[Turn] = []
    kept: list[list[str]] = []
    item: Item | None = None
    reply: Reply | None = None
    for number in range(1 + options.resamples_of_item):
        seed = roles.seed if number == 0 else derive(roles.seed, "resample", number)
        request = request_of(
            posed.messages,
            posed,
            options,
            seed=seed,
            reply_schema=schema_of(posed.script["type"], posed.script["truth"]),
        )
        reply = await roles.models["model"].generate(request)
        turns.append(turn_of(len(turns), reply))
        item, found = _read(reply, posed.script)
        kept.append(found)
        if not found or reply.finish == "refused":
            break
    if item is not None and not kept[-1] and options.distractors and item.type in {"multiple_choice", "list"}:
        item = await _stronger(item, posed, roles, options)
    artifacts: dict[str, Any] = {"attempts": len(kept), "faults": kept}
    if item is not None:
        artifacts["item"] = msgspec.to_builtins(item)
    return Transcript(
        turns=tuple(turns), finish="stop" if reply is None else reply.finish, artifacts=artifacts
    )


def _read(reply: Reply, script: dict[str, Any]) -> tuple[Item | None, list[str]]:
    if reply.finish == "length":
        return None, ["the reply was cut at the limit of tokens"]
    made = item_from(reply.text, script["type"], passage=script["passage_id"], domain=script["domain"])
    if isinstance(made, str):
        return None, [made]
    return made, list(faults(made, script["passage"]))


async def _stronger(item: Item, posed: Posed, roles: Roles, options: GenerateOptions) -> Item:
    """Return the item with better wrong options, where the reply holds enough that differ from the right ones."""
    right = list(item.answers) or [item.answer]
    wrong = [option for option in item.options if normal(option) not in set(map(normal, right))]
    n = max(WRONG_OPTIONS, len(wrong))
    fields = {
        "passage": neutralise(posed.script["passage"]), "question": item.question, "answer": "; ".join(right), "wrong": "; ".join(wrong),
        "n": str(n),
    }  # fmt: skip
    asked = Message.of("user", fill(posed.script["distractors"], fields))
    request = request_of(
        (asked,), posed, options, seed=derive(roles.seed, "distractors"), reply_schema=DISTRACTORS
    )
    reply = await roles.models["model"].generate(request)
    found = (last_object(reply.text, "options") or {}).get("options", [])
    taken = dict.fromkeys(map(normal, right))
    better = []
    for option in found if isinstance(found, list) else []:
        if isinstance(option, str) and normal(option) and normal(option) not in taken:
            taken[normal(option)] = None
            better.append(option.strip())
    if len(better) < len(wrong):
        return item
    places = iter(better)
    swapped = tuple(
        option if normal(option) in set(map(normal, right)) else next(places) for option in item.options
    )
    made = msgspec.structs.replace(item, options=swapped)
    return item if faults(made, posed.script["passage"]) else made
