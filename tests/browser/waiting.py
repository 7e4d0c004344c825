"""Waiting for a page without its help: a page's policy forbids `eval`, which Playwright's own polling uses."""

import time
from typing import Any

__all__ = ["until"]


def until(page: Any, expression: str, *, seconds: float = 20.0) -> None:
    """Ask the browser, from outside the page's policy, until an expression is true."""
    end = time.monotonic() + seconds
    while not page.evaluate(expression):
        assert time.monotonic() < end, f"not true within {seconds:g} s: {expression}"
        time.sleep(0.05)
