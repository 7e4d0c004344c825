"""In which language the answers are: a passport that was read on English is of no other (reading.md, section 2)."""

from collections.abc import Iterator, Mapping

import msgspec

from percuss.core.ports import ScoredResponse
from percuss.core.records import Cell, Estimate
from percuss.measure.quantity import Plan, Quantity
from percuss.measure.rates import rates
from percuss.measure.tally import Tally
from percuss.measure.wording import joined
from percuss.protocols.grounding.estimate.spoken import Making
from percuss.text.language import ENGLISH, NAMES, language_of

__all__ = ["OTHER_LANGUAGE", "tongue", "tongue_cells"]

OTHER_LANGUAGE = Quantity(
    "other_language",
    "answers not in English",
    "What share of the answers whose language can be told is in another one than English?",
    "lower",
)


def tongue_cells(made: Making, rule: str, assessed: ScoredResponse) -> Iterator[Cell]:
    """Yield whether an answer is in another language than English, and in which; nothing where its words don't tell.

    Args:
        made: makes a cell. rule: label source. assessed: a checked response.
    """
    told = language_of(assessed.response.text or "")
    if told:
        yield made(OTHER_LANGUAGE.name, rule, float(told != ENGLISH), 1)
    if told not in {"", ENGLISH}:
        yield made(f"{OTHER_LANGUAGE.name}:{told}", rule, 1, 1)


def tongue(held: Mapping[tuple[str, str], Tally], plan: Plan) -> Iterator[Estimate]:
    """Yield the share of answers in other languages, which ones in `note`; nothing of a run that is all English.

    Args:
        held: the cells. plan: the draws.
    """
    for (name, labels), tally in held.items():
        if name != OTHER_LANGUAGE.name:
            continue
        if not any(num.any() for num in tally.num.values()):
            continue
        for found in rates(tally, OTHER_LANGUAGE, plan):
            told = {
                NAMES[code]: float(of.columns(found.model, found.arm)[0].sum())
                for code in NAMES
                if (of := held.get((f"{name}:{code}", labels))) is not None and of.has(found.model, found.arm)
            }
            named = [language for language in sorted(told, key=lambda one: -told[one]) if told[language]]
            yield msgspec.structs.replace(found, note=joined(named) if named else found.note)
