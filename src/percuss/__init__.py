"""Percuss asks whether a medical model reads the evidence or makes it up.

Ten names: `read`, `hdi`, `compare`, `open`, `run`, `score`, `own`, `stats`, `protocols`, and
`PercussError`, which every refusal is; each is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["PercussError", "compare", "hdi", "open", "own", "protocols", "read", "run", "score", "stats"]

if TYPE_CHECKING:
    from percuss import protocols, stats
    from percuss.api import own
    from percuss.api.library import hdi, run, score
    from percuss.api.library import open_run as open  # noqa: A004 - percuss.open(run) is the documented name
    from percuss.api.one_claim import read
    from percuss.api.report.comparing import compare
    from percuss.core.errors import PercussError

_WHERE = {
    "PercussError": ("percuss.core.errors", "PercussError"),
    "hdi": ("percuss.api.library", "hdi"),
    "run": ("percuss.api.library", "run"),
    "score": ("percuss.api.library", "score"),
    "read": ("percuss.api.one_claim", "read"),
    "open": ("percuss.api.library", "open_run"),
    "compare": ("percuss.api.report.comparing", "compare"),
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used (PEP 562)."""
    if name in _WHERE:
        module, attribute = _WHERE[name]
        return getattr(import_module(module), attribute)
    if name in {"stats", "protocols"}:
        return import_module(f"percuss.{name}")
    if name == "own":
        return import_module("percuss.api.own")
    raise AttributeError(f"module 'percuss' has no attribute {name!r}")
