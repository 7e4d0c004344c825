"""The door of `support-2`: a claim, a packet and the question's text make one reading."""

import re
from collections.abc import Mapping, Sequence

import msgspec

from percuss.evidence.packet import Packet
from percuss.evidence.rules.finding import LONGEST
from percuss.evidence.rules.support2.allergies import by_allergy
from percuss.evidence.rules.support2.clauses import main_clause
from percuss.evidence.rules.support2.courses import by_course, of_one_day, on_day
from percuss.evidence.rules.support2.entries import by_entry
from percuss.evidence.rules.support2.fielded import Fielded, by_field
from percuss.evidence.rules.support2.genes import by_gene
from percuss.evidence.rules.support2.graded import by_grade
from percuss.evidence.rules.support2.grown import by_culture
from percuss.evidence.rules.support2.limited import by_multiple
from percuss.evidence.rules.support2.named import by_names
from percuss.evidence.rules.support2.parts import Parts, parts_of
from percuss.evidence.rules.support2.plainly import undressed, written_out
from percuss.evidence.rules.support2.ranked import by_rank
from percuss.evidence.rules.support2.record import Hang, Outcome, Reading
from percuss.evidence.rules.support2.reference import Known, Reference, reference
from percuss.evidence.rules.support2.settled import hold
from percuss.evidence.rules.support2.sides import of_other_part
from percuss.evidence.rules.support2.spoken.compounds import cut, head_of
from percuss.evidence.rules.support2.spoken.cutoffs import CutOff, cut_off
from percuss.evidence.rules.support2.spoken.further import further
from percuss.evidence.rules.support2.spoken.moved import by_move
from percuss.evidence.rules.support2.spoken.reasons import caused, reasoned
from percuss.evidence.rules.support2.spoken.receptors import by_receptors
from percuss.evidence.rules.support2.spoken.reworded import apposed, reworded
from percuss.evidence.rules.support2.spoken.smokers import smoked
from percuss.evidence.rules.support2.spoken.times import out_of_time
from percuss.evidence.rules.support2.tiers import by_tier
from percuss.evidence.rules.support2.together import coordinated, first, of_other_sex, together
from percuss.evidence.rules.support2.unheld import unheld
from percuss.evidence.rules.support2.wording import match, stems
from percuss.evidence.shapes import Shaped, shaped
from percuss.text.acts import speech_act
from percuss.text.acts.words import GENERIC_KIND, LEVEL
from percuss.text.atoms import joins, said
from percuss.text.concepts import Statement, compare, relation
from percuss.text.cued import Cued
from percuss.text.numbers import numbers

__all__ = ["RATER", "support2"]

RATER = "rule:support-2"
"""Name of the rater in runs, passports and panels."""

_WHEN = Cued(
    r"\b(?:still|last|again|yet|already|ago|now|currently|once|until|after|before|during|since|when|first|next|always|recent\w*|new)\b"
)
_FINITE = Cued(
    r"\b(?:is|are|was|were|has|have|had|shows?|showed|takes?|took|does|did|denies|reports?|receives?|may|might|can|will)\b"
)
_ASIDE = Cued(r",\s(?:which|who)\s(?P<rest>[^,;]*)$")
_OWN = re.compile(r"\b(?:patient|his|her|their|this|not|no)\b|\d", re.IGNORECASE)
_SHORTEST_MAIN = 12
_ITEMS = re.compile(r"[;,]\s+(?:and\s+)?")
_MOST_ATOMS = 8
_MOST_WORDS = 14
"""Words of the longest claim that is held against a single fact by its words."""


def support2(claim_text: str, packet: Packet, question: str = "") -> Reading:
    """Label one claim against the one reference of its case.

    Args:
        claim_text: the claim alone; places in the result are those in it with single blanks, without list signs and with short forms written out.
        packet: the full packet of the case, the same in every arm.
        question: the question's own text; what it says is `given`.

    Returns:
        supported, contradicted, absent (structured packets only), partial, given, or undecided with its reason.

    >>> support2("Potassium is 4.1 mmol/L.", Packet.of_layers({"labs": {"potassium": 5.9}}, units={"potassium": "mmol/L"})).label
    'contradicted'
    """
    text = written_out(undressed(claim_text))
    if len(text) > LONGEST:
        return Reading(label="undecided", reason="the claim is too long to be a sentence")
    text = apposed(text)
    if not text:
        return Reading(label="undecided", reason="two names of different things")
    held = shaped(packet)
    found = _either(text, held, packet, question)
    if found.label != "undecided" or not packet.facts:
        return found
    return _cut(text, held, packet, question) or found


def _either(text: str, held: Shaped, packet: Packet, question: str) -> Reading:
    """Read a claim as it is, else in other words."""
    found = _timely(text, held, packet, question)
    other = reworded(text) if found.label == "undecided" else ""
    if not other:
        return found
    again = _timely(other, held, packet, question)
    return again if again.label != "undecided" else found


def _cut(text: str, held: Shaped, packet: Packet, question: str) -> Reading | None:
    """Read the statements of a claim one by one, where all of them are decided; what a conclusion rests on, where that is wrong."""
    for pieces in cut(text):
        found: list[Reading] = []
        for piece in pieces:
            read = _either(piece, held, packet, question)
            if read.label in {"undecided", "partial"}:
                break
            found.append(read)
        if len(found) == len(pieces):
            return _joined(found)
    head = head_of(text)
    found = [_either(head, held, packet, question)] if head else []
    return found[0] if found and found[0].label in {"contradicted", "absent"} else None


def _timely(text: str, held: Shaped, packet: Packet, question: str) -> Reading:
    """Read a claim, by the readers of free words too where no other decides; what was decided by a value of another time is left open."""
    found = _read(text, held.packet, question)
    if found.label in {"supported", "contradicted"} and out_of_time(text, held.packet, found):
        found = Reading(
            label="undecided", reason="a time that its value isn't surely of", hangs_on=found.hangs_on
        )
    elif found.label == "supported" and of_other_part(text, found):
        return Reading(label="undecided", reason="a part of an organ that its fact doesn't name")
    elif found.label == "undecided" and packet.facts:
        more = further(text, packet, held)
        if more is not None:
            return _of_field(text, more)
    return _placed(found, held.places) if held.places else found


def _placed(found: Reading, places: Mapping[str, str]) -> Reading:
    """Return a reading whose facts stand where the packet has them."""
    hangs = tuple(
        msgspec.structs.replace(hang, path=places.get(hang.path, hang.path)) for hang in found.hangs_on
    )
    return msgspec.structs.replace(found, hangs_on=hangs)


def _read(text: str, packet: Packet, question: str) -> Reading:
    """Read a claim, whole at first, then by its main clause, its parts and its topic."""
    day = of_one_day(text, packet)
    if day is not None:
        return _read(*day, question)
    plain = (
        by_course(text, packet)
        or by_culture(text, packet)
        or by_gene(text, packet)
        or by_receptors(text, packet)
        or by_move(text, packet)
    )
    if plain is not None:
        return _of_field(text, plain)
    ranked = by_entry(text, packet) or by_rank(text, packet)
    if ranked is not None and not (ranked.label == "absent" and _asked(text, question)):
        return _of_field(text, ranked)
    shorter = _by_shorter(text, packet, question)
    if shorter is not None:
        return shorter
    found = _one(text, packet, question)
    if found.label != "undecided":
        return found
    dated = on_day(text, packet)
    if dated is not None:
        again = _read(*dated, question)
        if again.label in {"supported", "contradicted"}:
            return again
    named = by_names(text, packet) or by_tier(text, packet)
    if named is not None:
        beside = _of_atoms(text, packet, question) if named.label == "contradicted" else None
        return beside if beside is not None and beside.label == "partial" else _of_field(text, named)
    main = _without_knowledge(text) or main_clause(text)
    if main:
        again = _read(written_out(main), packet, question)
        if again.label != "undecided":
            return again
    return _of_atoms(text, packet, question) or _of_topic(text, packet, question, found) or found


def _by_shorter(text: str, packet: Packet, question: str) -> Reading | None:
    """Read a claim by a shorter one and what it says beside it: how much was smoked, on which side of a cut-off, why a drug is given."""
    amount = smoked(text, packet)
    if amount is not None:
        rest = _read(amount.rest, packet, question)
        return rest if amount.right or rest.label != "supported" else _turned(rest)
    cut = cut_off(text)
    if cut is not None:
        return _beyond(cut, _read(cut.main, packet, question))
    return _by_reason(text, packet, question)


def _beyond(cut: CutOff, main: Reading) -> Reading:
    """Return what a claim is worth whose value is compared with a usual cut-off: its own value, and the side on which it lies."""
    if cut.right or main.label not in {"supported", "contradicted"}:
        return main
    label: Outcome = "partial" if main.label == "supported" else "contradicted"
    return Reading(label=label, reason="it lies on the other side of that cut-off", hangs_on=main.hangs_on)


def _turned(rest: Reading) -> Reading:
    return Reading(label="contradicted", reason="by the pack-years", hangs_on=rest.hangs_on)


def _by_reason(text: str, packet: Packet, question: str) -> Reading | None:
    """Read a claim that says why a drug is given or was stopped; None unless the claim without its reason holds and the record has one."""
    told = caused(text)
    if told is None:
        return None
    main = _read(told.main, packet, question)
    if main.label != "supported":
        return None
    found = (reasoned(told.cause, hang.path, packet) for hang in main.hangs_on if hang.path)
    first_found = next((each for each in found if each is not None), None)
    return None if first_found is None else _of_field(text, first_found)


def _of_topic(text: str, packet: Packet, question: str, found: Reading) -> Reading | None:
    """Return absent where a claim of which nothing holds is of a topic that no word of the packet speaks of; None else."""
    if any(hang.outcome in {"supported", "given"} for hang in found.hangs_on):
        return None
    topic = unheld(text, packet, question)
    if not topic or speech_act(text).act not in {"assertion", "hedged"}:
        return None
    return Reading(label="absent", reason=f"nothing is recorded of this: {topic}", hangs_on=found.hangs_on)


def _without_knowledge(text: str) -> str:
    """Return a claim without a clause at its end that only teaches ("which is a disease of ..."); "" where there is none."""
    tail = _ASIDE.search(text)
    if tail is None or tail.start() < _SHORTEST_MAIN or _OWN.search(tail["rest"]):
        return ""
    teaches = GENERIC_KIND.search(tail["rest"]) is not None and LEVEL.search(tail["rest"]) is None
    return f"{text[: tail.start()]}." if teaches else ""


def _of_atoms(text: str, packet: Packet, question: str) -> Reading | None:
    """Read the statements of a coordinated sentence, or the items of a note, one by one; None unless all of them are decided."""
    pieces = list(said(text)) if joins(text) else [text]
    if len(pieces) == 1 and not _FINITE.search(text):
        pieces = [piece for piece in _ITEMS.split(text.rstrip(". ")) if piece]
    if not 1 < len(pieces) <= _MOST_ATOMS:
        return None
    found = []
    for piece in pieces:
        read = _one(piece, packet, question)
        if read.label in {"undecided", "partial"}:
            return None
        found.append(read)
    return _joined(found)


def _joined(found: Sequence[Reading]) -> Reading:
    """Return what decided statements are worth as one claim."""
    hangs = tuple(hang for read in found for hang in read.hangs_on)
    labels = {read.label for read in found}
    wrong = labels & {"contradicted", "absent"}
    if wrong and labels - wrong:
        return Reading(label="partial", reason="one part holds and another doesn't", hangs_on=hangs)
    label: Outcome = (
        "contradicted"
        if "contradicted" in wrong
        else "absent"
        if wrong
        else "given"
        if labels == {"given"}
        else "supported"
    )
    return Reading(label=label, reason=next(r.reason for r in found if r.label == label), hangs_on=hangs)


def _one(text: str, packet: Packet, question: str) -> Reading:
    """Read a claim as one statement."""
    of_field = by_field(text, packet)
    if of_field is not None and not (of_field.label == "absent" and _asked(text, question)):
        return _of_field(text, of_field)
    graded = by_grade(text, packet)
    if graded is not None:
        return _of_field(text, graded)
    held = reference(packet, question)
    limited = by_multiple(text, held)
    if limited is not None:
        return _of_field(text, limited)
    parts = parts_of(text)
    allergic = by_allergy(text, packet)
    if allergic is not None and not (allergic.label == "absent" and stems(text) <= stems(question)):
        return _of_field(text, allergic)
    hangs = tuple(_hangs(parts, held))
    invented = _invented(text, parts, held, hangs)
    if invented is not None:
        return invented
    if parts.denies_twice:
        return Reading(label="undecided", reason="several denials in one sentence")
    if parts.over():
        return Reading(label="undecided", reason="an end or a plan that was not read")
    by_words = None if of_other_sex(parts, held) else _by_words(text, held)
    if not parts.statements:
        return by_words or Reading(label="undecided", reason="nothing that it states was read")
    if not held.structured and _WHEN.search(text) and any(s.kind == "presence" for s in parts.statements):
        return Reading(label="undecided", reason="a time that a passage isn't read for")
    found = together(parts, held, hangs)
    if found.label == "undecided" and by_words is not None:
        return by_words
    if by_words is not None and {found.label, by_words.label} == {"supported", "contradicted"}:
        return Reading(
            label="undecided",
            reason="its statements and its words disagree",
            hangs_on=(*hangs, *by_words.hangs_on),
        )
    return found


def _asked(text: str, question: str) -> bool:
    """Tell whether the question holds all numbers of a claim: then it may be what the question says."""
    said = {number.value for number in numbers(question)} if question else set()
    return bool(said) and all(number.value in said for number in numbers(text))


def _of_field(text: str, found: Fielded) -> Reading:
    hang = Hang(
        text=text,
        start=0,
        stop=len(text),
        attribute="",
        outcome=found.label,
        reason=found.reason,
        path=found.path,
        value=found.value,
    )
    return Reading(label=found.label, reason=found.reason, hangs_on=(hang,))


def _by_words(text: str, held: Reference) -> Reading | None:
    if not held.structured or len(text.split()) > _MOST_WORDS:
        return None
    found = match(text, held.facts)
    if found is None:
        return None
    hang = Hang(
        text=text,
        start=0,
        stop=len(text),
        attribute="",
        outcome=found.label,
        reason=found.reason,
        path=found.path,
        value=found.value,
    )
    return Reading(label=found.label, reason=found.reason, hangs_on=(hang,))


def _invented(text: str, parts: Parts, held: Reference, hangs: tuple[Hang, ...]) -> Reading | None:
    """Return absent or partial where a claim of this case names something that the record, which covers such things, doesn't hold.

    Whatever else the sentence says, it can't be supported any more; that leaves unread words without weight.
    """
    if not held.structured or parts.denies or not parts.statements:
        return None
    outcomes = {hang.outcome for hang in hangs}
    named = {
        s.attribute
        for h, s in zip(hangs, parts.statements, strict=True)
        if h.outcome == "absent" and s.kind in {"presence", "dose"}
    }
    asked = {each.attribute for each in held.asked}
    if (
        not named
        or named & asked
        or "contradicted" in outcomes
        or speech_act(text).act not in {"assertion", "hedged"}
    ):
        return None
    label: Outcome = "partial" if coordinated(parts, hangs) else "absent"
    return Reading(label=label, reason=first(hangs, "absent"), hangs_on=hangs)


def _hangs(parts: Parts, held: Reference) -> list[Hang]:
    def beside(word: Statement) -> Known | None:
        for other in parts.statements:
            if other.kind == "quantity" and relation(word.attribute, other.attribute) in {"same", "broader"}:
                return next((k for k in held.known if compare(other, k.statement).outcome == "same"), None)
        return None

    return [hold(each, parts.text, held, beside) for each in parts.statements]
