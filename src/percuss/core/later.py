"""Names of a module that are made on first use, so that who needs only the manifest or one submodule loads nothing else."""

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

__all__ = ["made_on_first_use"]


def made_on_first_use(module: str, **makers: str) -> Callable[[str], Any]:
    """Return a module's `__getattr__`: a name is made when it is first asked for, and kept in the module.

    Args:
        module: `__name__` of the module. makers: name -> "package.module:function"; it is called with the module's name.

    Raises:
        AttributeError: when another name is asked for, as a module without it says.

    >>> made_on_first_use("percuss.core.later", Made="percuss.core.ids:b2")("Made") == __import__("percuss").core.ids.b2("percuss.core.later")
    True
    """

    def made_of(name: str) -> Any:
        if name not in makers:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        where, _, function = makers[name].partition(":")
        made = getattr(import_module(where), function)(module)
        setattr(sys.modules[module], name, made)
        return made

    return made_of
