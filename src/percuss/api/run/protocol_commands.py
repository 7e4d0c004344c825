"""Commands of a protocol's own, such as `percuss stressors prepare`: whatever must happen before `ask`, models included."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from percuss.api.catalog import load
from percuss.api.run.extras import phantom_extras
from percuss.api.run.factory import ModelFactory, canonical_id, plays_model
from percuss.api.run.request import Limits
from percuss.api.run.session import OwnSession, require_roles, roles_of
from percuss.core.errors import UsageError
from percuss.core.ids import b2, digest
from percuss.core.ports import Roles
from percuss.core.protocol import Command, CommandResult, Protocol
from percuss.core.records import Record, Reply, Request
from percuss.engine.budget import Budget
from percuss.engine.progress import Watcher
from percuss.engine.prompts import load_prompts, prompt_digests
from percuss.engine.stand_in import reply_for_show
from percuss.models.prices import Prices
from percuss.net import offline
from percuss.store import Identity, RunStore

__all__ = ["CommandRequest", "run_command"]

RUNS = Path("runs")
_LONGEST_PATH = 1_024


class CommandRequest(Record):
    """A protocol's own command as its user asks for it.

    Args:
        protocol, command: names.
        options: fields of the command's options; None means "not given".
        roles: role -> model string.
        seed: root seed.
        base_url: address of the endpoint of the models.
        limits, prices, concurrency, offline, allow_hosts: as of a run.
        dry_run: say what would be done, and do nothing.
    """

    protocol: str
    command: str
    options: dict[str, Any] = {}
    roles: dict[str, str] = {}
    seed: int = 42
    base_url: str | None = None
    limits: Limits = Limits()
    prices: str | None = None
    concurrency: int = 10
    offline: bool = False
    allow_hosts: tuple[str, ...] = ()
    dry_run: bool = False


async def run_command(request: CommandRequest, *, watcher: Watcher | None = None) -> CommandResult:
    """Run a protocol's own command and return what it did.

    With a model, calls are journaled beside what the command writes, in `<output>.journal-<8 hex>`, or in
    `runs/<protocol>-<command>-<8 hex>`: the same command on the same inputs asks nothing twice.

    Args:
        request: what to do. watcher: hears of every unit that is done.

    Raises:
        UsageError: no such command or role, or a field that does not fit. OverBudget: the same command goes on.
    """
    protocol = load(request.protocol)
    own = protocol.commands[request.command]
    options = _options(own, request.options, f"percuss {protocol.name} {request.command}")
    require_roles(protocol, request.roles)
    if request.offline:
        offline.enable(request.allow_hosts)
    if request.dry_run:
        return await own.run(options, _session(request, _for_show(request), watcher))
    if not request.roles:
        return await own.run(options, _session(request, Roles({}, seed=request.seed), watcher))
    identity = _identity(protocol, own, request, options)
    with RunStore.create(_journal(own, options, identity), identity) as store:
        async with _factory(store, request) as factory:
            roles = roles_of(
                factory,
                request.roles,
                seed=request.seed,
                base_url=request.base_url,
                store=store,
                searching=protocol.searching,
            )
            return await own.run(options, _session(request, roles, watcher))


def _session(request: CommandRequest, roles: Roles, watcher: Watcher | None) -> OwnSession:
    return OwnSession(roles, request.offline, request.dry_run, request.concurrency, watcher)


def _factory(store: RunStore, request: CommandRequest) -> ModelFactory:
    limits = request.limits
    return ModelFactory(
        store,
        seed=request.seed,
        budget=Budget(calls=limits.calls, tokens=limits.tokens, usd=limits.usd, seconds=limits.seconds),
        prices=Prices.read(None if request.prices is None else Path(request.prices)),
        concurrency=request.concurrency,
        extra=phantom_extras(tuple(request.roles.values()), store),
        contact=not request.offline or bool(request.allow_hosts),
        allow=request.allow_hosts,
    )


def _identity(protocol: Protocol[Any], own: Command, request: CommandRequest, options: Any) -> Identity:
    """Return what makes calls of a command comparable: its prompts, the content of its inputs, its other options."""
    output = None if own.output is None else own.output(options)
    values = {name: _content(value, output) for name, value in msgspec.to_builtins(options).items()}
    return Identity(
        protocol=f"{protocol.name} {request.command}",
        version=str(protocol.asking),
        prompts=prompt_digests(load_prompts(protocol.folder)),
        cases=b2(values),
        n_cases=0,
        policy={f"role {role}": _named(role, text) for role, text in sorted(request.roles.items())},
        seed=request.seed,
    )


def _named(role: str, text: str) -> str:
    return canonical_id(text) if plays_model(role, text) else text


def _content(value: Any, output: Path | None) -> Any:
    """Return the digest of what a path holds; what is no path stands for itself, and what is written to is no input."""
    if isinstance(value, list | tuple):
        return [_content(each, output) for each in value]
    path = Path(value) if isinstance(value, str) and value and len(value) < _LONGEST_PATH else None
    if path is None:
        return value
    if path == output:
        return None
    if path.is_file():
        return digest(path.read_bytes())
    return b2(sorted(_inside(path))) if path.is_dir() else value


def _inside(folder: Path) -> Iterator[tuple[str, str]]:
    for path in folder.rglob("*"):
        if path.is_file():
            yield str(path.relative_to(folder)), digest(path.read_bytes())


def _journal(own: Command, options: Any, identity: Identity) -> Path:
    if own.output is None:
        return RUNS / f"{identity.protocol.replace(' ', '-')}-{identity.digest[:8]}"
    output = own.output(options)
    return output.with_name(f"{output.name}.journal-{identity.digest[:8]}")


class _ForShow:
    """A model's name that answers for show."""

    def __init__(self, name: str) -> None:
        self.id = name
        self.pin = ""

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        """Answer with what the request's schema takes, or with words."""
        del epoch
        return reply_for_show(request)


def _for_show(request: CommandRequest) -> Roles:
    models = {
        role: _ForShow(canonical_id(text)) for role, text in request.roles.items() if plays_model(role, text)
    }
    return Roles(models, seed=request.seed)


def _options(own: Command, given: Mapping[str, Any], words: str) -> Any:
    values = {name: value for name, value in given.items() if value is not None}
    try:
        return msgspec.convert(values, own.options, strict=False)
    except msgspec.ValidationError as error:
        raise UsageError(f"{words}: {error}") from error
