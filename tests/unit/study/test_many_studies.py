"""Several studies on one address: paths, cookies, people and records of their own; the front page names none to strangers."""

import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from percuss.study.portal.many import portals, slugs
from percuss.study.serve import links
from tests.studies import CHEAP, make
from tests.unit.study.conftest import PASSWORD

ADDRESS = "http://127.0.0.1:8780"


def join(browser: Any, path: str, code: str) -> Any:
    """Accept an invitation."""
    token = re.search(r'name="csrf" value="([0-9a-f]+)"', browser.get(path).text).group(1)  # type: ignore[union-attr]
    form = {"csrf": token, "consent": "yes", "name": code, "login": code, "password": PASSWORD}
    return browser.post(path, data=form)


@pytest.mark.parametrize("public_url", [ADDRESS, f"{ADDRESS}/trials"])
def test_each_study_has_its_path_and_its_people(tmp_path: Path, public_url: str) -> None:
    base = public_url.removeprefix(ADDRESS)
    with make(tmp_path / "a", name="ward/7", title="First") as one, make(tmp_path / "b", name="研究") as two:
        app = portals((one, two), public_url=public_url, passwords=CHEAP)
        browser = TestClient(app, base_url=ADDRESS)
        front = browser.get(f"{base}/").text
        assert "First" not in front, "strangers are not told which studies there are"
        paths = [
            dict(links(study, f"{base}/{slug}"))["r1"]
            for study, slug in zip((one, two), slugs(["ward/7", "研究"]), strict=True)
        ]
        assert "How to judge" in join(browser, paths[0], "anna").text
        assert browser.get(f"{base}/ward-7/guide").status_code == 200
        assert browser.get(f"{base}/study/guide").status_code == 401, "one study's session opens no other"
        assert "How to judge" in join(browser, paths[1], "anna").text
        assert browser.get(f"{base}/ward-7/guide").status_code == 200, "and ends none"
        front = browser.get(f"{base}/")
        assert "First" in front.text
        assert f'href="{base}/study/"' in front.text
        assert "default-src 'none'" in front.headers["content-security-policy"]
        static = re.search(r'href="([^"]+portal.css[^"]*)"', front.text).group(1)  # type: ignore[union-attr]
        assert browser.get(static).status_code == 200
        assert browser.get(f"{base}/other/guide").status_code == 404


def test_a_broken_cookie_is_nobodys(tmp_path: Path) -> None:
    with make(tmp_path / "a") as one, make(tmp_path / "b", name="other") as two:
        browser = TestClient(portals((one, two), public_url=ADDRESS, passwords=CHEAP), base_url=ADDRESS)
        assert "Please use the link" in browser.get("/", headers={"cookie": 'a="; \x01=b'}).text
