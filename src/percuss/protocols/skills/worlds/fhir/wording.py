"""What tasks and tools of the FHIR server say, as `wording.toml` has it."""

import tomllib
from functools import cache
from pathlib import Path

__all__ = ["wording"]


@cache
def wording() -> dict[str, dict[str, str]]:
    """Return section -> name -> words."""
    return tomllib.loads((Path(__file__).parent / "wording.toml").read_text(encoding="utf-8"))
