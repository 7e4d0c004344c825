"""The base of every record: frozen, keyword-only, unknown fields forbidden."""

from typing import Any, dataclass_transform

import msgspec

__all__ = ["Record", "RecordMeta"]


@dataclass_transform(frozen_default=True, kw_only_default=True)
class RecordMeta(msgspec.StructMeta):
    """Makes every record frozen, keyword-only and strict about fields, for the type checker too."""

    def __new__(
        cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **config: Any
    ) -> "RecordMeta":
        """Create a record class; msgspec's own settings may still be given and win."""
        strict = {"frozen": True, "kw_only": True, "forbid_unknown_fields": True}
        return super().__new__(cls, name, bases, namespace, **{**strict, **config})


class Record(msgspec.Struct, metaclass=RecordMeta):
    """Base of every record: frozen, keyword-only, unknown fields forbidden."""
