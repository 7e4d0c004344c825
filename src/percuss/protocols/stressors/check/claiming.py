"""From answers to claims: assertions about the patient, each on a life line."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from percuss.core.ports import Roles
from percuss.core.records import Case, Claim, Response
from percuss.protocols.stressors.check.assertions import Assertion, assertions
from percuss.protocols.stressors.check.identity import join
from percuss.protocols.stressors.check.trajectory import Trajectory, trajectory
from percuss.protocols.stressors.options import RATER, StressorsOptions
from percuss.protocols.stressors.replaying import is_replay

__all__ = ["EXTRACTOR", "assertion_of", "claims"]

EXTRACTOR = "rule:assertions"


async def claims(
    case: Case, response: Response, roles: Roles, options: StressorsOptions
) -> tuple[Claim, ...]:
    """Return the assertions of a trajectory as claims; each knows its turn, its state and its life line.

    Args:
        case: of this protocol. response: done.
        roles: with an `embedder`, claims in other words can join a life line. options: `inject_at`.

    `payload` holds n (turn), type (numeric | other | evidence), state (asserted | premise | questioned | withdrawn),
    line (id of the birth claim), and where they apply revises, near (id of a birth that may be the same), explains, truncated.
    A replay has none: of it only the end counts, beside the end that it replays.
    """
    if is_replay(response.arm):
        return ()
    t = trajectory(case, response, seed=roles.seed, inject_at=options.inject_at)
    cut = set(response.artifacts.get("cut", ())) | ({len(t.said)} if response.finish == "length" else set())
    found = [(said.n, each) for said in t.said for each in assertions(said, cut=said.n in cut)]
    vectors = await _vectors(found, roles)
    joined = join(found, vectors)
    made = [_claim(response, t, turn, each) for turn, each in found]
    out = []
    for (turn, each), claim, line in zip(found, made, joined, strict=True):
        payload = {"n": turn, "type": each.type, "state": each.state, "line": made[line.line].id}
        if line.revises is not None:
            payload["revises"] = made[line.revises].id
        if line.near is not None:
            payload["near"] = made[line.near].id
        payload |= {
            name: True for name, on in (("explains", each.explains), ("truncated", each.truncated)) if on
        }
        out.append(
            Claim.of(
                response.id,
                turn=claim.turn,
                start=each.start,
                stop=each.stop,
                text=each.text,
                extractor=EXTRACTOR if roles.embedder is None else f"{EXTRACTOR}+{roles.embedder.id}",
                kind=each.type,
                kinds=(each.type,),
                payload=payload,
            )
        )
    return tuple(out)


def _claim(response: Response, t: Trajectory, turn: int, each: Assertion) -> Claim:
    index = t.said[turn - 1].index
    return Claim.of(
        response.id, turn=index, start=each.start, stop=each.stop, text=each.text, extractor=RATER
    )


def assertion_of(claim: Claim) -> Assertion:
    """Return a claim as the assertion that it was made of."""
    p = claim.payload
    return Assertion(
        claim.start,
        claim.stop,
        claim.text,
        p["type"],
        p["state"],
        bool(p.get("explains")),
        bool(p.get("truncated")),
    )


async def _vectors(
    found: Sequence[tuple[int, Assertion]], roles: Roles
) -> dict[int, NDArray[np.float32]] | None:
    places = [at for at, (_, each) in enumerate(found) if each.type != "numeric"]
    if roles.embedder is None or not places:
        return None
    rows = await roles.embedder.embed([found[at][1].text for at in places])
    return dict(zip(places, rows, strict=True))
