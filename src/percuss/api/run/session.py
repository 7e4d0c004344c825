"""Who plays, built in one place for a run, a re-check and a protocol's own command alike; and the session of a command."""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from percuss.api.run.factory import ModelFactory, plays_model
from percuss.core.errors import UsageError
from percuss.core.ports import Roles
from percuss.core.protocol import Protocol
from percuss.core.verifying import Pair, Rule
from percuss.engine.once import JournaledOnce
from percuss.engine.pool import each
from percuss.engine.progress import Watcher
from percuss.judging.passes import passes_of
from percuss.store import RunStore

__all__ = ["OwnSession", "require_roles", "require_verifying", "roles_of"]

Unit = TypeVar("Unit")
Made = TypeVar("Made")


def require_roles(protocol: Protocol[Any], roles: Mapping[str, str]) -> None:
    """Refuse roles that a protocol does not have.

    Args:
        protocol: its manifest's `[roles]` are all that there are. roles: role -> model string.

    Raises:
        UsageError: an unknown role, with those that there are.
    """
    strange = sorted(set(roles) - set(protocol.roles))
    if strange:
        known = ", ".join(sorted(protocol.roles))
        raise UsageError(f"{protocol.name} has no role {strange[0]!r}; its roles are {known}")


def roles_of(
    factory: ModelFactory,
    texts: Mapping[str, str],
    *,
    seed: int,
    judge_policy: str = "agreement",
    base_url: str | None = None,
    store: RunStore | None = None,
    searching: Any = None,
    rule: Rule | None = None,
) -> Roles:
    """Return who plays beside the model under test.

    Args:
        factory: builds the models, journaled and within the budget.
        texts: role -> model string; `embedder`, `search` and `verifier` have places of their own.
        seed: root seed.
        judge_policy: agreement or majority; decides how many passes a judge makes.
        base_url: address of the endpoint of the models; None: as their providers say.
        store: whose bytes and journal the roles reach; None outside a command.
        searching: the protocol's searches (`Protocol.searching`); None where it has none of its own.
        rule: the user's own; None where the protocol's rules read.
    """
    embedder, search, verifier = (texts.get(role) for role in ("embedder", "search", "verifier"))
    meaning = None if embedder is None else factory.embedder(embedder)
    return Roles(
        {
            role: factory.model(text, base_url=base_url)
            for role, text in texts.items()
            if role != "verifier" and plays_model(role, text)
        },
        seed=seed,
        embedder=meaning,
        search=None if search is None else factory.search(search, own=searching, embedder=meaning),
        fetch=factory.fetch(),
        verifier=None if verifier is None else factory.verifier(verifier, base_url=base_url),
        judge_passes=passes_of(judge_policy),
        blobs=None if store is None else store.blobs,
        once=None if store is None else JournaledOnce(store),
        rule=rule,
    )


_PROBE = Pair(claim="The patient is an adult.", premises=("Age: 61 years.",))


async def require_verifying(roles: Roles) -> None:
    """Let a verifier read one pair before anybody is asked for answers, so that one that can't verify is told at once.

    Args:
        roles: of a run; what the pair costs stays in its journal.

    Raises:
        BadInput: the model gives no log-probabilities of its tokens.
    """
    if roles.verifier is not None:
        await roles.verifier.verify((_PROBE,))


@dataclass(frozen=True)
class OwnSession:
    """The `Session` of a protocol's own command.

    Args:
        roles: who plays. offline, dry_run: as the user said.
        concurrency: units that are under way at a time.
        watcher: hears of every unit that is done.
    """

    roles: Roles
    offline: bool = False
    dry_run: bool = False
    concurrency: int = 10
    watcher: Watcher | None = None

    async def each(self, units: Iterable[Unit], work: Callable[[Unit], Awaitable[Made]]) -> tuple[Made, ...]:
        """Do the work on every unit with the engine's own loop, and return the outcomes in order of the units.

        Raises:
            OverBudget: a budget is used up; the same command goes on where it was.
        """
        return await each(units, work, workers=self.concurrency, watcher=self.watcher)
