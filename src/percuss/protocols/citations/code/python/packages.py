"""Whether a package that is imported exists: at hand, in the registry's answers, the reader's own, or not known."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from percuss.protocols.citations.code.index import PackageIndex, normal_name
from percuss.protocols.citations.code.python.names import (
    distribution_of,
    is_local_name,
    is_python2_module,
    is_shared,
    modules_of,
)
from percuss.protocols.citations.code.python.sources import Sources
from percuss.protocols.citations.code.records import Status

__all__ = ["Packages", "Standing"]

_METADATA = re.compile(r"^(?P<name>.+?)-(?P<version>\d[^-]*)\.(?:dist|egg)-info/?$")


class Standing(NamedTuple):
    """What is known of a package: status, reason, evidence and of when."""

    status: Status
    reason: str
    evidence: str = ""
    as_of: str = ""


class Packages:
    """Answers whether packages exist.

    Args:
        sources: packages at hand.
        index: answers of registries.
    """

    def __init__(self, sources: Sources, index: PackageIndex) -> None:
        self.sources = sources
        self.index = index
        self._versions: dict[str, str] | None = None

    def version(self, module: str) -> str:
        """Return name and version of the distribution behind an import name as installed; "" where it isn't known."""
        if self.sources.is_standard(module):
            version = self._installed().get("typeshed-client", "")
            return f"Python's standard library, typeshed-client {version}".strip()
        name = normal_name("pypi", distribution_of(module.split(".", maxsplit=1)[0]))
        version = self._installed().get(name, "")
        return f"{name} {version}" if version else ""

    def installed_version(self, distribution: str) -> str | None:
        """Return the version of a distribution at hand; None where it isn't."""
        return self._installed().get(normal_name("pypi", distribution))

    def modules_of(self, distribution: str) -> tuple[str, ...]:
        """Return the names that a distribution is imported by, as far as they are known."""
        return (distribution.replace("-", "_"), *modules_of(distribution))

    def _installed(self) -> dict[str, str]:
        if self._versions is None:
            self._versions = {}
            for tree in self.sources.trees:
                for name in tree.children(""):
                    match = _METADATA.match(name)
                    if match:
                        self._versions.setdefault(normal_name("pypi", match["name"]), match["version"])
        return self._versions

    def standing(self, module: str, *, installs: Iterable[str]) -> Standing:
        """Return what is known of a package that is not at hand.

        Args:
            module: top-level import name.
            installs: distributions that the answer tells to install: one of them may bring the module.
        """
        if is_python2_module(module):
            return Standing("not_checkable", "a module of Python 2")
        if is_shared(module):
            return Standing("not_checkable", "many distributions share this name")
        distribution = distribution_of(module)
        answer = self.index.look("pypi", distribution)
        if answer is None:
            reason = (
                "it may be the reader's own file" if is_local_name(module) else "the package is not at hand"
            )
            return Standing("not_checkable", reason)
        said = f"PyPI on {answer.date}"
        if answer.exists:
            if answer.provides and module not in answer.provides:
                names = ", ".join(answer.provides[:5])
                return Standing("nonexistent", f"{distribution} is imported as {names}", said, answer.date)
            return Standing("ok", "the package exists", said, answer.date)
        return self._missing(module, distribution, said, answer.date, installs)

    def _missing(
        self, module: str, distribution: str, said: str, date: str, installs: Iterable[str]
    ) -> Standing:
        if is_local_name(module):
            return Standing("not_checkable", "it may be the reader's own file", said, date)
        for other in installs:
            known = self.index.look("pypi", other)
            same = normal_name("pypi", other) == normal_name("pypi", distribution)
            if same or (known is not None and not known.exists):
                continue
            if known is None or not known.provides:
                return Standing(
                    "not_checkable", f"it may come with {other}, which the answer installs", said, date
                )
            if module in known.provides:
                return Standing("ok", f"it comes with {other}", said, date)
        return Standing("nonexistent", f"PyPI has no package {distribution}", said, date)
