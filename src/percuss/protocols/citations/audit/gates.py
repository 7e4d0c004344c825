"""`--fail-if 'mismatch>0'`: conditions on the counts of an audit."""

import operator
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from percuss.core.errors import UsageError

__all__ = ["CountGate", "failing", "read_gate"]

_FORM = re.compile(r"^\s*([a-z_]+)\s*(>=|<=|==|>|<)\s*(\d{1,9})\s*$")
_SIGNS = {">": operator.gt, ">=": operator.ge, "<": operator.lt, "<=": operator.le, "==": operator.eq}


class CountGate(NamedTuple):
    """One condition under which an audit fails."""

    text: str
    name: str
    sign: str
    limit: int


def read_gate(text: str, names: Sequence[str]) -> CountGate:
    """Read one condition.

    Args:
        text: name, sign, number. names: that there are.

    Raises:
        UsageError: another form or name.
    """
    match = _FORM.match(text)
    if match is None or match[1] not in names:
        raise UsageError(
            f"--fail-if got {text!r}; expected NAME SIGN NUMBER, e.g. 'mismatch>0', with one of {', '.join(names)}"
        )
    return CountGate(text.strip(), match[1], match[2], int(match[3]))


def failing(gates: Sequence[CountGate], counts: Mapping[str, int]) -> list[str]:
    """Return a sentence for each condition that holds."""
    return [
        f"{gate.text}: {gate.name} is {counts[gate.name]}"
        for gate in gates
        if _SIGNS[gate.sign](counts[gate.name], gate.limit)
    ]
