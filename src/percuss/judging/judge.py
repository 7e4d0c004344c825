"""A judge: prompt file -> call -> schema -> verdict. A judge that cannot be read has not judged."""

import json
from collections.abc import Sequence
from typing import Any

from percuss.core import seeds
from percuss.core.labels import Reason
from percuss.core.ports import JudgeRequest, Model
from percuss.core.prompts import fill, neutralise
from percuss.core.records import Message, Reply, Request, Verdict
from percuss.judging.passes import rated

__all__ = ["PromptJudge", "label_schema", "last_object"]

_DECODER = json.JSONDecoder()


def label_schema(labels: Sequence[str]) -> dict[str, Any]:
    """Return the JSON Schema of a judge's reply: a rationale, then one of the labels.

    Args:
        labels: the words that the judge may answer with.
    """
    return {
        "type": "object",
        "properties": {"rationale": {"type": "string"}, "label": {"type": "string", "enum": list(labels)}},
        "required": ["rationale", "label"],
        "additionalProperties": False,
    }


def last_object(text: str, required: str) -> dict[str, Any] | None:
    """Return the last JSON object of a text that has the key `required`; None where there is none.

    The last one counts: judges echo the format or try verdicts while they think.
    """
    found = None
    at = text.find("{")
    while at >= 0:
        try:
            value, stop = _DECODER.raw_decode(text, at)
        except (json.JSONDecodeError, RecursionError):
            at = text.find("{", at + 1)
            continue
        if isinstance(value, dict) and required in value:
            found = value
        at = text.find("{", stop)
    return found


class PromptJudge:
    """A model that labels claims by a prompt file, in several passes; pass k is epoch k of its call.

    Args:
        model: the judge model; it is never the model under test unless the user allows it.
        prompt: template whose `{fields}` a request fills. Evidence stands first in it, so that providers' prefix
            caches serve all claims of a case; no claim, case or arm id is in it, so that equal claims share a call.
        system: system message; "" for none.
        labels: the labels offered.
        passes: how many times each request is put.
        seed: root seed; the request's seed is derived from it and the model alone.
        max_tokens: of the reply.
    """

    def __init__(
        self,
        model: Model,
        prompt: str,
        *,
        labels: Sequence[str],
        seed: int,
        system: str = "",
        passes: int = 2,
        max_tokens: int = 400,
    ) -> None:
        self._model = model
        self._prompt = prompt
        self._system = system
        self._labels = tuple(labels)
        self._passes = passes
        self._seed = seeds.derive(seed, "judge", model.id)
        self._max_tokens = max_tokens

    @property
    def rater(self) -> str:
        """`judge:<model>`; the verdicts carry the pass as `#k`."""
        return f"judge:{self._model.id}"

    def request(self, judge_request: JudgeRequest) -> Request:
        """Return the request that every pass of a judge request makes."""
        safe = {name: neutralise(text) for name, text in judge_request.fields.items()}
        messages = [Message.of("system", self._system)] if self._system else []
        messages.append(Message.of("user", fill(self._prompt, safe)))
        return Request(
            messages=tuple(messages),
            temperature=0.0,
            top_p=1.0,
            max_tokens=self._max_tokens,
            seed=self._seed,
            reply_schema=label_schema(judge_request.labels or self._labels),
        )

    async def rate(self, judge_request: JudgeRequest) -> tuple[Verdict, ...]:
        """Return one verdict a pass; a reply that cannot be read is unscored with a reason."""
        labels = judge_request.labels or self._labels
        found = rated(
            self._model,
            self.request(judge_request),
            lambda reply: _read(reply, labels),
            passes=self._passes,
            subject=judge_request.subject,
            response_id=judge_request.response_id,
            aspect=judge_request.aspect,
        )
        return tuple([verdict async for verdict in found])


def _read(reply: Reply, labels: Sequence[str]) -> dict[str, Any]:
    found = last_object(reply.text, "label")
    if found is None:
        cut = "truncated" if reply.finish == "length" else "parse"
        return {"unscored": f"{Reason.UNPARSABLE.value}:{cut}", "rationale": reply.text[:500]}
    label = str(found["label"]).strip().casefold()
    rationale = str(found.get("rationale", ""))
    if label not in labels:
        return {"unscored": f"{Reason.UNPARSABLE.value}:label", "rationale": reply.text[:500]}
    return {"label": label, "rationale": rationale}
