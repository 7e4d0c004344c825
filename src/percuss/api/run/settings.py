"""From words of the command line or keywords of a call to a protocol's frozen Options."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from percuss.core.errors import UsageError
from percuss.core.protocol import Options, Protocol

__all__ = ["Setting", "make_options", "settings_of"]

_HIDDEN = {"prompts", "prompt_set"}


@dataclass(frozen=True)
class Setting:
    """One field of a protocol's Options, as a command-line option needs it.

    `choices` is set for closed sets of words, `kind` is bool, int, float or str; `many` for tuples of them.
    """

    name: str
    kind: type
    default: Any
    help: str
    choices: tuple[str, ...] = ()
    many: bool = False
    required: bool = False

    @property
    def flag(self) -> str:
        """The name on the command line."""
        return "--" + self.name.replace("_", "-")


def settings_of(options: type[msgspec.Struct]) -> Iterator[Setting]:
    """Yield the settings of an Options record, in the order of its fields.

    Args:
        options: the record's class; `Annotated[.., Meta(description=..)]` gives an option its help.
    """
    for field in msgspec.inspect.type_info(options).fields:  # type: ignore[attr-defined]
        if field.name in _HIDDEN:
            continue
        info, said = field.type, dict[str, Any]()
        if isinstance(info, msgspec.inspect.Metadata):
            said = info.extra_json_schema or {}
            info = info.type
        default = None if field.default is msgspec.NODEFAULT else field.default
        required = field.default is msgspec.NODEFAULT and field.default_factory is msgspec.NODEFAULT
        made = _setting(field.name, info, default, said.get("description", ""))
        yield replace(made, required=required, choices=made.choices or tuple(said.get("choices", ())))


def _setting(name: str, info: Any, default: Any, help_text: str) -> Setting:
    if isinstance(info, msgspec.inspect.UnionType):
        info = next(part for part in info.types if not isinstance(part, msgspec.inspect.NoneType))
    many = isinstance(info, msgspec.inspect.VarTupleType)
    inner = info.item_type if isinstance(info, msgspec.inspect.VarTupleType) else info
    if isinstance(inner, msgspec.inspect.LiteralType):
        return Setting(name, str, default, help_text, tuple(str(value) for value in inner.values), many)
    kinds: tuple[tuple[type, type], ...] = (
        (msgspec.inspect.BoolType, bool),
        (msgspec.inspect.IntType, int),
        (msgspec.inspect.FloatType, float),
    )
    kind = next((plain for form, plain in kinds if isinstance(inner, form)), str)
    return Setting(name, kind, default, help_text, (), many)


def make_options(
    protocol: Protocol[Any],
    given: Mapping[str, Any],
    *,
    prompts: Mapping[str, str],
    prompt_set: str,
) -> Options:
    """Build a protocol's Options.

    Args:
        protocol: the protocol.
        given: field -> value; None means "not given" and leaves the default.
        prompts: the prompt files in force; prompt_set: their name.

    Raises:
        UsageError: a field that the protocol does not have, or a value that does not fit.
    """
    known = {setting.name: setting for setting in settings_of(protocol.options)}
    values = {name: _listed(known.get(name), value) for name, value in given.items() if value is not None}
    strange = sorted(set(values) - set(known))
    if strange:
        raise UsageError(
            f"{protocol.name} has no setting {', '.join(strange)}; it has {', '.join(sorted(known))}"
        )
    try:
        options: Options = msgspec.convert(
            {**values, "prompts": dict(prompts), "prompt_set": prompt_set}, protocol.options, strict=False
        )
    except msgspec.ValidationError as error:
        raise UsageError(f"a setting of {protocol.name} does not fit: {error}") from error
    return options


def _listed(setting: Setting | None, value: Any) -> Any:
    """Split the text of a setting that takes many words, as the command line gives it."""
    if setting is not None and setting.many and isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return value
