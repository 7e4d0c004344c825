"""What games a measure, through the whole pipeline, and whether the panel says of it what it must."""

import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace as change

from percuss.core.labels import CERTIFICATE
from percuss.core.ports import Roles
from percuss.core.protocol import Options, Protocol
from percuss.core.records import Case, Scoring
from percuss.core.sections import Panel
from percuss.core.strict import Record
from percuss.engine import stages
from percuss.engine.identity import identity_of
from percuss.engine.journal import Journal, Journaled
from percuss.engine.prompts import load_prompts
from percuss.phantoms.selftest import Outcome, Trap
from percuss.store import RunStore, survey
from percuss.store.scorings import Checked, put_checked

__all__ = ["Certify", "TrapRow", "trapped"]

Certify = Callable[..., Awaitable[int]]
"""`percuss.api.run.certify.certify`."""


class TrapRow(Record):
    """One trap: what it does, what the panel must say, what it says, and whether that is it."""

    name: str
    does: str
    must: str
    says: str
    caught: bool


async def trapped(
    protocol: Protocol[Any],
    traps: Sequence[Trap],
    *,
    seed: int,
    certify: Certify,
    watcher: Callable[[int, int], None] | None = None,
) -> tuple[TrapRow, ...]:
    """Run every trap in a folder that is thrown away.

    Args:
        protocol: the protocol. traps: of its `planting`. seed: root seed of the runs.
        certify: puts seeded statements into a run and has them checked. watcher: hears of (done, total).
    """
    rows = []
    for number, trap in enumerate(traps, 1):
        with tempfile.TemporaryDirectory(prefix="percuss-selftest-") as folder:
            outcome = await _run(protocol, trap, Path(folder) / "run", seed, certify)
        said = trap.found(outcome)
        rows.append(
            TrapRow(name=trap.name, does=trap.does, must=trap.must, says=said.words, caught=said.caught)
        )
        if watcher is not None:
            watcher(number, len(traps))
    return tuple(rows)


async def _run(protocol: Protocol[Any], trap: Trap, folder: Path, seed: int, certify: Certify) -> Outcome:
    options: Options = change(protocol.options(), prompts=load_prompts(protocol.folder), **trap.settings)

    def held() -> Sequence[Case] | Any:
        return iter(trap.cases) if trap.cases else protocol.cases(None, options, seed)

    identity = identity_of(protocol, options, survey(held()), seed=seed)
    with RunStore.create(folder, identity) as store:
        store.add_cases(held(), limit=trap.limit)
        roles = Roles({}, seed=seed, verifier=trap.verifier)
        arms = [arm for arm in protocol.arms(options) if arm.name in trap.arms]
        model = Journaled(trap.model, Journal(store))
        await stages.ask(store, protocol, options, roles=roles, models=[model], arms=arms, limit=trap.limit)
        scoring = await stages.check(store, protocol, options, roles=roles)
        if trap.certify:
            await _certified(store, protocol, options, roles, scoring, trap, seed, certify)
        found = await stages.estimate(store, protocol, options, scoring=scoring.id, seed=seed)
        section = next(s for s in store.sections(scoring.id) if isinstance(s.record, Panel))
        assert isinstance(section.record, Panel)
        return Outcome(found, section.record, section.answer)


async def _certified(
    store: RunStore,
    protocol: Protocol[Any],
    options: Options,
    roles: Roles,
    scoring: Scoring,
    trap: Trap,
    seed: int,
    certify: Certify,
) -> None:
    """Tell the checker what is so, have it certified, and let it err where it may not know that it does."""
    view = store.view(scoring.id)
    if trap.learns is not None:
        for response in protocol.seeded(view, view.models, seed):
            for one in response.artifacts["seeds"]:
                text = response.text[one["start"] : one["stop"]]
                trap.learns(view.case(response.case_id), text, one["supported"], one["class"])
    await certify(store, protocol, options, roles=roles, scoring=scoring, seed=seed)
    if trap.spoils is None:
        return
    for scored in list(store.view(scoring.id).assessed(model=CERTIFICATE)):
        said = trap.spoils(scored.response.arm, scored.verdicts)
        checked = Checked(response_id=scored.response.id, claims=scored.claims, verdicts=said)
        await store.write(put_checked, scoring.id, checked, ())
