"""An author that makes valid questions from the passage it sees, and invalid ones or inventions at planted rates."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from percuss.core.messages import Request
from percuss.phantoms.plan import Entry, Plan, Truth, drawing, request_key

__all__ = ["PHANTOMS", "Author"]

_PASSAGE = re.compile(r"<passage>\s*(.*?)\s*</passage>", re.DOTALL)
INVENTED = "a silver needle at midnight"
INVENTED_FACT = "A dose of 777 mg is given into the left ear at midnight."


class Author:
    """A generator with planted faults.

    Args:
        invalid: share of replies that are no valid question. invents: share of valid ones whose answer is not in the passage.
        seed: of its draws.
    """

    def __init__(self, invalid: float, invents: float, seed: int) -> None:
        self._invalid, self._invents, self._seed = invalid, invents, seed

    def plan(self, request: Request, *, epoch: int = 0) -> Plan:
        """Return a question of the form that the request's schema asks for."""
        text = "\n".join(message.text for message in request.messages if message.role == "user")
        found = _PASSAGE.search(text)
        schema = (request.reply_schema or {}).get("properties", {})
        if found is None or not schema:
            return Plan("There is no passage.")
        draws = drawing(self._seed, "author", request_key(request), epoch)
        if draws.random() < self._invalid:
            return Plan(json.dumps({"question": ""}), (Truth(0, 1, "invalid"),))
        invents = bool(draws.random() < self._invents)
        reply = json.dumps(_written(schema, found[1], invents=invents))
        return Plan(reply, (Truth(0, len(reply), "unsupported" if invents else "supported"),))

    def expected(self, arms: Iterable[str]) -> Mapping[tuple[str, str], float]:
        """Return what is implied over all types, with three resamples."""
        del arms
        return {
            ("valid_rate", "all types"): 1 - self._invalid**4,
            ("first_try_rate", "all types"): 1 - self._invalid,
        }


def _written(schema: Mapping[str, Any], passage: str, *, invents: bool) -> dict[str, Any]:
    sentence = re.split(r"(?<=\.)\s", passage)[0]
    words = list(dict.fromkeys(re.findall(r"[a-z]{5,}", passage)))
    answer = INVENTED if invents else sentence
    truths = schema.get("answer", {}).get("enum")
    if truths:  # a statement
        false = truths[0] == "false"
        return {"question": INVENTED_FACT if invents or false else sentence, "answer": truths[0]}
    steps = [f"First {words[0]} acts.", f"Then {words[1]} follows.", f"So {words[2]} results."]
    held = {
        "question": f"What is said of {' '.join(words[:6])}?",
        "answer": answer,
        "answers": words[:2],
        "wrong": ["gold leaf", "river stone", "sea salt"],
        "options": ["amber bead", "tin cup", "oak bark", "blue glass"],
        "given_answer": "Quite the reverse.",
        "explanation": sentence,
        "wrong_step": 2,
        "reasoning": steps,
    }
    return {name: held[name] for name in schema}


PHANTOMS: dict[str, Entry] = {
    "author": Entry(
        ("invalid", "invents"),
        lambda given, seed, _extra: Author(given.get("invalid", 0.3), given.get("invents", 0.2), seed),
    ),
}
