"""The prompt files in force: a protocol's own, a named set laid over them, or a folder of the user's."""

from collections.abc import Mapping
from pathlib import Path

from percuss.core.errors import UsageError
from percuss.core.ids import digest

__all__ = ["DEFAULT", "load_prompts", "prompt_digests", "prompt_sets"]

DEFAULT = "default"


def prompt_sets(folder: Path) -> tuple[str, ...]:
    """Return the names of a protocol's prompt sets, `default` first.

    Args:
        folder: the protocol's folder.
    """
    return (DEFAULT, *sorted(path.name for path in (folder / "prompts").iterdir() if any(path.glob("*.md"))))


def load_prompts(
    folder: Path, choice: str = DEFAULT, texts: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Return name -> text of a protocol's prompts: its own `prompts/*.md`, with those of the choice laid over them.

    Args:
        folder: the protocol's folder.
        choice: `default`, a named set (`prompts/<choice>/*.md`), or a folder of the user's.
        texts: name -> text of prompts that a script hands over, laid over the choice.

    Raises:
        UsageError: there is no such set or folder, it holds no prompt, or one that the protocol does not know.
    """
    chosen = _chosen(folder, choice)
    unknown = sorted(set(texts or {}) - set(chosen))
    if unknown:
        raise UsageError(
            f"got the prompt {unknown[0]!r}, which is none of this protocol; expected {', '.join(sorted(chosen))}"
        )
    return {**chosen, **(texts or {})}


def _chosen(folder: Path, choice: str) -> dict[str, str]:
    own = _texts(folder / "prompts")
    sets = prompt_sets(folder)
    if choice == DEFAULT:
        return own
    laid = folder / "prompts" / choice if choice in sets else Path(choice)
    if not laid.is_dir():
        raise UsageError(
            f"there is no prompt set or folder {choice!r}; expected {', '.join(sets)} or a folder of .md files"
        )
    over = _texts(laid)
    known = {*own, *(name for other in sets[1:] for name in _texts(folder / "prompts" / other))}
    unknown = sorted(set(over) - known)
    if unknown:
        raise UsageError(
            f"{laid} holds {unknown[0]}.md, which is no prompt of this protocol; expected {', '.join(sorted(known))}"
        )
    if not over:
        raise UsageError(
            f"{laid} holds no prompt; expected one or more of {', '.join(f'{name}.md' for name in sorted(own))}"
        )
    return {**own, **over}


def prompt_digests(prompts: Mapping[str, str]) -> dict[str, str]:
    """Return name -> digest of the text of each prompt, by name."""
    return {name: digest(prompts[name].encode()) for name in sorted(prompts)}


def _texts(folder: Path) -> dict[str, str]:
    texts = {}
    for path in sorted(folder.glob("*.md")):
        try:
            texts[path.stem] = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(f"prompt {path} cannot be read ({error}); expected UTF-8 text") from error
    return texts
