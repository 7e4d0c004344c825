"""Sweeps: the conversation of `closed_book` asked again at other temperatures and reasoning efforts (papers/2, Tables 4 and 7).

The questions are those of `closed_book`, so that every setting is paired with it.
"""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from percuss.core.errors import UsageError
from percuss.core.messages import EffortRequest, Request, WebSearchRequest
from percuss.core.records import Posed
from percuss.protocols.citations.options import CitationsOptions

__all__ = ["EFFORTS", "as_posed", "is_swept", "setting_of", "swept_arms"]

TEMPERATURE, EFFORT = "temperature", "effort"
EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh")
"""Words of providers for how much a model reasons, the least first."""


def swept_arms(options: CitationsOptions) -> tuple[str, ...]:
    """Return the names of the arms that `--temperatures` and `--efforts` add: `temperature:0.7`, `effort:high`.

    Args:
        options: comma lists of both; empty adds none.

    Raises:
        UsageError: something that is no temperature, or no effort.
    """
    return tuple(dict.fromkeys((*_temperatures(options.temperatures), *_efforts(options.efforts))))


def _temperatures(text: str) -> Iterator[str]:
    for word in _listed(text):
        try:
            value = float(word)
        except ValueError:
            value = -1.0
        if not 0 <= value <= 2:
            raise UsageError(f"--temperatures got {word!r}; expected numbers from 0 to 2, such as 0,0.5,1")
        yield f"{TEMPERATURE}:{value:g}"


def _efforts(text: str) -> Iterator[str]:
    for word in _listed(text):
        if word not in EFFORTS:
            raise UsageError(f"--efforts got {word!r}; expected some of {', '.join(EFFORTS)}")
        yield f"{EFFORT}:{word}"


def _listed(text: str) -> list[str]:
    return [word for part in text.split(",") if (word := part.strip())]


def is_swept(arm: str) -> bool:
    """Say whether an arm is a setting of a sweep."""
    return arm.partition(":")[0] in {TEMPERATURE, EFFORT}


def setting_of(arm: str) -> dict[str, Any]:
    """Return what the script of a pose holds for an arm: its temperature or effort, or nothing."""
    kind, _, value = arm.partition(":")
    if kind == TEMPERATURE:
        return {TEMPERATURE: float(value)}
    return {EFFORT: value} if kind == EFFORT else {}


def as_posed(request: Request, posed: Posed) -> Request:
    """Return a request as its pose wants it: with the provider's search, at another temperature, with an effort.

    Args:
        request: under the run's policy. posed: what its script holds of `web`, `temperature` and `effort`.
    """
    script = posed.script
    if TEMPERATURE in script:
        return replace(request, temperature=float(script[TEMPERATURE]))
    fields = {name: getattr(request, name) for name in Request.__struct_fields__}
    if script.get("web"):
        return WebSearchRequest(**fields)
    return EffortRequest(**fields, effort=str(script[EFFORT])) if EFFORT in script else request
