"""Does a call fit a signature? Names of arguments and their number; values and missing arguments are not looked at."""

import ast
from dataclasses import dataclass, replace
from typing import NamedTuple

from percuss.protocols.citations.code.python.classes import Classes, decorator_names
from percuss.protocols.citations.code.python.names import forwards_to
from percuss.protocols.citations.code.python.surface import ModuleSurface
from percuss.protocols.citations.code.python.values import Class, Function, Instance, Opaque, Value, Values

__all__ = ["Fit", "Shape", "chosen", "fits", "shape_of"]

# Decorators that hand a call on with the arguments it was made with.
TRANSPARENT = frozenset(
    """staticmethod classmethod overload abstractmethod final override deprecated no_type_check lru_cache cache
    contextmanager asynccontextmanager singledispatch coroutine type_check_only set_module array_function_dispatch doc
    Appender Substitution deprecate_nonkeyword_arguments _deprecate_positional_args validate_params
    set_array_function_like_doc finalize_array_function_like wraps available_if xp_capabilities inherit_doc
    skip_parameter_validation _fit_context set_function_attributes verify_matching_signatures""".split()
)


class Shape(NamedTuple):
    """The arguments of a call as written: `open_positions` with `*x`, `open_names` with `**x`."""

    positions: int
    names: tuple[str, ...]
    open_positions: bool
    open_names: bool


@dataclass(frozen=True, slots=True)
class Fit:
    """Whether a call fits: `ok`, `unfit` (with `problem` and the signature), or `unknown` (with the reason in `problem`).

    `strange` holds the names of arguments that a misfit hasn't.
    """

    state: str
    problem: str = ""
    evidence: str = ""
    strange: tuple[str, ...] = ()


class _Signature(NamedTuple):
    """Parameters that a call can fill, after the object before the dot took its own."""

    positional: tuple[str, ...]
    positional_only: frozenset[str]
    named: frozenset[str]
    any_positions: bool
    any_names: bool
    shown: str


_OK = Fit("ok")
_LOOSE = frozenset({"ast", "typing"})


def shape_of(call: ast.Call) -> Shape:
    """Return how many arguments a call passes by position, and the names it uses."""
    starred = any(isinstance(argument, ast.Starred) for argument in call.args)
    return Shape(
        positions=sum(not isinstance(argument, ast.Starred) for argument in call.args),
        names=tuple(keyword.arg for keyword in call.keywords if keyword.arg is not None),
        open_positions=starred,
        open_names=any(keyword.arg is None for keyword in call.keywords),
    )


def fits(values: Values, shape: Shape, classes: Classes) -> Fit:
    """Return whether a call fits any of the things that its target can stand for.

    One that fits is enough (overloads and branches by version are alternatives); one that can't be read makes a
    misfit unknown.

    Args:
        values: what the target can stand for.
        shape: of the call.
        classes: looks up constructors.
    """
    fitted = [_fit(value, shape, classes) for value in values]
    for state in ("ok", "unknown"):
        first = next((fit for fit in fitted if fit.state == state), None)
        if first is not None:
            return first
    if fitted:  # of alternatives a name is strange that none of them has
        common = tuple(name for name in fitted[0].strange if all(name in fit.strange for fit in fitted))
        return replace(fitted[0], strange=common or fitted[0].strange[:1])
    return Fit("unknown", "nothing is known of what is called")


def chosen(values: Values, shape: Shape) -> Values:
    """Return the overloads that a call can mean: those that it fits and whose required arguments it gives."""
    functions = [value for value in values if isinstance(value, Function)]
    if len(functions) < 2 or len(functions) < len(values) or shape.open_positions or shape.open_names:
        return values
    return tuple(value for value in functions if _meant(value, shape)) or values


def _meant(function: Function, shape: Shape) -> bool:
    arguments = function.node.args
    signature = _signature(function.node, function.home, skip=function.bound)
    if _compare(signature, shape).state == "unfit":
        return False
    required = signature.positional[: len(signature.positional) - len(arguments.defaults)]
    needed = set(required[shape.positions :])
    needed |= {
        a.arg
        for a, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        if default is None
    }
    return needed <= set(shape.names)


def _fit(value: Value, shape: Shape, classes: Classes) -> Fit:
    if isinstance(value, Function):
        return _function_fit(value, shape, classes)
    if isinstance(value, Class):
        return _constructor_fit(value, shape, classes)
    if isinstance(value, Instance):
        return Fit("unknown", "an object is called")
    if isinstance(value, Opaque):
        return Fit("unknown", value.reason)
    return Fit("unknown", "its arguments can't be read")


def _function_fit(function: Function, shape: Shape, classes: Classes) -> Fit:
    signature = _signature(function.node, function.home, skip=function.bound)
    if signature.any_names:
        signature = _with_forwarded(signature, function, shape, classes)
    fit = _compare(signature, shape)
    strange = [name for name in decorator_names(function.node) if name not in TRANSPARENT]
    if fit.state == "unfit" and strange:
        return Fit("unknown", f"its decorator {strange[0]} may take other arguments")
    return fit


def _with_forwarded(signature: _Signature, function: Function, shape: Shape, classes: Classes) -> _Signature:
    """Return a signature with what its `**kwargs` stand for, where that is written down: a typed dict, a known target."""
    rest = function.node.args.kwarg
    if rest is not None and rest.annotation is not None:
        names = classes.unpacked(function.home, rest.annotation)
        if names:
            return signature._replace(named=signature.named | names, any_names=False)
    owner = f"{function.owner.node.name}." if function.owner else ""
    target = forwards_to(f"{function.home.name}.{owner}{function.node.name}")
    if target is None or "cls" in shape.names:
        return signature
    names = frozenset[str]()
    for value in classes.named(target):
        nodes = (
            classes.constructors(value)
            if isinstance(value, Class)
            else [value]
            if isinstance(value, Function)
            else []
        )
        for each in nodes:
            beyond = _signature(each.node, each.home, skip=True)
            if beyond.any_names:
                return signature
            names |= beyond.named
    return signature._replace(named=signature.named | names, any_names=False) if names else signature


def _signature(
    node: ast.FunctionDef | ast.AsyncFunctionDef, home: ModuleSurface, *, skip: bool
) -> _Signature:
    arguments = node.args
    before = [a.arg for a in arguments.posonlyargs]
    positional = [*before, *(a.arg for a in arguments.args)]
    if skip:
        positional = positional[1:]
    # Stubs from before Python 3.8 mark parameters that take no name by two underscores.
    hidden = {name for name in positional if name.startswith("__") and not name.endswith("__")}
    only = frozenset(before) | hidden
    named = frozenset(name for name in positional if name not in only) | {a.arg for a in arguments.kwonlyargs}
    return _Signature(
        positional=tuple(positional),
        positional_only=only,
        named=named,
        any_positions=arguments.vararg is not None,
        any_names=arguments.kwarg is not None,
        shown=f"{home.path}: {node.name}({_shown(arguments)})",
    )


def _shown(arguments: ast.arguments) -> str:
    bare = ast.arguments(
        posonlyargs=[ast.arg(a.arg) for a in arguments.posonlyargs],
        args=[ast.arg(a.arg) for a in arguments.args],
        vararg=ast.arg(arguments.vararg.arg) if arguments.vararg else None,
        kwonlyargs=[ast.arg(a.arg) for a in arguments.kwonlyargs],
        kw_defaults=[None for _ in arguments.kwonlyargs],
        kwarg=ast.arg(arguments.kwarg.arg) if arguments.kwarg else None,
        defaults=[],
    )
    text = ast.unparse(bare)
    return text if len(text) < 300 else text[:297] + "..."


def _compare(signature: _Signature, shape: Shape) -> Fit:
    strange = [name for name in shape.names if name not in signature.named]
    if strange:
        if signature.any_names:
            return Fit(
                "unknown", f"it takes any named argument, so {strange[0]} can't be checked", signature.shown
            )
        return Fit("unfit", f"it has no argument {strange[0]}", signature.shown, tuple(strange))
    if shape.positions > len(signature.positional) and not signature.any_positions:
        most = len(signature.positional)
        return Fit(
            "unfit", f"it takes at most {most} arguments by position, not {shape.positions}", signature.shown
        )
    return _OK


def _constructor_fit(of: Class, shape: Shape, classes: Classes) -> Fit:
    order, reason = classes.order(of)
    if of.node.name in {"type", "super"}:
        return _OK
    for holder in order:
        odd = _generated(holder)
        if odd is not None:
            return _compare_fields(holder, order, shape, classes) if odd == "fields" else Fit("unknown", odd)
        functions = classes.own_constructors(holder, of)
        if functions and holder.node.name != "object":
            return fits(tuple(functions), shape, classes)
    if reason:
        return Fit("unknown", reason)
    # What the stubs of the standard library say of a class is checked against Python; of others much is left out.
    told = classes.resolver.sources.is_standard(of.home.name) and of.home.name not in _LOOSE
    if of.home.is_stub and not told:
        return Fit("unknown", "the stub names no constructor")
    return _compare(
        _Signature((), frozenset(), frozenset(), False, False, f"{of.home.path}: class {of.node.name}"), shape
    )


def _generated(of: Class) -> str | None:
    """Say how a constructor is made where it is not written: "fields" for a data class, a reason otherwise, else None."""
    decorators = decorator_names(of.node)
    bases = {
        base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "") for base in of.node.bases
    }
    if "dataclass" in decorators:
        return "fields"
    if bases & {"Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "TypedDict", "NamedTuple", "Protocol"}:
        return f"the constructor of {of.node.name} is made by Python"
    if any(
        keyword.arg == "metaclass"
        and getattr(keyword.value, "id", getattr(keyword.value, "attr", "")) != "ABCMeta"
        for keyword in of.node.keywords
    ):
        return f"{of.node.name} has a metaclass of its own"
    known = {
        "final",
        "runtime_checkable",
        "total_ordering",
        "deprecated",
        "disjoint_base",
        "set_module",
        "doc",
    }
    strange = [name for name in decorators if name not in known]
    return f"{of.node.name} is decorated by {strange[0]}" if strange else None


def _compare_fields(holder: Class, order: tuple[Class, ...], shape: Shape, classes: Classes) -> Fit:
    if "__init__" in classes.surface(holder).names or "init" in ast.unparse(holder.node.decorator_list[0]):
        return Fit("unknown", "a data class with a constructor of its own")
    names = [name for each in order for name, _ in classes.surface(each).fields]
    own = f"{holder.home.path}: class {holder.node.name} with fields {', '.join(names[:20])}"
    signature = _Signature(tuple(names), frozenset(), frozenset(names), False, False, own)
    return _compare(signature, shape)
