"""What holds for every test: examples of laws may take their time on a busy machine; nothing timed is a test.

Tests marked `slow` are left out where the whole suite is asked for, unless PERCUSS_TEST_SLOW=1, as .ci/run sets it; a file or a
test that is named is run whatever its marks.
"""

import os

import pytest
from hypothesis import settings

settings.register_profile("patient", deadline=None)
settings.load_profile("patient")

SLOW = "PERCUSS_TEST_SLOW"


def pytest_configure(config: pytest.Config) -> None:
    """Run slow tests where files are named; workers are told by the environment."""
    if not hasattr(config, "workerinput") and config.args_source is pytest.Config.ArgsSource.ARGS:
        os.environ.setdefault(SLOW, "1")


def pytest_report_header() -> str | None:
    """Say that slow tests are left out, where they are."""
    return None if os.environ.get(SLOW) == "1" else f"slow tests are left out: {SLOW}=1 runs them, as CI does"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave slow tests out of the whole suite."""
    if os.environ.get(SLOW) == "1":
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    items[:] = [item for item in items if not item.get_closest_marker("slow")]
    config.hook.pytest_deselected(items=slow)
