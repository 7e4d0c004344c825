"""Install commands: which packages an answer tells to install, from which registry, in which version."""

import re
import shlex
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from percuss.protocols.citations.code.index import Ecosystem
from percuss.protocols.citations.code.records import Block

__all__ = ["Install", "installs_in_line", "installs_of"]

_LONGEST_LINE = 2_000
_MOST_PACKAGES = 200

_COMMANDS: tuple[tuple[re.Pattern[str], Ecosystem], ...] = (
    (re.compile(r"(?:uv\s+)?pip[\d.]*\s+install\b"), "pypi"),
    (re.compile(r"(?:python[\d.]*|py|\{sys\.executable\})\s+-m\s+pip\s+install\b"), "pypi"),
    (re.compile(r"(?:uv|poetry|pdm|rye)\s+add\b"), "pypi"),
    (re.compile(r"pipx\s+install\b"), "pypi"),
    (re.compile(r"pipenv\s+install\b"), "pypi"),
    (re.compile(r"uv\s+tool\s+install\b"), "pypi"),
    (re.compile(r"(?:conda|mamba|micromamba)\s+install\b"), "conda"),
    (re.compile(r"npm\s+(?:install|i|add)\b"), "npm"),
    (re.compile(r"(?:yarn|pnpm|bun)\s+add\b"), "npm"),
    (re.compile(r"apt(?:-get)?\s+(?:-\S+\s+)*install\b"), "apt"),
    (re.compile(r"cargo\s+(?:add|install)\b"), "cargo"),
    (re.compile(r"mix\s+archive\.install\s+hex\b"), "hex"),
)
_PROMPT = r"In \[\d{1,4}\]:\s*|PS [^>\n]{0,100}>\s*|[A-Z]:\\[^>\n]{0,100}>\s*|[\w.-]{1,40}@[\w.-]{1,60}:[^\s$#]{0,100}[$#]\s*|\([\w.-]{1,40}\)\s*"
_PREFIX = re.compile(
    rf"^\s*(?:{_PROMPT}|[$>#%!]\s*|RUN\s+|sudo\s+(?:-\S+\s+)*|env\s+|time\s+|[A-Z_][A-Z0-9_]*=\S*\s+|-\s+|//\s*)*"
)
_REDIRECTED = re.compile(r"\s(?:\d|&)?>{1,2}(?!=)(?:\s*\S+|&\d)|\s&\s*$")
# Words of a sentence: what stands from the first on is no name of a package.
_PROSE = frozenset(
    """a an the this that these those and or if is are was it its you your we i in on to for from with without before after
    first then when where which into as at by needed required requires installed dependencies dependency packages package
    libraries library following again will should can might may""".split()
)
_VALUE_FLAGS = frozenset(
    """-r --requirement -c --constraint -i --index-url --extra-index-url -f --find-links -t --target --prefix --root
    --python -p --group --channel -n --name --features --version --git --path --registry -e --editable --platform
    --python-version --only-binary --no-binary --trusted-host --proxy --source --optional --extra""".split()
)
_OTHER_INDEX = frozenset(
    {
        "-i",
        "--index-url",
        "--extra-index-url",
        "-f",
        "--find-links",
        "--registry",
        "-c",
        "--channel",
        "--source",
    }
)
_PYPI = re.compile(
    r"^([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)(?:\[[\w,. -]*\])?\s*(@\s*\S+)?((?:[=<>!~]=?=?\s*[^,;\s]+\s*,?\s*)*)(?:;.*)?$"
)
_NPM = re.compile(r"^(@?[a-zA-Z0-9][\w.-]*(?:/[\w.-]+)?)(?:@([\w.^~<>=*-]+))?$")
_PLAIN = re.compile(r"^([A-Za-z0-9][\w.+-]*)(?:[=@]=?([\w.:~+-]+))?(?::\w+)?$")
_PLACEHOLDER = re.compile(
    r"[<>{}$]|^(?:your|my|package|some|example|foo|bar|baz)(?:[-_].*)?$|^package[-_]?names?$", re.IGNORECASE
)


class Install(NamedTuple):
    """One package that a command installs.

    `version` is the specifier as written, "" without one. `start` is the offset of the name in the answer.
    `reason` says why it can't be checked, "" where it can.
    """

    ecosystem: Ecosystem
    name: str
    version: str
    start: int
    language: str
    reason: str = ""


def installs_of(block: Block, *, every_line: bool) -> Iterator[Install]:
    """Yield what the shell commands of a block install.

    Args:
        block: of any language.
        every_line: True where lines are commands (shell, no language); else only comments and `!` lines are read.
    """
    lines = block.code.split("\n")
    if block.file is not None and re.search(r"requirements[\w-]*\.txt$", block.file):
        for number, line in enumerate(lines):
            yield from _specified(line, block.lines[number], "shell")
        return
    number = 0
    while number < len(lines):
        line, places = lines[number], _places(lines[number], block.lines[number])
        while line.endswith("\\") and number + 1 < len(lines) and len(line) < _LONGEST_LINE:
            number += 1
            line = line[:-1] + " " + lines[number]
            places += _places(lines[number], block.lines[number])
        number += 1
        if every_line or line.lstrip().startswith(("#", "!", "%", "//")):
            yield from installs_in_line(line, places)


def _places(line: str, start: int) -> list[int]:
    return list(range(start, start + len(line)))


def installs_in_line(text: str, places: Sequence[int], *, language: str = "shell") -> Iterator[Install]:
    """Yield what one line installs, with `&&` and `;` between commands.

    Args:
        text: the line.
        places: the offset in the answer of each of its characters.
        language: to note with each.
    """
    if len(text) > _LONGEST_LINE:
        return
    count, cursor = 0, 0
    for part in re.split(r"&&|\|\||;(?=\s)", text):
        bare = _PREFIX.sub("", part, count=1)
        for pattern, ecosystem in _COMMANDS:
            match = pattern.match(bare)
            if match:
                for name, version, reason in _arguments(bare[match.end() :], ecosystem):
                    count += 1
                    if count > _MOST_PACKAGES:
                        return
                    place = text.find(name, cursor)
                    cursor = max(cursor, place + len(name))
                    yield Install(ecosystem, name, version, places[max(0, place)], language, reason)
                break


def _specified(line: str, start: int, language: str) -> Iterator[Install]:
    bare = line.split("#", 1)[0].strip()
    if bare and not bare.startswith("-") and len(bare) < _LONGEST_LINE:
        name, version, reason = _package(bare, "pypi")
        if name:
            yield Install("pypi", name, version, start + max(0, line.find(name)), language, reason)


def _arguments(text: str, ecosystem: Ecosystem) -> Iterator[tuple[str, str, str]]:
    words = _words(text)
    other = any(
        word.split("=")[0] in _OTHER_INDEX and not (ecosystem == "pypi" and word == "-c") for word in words
    )
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word.startswith("-"):
            skip = word in _VALUE_FLAGS
        elif word.lower().strip("`'\".,:;()") in _PROSE or word.startswith("("):
            return
        elif ecosystem == "hex" and word[:1].isdigit():
            continue  # the version of the package before it
        else:
            name, version, reason = _package(word, ecosystem)
            if name:
                yield name, version, reason or ("from an index that the command names" if other else "")


def _words(text: str) -> list[str]:
    text = _REDIRECTED.sub(" ", text)
    cut = re.split(r"\s#|[|]", text)[0] if '"' not in text and "'" not in text else text
    try:
        return shlex.split(cut, comments=True)
    except ValueError:
        return cut.split()


def _package(word: str, ecosystem: Ecosystem) -> tuple[str, str, str]:
    bare = word.strip().strip("`'\",")
    if bare in {".", ".."} or bare.startswith(("./", "../", "/", "~")):
        return "", "", ""
    if (
        "://" in bare
        or bare.startswith(("git+", "git@"))
        or bare.endswith((".whl", ".tar.gz", ".zip", ".deb"))
    ):
        return bare, "", "a file or repository, not a package of the registry"
    if _PLACEHOLDER.search(re.split(r"[=<>!~\[]", bare)[0] or bare):
        return bare, "", "a placeholder for a name"
    if ecosystem == "npm" and "/" in bare and not bare.startswith("@"):
        return bare, "", "a repository, not a package of the registry"
    if ecosystem == "pypi" or (ecosystem == "conda" and not _PLAIN.match(bare)):
        return _specifier(bare.partition("::")[2] or bare)
    match = _NPM.match(bare) if ecosystem == "npm" else _PLAIN.match(bare)
    if match is None:
        return "", "", ""
    version = match[2] or ""
    return match[1], _wanted(version, bare, ecosystem) if version[:1].isdigit() else "", ""


def _specifier(bare: str) -> tuple[str, str, str]:
    """Read a name with the versions that are asked of it, as pip and Poetry write them."""
    match = _PYPI.match(bare)
    if not match:
        return "", "", ""
    at = (match[2] or "").lstrip("@ ")
    if re.match(r"[\^~<>=\d]|latest$", at):  # Poetry's `django@^4.2`
        return match[1], f"=={at}.*" if at[:1].isdigit() else "", ""
    return match[1], (match[3] or "").strip(), "installed from an address" if at else ""


def _wanted(version: str, bare: str, ecosystem: Ecosystem) -> str:
    """Return what a version after a name asks for: with less than three numbers npm, Cargo and conda take any that begin so."""
    begins = ecosystem in {"npm", "cargo"} and version.count(".") < 2
    begins = begins or (ecosystem == "conda" and "==" not in bare)
    return f"=={version}.*" if begins and not version.endswith("*") else f"=={version}"
