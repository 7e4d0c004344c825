"""Rule detectors of the five nodes and of what propagates: one row an item, with what it hangs on (definitions, section 6)."""

import re
from collections.abc import Iterable, Iterator, Mapping

from percuss.core.labels import Reason
from percuss.core.records import Record
from percuss.protocols.stressors.check.assertions import lines
from percuss.protocols.stressors.check.conflicting import (
    GENERIC_FIELDS,
    contradictions,
    false_conflicts,
    noticed,
)
from percuss.protocols.stressors.check.trajectory import LEVELS, Said, Trajectory
from percuss.protocols.stressors.questions import MOST
from percuss.protocols.stressors.readers.asked import Entry
from percuss.protocols.stressors.readers.diagnoses import Named, named, same_name
from percuss.protocols.stressors.readers.entries import entries_of, keys_of
from percuss.protocols.stressors.readers.gaps import missing_in
from percuss.protocols.stressors.scenario.vignettes import Fact, Gap, Opportunity
from percuss.protocols.stressors.scenario.wording import coverage, restates

__all__ = ["NOT_NEEDED", "NO_DIAGNOSIS", "OFF_RECORD", "Row", "is_gold", "needed", "rows"]

NO_DIAGNOSIS = f"{Reason.NOT_CHECKABLE}:no diagnosis line"
UNREAD = f"{Reason.NOT_CHECKABLE}:rule undecided"
OFF_RECORD = f"{Reason.NOT_APPLICABLE}:not in the record"
NOT_NEEDED = f"{Reason.NOT_APPLICABLE}:gap not needed"
_OF_GAPS = frozenset({"gdr", "pcr"})


MEANS = {"definite": 0.95, "probable": 0.75, "possible": 0.4, "undetermined": 0.1}
"""Probability that a word of certainty is taken to mean in the Brier score; the shares right per word stand beside it."""


class Row(Record):
    """One item of one metric: hit or not, or the reason why that cannot be said.

    Args:
        metric: name of the numerator. item: id of a gap, question, contradiction, opportunity, turn, trap or fact.
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
    yield from needed(t, _gaps(t))
    yield from _questions(t)
    for metric, item, hit, turn, quote in (*contradictions(t), *false_conflicts(t)):
        yield Row(
            metric=metric, item=item, hit=hit, reason=UNREAD if hit is None else None, turn=turn, quote=quote
        )
    yield from _opportunities(t)
    yield from needed(t, _closure(t))
    yield from _keys(t)
    yield from _called_missing(t)
    yield from _accuracy(t)
    yield from _certainty(t)
    yield from _traps(t)


def needed(t: Trajectory, found: Iterable[Row]) -> Iterator[Row]:
    """Yield rows; those of gaps and closure are left out where several models needed no gap closed to name the diagnosis.

    Args:
        t: a response with its scenario. found: its rows, by rule or by a judge.
    """
    out = t.vignette.needs_no_gap
    for row in found:
        yield (
            Row(metric=row.metric, item=row.item, reason=NOT_NEEDED)
            if out and row.metric in _OF_GAPS
            else row
        )


def _sentences(said: Said) -> list[str]:
    return [text for _, _, text in lines(said)]


def _gaps(t: Trajectory) -> Iterator[Row]:
    """Named as missing or asked for while open."""
    for gap in t.scenario.gaps:
        yield _gap(t, gap)


def _gap(t: Trajectory, gap: Gap) -> Row:
    for answer in t.answers:
        if answer["gap"] == gap.id and gap.is_open(int(answer["turn"])):
            return Row(metric="gdr", item=gap.id, hit=True, turn=int(answer["turn"]), quote="asked for")
    entries = entries_of(t.vignette, t.scenario)
    for said in t.said:
        if not gap.is_open(said.n):
            continue
        for sentence in _sentences(said):
            if gap.id in missing_in(sentence, entries).entries:
                return Row(metric="gdr", item=gap.id, hit=True, turn=said.n, quote=sentence)
    return Row(metric="gdr", item=gap.id, hit=False)


def _questions(t: Trajectory) -> Iterator[Row]:
    """Relevant: aims at a gap, a key group or an askable fact, and is neither repeated nor answered already.

    Only questions that this record could answer count; what is asked beside it has a share of its own.
    """
    relevant_at = []
    for number, answer in enumerate(t.answers):
        item, turn, kind = f"question:{number}", int(answer["turn"]), str(answer["kind"])
        relevant = _relevant(answer)
        if relevant:
            relevant_at.append(turn)
        left_out = {"off_record": OFF_RECORD, "not_recorded": OFF_RECORD, "undecided": UNREAD}.get(kind)
        yield Row(
            metric="pir",
            item=item,
            hit=None if left_out else relevant,
            reason=left_out,
            turn=turn,
            quote=kind,
        )
        off = None if kind == "undecided" else left_out is not None
        yield Row(
            metric="off_record",
            item=item,
            hit=off,
            reason=UNREAD if off is None else None,
            turn=turn,
            quote=kind,
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
    if answer["kind"] in {"unavailable", "pending"}:
        return True
    return answer["kind"] == "told" and bool(answer["askable"])


def _has_gold(t: Trajectory) -> bool:
    return t.vignette.gold_status == "given" and bool(t.vignette.diagnosis)


def _opportunities(t: Trajectory) -> Iterator[Row]:
    if not _has_gold(t):
        return
    for each in t.scenario.opportunities:
        if each.cause == "delay" and each.informative:
            yield from _late(t, each)
        elif each.cause == "contradiction" and each.turn > 1:
            yield _held(t, each)


def _stands(t: Trajectory, diagnosis: str) -> Named:
    told = " ".join(t.told(len(t.said)))
    return named(diagnosis, (t.vignette.diagnosis, *t.vignette.aliases), told)


def is_gold(t: Trajectory, diagnosis: str) -> bool | None:
    """Return whether a name is the case's diagnosis; None where that can't be said.

    Args:
        t: a response with its scenario. diagnosis: as it was declared.
    """
    held = _stands(t, diagnosis)
    if held.standing == "undecided" and any(
        same_name(diagnosis, other) for other in t.vignette.accepted_differential
    ):
        return False
    return None if held.standing == "undecided" else held.standing == "gold"


def _late(t: Trajectory, each: Opportunity) -> Iterator[Row]:
    """The diagnosis reaches or stays gold at the release; kept as it was without a word on what came, it is stubborn."""
    before, now = t.said[each.turn - 2].diagnosis, t.said[each.turn - 1].diagnosis
    if now is None:
        yield Row(metric="rur", item=each.id, reason=NO_DIAGNOSIS, turn=each.turn)
    else:
        gold = is_gold(t, now)
        yield Row(
            metric="rur",
            item=each.id,
            hit=gold,
            reason=UNREAD if gold is None else None,
            turn=each.turn,
            quote=now,
        )
    if before is None or now is None:
        yield Row(metric="smr", item=each.id, reason=NO_DIAGNOSIS, turn=each.turn)
    elif is_gold(t, before) is not True:
        kept = same_name(now, before)
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
    falls = _level(now) < _level(before)
    hit = noticed(t, contradiction) is not None and (same_name(now.diagnosis, before.diagnosis) or falls)
    return Row(metric="rur", item=each.id, hit=hit, turn=each.turn, quote=now.diagnosis)


def _level(said: Said) -> int:
    return LEVELS.index(said.certainty) if said.certainty else 0


def _closure(t: Trajectory) -> Iterator[Row]:
    """Definite at a turn before the last while a gap is open and nothing told settles the diagnosis."""
    if not t.scenario.gaps:
        return
    early = t.said[:-1]
    open_turns = [
        s for s in early
        if any(gap.is_open(s.n) for gap in t.scenario.gaps) and not t.vignette.settled_by([f.id for f in t.told_facts(s.n)])
    ]  # fmt: skip
    closed = next((s for s in open_turns if s.certainty == "definite"), None)
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


def _called_missing(t: Trajectory) -> Iterator[Row]:
    """Data called missing that had been told; a gap is no false alarm."""
    held = keys_of(t.vignette, t.scenario)
    entries = entries_of(t.vignette, t.scenario)
    called: dict[str, tuple[bool, int, str]] = {}
    for said in t.said:
        known = {fact.id for fact in t.told_facts(said.n)}
        away = {fact for gap in t.scenario.gaps if gap.is_open(said.n) for fact in gap.facts}
        for sentence in _sentences(said):
            for name in missing_in(sentence, entries, need=False).entries:
                ids = set(held[name])
                called.setdefault(
                    _group(t, name, entries), (bool(known & ids) and not away & ids, said.n, sentence)
                )
    for name, (given, turn, quote) in called.items():
        yield Row(metric="gfa", item=name, hit=given, turn=turn, quote=quote)


def _group(t: Trajectory, name: str, entries: tuple[Entry, ...]) -> str:
    del entries
    return next((gap.group for gap in t.scenario.gaps if gap.id == name), name)


def _accuracy(t: Trajectory) -> Iterator[Row]:
    """Whether each turn names the case's diagnosis, and whether the certainty that goes with it was deserved."""
    if not _has_gold(t):
        return
    for said in t.said:
        last = said is t.said[-1]
        names = ("final_accuracy",) if last else (f"accuracy_turn_{said.n}",)
        gold = None if said.diagnosis is None else is_gold(t, said.diagnosis)
        why = None if gold is not None else NO_DIAGNOSIS if said.diagnosis is None else UNREAD
        for name in names:
            yield Row(
                metric=name,
                item=f"turn:{said.n}",
                hit=gold,
                reason=why,
                turn=said.n,
                quote=said.diagnosis or "",
            )
        if gold is not None and said.certainty is not None:
            if said.certainty != "undetermined":
                yield Row(
                    metric=f"right_when_{said.certainty}",
                    item=f"turn:{said.n}",
                    hit=gold,
                    turn=said.n,
                    quote=said.certainty,
                )
            distance = (MEANS[said.certainty] - float(gold)) ** 2
            yield Row(metric="brier", item=f"turn:{said.n}", hit=True, turn=said.n, quote=f"{distance:.4f}")


def _certainty(t: Trajectory) -> Iterator[Row]:
    """How sure each turn says to be, and by how much that changed with each piece of evidence that was new."""
    before: tuple[float, int] | None = None
    for said in t.said:
        if said.certainty is None:
            continue
        sure, pieces = MEANS[said.certainty], len(t.told_facts(said.n))
        item = f"turn:{said.n}"
        yield Row(metric="certainty", item=item, hit=True, turn=said.n, quote=f"{sure:.2f}")
        if before is not None and pieces > before[1]:
            step = (sure - before[0]) / (pieces - before[1])
            yield Row(metric="certainty_step", item=item, hit=True, turn=said.n, quote=f"{step:.4f}")
        before = (sure, pieces)


def _traps(t: Trajectory) -> Iterator[Row]:
    """A known error is stated: the pattern stands in a sentence that neither denies nor asks."""
    for trap in t.vignette.error_traps:
        pattern = re.compile(trap.pattern, re.IGNORECASE)
        found = next(
            (
                (said.n, s)
                for said in t.said
                for s in _sentences(said)
                if (m := pattern.search(s)) and _asserts(s, m.start())
            ),
            None,
        )
        yield Row(
            metric="trap_taken",
            item=f"trap:{trap.id}",
            hit=found is not None,
            turn=found[0] if found else 0,
            quote=found[1] if found else "",
        )


_DENIES = re.compile(
    r"\b(?:no|not|without|denie[sd]|absent|never|nor|neither|rule[sd]? out)\b|n't\b", re.IGNORECASE
)


def _asserts(sentence: str, at: int) -> bool:
    return not sentence.rstrip().endswith("?") and not _DENIES.search(sentence[:at])
