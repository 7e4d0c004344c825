"""Pictures, under addresses that belong to one rater's item and say nothing else."""

import re

from sqlalchemy import select
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response

from percuss.study.design import HERE
from percuss.study.plain import whole
from percuss.study.portal.views.adjudication import item_of
from percuss.study.portal.visit import Visit
from percuss.study.store import work
from percuss.study.store.tables import blobs

__all__ = ["picture", "practice_picture", "preview"]

PRIVATE = {"cache-control": "no-store"}


def _number(text: str) -> int:
    if not re.fullmatch(r"\d{1,3}", text):
        raise HTTPException(404, "There is no such picture.")
    return int(text)


def picture(visit: Visit) -> Response:
    """Send a picture of an item on the visitor's own list."""
    n = _number(visit.path["n"])
    with visit.study.database.peek() as connection:
        if visit.me.role == "rater":
            slot = work.slot_of(connection, visit.me.code, visit.path["token"])
            number = None if slot is None else slot.item
        else:
            number = item_of(visit, connection, visit.path["token"])
        if number is None or n >= len(visit.study.item(connection, number).pictures):
            raise HTTPException(404, "There is no such picture.")
        digest = visit.study.item(connection, number).pictures[n]
        row = connection.execute(select(blobs).where(blobs.c.digest == digest)).one()
    return visit.keep(Response(row.data, media_type=row.media_type, headers=PRIVATE))


def preview(visit: Visit) -> Response:
    """Send a picture of an item to the coordinator, who may look at what people see."""
    n, number = _number(visit.path["n"]), visit.path["number"]
    with visit.study.database.peek() as connection:
        listed = visit.study.all_items(connection)
        item = listed.get(whole(number, -1))
        if item is None or n >= len(item.pictures):
            raise HTTPException(404, "There is no such picture.")
        row = connection.execute(select(blobs).where(blobs.c.digest == item.pictures[n])).one()
    return visit.keep(Response(row.data, media_type=row.media_type, headers=PRIVATE))


def practice_picture(visit: Visit) -> Response:
    """Send a picture of a practice item."""
    practice = visit.study.design.practice
    number, n = _number(visit.path["number"]), _number(visit.path["n"])
    names = [
        str(practice[number].shown[f.name])
        for f in visit.study.design.field
        if number < len(practice) and f.kind == "image" and f.name in practice[number].shown
    ]
    if n >= len(names) or not re.fullmatch(r"[\w-]+\.png", names[n]):
        raise HTTPException(404, "There is no such picture.")
    path = HERE / "pictures" / names[n]
    if not path.is_file():
        raise HTTPException(404, "There is no such picture.")
    return visit.keep(FileResponse(path, media_type="image/png", headers=PRIVATE))
