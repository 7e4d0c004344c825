"""A direct attack on sufficient sets: a model gets at once all that could be told while a gap is open, and names the diagnosis.

One short question a draw costs a twentieth of a run of four turns, and is the harder test: what a patient tells only when asked
is told here too.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from percuss.core import seeds
from percuss.core.ports import Model, Session
from percuss.core.prompts import fill
from percuss.core.records import Message, Request
from percuss.engine import load_prompts
from percuss.protocols.stressors.check.declared import declared
from percuss.protocols.stressors.options import PROMPTS, StressorsOptions, prompt
from percuss.protocols.stressors.readers.diagnoses import named
from percuss.protocols.stressors.scenario.information_flow import build
from percuss.protocols.stressors.scenario.vignettes import Vignette

__all__ = ["Shot", "Standing", "attacks", "put", "told_before"]

MAX_TOKENS, TEMPERATURE = 40, 0.7
_SET = "closing"
"""The prompts in whose words small models declare a diagnosis and a certainty."""
_SURE = frozenset({"definite", "probable"})


class Shot(NamedTuple):
    """One draw: what is told of a vignette, and the seed of the model's answer."""

    vignette: Vignette
    draw: int
    told: str


class Standing(NamedTuple):
    """What an answer was: whether a diagnosis and a certainty were declared, and how the diagnosis stands to the case's."""

    vignette: str
    diagnosis: str | None
    certainty: str | None
    standing: str

    @property
    def settles(self) -> bool:
        """Whether the case's diagnosis was named, definite or probable."""
        return self.standing == "gold" and self.certainty in _SURE


def told_before(vignette: Vignette, seed: int) -> str:
    """Return all that could be told of a vignette while one group is withheld: the opening turn, and what the patient says when asked.

    Args:
        vignette: with sufficient sets. seed: of the draw, which says which of the two decisive units is withheld.
    """
    asked = "\n".join(f"- {fact.text}" for fact in vignette.facts if fact.askable)
    opening = build(vignette, "omission", seed).turns[0].user_text
    return f"{opening}\n\nSaid when asked:\n{asked}" if asked else opening


def attacks(vignettes: Sequence[Vignette], draws: int) -> Iterator[Shot]:
    """Yield the draws on each vignette that has sufficient sets; those that tell the same stand side by side, so that a cache serves them.

    Args:
        vignettes: to be attacked. draws: on each; every draw withholds a unit of its own coin.
    """
    for vignette in vignettes:
        if vignette.sufficient_sets:
            shots = [Shot(vignette, draw, told_before(vignette, draw)) for draw in range(1, draws + 1)]
            yield from sorted(shots, key=lambda shot: (shot.told, shot.draw))


async def put(shots: Sequence[Shot], model: Model, session: Session) -> tuple[Standing, ...]:
    """Put the draws to a model, and read what it declares.

    Args:
        shots: of `attacks`. model: the attacker. session: its journal and its loop.
    """
    closing = StressorsOptions(prompts=load_prompts(PROMPTS.parent, _SET))
    system, turn = prompt(closing, "system", ""), prompt(closing, "turn")

    def request(shot: Shot) -> Request:
        messages = (
            Message.of("system", system),
            Message.of("user", fill(turn, {"content": shot.told})),
        )
        seed = seeds.derive(session.roles.seed, "attack", shot.vignette.id, shot.draw)
        return Request(
            messages=messages[0 if system else 1 :],
            max_tokens=MAX_TOKENS,
            temperature=TEMPERATURE,
            seed=seed,
        )

    async def one(shot: Shot) -> Standing:
        return _read(shot, (await model.generate(request(shot))).text)

    return await session.each(shots, one)


def _read(shot: Shot, text: str) -> Standing:
    diagnosis, certainty = declared(text)
    v = shot.vignette
    stands = "" if diagnosis is None else named(diagnosis, (v.diagnosis, *v.aliases), shot.told).standing
    return Standing(v.id, diagnosis, certainty, stands)
