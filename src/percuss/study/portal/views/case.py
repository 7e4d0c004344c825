"""All statements of one case on one page: the record beside them, each saved as a label of its own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup
from sqlalchemy import Connection
from starlette.responses import Response

from percuss.study.answers import Given, read_answer
from percuss.study.items import group_of
from percuss.study.portal.views.shown import screen, told
from percuss.study.portal.visit import Visit
from percuss.study.store import work
from percuss.study.store.work import Progress, Slot

__all__ = ["Outcome", "save", "show", "siblings"]


@dataclass
class Outcome:
    """What came of a submitted page.

    Args:
        saved: statements that are now saved for the first time. given: token -> what was typed and could not be saved.
        problems: token -> what is wrong with it, in the reader's language.
    """

    saved: int = 0
    given: dict[str, Given] = field(default_factory=dict)
    problems: dict[str, tuple[str, ...]] = field(default_factory=dict)


def siblings(visit: Visit, slot: Slot) -> list[Slot]:
    """Return the places of a rater's list that stand on one page with a place: the same case, at the same turn."""
    name = visit.study.settings.page_by
    with visit.study.database.peek() as connection:
        listed = work.slots_of(connection, slot.rater)
        cases = {one.token: group_of(visit.study.item(connection, one.item), name) for one in listed}

    def belongs(one: Slot) -> bool:
        return one.again == slot.again and cases[one.token] == cases[slot.token]

    first = last = next(n for n, one in enumerate(listed) if one.token == slot.token)
    while first > 0 and belongs(listed[first - 1]):
        first -= 1
    while last + 1 < len(listed) and belongs(listed[last + 1]):
        last += 1
    return list(listed[first : last + 1])


def save(visit: Visit, slots: Sequence[Slot]) -> Outcome:
    """Save every statement that was answered, all in one transaction; what is open or wrong stays on the page."""
    design = visit.study.design
    outcome = Outcome()
    ready: list[tuple[Slot, Given]] = []
    for slot in slots:
        form = _of(visit.form, f"{slot.token}:")
        given, problems = read_answer(design, form, letters={})
        if not _answered(form):
            outcome.given[slot.token] = slot.given or Given(notes=given.notes, active_ms=given.active_ms)
        elif problems:
            outcome.given[slot.token], outcome.problems[slot.token] = given, told(visit, problems)
        else:
            ready.append((slot, given))
    code = visit.me.code

    def write(connection: Connection) -> None:
        for slot, given in ready:
            reason = "changed by the rater" if slot.given is not None else ""
            try:
                work.save_label(connection, code, slot.token, given, reason=reason)
            except work.Locked as error:
                outcome.problems[slot.token] = (visit.why(error),)

    visit.study.database.write(write)
    outcome.saved = sum(slot.given is None and slot.token not in outcome.problems for slot, _ in ready)
    return outcome


def _of(form: Mapping[str, list[str]], prefix: str) -> dict[str, list[str]]:
    return {name.removeprefix(prefix): values for name, values in form.items() if name.startswith(prefix)}


def _answered(form: Mapping[str, list[str]]) -> bool:
    return any(any(values) for name, values in form.items() if name.startswith("q.") or name == "cant")


def show(
    visit: Visit, slots: Sequence[Slot], *, outcome: Outcome | None = None, progress: Progress | None = None
) -> Response:
    """Show the statements of a case.

    Args:
        visit: of the rater. slots: their places on the list.
        outcome: of the page that was submitted; None where it is shown for the first time.
        progress: how far the rater is, where it is at hand.
    """
    with visit.study.database.peek() as connection:
        items = {slot.token: visit.study.item(connection, slot.item) for slot in slots}
        progress = progress or work.progress(connection, visit.me.code)
        back = work.last_saved(connection, visit.me.code, slots[0].ordinal)
    outcome = outcome or Outcome()
    cards = [_card(visit, slot, items[slot.token].shown, outcome) for slot in slots]
    for slot in slots:
        visit.note(visit.me.code, "viewed", slot.token)
    open_ = sum(not card["saved"] for card in cards)
    context = screen(
        visit,
        items[slots[0].token].shown,
        token=slots[0].token,
        pictures=visit.url(f"/picture/{slots[0].token}"),
    )
    return visit.page(
        "case.html",
        action=visit.url(f"/case/{slots[0].token}"),
        cards=cards,
        problems=(),
        said=_said(visit, outcome, open_, len(cards)),
        progress=progress,
        back=visit.url(f"/case/{back.token}") if back else "",
        **context,
    )


def _said(visit: Visit, outcome: Outcome, open_: int, total: int) -> Markup:
    if not (outcome.given or outcome.problems):
        return Markup("")
    text = "Of the {total} statements on this page {saved} are saved; still open: {open}."
    return visit.t(text, total=total, saved=total - open_, open=open_)


def _card(visit: Visit, slot: Slot, shown: dict[str, Any], outcome: Outcome) -> dict[str, Any]:
    given = outcome.given.get(slot.token) or slot.given or Given()
    own = screen(visit, shown, token=slot.token, pictures=visit.url(f"/picture/{slot.token}"))
    return {
        "token": slot.token,
        "given": given,
        "saved": slot.given is not None,
        "problems": outcome.problems.get(slot.token, ()),
        "right": own["right"],
    }
