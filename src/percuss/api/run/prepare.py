"""Before the first call: read what is asked, say where data would go, and refuse what cannot mean anything."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from percuss.api.catalog import load
from percuss.api.run.factory import (
    ONNX,
    OWN,
    canonical_id,
    data_goes_to,
    name_and_pin,
    plays_model,
    stays_here,
)
from percuss.api.run.independence import require_independent
from percuss.api.run.request import RunRequest
from percuss.api.run.session import require_roles
from percuss.api.run.settings import make_options
from percuss.core.errors import UsageError
from percuss.core.ports import Roles
from percuss.core.protocol import Options, Protocol
from percuss.core.records import Arm, Case, Reply, Request, Scoring
from percuss.core.sources import Found, Sourced
from percuss.engine.conditioning import conditioning_of
from percuss.engine.identity import identity_of
from percuss.engine.order import waves_of, with_predecessors
from percuss.engine.prompts import DEFAULT, load_prompts
from percuss.judging.passes import passes_of
from percuss.models.providers import FREE, provider_of
from percuss.store import CaseSource, Identity, survey

__all__ = [
    "Host",
    "Named",
    "Prepared",
    "base_url_of",
    "conditioning_known",
    "prepare",
    "read_cases",
    "remote_models",
    "remote_roles",
]

RUNS = Path("runs")
_OFFLINE_SEARCHES = frozenset({"topics", "corpus"})


@dataclass(frozen=True)
class Host:
    """A host that data goes to, and in which roles."""

    host: str
    roles: tuple[str, ...]


@dataclass(frozen=True)
class Prepared:
    """A run that could start: everything is read and checked, and nothing is spent.

    `roles` are the models beside those under test, by role. `bundled` says that the protocol's bundled default is run;
    `flags` are sentences that stand above every result (a prompt set that differs from the protocol's, say); `found` is
    what the protocol says about the source of cases, where it says anything; `own` are a script's own objects by id. `leaves` says
    what the bundled default's model leaves undefined; it is the run's first line.
    """

    request: RunRequest
    protocol: Protocol[Any]
    options: Options
    source: CaseSource
    identity: Identity
    folder: Path
    models: tuple[str, ...]
    roles: Mapping[str, str]
    arms: tuple[Arm, ...]
    hosts: tuple[Host, ...]
    limit: int | None
    bundled: bool
    flags: tuple[str, ...] = field(default=())
    leaves: str = ""
    found: Found | None = None
    own: Mapping[str, Any] = field(default_factory=dict)

    @property
    def n_cases(self) -> int:
        """Cases that this start puts to models."""
        return self.source.n if self.limit is None else min(self.limit, self.source.n)


def prepare(
    request: RunRequest, *, score_only: bool = False, own: Mapping[str, Any] | None = None
) -> Prepared:
    """Read a request against its protocol; nothing is asked, written or contacted.

    Args:
        request: what the user asks for.
        score_only: answers come from a file alone; no model under test is needed.
        own: objects that a script hands over (models, verifiers, rules), by the id under which the request names them.

    Raises:
        UsageError: anything that cannot mean anything, in one sentence.
    """
    protocol = load(request.protocol)
    default = _default(protocol, request, score_only=score_only)
    prompt_set = request.prompts or default.get("prompts", DEFAULT)
    given = {**default.get("settings", {}), **{k: v for k, v in request.settings.items() if v is not None}}
    prompts = load_prompts(protocol.folder, prompt_set, request.prompt_texts)
    options = make_options(protocol, given, prompts=prompts, prompt_set=prompt_set)
    models = request.models or tuple(default.get("models", ()))
    roles = _roles(protocol, request)
    _check(protocol, request, models, roles)
    walk = read_cases(protocol, request, options)
    source = survey(walk)
    counterparts = _canonical(roles)
    arms = _arms(protocol, options, request.arms)
    conditioning = conditioning_known(protocol, options, request, roles)
    identity = identity_of(
        protocol, options, source, seed=request.seed, roles=counterparts, conditioning=conditioning
    )
    return Prepared(
        request=request,
        protocol=protocol,
        options=options,
        source=source,
        identity=identity,
        folder=Path(request.out) if request.out else RUNS / f"{protocol.name}-{identity.digest[:8]}",
        models=models,
        roles=roles,
        arms=arms,
        hosts=tuple(_hosts(protocol, models, roles, request, own or {})),
        limit=request.limit if request.limit is not None else default.get("limit"),
        bundled=bool(default),
        flags=_flags(protocol, prompt_set, default),
        leaves=str(default.get("leaves_undefined", "")),
        found=walk.found if isinstance(walk, Sourced) else None,
        own=own or {},
    )


def read_cases(protocol: Protocol[Any], request: RunRequest, options: Options) -> Iterator[Case]:
    """Yield the cases of a request, from the start; errors carry line numbers."""
    return protocol.cases(request.cases, options, request.seed)


def _default(protocol: Protocol[Any], request: RunRequest, *, score_only: bool) -> dict[str, Any]:
    """Return the protocol's bundled default where the user names neither a model nor answers nor cases."""
    if request.models or request.responses or request.cases or score_only:
        return {}
    default: dict[str, Any] = protocol.manifest.get("default", {})
    return default


def _flags(protocol: Protocol[Any], prompt_set: str, default: Mapping[str, Any]) -> tuple[str, ...]:
    flags = []
    if default.get("words"):
        flags.append(str(default["words"]))
    note = protocol.manifest.get("prompt_sets", {}).get(prompt_set)
    if note:
        flags.append(str(note))
    return tuple(flags)


def _roles(protocol: Protocol[Any], request: RunRequest) -> dict[str, str]:
    roles = dict(request.roles)
    if request.judge is not None:
        roles["judge"] = request.judge
    for role in ("embedder", "fallback", "search"):
        if getattr(request, role) is not None:
            roles[role] = getattr(request, role)
    require_roles(protocol, roles)
    return roles


def _canonical(roles: Mapping[str, str]) -> dict[str, str]:
    return {role: canonical_id(text) if plays_model(role, text) else text for role, text in roles.items()}


def _check(
    protocol: Protocol[Any], request: RunRequest, models: tuple[str, ...], roles: Mapping[str, str]
) -> None:
    if request.seed < 0:
        raise UsageError(f"the seed is {request.seed}; expected 0 or a positive whole number")
    _check_limits(request)
    missing = [
        r for r, need in protocol.roles.items() if need == "required" and r != "model" and r not in roles
    ]
    if missing:
        raise UsageError(
            f"{protocol.name} needs the role {missing[0]}; name a model with --role {missing[0]}=.."
        )
    ids = [canonical_id(model) for model in models]
    doubled = sorted({name for name in ids if ids.count(name) > 1})
    if doubled:
        raise UsageError(f"{doubled[0]} is named twice with --model; name each model once")
    require_independent(roles, ids, allowed=request.allow_self_judge)
    if not models and not request.responses:
        raise UsageError(
            f"{protocol.name} was given no model; name one with --model, or answers with --responses"
        )


def _check_limits(request: RunRequest) -> None:
    for name in ("calls", "tokens", "usd", "seconds"):
        limit = getattr(request.limits, name)
        if limit is not None and limit <= 0:
            raise UsageError(f"the limit of {name} is {limit:g}; expected more than 0, or none")


def _arms(protocol: Protocol[Any], options: Options, names: tuple[str, ...]) -> tuple[Arm, ...]:
    arms = tuple(protocol.arms(options))
    waves_of(arms)
    if not names:
        return arms
    by_name = {arm.name: arm for arm in arms}
    names = tuple(_whole(names, by_name))
    strange = [name for name in names if name not in by_name]
    if strange:
        raise UsageError(f"{protocol.name} has no arm {strange[0]!r}; its arms are {', '.join(by_name)}")
    return with_predecessors([by_name[name] for name in names], arms)


def conditioning_known(
    protocol: Protocol[Any], options: Options, request: RunRequest, roles: Mapping[str, str]
) -> Scoring | None:
    """Return the conditioning scoring as the run's identity knows it: of all of the protocol's arms, a judge by name and pin.

    Raises:
        UsageError: `condition_on` without a judge, or where no arm needs verdicts.
    """
    passes = passes_of(options.judge_policy)
    judge = None
    if request.condition_on is not None:
        if "judge" not in roles:
            raise UsageError("--condition-on judge needs a judge; name one with --judge")
        judge = Named(*name_and_pin(roles["judge"]))
    who = Roles({}, seed=request.seed, judge_passes=passes)
    found = conditioning_of(protocol, options, who, tuple(protocol.arms(options)), judge)
    if found is None and judge is not None:
        raise UsageError(
            f"--condition-on: no arm of {protocol.name} needs the verdicts of another; leave it out"
        )
    return found


class Named:
    """A model's name without the model: what is only counted or named needs neither its key nor its weights."""

    def __init__(self, name: str, pin: str = "") -> None:
        self.id = name
        self.pin = pin

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        """Never called."""
        raise AssertionError(f"{self.id} was asked ({epoch}, {type(request).__name__})")


def _whole(pieces: Sequence[str], known: Mapping[str, Arm]) -> Iterator[str]:
    """Join what a comma of an arm's own name took apart (`vb_bb:misleading,thickness=8`): the longest known name wins."""
    at = 0
    while at < len(pieces):
        stops = range(len(pieces), at, -1)
        stop = next((stop for stop in stops if ",".join(pieces[at:stop]) in known), at + 1)
        yield ",".join(pieces[at:stop])
        at = stop


def _hosts(
    protocol: Protocol[Any],
    models: tuple[str, ...],
    roles: Mapping[str, str],
    request: RunRequest,
    own: Mapping[str, Any],
) -> Iterator[Host]:
    found: dict[str, list[str]] = {}
    here = {text for text, thing in own.items() if thing.local}
    for model in (each for each in models if each not in here):
        for host in data_goes_to(model, base_url=base_url_of(model, request)):
            found.setdefault(host, []).append("model")
    for role, text in ((role, text) for role, text in roles.items() if text not in here):
        for host in _role_hosts(role, text, protocol.searching):
            found.setdefault(host, []).append(role)
    for host, who in found.items():
        yield Host(host, tuple(dict.fromkeys(who)))


def _role_hosts(role: str, text: str, searching: Any = None) -> tuple[str, ...]:
    if role == "search" and searching is not None:
        hosts: tuple[str, ...] = searching.hosts_of(text)
        return hosts
    if role == "search":
        from percuss.evidence.literature import addresses

        return () if text == "topics" else tuple(url.split("/")[2] for url in addresses(text).values())
    here = (role == "embedder" and text.startswith("minilm")) or (
        role == "verifier" and text.startswith(ONNX)
    )
    return () if here else data_goes_to(text)


def base_url_of(model: str, request: RunRequest) -> str | None:
    """Return the address given by --base-url, which is for endpoints alone."""
    local = {*FREE, "inspect", OWN}
    return None if request.base_url is None or provider_of(model) in local else request.base_url


def remote_models(prepared: Prepared) -> tuple[str, ...]:
    """Return the models and roles whose data leaves this machine."""
    texts = [(model, base_url_of(model, prepared.request)) for model in prepared.models]
    away = (
        *(text for text, url in texts if not stays_here(text, base_url=url)),
        *remote_roles(prepared.roles),
    )
    return tuple(text for text in away if text not in prepared.own or not prepared.own[text].local)


def remote_roles(roles: Mapping[str, str]) -> tuple[str, ...]:
    """Return the model strings among roles, embedder and search included, whose data leaves this machine.

    Args:
        roles: role -> model string.
    """
    return tuple(text for role, text in roles.items() if _leaves(role, text))


def _leaves(role: str, text: str) -> bool:
    if role == "search":
        return any(name.strip() not in _OFFLINE_SEARCHES for name in text.split(","))
    if not plays_model(role, text) and not _role_hosts(role, text):
        return False
    return not stays_here(text)
