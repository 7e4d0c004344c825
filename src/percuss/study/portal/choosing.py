"""Which passwords nobody may choose: short, one's own name, most used, and, where the coordinator gave a list, breached ones."""

import hashlib
import re
from functools import cache
from pathlib import Path

from percuss.core.errors import UsageError
from percuss.study.settings import Settings

__all__ = [
    "MIN_PASSWORD",
    "common_passwords",
    "is_breached",
    "of_context",
    "password_problem",
    "refuse_unsorted",
]

HERE = Path(__file__).parent / "passwords"
MIN_PASSWORD, MAX_PASSWORD = 10, 1000  # characters
WORD = re.compile(r"[^\W\d_]{4,}")
OURS = frozenset(
    {"percuss", "study", "studie", "password", "passwort", "welcome", "willkommen", "clinic", "klinik"}
)
"""Words of context in every study."""
LEFT = 5  # letters beside such words from which on a password is no longer made of them
HASH = 40  # hex digits of SHA-1, the hash under which lists of breached passwords are given away
LOOKS = 64  # at places of a list, to see that it is one and in order


@cache
def common_passwords() -> frozenset[str]:
    """Return the most used passwords among those that are long enough, in small letters (OWASP ASVS 5, 6.2.4)."""
    return frozenset(
        word for path in sorted(HERE.glob("*.txt")) for word in path.read_text(encoding="utf-8").split()
    )


def _hash_at(path: Path, place: int) -> tuple[str, int]:
    """Return the hash of the line that begins at or after a place of the file, and where the line after it begins."""
    with path.open("rb") as file:
        if place:
            file.seek(place - 1)
            file.readline()  # to the beginning of a line; of the line before where `place` begins one
        line = file.readline(HASH + 24)
        return line[:HASH].decode("ascii", "replace").upper(), file.tell()


def is_breached(path: Path, password: str) -> bool:
    """Return whether the SHA-1 of a password stands in a sorted list of hashes, looked up in the file without reading it.

    Args:
        path: of a file with one hash a line in the order of the hashes, perhaps with `:COUNT` behind, as Have I Been Pwned
            gives its passwords away.
        password: as it was typed.
    """
    wanted = hashlib.sha1(password.encode("utf-8", "replace"), usedforsecurity=False).hexdigest().upper()
    low, high = 0, path.stat().st_size
    while low < high:
        middle = (low + high) // 2
        found, after = _hash_at(path, middle)
        if found == wanted:
            return True
        if found and found < wanted:
            low = after
        else:
            high = middle
    return False


def refuse_unsorted(path: Path) -> None:
    """Refuse a file that is no sorted list of SHA-1 hashes, as far as looks at some places of it tell.

    Raises:
        UsageError: no such file, no hashes, or not in order: then nobody's password would be found in it.
    """
    if not path.is_file():
        raise UsageError(
            f"breached_passwords in study.toml: {path} is no file; give one, or take the entry out"
        )
    size = path.stat().st_size
    seen = [_hash_at(path, size * n // LOOKS)[0] for n in range(LOOKS)]
    hashes = [one for one in seen if one]
    if not hashes or any(len(one) != HASH or set(one) - set("0123456789ABCDEF") for one in hashes):
        raise UsageError(f"{path} is no list of SHA-1 hashes, one a line in 40 hex digits; give another file")
    if hashes != sorted(hashes):
        raise UsageError(f"the hashes in {path} are not in order; sort the file (`LC_ALL=C sort`)")


def of_context(settings: Settings, login: str, name: str) -> frozenset[str]:
    """Return the words that somebody who knows study and person guesses first, in small letters (OWASP ASVS 5, 6.1.2).

    Args:
        settings: of the study: its name, title and who asks. login, name: of the person.
    """
    said = (settings.name, settings.title, settings.asker, login, name)
    words = {word for text in said for word in WORD.findall(text.casefold())}
    return frozenset(words | OURS)


def _is_of_context(password: str, words: frozenset[str]) -> bool:
    """Return whether fewer than `LEFT` letters are left of a password without such words."""
    left = password.casefold()
    for word in sorted(words, key=len, reverse=True):
        left = left.replace(word, " ")
    return left != password.casefold() and sum(letter.isalpha() for letter in left) < LEFT


def password_problem(password: str, login: str, name: str, settings: Settings) -> str:
    """Return what is wrong with a new password, empty where nothing is.

    Args:
        password: as typed. login, name: of the person. settings: of the study.
    """
    breached = settings.breached_passwords
    if not MIN_PASSWORD <= len(password) <= MAX_PASSWORD:
        return "Please choose a password of at least 10 characters; a short sentence is good."
    if password.casefold() in (login.casefold(), name.casefold()):
        return "Please choose a password that is not your name."
    if password.casefold() in common_passwords():
        return "This password is among the first that are guessed; please choose another one."
    if _is_of_context(password, of_context(settings, login, name)):
        return "This password is made of your name or the study's; please choose another one."
    if breached and is_breached(Path(breached), password):
        return "This password was found in a breach elsewhere; please choose another one."
    return ""
