"""Words of screens that readers of their pictures tripped over: what is offered fits the state, what is said can be understood."""

import json
import re
import time
from pathlib import Path

import pytest
from sqlalchemy import update

from percuss.study import lifecycle
from percuss.study.answers import Given
from percuss.study.design import load_design
from percuss.study.links import links
from percuss.study.settings import KEPT_BEFORE
from percuss.study.store import people, work
from percuss.study.store.tables import study as known
from percuss.study.study import Study
from tests.studies import answer_all, make
from tests.unit.study.conftest import PASSWORD, Browser
from tests.unit.study.test_second_factor import code_at, set_up


def lead_of(study: Study) -> Browser:
    """Return the coordinator's browser."""
    lead = Browser(study)
    lead.join("c1")
    return lead


def into(study: Study, *states: str) -> None:
    """Bring a study through states."""
    for state in states:
        study.database.write(lambda c, s=state: lifecycle.move(c, s, by="c1"))  # type: ignore[misc]
    study.memo = {}


def test_the_example_of_missing_data_commits_to_nothing() -> None:
    """It was "The immune type is intermediate": a detail, which the row above calls not supported."""
    (question,) = load_design("claim-adjudication").question
    (missing,) = (one for one in question.option if one.value == "unknown")
    assert "commits to nothing specific" in missing.anchor
    assert missing.example.startswith("“The immune type has to be taken into account”")


def test_of_an_archived_study_the_archive_is_downloaded_not_sealed(tmp_path: Path) -> None:
    with make(tmp_path / "s", count=2) as study:
        lead = lead_of(study)
        into(study, "locked")
        locked = lead.get("/coordinate").text
        assert "the study can be sealed" in locked
        assert "Seal it (archive)" in locked
        into(study, "archived")
        archived = lead.get("/coordinate").text
        assert "can be sealed" not in archived
        assert "Seal it" not in archived
        assert "the archive can be downloaded" in archived
        assert "Download the archive" in archived


def answered(study: Study, code: str, said: str = "supported") -> None:
    """Let a rater give one answer to everything."""
    answer_all(study, code, lambda n, again: {"support": said})


def test_a_new_link_that_waits_is_not_somebody_who_never_joined(tmp_path: Path) -> None:
    """r2 had 12 answers and "not joined" beside them."""
    with make(tmp_path / "s", count=2, raters=3) as study:
        Browser(study).join("r2")
        answered(study, "r2")
        lead = lead_of(study)
        lead.post("/coordinate/invite/r2")
        for path in ("/coordinate", "/coordinate/people"):
            page = lead.get(path).text
            assert page.count("new link not used yet") == 1, path
            assert page.count("not joined") == 3, f"{path}: r1, r3 and a1"


def test_who_left_is_told_under_progress(tmp_path: Path) -> None:
    with make(tmp_path / "s", count=2, raters=2) as study:
        lead = lead_of(study)
        page = lead.post("/coordinate/act/replace", {"code": "r1"}).text
        row = page.partition(">r1</th>")[2].partition("</tr>")[0]
        told = row.partition("</td>")[2].partition("</td>")[0]
        assert ">left</span>" in told
        assert "left" not in row.partition("row-acts")[2]


def test_a_reminder_has_a_subject_that_is_named_and_a_button_to_copy_it(tmp_path: Path) -> None:
    with make(tmp_path / "s", count=1, raters=2, repeats=0.0) as study:
        page = lead_of(study).get("/coordinate/people").text
        assert page.count("Subject: 1 item left: ") == 2
        assert page.count("data-copy") == 2
        assert "1 of 1 items, about 1 minute." in page
        assert "In the study “" in page
        assert "A text for every rater who has items left." in page


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (("paused",), "The study is paused; reminders stand here once it is open again."),
        (("locked",), "The study is closed: nobody has to be reminded."),
        ((), "Nobody has to be reminded: every rater has answered everything."),
    ],
)
def test_why_there_is_no_reminder(tmp_path: Path, state: tuple[str, ...], said: str) -> None:
    with make(tmp_path / "s", count=1, raters=2, repeats=0.0) as study:
        lead = lead_of(study)
        if not state:
            answered(study, "r1")
            answered(study, "r2")
        into(study, *state)
        assert said in lead.get("/coordinate/people").text


def test_figures_of_the_coordinator_say_what_they_count(tmp_path: Path) -> None:
    with make(tmp_path / "s", count=3, raters=2, repeats=0.0) as study:
        lead = lead_of(study)
        page = lead.get("/coordinate").text
        assert "no item was judged by two people" in page
        assert "no item was judged twice by the same person" in page
        assert "Can't judge” leaves" not in page.replace("&#39;", "'")
        answered(study, "r1")
        cant = Given(answer={}, cant=study.design.cant[0], active_ms=900)
        answer_all(study, "r2", lambda n, again: {"support": "partial"} if n else cant)
        page = lead.get("/coordinate").text.replace("&#39;", "'")
        assert "3 of them with differences to be settled; settled so far: 0." in page
        assert "An item is left out where “Can't judge” leaves fewer than two answers." in page


def test_a_draft_points_to_the_button_that_shows_its_items(tmp_path: Path) -> None:
    with make(tmp_path / "s", count=1) as study:
        study.database.write(
            lambda c: c.execute(update(known).where(known.c.key == "state").values(value="draft"))
        )
        page = lead_of(study).get("/coordinate").text
        assert "first look at the items as people see them" in page
        assert "below" not in page.partition("Where it stands")[2].partition("</p>")[0]


def test_an_order_that_is_not_settled_is_not_marked_as_to_be_settled(tmp_path: Path) -> None:
    """The adjudicator of a ranking saw the order marked, and no way to settle it."""
    with make(tmp_path / "s", "ranking", 1, raters=2, repeats=0.0) as study:
        for code, rank, quality in (("r1", (1, 2, 3), "good"), ("r2", (3, 2, 1), "bad")):
            given = {
                "rank": dict(zip(("a1", "a2", "a3"), rank, strict=True)),
                "quality": dict.fromkeys(("a1", "a2", "a3"), quality),
                "unsupported": dict.fromkeys(("a1", "a2", "a3"), "no"),
            }
            answer_all(study, code, lambda n, again, given=given: given)
        judge = Browser(study)
        page = judge.join("a1").text
        rows = page.partition('class="compare beside"')[2].partition("</table>")[0].split("<tr")[2:]
        assert ["differ" in row.partition(">")[0] for row in rows] == [False, True, False]
        assert ["Not settled here: both stay as they are." in row for row in rows] == [True, False, False]
        lead = lead_of(study).get("/coordinate").text
        assert (
            "1 item has answers of everybody asked; 1 with differences to be settled; settled so far: 0."
            in lead
        )
        assert "chose only “Good”" in lead
        assert "chose only “3”" not in lead


@pytest.mark.parametrize(
    ("stop", "fits"), [(22, False), (41, True), (45, True)], ids=["half", "whole", "with its citation"]
)
def test_half_of_a_statement_is_not_a_mark_as_good_as_ours(tmp_path: Path, stop: int, fits: bool) -> None:
    """ "Ascorbic acid improves" was close enough to "Ascorbic acid improves the uptake of iron"."""
    with make(tmp_path / "s", "extraction", 1, raters=1) as study:
        rater = Browser(study)
        rater.join("r1")
        rater.get("/practice")
        mark = json.dumps([{"start": 0, "stop": stop, "reference": "[1]"}])
        page = rater.post("/practice", {"q.spans": mark, "step": "0"}).text
        assert ("not as you said" in page) is not fits


def test_examples_and_practice_follow_the_words_of_their_guide() -> None:
    reading = load_design("reader-study")
    tone = next(q for q in reading.question if q.name == "ct")
    plain = next(o for o in tone.option if o.anchor.startswith("Plain"))
    assert "consistent with" not in next(o for o in tone.option if o.value == "4").example, "a hedge"
    (told,) = (one for one in reading.practice if "the tone is plain" in one.why)
    assert told.answer["ct"] == plain.value
    asked = load_design("qa-verification")
    dispute = next(q for q in asked.question if q.name == "dispute")
    assert "not in the passage" in dispute.ask
    assert all("passage" in o.anchor for o in dispute.option)


def test_the_second_factor_says_that_it_is_on_and_its_steps_can_be_left(tmp_path: Path) -> None:
    with make(tmp_path / "s", count=1) as study:
        rater = Browser(study)
        rater.join("r1")
        page = rater.post("/account", {"step": "factor", "known": PASSWORD}).text
        steps = page.partition('class="steps"')[2].partition("</ol>")[0]
        assert steps.count("<li>") == 2, "the link is the other way to take the first step"
        assert "Or open this link" in steps
        assert ">Cancel</a>" in page
        assert "The second factor is on" not in rater.get("/account").text
        set_up(rater)
        with study.database.read() as connection:
            assert people.by_code(connection, "r1").factor  # type: ignore[union-attr]
        other = Browser(study)
        other.join("r2")
        shown = other.post("/account", {"step": "factor", "known": PASSWORD}).text
        kept = re.search(r'name="kept" value="([^"]+)"', shown).group(1)  # type: ignore[union-attr]
        seed = "".join(re.search(r'class="seed">([A-Z2-7 ]+)<', shown).group(1).split())  # type: ignore[union-attr]
        code = code_at(seed, int(time.time()) // 30)
        page = other.post("/account", {"step": "factor-code", "kept": kept, "code": code}).text
        assert "The second factor is on; you are signed out everywhere else." in page
        assert "Switch it off" in page


def test_an_account_says_what_its_fields_are_for(tmp_path: Path) -> None:
    with make(tmp_path / "s", count=1) as study:
        rater = Browser(study)
        rater.join("r1")
        page = rater.get("/account").text
        assert "At least 10 characters" in page.partition("New password")[2].partition("</form>")[0]
        assert "To sign out anywhere from here, give your present password." in page
        assert "code from an authenticator app" in page


def test_an_invitation_keeps_the_tick_and_says_at_the_field_what_is_wrong(tmp_path: Path) -> None:
    with make(tmp_path / "s", count=1) as study:
        rater = Browser(study)
        link = dict(links(study, ""))["r1"]
        shown = rater.get(link).text
        assert "Your name, sign-in name and password are kept apart" in shown
        assert "data-consent checked" not in shown
        given = {"consent": "yes", "name": "Eva", "login": "eva@example.org", "password": "short"}
        page = rater.post(link, given).text
        assert "data-consent checked" in page
        assert page.index('name="login"') < page.index('role="alert"')
        assert page.index('role="alert"') < page.index('type="password"')
        page = rater.post(link, {**given, "consent": "", "password": PASSWORD}).text
        assert "data-consent checked" not in page
        assert page.index('role="alert"') < page.index("data-consent")


def test_who_is_signed_in_already_is_told_so_by_another_invitation(tmp_path: Path) -> None:
    with make(tmp_path / "s", count=1) as study:
        rater = Browser(study)
        rater.join("r1")
        page = rater.get(dict(links(study, ""))["r2"]).text
        assert "You are signed in here as r1." in page
        assert "signs r1 out on this device" in page
        assert "You are signed in" not in Browser(study).get(dict(links(study, ""))["r2"]).text


def test_words_that_studies_made_before_keep_have_their_german(tmp_path: Path) -> None:
    kept = f"{KEPT_BEFORE} Your name and account are deleted 30 days after the study is archived."
    with make(tmp_path / "s", count=1, language="de", kept=kept) as study:
        page = Browser(study).get(dict(links(study, ""))["r1"]).text
        assert "Ihr Name und Ihr Passwort werden getrennt" in page
        assert "30 Tage" in page


def test_an_item_that_is_none_is_said_to_be_none_before_practice_too(tmp_path: Path) -> None:
    with make(tmp_path / "s", count=2) as study:
        rater = Browser(study)
        rater.join("r1")
        page = rater.get(f"/work/{'0' * 20}")
        assert page.status_code == 404
        assert "This item is not on your list" in page.text
        with study.database.read() as connection:
            own = work.next_slot(connection, "r1")
        assert "How to judge" in rater.get(f"/work/{own.token}").text  # type: ignore[union-attr]


def test_a_closed_study_is_not_said_to_be_closed_for_now(tmp_path: Path) -> None:
    with make(tmp_path / "s", count=1) as study:
        rater, judge = Browser(study), Browser(study)
        rater.join("r1")
        judge.join("a1")
        into(study, "paused")
        assert "<h1>Not open now</h1>" in rater.get("/work").text
        into(study, "locked")
        for browser, path in ((rater, "/work"), (judge, "/adjudicate")):
            assert "<h1>This study is closed</h1>" in browser.get(path).text


def test_a_list_that_is_done_leads_back_and_names_what_it_shows(tmp_path: Path) -> None:
    with make(tmp_path / "s", "qa-verification", 2, repeats=0.0) as study:
        rater = Browser(study)
        rater.join("r1")
        page = rater.get("/list").text
        assert 'class="button"' in page.partition("list-tools")[2].partition("</p>")[0]
        assert "data-jump-go" in page
        answer_all(study, "r1", lambda n, again: {"relevance": "5", "dispute": "no", "feedback": "no"})
        page = rater.get("/list").text
        assert 'class="button"' not in page.partition("list-tools")[2].partition("</p>")[0]
        assert ">Back <kbd" in page
        assert "what was answered to: How relevant is the pair for medicine?" in page
        assert "5 · Fully" in page
        study.database.write(lambda c: people.set_practised(c, "r1", 3, {}))
        assert "Both items are answered and saved." in rater.get("/done").text


def test_who_has_withdrawn_is_not_sent_to_sign_in(tmp_path: Path) -> None:
    with make(tmp_path / "s", count=1) as study:
        rater = Browser(study)
        rater.join("r1")
        page = rater.post("/account/withdraw", {"sure": "yes"}).text
        assert "You can close this page." in page
        assert "To the start" not in page


def test_a_locked_study_speaks_of_nothing_that_is_still_to_come(tmp_path: Path) -> None:
    with make(tmp_path / "s", count=1) as study:
        lead = lead_of(study)
        page = lead.get("/coordinate").text
        for words in ("Agreement so far", "· Reminders", ">Link</th>"):
            assert words in page
        into(study, "locked")
        page = lead.get("/coordinate").text
        for words in ("Agreement so far", "· Reminders", ">Link</th>", "row-acts"):
            assert words not in page
        assert "Agreement before anything was settled" in page


def test_a_question_that_nobody_was_asked_says_so(tmp_path: Path) -> None:
    with make(tmp_path / "s", "source-grounding", 2, raters=2, repeats=0.0) as study:
        for code in ("r1", "r2"):
            answer_all(study, code, lambda n, again: {"reference_exists": "yes", "content_supported": "yes"})
        page = lead_of(study).get("/coordinate").text
        row = page.partition("In which way not?")[2].partition("</tr>")[0]
        assert "no two people were asked this about the same item" in row
        assert "nobody was asked this twice" in row


def test_what_a_program_checked_is_named_as_the_questions_name_it(tmp_path: Path) -> None:
    with make(tmp_path / "s", "confirm", 1) as study:
        rater = Browser(study)
        rater.join("r1")
        page = rater.get("/practice").text
        for words in ("<dt>Source exists</dt>", "<dt>Source says so</dt>", "<dt>Reason</dt>"):
            assert words in page
        assert "<dt>Reference</dt>" not in page
        assert "machine" not in page.lower()


def test_the_list_of_keys_fits_the_design(tmp_path: Path) -> None:
    told = {}
    for name in ("extraction", "likert5", "qa-verification"):
        with make(tmp_path / name, name, 1) as study:
            rater = Browser(study)
            told[name] = rater.join("r1").text.partition('class="keys"')[2].partition("</dl>")[0]
    assert "<kbd>m</kbd>" in told["extraction"]
    assert "choose an answer" not in told["extraction"]
    assert "go to another question" not in told["extraction"] + told["likert5"]
    assert "go to another question" in told["qa-verification"]


def test_practice_says_what_comes_with_the_real_items_alone(tmp_path: Path) -> None:
    with make(tmp_path / "s", "qa-verification", 1) as study:
        rater = Browser(study)
        rater.join("r1")
        page = rater.get("/practice").text
        assert "notes come with the real items" in page
        assert "data-notes" not in page


def test_nothing_looks_chosen_before_a_reason_is(tmp_path: Path) -> None:
    with make(tmp_path / "s", count=1) as study:
        rater = Browser(study)
        rater.join("r1")
        study.database.write(lambda c: people.set_practised(c, "r1", 4, {}))
        page = rater.get("/work").text
        (last,) = re.findall(r'<label class="option take-back">.*?</label>', page)
        assert 'value="" checked' in last
    css = rater.client.get("/static/portal.css").text
    assert '[data-cant]:not(:has(input:checked:not([value=""]))) .take-back { display: none; }' in css


@pytest.mark.parametrize("name", ["claim-adjudication", "ranking", "qa-verification"])
def test_the_keys_that_take_a_label_are_one_pair_in_every_design(tmp_path: Path, name: str) -> None:
    """In a ranking A was taken by a, B by a bracket; in other designs by a and b."""
    with make(tmp_path / "s", name, 1, raters=2, repeats=0.0) as study:
        first, second = (one.answer for one in study.design.practice[:2])
        given = {"r1": first, "r2": second}
        if name == "ranking":
            given = {"r1": first, "r2": {**first, "quality": dict.fromkeys(first["quality"], "bad")}}
        for code in ("r1", "r2"):
            answer_all(study, code, lambda n, again, code=code: given[code])
        page = Browser(study)
        said = page.join("a1").text
    takes = re.findall(r"<button[^>]*data-take[^>]*>", said)
    assert [re.search(r'data-hot="([^"]+)"', one).group(1) for one in takes] == ["[", "]"]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("count", "said"), [(1, "1 item after 4 for practice"), (4, "4 items after 4 for practice")]
)
def test_an_invitation_to_one_item_is_in_the_singular(tmp_path: Path, count: int, said: str) -> None:
    with make(tmp_path / "s", count=count, raters=1, repeats=0.0) as study:
        assert said in Browser(study).get(dict(links(study, ""))["r1"]).text


def test_what_two_labels_say_names_its_label_where_their_heads_are_out_of_sight(tmp_path: Path) -> None:
    with make(tmp_path / "s", count=1, raters=2, repeats=0.0) as study:
        answered(study, "r1")
        answered(study, "r2", "partial")
        page = Browser(study).join("a1").text
    assert re.findall(r'<td data-label="(\w)">', page) == ["A", "B"]
