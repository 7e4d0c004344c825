"""Templates and static files: Jinja2 with escaping always on, files named by their content."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

__all__ = ["STATIC", "Look"]

HERE = Path(__file__).parent
STATIC = HERE / "static"


@cache
def _version(name: str) -> str:
    return hashlib.blake2b((STATIC / name).read_bytes(), digest_size=6).hexdigest()


def _nested(value: Any, prefix: str = "") -> list[tuple[str, str]]:
    """Flatten facts to rows of path and value; empty values are shown as "not given"."""
    if isinstance(value, dict) and {"path", "value"} <= set(value):
        unit = f" {value['unit']}" if value.get("unit") else ""
        return [(str(value["path"]), _plain(value["value"]) + unit)]
    if isinstance(value, dict):
        return [row for key, inner in value.items() for row in _nested(inner, f"{prefix}{key} › ")]
    if isinstance(value, list | tuple):
        if all(not isinstance(entry, dict | list) for entry in value):
            return [(prefix.removesuffix(" › "), ", ".join(_plain(entry) for entry in value) or "none")]
        return [
            row
            for n, entry in enumerate(value, 1)
            for row in _nested(entry, f"{prefix}{n} › " if prefix else "")
        ]
    return [(prefix.removesuffix(" › "), _plain(value))]


def _plain(value: Any) -> str:
    if value is None or value == "":
        return "not given"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _grouped(value: Any) -> list[tuple[str, list[tuple[str, str]]]]:
    """Group the rows of facts by the first part of their path."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for path, text in _nested(value):
        separator = " › " if " › " in path else "."
        head, found, rest = path.partition(separator)
        group, label = (head, rest) if found else ("", path)
        groups.setdefault(group.replace("_", " "), []).append((label.replace("_", " "), text))
    return list(groups.items())


def _web(address: str) -> str:
    """Return an address only where it is a web page's: a model may have written anything."""
    return address if address.lower().startswith(("https://", "http://")) else ""


class Look:
    """Renders templates."""

    def __init__(self, base: str = "") -> None:
        self.environment = Environment(
            loader=FileSystemLoader(HERE / "templates"),
            autoescape=True,
            auto_reload=False,  # the templates come with the release; looking whether they changed is work on every page
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.environment.filters.update(facts=_grouped, web=_web)
        self.environment.globals["static"] = lambda name: f"{base}/static/{name}?v={_version(name)}"

    def render(self, template: str, **context: Any) -> str:
        """Render a template; everything in the context is escaped."""
        return self.environment.get_template(template).render(**context)
