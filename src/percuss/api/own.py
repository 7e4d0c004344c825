"""A script's own objects in a run: a model, a judge with a prompt of its own, a rule, a verifier.

Each has a name, which stands in every number, and a version, which says when it is another one. Without a version
nothing tells whether old answers are still its own: such a run starts a folder of its own and is kept in no cache.
"""

import asyncio
import inspect
import json
import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal

from percuss.api.run.factory import UNVERSIONED
from percuss.core.errors import BadReply, ModelError, UsageError
from percuss.core.labels import SUPPORT_LABELS
from percuss.core.messages import Reply, Request, Text, ToolCall, ToolResult
from percuss.core.verifying import Pair, Verification

__all__ = ["Judge", "Model", "Rule", "Verifier", "model_of"]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


def _named(name: object, what: str) -> str:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise UsageError(
            f"{what} of your own needs name=: letters, digits, dots, dashes; got {name!r}, give one such as name='ward-model'"
        )
    return name


class Model:
    """A model under test, or a judge, that is a function or an object of this script.

    Args:
        answer: function of a text that returns a text, plain or async, or an object with such a method `generate`. It
            may return a `percuss.core.messages.Reply` instead, with tokens and how the answer ended.
        name: stands in every number as `python/NAME`.
        version: of the model; another version is another model. None: a run starts a new folder every time.
        takes: `text`, the messages joined by blank lines; or `messages`, a list of {"role", "content"}.
        at_once: calls at a time of a plain function, which runs in threads; None for an async one leaves it to the run.
        local: says that what the model sees stays on this machine, so that records of patients may go to it.

    Raises:
        UsageError: no such function, or no name.
    """

    def __init__(
        self,
        answer: Any,
        *,
        name: str,
        version: str | None = None,
        takes: Literal["text", "messages"] = "text",
        at_once: int | None = None,
        local: bool = False,
    ) -> None:
        call = getattr(answer, "generate", answer)
        if not callable(call):
            raise UsageError(
                f"got a model of type {type(answer).__name__}; expected a function of a text, an object with a method "
                "generate, or a name such as 'openai/gpt-4o-mini'"
            )
        self.id = f"python/{_named(name, 'a model')}"
        self.pin = UNVERSIONED if version is None else str(version)
        self.local = local
        self._call: Callable[[Any], Any] = call
        self._takes = takes
        self._is_async = inspect.iscoroutinefunction(call)
        self.at_once = at_once if at_once or self._is_async else 1
        self._threads = None if self._is_async else ThreadPoolExecutor(self.at_once, "percuss-own-model")

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        """Answer a request.

        Args:
            request: its messages are what the function sees. epoch: tells repeated questions apart; the function is asked anew.

        Raises:
            BadReply: the function raised, or returned something else than a text.
        """
        del epoch
        given: Any = messages_of(request) if self._takes == "messages" else text_of(request)
        try:
            if self._threads is None:
                said = await self._call(given)
            else:
                said = await asyncio.get_running_loop().run_in_executor(self._threads, self._call, given)
            if inspect.isawaitable(said):
                said = await said
        except ModelError:
            raise
        except Exception as error:
            raise BadReply(f"{self.id} raised {type(error).__name__}: {error}") from error
        if isinstance(said, Reply):
            return said
        if not isinstance(said, str) or not said.strip():
            raise BadReply(f"{self.id} returned {said!r:.60}; expected a text")
        return Reply(parts=(Text(text=said),), finish="stop", served_model=self.id)


def text_of(request: Request) -> str:
    """Return the messages of a request as one text, joined by blank lines."""
    return "\n\n".join(message["content"] for message in messages_of(request))


def messages_of(request: Request) -> list[dict[str, str]]:
    """Return the messages of a request as most libraries write them; calls and results of tools as their text."""
    return [
        {"role": message.role, "content": "\n".join(filter(None, map(_said, message.parts)))}
        for message in request.messages
    ]


def _said(part: Any) -> str:
    if isinstance(part, Text):
        return part.text
    if isinstance(part, ToolCall):
        return json.dumps({"call": part.name, "arguments": part.arguments})
    return part.content if isinstance(part, ToolResult) else ""


def model_of(thing: Any, name: str | None, version: str | None, what: str = "a model") -> Any:
    """Return a model for the engine: a port as it is, anything else as `Model`.

    Args:
        thing: a `Model`, something with id, pin and an async generate(request, epoch), a function, or an object with generate.
        name, version: of a function or object that has none. what: for the sentence.

    Raises:
        UsageError: no name.
    """
    if isinstance(thing, Model):
        return thing
    generate = getattr(thing, "generate", None)
    if inspect.iscoroutinefunction(generate) and hasattr(thing, "id") and hasattr(thing, "pin"):
        return _Port(thing)
    return Model(thing, name=_named(name, what), version=version)


class _Port:
    """A model that speaks the engine's own port, under a name of the provider `python`."""

    def __init__(self, model: Any) -> None:
        plain = str(model.id).removeprefix("python/").replace("/", "-")
        self.id = f"python/{_named(plain, 'a model')}"
        self.pin = str(model.pin) or UNVERSIONED
        self.simulated = bool(getattr(model, "simulated", False))
        self.local = bool(getattr(model, "local", False))
        self.at_once = getattr(model, "at_once", None)
        self._model = model

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        """Answer as the model does."""
        reply: Reply = await self._model.generate(request, epoch=epoch)
        return reply


@dataclass(frozen=True)
class Judge:
    """A judge with a prompt of your own.

    Args:
        model: a name, a function, or an object, as for the model under test.
        prompt: its template; `{claim}` and the other fields of the protocol's `prompts/judge.md` are filled in. None
            leaves the protocol's.
        system: its system message; None leaves the protocol's.
        name, version: of a function or object without them.
    """

    model: Any
    prompt: str | None = None
    system: str | None = None
    name: str | None = None
    version: str | None = None

    @property
    def prompts(self) -> dict[str, str]:
        """The prompts that are laid over the protocol's, by name."""
        given = {"judge": self.prompt, "judge_system": self.system}
        return {name: text for name, text in given.items() if text is not None}


class Rule:
    """A rule of your own in place of the protocol's: a function of claim and evidence that returns a label.

    Args:
        read: function of (claim, evidence), the latter a list of sentences, that returns `supported`, `partial`,
            `unsupported`, `unknown`, or None where it can't tell; or such a label and a reason in words.
        name, version: `rule:python/NAME@VERSION` stands beside every number; another version is another scoring.
    """

    local = True

    def __init__(self, read: Callable[[str, list[str]], Any], *, name: str, version: str) -> None:
        if not callable(read):
            raise UsageError(
                f"got a rule of type {type(read).__name__}; expected a function of claim and evidence"
            )
        self.id = f"python/{_named(name, 'a rule')}@{_named(str(version), 'a rule, for its version,')}"
        self._read = read

    def read(self, claim: str, evidence: Sequence[str], question: str) -> tuple[str | None, str]:
        """Return the label of a claim, None where the rule can't tell, and the reason.

        Args:
            claim: the statement. evidence: sentences of the reference. question: not shown to the function.

        Raises:
            UsageError: the function raised, or returned no label.
        """
        del question
        try:
            said = self._read(claim, list(evidence))
        except Exception as error:
            raise UsageError(f"the rule {self.id} raised {type(error).__name__}: {error}; mend it") from error
        label, why = said if isinstance(said, tuple) and len(said) == 2 else (said, "")
        if label is not None and label not in SUPPORT_LABELS:
            raise UsageError(
                f"the rule {self.id} returned {label!r}; expected {', '.join(SUPPORT_LABELS)} or None"
            )
        return None if label is None else str(label), str(why or f"by {self.id}")


class Verifier:
    """A verifier of your own: a function of claim and premises that returns the probability that they support it.

    Args:
        read: plain function of (claim, premises), the latter a list of sentences; returns 0 to 1, None where it can't
            tell, or a `percuss.core.verifying.Verification`.
        name, version: `verifier:python/NAME` stands beside every number.
        thresholds: from which probabilities on its word is a label, as `percuss grounding calibrate` prints them
            (`0.93/0.88@ward notes`); without them it labels nothing.
    """

    local = True
    at_once = True

    def __init__(
        self, read: Callable[[str, list[str]], Any], *, name: str, version: str, thresholds: str = ""
    ) -> None:
        if not callable(read):
            raise UsageError(
                f"got a verifier of type {type(read).__name__}; expected a function of claim and premises"
            )
        self.id = f"python/{_named(name, 'a verifier')}"
        self.pin = str(version)
        self.thresholds = thresholds
        self._read = read

    async def verify(self, pairs: Sequence[Pair]) -> tuple[Verification, ...]:
        """Return one verification per pair.

        Args:
            pairs: statements with their premises.

        Raises:
            UsageError: the function raised, or returned no probability.
        """
        return tuple([await asyncio.to_thread(self._one, pair) for pair in pairs])

    def _one(self, pair: Pair) -> Verification:
        try:
            said = self._read(pair.claim, list(pair.premises))
        except Exception as error:
            raise UsageError(
                f"the verifier {self.id} raised {type(error).__name__}: {error}; mend it"
            ) from error
        if isinstance(said, Verification):
            return said
        if said is None:
            return Verification(undecided="the verifier can't tell")
        if isinstance(said, bool) or not isinstance(said, int | float) or not 0 <= said <= 1:
            raise UsageError(
                f"the verifier {self.id} returned {said!r}; expected a probability from 0 to 1, or None"
            )
        return Verification(supported=float(said), contradicted=1.0 - float(said))
