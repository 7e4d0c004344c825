"""One shape for every protocol: same files, same functions, same headings, same manifest keys."""

import re
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from percuss.core.protocol import Options, Protocol

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "src" / "percuss" / "protocols"
NAMES = sorted(p.name for p in FOLDER.iterdir() if (p / "protocol.toml").exists())
FUNCTIONS = {
    "cases": ("cases",),
    "arms": ("arms", "pose"),
    "ask": ("ask",),
    "check": ("claims", "verdicts"),
    "annotate": ("items",),
    "estimate": ("cells", "estimates", "sections"),
}


def test_there_are_protocols() -> None:
    assert "grounding" in NAMES


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("module", FUNCTIONS)
def test_the_six_names(name: str, module: str) -> None:
    loaded = import_module(f"percuss.protocols.{name}.{module}")
    for function in FUNCTIONS[module]:
        assert callable(getattr(loaded, function)), f"{name}/{module} has no {function}"
    if (FOLDER / name / module).is_dir():
        assert set(loaded.__all__) == set(FUNCTIONS[module])


@pytest.mark.parametrize("name", NAMES)
def test_the_protocol(name: str) -> None:
    protocol: Protocol[Any] = import_module(f"percuss.protocols.{name}").PROTOCOL
    assert protocol.name == name
    assert issubclass(protocol.options, Options)
    assert re.fullmatch(r"\d+-\d+", protocol.version)
    assert {arm.name for arm in protocol.arms(protocol.options())} >= set(protocol.primary.arms)


@pytest.mark.parametrize("name", NAMES)
def test_manifest_and_readme(name: str) -> None:
    toml = tomllib.loads((FOLDER / name / "protocol.toml").read_text(encoding="utf-8"))
    assert {"name", "title", "question", "asking", "reading", "prompts", "paper", "primary", "roles"} <= set(
        toml
    )
    assert {"title"} <= set(toml["paper"])
    assert all({"value", "where"} <= set(row) for row in toml.get("published", []))
    readme = (FOLDER / name / "README.md").read_text(encoding="utf-8")
    for heading in ("## What it measures", "## Estimates", "## Paper section", "## Deviations", "## Reasons"):
        assert heading in readme, f"{name}/README.md lacks {heading}"
    assert list((FOLDER / name / "prompts").glob("*.md"))


@pytest.mark.parametrize("name", NAMES)
def test_paper_rows_point_at_names_that_exist(name: str) -> None:
    readme = (FOLDER / name / "README.md").read_text(encoding="utf-8")
    section = readme.split("## Paper section", 1)[1].split("\n## ", 1)[0]
    dotted = re.findall(r"`(percuss\.[a-zA-Z0-9_.]+)`", section)
    assert dotted, "no row names a function"
    for path in dotted:
        module, _, attribute = path.rpartition(".")
        try:
            found = hasattr(import_module(module), attribute)
        except ModuleNotFoundError:
            found = False
        if not found:
            found = _is_module(path)
        assert found, f"{path} does not exist"


def _is_module(path: str) -> bool:
    try:
        import_module(path)
    except ModuleNotFoundError:
        return False
    return True
