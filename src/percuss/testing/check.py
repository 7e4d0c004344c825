"""`percuss.testing.check(protocol)`: every law on a protocol of anyone's, in seconds."""

import asyncio
from collections.abc import Iterable
from typing import Any, Literal

from percuss.core.protocol import Protocol
from percuss.core.records import Posed
from percuss.core.strict import Record
from percuss.testing.laws import LAWS
from percuss.testing.saying import Broken, NotReached
from percuss.testing.trial import SEED, Trial

__all__ = ["Checked", "Outcome", "capabilities", "check"]


class Outcome(Record):
    """What became of one law: it holds, it fails in one sentence, or it does not apply for want of a capability."""

    law: str
    verdict: Literal["holds", "fails", "does not apply"]
    words: str = ""

    @property
    def line(self) -> str:
        """The outcome in a line."""
        return f"{self.law}: {self.verdict}{': ' if self.words else ''}{self.words}"


class Checked(Record):
    """All laws of one protocol."""

    protocol: str
    outcomes: tuple[Outcome, ...]

    @property
    def failures(self) -> tuple[Outcome, ...]:
        """The laws that do not hold."""
        return tuple(outcome for outcome in self.outcomes if outcome.verdict == "fails")

    @property
    def passed(self) -> bool:
        """Whether every law that applies holds."""
        return not self.failures


def capabilities(protocol: Protocol[Any]) -> frozenset[str]:
    """Return what a protocol declares to have: baseline, judge, people, after, tools.

    >>> from percuss.protocols.grounding import PROTOCOL
    >>> sorted(capabilities(PROTOCOL))
    ['baseline', 'judge', 'people']
    """
    options = protocol.options()
    arms = protocol.arms(options)
    found = {"people"} if protocol.manifest.get("people", True) else set()
    if any(arm.baseline for arm in arms):
        found.add("baseline")
    if any(arm.after is not None for arm in arms):
        found.add("after")
    if "judge" in protocol.roles:
        found.add("judge")
    case = next(iter(protocol.cases(None, options, SEED)), None)
    posed = [protocol.pose(case, arm, None, options, SEED) for arm in arms if case and arm.after is None]
    if any(isinstance(one, Posed) and one.tools for one in posed):
        found.add("tools")
    return frozenset(found)


def check(protocol: Protocol[Any], laws: Iterable[str] | None = None) -> Checked:
    """Try every law on a protocol's first twelve cases, with answers of its own phantom where it plants one.

    Args:
        protocol: of anyone's. laws: names of some; None takes all.

    A law holds, fails in one sentence, or does not apply because the protocol lacks what it is about. A capability that is
    declared and that no law could try fails too: what nobody tested is not known to work.
    """
    return asyncio.run(_checked(protocol, tuple(LAWS if laws is None else laws)))


async def _checked(protocol: Protocol[Any], names: tuple[str, ...]) -> Checked:
    has = capabilities(protocol)
    outcomes = []
    for name in names:
        law, about = LAWS[name]
        if about and about not in has:
            outcomes.append(Outcome(law=name, verdict="does not apply", words=about))
            continue
        try:
            await law(Trial(protocol))
        except (Broken, NotReached) as error:
            outcomes.append(Outcome(law=name, verdict="fails", words=str(error)))
        except Exception as error:  # noqa: BLE001 - a protocol of anyone's; whatever it raises is a finding
            words = f"{type(error).__name__}: {error}".replace("\n", " ")
            outcomes.append(Outcome(law=name, verdict="fails", words=words))
        else:
            outcomes.append(Outcome(law=name, verdict="holds"))
    return Checked(protocol=protocol.name, outcomes=tuple(outcomes))
