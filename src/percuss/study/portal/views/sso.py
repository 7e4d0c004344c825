"""Signing in with one's institution; an invitation is needed once."""

import msgspec
from itsdangerous import BadSignature, URLSafeTimedSerializer
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from percuss.core.errors import UsageError
from percuss.study import oidc
from percuss.study.portal.views.entering import enter
from percuss.study.portal.views.invitation import consent_text, held, let_go
from percuss.study.portal.visit import Visit
from percuss.study.store import people

__all__ = ["back", "start"]

UNDER_WAY = "percuss_sso"
UNDER_WAY_S = 600


def _sealed(visit: Visit) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(visit.study.secret, salt="percuss-sso")


def _redirect(visit: Visit) -> str:
    return f"{visit.origin}/sso/back"


def start(visit: Visit) -> Response:
    """Send the browser to the provider; what must come back is kept in a sealed cookie."""
    settings = visit.gate.single_sign_on
    if settings is None:
        raise HTTPException(404, "This study has no single sign-on.")
    if visit.gate.sign_ons.wait_s(visit.client):
        raise HTTPException(429, "Too many sign-ons were begun here. Please wait some minutes.")
    visit.gate.sign_ons.failed(visit.client)
    person = held(visit) if visit.query.get("invited") == "yes" else None
    if visit.query.get("invited") == "yes":
        if person is None:
            raise HTTPException(400, "Please open your invitation link again.")
        if visit.query.get("consent") != "yes":
            raise HTTPException(
                400, "Please go back and tick that you have read the invitation and take part."
            )
    begun = oidc.begin(settings, _redirect(visit), visit.gate.provider)
    response = RedirectResponse(begun.address, status_code=303)
    kept = {**msgspec.to_builtins(begun), "invite": [person.code, person.invitation] if person else []}
    response.set_cookie(
        UNDER_WAY,
        _sealed(visit).dumps(kept),
        max_age=UNDER_WAY_S,
        path=visit.gate.cookie_path,
        secure=visit.gate.secure,
        httponly=True,
        samesite="lax",
    )
    return visit.keep(response)


def back(visit: Visit) -> Response:
    """Check what the provider says and sign the person in; whoever was not invited is told so."""
    settings = visit.gate.single_sign_on
    if settings is None:
        raise HTTPException(404, "This study has no single sign-on.")
    begun, invite = _under_way(visit)
    who = oidc.finish(settings, _redirect(visit), begun, visit.query["code"], visit.gate.provider)
    with visit.study.database.read() as connection:
        person = people.by_subject(connection, who.issuer, who.subject)
    if invite:
        person = _joined(visit, who, *invite) or person
    if person is None:
        raise HTTPException(
            403, "You are signed in, but nobody has invited you to this study. Use your invitation link once."
        )
    response = enter(visit, person.code)
    let_go(visit, response)
    response.delete_cookie(UNDER_WAY, path=visit.gate.cookie_path)
    return response


def _under_way(visit: Visit) -> tuple[oidc.Begun, tuple[str, int] | None]:
    """What this browser began, and the code and invitation it began it with, if it held one."""
    try:
        kept = _sealed(visit).loads(visit.asked.get(UNDER_WAY, ""), max_age=UNDER_WAY_S)
    except BadSignature:
        raise HTTPException(
            400, "This sign-in took too long or was begun elsewhere. Please start again."
        ) from None
    code, number = kept.pop("invite") or ("", 0)
    begun = oidc.Begun(**kept)
    if visit.query.get("state") != begun.state or not visit.query.get("code"):
        raise HTTPException(400, "The sign-in was not completed. Please start again.")
    return begun, (code, number) if code else None


def _joined(visit: Visit, who: oidc.Identity, code: str, number: int) -> people.Person | None:
    """Whoever joins by this invitation now; None: its owner had joined before, which gives nobody a way in."""
    with visit.study.database.read() as connection:
        asked = people.by_code(connection, code)
    if asked is None or asked.left or asked.invitation != number:
        raise HTTPException(404, "This invitation does not exist, or it was replaced by a newer one.")
    if asked.joined:
        return None
    identity, consent = (who.issuer, who.subject), consent_text(visit)
    try:
        visit.study.database.write(
            lambda c: people.join(c, asked.code, name=who.name, identity=identity, consent=consent)
        )
    except UsageError:
        raise HTTPException(409, "You already take part in this study in another place.") from None
    return asked
