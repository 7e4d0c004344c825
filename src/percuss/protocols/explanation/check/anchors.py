"""The anchors of the five-point scales: one file, shared by the evaluator's prompts and the portal's reader study.

The file is the study design's; it is read as data, so that evaluator and people are held to the same words.
"""

import tomllib
from functools import cache
from importlib.resources import files

__all__ = ["anchors"]

_DESIGN = "study/designs/reader-study.toml"


@cache
def anchors(scale: str) -> str:
    """Return the anchors of a scale, one a line: `1 Not mentioned: ..`.

    Args:
        scale: `cf`, `ca` or `ct`.

    Raises:
        KeyError: the design has no such scale.
    """
    design = tomllib.loads(files("percuss").joinpath(_DESIGN).read_text(encoding="utf-8"))
    for question in design["question"]:
        if scale in {question["name"], *question.get("aliases", ())}:
            return "\n".join(f"{row['value']} {row['label']}: {row['anchor']}" for row in question["option"])
    raise KeyError(scale)
