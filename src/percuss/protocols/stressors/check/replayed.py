"""What a replay changed: the final diagnosis, and which items of the final evidence are gone, against the answer that it replays."""

from typing import Any

from percuss.core.labels import Reason
from percuss.core.records import Response, Verdict
from percuss.protocols.stressors.check.assertions import assertions
from percuss.protocols.stressors.check.declared import declared
from percuss.protocols.stressors.check.trajectory import said_in
from percuss.protocols.stressors.options import RATER
from percuss.protocols.stressors.readers.diagnoses import same_name
from percuss.protocols.stressors.scenario.wording import coverage

__all__ = ["REPLAY", "changes", "replay_verdict"]

REPLAY = "replay"
NO_DIAGNOSIS = f"{Reason.NOT_CHECKABLE}:no diagnosis line"
NO_LIST = f"{Reason.NOT_CHECKABLE}:no list of evidence"
SAME = 0.8
"""Share of an item's content words that an item of the replay holds where it is the same item."""


def replay_verdict(response: Response) -> Verdict:
    """Return how a replay ended beside the answer that it replays; one row, by rule.

    Args:
        response: done, of an arm that replays.
    """
    return Verdict(
        subject=response.id,
        response_id=response.id,
        aspect=REPLAY,
        rater=RATER,
        label="replayed",
        evidence=(changes(response),),
    )


def changes(response: Response) -> dict[str, Any]:
    """Return what changed: `diagnosis` (0 or 1) and `evidence` (share of the first list that is gone), or `<name>_reason`.

    Args:
        response: done, of an arm that replays.
    """
    replay = response.artifacts["replay"]
    now = next(turn.text for turn in reversed(response.turns) if turn.role == "assistant")
    first, last = declared(replay["original"])[0], declared(now)[0]
    found: dict[str, Any] = {
        name: replay[name] for name in ("turn", "kind", "struck")
    }  # what was said is kept in the answer itself
    if first is None or last is None:
        found["diagnosis_reason"] = NO_DIAGNOSIS
    else:
        found |= {"diagnosis": float(not same_name(last, first)), "was": first, "is": last}
    was, held = _items(replay["original"]), _items(now)
    if not was or not held:
        found["evidence_reason"] = NO_LIST
    else:
        kept = sum(any(coverage(item, other) >= SAME for other in held) for item in was)
        found["evidence"] = 1 - kept / len(was)
    return found


def _items(text: str) -> list[str]:
    return [
        each.text
        for each in assertions(said_in(1, 0, text, final=True), cut=False)
        if each.type == "evidence"
    ]
