"""The versions that the project is tested with: every dependency is pinned, inside the bounds that people get, by no host."""

import re
import tomllib
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]


def _project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def _asked(project: dict[str, Any]) -> list[Requirement]:
    extras = project["project"]["optional-dependencies"].values()
    lists = [project["project"]["dependencies"], *extras, *project["dependency-groups"].values()]
    return [Requirement(line) for lines in lists for line in lines if not line.startswith("percuss[")]


def test_every_dependency_is_pinned_inside_its_bounds() -> None:
    project = _project()
    pins: dict[str, list[str]] = {}
    for line in project["tool"]["uv"]["constraint-dependencies"]:
        pin = Requirement(line)
        assert re.fullmatch(r"==[^,*]+", str(pin.specifier)), f"{line}: one version, by no address"
        pins.setdefault(canonicalize_name(pin.name), []).append(str(pin.specifier)[2:])
    for asked in _asked(project):
        versions = pins.get(canonicalize_name(asked.name), [])
        assert versions, f"{asked.name} has no pin: run scripts/lock"
        outside = [v for v in versions if not asked.specifier.contains(v, prereleases=True)]
        assert not outside, f"{asked} excludes the pinned {outside}: run scripts/lock"
