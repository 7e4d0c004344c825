"""Commands of a protocol's own, such as `percuss stressors prepare`: whatever must happen before `ask`, models included."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from percuss.api.catalog import load
from percuss.api.run.factory import NO_MODELS, ModelFactory
from percuss.core.errors import UsageError
from percuss.core.ids import b2
from percuss.core.ports import Roles
from percuss.core.protocol import Command, CommandResult
from percuss.engine.budget import Budget
from percuss.engine.prompts import load_prompts, prompt_digests
from percuss.models.prices import Prices
from percuss.store import Identity, RunStore

__all__ = ["run_own"]

Unit = TypeVar("Unit")
Made = TypeVar("Made")


@dataclass(frozen=True)
class _Session:
    roles: Roles
    offline: bool = False
    dry_run: bool = False

    async def each(self, units: Iterable[Unit], work: Callable[[Unit], Awaitable[Made]]) -> tuple[Made, ...]:
        return tuple([await work(unit) for unit in units])


async def run_own(
    name: str,
    command: str,
    given: Mapping[str, Any],
    *,
    roles: Mapping[str, str],
    seed: int,
    base_url: str | None = None,
    concurrency: int = 10,
) -> CommandResult:
    """Run a protocol's own command and return what it did.

    Args:
        name, command: names.
        given: fields of the command's options; None means "not given".
        roles: role -> model string. With a model, calls are journaled in `runs/<protocol>-<command>-<8 hex>`: the same
            command again asks nothing twice.
        seed: root seed.
        base_url: address of the endpoint of the models.
        concurrency: calls at a time.

    Raises:
        UsageError: no such command, or a field that does not fit.
    """
    protocol = load(name)
    own = protocol.commands[command]
    options = _options(own, given, f"percuss {protocol.name} {command}")
    if not roles:
        return await own.run(options, _Session(Roles({}, seed=seed)))
    prompts = load_prompts(protocol.folder)
    identity = Identity(
        protocol=f"{protocol.name} {command}",
        version=protocol.version.partition("-")[0],
        prompts=prompt_digests(prompts),
        cases=b2(msgspec.to_builtins(options)),
        n_cases=0,
        policy={},
        seed=seed,
    )
    folder = Path("runs") / f"{protocol.name}-{command}-{identity.digest[:8]}"
    with RunStore.create(folder, identity) as store:
        factory = ModelFactory(
            store, seed=seed, budget=Budget(), prices=Prices.read(None), concurrency=concurrency
        )
        async with factory:
            models = {
                role: factory.model(text, base_url=base_url)
                for role, text in roles.items()
                if role not in NO_MODELS
            }
            return await own.run(options, _Session(Roles(models, seed=seed)))


def _options(own: Command, given: Mapping[str, Any], words: str) -> Any:
    values = {name: value for name, value in given.items() if value is not None}
    try:
        return msgspec.convert(values, own.options, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(f"{words}: {error}") from error
