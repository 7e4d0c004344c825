"""The parts of a claim: what it states, what is left unread, and where one clause ends and the next begins."""

import itertools
import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

import msgspec

from percuss.evidence.rules.support2.ages import ages
from percuss.evidence.rules.support2.sexes import SEXES, sexes
from percuss.evidence.rules.support2.tables import Phrase, phrase_table, phrases
from percuss.text.concepts import Statement, concept, read, unread
from percuss.text.concepts.table import analyte_of
from percuss.text.cued import Cued
from percuss.text.numbers import Number, in_unit

__all__ = ["Parts", "clause_of", "parts_of", "phrased", "words_of_clause"]

Span = tuple[int, int]

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
_ROMAN = {"one": "I", "two": "II", "three": "III", "four": "IV"}
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


class Parts(NamedTuple):
    """A claim as the rule reads it.

    Args:
        text: the claim. statements: what it states. numbers: its numbers. loose: those that belong to nothing sure.
        unread: words that nothing hangs on. denies: it holds a word of denial; denies_twice: more of them than denied statements.
        moved: it holds a word of change or comparison, which a bare equal value can't prove.
        bounded: it holds a word of time, cause or number (until, only, all) that no statement has read.
        sex: of the pronouns, "male" or "female"; "" = none, or both.
        over: it says of something that it ended or is planned, and no statement has that frame.
    """

    text: str
    statements: tuple[Statement, ...]
    numbers: tuple[Number, ...]
    loose: tuple[Number, ...]
    unread: tuple[Span, ...]
    denies: bool
    denies_twice: bool
    moved: bool
    sex: str
    over: bool
    bounded: bool


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
    statements = sorted((*kept, *sexes(claim, reading), *said), key=lambda each: (each.start, each.stop))
    template = _TEMPLATE.match(claim)
    head = template.end() if template else 0
    left = tuple(
        (start, stop) for start, stop in unread(claim)
        if start >= head and claim[start:stop].lower() not in _PLAIN and not _inside((start, stop), taken)
    )  # fmt: skip
    dosed = [span for each in statements if each.kind == "dose" for span in each.spans]
    loose = tuple(
        n
        for n in reading.unbound
        if n not in bound
        and not _inside((n.start, n.stop), [*taken, *dosed])
        and n.kind in {"quantity", "range", "fraction", "pair"}
    )
    levels = [span for each in statements if each.kind == "word" for span in each.spans]
    cues = sum(not _inside(match.span(), levels) for match in _CUE.finditer(claim))
    moves, bounds = _MOVED.may(claim), _BOUNDED.may(claim)
    rest = _rest(claim, statements) if moves or bounds else ""
    return Parts(claim, tuple(statements), reading.numbers, loose, left, cues > 0, _twice(cues, statements), moves and _moved(rest),
                 _sex(claim), _OVER.search(claim) is not None or (_ENDING.search(claim) is not None and not any(set(s.frames) & _ENDED for s in statements)),
                 _bounded(rest if bounds else "", statements, reading.numbers))  # fmt: skip


def _rest(claim: str, statements: list[Statement]) -> str:
    """Return a claim without what its statements hang on, for words of change that nothing has read."""
    letters = list(_HELD.sub(lambda match: " " * len(match.group()), claim))
    for statement in statements:
        for start, stop in statement.spans:
            letters[start:stop] = " " * (stop - start)
    return "".join(letters)


def _twice(cues: int, statements: list[Statement]) -> bool:
    return cues > 1 and cues > sum(not _ENDED.isdisjoint(each.frames) for each in statements)


def _moved(rest: str) -> bool:
    """Tell whether a claim without what its statements hang on holds a word of change or comparison."""
    return bool(rest) and _MOVED.whole.search(rest) is not None


def _sex(claim: str) -> str:
    words = {word.lower() for word in _PRONOUN.findall(claim)}
    male, female = bool(words & {"he", "his", "him"}), bool(words & {"she", "her"})
    return "" if male == female else "male" if male else "female"


def _bounded(rest: str, statements: list[Statement], counted: tuple[Number, ...]) -> bool:
    """Tell whether a claim holds a date that no statement carries, or a word of time, cause or number outside of them."""
    dates = {each.date for each in statements}
    if any(number.kind == "date" and number.date not in dates for number in counted):
        return True
    found = _BOUNDED.whole.search(rest) if rest else None
    return found is not None and not (
        found.group().lower() in {"since", "started", "begun", "began", "prior", "first"} and any(dates)
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
    found = concept(statement.attribute)
    if statement.kind != "presence" or found is None or found.kind != "gene":
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


def _inside(span: Span, spans: list[Span]) -> bool:
    return any(start <= span[0] and span[1] <= stop for start, stop in spans)


def _named_again(statement: Statement, phrased: list[Statement], every: tuple[Statement, ...]) -> bool:
    """Tell whether a statement says nothing of its own: a name whose value a phrase or another statement gives, a thing merely named."""
    if statement.attribute in SEXES:
        return False
    if any(
        start <= statement.start < stop or (statement.start <= start < statement.stop)
        for start, stop in ((p.start, p.stop) for p in phrased)
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


def phrased(claim: str) -> Iterator[Statement]:
    """Yield the statements of the shipped forms of words.

    Args:
        claim: a claim, or the value of a fact.
    """
    taken: list[Span] = []
    for each in ages(claim):
        taken.append((each.start, each.stop))
        yield each
    table, known = phrase_table(), phrases()
    for place in table.places(claim):
        phrase = known[place]
        for match in table[place].finditer(claim):
            if not _inside(match.span(), taken) and (statement := _stated(match, phrase)) is not None:
                taken.append(match.span())
                yield statement


def _stated(match: re.Match[str], phrase: Phrase) -> Statement | None:
    written = match[1] if match.re.groups and match[1] else phrase.value
    if phrase.kind == "code":
        word = (
            written.lower()
            if phrase.fold == "lower"
            else _ROMAN[written.lower()]
            if phrase.fold == "roman"
            else written
        )
        return Statement(
            attribute=phrase.attribute,
            kind="code",
            word=word,
            start=match.start(),
            stop=match.end(),
            spans=(match.span(),),
        )
    low = Decimal(written) if written else Decimal(phrase.low or 0)
    unit = phrase.unit or ("a" if phrase.kind == "age" else match[2] if match.re.groups > 1 else "")
    number = Number(
        start=match.start(), stop=match.end(), text=match.group(), kind="range" if phrase.high else "quantity", value=low,
        upper=Decimal(phrase.high) if phrase.high else None, unit=unit, decimals=len(written.partition(".")[2]),
    )  # fmt: skip
    return Statement(
        attribute=phrase.attribute,
        kind="quantity",
        number=number,
        start=match.start(),
        stop=match.end(),
        spans=(match.span(),),
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
