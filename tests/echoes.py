"""Echo, bound from the template that `percuss protocol new` writes, without being installed."""

import importlib.util
import sys
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from percuss.core.protocol import Protocol
from percuss.testing.new import write_protocol

__all__ = ["echo"]


@cache
def echo() -> Protocol[Any]:
    """Return the protocol of the template; written once a process."""
    folder = Path(mkdtemp(prefix="percuss-echo-"))
    write_protocol("echo", folder)
    spec = importlib.util.spec_from_file_location("percuss_echo", folder / "percuss_echo" / "__init__.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["percuss_echo"] = module
    spec.loader.exec_module(module)
    found: Protocol[Any] = module.PROTOCOL
    return found
