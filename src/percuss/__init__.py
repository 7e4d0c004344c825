"""Percuss asks whether a medical model reads the evidence or makes it up.

Seven names: `hdi`, `compare`, `open`, `run`, `score`, `stats`, `protocols`; each is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["compare", "hdi", "open", "protocols", "run", "score", "stats"]

if TYPE_CHECKING:
    from percuss import protocols, stats
    from percuss.compose.comparing import compare
    from percuss.compose.library import hdi, run, score
    from percuss.compose.library import open_run as open  # noqa: A004 - percuss.open(run) is the documented name

_WHERE = {
    "hdi": ("percuss.compose.library", "hdi"),
    "run": ("percuss.compose.library", "run"),
    "score": ("percuss.compose.library", "score"),
    "open": ("percuss.compose.library", "open_run"),
    "compare": ("percuss.compose.comparing", "compare"),
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used (PEP 562)."""
    if name in _WHERE:
        module, attribute = _WHERE[name]
        return getattr(import_module(module), attribute)
    if name in {"stats", "protocols"}:
        return import_module(f"percuss.{name}")
    raise AttributeError(f"module 'percuss' has no attribute {name!r}")
