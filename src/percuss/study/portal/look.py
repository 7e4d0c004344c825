"""Templates and static files: Jinja2 with escaping always on, files named by their content."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from percuss.study.portal.record import read_record
from percuss.study.portal.words import LANGUAGES

__all__ = ["STATIC", "Look"]

HERE = Path(__file__).parent
STATIC = HERE / "static"


@cache
def _version(name: str) -> str:
    return hashlib.blake2b((STATIC / name).read_bytes(), digest_size=6).hexdigest()


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
        self.environment.filters.update(web=_web)
        self.environment.globals.update(record=read_record, languages=LANGUAGES)
        self.environment.globals["static"] = lambda name: f"{base}/static/{name}?v={_version(name)}"

    def render(self, template: str, **context: Any) -> str:
        """Render a template; everything in the context is escaped."""
        return self.environment.get_template(template).render(**context)
