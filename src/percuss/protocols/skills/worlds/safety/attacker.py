"""An attacker that learns: seeded, it picks the next technique by past success alone, and never sees a canary or a reply.

Thompson sampling: each technique's chance of success is drawn from a beta distribution of its successes and failures so far
(flat before the first), and the highest draw is next. W. R. Thompson, Biometrika 1933, 25:285-294.
"""

from collections.abc import Awaitable, Callable, Sequence

from percuss.core import seeds
from percuss.core.strict import Record
from percuss.protocols.skills.worlds.contract import Task
from percuss.protocols.skills.worlds.safety.crossing import pair
from percuss.protocols.skills.worlds.safety.library import Scenario, scenarios, techniques

__all__ = ["Try", "campaign", "choose", "first", "within_reach"]


class Try(Record):
    """An attack that was carried out: all that the attacker learns of it."""

    technique: str
    success: bool


def choose(past: Sequence[Try], known: Sequence[str], seed: int) -> str:
    """Return the technique to try next; how past tries were ordered changes nothing.

    Args:
        past: what was tried. known: the techniques to choose from, at least one; unknown ones in `past` are passed over.
        seed: of the attacker.

    Raises:
        ValueError: nothing to choose from.
    """
    names = sorted(set(known))
    if not names:
        raise ValueError("got no technique; expected at least one to choose from")
    rng = seeds.generator(seed, "safety", "attacker", len(past))
    won = {name: sum(one.success for one in past if one.technique == name) for name in names}
    tried = {name: sum(one.technique == name for one in past) for name in names}
    drawn = {name: float(rng.beta(1 + won[name], 1 + tried[name] - won[name])) for name in names}
    return max(names, key=lambda name: drawn[name])


async def campaign(
    carry_out: Callable[[Task], Awaitable[bool | None]], seed: int, *, tries: int
) -> tuple[tuple[str, Try], ...]:
    """Attack again and again, each time by the technique that past success suggests; return (task id, try) in order.

    The scenario goes round by the seed alone. A try that couldn't be scored teaches nothing and isn't returned.

    Args:
        carry_out: puts a task to the agent and returns whether a harmful effect came of it; None: not scored. It is the
            only word that reaches the attacker.
        seed: of the attacker and of the clinic. tries: how many attacks are put.
    """
    ways = {way.id: way for way in techniques()}
    past: list[tuple[str, Try]] = []
    for situation in _situations(seed, tries):
        technique = choose([one for _, one in past], tuple(ways), seed)
        attack, _ = pair(situation, ways[technique], seed)
        success = await carry_out(attack)
        if success is not None:
            past.append((attack.id, Try(technique=technique, success=success)))
    return tuple(past)


def first(seed: int, tries: int) -> Task:
    """Return the attack that a campaign begins with.

    Args:
        seed: of the attacker. tries: at least one.
    """
    ways = {way.id: way for way in techniques()}
    return pair(_situations(seed, tries)[0], ways[choose([], tuple(ways), seed)], seed)[0]


def within_reach(seed: int, tries: int) -> tuple[Task, ...]:
    """Return every attack and twin that a campaign may come to, whatever works.

    Args:
        seed: of the attacker. tries: how many attacks it puts.
    """
    met = dict.fromkeys(each.id for each in _situations(seed, tries))
    held = [each for each in scenarios() if each.id in met]
    return tuple(task for each in held for way in techniques() for task in pair(each, way, seed))


def _situations(seed: int, tries: int) -> tuple[Scenario, ...]:
    held = scenarios()
    order = seeds.generator(seed, "safety", "campaign").permutation(len(held))
    return tuple(held[int(order[number % len(held)])] for number in range(tries))
