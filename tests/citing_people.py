"""A writer that says what it is given, and a judge that reads: what a whole run is made of, without a model."""

import json
import re
from collections.abc import Callable, Mapping, Sequence

from percuss.core.messages import Reply, Request, Text


class Writer:
    """Answers each question with what stands under its first word that is known."""

    simulated = True
    pin = ""

    def __init__(self, answers: Mapping[str, str]) -> None:
        self.id = "scripted/writer"
        self._answers = answers

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        del epoch
        asked = [message.text for message in request.messages if message.role == "user"][-1]
        said = next(
            (text for name, text in self._answers.items() if name in asked), "I don't know of a source."
        )
        return Reply(parts=(Text(text=said),), finish="stop")


def _between(text: str, start: str, stop: str) -> str:
    found = re.search(re.escape(start) + r"(.*?)" + re.escape(stop), text, re.DOTALL)
    return found[1].strip() if found else ""


class Reader:
    """Plans and judges by reading its own prompts: it quotes the sentence that is nearest to the claim.

    Args:
        says: changes a verdict before it is sent; None leaves it.
    """

    simulated = True
    pin = ""

    def __init__(
        self, says: Callable[[dict[str, object]], object] | None = None, name: str = "scripted/reader"
    ) -> None:
        self.id = name
        self.asked: list[Request] = []
        self._says = says

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        del epoch
        self.asked.append(request)
        text = request.messages[-1].text
        planning = "You decide what to look for" in text
        said: object = self._plan(text) if planning else self._verdict(text)
        if not planning and self._says is not None:
            said = self._says(said)  # type: ignore[arg-type]
        sent = said if isinstance(said, str) else json.dumps(said)
        return Reply(parts=(Text(text=sent),), finish="stop", tokens_in=len(text) // 4, tokens_out=40)

    def _plan(self, text: str) -> dict[str, object]:
        results = _between(text, "<results>", "</results>")
        texts = _between(text, "<texts>", "</texts>")
        named = _between(text, "source: ", "\n")
        title = max(re.split(r"\. |\? |, “|,” |\(\d{4}\)\. ", named), key=len)
        rows = re.findall(r"^(\d+)\. (.+)$", results, re.MULTILINE)
        unread = [int(n) for n, row in rows if not row.endswith("]")]
        return {
            "enough": texts != "none yet", "reason": "what was found", "query": "" if rows else title, "picks": unread[:3],
        }  # fmt: skip

    def _verdict(self, text: str) -> dict[str, object]:
        checks = _between(text + "\n", "Checks that were made before: ", "\n")
        passages = _between(text, "<passages>", "</passages>") or _between(text, "<extracts>", "</extracts>")
        claim = _between(text, "said to say: ", "\n")
        reference = "yes" if checks.startswith(("found", "retracted")) else "no"
        reference = (
            "n/a" if checks.startswith(("unreachable", "not checkable", "out of corpus")) else reference
        )
        quote = nearest(claim, passages)
        content = "n/a" if not quote else "yes" if figures(quote) >= figures(claim) else "no"
        content = "n/a" if reference != "yes" else content
        return {
            "addresses": [], "reference_reason": checks, "reference": reference, "content_reason": "read", "quote": quote,
            "content": content, "subtype": "contradicted" if content == "no" else "", "abstention": False,
            "hallucination": "no" in {reference, content}, "insufficient": "n/a" in {reference, content} and reference != "no",
        }  # fmt: skip


def figures(text: str) -> set[str]:
    """Return the numbers of a text."""
    return set(re.findall(r"\d+", text))


def nearest(claim: str, passages: str) -> str:
    """Return the sentence that shares most words with a claim, if it shares half of them."""
    wanted = set(re.findall(r"[a-z]{3,}", claim.lower()))
    pieces: Sequence[str] = re.split(r"(?<=[.!?])\s+|\n\n", passages)
    scored = [(len(wanted & set(re.findall(r"[a-z]{3,}", piece.lower()))), piece) for piece in pieces]
    score, piece = max(scored, default=(0, ""))
    return re.sub(r"^\[[^\]]*\]\s*", "", piece) if score >= max(2, len(wanted) // 2) else ""
