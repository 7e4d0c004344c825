"""How to judge, and a few items to try it on with the reference answer shown afterwards."""

from statistics import mean
from typing import Any

import msgspec
from sqlalchemy import Connection
from starlette.responses import Response

from percuss.study.answers import Given, read_answer, same_spans
from percuss.study.design import Design, Practice, Question
from percuss.study.items import formed
from percuss.study.plain import whole
from percuss.study.portal.record import Piece, linked, read_record
from percuss.study.portal.views.shown import letters_of, said, screen, text_length, told
from percuss.study.portal.views.work import current
from percuss.study.portal.visit import Visit
from percuss.study.portal.words import Words
from percuss.study.saying import Said
from percuss.study.store import people

__all__ = ["guide", "practise"]


def guide(visit: Visit) -> Response:
    """Show the anchors with their examples; it can be printed."""
    design = visit.study.design
    return visit.page(
        "guide.html",
        questions=design.settled if visit.me.role == "adjudicator" else design.question,
        practised=visit.me.role != "rater" or visit.me.practised >= len(design.practice),
    )


def practice_of(visit: Visit, number: int) -> Practice:
    """Return a practice item in the reader's language; marks are put where the marked words stand in it."""
    design, practice, t = visit.study.design, visit.study.design.practice[number], visit.t
    pictures = {field.name for field in design.field if field.kind == "image"}
    shown = {
        name: value if name in pictures else _in_language(t, value) for name, value in practice.shown.items()
    }
    answer = dict(practice.answer)
    marked = design.marked_field or ""
    for question in design.question:
        if question.kind == "spans":
            before, after = str(practice.shown[marked]), str(shown[marked])
            answer[question.name] = [_moved(t, mark, before, after) for mark in answer[question.name]]
    return Practice(shown=shown, answer=answer, why=practice.why)


def _in_language(t: Words, value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _in_language(t, inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_in_language(t, inner) for inner in value]
    return t.plain(value) if isinstance(value, str) else value


def _moved(t: Words, mark: dict[str, Any], before: str, after: str) -> dict[str, Any]:
    words = t.plain(before[mark["start"] : mark["stop"]])
    start = max(0, after.find(words))
    return {**mark, "start": start, "stop": min(len(after), start + len(words))}


def _shown(design: Design, practice: Practice) -> dict[str, Any]:
    shown = formed(design, practice.shown)
    pictures = 0
    for field in design.field:
        if field.kind == "image" and field.name in shown:
            shown[field.name] = [{"n": pictures, "caption": ""}]
            pictures += 1
    return shown


def practise(visit: Visit) -> Response:
    """Show the next practice item, or what the reference says of the one just answered."""
    design = visit.study.design
    number = visit.me.practised
    if visit.method == "POST":
        number = min(whole(visit.field("step"), number), number)
    if number >= len(design.practice):
        return visit.show(current, "/work") if visit.method == "POST" else visit.go("/work")
    practice = practice_of(visit, number)
    shown = _shown(design, practice)
    token = f"practice-{number}"
    letters = letters_of(design, shown, token)
    problems: tuple[Said, ...] = ()
    given = None
    if visit.method == "POST":
        given, problems = read_answer(design, visit.form, letters=letters, length=text_length(design, shown))
        if not problems:
            rows = _rows(visit, number, shown, given)
            return _feedback(visit, number, shown, given, rows, again=_kept(visit, number, given, rows))
    pictures = visit.url(f"/practice/picture/{number}")
    return visit.page(
        "practice.html",
        status=422 if problems else 200,
        number=number,
        total=len(design.practice),
        action=visit.url("/practice"),
        problems=told(visit, problems),
        **screen(visit, shown, token=token, pictures=pictures, given=given),
    )


def _kept(visit: Visit, number: int, given: Given, rows: list[dict[str, Any]]) -> bool:
    """Keep a practice answer and how much of it fitted; return whether practice begins again for want of the pass mark."""
    code, total = visit.me.code, len(visit.study.design.practice)
    done = max(visit.me.practised, number + 1)
    value = {**msgspec.to_builtins(given), "fits": mean(bool(row["fits"]) for row in rows) if rows else 1.0}
    mark = visit.study.settings.pass_mark

    def write(connection: Connection) -> bool:
        people.set_practised(connection, code, done, value)
        if done < total or number + 1 < total or mark <= 0:
            return False
        if mean(people.practice_fits(connection, code, total)) >= mark:
            return False
        people.set_practised(connection, code, 0, {"again": True})
        return True

    return visit.study.database.write(write)


def _rows(visit: Visit, number: int, shown: dict[str, Any], given: Given) -> list[dict[str, Any]]:
    """Return question by question what somebody said, what the reference says, and whether that fits."""
    design = visit.study.design
    practice = practice_of(visit, number)
    letters = letters_of(design, shown, f"practice-{number}")
    text = str(shown.get(design.marked_field or "", ""))
    rows = []
    for question in design.question:
        reference = practice.answer.get(question.name)
        mine = given.answer.get(question.name)
        if reference is None and mine is None:
            continue
        both = [
            "; ".join(
                f"{left}: {right}" if question.kind == "spans" else right
                for left, right in said(visit, one, letters, text, [question])
            )
            for one in (given, type(given)(answer=practice.answer))
        ]
        rows.append(
            {
                "ask": visit.t(question.ask),
                "mine": both[0] or "—",
                "reference": both[1] or "—",
                "fits": _fits(question, mine, reference),
                "same": both[0] == both[1],
            }
        )
    return rows


def _feedback(
    visit: Visit, number: int, shown: dict[str, Any], given: Given, rows: list[dict[str, Any]], *, again: bool
) -> Response:
    design = visit.study.design
    pictures = visit.url(f"/practice/picture/{number}")
    return visit.page(
        "feedback.html",
        number=number,
        total=len(design.practice),
        rows=rows,
        why=design.practice[number].why,
        again=again,
        pieces=_pieces(visit, shown),
        more=again or number + 1 < len(design.practice),
        **screen(visit, shown, token=f"practice-{number}", pictures=pictures, given=given),
    )


def _pieces(visit: Visit, shown: dict[str, Any]) -> tuple[Piece, ...]:
    """Return the claim with its numbers tied to their cells of the record; here alone, after the answer."""
    facts = [f.name for f in visit.study.design.field if f.kind == "facts" and f.name in shown]
    if len(facts) != 1 or "claim" not in shown:
        return ()
    return linked(str(shown["claim"]), read_record(shown[facts[0]], visit.t).cells)


PRACTISED_SPAN = 0.7
"""Overlap from which on a practice mark is as good as ours: half of a statement can't be checked on its own."""


def _fits(question: Question, mine: Any, reference: Any) -> bool:
    """Return whether an answer is as good as the reference: on a scale, one step beside it is."""
    if question.kind == "spans" and mine is not None and reference is not None:
        return len(mine) == len(reference) == same_spans(mine, reference, PRACTISED_SPAN)
    if question.kind == "scale" and mine is not None and reference is not None:
        return abs(int(mine) - int(reference)) <= 1
    return bool(mine == reference)
