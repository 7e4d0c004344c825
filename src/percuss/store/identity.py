"""The identity of a run: what must be equal for its answers to be comparable.

Models, arms, limit, epochs, concurrency and raters are not part of it: they extend a run.
"""

from collections.abc import Mapping
from typing import Any

from percuss.core.errors import UsageError
from percuss.core.ids import b2
from percuss.core.records import Record

__all__ = ["Identity"]


class Identity(Record):
    """Prompts, the content of all cases, request policy, root seed and protocol version.

    Args:
        protocol: name of the protocol; version: the N of its `N-X`.
        prompts: name -> digest of the prompts that asking uses.
        cases: digest of the whole source, before any limit; n_cases: how many it holds.
        policy: settings of the request (temperature, top_p, max_tokens ..).
        seed: root seed.
    """

    protocol: str
    version: str
    prompts: dict[str, str]
    cases: str
    n_cases: int
    policy: dict[str, Any]
    seed: int

    @property
    def digest(self) -> str:
        """The id of all of it, 32 hex digits; a folder's default name carries the first 8."""
        return b2(self.protocol, self.version, self.prompts, self.cases, self.policy, self.seed)

    def differences(self, other: "Identity") -> list[str]:
        """Return in words what differs, this being what the folder holds and `other` what was asked for."""
        words = []
        if (self.protocol, self.version) != (other.protocol, other.version):
            words.append(f"protocol ({self.protocol} {self.version}, now {other.protocol} {other.version})")
        if self.prompts != other.prompts:
            words.append(f"prompts ({', '.join(_changed(self.prompts, other.prompts))})")
        if self.cases != other.cases:
            words.append(
                f"cases ({self.n_cases} with digest {self.cases[:8]}, now {other.n_cases} with {other.cases[:8]})"
            )
        words += [
            f"{name} ({self.policy.get(name)!r}, now {other.policy.get(name)!r})"
            for name in _changed(self.policy, other.policy)
        ]
        if self.seed != other.seed:
            words.append(f"seed ({self.seed}, now {other.seed})")
        return words

    def require_same(self, other: "Identity", folder: object) -> None:
        """Check that a folder can be extended.

        Raises:
            UsageError: it holds another run; the sentence names what differs.
        """
        if self.digest != other.digest:
            raise UsageError(
                f"{folder} holds another run: {'; '.join(self.differences(other))}; "
                "use the same settings to extend it, or give --out another folder"
            )


def _changed(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    return [name for name in sorted({*old, *new}) if old.get(name) != new.get(name)]
