"""The coordinator: progress, agreement so far, time, what is open, invitations, exports, the ledger."""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import quote

from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.responses import Response

from percuss.core.errors import UsageError
from percuss.study import lifecycle
from percuss.study.about import file_stem
from percuss.study.export import FORMATS, export_file
from percuss.study.extending import extend
from percuss.study.figures import QuestionAgreement
from percuss.study.links import links
from percuss.study.plain import whole
from percuss.study.portal.views.shown import letters_of, said, screen
from percuss.study.portal.visit import Visit
from percuss.study.reassigning import reassign, who_could
from percuss.study.reminding import reminders
from percuss.study.sealing import seal
from percuss.study.standing import report_so_far, standing
from percuss.study.status import unsettled
from percuss.study.store import people, work
from percuss.study.store.settling import Agreed, agreed
from percuss.study.store.signing import fingerprint
from percuss.study.store.verifying import Verification
from percuss.study.store.verifying import verify as verified
from percuss.study.units import coded

__all__ = ["act", "drill", "export", "invite", "named", "overview", "sealed", "verify"]


def overview(visit: Visit) -> Response:
    """Show how the study stands."""
    return _page(visit)


def act(visit: Visit) -> Response:
    """Bring the study into another state, replace or add somebody, give items to another one, or take more items."""
    action = ACTS.get(visit.path["what"])
    if action is None:
        raise HTTPException(404, "There is no such action.")
    try:
        done = action(visit)
    except UsageError as error:
        return _page(visit, problem=visit.why(error))
    visit.study.memo = {}
    return _page(visit, said=done)


def _moved_on(visit: Visit) -> Markup:
    """Bring the study into another state, and return what to say of it."""
    to, t = visit.field("to"), visit.t
    count = visit.study.database.write(lambda c: lifecycle.move(c, to, by=visit.me.code))
    done = t("State of the study: {state}.", state=t(to))
    if count:
        done += " " + t.n(
            count, "{n} answer of the pilot was set aside.", "{n} answers of the pilot were set aside."
        )
    with visit.study.database.read() as connection:
        left = unsettled(visit.study, connection) if to == "locked" else 0
    if left:
        done += " " + t.n(
            left,
            "{n} difference between people stays unsettled.",
            "{n} differences between people stay unsettled.",
        )
    return done


def _replaced(visit: Visit) -> Markup:
    """Replace a rater by a new one."""
    code, study = visit.field("code"), visit.study
    fresh = study.database.write(lambda c: lifecycle.replace(c, study, code, by=visit.me.code))
    said = "{fresh} takes over what {code} has not answered; send the link below."
    return visit.t(said, fresh=fresh, code=code)


def _extended(visit: Visit) -> Markup:
    """Draw more items."""
    study, count = visit.study, whole(visit.field("count"), 0)
    more = extend(study, count, by=visit.me.code)
    return visit.t.n(more, "{n} more item is on the lists.", "{n} more items are on the lists.")


def _reassigned(visit: Visit) -> Markup:
    """Give one open item of a rater, or all of them, to another rater."""
    study, code, to = visit.study, visit.field("code"), visit.field("to")
    named = tuple(visit.form.get("item", ()))
    moved = study.database.write(lambda c: reassign(c, study, code, to, by=visit.me.code, named=named))
    done = visit.t.n(
        len(moved.items),
        "{n} item of {code} is on the list of {to} now.",
        "{n} items of {code} are on the list of {to} now.",
        code=code,
        to=to,
    )
    if moved.stayed:
        done += " " + visit.t.n(
            len(moved.stayed),
            "{n} item stays with {code}: {to} judges it too.",
            "{n} items stay with {code}: {to} judges them too.",
            code=code,
            to=to,
        )
    return done


def _added(visit: Visit) -> Markup:
    """Add a place for a rater or an adjudicator."""
    role: people.Role = "rater" if visit.field("role") == "rater" else "adjudicator"
    code = visit.study.database.write(lambda c: lifecycle.add(c, role, by=visit.me.code))
    if role == "rater":
        return visit.t("{code} can judge; extend the study for items, and send the link below.", code=code)
    return visit.t("{code} can settle differences; send the link below.", code=code)


ACTS: dict[str, Callable[[Visit], Markup]] = {
    "add": _added,
    "extend": _extended,
    "reassign": _reassigned,
    "replace": _replaced,
    "state": _moved_on,
}
"""What the coordinator can do; each returns what to say of it."""


def drill(visit: Visit) -> Response:
    """Show an item as a rater sees it; once the study is locked, with everybody's answers and notes."""
    number = whole(visit.path["number"], -1)
    with visit.study.database.read() as connection:
        state = lifecycle.state_of(connection)
        try:
            item = visit.study.item(connection, number)
        except KeyError:
            raise HTTPException(404, "There is no such item.") from None
        labels = [one for one in visit.study.labels(connection) if one.item == number]
        total = len(visit.study.all_items(connection))
        holders, takers = who_could(connection, number)
        settled = agreed(connection).get(number)
    token = f"preview-{number}"
    letters = letters_of(visit.study.design, item.shown, token)
    marked = str(item.shown.get(visit.study.design.marked_field or "", ""))
    told = _told(visit, labels, settled, letters, marked)
    visit.note(visit.me.code, "viewed", item.id)
    pictures = visit.url(f"/coordinate/picture/{number}")
    return visit.page(
        "drill.html",
        item=item,
        number=number,
        total=total,
        told=told if state in ("locked", "archived") else (),
        given_=len(labels),
        state=state,
        holders=() if state in ("locked", "archived") else holders,
        takers=takers,
        **screen(visit, item.shown, token=token, pictures=pictures),
    )


def _told(
    visit: Visit,
    labels: Sequence[work.Labelled],
    settled: Agreed | None,
    letters: Mapping[str, str],
    marked: str,
) -> list[dict[str, Any]]:
    """Return what each rater answered and noted, and what was settled, by whom and why."""
    told = [
        {
            "who": one.rater,
            "rows": said(visit, one.given, letters, marked),
            "notes": one.given.notes,
            "seconds": one.given.active_ms / 1000,
        }
        for one in labels
    ]
    if settled:
        rows = said(visit, settled.given, letters, marked, visit.study.design.settled)
        rows.append((visit.t("Why"), settled.reason))
        told.append({"who": visit.t("Settled by {who}", who=settled.by), "rows": rows, "notes": ""})
    return told


def named(visit: Visit) -> Response:
    """Show who is behind which code; that somebody looked is written into the ledger."""
    with visit.study.database.read() as connection:
        everybody = people.everybody(connection)
    visit.note(visit.me.code, "viewed", "names")
    return visit.page(
        "people.html",
        everybody=everybody,
        state=visit.state,
        reminders=reminders(visit.study, visit.origin, words=visit.gate.words),
    )


def sealed(visit: Visit) -> Response:
    """Seal a locked study and send the archive."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{file_stem(visit.study.settings.name)}.zip"
        try:
            seal(visit.study, path, by=visit.me.code)
        except UsageError as error:
            return _page(visit, problem=visit.why(error))
        data = path.read_bytes()
    response = Response(data, media_type="application/zip", headers={"cache-control": "no-store"})
    response.headers["content-disposition"] = (
        f"attachment; filename=\"study.zip\"; filename*=UTF-8''{quote(path.name)}"
    )
    return visit.keep(response)


def _page(
    visit: Visit,
    *,
    checked: Verification | None = None,
    fresh: tuple[str, str] | None = None,
    said: str = "",
    problem: str = "",
) -> Response:
    now = standing(visit.study)

    def why_none(question: QuestionAgreement, reason: str, alone: bool) -> str:
        return _why_none(visit, question.name, reason, alone=alone)

    return visit.page(
        "coordinate.html",
        now=now,
        report=report_so_far(visit.study, now),
        key=fingerprint(visit.study.public_key),
        links=dict(links(visit.study, visit.origin)),
        formats=FORMATS,
        checked=checked,
        tell=visit.tell,
        why_none=why_none,
        fresh=fresh,
        said=said,
        problem=problem,
    )


def _why_none(visit: Visit, name: str, reason: str, *, alone: bool) -> str:
    """Return why a figure can't be told, in the reader's language, answers in the words of their buttons.

    Args:
        name: of the question. reason: as the statistics say it. alone: the figure holds a person against themselves.
    """
    reason = (ALONE if alone else TOGETHER).get(reason, reason)
    t, found = visit.t, ONE_ANSWER.fullmatch(reason)
    question = visit.study.design.asked(name)
    if question and question.when and reason in (*TOGETHER.values(), *ALONE.values()):
        return t(
            "nobody was asked this twice" if alone else "no two people were asked this about the same item"
        )
    if found and question:
        same = (o.label for o in question.option if str(coded(question, o.value)) == found["value"])
        label = next(same, found["value"])
        return t(WHO_GAVE[found["who"]], label=t(label))
    return t(reason) if t.has(reason) else t("can't be computed from these answers")


ONE_ANSWER = re.compile(
    r"(?P<who>the first rater|the second rater|both raters) gave only '?(?P<value>.*?)'?(?:: .*)?"
)
WHO_GAVE = {
    "the first rater": "one of the two raters chose only “{label}”",
    "the second rater": "one of the two raters chose only “{label}”",
    "both raters": "both raters chose only “{label}”",
}
"""What statistics say of raters who gave one answer throughout -> the same for the coordinator's page."""
TOGETHER = {
    "nothing was judged twice": "no item was judged by two people",
    "fewer than two items were judged twice": "fewer than two items were judged by two people",
}
ALONE = {"nothing was judged twice": "no item was judged twice by the same person"}
"""What statistics say of items judged twice -> who judged them twice."""


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
    return _page(visit, fresh=(code, f"{visit.origin}/join#{people.invitation(visit.study.secret, person)}"))


def export(visit: Visit) -> Response:
    """Send an export as a file."""
    kind = visit.path["kind"]
    if kind not in FORMATS:
        raise HTTPException(404, "There is no such export.")
    with TemporaryDirectory() as folder:
        name = f"{file_stem(visit.study.settings.name)}.{FORMATS[kind]}"
        data = export_file(visit.study, Path(folder) / name, kind, who=visit.me.code).read_bytes()
    response = Response(data, media_type="application/octet-stream", headers={"cache-control": "no-store"})
    response.headers["content-disposition"] = (
        f"attachment; filename=\"study.{FORMATS[kind]}\"; filename*=UTF-8''{quote(name)}"
    )
    return visit.keep(response)
