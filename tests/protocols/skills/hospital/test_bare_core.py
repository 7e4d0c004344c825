"""Where only the core is installed, the hospital says what to install before the first call; the other environments run."""

import subprocess
import sys
from pathlib import Path

CHILD = """
import sys

sys.modules["sqlglot"] = None  # as where it isn't installed
from percuss.core.errors import UsageError
from percuss.protocols.skills import PROTOCOL
from percuss.protocols.skills.options import SkillsOptions

for env in ("rag", "research", "safety"):
    print(env, len(list(PROTOCOL.cases(None, SkillsOptions(env=env, tasks=2), 1))))
for env in ("data", "all"):
    try:
        next(PROTOCOL.cases(None, SkillsOptions(env=env, tasks=2), 1))
    except UsageError as error:
        print(env, error)
"""
SENTENCE = "the environment data, whose SQL is read before it is run, needs sqlglot; install it by: pip install 'percuss[skills]'"


def test_what_is_missing_is_said_before_the_first_call(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", CHILD], capture_output=True, text=True, cwd=tmp_path, timeout=300, check=True
    )
    assert ran.stdout.splitlines() == [
        "rag 2",
        "research 2",
        "safety 2",
        f"data {SENTENCE}",
        f"all {SENTENCE}",
    ]
