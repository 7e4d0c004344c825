"""Where docs/protocols.md installs the protocol that it writes."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.stages.playing import Stage

__all__ = ["protocols"]

UV = Path(__file__).resolve().parents[2] / "scripts" / "uv"


@contextmanager
def protocols(folder: Path) -> Iterator[Stage]:
    """A folder of packages of its own, so that the environment of the tests stays as it is; no network."""
    site = folder / "site"
    install = f"{UV} pip install --quiet --offline --no-deps --target {site}"
    yield Stage(words={"pip install": install}, environment={"PYTHONPATH": str(site)})
