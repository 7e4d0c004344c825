"""Databases and browsers-by-hand for the study tests."""

import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from percuss.study.links import links
from percuss.study.portal.app import portal
from percuss.study.study import Study
from tests.studies import CHEAP
from tests.study_databases import Fresh, fresh_database

__all__ = ["Browser", "Fresh", "form_of", "fresh_database"]

PASSWORD = "a long sentence here"


@pytest.fixture
def database(fresh_database: Fresh) -> str:
    """Give the URL of an empty database of each kind; a test that asks for it runs on SQLite and on PostgreSQL."""
    return fresh_database()


class Browser:
    """A browser without a screen: keeps cookies, reads the token from forms, keeps every byte it got."""

    def __init__(
        self, study: Study, *, public_url: str = "", base: str = "http://127.0.0.1", **more: Any
    ) -> None:
        self.study = study
        app = portal(study, public_url=public_url, passwords=CHEAP, **more)
        self.client = TestClient(app, base_url=base, follow_redirects=False)
        self.bytes = b""
        self.csrf = ""

    def _keep(self, reply: Any) -> Any:
        headers = "\n".join(f"{k}: {v}" for k, v in reply.headers.items())
        self.bytes += headers.encode() + b"\n" + reply.content
        found = (
            re.search(r'name="csrf" value="([0-9a-f]+)"', reply.text)
            if "html" in reply.headers.get("content-type", "")
            else None
        )
        self.csrf = found.group(1) if found else self.csrf
        return reply

    def get(self, path: str, **headers: str) -> Any:
        """Load a page, redirects followed."""
        path, _, secret = path.partition("#")
        reply = self._keep(self.client.get(path, headers=headers))
        if secret:  # as the page's script does
            return self.post(path, {"invitation": secret}, follow=True, **headers)
        return self.get(reply.headers["location"]) if reply.status_code == 303 else reply

    def post(
        self, path: str, data: dict[str, Any] | None = None, *, follow: bool = True, **headers: str
    ) -> Any:
        """Send a form with its token."""
        path, _, secret = path.partition("#")
        accepts = {"invitation": secret, "step": "accept"} if secret else {}
        form = {"csrf": self.csrf, **accepts, **(data or {})}
        reply = self._keep(self.client.post(path, data=form, headers=headers))
        return self.get(reply.headers["location"]) if follow and reply.status_code == 303 else reply

    def join(self, code: str) -> Any:
        """Accept the invitation of a code."""
        path = dict(links(self.study, ""))[code]
        self.get(path)
        data = {
            "consent": "yes",
            "name": f"Person {code}",
            "login": f"{code}@example.org",
            "password": PASSWORD,
        }
        return self.post(path, data)

    def login(self, code: str, password: str = PASSWORD) -> Any:
        """Sign in."""
        self.get("/login")
        return self.post("/login", {"login": f"{code}@example.org", "password": password})

    def practise(self) -> None:
        """Answer the practice items as the reference does."""
        for practice in self.study.design.practice:
            self.get("/practice")
            form = form_of(
                self.study,
                practice.answer,
                f"practice-{self.study.design.practice.index(practice)}",
                dict(practice.shown),
            )
            assert self.post("/practice", form).status_code == 200

    def here(self, page: Any) -> str:
        """Return the address of the form on a page."""
        found = re.search(r'data-form[^>]*|<form class="right" method="post" action="([^"]+)"', page.text)
        assert found, page.text[:400]
        action = re.search(r'<form class="right" method="post" action="([^"]+)"', page.text)
        assert action, page.text[:400]
        return action.group(1)


def form_of(study: Study, answer: dict[str, Any], token: str, shown: dict[str, Any]) -> dict[str, Any]:
    """Return the form fields of an answer."""
    import json

    from percuss.study.items import formed
    from percuss.study.portal.views.shown import letters_of

    letters = {
        key: letter for letter, key in letters_of(study.design, formed(study.design, shown), token).items()
    }
    out: dict[str, Any] = {}
    for question in study.design.question:
        value = answer.get(question.name)
        if value is None:
            continue
        if isinstance(value, dict):
            out |= {f"q.{question.name}.{letters[key]}": str(inner) for key, inner in value.items()}
        elif question.kind == "spans":
            out[f"q.{question.name}"] = json.dumps(value)
            if not value:
                out[f"q.{question.name}.none"] = "1"
        else:
            out[f"q.{question.name}"] = value
    return out


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give the folder of a study to be made."""
    return tmp_path / "study"
