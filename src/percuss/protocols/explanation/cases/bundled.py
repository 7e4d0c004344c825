"""The bundled source: synthetic chests with exact ground truth."""

from collections.abc import Iterator

from percuss.core.errors import BadInput
from percuss.protocols.explanation.cases.study import Study
from percuss.protocols.explanation.chest import MIXES, Mix, draw, sample
from percuss.protocols.explanation.options import ExplanationOptions

__all__ = ["NAME", "chests", "named"]

NAME = "chests"


def named(source: str | None, options: ExplanationOptions) -> tuple[int, Mix] | None:
    """Return how many chests of which mix a source asks for; None where it names something else.

    Args:
        source: None, `chests`, `chests:200`, `chests:icu` or `chests:icu:200`.
        options: give the number and mix where the source does not.

    Raises:
        BadInput: `chests:` followed by anything else.
    """
    if source is None:
        return options.chests, options.mix
    head, *rest = source.split(":")
    if head != NAME:
        return None
    count, mix = options.chests, options.mix
    for part in rest:
        if part.isdigit() and int(part) > 0:
            count = int(part)
        elif part in MIXES:
            mix = "icu" if part == "icu" else "balanced"
        else:
            raise BadInput(f"got {source!r}; expected chests, chests:200, chests:icu or chests:icu:200")
    return count, mix


def chests(count: int, mix: Mix, seed: int) -> Iterator[Study]:
    """Yield synthetic chests, each drawn when its picture is needed.

    Args:
        count: how many.
        mix: of their findings.
        seed: root seed.
    """
    for index in range(count):
        fields = sample(index, seed=seed, mix=mix)
        yield Study(
            id=f"synthetic-{mix}-{index:05}",
            load=lambda fields=fields, index=index: draw(fields, index, seed=seed),  # type: ignore[misc]
            fields=fields,
            origin="synthetic",
            split="test",
            parameters={"seed": seed, "index": index, "mix": mix},
        )
