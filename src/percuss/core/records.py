"""The records that flow one way: case -> response -> claim -> verdict -> cell -> estimate.

All are frozen, forbid unknown fields and travel as JSON both ways. NaN is not a value of any of them.
"""

import math
from typing import Any, Literal

from percuss.core import ids
from percuss.core.annotation import AnnotationItem
from percuss.core.messages import (
    Blob,
    Finish,
    Image,
    Message,
    Part,
    Reply,
    Request,
    Role,
    Text,
    Tool,
    ToolCall,
    ToolResult,
)
from percuss.core.reading import ReadRight
from percuss.core.strict import Record, RecordMeta

__all__ = [
    "AnnotationItem",
    "Arm",
    "Blob",
    "Case",
    "Cell",
    "Claim",
    "Earlier",
    "Estimate",
    "Image",
    "Message",
    "NotApplicable",
    "Part",
    "Posed",
    "Record",
    "RecordMeta",
    "Reply",
    "Request",
    "Response",
    "Scoring",
    "Text",
    "Tool",
    "ToolCall",
    "ToolResult",
    "Transcript",
    "Turn",
    "Usage",
    "Verdict",
]

Status = Literal["done", "failed", "not_applicable"]


class Case(Record):
    """The unit put to a model. `cluster` is what is resampled; `blobs` are the images it carries."""

    id: str
    cluster: str
    stratum: str = ""
    payload: dict[str, Any] = {}
    blobs: tuple[Blob, ...] = ()


class Arm(Record):
    """The condition under which a case is posed. Its name is its identity, parameters included.

    Args:
        baseline: others are compared with it.
        after: name of the arm that is asked before it, of the same model, case and epoch; None: it stands alone.
        needs: what of the arm before `pose` is given: its answer, or its checked claims too.
    """

    name: str
    baseline: bool = False
    params: dict[str, Any] = {}
    after: str | None = None
    needs: Literal["answer", "verdicts"] = "answer"


class Posed(Record):
    """What `ask` may know of a case in an arm: messages, tools, script of later turns. No gold.

    `target` names what a misleading arm points at; `blobs` are the images that the messages refer to.
    """

    messages: tuple[Message, ...]
    tools: tuple[Tool, ...] = ()
    script: dict[str, Any] = {}
    target: str | None = None
    blobs: tuple[Blob, ...] = ()


class NotApplicable(Record):
    """A case that an arm does not apply to, with the reason."""

    reason: str


class Turn(Record, omit_defaults=True):
    """One turn of a transcript. `index` counts from 0 over all roles.

    `finish` is how the model's turn ended; None for turns of others, and where nobody noted it.
    """

    index: int
    role: Role
    parts: tuple[Part, ...]
    finish: Finish | None = None

    @property
    def text(self) -> str:
        """All text parts, joined by nothing."""
        return "".join(part.text for part in self.parts if isinstance(part, Text))


class Usage(Record):
    """What making something took: calls, tokens and money (USD; 0 where no price is known)."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: float = 0.0


class Transcript(Record):
    """What `ask` returns: the turns after posing (the model's and the counterpart's), and the final state.

    Args:
        finish: that of the last model turn; `length` marks a reply cut at max_tokens.
        error: reason why the conversation could not be brought to its end (`labels.Reason`, finer part after a colon); the
            response is then failed, its turns stay readable and are not checked.
    """

    turns: tuple[Turn, ...]
    finish: Finish = "stop"
    artifacts: dict[str, Any] = {}
    error: str | None = None


class Response(Record):
    """What a model said to one case in one arm (one or many turns).

    Args:
        reason: set when `status` is not `done`; finish: that of the last model turn.
        after_response: id of the response that it follows; None: it follows none.
        after_scoring: id of the conditioning scoring whose claims and verdicts it was posed with; None: the answer alone.
        earlier: digest of the `Earlier` that it was posed with; `percuss verify` recomputes it.
    """

    id: str
    case_id: str
    arm: str
    model: str
    epoch: int = 0
    turns: tuple[Turn, ...] = ()
    status: Status = "done"
    reason: str | None = None
    finish: Finish = "stop"
    artifacts: dict[str, Any] = {}
    usage: Usage = Usage()
    after_response: str | None = None
    after_scoring: str | None = None
    earlier: str | None = None

    @property
    def text(self) -> str:
        """The assistant's turns, joined by blank lines."""
        return "\n\n".join(turn.text for turn in self.turns if turn.role == "assistant")


class Claim(Record):
    """One atomic statement of a response: `turn_text[start:stop] == text`, always.

    Args:
        kind: the primary kind; kinds: all that apply; payload: the protocol's own.
        key: what the text itself says, where its span alone doesn't tell it from another claim (for a citation the
            reference as written); never what a reader makes of it. In the id only when not empty.
    """

    id: str
    response_id: str
    extractor: str
    turn: int
    start: int
    stop: int
    text: str
    kind: str = "other"
    kinds: tuple[str, ...] = ()
    payload: dict[str, Any] = {}
    key: str = ""

    @classmethod
    def of(
        cls,
        response_id: str,
        *,
        turn: int,
        start: int,
        stop: int,
        text: str,
        extractor: str,
        kind: str = "other",
        kinds: tuple[str, ...] = (),
        payload: dict[str, Any] | None = None,
        key: str = "",
    ) -> "Claim":
        """Make a claim with its content id."""
        return cls(
            id=ids.claim_id(response_id, turn, start, stop, text, key),
            response_id=response_id,
            extractor=extractor,
            turn=turn,
            start=start,
            stop=stop,
            text=text,
            kind=kind,
            kinds=kinds,
            payload=payload or {},
            key=key,
        )


class Verdict(Record):
    """One rater's label of one claim or response: exactly one of `label`, `score`, `unscored`.

    Args:
        subject: id of the claim or response.
        aspect: what was judged: support, reference, content, cf, ca, ct ..
        rater: `rule:strict`, `judge:openai/gpt-4.1-mini#2`, `human:r2`.
        unscored: reason (`labels.Reason`, finer part after a colon).
        evidence: what the verdict hangs on: fields, quotes with offsets.
        call: key of the model call that produced it; None for rules and people.

    Raises:
        ValueError: not exactly one of label, score, unscored; or a score that is not finite.
    """

    subject: str
    response_id: str
    aspect: str
    rater: str
    scoring: str = ""
    label: str | None = None
    score: float | None = None
    unscored: str | None = None
    rationale: str = ""
    evidence: tuple[dict[str, Any], ...] = ()
    call: str | None = None

    def __post_init__(self) -> None:
        # Said without a loop: a report reads a hundred thousand verdicts.
        if (self.label is not None) + (self.score is not None) + (self.unscored is not None) != 1:
            given = [name for name in ("label", "score", "unscored") if getattr(self, name) is not None]
            raise ValueError(f"a verdict holds exactly one of label, score, unscored; got {given or 'none'}")
        if self.score is not None and not math.isfinite(self.score):
            raise ValueError(f"a score is a finite number; got {self.score}; give `unscored` with a reason")


class Earlier(Record):
    """What a follower is posed with: the answer to the arm before it, of the same model, case and epoch.

    `claims` and `verdicts` are those of the conditioning scoring, and empty unless the arm needs verdicts.
    """

    response: Response
    claims: tuple[Claim, ...] = ()
    verdicts: tuple[Verdict, ...] = ()


class Cell(Record):
    """One case's contribution to a number: den + sum(excluded) = claims (or cases) posed, always.

    `simulated` is filled in by the engine: the model's provider says it.
    """

    name: str
    model: str
    arm: str
    labels: str
    case_id: str
    cluster: str
    num: float
    den: float
    scoring: str = ""
    epoch: int = 0
    stratum: str = ""
    excluded: dict[str, int] = {}
    simulated: bool = False


class Scoring(Record):
    """One pass of checking over a run by named raters; a run can have many, none is overwritten."""

    id: str
    raters: tuple[str, ...]
    config: dict[str, Any] = {}
    made_at: str = ""
    finished_at: str | None = None

    @classmethod
    def of(cls, raters: tuple[str, ...], config: dict[str, Any], made_at: str) -> "Scoring":
        """Make a scoring with its content id: raters, extractor, rules, prompts and policy."""
        return cls(id=ids.b2(list(raters), config), raters=raters, config=config, made_at=made_at)


class Estimate(Record):
    """A number with its interval, what it covers and what was left out.

    Args:
        name: snake_case name (`hdi_pooled`); `label` and `question` say it in words; `better` is
            `lower`, `higher` or `neither`; `unit` is `share`, `points`, `ratio`, `count` ..
        baseline: arm of the denominator; versus: the other model or arm of a difference.
        value, low, high: None exactly when `undefined` gives the reason. `level` is the interval's level.
        sided: `high` or `low` where only that bound is given, at (1 + level) / 2 ("at most 0.9%"); the other is None.
        covers: what the interval accounts for, in words; n: units scored; clusters: units resampled.
        excluded: reason -> count; bounds: worst cases over them; decided_share: share a rule could decide.
        seed: of the draws; None: nothing is drawn. simulated: a phantom's number. detectable: least difference to be seen.
        reader: who made the labels (a rule with its version, a judge, people); read_right: how often it was right on labelled
            text, None: held against none; both by the engine. withheld: why no headline or comparison may rest on it; or "".

    Raises:
        ValueError: a value beside `undefined`, neither of them, or a number that is not finite.
    """

    name: str
    model: str
    arm: str
    labels: str
    scoring: str = ""
    baseline: str | None = None
    versus: str | None = None
    stratum: str | None = None
    label: str = ""
    question: str = ""
    better: Literal["lower", "higher", "neither"] = "neither"
    unit: str = "share"
    value: float | None = None
    low: float | None = None
    high: float | None = None
    level: float = 0.95
    sided: Literal["both", "high", "low"] = "both"
    undefined: str | None = None
    covers: str = "sampling of cases"
    n: int = 0
    clusters: int = 0
    excluded: dict[str, int] = {}
    bounds: tuple[float, float] | None = None
    decided_share: float | None = None
    method: str = ""
    seed: int | None = None
    simulated: bool = False
    p: float | None = None
    p_adjusted: float | None = None
    family: str | None = None
    detectable: float | None = None
    primary: bool = False
    note: str = ""
    reader: str = ""
    read_right: ReadRight | None = None
    withheld: str = ""

    def __post_init__(self) -> None:
        if (self.value is None) == (self.undefined is None):
            raise ValueError(f"estimate {self.name}: exactly one of value and undefined; got {self.value!r}")
        bounds = {"high": self.high, "low": self.low}
        other = [bound for side, bound in bounds.items() if side != self.sided]
        if self.sided != "both" and (bounds[self.sided] is None or other != [None]):
            raise ValueError(f"estimate {self.name}: sided is {self.sided!r}; got another bound, or none")
        for field in ("value", "low", "high", "p", "p_adjusted"):
            number = getattr(self, field)
            if number is not None and not math.isfinite(number):
                raise ValueError(f"estimate {self.name}: {field} is not finite; give `undefined` and why")

    @classmethod
    def of(cls, name: str, model: str, arm: str, labels: str, result: Any, **fields: Any) -> "Estimate":
        """Make an estimate of a statistic's result: anything with value, low, high, level, method.

        Args:
            name: of the estimate.
            model: whose number it is.
            arm: under which condition.
            labels: source of the labels.
            result: object with `value`, `low`, `high`, `level`, `method`; optional `undefined`, `p`, `seed`, `n`.
            fields: further fields of the record; they win over the result's.
        """
        taken: dict[str, Any] = {
            key: getattr(result, key) for key in ("value", "low", "high", "level", "method")
        }
        for key in ("undefined", "p", "seed", "n", "sided"):
            if getattr(result, key, None) is not None:
                taken[key] = getattr(result, key)
        return cls(name=name, model=model, arm=arm, labels=labels, **{**taken, **fields})
