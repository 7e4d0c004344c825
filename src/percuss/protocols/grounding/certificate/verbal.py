"""Facts of the cases' records in a model's own sentences: what is asked of it, and which of its sentences may be seeded.

A sentence counts by its letters alone: the attribute's name and the value with its unit stand in it as they were given, no other number
does, and it neither denies, bounds, hedges nor goes on. Nothing here reads concepts, frames, rules or what a reader made of anything (a
contract of the import linter), or a reader would be tried on what it understands already.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from percuss.core import seeds
from percuss.core.messages import Message, Request
from percuss.core.ports import RunView
from percuss.core.prompts import fill, neutralise
from percuss.evidence.packet import Fact, Packet
from percuss.protocols.grounding.certificate.entries import Entry, listed
from percuss.protocols.grounding.certificate.saying import posed
from percuss.protocols.grounding.certificate.wording import OPEN, in_words, named
from percuss.protocols.grounding.options import GroundingOptions, prompt
from percuss.protocols.grounding.record import reading
from percuss.text.sentences import split

__all__ = ["MOST", "Told", "accepted", "asked", "refusal", "spoken", "twin", "twin_of"]

MOST = 120
"""Facts that are verbalised, over all cases: each makes a known-true statement and its error twin, in every arm of every model."""
MOST_TOKENS = 60
LONGEST_VALUE = 60
LONGEST_ENTRY = 100
WHOSE = "the patient"
_DIGIT = re.compile(r"\d|%|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|twice|half|third|quarter|double|hundred|thousand)\b", re.IGNORECASE)  # fmt: skip
_LIKELY = re.compile(
    r"\b(?:may|might|could|would|should|can|possib\w+|probab\w+|likely|perhaps|suggest\w*|suspect\w*|appear\w*|seem\w*|estimat\w+|about|around|"
    r"approximately|roughly|if|unknown|usual\w*|typical\w*|general\w*)\b|\?",
    re.IGNORECASE,
)
_ON = re.compile(
    r"[,;:()]|\b(?:and|but|or|because|since|which|that|while|so|thus|therefore|indicat\w+|mean\w*|show\w*|reflect\w*|due|compared|normal|abnormal|"
    r"high|low|higher|lower|elevated|reduced|increased|decreased|mild|moderate|severe|significant\w*|important|good|poor|positive)\b",
    re.IGNORECASE,
)
_AROUND = frozenset(
    "a an and are as at been documented for has have in is listed measured named noted of on patient patient's patient’s record recorded records "
    "reported result s she he that the their there this to value was were with".split()
)
"""Words that may stand around an entry: none of them says since when, whether, or how much."""


class Told(NamedTuple):
    """A fact of a case, or an entry of its lists, and the sentence that a model made of it.

    Args:
        fact: the fact; of an entry its place, and all that it says of its name in words. attribute: the name, as given to the model.
        sentence: "" where it may not be seeded, for `why`. entry: None for a fact that stands alone.
    """

    fact: Fact
    attribute: str
    sentence: str
    why: str
    entry: Entry | None = None


def asked(run: RunView, options: GroundingOptions, seed: int) -> Iterator[tuple[str, Request]]:
    """Yield what is asked of a verbaliser: one fact, or one entry of a list, of one case each, at most `MOST`, spread over the cases.

    Args:
        run: its cases. options: prompts. seed: of the draw and of the calls.

    Returns:
        Pairs of a name, `case id` and path of the fact, and the request.
    """
    template = prompt(options, "verbalise")
    for name, fact, attribute, _ in _chosen(run, seed):
        said = _said(fact)
        fields = {"whose": WHOSE, "attribute": attribute, "value": said}
        text = fill(template, {key: neutralise(value) for key, value in fields.items()})
        yield (
            f"{name}\n{fact.path}",
            Request(messages=(Message.of("user", text),), max_tokens=MOST_TOKENS, seed=seed),
        )


def spoken(run: RunView, replies: Mapping[str, str], seed: int) -> dict[str, list[Told]]:
    """Return case id -> facts with their sentences, refused ones with why.

    Args:
        run: its cases. replies: name of `asked` -> what the model said; a missing one is refused. seed: as in `asked`.
    """
    found: dict[str, list[Told]] = {}
    for name, fact, attribute, entry in _chosen(run, seed) if replies else ():
        key = f"{name}\n{fact.path}"
        sentence, why = accepted(replies[key], attribute, _said(fact)) if key in replies else ("", "no reply")
        if sentence and entry is not None and (more := _more(sentence, attribute, _said(fact))):
            sentence, why = "", f"it says more than the entry: {more}"
        found.setdefault(name, []).append(Told(fact, attribute, sentence, why, entry))
    return found


_Chosen = tuple[str, Fact, str, Entry | None]


def _chosen(run: RunView, seed: int) -> Iterator[_Chosen]:
    held: list[list[_Chosen]] = []
    for case in run.cases():
        packet = reading(case).packet
        lists = listed(packet)
        names = Counter(named(fact, packet.layers) for fact in packet.facts)
        facts: list[_Chosen] = [
            (case.id, f, named(f, packet.layers), None)
            for f in lists.plain
            if _fits(f, packet) and names[named(f, packet.layers)] == 1
        ]  # of two facts of one name a sentence doesn't say which
        facts += [(case.id, *whole) for entry in lists.entries if (whole := _whole(entry)) is not None]
        order = seeds.generator(seed, "verbalised", case.id).permutation(len(facts))
        held.append([facts[int(i)] for i in order])
    n = 0
    for turn in range(max(map(len, held), default=0)):
        for one in held:
            if turn < len(one) and n < MOST:
                n += 1
                yield one[turn]


def _whole(entry: Entry) -> tuple[Fact, str, Entry] | None:
    """Return an entry as a fact of all that it says of its name, and that name; None where it says nothing or too much."""
    said = posed(entry)
    if said is None or len(said[1]) > LONGEST_ENTRY:
        return None
    return Fact(path=entry.key, value=said[1]), said[0], entry


def _fits(fact: Fact, packet: Packet) -> bool:
    """Whether a fact stands alone in a sentence: a recorded value, whose name says no number."""
    value: Any = fact.value
    plain = value is not None and not isinstance(value, bool) and "\n" not in str(value)
    listed = any(part.isdigit() for part in fact.path.split("."))
    return plain and not listed and len(_said(fact)) <= LONGEST_VALUE and bool(named(fact, packet.layers))


def _said(fact: Fact) -> str:
    return f"{in_words(fact.value)} {fact.unit}".strip()


def accepted(reply: str, attribute: str, value: str) -> tuple[str, str]:
    """Return the first sentence of a reply and "" where it may be seeded, else "" and why not.

    Args:
        reply: of the model. attribute, value: as given to it, the value with its unit.

    >>> accepted("The purity ihc is 0.61.", "purity ihc", "0.61")
    ('The purity ihc is 0.61.', '')
    >>> accepted("The purity ihc is 61%.", "purity ihc", "0.61")
    ('', 'the value is not in it as given')
    """
    text = reply.strip().strip("\"'“”*` ")
    spans = split(text)
    sentence = text[spans[0][0] : spans[0][1]].strip("\"'“”*` ") if spans else ""
    if not sentence:
        return "", "no sentence"
    why = refusal(sentence, attribute, value)
    return ("", why) if why else (sentence if sentence[-1] in ".!" else f"{sentence}.", "")


def refusal(sentence: str, attribute: str, value: str) -> str:
    """Return why a sentence may not stand for a fact; "" where it may.

    Args:
        sentence: one. attribute, value: as in `accepted`.
    """
    where = _value(value)
    if len(where.findall(sentence)) != 1:
        return "the value is not in it as given"
    rest = where.sub(" ", sentence)
    name = _name(attribute)
    if not name.search(rest):
        return "the attribute is not in it as given"
    rest = name.sub(" ", rest)
    reasons = {
        "another number": _DIGIT,
        "it denies or bounds": OPEN,
        "it is not said as certain": _LIKELY,
        "it says more than the fact": _ON,
    }
    return next((why for why, pattern in reasons.items() if pattern.search(rest)), "")


def _more(sentence: str, attribute: str, value: str) -> str:
    """Return a word of a sentence that an entry's name and value don't have, and that is none of those that say nothing; "" where there is none."""
    rest = _value(value).sub(" ", sentence)
    rest = _name(attribute).sub(" ", rest)
    words = re.findall(r"[^\W_]+(?:['’][^\W_]+)?", rest.casefold())
    return next((word for word in words if word not in _AROUND), "")


def _name(attribute: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(attribute)}(?!\w)", re.IGNORECASE)


def _value(value: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.,/-]){re.escape(value)}(?!\w|[.,/-]\d|-\w)")


def twin(told: Told, other: object) -> str:
    """Return a sentence with its value replaced by another.

    Args:
        told: with a sentence. other: value of the same attribute of another case.
    """
    new = f"{in_words(other)} {told.fact.unit}".strip()
    return _value(_said(told.fact)).sub(lambda _: new, told.sentence)


def twin_of(told: Told, changed: Entry) -> str:
    """Return a sentence of an entry with what was changed put in place; "" where the changed entry can't be said with its words.

    Args:
        told: with a sentence. changed: its entry, one field changed.
    """
    new = posed(changed)
    if new is None:
        return ""
    parts = _value(_said(told.fact)).split(told.sentence)
    return new[1].join(_name(told.attribute).sub(lambda _: new[0], part) for part in parts)
