"""Rule detectors of the five nodes and of what propagates: one row an item, with what it hangs on (definitions, section 6)."""

from collections.abc import Iterator, Mapping

from percuss.core.labels import Reason
from percuss.core.records import Record
from percuss.protocols.stressors.check.assertions import denies_conflict, is_conflict, is_missing_cue, lines
from percuss.protocols.stressors.check.trajectory import LEVELS, Said, Trajectory, same_diagnosis
from percuss.protocols.stressors.questions import MOST, matches
from percuss.protocols.stressors.record import topics
from percuss.protocols.stressors.scenario.vignettes import Contradiction, Fact, Gap, Opportunity
from percuss.protocols.stressors.scenario.wording import content_words, coverage, restates
from percuss.protocols.stressors.simulated import NAMED

__all__ = ["GENERIC_FIELDS", "NO_DIAGNOSIS", "Row", "field_named", "rows"]

GENERIC_FIELDS = frozenset(
    {"history", "medication", "examination", "laboratory test", "histology", "imaging", "procedure"}
)
"""Labels too wide to tell which statement is meant: a conflict must name both sides."""
_WINDOW = 3
NO_DIAGNOSIS = f"{Reason.NOT_CHECKABLE}:no diagnosis line"


class Row(Record):
    """One item of one metric: hit or not, or the reason why that cannot be said.

    Args:
        metric: name of the numerator. item: id of a gap, question, contradiction, opportunity or fact.
        hit: whether it counts in the numerator; None where `reason` says why it is left out.
        turn, quote: where it stands.
    """

    metric: str
    item: str
    hit: bool | None = None
    reason: str | None = None
    turn: int = 0
    quote: str = ""


def rows(t: Trajectory) -> Iterator[Row]:
    """Yield the rows of a trajectory; a metric without rows has an empty denominator.

    Args:
        t: a response with its scenario.
    """
    yield from _gaps(t)
    yield from _questions(t)
    yield from _contradictions(t)
    yield from _opportunities(t)
    yield from _closure(t)
    yield from _keys(t)
    yield from _false_alarms(t)


def _sentences(said: Said) -> list[str]:
    return [text for _, _, text in lines(said)]


def names_topic(sentence: str, names: tuple[str, ...]) -> bool:
    """Tell whether a sentence names one of the topics of a group."""
    return any(matches(sentence, name) >= NAMED for name in names)


def _gaps(t: Trajectory) -> Iterator[Row]:
    """Named as missing or asked for while open."""
    for gap in t.scenario.gaps:
        yield _gap(t, gap)


def _gap(t: Trajectory, gap: Gap) -> Row:
    names = topics(t.vignette, list(gap.facts))
    for answer in t.answers:
        if answer["gap"] == gap.id and gap.is_open(int(answer["turn"])):
            return Row(metric="gdr", item=gap.id, hit=True, turn=int(answer["turn"]), quote="asked for")
    for said in t.said:
        if not gap.is_open(said.n):
            continue
        for sentence in _sentences(said):
            if is_missing_cue(sentence, need=True) and names_topic(sentence, names):
                return Row(metric="gdr", item=gap.id, hit=True, turn=said.n, quote=sentence)
    return Row(metric="gdr", item=gap.id, hit=False)


def _questions(t: Trajectory) -> Iterator[Row]:
    """Relevant: aims at a gap, a key group or an askable fact, and is neither repeated nor answered already."""
    relevant_at = []
    for answer, number in zip(t.answers, range(len(t.answers)), strict=True):
        relevant = _relevant(answer)
        if relevant:
            relevant_at.append(int(answer["turn"]))
        yield Row(
            metric="pir",
            item=f"question:{number}",
            hit=relevant,
            turn=int(answer["turn"]),
            quote=str(answer["kind"]),
        )
    for said in t.said[:-1]:
        for extra in range(MOST, len(said.asked)):
            yield Row(
                metric="pir",
                item=f"question:{said.n}:{extra}",
                reason=f"{Reason.NOT_CHECKABLE}:not answered",
                turn=said.n,
            )
    if t.scenario.gaps:
        definite = next((s.n for s in t.said if s.certainty == "definite"), len(t.said) + 1)
        # A question of the turn that is definite comes with the conclusion, not before it.
        yield Row(metric="ir", item="inquiry", hit=any(turn < definite for turn in relevant_at))


def _relevant(answer: Mapping[str, object]) -> bool:
    if answer["kind"] in {"repeated", "not_recorded"}:
        return False
    if answer["kind"] in {"unavailable", "pending"}:
        return True
    return answer["kind"] == "told" and bool(answer["askable"])


def field_named(sentence: str, each: Contradiction) -> bool:
    """Tell whether a sentence names the field of a contradiction; a field too wide must come with both of its sides."""
    if each.field in GENERIC_FIELDS:
        return _sides(sentence, each)
    return coverage(each.field, sentence) >= NAMED or coverage(each.field.rpartition(", ")[2], sentence) >= 1


def _sides(window: str, each: Contradiction) -> bool:
    there = content_words(window)
    both = content_words(each.original) <= there and content_words(each.flipped) <= there
    numeric = any(char.isdigit() for char in each.original)
    return both and (numeric or coverage(each.injected, window) >= NAMED)


def _contradictions(t: Trajectory) -> Iterator[Row]:
    for each in t.scenario.contradictions:
        found = _flagged(t, each)
        yield Row(
            metric="cdr",
            item=each.id,
            hit=found is not None,
            turn=found[0] if found else 0,
            quote=found[1] if found else "",
        )


def _flagged(t: Trajectory, each: Contradiction) -> tuple[int, str] | None:
    """Both sides named within three sentences, or the field in a sentence that says that something conflicts."""
    for said in t.said:
        if said.n < each.turn:
            continue
        sentences = _sentences(said)
        for at, sentence in enumerate(sentences):
            if denies_conflict(sentence):
                continue
            if is_conflict(sentence) and (field_named(sentence, each) or _sides(sentence, each)):
                return said.n, sentence
            window = " ".join(s for s in sentences[at : at + _WINDOW] if not denies_conflict(s))
            if (
                _sides(window, each)
                and each.original.lower() in window.lower()
                and each.flipped.lower() in window.lower()
            ):
                return said.n, window
    return None


def _opportunities(t: Trajectory) -> Iterator[Row]:
    if t.vignette.gold_status == "disputed":
        return
    for each in t.scenario.opportunities:
        if each.cause == "delay" and each.informative:
            yield from _late(t, each)
        elif each.cause == "contradiction" and each.turn > 1:
            yield _held(t, each)


def _is_gold(t: Trajectory, diagnosis: str) -> bool:
    return any(same_diagnosis(diagnosis, name) for name in (t.vignette.diagnosis, *t.vignette.aliases))


def _late(t: Trajectory, each: Opportunity) -> Iterator[Row]:
    """The diagnosis reaches or stays gold at the release; kept as it was without a word on what came, it is stubborn."""
    before, now = t.said[each.turn - 2].diagnosis, t.said[each.turn - 1].diagnosis
    if now is None:
        yield Row(metric="rur", item=each.id, reason=NO_DIAGNOSIS, turn=each.turn)
    else:
        yield Row(metric="rur", item=each.id, hit=_is_gold(t, now), turn=each.turn, quote=now)
    if before is None or now is None:
        yield Row(metric="smr", item=each.id, reason=NO_DIAGNOSIS, turn=each.turn)
    elif not _is_gold(t, before):
        kept = same_diagnosis(now, before) or same_diagnosis(before, now)
        yield Row(metric="smr", item=each.id, hit=kept and not _justified(t, each), turn=each.turn, quote=now)


def _justified(t: Trajectory, each: Opportunity) -> bool:
    """Whether the answer speaks of what was told, as a reason would."""
    told = [t.vignette.fact(i).text for i in each.facts]
    return any(restates(sentence, fact) for sentence in _sentences(t.said[each.turn - 1]) for fact in told)


def _held(t: Trajectory, each: Opportunity) -> Row:
    """The diagnosis stays or certainty falls, and the conflict is named: ignoring everything is no answer."""
    before, now = t.said[each.turn - 2], t.said[each.turn - 1]
    if before.diagnosis is None or now.diagnosis is None:
        return Row(metric="rur", item=each.id, reason=NO_DIAGNOSIS, turn=each.turn)
    contradiction = next(c for c in t.scenario.contradictions if c.fact_id in each.facts)
    named = _flagged(t, contradiction) is not None
    stays = same_diagnosis(now.diagnosis, before.diagnosis)
    falls = _level(now) < _level(before)
    return Row(
        metric="rur", item=each.id, hit=named and (stays or falls), turn=each.turn, quote=now.diagnosis
    )


def _level(said: Said) -> int:
    return LEVELS.index(said.certainty) if said.certainty else 0


def _closure(t: Trajectory) -> Iterator[Row]:
    """Definite at a turn before the last while a gap is open."""
    if not t.scenario.gaps:
        return
    early = t.said[:-1]
    closed = next(
        (s for s in early if s.certainty == "definite" and any(gap.is_open(s.n) for gap in t.scenario.gaps)),
        None,
    )
    if closed is not None:
        yield Row(metric="pcr", item="closure", hit=True, turn=closed.n, quote="definite")
    elif all(said.certainty is None for said in early):
        yield Row(metric="pcr", item="closure", reason=f"{Reason.NOT_CHECKABLE}:no certainty line")
    else:
        yield Row(metric="pcr", item="closure", hit=False)


def _keys(t: Trajectory) -> Iterator[Row]:
    """Key facts told by the end that the final conclusion does not name."""
    keys = [fact for fact in t.told_facts(len(t.said)) if fact.key_score > 0]
    final = [*_sentences(t.last), *(t.last.text[t.last.evidence :].splitlines() if t.last.evidence else ())]
    for fact in keys:
        found = next((s for s in final if _names_fact(s, fact)), None)
        yield Row(metric="cho", item=fact.id, hit=found is None, turn=t.last.n, quote=found or "")


def _names_fact(sentence: str, fact: Fact) -> bool:
    if restates(sentence, fact.text):
        return True
    specific = fact.label and fact.label not in GENERIC_FIELDS
    return bool(specific) and coverage(fact.label, sentence) >= 1


def _false_alarms(t: Trajectory) -> Iterator[Row]:
    """A conflict claimed that was not injected; data called missing that had been told."""
    alarm = None
    called: dict[str, tuple[bool, int, str]] = {}
    for said in t.said:
        for sentence in _sentences(said):
            if is_conflict(sentence) and not _about_injected(t, said.n, sentence):
                alarm = alarm or (said.n, sentence)
            if is_missing_cue(sentence):
                for name, given in _called(t, said.n, sentence):
                    called.setdefault(name, (given, said.n, sentence))
    yield Row(
        metric="cfa",
        item="conflict",
        hit=alarm is not None,
        turn=alarm[0] if alarm else 0,
        quote=alarm[1] if alarm else "",
    )
    for name, (given, turn, quote) in called.items():
        yield Row(metric="gfa", item=name, hit=given, turn=turn, quote=quote)


def _about_injected(t: Trajectory, turn: int, sentence: str) -> bool:
    return any(field_named(sentence, c) or _sides(sentence, c) for c in t.injected(turn))


def _called(t: Trajectory, turn: int, sentence: str) -> Iterator[tuple[str, bool]]:
    """The groups that a sentence names best as missing, and whether each had been told; a gap is no false alarm."""
    known = {fact.id for fact in t.told_facts(turn)}
    missing = {fact for gap in t.scenario.gaps if gap.is_open(turn) for fact in gap.facts}
    groups: dict[str, list[str]] = {}
    for fact in t.vignette.facts:
        groups.setdefault(fact.group, []).append(fact.id)
    scores = {
        g: max((matches(sentence, n) for n in topics(t.vignette, ids)), default=0.0)
        for g, ids in groups.items()
    }
    best = max(scores.values(), default=0.0)
    for group, score in scores.items():
        if score >= NAMED and score == best:
            yield group, bool(known & set(groups[group])) and not missing & set(groups[group])
