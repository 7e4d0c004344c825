"""The command line, called as a person calls it: words in, exit code and both streams out."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from percuss.cli import main


class Said(NamedTuple):
    """What a command said."""

    code: int
    out: str
    err: str


Percuss = Callable[..., Said]


@pytest.fixture
def percuss(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Percuss:
    """Run a command in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def call(*words: str) -> Said:
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main(list(words))
        said = capsys.readouterr()
        assert isinstance(left.value.code, int)
        return Said(left.value.code, said.out, said.err)

    return call
