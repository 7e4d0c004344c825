"""The item: one at a time, saved before it says so, undone, resumed."""

from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from percuss.study.answers import Given, read_answer
from percuss.study.lifecycle import JUDGING
from percuss.study.portal.views import case as page_of_case
from percuss.study.portal.views.shown import letters_of, screen, text_length, told
from percuss.study.portal.visit import Visit
from percuss.study.store import work
from percuss.study.store.database import Asked
from percuss.study.store.work import Progress, Slot, Turn

__all__ = ["case", "current", "done", "item", "pause"]

NOT_YOURS = "This item is not on your list, or its turn has not come."


def _closed(visit: Visit) -> Response | None:
    """Return the page that says so where nobody can judge at the moment."""
    if visit.state in JUDGING:
        return None
    words = {
        "draft": "This study has not begun yet.",
        "paused": "This study is paused for the moment. Everything that was saved is kept.",
    }
    text = words.get(visit.state, "Thank you for your work. Everything that was saved is kept.")
    title = "Not open now" if visit.state in words else "This study is closed"
    return visit.page("sorry.html", title=title, text=text)


def current(visit: Visit) -> Response:
    """Show the next item, a break, or the end."""
    if (closed := _closed(visit)) is not None:
        return closed
    if visit.me.practised < len(visit.study.design.practice):
        return visit.go("/guide")
    return _next(visit)


def _next(visit: Visit, turn: Turn | None = None) -> Response:
    if turn is None:
        with visit.study.database.peek() as connection:
            turn = work.turn(connection, visit.me.code)
    if turn is None:
        return done(visit)
    if visit.study.settings.page_by:
        return page_of_case.show(visit, page_of_case.siblings(visit, turn.slot), progress=turn.progress)
    visit.gate.turns[visit.me.code] = turn.slot
    return _page(visit, turn.slot, turn=turn)


def case(visit: Visit) -> Response:
    """Show all statements of a case that are on one's list, or save those that were answered."""
    if (closed := _closed(visit)) is not None:
        return closed
    slots = _case(visit)
    if visit.me.practised < len(visit.study.design.practice):
        return visit.go("/guide")
    if visit.method == "GET":
        return page_of_case.show(visit, slots)
    before = sum(slot.given is None for slot in slots)
    outcome = page_of_case.save(visit, slots)
    with visit.study.database.peek() as connection:
        progress = work.progress(connection, visit.me.code)
    if outcome.problems or outcome.saved < before:
        return page_of_case.show(visit, _case(visit), outcome=outcome, progress=progress)
    if before and _break_is_due(visit, progress, since=outcome.saved):
        return visit.show(_break, "/pause")
    return visit.show(_next, "/work")


def _case(visit: Visit) -> list[Slot]:
    with visit.study.database.peek() as connection:
        slot = work.slot_of(connection, visit.me.code, visit.path["token"])
        upcoming = work.next_slot(connection, visit.me.code)
    slots = page_of_case.siblings(visit, slot) if slot and visit.study.settings.page_by else []
    if not slots or (upcoming is not None and slots[0].ordinal > upcoming.ordinal):
        raise HTTPException(404, NOT_YOURS)
    return slots


def item(visit: Visit) -> Response:
    """Show an item of one's own list, or save the answer to it."""
    if (closed := _closed(visit)) is not None:
        return closed
    if visit.me.practised < len(visit.study.design.practice):
        _place(visit)  # an item that is not theirs is said to be none
        return visit.go("/guide")
    if visit.study.settings.page_by:
        return visit.go(f"/case/{visit.path['token']}")
    if visit.method == "GET":
        return _page(visit, _place(visit))
    served = visit.gate.turns.get(visit.me.code)  # what they were shown last, and mostly what they answer now
    if served is not None and served.token == visit.path["token"]:
        return _save(visit, served)
    return _save(visit, _place(visit))


def _place(visit: Visit) -> Slot:
    """Return the place of one's list that the address names.

    Raises:
        HTTPException: it is nobody's or another one's, or an earlier one is still open.
    """
    with visit.study.database.peek() as connection:
        slot, early = work.place_of(connection, visit.me.code, visit.path["token"])
    if slot is None or (early and slot.given is None):
        raise HTTPException(404, NOT_YOURS)
    return slot


def _save(visit: Visit, slot: Slot) -> Response:
    design = visit.study.design
    shown = visit.study.held_item(slot.item).shown
    letters = letters_of(design, shown, slot.token)
    given, problems = read_answer(design, visit.form, letters=letters, length=text_length(design, shown))
    if problems:
        return _page(visit, slot, problems=told(visit, problems), given=given, status=422)
    code, token = visit.me.code, slot.token
    try:
        visit.study.database.write(
            lambda c: work.save_label(c, code, token, given, reason="changed by the rater"),
            asked=Asked(work.slots_by_token, token),
        )
    except work.Locked as error:
        return _page(visit, slot, problems=(visit.why(error),), status=409)
    except work.NotListed:  # it was given to somebody else since it was shown
        visit.gate.turns.pop(code, None)
        raise HTTPException(404, NOT_YOURS) from None
    with visit.study.database.peek() as connection:
        turn = work.turn(connection, code)
    if turn is not None and slot.given is None and _break_is_due(visit, turn.progress):
        return visit.show(_break, "/pause")
    return visit.show(lambda v: done(v) if turn is None else _next(v, turn), "/work")


def _break_is_due(visit: Visit, progress: Progress, since: int = 1) -> bool:
    """Return whether a stretch ended with the last `since` answers."""
    every = visit.study.settings.break_every
    passed = every > 0 and progress.done // every > (progress.done - since) // every
    return passed and progress.done < progress.total


def _page(
    visit: Visit,
    slot: Slot,
    *,
    problems: tuple[str, ...] = (),
    given: Given | None = None,
    status: int = 200,
    turn: Turn | None = None,
) -> Response:
    shown = visit.study.held_item(slot.item).shown
    if turn is not None:
        progress, back = turn.progress, turn.back
    else:
        with visit.study.database.peek() as connection:
            progress = work.progress(connection, visit.me.code)
            before = work.last_saved(connection, visit.me.code, slot.ordinal)
        back = before.token if before else ""
    if status == 200:
        visit.note(visit.me.code, "viewed", slot.token)
    return visit.page(
        "item.html",
        status=status,
        action=visit.url(f"/work/{slot.token}"),
        problems=problems,
        progress=progress,
        place=slot.ordinal + 1,
        saved=slot.given is not None,
        back=visit.url(f"/work/{back}") if back else "",
        **_screen(visit, slot, shown, given),
    )


def _screen(visit: Visit, slot: Slot, shown: dict[str, Any], given: Given | None) -> dict[str, Any]:
    pictures = visit.url(f"/picture/{slot.token}")
    return screen(visit, shown, token=slot.token, pictures=pictures, given=given or slot.given)


def pause(visit: Visit) -> Response:
    """Show the break page, asked for."""
    return _pause(visit, due=False)


def _break(visit: Visit) -> Response:
    return _pause(visit, due=True)


def _pause(visit: Visit, *, due: bool) -> Response:
    with visit.study.database.peek() as connection:
        progress = work.progress(connection, visit.me.code)
    return visit.page("pause.html", due=due, progress=progress)


def done(visit: Visit) -> Response:
    """Thank, and show a rater their own consistency and minutes; nobody else's."""
    design, code = visit.study.design, visit.me.code
    with visit.study.database.peek() as connection:
        progress = work.progress(connection, code)
        mine = work.labelled(connection, rater=code)
        last = work.last_saved(connection, code, progress.total)
    if progress.done < progress.total:
        return visit.go("/work")
    first = {label.item: label.given for label in mine if not label.again}
    repeats = [(first[label.item], label.given) for label in mine if label.again and label.item in first]
    name = design.primary.name
    same = sum(one.answer.get(name) == two.answer.get(name) and one.cant == two.cant for one, two in repeats)
    return visit.page(
        "done.html",
        progress=progress,
        same=same,
        repeats=len(repeats),
        minutes=round(sum(label.given.active_ms for label in mine) / 60_000),
        back=visit.url(f"/work/{last.token}") if last else "",
    )
