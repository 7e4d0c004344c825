"""Later questions of an earlier run, asked again: conversations of two runs are paired only where their questions are the same."""

from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import structs

from percuss.core.errors import UsageError
from percuss.core.records import Case
from percuss.protocols.citations.arms import CLOSED
from percuss.protocols.citations.case import reading
from percuss.protocols.citations.options import CitationsOptions, prompt
from percuss.store import RunStore

__all__ = ["replayed", "with_follow_ups"]


def replayed(run: Path) -> Mapping[str, tuple[str, ...]]:
    """Return case -> the later questions of a run's `closed_book`, as its first model was asked them.

    Args:
        run: folder of a run of this protocol.

    Raises:
        UsageError: it is of another protocol. RunError: there is no run.
    """
    with RunStore.open(run) as store:
        held = store.manifest()
        if held["identity"]["protocol"] != "citations":
            raise UsageError(
                f"--replay got a run of {held['identity']['protocol']}; expected one of citations"
            )
        prompts = held.get("options", {}).get("prompts", {})
        options = CitationsOptions(prompts=prompts)
        said: dict[str, tuple[str, ...]] = {}
        for scored in store.view("").assessed(arm=CLOSED):
            turns = [turn.text for turn in scored.response.turns if turn.role == "user"]
            if scored.response.status == "done" and scored.case.id not in said:
                cite = prompt(options, f"cite_{reading(scored.case).domain}").strip()
                said[scored.case.id] = tuple(text.strip().removesuffix(cite).strip() for text in turns)
    return said


def with_follow_ups(case: Case, said: Mapping[str, tuple[str, ...]], options: CitationsOptions) -> Case:
    """Return a case with the later questions of an earlier run.

    Raises:
        UsageError: that run did not ask it, or asked fewer.
    """
    inquiry = reading(case)
    held = said.get(case.id, ())
    if len(held) < options.turns - 1:
        raise UsageError(
            f"--replay: that run asked {len(held)} later questions of {case.id}, expected {options.turns - 1}; "
            "name a run that asked all of these questions, or --turns"
        )
    made = structs.replace(inquiry, follow_ups=held)
    return structs.replace(case, payload=msgspec.to_builtins(made))
