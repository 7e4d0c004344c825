"""What a rater must not learn: names of models and makers are masked, ids are opaque and each rater's own.

Masking is counted and reversible: each mask keeps its place in the masked text and the words that stood there.
"""

import hashlib
import hmac
import re
from collections.abc import Iterable, Sequence
from typing import Any

from percuss.core.records import Record
from percuss.models.providers import is_simulated

__all__ = ["MASK", "Mask", "mask_text", "mask_value", "names_of", "opaque", "original_offset", "unmask_text"]

MASK = "[model]"
_VERSION = r"(?i:(?:[\s-]?v?\d+(?:\.\d+)*[a-z]{0,2})?(?:[\s-](?:mini|nano|turbo|pro|flash|lite|opus|sonnet|haiku|instruct|preview|large|medium|small|scout|maverick|chat|base|it|\d+b))*)"
# Ambiguous words are masked only where they can't be medicine: Claude Bernard and Claude's syndrome are neurology, a
# phi coefficient is statistics, meta-analysis is not a company.
_NAMES = re.compile(
    r"(?<![\w/])(?:"
    r"(?i:chat-?gpt|gpt[-\s]?(?:\d[\w.]*|oss)|openai|anthropic|deepmind|deepseek|hugging\s?face|mistral(?:\s?ai)?|mixtral|ministral"
    r"|codestral|qwen|alibaba(?:\s?cloud)?|medgemma|gemma|med-?palm|llava(?:-med)?|llamav-o1|healthgpt(?:-m3)?|biogpt|biomistral"
    r"|meditron|smollm\d?|vicuna|cohere|command[-\s]r\+?|meta[-\s](?:ai|llama)|x\.ai|xai|moonshot(?:\s?ai)?|kimi[-\s]k\d|baichuan\w*"
    r"|chatglm\w*|zhipu(?:\s?ai)?|internlm\w*|yi-\d+b|phi-\d(?:\.\d)?|falcon[-\s]?\d+|o[134]-(?:mini|preview|pro)|openbiollm|huatuogpt)"
    r"|Google(?:\sAI|\sDeepMind|\sResearch)?|Microsoft(?:\sCopilot)?|Copilot|Gemini|GEMINI|gemini-[\d.]+|L[lL]a[mM][aA]|llama[-\s]?\d[\d.]*"
    r"|[Cc]laude-(?:\d|opus|sonnet|haiku)[\w.-]*|Claude(?!(?:['’]s)?\s(?:syndrome|Bernard)|-Bernard)|Grok"
    rf"){_VERSION}(?![\w])"
)


class Mask(Record):
    """One masked name: path of the field, offset in the masked text, and what stood there."""

    path: str
    start: int
    original: str


def names_of(model: str) -> tuple[str, ...]:
    """Return the names by which a text could give a model away, from the model's id.

    Simulated models have common words for names ("reader"), which are left in place.

    >>> names_of("openai/gpt-4o-mini")
    ('gpt-4o-mini', 'openai')
    """
    bare = model.partition("?")[0].strip()
    if not bare or is_simulated(bare):
        return ()
    maker, slash, name = bare.rpartition("/")
    parts = [name, *maker.split("/")] if slash else [name]
    plain = {"openai-api", "embedded", "inspect", "ollama", "vllm", "openrouter", "scripted"}
    return tuple(part for part in parts if len(part) > 2 and part.lower() not in plain)


def _pattern(names: Iterable[str]) -> re.Pattern[str] | None:
    known = sorted({name for name in names if name}, key=len, reverse=True)
    if not known:
        return None
    return re.compile(r"(?<!\w)(?:" + "|".join(re.escape(name) for name in known) + r")(?!\w)", re.IGNORECASE)


def mask_text(text: str, names: Sequence[str] = (), path: str = "") -> tuple[str, tuple[Mask, ...]]:
    """Replace each name of a model or maker by `[model]`.

    Args:
        text: in which names are masked.
        names: further names of this study, matched as whole words without regard to case.
        path: path of the field, kept in the masks.

    >>> mask_text("As GPT-4o, I see stage IIA.")[0]
    'As [model], I see stage IIA.'
    """
    own = _pattern(names)
    found = [match.span() for match in _NAMES.finditer(text)]
    if own is not None:
        found += [match.span() for match in own.finditer(text)]
    out: list[str] = []
    masks: list[Mask] = []
    at = length = 0
    for start, stop in _merged(found):
        out += [text[at:start], MASK]
        length += start - at
        masks.append(Mask(path=path, start=length, original=text[start:stop]))
        length += len(MASK)
        at = stop
    return "".join([*out, text[at:]]), tuple(masks)


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, stop in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(stop, merged[-1][1]))
        else:
            merged.append((start, stop))
    return merged


def mask_value(value: Any, names: Sequence[str] = (), path: str = "") -> tuple[Any, tuple[Mask, ...]]:
    """Mask every text inside a JSON value; keys stay as they are."""
    if isinstance(value, str):
        return mask_text(value, names, path)
    masks: list[Mask] = []
    if isinstance(value, dict):
        masked: dict[str, Any] = {}
        for key, inner in value.items():
            masked[key], some = mask_value(inner, names, f"{path}.{key}")
            masks += some
        return masked, tuple(masks)
    if isinstance(value, list | tuple):
        items: list[Any] = []
        for index, inner in enumerate(value):
            item, some = mask_value(inner, names, f"{path}.{index}")
            items.append(item)
            masks += some
        return items, tuple(masks)
    return value, ()


def unmask_text(text: str, masks: Iterable[Mask]) -> str:
    """Put the masked names back; the masks are those of this text."""
    for mask in sorted(masks, key=lambda m: m.start, reverse=True):
        text = text[: mask.start] + mask.original + text[mask.start + len(MASK) :]
    return text


def original_offset(offset: int, masks: Iterable[Mask]) -> int:
    """Turn an offset in a masked text into the offset in the original; inside a mask it is the name's first letter."""
    shift = 0
    for mask in sorted(masks, key=lambda m: m.start):
        if offset >= mask.start + len(MASK):
            shift += len(mask.original) - len(MASK)
        elif offset > mask.start:
            return mask.start + shift
    return offset + shift


def opaque(secret: bytes, *parts: str | int) -> str:
    """Return an id that tells nothing and that nobody without the study's secret can map: 20 hex digits."""
    message = "\x1f".join(str(part) for part in parts).encode()
    return hmac.new(secret, message, hashlib.sha256).hexdigest()[:20]
