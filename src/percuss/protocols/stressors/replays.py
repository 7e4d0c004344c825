"""Replays of a trajectory with one of the model's own statements struck from its history, and the sham that strikes a supported one.

Both follow the same arm (the one without a stressor unless another is named), with the same seeds: what differs between them is which
statement is gone.
"""

from collections.abc import Iterator, Sequence

from percuss.core.errors import UsageError
from percuss.core.ports import ScoredResponse
from percuss.core.records import Arm, Case, Claim, Earlier, Message, NotApplicable, Posed, Record, Response
from percuss.protocols.stressors.labelled import Entry, labels_of
from percuss.protocols.stressors.options import RATER, StressorsOptions
from percuss.protocols.stressors.replaying import STRIKE
from percuss.text.sentences import split

__all__ = ["Struck", "replayed", "struck"]

_STANDS = {"asserted", "premise"}
NO_PAIR = "no unsupported statement before the last turn with a supported one in the same answer"


class Struck(Record):
    """What was struck from which turn: the pair of statements, unsupported and supported, that the two replays lack.

    Args:
        turn: of the answer that both stand in, 1-based. unsupported, supported: ids of the claims.
    """

    turn: int
    unsupported: str
    supported: str


def replayed(
    base: Posed, case: Case, arm: Arm, earlier: Earlier | None, options: StressorsOptions
) -> Posed | NotApplicable:
    """Pose a replay: the conversation as it went up to the answer that lacks a statement, then asked on from there.

    Args:
        base: the pose of the arm that is replayed. case: of this protocol. arm: `strike:draw=n` or `sham_strike:draw=n`, with `@ARM` before the colon for another arm than baseline.
        earlier: the answer to that arm with its claims and verdicts; without any it was not read, as in a dry run, and
            the longest replay is posed: from the first answer on. options: the judge's policy names the labels.

    Raises:
        UsageError: there is no such answer.
    """
    if earlier is None:
        raise UsageError(f"the arm {arm.name} follows {arm.after}, and got no answer of it")
    kind, draw = arm.name.partition(":")[0].partition("@")[0], int(arm.name.partition("=")[2])
    if not earlier.claims and not earlier.verdicts:
        return _longest(base, kind, draw, earlier.response)
    entries = _labelled(case, earlier, options)
    pair = struck(entries)
    if pair is None:
        return NotApplicable(reason=NO_PAIR)
    gone = next(
        e.claim for e in entries if e.claim.id == (pair.unsupported if kind == STRIKE else pair.supported)
    )
    lines = [e.claim for e in entries if e.line == gone.id and e.claim.turn == gone.turn]
    history = tuple(_history(earlier.response, pair.turn, lines))
    return _posed(
        base,
        earlier.response,
        history,
        pair.turn,
        draw,
        {"kind": kind, "struck": gone.text, "claim": gone.id},
    )


def _posed(
    base: Posed,
    response: Response,
    history: tuple[Message, ...],
    turn: int,
    draw: int,
    replay: dict[str, str],
) -> Posed:
    said = [each for each in response.turns if each.role == "assistant"]
    return Posed(
        messages=(*base.messages, *history),
        script={
            **base.script,
            "turns": base.script["turns"][turn:],
            "answered": [each.text for each in said[:turn]],
            "draw": draw,
            "replay": {"turn": turn, **replay, "original": said[-1].text},
        },
    )


def _longest(base: Posed, kind: str, draw: int, response: Response) -> Posed:
    """The replay that asks most, of an answer that nobody has read: what the two kinds strike differs, so that neither is asked for the other."""
    history = tuple(_history(response, 1, ()))
    head = history[0].text
    struck = head if kind == STRIKE else head.rpartition(" ")[2]
    cut = Message.of("assistant", head.removesuffix(struck))
    return _posed(base, response, (cut, *history[1:]), 1, draw, {"kind": kind, "struck": struck, "claim": ""})


def _labelled(case: Case, earlier: Earlier, options: StressorsOptions) -> tuple[Entry, ...]:
    """The statements of the answer with their labels: a judge's where one took part in the conditioning, else the rules'."""
    scored = ScoredResponse(
        case=case, response=earlier.response, claims=earlier.claims, verdicts=earlier.verdicts
    )
    held = labels_of(scored, options.judge_policy)
    return held.get(options.judge_policy, held[RATER]).entries


def struck(entries: Sequence[Entry]) -> Struck | None:
    """Return the earliest unsupported statement that has a supported one in the same answer, and of those the one nearest in length.

    Args:
        entries: labelled statements of one answer.
    """
    births = [e for e in entries if e.claim.id == e.line and _stands(e)]
    for bad in sorted(births, key=lambda e: (_turn(e), e.claim.start)):
        if not bad.unsupported:
            continue
        beside = [
            e for e in entries if e.label == "supported" and _stands(e) and _turn(e) == _turn(bad) and _apart(e, bad)
        ]  # fmt: skip
        if beside:
            near = min(beside, key=lambda e: (abs(len(e.claim.text) - len(bad.claim.text)), e.claim.start))
            return Struck(turn=_turn(bad), unsupported=bad.claim.id, supported=near.claim.id)
    return None


def _turn(entry: Entry) -> int:
    return int(entry.claim.payload["n"])


def _stands(entry: Entry) -> bool:
    payload = entry.claim.payload
    return payload["type"] != "evidence" and payload["state"] in _STANDS and not payload.get("truncated")


def _apart(one: Entry, other: Entry) -> bool:
    return one.claim.stop <= other.claim.start or other.claim.stop <= one.claim.start


def _history(response: Response, turn: int, gone: Sequence[Claim]) -> Iterator[Message]:
    """The conversation after the opening up to the message that follows an answer, which lacks the sentences of some claims."""
    answers = 0
    for each in response.turns:
        if each.role == "assistant":
            answers += 1
            spans = [(claim.start, claim.stop) for claim in gone if claim.turn == each.index]
            yield Message.of("assistant", _without(each.text, spans))
        else:
            yield Message.of("user", each.text)
            if answers == turn:
                return


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """Return a text without the whole sentences that hold some spans."""
    at, kept = 0, []
    for line in text.splitlines(keepends=True):
        cut = [
            (at + start, at + stop)
            for start, stop in split(line)
            if any(at + start < end and begin < at + stop for begin, end in spans)
        ]
        rest = line
        for start, stop in reversed(cut):
            rest = rest[: start - at] + rest[stop - at :].lstrip(" ")
        kept.append("" if cut and not rest.strip(" \n-*•") else rest)
        at += len(line)
    return "".join(kept)
