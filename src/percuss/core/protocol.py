"""The contract, version 2: the functions that a protocol is made of, bound into one `Protocol`.

cases(source, options, seed)                        where cases come from; None = bundled
arms(options)                                       the conditions
pose(case, arm, earlier, options, seed)             a case under a condition; pure
ask(posed, roles, options)                          one call, n turns, or a tool loop
claims(case, response, roles, options)              what an answer states
verdicts(case, response, claims, roles, options)    rules first, then judges
items(run, design, options)                         what a person sees, blinded
cells(run, options)                                 what is counted
estimates(cells, options, seed)                     the numbers
sections(run, estimates, options)                   the parts of a report
raters(options)                                     names of the rule raters

`percuss.kit.protocol(__name__)` finds them in a package and fills in the defaults.
"""

import tomllib
import typing
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeVar

import msgspec
from msgspec import Meta

from percuss.core.errors import UsageError
from percuss.core.ports import Roles, RunView, Session
from percuss.core.reading import ReadRight
from percuss.core.records import (
    AnnotationItem,
    Arm,
    Case,
    Cell,
    Claim,
    Earlier,
    Estimate,
    NotApplicable,
    Posed,
    Record,
    Response,
    Scoring,
    Transcript,
    Verdict,
)
from percuss.core.sections import Section

__all__ = [
    "API",
    "SIGNATURES",
    "Cells",
    "Command",
    "CommandResult",
    "Options",
    "Primary",
    "Protocol",
    "primary_of",
    "protocol",
]

API = 2
"""The version of the contract that this percuss speaks."""

SIGNATURES: Mapping[str, tuple[str, ...]] = {
    "cases": ("source", "options", "seed"),
    "arms": ("options",),
    "pose": ("case", "arm", "earlier", "options", "seed"),
    "ask": ("posed", "roles", "options"),
    "claims": ("case", "response", "roles", "options"),
    "verdicts": ("case", "response", "claims", "roles", "options"),
    "items": ("run", "design", "options"),
    "cells": ("run", "options"),
    "estimates": ("cells", "options", "seed"),
    "sections": ("run", "estimates", "options"),
    "raters": ("options",),
}
"""The functions of a protocol and their parameters, these and no others."""

Cells = Sequence[Cell]


class Options(Record):
    """What every protocol's options share; a protocol subclasses it, and each field becomes a command-line option.

    Args:
        prompts: name -> text of the prompt files in force (not an option of its own: `--prompts` fills it).
        prompt_set: `default`, a named set of the protocol (`paper`), or the folder that the user gave.
        temperature, top_p, max_tokens: the request policy of the model under test.
        judge_policy: `agreement` (both passes equal, else conflict) or `majority` (of three).
    """

    prompts: dict[str, str] = {}
    prompt_set: str = "default"
    temperature: Annotated[float, Meta(description="Sampling temperature of the model under test.", ge=0)] = (
        0.0
    )
    top_p: Annotated[float, Meta(description="Nucleus sampling of the model under test.", gt=0, le=1)] = 1.0
    max_tokens: Annotated[int, Meta(description="Tokens of one answer at the most.", ge=1)] = 800
    judge_policy: Annotated[
        Literal["agreement", "majority"],
        Meta(description="How passes of the judge become a label: both equal, or most of three."),
    ] = "agreement"


O_contra = TypeVar("O_contra", bound=Options, contravariant=True)
O = TypeVar("O", bound=Options)  # noqa: E741 - CONTRACTS section 5 calls it O


class CasesFn(typing.Protocol[O_contra]):
    """Yield the cases of a source, lazily; errors carry line numbers."""

    def __call__(self, source: str | None, options: O_contra, seed: int) -> Iterator[Case]: ...


class PoseFn(typing.Protocol[O_contra]):
    """Pose a case in an arm; pure. `earlier` is None exactly where the arm follows no other."""

    def __call__(
        self, case: Case, arm: Arm, earlier: Earlier | None, options: O_contra, seed: int
    ) -> Posed | NotApplicable: ...


class AskFn(typing.Protocol[O_contra]):
    """Ask the model under test, `roles.models["model"]`."""

    def __call__(self, posed: Posed, roles: Roles, options: O_contra) -> Awaitable[Transcript]: ...


class ClaimsFn(typing.Protocol[O_contra]):
    """Split a response into claims; () means nothing claimed; failure raises."""

    def __call__(
        self, case: Case, response: Response, roles: Roles, options: O_contra
    ) -> Awaitable[tuple[Claim, ...]]: ...


class VerdictsFn(typing.Protocol[O_contra]):
    """Judge the claims of one response: rules first, then judges."""

    def __call__(
        self, case: Case, response: Response, claims: Sequence[Claim], roles: Roles, options: O_contra
    ) -> AsyncIterator[Verdict]: ...


class Primary(Record):
    """The estimate declared before the first call.

    `arms` are (with evidence, without); `family` is what Holm corrects over.
    """

    estimate: str
    labels: str
    arms: tuple[str, ...]
    family: str
    words: str


@dataclass(frozen=True)
class CommandResult:
    """What a command of a protocol's own did.

    Args:
        text: what it says to the user.
        exit_code: 0, or as documented for `percuss run`.
        files: what it wrote.
        data: the same in data, for `--json`.
        listed: what `--json` prints in place of all of it, for a command that lists things: one object each; () for none.
    """

    text: str
    exit_code: int = 0
    files: tuple[Path, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)
    listed: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class Command:
    """A command of a protocol's own (`percuss stressors prepare`).

    Args:
        options: record of its options; those that name a file or folder are its inputs.
        run: does it, with these options and a session.
        help: what it does, in one sentence.
        output: what it writes with these options; the journal of its calls lies beside that. None: it lies in `runs`.
    """

    options: type[Record]
    run: Callable[[Any, Session], Awaitable[CommandResult]]
    help: str
    output: Callable[[Any], Path] | None = None


def _unread(run: RunView, name: str, labels: str) -> ReadRight | None:
    """No reader of this protocol was held against labelled text."""
    del run, name, labels
    return None


def _as_made(run: RunView, estimates: Sequence[Estimate], options: Any) -> Iterable[Estimate]:
    """Nothing that this protocol estimates is withheld."""
    del run, options
    return estimates


@dataclass(frozen=True)
class Protocol(Generic[O]):
    """A protocol as the stages see it. Built by `protocol(..)` of a folder's functions and its protocol.toml."""

    name: str
    aliases: tuple[str, ...]
    title: str
    question: str
    version: str
    primary: Primary
    roles: Mapping[str, str]
    folder: Path
    options: type[O]
    cases: CasesFn[O]
    arms: Callable[[O], tuple[Arm, ...]]
    pose: PoseFn[O]
    ask: AskFn[O]
    claims: ClaimsFn[O]
    verdicts: VerdictsFn[O]
    items: Callable[[RunView, str, O], Iterator[AnnotationItem]]
    cells: Callable[[RunView, O], Iterator[Cell]]
    estimates: Callable[[Cells, O, int], Iterator[Estimate]]
    sections: Callable[[RunView, Sequence[Estimate], O], Iterator[Section]]
    raters: Callable[[O], tuple[str, ...]]
    commands: Mapping[str, Command] = field(default_factory=dict)
    manifest: Mapping[str, Any] = field(default_factory=dict)
    module: str = ""
    api: int = API
    asking: int = 1
    reading: int = 1
    read_right: Callable[[RunView, str, str], ReadRight | None] = _unread
    vetted: Callable[[RunView, Sequence[Estimate], Any], Iterable[Estimate]] = _as_made

    def reads_with(self, prompt: str) -> bool:
        """Say whether a prompt serves checking alone, so that it belongs to a scoring and not to the run.

        Args:
            prompt: name of a prompt file, as `[prompts]` of the manifest lists it.
        """
        listed = self.manifest.get("prompts", {})
        return prompt in listed.get("checking", ()) and prompt not in listed.get("asking", ())

    @property
    def phantoms(self) -> Mapping[str, Any]:
        """Name -> entry of each simulated model that this protocol brings: `PHANTOMS` of its `phantom`, or of itself."""
        return dict(getattr(_room(self.module, "phantom"), "PHANTOMS", {}))

    @property
    def selftest(self) -> Any:
        """The plan of its self-test: `PLAN` of its `planting`, or of itself; None where it plants nothing."""
        return getattr(_room(self.module, "planting"), "PLAN", None)

    @property
    def searching(self) -> Any:
        """Its module `searching` where it has searches of its own: `searched(text, reach)` and `hosts_of(text)`; else None."""
        room = _room(self.module, "searching")
        return room if hasattr(room, "searched") else None

    @property
    def planting(self) -> Any:
        """Its module `planting`, or its own: `extras(phantoms, held, blobs)` and `expected(models, arms, plan, seed)`."""
        return _room(self.module, "planting")

    @property
    def estimate_names(self) -> tuple[str, ...]:
        """Names of the estimates that it makes, `*` for any ending; () where its manifest lists none."""
        return tuple(self.manifest.get("estimates", {}).get("names", ()))

    @property
    def seeded(self) -> Any:
        """`seeded(run, models, seed, replies)` of its `certificate`; replies to its `asked(run, options, seed)`; None where it has none."""
        return getattr(_room(self.module, "certificate"), "seeded", None)

    @property
    def compared(self) -> Any:
        """`compared(run, roles, options)` of its `twins`: verdicts on answers held against each other; None where it has none."""
        return getattr(_room(self.module, "twins"), "compared", None)

    def options_of(self, manifest: Mapping[str, Any], scoring: Scoring | None = None) -> O:
        """Return the options that a run was made with, and one of its scorings checked with.

        Args:
            manifest: of the run. scoring: None takes the run's own settings.

        Raises:
            UsageError: a setting that this version of the protocol does not take.
        """
        checked = {} if scoring is None else scoring.config.get("options", {})
        known = {k: v for k, v in checked.items() if k in self.options.__struct_fields__}
        try:
            options: O = msgspec.convert({**manifest.get("options", {}), **known}, self.options, strict=False)
        except msgspec.ValidationError as error:
            raise UsageError(f"a setting of {self.name} does not fit: {error}") from error
        return options


def _room(module: str, room: str) -> Any:
    """Return a protocol's submodule, or the protocol's own module where it has no such; None for no module."""
    if not module:
        return None
    package = import_module(module)
    there = hasattr(package, "__path__") and find_spec(f"{module}.{room}") is not None
    return import_module(f"{module}.{room}") if there else package


def protocol(folder: Path, *, manifest: str = "protocol.toml", **parts: Any) -> Protocol[Any]:
    """Bind a protocol's functions to its manifest.

    Args:
        folder: the protocol's folder; relative paths of the manifest start here.
        manifest: name of the file in it that gives name, aliases, title, question, `asking` (rises when answers stop
            being comparable; part of a run's identity), `reading` (rises when labels or estimates do; part of a
            scoring's), `[prompts]` (`asking` and `checking`: every prompt file stands in one of them), `[primary]`,
            `[roles]` (role -> required | optional), paper and published numbers.
        parts: the functions of `SIGNATURES`, `options` (the frozen Options) and `commands`.

    Raises:
        UsageError: a function is missing or takes other parameters than the contract says, or a prompt file is in
            neither list.
    """
    toml = tomllib.loads((folder / manifest).read_text(encoding="utf-8"))
    _require_signatures(toml["name"], parts)
    _require_listed(toml, folder / "prompts")
    asking, reading = _versions(toml)
    return Protocol(
        name=toml["name"],
        aliases=tuple(toml.get("aliases", ())),
        title=toml["title"],
        question=toml["question"],
        version=f"{asking}-{reading}",
        primary=primary_of(toml),
        roles=toml.get("roles", {"model": "required"}),
        folder=folder,
        manifest=toml,
        asking=asking,
        reading=reading,
        **parts,
    )


def primary_of(toml: Mapping[str, Any]) -> Primary:
    """Return what a manifest declares primary."""
    primary = toml["primary"]
    return Primary(
        estimate=primary["estimate"],
        labels=primary["labels"],
        arms=tuple(primary["arms"]),
        family=primary.get("family", f"{primary['estimate']}_difference · all pairs of models"),
        words=primary["words"],
    )


def _versions(toml: Mapping[str, Any]) -> tuple[int, int]:
    versions = toml.get("asking"), toml.get("reading")
    if all(isinstance(number, int) and number >= 1 for number in versions):
        return int(versions[0] or 0), int(versions[1] or 0)
    raise UsageError(
        f"the protocol {toml['name']} has asking = {versions[0]!r} and reading = {versions[1]!r} in its manifest; "
        "expected two whole numbers from 1 on: docs/protocols.md says when each rises"
    )


def _require_listed(toml: Mapping[str, Any], prompts: Path) -> None:
    lists = toml.get("prompts", {})
    listed = {*lists.get("asking", ()), *lists.get("checking", ())}
    files = {path.stem for path in (*prompts.glob("*.md"), *prompts.glob("*/*.md"))}
    for name in sorted(files - listed):
        raise UsageError(
            f"the prompt {name}.md of the protocol {toml['name']} is in neither list of [prompts] in its manifest; "
            "expected it under asking (what the model sees) or checking (what judges see)"
        )
    for name in sorted(listed - files):
        raise UsageError(
            f"[prompts] in the manifest of the protocol {toml['name']} lists {name!r}, but there is no {name}.md in {prompts}"
        )


def _require_signatures(name: str, parts: Mapping[str, Any]) -> None:
    for function, wanted in SIGNATURES.items():
        if function not in parts:
            raise UsageError(
                f"the protocol {name} has no function {function}({', '.join(wanted)}); docs/protocols.md shows each"
            )
        taken = tuple(signature(parts[function]).parameters)
        if taken != wanted:
            raise UsageError(
                f"{function} of the protocol {name} takes ({', '.join(taken)}); expected ({', '.join(wanted)}); "
                "docs/protocols.md shows each"
            )
