"""Versions that an install command asks for, against those that were ever published."""

import re

__all__ = ["asked_exactly", "never_published"]

_EXACT = re.compile(r"^\s*={2,3}\s*v?([0-9][\w.!+-]*)\s*$")
_CLAUSE = re.compile(r"^\s*(>=|~>|~=|==|>|\^|=)?\s*v?([0-9][\w.+-]*?)(\.\*)?\s*$")


def asked_exactly(specifier: str) -> str | None:
    """Return the one version that a specifier names, None for a range.

    >>> asked_exactly("==2.1.0")
    '2.1.0'
    """
    match = _EXACT.match(specifier)
    return match[1] if match and "*" not in match[1] else None


def never_published(specifier: str, versions: tuple[str, ...]) -> bool:
    """Return whether no version that was ever published can meet a specifier.

    Only what is plain is decided: an exact version, or a lower bound above every version. All else is met.

    Args:
        specifier: as written after the name: `==1.2`, `>=2,<3`, `~> 1.0`.
        versions: all that the registry ever had; empty where they are not known, and nothing is then decided.
    """
    if not versions:
        return False
    numbers = [_numbers(version) for version in versions]
    for clause in specifier.split(","):
        match = _CLAUSE.match(clause)
        if match is None:
            continue
        operator, wanted = match[1] or "==", _numbers(match[2])
        if operator == "==" and match[3]:
            if not any(_begins(version, match[2]) for version in versions):
                return True
        elif operator == "==" and wanted not in numbers:
            return True
        if operator != "==" and all(number < wanted for number in numbers):
            return True
    return False


def _begins(version: str, start: str) -> bool:
    """Return whether a version is among those that `start.*` names: 5.0.2 and 5.0 are of 5.0, 5.01 isn't."""
    parts, first = (re.split(r"[.+_-]", each.lower().lstrip("v")) for each in (version, start))
    padded = [*parts, *("0" for _ in first[len(parts) :])]
    return padded[: len(first)] == first


def _numbers(version: str) -> tuple[tuple[int, str], ...]:
    """Return a version as comparable parts, trailing zeros left out: 1.0 is 1."""
    parts = [part for part in re.split(r"[.+_-]|(?<=\d)(?=[a-z])", version.lower().lstrip("v")) if part]
    keys = [(int(part), "") if part.isdigit() else (-1, part) for part in parts]
    while keys and keys[-1] == (0, ""):
        keys.pop()
    return tuple(keys)
