"""Short-form questions: fabricated items from a seeded generator, niche items from a file (paper, section 6)."""

import random
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from percuss.core.errors import BadInput
from percuss.core.strict import Record

__all__ = ["ShortItem", "Template", "fabricated", "read_niche", "templates"]

FILE = Path(__file__).parent / "short_form.toml"
_MOST_ATTEMPTS = 200


class Template(Record):
    """One wording of a question about an item of one kind."""

    id: str
    domain: str
    item: str
    question: str


class ShortItem(Record):
    """One short question; `gold` holds accepted answers, empty for fabricated items: there is none."""

    id: str
    domain: str
    template: str
    kind: Literal["niche", "fabricated"]
    item: str
    question: str
    gold: tuple[str, ...] = ()


class _File(msgspec.Struct, forbid_unknown_fields=True):
    template: list[Template]
    parts: dict[str, list[str]]
    words: dict[str, list[str]]


class _Niche(msgspec.Struct, forbid_unknown_fields=True):
    template: str
    item: str
    gold: list[str]


@cache
def _file() -> _File:
    return msgspec.convert(tomllib.loads(FILE.read_text(encoding="utf-8")), _File)


def templates() -> tuple[Template, ...]:
    """Return all templates; the same ones ask of niche and of fabricated items."""
    return tuple(_file().template)


def fabricated(
    per_domain: int, *, seed: int, known: Callable[[str], bool] = lambda _: False
) -> tuple[ShortItem, ...]:
    """Return questions about things that do not exist, equally many per domain.

    The draw is keyed by seed, domain and place, so that asking for more keeps those that were there.

    Args:
        per_domain: how many per domain; the paper has 50.
        seed: of the draw.
        known: whether an index at hand knows an item; such an item is drawn again.

    Raises:
        BadInput: the index knows nearly everything that can be put together.
    """
    domains = dict.fromkeys(template.domain for template in _file().template)
    items: list[ShortItem] = []
    for domain in domains:
        own = [template for template in _file().template if template.domain == domain]
        used: set[str] = set()
        for place in range(per_domain):
            items.append(_made(own[place % len(own)], place, seed, known, used))
            used.add(items[-1].item)
    return tuple(items)


def _made(
    template: Template, place: int, seed: int, known: Callable[[str], bool], used: set[str]
) -> ShortItem:
    draw = random.Random(f"{seed}/{template.domain}/{place}")
    for _ in range(_MOST_ATTEMPTS):
        item = _item(template.item, draw)
        if item not in used and not known(item):
            return ShortItem(
                id=f"fabricated-{template.domain}-{place + 1:03d}",
                domain=template.domain,
                template=template.id,
                kind="fabricated",
                item=item,
                question=template.question.format(item=item),
            )
    raise BadInput(f"no {template.item} could be made up that the index does not know; ask for fewer")


def _item(kind: str, draw: random.Random) -> str:
    words = {name: draw.choice(choices) for name, choices in _file().words.items()}
    numbers = {
        "number": str(draw.randint(3, 97)),
        "year": str(draw.randint(1480, 1790)),
        "year_recent": str(draw.randint(2012, 2022)),
    }
    return draw.choice(_file().parts[kind]).format(**words, **numbers)


def read_niche(path: Path) -> tuple[ShortItem, ...]:
    """Read niche items that exist, with accepted answers.

    Args:
        path: JSON Lines of `{template, item, gold: [..]}`.

    Raises:
        BadInput: a line of another form, or a template that there is not.
    """
    known = {template.id: template for template in _file().template}
    items = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = msgspec.json.decode(line, type=_Niche)
        except msgspec.MsgspecError as error:
            raise BadInput(f"this is no niche item: {error}", source=path.name, line=number) from None
        template = known.get(row.template)
        if template is None or not row.gold:
            expected = f"one of {', '.join(known)}, with at least one gold answer"
            raise BadInput(
                f"got template {row.template!r}, expected {expected}", source=path.name, line=number
            )
        items.append(
            ShortItem(
                id=f"niche-{template.domain}-{number:03d}",
                domain=template.domain,
                template=template.id,
                kind="niche",
                item=row.item,
                question=template.question.format(item=row.item),
                gold=tuple(row.gold),
            )
        )
    return tuple(items)
