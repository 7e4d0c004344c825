"""The coordinator: progress, agreement so far, time, what is open, invitations, exports, the ledger."""

from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.responses import Response

from percuss.study.about import file_stem
from percuss.study.agreement import agreement
from percuss.study.export import FORMATS, export_file
from percuss.study.figures import Report
from percuss.study.portal.visit import Visit
from percuss.study.status import status
from percuss.study.store import ledger, people, work
from percuss.study.store.verifying import Verification
from percuss.study.store.verifying import verify as verified

__all__ = ["export", "invite", "overview", "verify"]

QUICK_B = 500  # resamples of the page's intervals; the command line draws as many as the statistics ask for


def overview(visit: Visit) -> Response:
    """Show how the study stands."""
    return _page(visit)


def _flagged(visit: Visit) -> list[dict[str, str]]:
    """Return the items that somebody could not judge."""
    with visit.study.database.read() as connection:
        labels = [label for label in work.labelled(connection) if label.given.cant]
        return [
            {
                "item": visit.study.item(connection, label.item).id,
                "who": label.rater,
                "why": label.given.cant,
                "notes": label.given.notes,
            }
            for label in labels
        ]


def _page(
    visit: Visit, *, checked: Verification | None = None, fresh: tuple[str, str] | None = None
) -> Response:
    with visit.study.database.read() as connection:
        entries, head = ledger.head(connection)
        persons = people.everybody(connection)
    links = {
        person.code: f"{visit.origin}/join/{people.invitation(visit.study.secret, person)}"
        for person in persons
        if not person.joined and person.role != "imported"
    }
    report: Report = agreement(visit.study, B=QUICK_B)
    return visit.page(
        "coordinate.html",
        status_=status(visit.study),
        report=report,
        flagged=_flagged(visit),
        entries=entries,
        head=head,
        checked=checked,
        links=links,
        fresh=fresh,
        formats=FORMATS,
    )


def verify(visit: Visit) -> Response:
    """Verify the ledger now."""
    with visit.study.database.read() as connection:
        checked = verified(connection, key=visit.study.public_key, expect=visit.study.anchored)
    return _page(visit, checked=checked)


def invite(visit: Visit) -> Response:
    """Make a new invitation for somebody who lost the link or the password; answers stay."""
    code, by = visit.path["code"], visit.me.code
    with visit.study.database.read() as connection:
        known = people.by_code(connection, code)
    if known is None or known.role in ("coordinator", "imported"):
        raise HTTPException(404, "There is nobody of this code to invite.")
    person = visit.study.database.write(lambda c: people.reinvite(c, code, by))
    assert person is not None
    return _page(visit, fresh=(code, f"{visit.origin}/join/{people.invitation(visit.study.secret, person)}"))


def export(visit: Visit) -> Response:
    """Send an export as a file."""
    kind = visit.path["kind"]
    if kind not in FORMATS:
        raise HTTPException(404, f"There is no export {kind[:20]!r}; there are {', '.join(FORMATS)}.")
    with TemporaryDirectory() as folder:
        name = f"{file_stem(visit.study.settings.name)}.{FORMATS[kind]}"
        data = export_file(visit.study, Path(folder) / name, kind, who=visit.me.code).read_bytes()
    response = Response(data, media_type="application/octet-stream", headers={"cache-control": "no-store"})
    response.headers["content-disposition"] = (
        f"attachment; filename=\"study.{FORMATS[kind]}\"; filename*=UTF-8''{quote(name)}"
    )
    return visit.keep(response)
