"""The parts of a claim: what it states, what is left unread, and where one clause ends and the next begins."""

import itertools
import re
from decimal import Decimal
from functools import lru_cache

import msgspec

from percuss.evidence.rules.support2.phrasing import Span, inside, phrased
from percuss.evidence.rules.support2.sexes import SEXES, sexes
from percuss.text.concepts import Statement, concept, read, unread
from percuss.text.concepts.record import Reading
from percuss.text.concepts.table import analyte_of
from percuss.text.cued import Cued
from percuss.text.numbers import Number, in_unit

__all__ = ["Parts", "clause_of", "parts_of", "words_of_clause"]

_PLAIN = frozenset(
    "aged child child's so gets got uses use using list main clinical context pathology identified still about so-called case finding findings features feature "
    "performed done made underwent undergoing gave give given disease condition conditions problem state status gender sex type own following include "
    "includes including included lab labs laboratory blood serum plasma test tests marker marked clearly transcriptome mrna rna expression score scores imaging "
    "person individual individual's medication medications drug drugs treated therapy care management managed specimen sample tumour tumor tumours years-old old "
    "z z-score ranges puts sits based provided injects combination tobacco exposure overtly analysis plus prevention fine "
    "cause due too also bloods ranked tier been ongoing continued continuing continues present presently part currently being active group assigned falls belongs documented noted recorded receive receives receiving received degree indicating indicates meaning reflecting gives inhales inhaled yields counts counted qualifies places too overly "
    "running runs ran begun began begin kept keeps keep stays stayed stay stands stood comes came come goes went lies lay reached reaches turned turns prescribed prescription listed registered charted entered "
    "dispensed administered tablet tablets dose doses dosage dosing regimen entry entries file chart record records sheet side well disorder illness problems kind form sort altogether overall generally indeed "
    "however furthermore moreover additionally besides namely specifically notably importantly therefore hence thus accordingly likewise similarly suffers suffering suffered affected carries bears diagnoses "
    "adult gentleman lady subject somebody someone figure figures number amount count percentage proportion sitting underlying existing established confirmed proven stated overall needed requires required".split()
)
_GENERIC = frozenset(
    {
        "tumour",
        "cancer",
        "sex",
        "RNA sequencing",
        "computed tomography",
        "magnetic resonance imaging",
        "ultrasound",
        "blood test",
        "immunohistochemistry",
        "biopsy",
        "imaging",
    }
)
"""Things that a claim names beside what it says of them; alone they state nothing that could be wrong."""
_ENDED = frozenset({"stopped", "historical", "planned", "negated", "ruled_out"})
_GENERAL = Cued(
    r",?\s(?:which|that)\s(?:is|are)\s(?:known\sto\sbe\s)?(?:often\s|commonly\s|typically\s|generally\s)?(?:associated\swith|linked\sto)\s[^.]*\.?$"
)
"""A clause of general knowledge at the end; it says nothing of this case."""
_OWN = Cued(r"\b(?:but|no|not|past|this|his|her|patient)\b")
"""Words that show that such a clause speaks of the case after all."""
_LEVELS = {"high": "high", "increased": "high", "elevated": "high", "raised": "high", "up": "high", "upregulated": "high", "low": "low", "reduced": "low", "decreased": "low",
           "down": "low", "downregulated": "low", "above": "high", "over": "high", "below": "low", "under": "low"}  # fmt: skip
_LEVEL_WORDS = "|".join(word for word in _LEVELS if word not in {"above", "below", "over", "under"})
_LEVEL_BEFORE = re.compile(
    rf"\b({_LEVEL_WORDS})\s(?:(?:mrna|gene)\s)?(?:levels?\sof\s|expression\s(?:levels?\s)?of\s)(?:[A-Za-z0-9-]+(?:,\s(?:and\s)?|\sand\s))*$",
    re.IGNORECASE,
)
_LEVEL_AFTER = re.compile(
    rf"(?:\s(?:mrna|gene|expression|levels?))*\s(?:is|was)\s({_LEVEL_WORDS})(?=[.,;]|$|\sat\b|\s\()|(?:\s(?:mrna|gene|expression|levels?))*\s(?:is|was)\s(?:far\s|well\s|slightly\s|clearly\s)?(above|below|over|under)\s(?:the\s)?(?:average|mean)",
    re.IGNORECASE,
)
_HELD = Cued(
    r"\b(?:make|makes|made|given|gave|follow|work)[\s-]up\b|\btimes (?:a|per|each|every|daily|weekly)\b|\btwice (?:a|per|daily|weekly)\b|\bover the counter\b|\b(?:above|below|under|over) normal\b|\bgain of\b"
)
_MEASURED = frozenset({"analyte", "vital", "measure", "score", "gene"})
_REACH = 28
_CLAUSE = re.compile(r"[;:()]|,\s|\.\s|\s(?:and|but|which|who|that|while|whereas|plus|because|so|although)\s")
_CUE = Cued(
    r"\b(?:no|not|never|without|none|neither|nor|cannot|unlikely|improbable|denies|denied|lacks?|absen\w+|free of|rather than|instead of)\b|n['’]t\b"
)
_MOVED = Cued(
    r"\b(?:from|up|down|rose|fell|dropp?ed|increas\w+|decreas\w+|improv\w+|worsen\w+|gain\w*|los[ts]\w*|than|times|below|above|under|over|former\w*|"
    r"previous\w*|used to|between|half|twice|third|quarter|average|median|risk|target|goal|cut-?off|threshold|predicted)\b"
)
_BOUNDED = Cued(
    r"\b(?:until|till|before|after|during|ago|again|recent\w*|newly|new|first|already|yet|always|only|both|all|every|each|most|rare|second|next|another|other|started|begun|began|"
    r"high|higher|low|lower|normal|abnormal|raised|elevated|reduced|increased|positive|negative|severe|severely|mild|mildly|moderate|left|right|bilateral|acute|chronic|"
    r"anterior|posterior|proximal|distal|inferior|superior|due to|caused|because|despite|since|prior|later|earlier|planned|may|might|should|would|could)\b"
)
_SINCE = frozenset({"since", "started", "begun", "began", "prior", "first"})
_HE, _SHE = frozenset({"he", "his", "him"}), frozenset({"she", "her"})
_PRONOUN = Cued(r"\b(?:he|his|him|she|her)\b")
_OVER = Cued(
    r"(?:\bnot|\bnever|n['’]t)\s(?:been\s|yet\s)?(?:stopped|discontinued|given\sup|withdrawn|held|paused|over)\b"
)
"""An end that is denied: no statement has a frame for it."""
_ENDING = Cued(
    r"\b(?:stop\w*|discontinu\w+|resolved|ended|ceased|quit|given up|gave up|no longer|planned|plans?|scheduled|refus\w+|declin\w+|remission|cured?|recover\w+)\b"
)
_TEMPLATE = Cued(
    r"^\W*(?:the )?(?:immune tier|main pathology finding|pathology finding|rna finding|clinical context|evidence|answer)\s(?:is that|is|shows that|shows|indicates that|indicates|suggests that)\s"
)


class Parts:
    """A claim as the rule reads it; what only some claims are asked for is worked out when it is.

    `denies`: it holds a word of denial; `denies_twice`: more of them than denied statements.

    Args:
        text: the claim. statements: what it states. reading: its numbers, among others. loose: those that belong to nothing sure.
        phrased: places that forms of words take.
    """

    __slots__ = ("_phrased", "denies", "denies_twice", "loose", "numbers", "statements", "text")

    def __init__(
        self, text: str, statements: tuple[Statement, ...], reading: Reading, loose: tuple[Number, ...], phrased: list[Span]
    ) -> None:  # fmt: skip
        self.text, self.statements, self.numbers, self.loose = text, statements, reading.numbers, loose
        self._phrased = phrased
        cues = 0
        if _CUE.may(text):
            levels = [span for each in statements if each.kind == "word" for span in each.spans]
            cues = sum(not inside(match.span(), levels) for match in _CUE.whole.finditer(text))
        self.denies = cues > 0
        self.denies_twice = cues > 1 and cues > sum(not _ENDED.isdisjoint(s.frames) for s in statements)

    def unread(self) -> tuple[Span, ...]:
        """Return the places of words that nothing hangs on."""
        text, taken = self.text, self._phrased
        template = _TEMPLATE.match(text)
        head = template.end() if template else 0
        return tuple(
            (start, stop) for start, stop in unread(text)
            if start >= head and text[start:stop].lower() not in _PLAIN and not inside((start, stop), taken)
        )  # fmt: skip

    def moved(self) -> bool:
        """Tell whether it holds a word of change or comparison, which a bare equal value can't prove."""
        return _MOVED.may(self.text) and _MOVED.whole.search(self._rest()) is not None

    def bounded(self) -> bool:
        """Tell whether it holds a date that no statement carries, or a word of time, cause or number (until, only, all) outside of them."""
        dates = {each.date for each in self.statements}
        if any(number.kind == "date" and number.date not in dates for number in self.numbers):
            return True
        found = _BOUNDED.whole.search(self._rest()) if _BOUNDED.may(self.text) else None
        return found is not None and not (found.group().lower() in _SINCE and any(dates))

    def sex(self) -> str:
        """Return the sex of its pronouns, "male" or "female"; "" = none, or both."""
        words = {word.lower() for word in _PRONOUN.findall(self.text)}
        male, female = not words.isdisjoint(_HE), not words.isdisjoint(_SHE)
        return "" if male == female else "male" if male else "female"

    def over(self) -> bool:
        """Tell whether it says of something that it ended or is planned, and no statement has that frame."""
        if _OVER.search(self.text) is not None:
            return True
        return _ENDING.search(self.text) is not None and all(
            _ENDED.isdisjoint(s.frames) for s in self.statements
        )

    def _rest(self) -> str:
        """Return the claim without what its statements hang on, for words that nothing has read."""
        letters = list(_HELD.sub(lambda match: " " * len(match.group()), self.text))
        for statement in self.statements:
            for start, stop in statement.spans:
                letters[start:stop] = " " * (stop - start)
        return "".join(letters)


@lru_cache(maxsize=8192)
def parts_of(claim: str) -> Parts:
    """Read a claim.

    Args:
        claim: the claim's text.
    """
    general = _GENERAL.search(claim)
    if general and not _OWN.search(general.group()) and not read(general.group()).statements:
        claim = claim[: general.start()]
    reading = read(claim)
    said = list(phrased(claim))
    taken = [(each.start, each.stop) for each in said]
    bound = {n: made for n in reading.unbound if (made := _bound(n, reading.statements)) is not None}
    said.extend(bound.values())
    levelled = [_levelled(claim, each) for each in reading.statements]
    kept = [each for each in levelled if not _named_again(each, said, reading.statements)]
    statements = sorted((*kept, *sexes(claim, reading), *said), key=_place)
    return Parts(claim, tuple(statements), reading, _loose(reading, bound, statements, taken), taken)


def _place(statement: Statement) -> Span:
    return statement.start, statement.stop


def _loose(
    reading: Reading, bound: dict[Number, Statement], statements: list[Statement], taken: list[Span]
) -> tuple[Number, ...]:
    """Return the numbers that belong to nothing sure."""
    if not reading.unbound:
        return ()
    held = [*taken, *(span for each in statements if each.kind == "dose" for span in each.spans)]
    return tuple(
        n
        for n in reading.unbound
        if n not in bound
        and not inside((n.start, n.stop), held)
        and n.kind in {"quantity", "range", "fraction", "pair"}
    )


def _bound(number: Number, statements: tuple[Statement, ...]) -> Statement | None:
    """Bind a number that the concept layer leaves alone to the one attribute before it, or to the value that it says again in another unit."""
    before = [each for each in statements if each.stop <= number.start]
    if not before or number.value is None or number.kind != "quantity" or number.counted:
        return None
    last = before[-1]
    span = ((number.start, number.stop),)
    if (
        last.kind == "quantity"
        and last.number is not None
        and last.number.unit
        and number.unit
        and last.number.unit != number.unit
    ):
        if in_unit(Decimal(1), number.unit, last.number.unit, analyte_of(last.attribute)) is None:
            return None
        return Statement(
            attribute=last.attribute,
            kind="quantity",
            number=number,
            start=number.start,
            stop=number.stop,
            spans=span,
        )
    return _of_named(number, last, statements)


def _of_named(number: Number, last: Statement, statements: tuple[Statement, ...]) -> Statement | None:
    """Bind a number to the only attribute that is named before it and has no value yet."""
    found = concept(last.attribute)
    span = ((number.start, number.stop),)
    named = [each for each in statements if each.kind in {"named", "word"}]
    if named != [last] or found is None or found.kind not in _MEASURED or number.start - last.stop > _REACH:
        return None
    if number.value is not None and found.unit == "%" and not number.unit:
        if number.value > 1:
            return None
        number = msgspec.structs.replace(
            number, value=number.value * 100, unit="%", decimals=max(0, number.decimals - 2)
        )
    elif number.unit and (
        not found.unit or in_unit(Decimal(1), number.unit, found.unit, analyte_of(last.attribute)) is None
    ):
        return None
    return Statement(
        attribute=last.attribute,
        kind="quantity",
        number=number,
        start=number.start,
        stop=number.stop,
        spans=span,
        qualifiers=last.qualifiers,
    )


def _levelled(claim: str, statement: Statement) -> Statement:
    """Read "high expression of CD274 and PDCD1" and "PD-L1 mRNA is reduced" as levels of the genes."""
    found = concept(statement.attribute) if statement.kind == "presence" else None
    if found is None or found.kind != "gene":
        return statement
    match = _LEVEL_BEFORE.search(claim, 0, statement.start) or _LEVEL_AFTER.match(claim, statement.stop)
    if match is None:
        return statement
    spans = (*statement.spans, match.span())
    return msgspec.structs.replace(
        statement,
        kind="word",
        word=_LEVELS[(match[1] or match[match.re.groups]).lower()],
        present=None,
        spans=spans,
    )


def _named_again(statement: Statement, phrased: list[Statement], every: tuple[Statement, ...]) -> bool:
    """Tell whether a statement says nothing of its own: a name whose value a phrase or another statement gives, a thing merely named."""
    if statement.attribute in SEXES:
        return False
    if any(
        p.start <= statement.start < p.stop or statement.start <= p.start < statement.stop for p in phrased
    ):
        return True
    merely = (
        statement.kind == "presence"
        and statement.attribute in _GENERIC
        and not set(statement.frames) - {"ruled_out"}
    )
    if merely and len(every) + len(phrased) > 1:
        return True
    if statement.kind != "named":
        return False
    others = (*phrased, *every)
    return any(
        other is not statement and other.attribute == statement.attribute and other.kind != "named"
        for other in others
    )


@lru_cache(maxsize=256)
def _clauses(claim: str) -> tuple[Span, ...]:
    places = [0, *(m.end() for m in _CLAUSE.finditer(claim)), len(claim)]
    return tuple((low, high) for low, high in itertools.pairwise(places) if high > low)


def clause_of(parts: Parts, place: int) -> int:
    """Return the number of the clause that a place of the claim lies in."""
    return next((n for n, (low, high) in enumerate(_clauses(parts.text)) if low <= place < high), 0)


def words_of_clause(parts: Parts, place: int) -> str:
    """Return the clause that a place of the claim lies in."""
    return next((parts.text[low:high] for low, high in _clauses(parts.text) if low <= place < high), "")
