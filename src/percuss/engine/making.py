"""Making, apart from writing: one answer or one check from all that it needs, without a store.

`Unit` says what to make and travels as msgspec bytes, as does its `Outcome`; a `Maker` holds the protocol and the models,
whose calls go through the journal. Whoever runs a `Maker` writes what it returns: the stages here, an executor elsewhere.
"""

import shutil
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from percuss.core.errors import PercussError, Refused
from percuss.core.ids import response_id
from percuss.core.labels import Reason, reason_head
from percuss.core.ports import Blobs, Model, Once, Roles
from percuss.core.protocol import Options, Protocol
from percuss.core.records import (
    Arm,
    Blob,
    Case,
    Claim,
    Earlier,
    NotApplicable,
    Posed,
    Record,
    Response,
    Verdict,
)
from percuss.core.seeds import derive
from percuss.engine.batching import Batched, Batches
from percuss.engine.pool import ABORTING, Offload
from percuss.engine.uses import Listener, Player, collecting
from percuss.store.following import digest_of
from percuss.store.responses import Use
from percuss.store.scorings import Checked

__all__ = ["PREDECESSOR", "Maker", "Outcome", "Unit", "not_applicable", "reason_of"]

PREDECESSOR = f"{Reason.ERROR.value}:predecessor"
"""Reason of a follower whose predecessor gave nothing to follow; it is asked again with it."""


class Unit(Record):
    """One thing to make.

    Args:
        case, arm, epoch, model: whose answer.
        earlier: what the arm's predecessor said, as the follower is posed with it; None where the arm follows none.
        after_scoring: id of the conditioning scoring that `earlier` is of; None where it holds the answer alone.
        lost: reason why the predecessor gave nothing to follow.
        response: the answer to be checked; None: the answer is to be made.
        scoring: id of the scoring that a check belongs to.
    """

    case: Case
    arm: Arm
    epoch: int = 0
    model: str = ""
    earlier: Earlier | None = None
    after_scoring: str | None = None
    lost: str | None = None
    response: Response | None = None
    scoring: str = ""


class Outcome(Record):
    """What was made: an answer or a check, the calls that it used, and the bytes that belong to it.

    The calls themselves went through the journal as they were made.
    """

    response: Response | None = None
    checked: Checked | None = None
    uses: tuple[Use, ...] = ()
    blobs: tuple[Blob, ...] = ()


async def _let_go(blob: Blob) -> None:
    del blob


@dataclass(slots=True)
class Maker:
    """Makes answers and checks with one protocol; touches no store.

    Args:
        protocol, options: what is asked and how it is read.
        roles: who plays beside the model under test; `seed` is the root seed.
        keep: is given each image of a pose before the model is asked, so that the model can look at it.
        blobs, once: as in `Roles`; None where there is no run.
    """

    protocol: Protocol[Any]
    options: Options
    roles: Roles
    keep: Callable[[Blob], Awaitable[None]] = _let_go
    blobs: Blobs | None = None
    once: Once | None = None
    posing: Offload = field(default_factory=Offload)
    batches: Batches | None = field(init=False)

    def __post_init__(self) -> None:
        verifier = self.roles.verifier
        self.batches = None if verifier is None else Batches(verifier)

    async def answer(self, unit: Unit, model: Model, listener: Listener | None = None) -> Outcome:
        """Make the answer of a model to a unit, whatever happens: a failure is an answer with its reason.

        Raises:
            OverBudget, UsageError, RunError, HostRefused: the run as a whole cannot go on.
        """
        with collecting(listener) as collected:
            response, blobs = await self._answer(unit, model)
        response = replace(response, usage=collected.usage())
        return Outcome(response=response, uses=collected.uses(), blobs=blobs)

    async def _answer(self, unit: Unit, model: Model) -> tuple[Response, tuple[Blob, ...]]:
        response, blobs = _blank(unit, model), tuple[Blob, ...]()
        if unit.arm.after is not None and unit.earlier is None:
            if (unit.lost or "").partition(":")[0] == Reason.NOT_APPLICABLE.value:
                return replace(response, status="not_applicable", reason=unit.lost), blobs
            said = {"predecessor": unit.lost, "error": f"the arm {unit.arm.after} gave no answer to follow"}
            return replace(response, status="failed", reason=PREDECESSOR, artifacts=said), blobs
        try:
            posed = await self.posing(
                self.protocol.pose, unit.case, unit.arm, unit.earlier, self.options, self.roles.seed
            )
            if isinstance(posed, NotApplicable):
                return replace(response, status="not_applicable", reason=not_applicable(posed.reason)), blobs
            return await self._conversed(response, unit, posed, model), posed.blobs
        except ABORTING:
            raise
        except Exception as error:  # noqa: BLE001 - a failure is a value: counted, by reason
            failed = replace(
                response, status="failed", reason=reason_of(error), artifacts={"error": str(error)}
            )
            return failed, blobs

    async def _conversed(self, blank: Response, unit: Unit, posed: Posed, model: Model) -> Response:
        for blob in posed.blobs:
            await self.keep(blob)
        scratch = _Scratch()
        try:
            transcript = await self.protocol.ask(posed, self._asking(unit, model, scratch), self.options)
        finally:
            scratch.remove()
        answered = replace(
            blank, turns=transcript.turns, finish=transcript.finish, artifacts=transcript.artifacts
        )
        if transcript.finish == "refused":
            return replace(answered, status="failed", reason=Reason.REFUSED.value)
        if transcript.error is not None:
            return replace(answered, status="failed", reason=transcript.error)
        return answered

    async def check(self, unit: Unit, listener: Listener | None = None) -> Outcome:
        """Make the claims and verdicts of a unit's response, whatever happens: a failure is a check with its reason.

        Raises:
            OverBudget, UsageError, RunError, HostRefused: the run as a whole cannot go on.
        """
        assert unit.response is not None
        with collecting(listener) as collected:
            checked = await self._check(unit.case, unit.response, unit.scoring)
        return Outcome(checked=checked, uses=collected.uses())

    async def _check(self, case: Case, response: Response, scoring: str) -> Checked:
        roles = self._checking(case)
        claims: tuple[Claim, ...] = ()
        try:
            claims = await self.protocol.claims(case, response, roles, self.options)
            _require_spans(response, claims)
            found = self.protocol.verdicts(case, response, claims, roles, self.options)
            verdicts = [replace(verdict, scoring=scoring) async for verdict in found]
            _require_once(verdicts)
        except ABORTING:
            raise
        except Exception as error:  # noqa: BLE001 - a failure is a value: counted, by reason
            kept = () if isinstance(error, BadClaims) else claims
            return Checked(response_id=response.id, claims=kept, reason=reason_of(error))
        return Checked(response_id=response.id, claims=claims, verdicts=tuple(verdicts))

    def _asking(self, unit: Unit, model: Model, scratch: "_Scratch") -> Roles:
        roles = self.roles
        names = ("ask", model.id, unit.case.id)
        return Roles(
            {role: Player(each, role, unit.epoch) for role, each in {**roles.models, "model": model}.items()},
            seed=derive(roles.seed, *names, unit.arm.name, unit.epoch),
            paired=derive(roles.seed, *names, unit.epoch),
            embedder=roles.embedder,
            search=roles.search,
            fetch=roles.fetch,
            judge_passes=roles.judge_passes,
            scratch=scratch,
            blobs=self.blobs,
            once=self.once,
        )

    def _checking(self, case: Case) -> Roles:
        roles = self.roles
        return Roles(
            {role: Player(model, role) for role, model in roles.models.items()},
            seed=roles.seed,
            embedder=roles.embedder,
            search=roles.search,
            fetch=roles.fetch,
            verifier=None if self.batches is None else Batched(self.batches, case.id),
            judge_passes=roles.judge_passes,
            blobs=self.blobs,
            once=self.once,
            rule=roles.rule,
        )


class _Scratch:
    """An empty folder of one response's own, made when it is first asked for."""

    __slots__ = ("_folder",)

    def __init__(self) -> None:
        self._folder: Path | None = None

    def __call__(self) -> Path:
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="percuss-"))
        return self._folder

    def remove(self) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


def _blank(unit: Unit, model: Model) -> Response:
    name = (model.id, unit.case.id, unit.arm.name, unit.epoch)
    blank = Response(
        id=response_id(*name), case_id=unit.case.id, arm=unit.arm.name, model=model.id, epoch=unit.epoch
    )
    if unit.earlier is None:
        return blank
    return replace(
        blank,
        after_response=unit.earlier.response.id,
        after_scoring=unit.after_scoring,
        earlier=digest_of(unit.earlier),
    )


def reason_of(error: Exception) -> str:
    """Return the reason of a response that ended in an exception: `refused`, or `error` and what kind of it."""
    if isinstance(error, Refused):
        return Reason.REFUSED.value
    name = type(error).__name__
    return f"{Reason.ERROR.value}:{_snake(name) if isinstance(error, PercussError) else name}"


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


def not_applicable(reason: str) -> str:
    """Return a protocol's reason with `not_applicable` before it, unless it begins with a known word."""
    try:
        reason_head(reason)
    except ValueError:
        return f"{Reason.NOT_APPLICABLE.value}:{reason}"
    return reason


class BadClaims(ValueError):
    """Claims that break their own law."""


def _require_spans(response: Response, claims: Sequence[Claim]) -> None:
    texts = {turn.index: turn.text for turn in response.turns}
    seen = set()
    for claim in claims:
        if (
            texts.get(claim.turn, "")[claim.start : claim.stop] != claim.text
            or claim.response_id != response.id
        ):
            raise BadClaims(
                f"claim {claim.id} is not what stands at {claim.start}:{claim.stop} of turn {claim.turn}"
            )
        if (claim.id, claim.extractor) in seen or claim.extractor != claims[0].extractor:
            raise BadClaims(
                f"claim {claim.id} is not the only one of its id and its response's only extractor"
            )
        seen.add((claim.id, claim.extractor))


def _require_once(verdicts: Sequence[Verdict]) -> None:
    keys = [(verdict.subject, verdict.aspect, verdict.rater) for verdict in verdicts]
    if len(set(keys)) != len(keys):
        raise ValueError(
            "a rater labels a subject once under each aspect; two verdicts share subject, aspect and rater"
        )
