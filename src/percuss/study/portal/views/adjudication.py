"""The adjudicator: two labels as A and B in random order, the evidence, a decision with its reason."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection
from starlette.exceptions import HTTPException
from starlette.responses import Response

from percuss.study.answers import Given, hash_order, read_answer
from percuss.study.blinding import opaque
from percuss.study.portal.views.shown import letters_of, said, screen, text_length, told
from percuss.study.portal.visit import Visit
from percuss.study.status import disagreements
from percuss.study.store import work
from percuss.study.store.settling import CLOSED
from percuss.study.store.work import Agreed, Labelled

__all__ = [
    "MIN_REASON",
    "closed",
    "current",
    "item",
    "item_of",
    "lettered",
    "queue_of",
    "settled_of",
    "settling_page",
    "token_of",
]

MIN_REASON = 3  # characters


def token_of(visit: Visit, number: int) -> str:
    """Return the adjudicator's own opaque id of an item."""
    return opaque(visit.study.secret, "adjudicate", visit.me.code, number)


def item_of(visit: Visit, connection: Connection, token: str) -> int | None:
    """Return the item that an adjudicator's token stands for, None where none."""
    return next((n for n in disagreements(visit.study, connection) if token_of(visit, n) == token), None)


def queue_of(visit: Visit, connection: Connection) -> list[int]:
    """Return the items on which people differ, in the adjudicator's own order."""
    numbers = disagreements(visit.study, connection)
    return sorted(numbers, key=lambda n: token_of(visit, n))


def closed(visit: Visit) -> Response | None:
    """Return the page that says so once the study is locked: it may have been sealed, so nothing is settled any more."""
    if visit.state not in CLOSED:
        return None
    text = "Thank you for your work. Everything that was saved is kept."
    return visit.page("sorry.html", title="This study is closed", text=text)


def current(visit: Visit) -> Response:
    """Show the next disagreement, or that there is none."""
    if (page := closed(visit)) is not None:
        return page
    with visit.study.database.read() as connection:
        queue = queue_of(visit, connection)
        settled = work.agreed(connection)
    waiting = [n for n in queue if n not in settled]
    if not waiting:
        return visit.page("settled.html", settled=len(settled))
    return _page(visit, visit.gate.claims.left_to(visit.me.code, waiting)[0])


def item(visit: Visit) -> Response:
    """Show a disagreement, or save the decision."""
    if (page := closed(visit)) is not None:
        return page
    with visit.study.database.read() as connection:
        number = item_of(visit, connection, visit.path["token"])
    if number is None:
        raise HTTPException(404, "There is no such item to settle.")
    return _page(visit, number) if visit.method == "GET" else _save(visit, number)


def _save(visit: Visit, number: int) -> Response:
    design = visit.study.design
    with visit.study.database.read() as connection:
        shown = visit.study.item(connection, number).shown
    letters = letters_of(design, shown, token_of(visit, number))
    given, problems = read_answer(
        design, visit.form, letters=letters, length=text_length(design, shown), questions=design.settled
    )
    reason = visit.field("reason").strip()[:4000]
    wrong: tuple[str, ...] = told(visit, problems)
    if len(reason) < MIN_REASON:
        wrong = (*wrong, "Please give the reason for your decision.")
    if wrong:
        return _page(visit, number, problems=wrong, given=given, status=422)
    code = visit.me.code
    seen = visit.field("seen")
    try:
        visit.study.database.write(lambda c: work.save_consensus(c, code, number, given, reason, seen=seen))
    except work.Locked as error:
        fresh = replace(visit, form={})  # the other decision is shown, not what was typed
        return _page(fresh, number, problems=(visit.why(error),), status=422)
    return visit.show(current, "/adjudicate")


def lettered(
    visit: Visit, token: str, labels: list[Labelled], shown: dict[str, Any], *, named: bool = False
) -> list[dict[str, Any]]:
    """Return the labels as A, B ..: the order is drawn per item and tells nothing about who gave which.

    Args:
        visit: of who settles. token: their opaque id of the item. labels: of the item. shown: its fields.
        named: in the order given and with the codes of who gave them, for two who settle their own.
    """
    design = visit.study.design
    letters = letters_of(design, shown, token)
    text = str(shown.get(design.marked_field or "", ""))
    drawn = sorted(labels, key=lambda label: hash_order(token, opaque(visit.study.secret, label.token)))
    ordered = labels if named else drawn
    return [
        {
            "letter": chr(ord("A") + n),
            "who": label.rater if named else "",
            "rows": said(visit, label.given, letters, text),
            "notes": label.given.notes,
            "filled": {"cant": label.given.cant, **_values(label.given, letters)},
        }
        for n, label in enumerate(ordered)
    ]


def compared(labels: list[dict[str, Any]], kept: Collection[str] = ()) -> list[dict[str, Any]]:
    """Return what the labels say question by question, whether they differ there, and whether that stays as it is.

    Args:
        labels: of `lettered`. kept: questions, in the reader's language, that nobody settles.
    """
    each = [dict(label["rows"]) for label in labels]
    asked = list(dict.fromkeys(ask for one in each for ask in one))
    rows: list[dict[str, Any]] = [{"ask": ask, "told": [one.get(ask, "–") for one in each]} for ask in asked]
    for row in rows:
        apart = len(set(row["told"])) > 1
        row |= {"differ": apart and row["ask"] not in kept, "kept": apart and row["ask"] in kept}
    return rows


def _values(given: Given, letters: dict[str, str]) -> dict[str, Any]:
    """Return an answer as form fields, for the buttons that take over a label."""
    values: dict[str, Any] = {}
    for name, value in given.answer.items():
        if isinstance(value, dict):
            values.update({f"q.{name}.{letter}": value.get(key) for letter, key in letters.items()})
        else:
            values[f"q.{name}"] = value
    return values


def _page(
    visit: Visit,
    number: int,
    *,
    problems: tuple[str, ...] = (),
    given: Given | None = None,
    status: int = 200,
) -> Response:
    with visit.study.database.read() as connection:
        held = visit.study.item(connection, number)
        queue = queue_of(visit, connection)
        settled = work.agreed(connection)
        labels = disagreements(visit.study, connection)[number]
    visit.gate.claims.take(number, visit.me.code)
    name, shown, token = held.id, held.shown, token_of(visit, number)
    before = [n for n in queue if n in settled and n != number]
    if status == 200:
        visit.note(visit.me.code, "viewed", name)
    return settling_page(
        visit,
        f"/adjudicate/{token}",
        shown,
        lettered(visit, token, labels, shown),
        known=settled.get(number),
        progress=settled_of(queue, settled),
        back=f"/adjudicate/{token_of(visit, before[-1])}" if before else "",
        token=token,
        pictures=visit.url(f"/picture/{token}"),
        problems=problems,
        given=given,
        status=status,
    )


def settled_of(asked: Collection[int], settled: Mapping[int, Agreed]) -> work.Progress:
    """Return how many of the differences asked about are settled, and when the last one was."""
    saved = [settled[n].saved_at for n in asked if n in settled]
    return work.Progress(done=len(saved), total=len(asked), saved_at=max(saved, default=""))


def settling_page(
    visit: Visit,
    path: str,
    shown: Mapping[str, Any],
    labels: list[dict[str, Any]],
    *,
    known: Agreed | None,
    back: str,
    pair: tuple[str, ...] = (),
    problems: tuple[str, ...] = (),
    given: Given | None = None,
    status: int = 200,
    **more: Any,
) -> Response:
    """Show a difference with its labels and the form of the decision, to an adjudicator or to two at one screen.

    Args:
        visit: of who settles. path: of the form. shown: the item's fields. labels: of `lettered`.
        known: the decision that stands, None where there is none. back: path of the one settled before, empty: none.
        pair: codes of two at one screen. problems, given, status: what was wrong with what was sent.
        more: token and pictures, as `screen` takes them, and progress.
    """
    progress = more.pop("progress")
    given = given or (known.given if known else None)
    design = visit.study.design
    kept = [visit.t.plain(one.ask) for one in design.question if one not in design.settled]
    return visit.page(
        "adjudicate.html",
        status=status,
        action=visit.url(path),
        problems=problems,
        labels=labels,
        compared=compared(labels, kept),
        reason=visit.field("reason") or (known.reason if known else ""),
        progress=progress,
        saved=known is not None,
        seen=known.saved_at if known else "",
        back=visit.url(back) if back else "",
        pair=pair,
        **screen(visit, shown, given=given, questions=design.settled, **more),
    )
