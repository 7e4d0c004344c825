"""Phantom raters at the portal: each loads the next item over HTTP, answers its form, saves, until its list ends."""

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

from percuss.core.errors import RunError
from percuss.study.portal.app import portal
from percuss.study.portal.security import Passwords, csrf_token
from percuss.study.portal.visit import cookie_name
from percuss.study.store import people, work
from percuss.study.study import Study

__all__ = ["judge_all"]

ACTION = re.compile(r'method="post" action="(/work/([0-9a-f]+))"')
Form = dict[str, str]


async def _ask(app: Any, method: str, path: str, cookie: str, form: Form | None = None) -> tuple[int, str]:
    """Send one request to the application and return status and text."""
    body, sent = urlencode(form or {}).encode(), False
    status, parts = 0, []
    headers = [(b"host", b"127.0.0.1"), (b"cookie", cookie.encode()), (b"hx-request", b"true")]
    headers.append((b"content-type", b"application/x-www-form-urlencoded"))
    scope: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "path": path,
    }
    scope |= {"raw_path": path.encode(), "query_string": b"", "headers": headers, "scheme": "http"}
    scope |= {"client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80), "root_path": ""}

    async def receive() -> dict[str, Any]:
        nonlocal sent
        if sent:
            return {"type": "http.disconnect"}
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Mapping[str, Any]) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = int(message["status"])
        elif message["type"] == "http.response.body":
            parts.append(message.get("body", b""))

    await app(scope, receive, send)
    return status, b"".join(parts).decode()


async def _judge(app: Any, study: Study, code: str, answer: Callable[[int, str, float], Form]) -> int:
    """Judge one rater's whole list; return the saves."""

    def seated(connection: Any) -> str:
        people.join(connection, code, name=code, login=code)
        people.set_practised(connection, code, len(study.design.practice), {})
        return people.open_session(connection, code)

    cookie = study.database.write(seated)
    header = f"{cookie_name(study.secret, secure=False)}={cookie}"
    token = csrf_token(study.secret, cookie)
    with study.database.read() as connection:
        total = work.progress(connection, code).total
    page, saved = "", 0
    while saved < total:
        found = ACTION.search(page)
        if found is None:
            status, page = await _ask(app, "GET", "/work", header)
            found = ACTION.search(page)
            if found is None:
                raise RunError(
                    f"phantom rater {code} found no item after {saved} of {total} (status {status})"
                )
        with study.database.peek() as connection:
            slot = work.slot_of(connection, code, found.group(2))
        assert slot is not None
        form = {"csrf": token, **answer(slot.item, found.group(2), saved / max(1, total - 1))}
        status, page = await _ask(app, "POST", found.group(1), header, form)
        if status != 200:
            raise RunError(f"phantom rater {code}: saving item {slot.item} gave status {status}")
        saved += 1
    return saved


def judge_all(study: Study, answers: Mapping[str, Callable[[int, str, float], Form]]) -> int:
    """Let every rater judge the whole of their list, all at once as people do, and return the saves.

    Args:
        study: open. answers: code -> (item, token, progress 0..1) -> fields of the form.
    """
    app = portal(study, passwords=Passwords(memory_kib=64, rounds=1))

    async def everybody() -> int:
        return sum(await asyncio.gather(*(_judge(app, study, *one) for one in answers.items())))

    return asyncio.run(everybody())


def flat(values: Mapping[str, Any]) -> Form:
    """Return form fields as text."""
    return {name: value if isinstance(value, str) else json.dumps(value) for name, value in values.items()}
