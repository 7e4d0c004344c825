"""Code blocks of an answer in Markdown: fences, their language, file name and place in the text."""

import re
from collections.abc import Iterator

from percuss.protocols.citations.code.records import Block

__all__ = ["LONGEST_ANSWER", "blocks_of", "inline_code"]

# An answer longer than this is read up to here: real ones are a hundred times shorter.
LONGEST_ANSWER = 1_000_000
_MOST_BLOCKS = 500

_FENCE = re.compile(
    r"^(?P<indent>[ \t>]{0,40})(?:[-*+]\s|\d{1,3}[.)]\s)?[ \t]*(?P<fence>`{3,}|~{3,})(?P<info>[^`\n]{0,200})$"
)
_FILE_NAME = re.compile(
    r"(?<![\w./-])((?:[\w-]{1,60}/){0,6}[\w-]{1,60}\.(?:py|R|r|scala|sbt|sc|exs?|toml|txt|sh))(?![\w/-])"
)
_COMMENT_FILE = re.compile(
    r"^\s*(?:#|//)\s*(?:file(?:name)?:?\s*)?((?:[\w-]{1,60}/){0,6}[\w-]{1,60}\.\w{1,5})\s*$", re.IGNORECASE
)
_INLINE = re.compile(r"(?<!`)`([^`\n]{2,300})`(?!`)")
_ALIASES = {
    "py": "python",
    "python3": "python",
    "ipython": "python",
    "ipython3": "python",
    "jupyter": "python",
    "pycon": "python",
    "python-repl": "python",
    "rscript": "r",
    "ex": "elixir",
    "exs": "elixir",
    "iex": "elixir",
    "sbt": "scala",
    "sc": "scala",
    "sh": "shell",
    "bash": "shell",
    "zsh": "shell",
    "console": "shell",
    "shell-session": "shell",
    "terminal": "shell",
    "powershell": "shell",
    "cmd": "shell",
    "bat": "shell",
    "fish": "shell",
}


def blocks_of(answer: str) -> tuple[Block, ...]:
    """Return the fenced blocks of an answer, in order; text without a fence has none.

    A fence that never closes runs to the end of the text: answers are cut by token limits.

    Args:
        answer: Markdown as the model wrote it; what lies behind `LONGEST_ANSWER` characters is not read.
    """
    found: list[Block] = []
    opened: tuple[str, str, str, str] | None = None
    body: list[tuple[int, str]] = []
    before = ""
    for offset, line in _lines(answer[:LONGEST_ANSWER]):
        match = _FENCE.match(line)
        if opened is None:
            if match:
                opened, body = (match["fence"], match["info"].strip(), match["indent"], before), []
            elif line.strip():
                before = line
        elif match and match["fence"].startswith(opened[0]) and not match["info"].strip():
            found.append(_block(opened, body, closed=True))
            opened, before = None, ""
        else:
            body.append((offset, line))
        if len(found) >= _MOST_BLOCKS:
            return tuple(found)
    if opened is not None and body:
        found.append(_block(opened, body, closed=False))
    return tuple(found)


def inline_code(answer: str, blocks: tuple[Block, ...]) -> Iterator[tuple[int, str]]:
    """Yield offset and text of each inline code span outside the fenced blocks.

    Args:
        answer: as given to `blocks_of`.
        blocks: what it returned.
    """
    spans = [(block.start, _end(block)) for block in blocks]
    for match in _INLINE.finditer(answer[:LONGEST_ANSWER]):
        if not any(start <= match.start() < end for start, end in spans):
            yield match.start(1), match[1]


def _lines(text: str) -> Iterator[tuple[int, str]]:
    offset = 0
    for line in text.splitlines(keepends=True):
        yield offset, line.rstrip("\r\n")
        offset += len(line)


def _block(opened: tuple[str, str, str, str], body: list[tuple[int, str]], *, closed: bool) -> Block:
    _, info, indent, before = opened
    stripped = [_outdented(offset, line, indent) for offset, line in body]
    code = "\n".join(line for _, line in stripped)
    words = info.replace("{", " ").replace("}", " ").split()
    language = words[0].strip(".,").lower().split(":")[0] if words else ""
    return Block(
        language=_ALIASES.get(language, language),
        code=code,
        start=stripped[0][0] if stripped else 0,
        lines=tuple(offset for offset, _ in stripped),
        file=_file_name(info, before, code),
        closed=closed,
    )


def _outdented(offset: int, line: str, indent: str) -> tuple[int, str]:
    if indent and line.startswith(indent):
        return offset + len(indent), line[len(indent) :]
    bare = line.lstrip(" \t")
    cut = min(len(line) - len(bare), len(indent))
    return offset + cut, line[cut:]


def _file_name(info: str, before: str, code: str) -> str | None:
    first = code.split("\n", 1)[0]
    comment = _COMMENT_FILE.match(first)
    if comment:
        return comment[1]
    for text in (info, before if len(before) < 160 else ""):
        match = _FILE_NAME.search(text)
        if match:
            return match[1]
    return None


def _end(block: Block) -> int:
    last = block.code.rsplit("\n", 1)[-1]
    return block.lines[-1] + len(last) if block.lines else block.start
