"""One account over several studies of a server: a sign-in opens every study in which the same name has the same password.

Each study keeps its own people and hashes. What is wrong elsewhere counts there as any wrong password does.
"""

from sqlalchemy import Connection
from starlette.responses import Response

from percuss.study.portal.visit import Gate, Visit
from percuss.study.store import ledger, people
from percuss.study.store.people import SESSION_S, Person

__all__ = ["enter_elsewhere", "same_password"]


def enter_elsewhere(visit: Visit, response: Response, login: str, password: str) -> Response:
    """Open the other studies of the server to who has just signed in to one; those that ask for a code ask for it themselves."""
    for gate in visit.gate.others:
        person = _fitting(gate, login, password)
        if person is None or person.factor or gate.study.settings.second_factor:
            continue
        code = person.code

        def opened(connection: Connection, code: str = code) -> str:
            ledger.append(
                connection, code, "signed in", code, {"from": visit.client, "with": "another study"}
            )
            return people.open_session(connection, code)

        response.set_cookie(
            gate.cookie,
            gate.study.database.write(opened),
            max_age=SESSION_S,
            path=gate.cookie_path,
            secure=gate.secure,
            httponly=True,
            samesite="lax",
        )
    return response


def same_password(visit: Visit, known: str, hashed: str) -> None:
    """Give a person's accounts in the other studies the new password too, where the old one was the same."""
    for gate in visit.gate.others:
        person = _fitting(gate, visit.me.login, known)
        if person is not None:
            code = person.code
            gate.study.database.write(lambda c, code=code: people.set_password(c, code, hashed, keep=""))  # type: ignore[misc]


def _fitting(gate: Gate, login: str, password: str) -> Person | None:
    """Return who has this name and password in another study; None counts there as a failure where the name is known."""
    account = login.strip().lower()
    sso = gate.single_sign_on
    with gate.study.database.read() as connection:
        person = people.by_login(connection, login)
    if person is None or not person.joined or person.left or (sso is not None and sso.only):
        return None
    if gate.by_account.wait_s(account):
        return None
    if gate.passwords.fits(person.password, password):
        return person
    gate.by_account.failed(account)
    return None
