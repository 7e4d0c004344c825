"""What a protocol is: six names of functions, bound into one `Protocol` in the protocol's `__init__`.

cases      -> cases(source, options, seed)                     where cases come from; None = bundled
arms       -> arms(options); pose(case, arm, options, seed)    all perturbation; pure
ask        -> ask(posed, roles, options)                         one call, n turns, or a tool loop
check      -> claims(..), verdicts(..)                         rules first, then judges
annotate   -> items(run, design)                               what a person sees, blinded
estimate   -> cells(run, options), estimates(cells, options, seed), sections(run, estimates)
"""

import tomllib
import typing
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, TypeVar

from msgspec import Meta

from percuss.core.ports import Roles, RunView
from percuss.core.records import (
    AnnotationItem,
    Arm,
    Case,
    Cell,
    Claim,
    Estimate,
    NotApplicable,
    Posed,
    Record,
    Response,
    Transcript,
    Verdict,
)
from percuss.core.sections import Section

__all__ = ["Cells", "Command", "Options", "Primary", "Protocol", "protocol"]

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
    """Pose a case in an arm; pure."""

    def __call__(self, case: Case, arm: Arm, options: O_contra, seed: int) -> Posed | NotApplicable: ...


class AskFn(typing.Protocol[O_contra]):
    """Ask the model under test, `roles.models["model"]`."""

    def __call__(self, pose: Posed, roles: Roles, options: O_contra) -> Awaitable[Transcript]: ...


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
class Command:
    """A command of a protocol's own (`percuss stressors prepare`): options record and async function of it and roles."""

    options: type[Record]
    run: Callable[[Any, Roles], Awaitable[str]]
    help: str


@dataclass(frozen=True)
class Protocol(Generic[O]):
    """A protocol as the stages see it. Built by `protocol(..)` from a folder's functions and its protocol.toml."""

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
    items: Callable[[RunView, str], Iterator[AnnotationItem]]
    cells: Callable[[RunView, O], Iterator[Cell]]
    estimates: Callable[[Cells, O, int], Iterator[Estimate]]
    sections: Callable[[RunView, Sequence[Estimate]], Iterator[Section]]
    raters: Callable[[O], tuple[str, ...]]
    commands: Mapping[str, Command] = field(default_factory=dict)
    manifest: Mapping[str, Any] = field(default_factory=dict)
    api: int = 1


def protocol(folder: Path, **parts: Any) -> Protocol[Any]:
    """Bind a protocol's functions to its protocol.toml.

    Args:
        folder: the protocol's folder; `protocol.toml` in it gives name, aliases, title, question, version (`N-X`: N
            rises when results stop being comparable), `[primary]`, `[roles]` (role -> required | optional), paper
            and published numbers.
        parts: the functions of the six names, `options` (the frozen Options), `raters` (names of the rule raters
            that a check with these options uses) and `commands`.
    """
    toml = tomllib.loads((folder / "protocol.toml").read_text(encoding="utf-8"))
    primary = toml["primary"]
    return Protocol(
        name=toml["name"],
        aliases=tuple(toml.get("aliases", ())),
        title=toml["title"],
        question=toml["question"],
        version=toml["version"],
        primary=Primary(
            estimate=primary["estimate"],
            labels=primary["labels"],
            arms=tuple(primary["arms"]),
            family=primary["family"],
            words=primary["words"],
        ),
        roles=toml.get("roles", {"model": "required"}),
        folder=folder,
        manifest=toml,
        **parts,
    )
