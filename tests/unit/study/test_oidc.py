"""Single sign-on against a real provider on loopback: who was invited comes in, everything forged stays out."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest

from percuss.core.errors import RunError
from percuss.study import oidc
from percuss.study.links import links
from percuss.study.settings import Oidc
from percuss.study.store import people
from tests.oidc_provider import Provider, provider
from tests.studies import make
from tests.unit.study.conftest import Browser


@pytest.fixture(scope="module")
def serving() -> Iterator[Provider]:
    with provider() as made:
        yield made


@pytest.fixture
def idp(serving: Provider) -> Provider:
    serving.subject, serving.name, serving.wrong, serving.forged = "user-17", "Dr Ada", {}, False
    return serving


def sign_on(browser: Browser, invite: str = "", *, consent: str = "yes") -> Any:
    """Go to the provider and back, as a browser does."""
    if invite:
        browser.get(f"/join#{invite}")
    query = f"?invited=yes&consent={consent}" if invite else ""
    begun = browser.client.get(f"/sso/start{query}")
    if begun.status_code != 303:
        return begun
    back = httpx2.get(begun.headers["location"]).headers["location"]
    parts = urlsplit(back)
    return browser.get(f"{parts.path}?{parts.query}")


def study_of(folder: Any, database: str, idp: Provider) -> Any:
    return make(folder, database=database, oidc=Oidc(issuer=idp.issuer, client_id="percuss", secret_env=""))


def token(study: Any, code: str) -> str:
    return dict(links(study, ""))[code].rpartition("#")[2]


def test_an_invited_person_signs_on_and_comes_back_without_the_link(
    folder: Any, database: str, idp: Provider
) -> None:
    with study_of(folder, database, idp) as study:
        first = sign_on(Browser(study), token(study, "r1"))
        assert "How to judge" in first.text
        again = sign_on(Browser(study))
        assert "How to judge" in again.text
        with study.database.read() as connection:
            person = people.by_subject(connection, idp.issuer, "user-17")
    assert person is not None
    assert (person.code, person.name, person.password) == ("r1", "Dr Ada", "")


def test_whoever_was_not_invited_stays_out(folder: Any, database: str, idp: Provider) -> None:
    with study_of(folder, database, idp) as study:
        idp.subject = "stranger"
        reply = sign_on(Browser(study))
    assert reply.status_code == 403
    assert "nobody has invited you" in reply.text


def test_consent_comes_first(folder: Any, database: str, idp: Provider) -> None:
    with study_of(folder, database, idp) as study:
        assert sign_on(Browser(study), token(study, "r1"), consent="no").status_code == 400
        with study.database.read() as connection:
            assert people.by_subject(connection, idp.issuer, "user-17") is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"aud": ["percuss", "another"]},
        {"aud": ["percuss", "another"], "azp": "another"},
        {"azp": "another"},
        {"aud": "another"},
        {"iss": "https://evil.example"},
        {"nonce": "stale"},
        {"exp": 1_000_000_000},
    ],
    ids=lambda wrong: "-".join(wrong) + str(len(str(wrong))),
)
def test_a_token_that_does_not_fit_is_refused(
    folder: Any, database: str, idp: Provider, wrong: dict[str, Any]
) -> None:
    with study_of(folder, database, idp) as study:
        idp.wrong = wrong
        reply = sign_on(Browser(study), token(study, "r1"))
        assert reply.status_code == 500
        assert "did not succeed" in reply.text
        with study.database.read() as connection:
            assert not any(person.joined for person in people.everybody(connection))


def test_a_token_signed_by_another_key_is_refused(folder: Any, database: str, idp: Provider) -> None:
    with study_of(folder, database, idp) as study:
        idp.forged = True
        assert "did not succeed" in sign_on(Browser(study), token(study, "r1")).text


def test_a_state_that_we_did_not_give_is_refused(folder: Any, database: str, idp: Provider) -> None:
    with study_of(folder, database, idp) as study:
        browser = Browser(study)
        browser.get(f"/join#{token(study, 'r1')}")
        browser.client.get("/sso/start?invited=yes&consent=yes")
        assert browser.get("/sso/back?code=x&state=forged").status_code == 400
        assert Browser(study).get("/sso/back?code=x&state=y").status_code == 400


def test_a_name_or_identity_with_a_nul_is_plain_text_or_refused(
    folder: Any, database: str, idp: Provider
) -> None:
    with study_of(folder, database, idp) as study:
        idp.name = "Dr\0Ada"
        assert "How to judge" in sign_on(Browser(study), token(study, "r1")).text
        idp.subject = "user\x0017"
        assert "not plain text" in sign_on(Browser(study), token(study, "r2")).text
        with study.database.read() as connection:
            found = people.by_code(connection, "r1")
    assert found is not None
    assert found.name == "Dr\ufffdAda"


def test_one_person_takes_one_place(folder: Any, database: str, idp: Provider) -> None:
    with study_of(folder, database, idp) as study:
        sign_on(Browser(study), token(study, "r1"))
        assert sign_on(Browser(study), token(study, "r2")).status_code == 409


def test_a_study_without_single_sign_on_has_no_such_page(folder: Any, database: str) -> None:
    with make(folder, database=database) as study:
        assert Browser(study).get("/sso/start").status_code == 404


def test_a_token_for_several_audiences_that_names_us_as_its_party_is_taken(
    folder: Any, database: str, idp: Provider
) -> None:
    with study_of(folder, database, idp) as study:
        idp.wrong = {"aud": ["percuss", "another"], "azp": "percuss"}
        assert "How to judge" in sign_on(Browser(study), token(study, "r1")).text


def test_a_new_link_ends_single_sign_on_too(folder: Any, database: str, idp: Provider) -> None:
    with study_of(folder, database, idp) as study:
        browser = Browser(study)
        sign_on(browser, token(study, "r1"))
        study.database.write(lambda c: people.reinvite(c, "r1", "c1"))
        assert browser.get("/guide").status_code == 401
        assert sign_on(Browser(study)).status_code == 403
        idp.subject = "user-18"
        assert "How to judge" in sign_on(Browser(study), token(study, "r1")).text
        idp.subject = "user-17"
        assert sign_on(Browser(study)).status_code == 403


def test_what_the_provider_says_of_itself_is_fetched_once_and_its_keys_again_when_they_change(
    folder: Any, idp: Provider
) -> None:
    with study_of(folder, "", idp) as study:
        browser = Browser(study)
        sign_on(browser, token(study, "r1"))
        idp.asked.clear()
        sign_on(browser)
        assert idp.asked == []
        idp.key, idp.other = idp.other, idp.key
        assert "How to judge" in sign_on(browser).text
        assert idp.asked == ["jwks"]


def test_a_slow_provider_stalls_no_page(folder: Any, idp: Provider) -> None:
    """Four requests may wait for the provider; the next is told so at once, and other pages answer."""
    with study_of(folder, "", idp) as study:
        keeper = oidc.Provider(waiting=4)
        with ExitStack() as held:
            for _ in range(4):
                held.enter_context(keeper.asked())
            with pytest.raises(RunError, match="slow at the moment"):
                oidc.begin(study.settings.oidc, "http://127.0.0.1/sso/back", keeper)
        assert oidc.begin(study.settings.oidc, "http://127.0.0.1/sso/back", keeper).state


def test_beginning_a_sign_on_is_limited(folder: Any, idp: Provider) -> None:
    with study_of(folder, "", idp) as study:
        browser = Browser(study)
        codes = [browser.client.get("/sso/start").status_code for _ in range(22)]
    assert codes == [303] * 20 + [429] * 2
