"""The sex that a phrase of its own says of the patient, beside an age or alone: "stage IA, man of 69", "45 years, male"."""

import re
from collections.abc import Iterator

from percuss.text.concepts import Statement
from percuss.text.concepts.record import Reading

__all__ = ["SEXES", "sexes", "stands_alone"]

SEXES = frozenset({"male", "female"})
_BEGINS = re.compile(r"(?:^|[,;(.]\s?(?:and\s)?|\band\s)(?:an?\s|the\s)?(?:\w+\s){0,2}$", re.IGNORECASE)
_ENDS = re.compile(
    r"\s(?:of\s(?:about\s)?\d|aged\b|in\s(?:his|her|their)\b|(?:over|under|above|below|about|nearly|almost|past)\s\w)|\s?(?:[.,;)]|$)",
    re.IGNORECASE,
)
_ALONE = re.compile(
    r"\W*(?:and\s)?(?:(?:(?:the|this)\s)?(?:patient|he|she)\s(?:is|was)\s)?(?:an?\s)?(?:male|female|man|woman|gentleman|lady|boy|girl)\W*",
    re.IGNORECASE,
)


def sexes(claim: str, reading: Reading) -> Iterator[Statement]:
    """Yield the sexes that a claim says of its patient and that the concept layer, which takes them for anybody's, leaves out.

    Args:
        claim: the claim's text. reading: what the concept layer reads of it.
    """
    stated = {each.start for each in reading.statements if each.attribute in SEXES}
    for mention in reading.mentions:
        if mention.concept not in SEXES or mention.start in stated or mention.frames:
            continue
        if _BEGINS.search(claim, 0, mention.start) and _ENDS.match(claim, mention.stop):
            yield Statement(
                attribute=mention.concept,
                kind="presence",
                present=True,
                start=mention.start,
                stop=mention.stop,
                spans=((mention.start, mention.stop),),
            )


def stands_alone(clause: str) -> bool:
    """Tell whether a clause says the patient's sex and nothing else: then it is a statement of its own.

    >>> stands_alone(" male."), stands_alone("A 45-year-old man ")
    (True, False)
    """
    return _ALONE.fullmatch(clause) is not None
