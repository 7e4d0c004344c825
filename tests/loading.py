"""Loads a file that belongs to no package, such as a script, as a module."""

import importlib.machinery
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[1]


def loaded(path: Path) -> ModuleType:
    """Return the file as a module; a dataclass in it looks its module up by name, so it is kept by name."""
    name = f"loaded_{path.stem}"
    spec = importlib.util.spec_from_loader(name, importlib.machinery.SourceFileLoader(name, str(path)))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def script(name: str) -> ModuleType:
    """Return a file of scripts/ as a module."""
    return loaded(ROOT / "scripts" / name)
