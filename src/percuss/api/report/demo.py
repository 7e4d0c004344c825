"""The recorded run that ships with the package, unpacked where it is wanted."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

from percuss.core.errors import RunError
from percuss.store.packed import unpack

__all__ = ["RECORDED", "recorded_run"]

RECORDED = "recorded/grounding.sqlite.zst"
"""Made by scripts/record_demo from a real run; its commands and hashes are in its manifest."""


@contextmanager
def recorded_run(folder: Path | None = None) -> Iterator[Path]:
    """Yield a run folder with the recorded run.

    Args:
        folder: where to keep it; None unpacks into a folder that is thrown away.

    Raises:
        RunError: the folder holds something already, or cannot be written.
    """
    data = unpack(files("percuss.api.report").joinpath(RECORDED).read_bytes())
    if folder is None:
        with tempfile.TemporaryDirectory(prefix="percuss-demo-") as scratch:
            yield _lay(data, Path(scratch) / "demo")
        return
    yield _lay(data, folder)


def _lay(data: bytes, folder: Path) -> Path:
    if folder.exists() and any(folder.iterdir()):
        raise RunError(f"{folder} is not empty; give --run a new folder")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        fd = os.open(folder / "run.sqlite", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(fd, "wb") as file:
            file.write(data)
    except OSError as error:
        raise RunError(f"{folder} cannot be written ({error.strerror}); give --run another folder") from error
    return folder
