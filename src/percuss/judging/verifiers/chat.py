"""Any chat model with token log-probabilities as a verifier: one token per question, evidence first."""

import math
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

from percuss.core import seeds
from percuss.core.errors import BadInput, ModelError, OverBudget
from percuss.core.ids import b2
from percuss.core.messages import Message, NextTokenRequest, Reply
from percuss.core.ports import Model, is_simulated
from percuss.core.prompts import fill, neutralise
from percuss.core.verifying import Pair, Verification

__all__ = ["OUTSIDE", "ChatVerifier", "needs_logprobs", "prompts_of", "yes_share"]

OUTSIDE = 0.5
"""Probability mass outside yes and no above which nothing was answered (reading.md, section 6)."""
_YES, _NO = "yes", "no"
_QUESTIONS = ("supported", "contradicted")


def prompts_of(overlay: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the verifier's prompt files: `system`, `supported`, `contradicted`.

    Args:
        overlay: name -> text that takes a file's place; None for ours.
    """
    folder = resources.files("percuss.judging.verifiers").joinpath("prompts")
    own = {name: folder.joinpath(f"{name}.md").read_text("utf-8") for name in ("system", *_QUESTIONS)}
    return {**own, **{name: text for name, text in (overlay or {}).items() if name in own}}


def yes_share(logprobs: Sequence[Mapping[str, Any]] | None, *, outside: float = OUTSIDE) -> float | None:
    """Return the probability of yes against no for the first token; None where neither was likely.

    Args:
        logprobs: one entry per token with `top_logprobs`: `{token, logprob}`, natural logarithm, in the chat-completions format.
        outside: mass outside yes and no above which nothing was answered.

    >>> yes_share([{"top_logprobs": [{"token": " Yes", "logprob": math.log(0.6)}, {"token": "no", "logprob": math.log(0.2)}]}])
    0.75
    """
    if not logprobs:
        return None
    mass = {_YES: 0.0, _NO: 0.0}
    for choice in logprobs[0].get("top_logprobs") or ():
        word = str(choice.get("token", "")).strip(" \t\n\u2581\u0120\"'.,:*").casefold()
        if word in mass:
            mass[word] += math.exp(min(float(choice["logprob"]), 0.0))
    told = mass[_YES] + mass[_NO]
    if told <= 0.0 or 1.0 - told > outside:
        return None
    return round(mass[_YES] / told, 9)


def needs_logprobs(model: str) -> BadInput:
    """Return the sentence about a model that gives no log-probabilities of its tokens.

    Args:
        model: its id.
    """
    return BadInput(
        f"{model} answered without log-probabilities of its tokens, so it cannot verify; expected a model whose endpoint "
        "gives `logprobs` (OpenAI, vLLM, Ollama, llama.cpp, embedded/..); use it as a judge instead"
    )


class ChatVerifier:
    """A chat model that is asked, for each pair, whether the record supports the statement, and whether it contradicts it.

    Args:
        model: gives log-probabilities of tokens; never the model under test unless the user allows it.
        seed: root seed; a request's seed is derived from it and the model alone, so that equal pairs share a call.
        prompts: `system`, `supported`, `contradicted`; None for ours. The premises stand first, so that all statements
            of a case share what a prompt cache keeps.
        questions: what is asked of a pair: `supported`, and `contradicted` unless the probability of support is to tell alone.
    """

    def __init__(
        self,
        model: Model,
        *,
        seed: int,
        prompts: Mapping[str, str] | None = None,
        questions: Sequence[str] = _QUESTIONS,
    ) -> None:
        self._model = model
        self._questions = tuple(questions)
        self._seed = seeds.derive(seed, "verifier", model.id)
        self._prompts = prompts_of(prompts)

    @property
    def id(self) -> str:
        """Id of the model."""
        return self._model.id

    @property
    def pin(self) -> str:
        """What the model's id leaves open, and the digest of the prompts."""
        return f"{self._model.pin}+{b2(self._prompts)}"

    @property
    def simulated(self) -> bool:
        """Whether the model is a simulation."""
        return is_simulated(self._model)

    at_once = False

    async def verify(self, pairs: Sequence[Pair]) -> tuple[Verification, ...]:
        """Return one verification per pair.

        Args:
            pairs: statements with their premises; those of one case in a row.

        Raises:
            BadInput: the model gives no log-probabilities; OverBudget: the run's limit was reached.
        """
        return tuple([await self._one(pair) for pair in pairs])

    def request(self, pair: Pair, question: str) -> NextTokenRequest:
        """Return the request of one question about a pair.

        Args:
            pair: statement and premises. question: `supported` or `contradicted`.
        """
        fields = {"premises": neutralise("\n".join(pair.premises)), "claim": neutralise(pair.claim)}
        return NextTokenRequest(
            messages=(
                Message.of("system", self._prompts["system"].strip()),
                Message.of("user", fill(self._prompts[question], fields)),
            ),
            seed=self._seed,
        )

    async def _one(self, pair: Pair) -> Verification:
        if not pair.premises:
            return Verification(undecided="no premises")
        shares: dict[str, float | None] = {}
        for question in self._questions:
            try:
                reply = await self._model.generate(self.request(pair, question))
            except OverBudget:
                raise
            except ModelError as error:
                return Verification(undecided=f"the verifier failed: {error}")
            shares[question] = self._share(reply)
        supported, contradicted = (shares.get(question) for question in _QUESTIONS)
        if supported is None:
            return Verification(undecided="neither yes nor no was likely")
        return Verification(supported=supported, contradicted=contradicted)

    def _share(self, reply: Reply) -> float | None:
        if reply.logprobs is None or not any(token.get("top_logprobs") for token in reply.logprobs[:1]):
            raise needs_logprobs(self._model.id)
        return yes_share(reply.logprobs)
