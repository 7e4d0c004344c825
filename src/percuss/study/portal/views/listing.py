"""One's own items as a list to jump from: places and answers, never what an item says, so that repeats stay hidden."""

from collections import Counter
from typing import Any

from starlette.responses import Response

from percuss.study.answers import Given
from percuss.study.portal.views.adjudication import queue_of, token_of
from percuss.study.portal.visit import Visit
from percuss.study.store import work

__all__ = ["places"]


def places(visit: Visit) -> Response:
    """Show a rater's places, or the differences of an adjudicator."""
    rows = _mine(visit) if visit.me.role == "rater" else _differences(visit)
    counts = Counter(
        kind
        for row in rows
        for kind, is_so in (
            ("all", True),
            ("note", row["note"]),
            ("cant", row["cant"]),
            ("open", not row["told"]),
        )
        if is_so
    )
    done = sum(bool(row["told"]) for row in rows)
    return visit.page("list.html", rows=rows, counts=counts, done=done)


def _mine(visit: Visit) -> list[dict[str, Any]]:
    page = "case" if visit.study.settings.page_by else "work"
    with visit.study.database.peek() as connection:
        slots = work.slots_of(connection, visit.me.code)
    upcoming = next((slot.ordinal for slot in slots if slot.given is None), None)
    return [
        _row(
            visit,
            slot.ordinal + 1,
            slot.given,
            f"/{page}/{slot.token}" if slot.given is not None or slot.ordinal == upcoming else "",
            slot.ordinal == upcoming,
        )
        for slot in slots
    ]


def _differences(visit: Visit) -> list[dict[str, Any]]:
    with visit.study.database.read() as connection:
        queue = queue_of(visit, connection)
        settled = work.agreed(connection)
    upcoming = next((number for number in queue if number not in settled), None)
    return [
        _row(
            visit,
            place,
            settled[number].given if number in settled else None,
            f"/adjudicate/{token_of(visit, number)}",
            number == upcoming,
        )
        for place, number in enumerate(queue, 1)
    ]


def _row(visit: Visit, place: int, given: Given | None, path: str, upcoming: bool) -> dict[str, Any]:
    primary = visit.study.design.primary
    value = None if given is None else given.answer.get(primary.name)
    option = next((o for o in primary.option if isinstance(value, str) and o.value == value), None)
    done = "settled" if visit.person is not None and visit.person.role == "adjudicator" else "answered"
    told = "" if given is None else visit.t(option.label if option else done)
    if option and primary.kind == "scale":
        told = f"{option.value} · {told}"
    if given is not None and given.cant:
        told = visit.t("Can't judge")
    return {
        "place": place,
        "told": told,
        "colour": option.colour if option else "",
        "note": bool(given and given.notes),
        "cant": bool(given and given.cant),
        "href": visit.url(path) if path else "",
        "next": upcoming,
    }
