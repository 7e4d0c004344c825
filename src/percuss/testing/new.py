"""`percuss protocol new`: a protocol of one page that runs as it is, to be changed into one's own."""

import re
from pathlib import Path

from percuss.core.errors import UsageError

__all__ = ["TEMPLATE", "write_protocol"]

TEMPLATE = Path(__file__).parent / "template"
_NAME = re.compile(r"[a-z][a-z0-9_]{1,30}")


def write_protocol(name: str, folder: Path) -> tuple[Path, ...]:
    """Write the example under a name of one's own, and return the files.

    Args:
        name: of the protocol: lower case letters, digits and `_`. folder: to write; must not exist or be empty.

    Raises:
        UsageError: another name, or a folder that holds something.
    """
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"got the name {name!r}; a protocol's is 2 to 31 lower case letters, digits and _, a letter first"
        )
    if folder.exists() and any(folder.iterdir()):
        raise UsageError(f"{folder} is not empty; name another folder with --out")
    written = []
    for source in sorted(path for path in TEMPLATE.rglob("*") if path.is_file()):
        parts = source.relative_to(TEMPLATE).parts
        target = folder.joinpath(*(f"percuss_{name}" if part == "package" else part for part in parts))
        target = target.with_name(target.name.removesuffix(".txt"))
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_renamed(source.read_text(encoding="utf-8"), name), encoding="utf-8")
        written.append(target)
    return tuple(written)


def _renamed(text: str, name: str) -> str:
    return re.sub(r"\becho\b|(?<=percuss_)echo|(?<=percuss-)echo|echo(?=_rate)", name, text).replace(
        "Echo:", f"{name.capitalize()}:"
    )
