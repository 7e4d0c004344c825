"""A knowledge base in the layout of papers/1 appendix C, read into ours; what is mended or left out is said."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from percuss.core.errors import BadInput

__all__ = ["read_knowledge"]


def read_knowledge(text: str, *, source: str = "knowledge base") -> tuple[dict[str, Any], tuple[str, ...]]:
    """Read a knowledge base in the layout of papers/1 appendix C into ours.

    Args:
        text: JSON by question wording, options in brackets after it; trailing commas are mended.
        source: named in errors.

    Returns:
        Question wording -> {question, type, answers: answer -> entry}, and warnings: what was mended, unknown keys that
        were left out. Question wordings are the caller's to match with ids.

    Raises:
        BadInput: not JSON even when mended, or not of this layout.
    """
    warnings: list[str] = []
    mended = _without_trailing_commas(text)
    if mended != text:
        warnings.append(f"{sum(1 for _ in _trailing(text))} trailing commas were mended")
    try:
        whole = json.loads(mended)
    except ValueError as error:
        raise BadInput(f"not JSON, even with trailing commas mended ({error})", source=source) from error
    if not isinstance(whole, dict) or not whole:
        raise BadInput("expected an object of questions", source=source)
    out = {}
    for wording, body in whole.items():
        if not isinstance(body, dict) or not isinstance(body.get("answers"), dict):
            raise BadInput(f"the question {wording!r} has no `answers`", source=source)
        plain = re.sub(r"\s*\([^()]*\)\s*$", "", wording).strip()
        if plain in out:
            raise BadInput(f"the question {plain!r} stands there twice; keep one", source=source)
        out[plain] = _imported(plain, body, warnings)
    return out, tuple(warnings)


_TRAILING = re.compile(r'"(?:\\.|[^"\\])*"|(?P<comma>,)(?=\s*[}\]])')


def _trailing(text: str) -> Iterator[re.Match[str]]:
    return (match for match in _TRAILING.finditer(text) if match.group("comma"))


def _without_trailing_commas(text: str) -> str:
    # Strings are matched first, so that a comma inside one stays.
    return _TRAILING.sub(lambda match: "" if match.group("comma") else match.group(), text)


def _imported(wording: str, body: Mapping[str, Any], warnings: list[str]) -> dict[str, Any]:
    known = {"type", "answers", "notes", "question", "context", "projection_hint", "additional_guidance"}
    _refuse_unknown(wording, body, known, warnings)
    shared = body.get("context") if isinstance(body.get("context"), dict) else {}
    hints = [_words(body.get(key)) for key in ("notes", "projection_hint", "additional_guidance")]
    answers = {}
    for answer, entry in body["answers"].items():
        answers[str(answer).strip().casefold()] = _entry(
            f"{wording} > {answer}", dict(entry or {}), shared or {}, warnings
        )
    kinds = {"comparison": "comparative"}
    kind = str(body.get("type", ""))
    notes = "; ".join(hint for hint in hints if hint)
    return {"question": wording, "type": kinds.get(kind, kind), "answers": answers, "notes": notes}


def _refuse_unknown(path: str, held: Mapping[str, Any], known: set[str], warnings: list[str]) -> None:
    """Refuse a key that nobody reads and that holds something; an empty one is a warning."""
    for key, value in held.items():
        if key in known:
            continue
        if value not in (None, "", [], {}):
            raise BadInput(
                f"{path} > {key}: the key is unknown and holds something; expected {', '.join(sorted(known))}"
            )
        warnings.append(f"{path}: the key {key!r} is unknown, empty and was left out")


def _words(value: Any) -> str:
    """Return guidance as text: a list's items, a mapping's rules and groups of equal words."""
    if isinstance(value, Mapping):
        return "; ".join(f"{key.replace('_', ' ')}: {_words(held)}" for key, held in value.items() if held)
    if isinstance(value, (list, tuple)):
        return ", ".join(" = ".join(map(str, one)) if isinstance(one, list) else str(one) for one in value)
    return str(value or "")


def _entry(
    name: str, entry: dict[str, Any], shared: Mapping[str, Any], warnings: list[str]
) -> dict[str, Any]:
    own = entry.pop("context", None)
    context = {**shared, **(own if isinstance(own, dict) else {})}
    _refuse_unknown(f"{name} > context", context, {"notes", "caps", "projection_hint"}, warnings)
    hints = [
        _words(context.get("notes")),
        entry.pop("projection_hint", None) or context.get("projection_hint"),
        _words(entry.get("additional_guidance")),
    ]
    known = {"must_all", "at_least_k_of", "forbidden", "caps", "additional_guidance"}
    _refuse_unknown(name, entry, known, warnings)
    return {
        "must_all": [_term(term) for term in entry.get("must_all") or ()],
        "at_least_k_of": [
            {"k": int(group.get("k", 1)), "any_of": [_term(term) for term in group.get("any_of") or ()]}
            for group in entry.get("at_least_k_of") or ()
        ],
        "forbidden": [_term(term) for term in entry.get("forbidden") or ()],
        "caps": [_cap(name, cap) for cap in (entry.get("caps") or context.get("caps") or ())],
        "additional_guidance": "; ".join(str(hint) for hint in hints if hint),
    }


def _term(term: Any) -> dict[str, Any]:
    if isinstance(term, str):
        return {"term": term, "synonyms": []}
    return {"term": str(term.get("term", "")), "synonyms": [str(word) for word in term.get("synonyms") or ()]}


def _cap(name: str, cap: Mapping[str, Any]) -> dict[str, Any]:
    limit = next((cap[key] for key in ("max_score", "max", "cap") if cap.get(key) is not None), None)
    if limit is None:
        raise BadInput(f"{name} > caps: a cap has no max_score; expected 1 to 5")
    return {"when": str(cap.get("when") or cap.get("if") or ""), "max": int(limit)}
