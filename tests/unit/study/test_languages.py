"""Languages: every sentence has its German one, no screen says anything beside the catalogue, study and rater choose."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from percuss.study.answers import Given
from percuss.study.design import load_design
from percuss.study.links import links
from percuss.study.portal.words import LANGUAGES, Words, catalogue, words_of
from percuss.study.store import people, work
from percuss.study.study import Study
from tests.said import every, of_practice
from tests.studies import SOME_DESIGNS, make
from tests.unit.study.conftest import Browser, form_of

PLACES = re.compile(r"\{\w+\}")


def test_no_key_of_german_is_missing_and_none_is_left_over() -> None:
    written = every()
    held = catalogue("de")
    labels = {
        "Age",
        "Stage",
        "Smoking",
        "Sex",
        "Grade",
        "Size",
        "Genes",
        "Pack years",
        "Purity share",
        "Tumour share",
        "Clinical",
        "Pathology",
        "Source exists",
        "Source says so",
        "Reason",
    }
    written["practice"] = {
        text: name for text, name in of_practice().items() if not any(text in one for one in written.values())
    } | dict.fromkeys(labels, "facts")
    assert set(held) == set(written)
    for name, sentences in written.items():
        missing = sorted(set(sentences) - set(held[name]))
        assert not missing, (
            f"{name}.toml lacks {missing[:5]} (said by {[sentences[one] for one in missing[:5]]})"
        )
        assert not set(held[name]) - set(sentences), f"{name}.toml holds what nobody says"


def test_german_sentences_have_the_same_places_and_are_not_the_english_ones() -> None:
    for table in catalogue("de").values():
        for english, german in table.items():
            assert sorted(PLACES.findall(english)) == sorted(PLACES.findall(german)), english
            if " " in english and re.search("[a-z]{3}", english):
                assert english != german or english in ("Label Studio (JSON)", "{n} mm"), english
    assert set(LANGUAGES) == {"en", "de"}


def test_marks_of_practice_stand_in_the_german_text() -> None:
    t = words_of("de")
    for practice in load_design("extraction").practice:
        for mark in practice.answer["spans"]:
            text = practice.shown["answer"]
            assert t.plain(text[mark["start"] : mark["stop"]]) in t.plain(text)


class _Every(dict[str, str]):
    """A catalogue that puts every sentence into brackets."""

    def get(self, key: str, default: Any = None) -> Any:
        """Return the sentence in brackets, once."""
        return key if key.startswith("⟦") else f"⟦{key}⟧"


class _Seen(HTMLParser):
    """Collects what people read: text and the attributes that are read out or shown."""

    SPOKEN = frozenset({"aria-label", "title", "placeholder", "data-anchor", "data-confirm"})
    SILENT = frozenset({"script", "style", "kbd", "code", "time"})

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.read: list[str] = []
        self.silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the attributes."""
        self.said += [value or "" for name, value in attrs if name in self.SPOKEN]
        self.silent += tag in self.SILENT

    def handle_endtag(self, tag: str) -> None:
        """Leave a silent element."""
        self.silent -= tag in self.SILENT

    def handle_data(self, data: str) -> None:
        """Keep the text."""
        if not self.silent:
            self.read.append(data)


def _known(word: str, own: set[str]) -> bool:
    """Return whether a word is the study's own; a mark may have cut it."""
    return word in own or any(one.startswith(word) for one in own)


def _unbracketed(text: str) -> str:
    while (rest := re.sub(r"⟦[^⟦⟧]*⟧", " ", text)) != text:
        text = rest
    return text


def _screens(study: Study) -> Iterator[tuple[str, str]]:
    """Yield name and page of every screen of a study, as its people meet them."""
    words = Words("en", _Every(), {})
    rater, other, judge, lead = (Browser(study, words=lambda _: words) for _ in range(4))
    yield "login", rater.get("/login").text
    rater.get("/login")
    yield "wrong", rater.post("/login", {"login": "nobody", "password": "no password"}).text
    yield "nobody", rater.get("/work").text
    invitation = dict(links(study, ""))["r1"]
    yield "invitation", rater.get(invitation).text
    yield "no consent", rater.post(invitation, {"name": "x", "login": "x", "password": "short"}).text
    yield "guide", rater.join("r1").text
    for n, practice in enumerate(study.design.practice):
        yield f"practice {n}", rater.get("/practice").text
        form = form_of(study, practice.answer, f"practice-{n}", dict(practice.shown))
        yield f"feedback {n}", rater.post("/practice", form).text
    first = rater.get("/work")
    yield "item", first.text
    yield "nothing chosen", rater.post(rater.here(first), {}).text
    yield "list", rater.get("/list").text
    yield "pause", rater.get("/pause").text
    yield "account", rater.get("/account").text
    yield "not mine", rater.get("/coordinate").text
    other.join("r2")
    yield "invited", lead.get(dict(links(study, ""))["c1"]).text
    yield "coordinator", lead.join("c1").text
    yield "reminders", lead.get("/coordinate/people").text
    answers = [practice.answer for practice in study.design.practice[:2]]
    for code in ("r1", "r2"):
        _answer(study, code, answers if code == "r1" else answers[::-1])
    yield "done", rater.get("/done").text
    judge.join("a1")
    yield "settle", judge.get("/adjudicate").text
    yield "list of differences", judge.get("/list").text
    yield "coordinator", lead.get("/coordinate").text
    yield "names", lead.get("/coordinate/people").text
    yield "preview", lead.get("/coordinate/item/0").text
    lead.get("/coordinate")
    yield "locked", lead.post("/coordinate/act/state", {"to": "locked"}).text
    yield "answers", lead.get("/coordinate/item/0").text


def _answer(study: Study, code: str, answers: list[dict[str, Any]]) -> None:
    def write(connection: Any) -> None:
        while (slot := work.next_slot(connection, code)) is not None:
            answer = {
                key: value for key, value in answers[slot.item % 2].items() if not isinstance(value, dict)
            }
            work.save_label(connection, code, slot.token, Given(answer=answer, active_ms=900, notes="zz"))

    study.database.write(write)


NAMES = re.compile(
    r"https?://\S+|\S+@\S+|zz|trial|example|\borg\b|Person|person|httpx?|percuss|UTC|[rac]\d|Deutsch|Steady|Label Studio",
    re.IGNORECASE,
)


@pytest.mark.parametrize("name", SOME_DESIGNS)
def test_no_screen_says_anything_beside_the_catalogue(folder: Path, name: str) -> None:
    """Every sentence is put into brackets by the catalogue; what stands outside is the study's own data or a fault."""
    with make(folder, name, 3, repeats=0.0) as study:
        with study.database.read() as connection:
            data = " ".join(str(item.shown) for item in study.all_items(connection).values())
            if study.design.marked_field:  # marks are cut from the text, brackets or not
                data += str(study.design.practice)
        own = {word.lower() for word in re.findall(r"[^\W\d_]{3,}", data + name)} | {"the", "item"}
        for screen, page in _screens(study):
            reader = _Seen()
            reader.feed(page)
            for said in (" ".join(reader.read), *reader.said):
                rest = NAMES.sub(" ", _unbracketed(said))
                left = [word for word in re.findall(r"[^\W\d_]{3,}", rest) if not _known(word.lower(), own)]
                assert not left, f"{screen} says {left} beside the catalogue"


def test_a_study_and_a_rater_choose_their_language(folder: Path) -> None:
    with make(folder, language="de") as study:
        rater = Browser(study)
        page = rater.get("/login")
        assert '<html lang="de"' in page.text
        assert "Anmelden" in page.text
        rater.join("r1")
        assert "So wird geurteilt" in rater.get("/guide").text
        chosen = rater.post("/language", {"language": "en", "back": "/guide"})
        assert "How to judge" in chosen.text
        assert '<html lang="en"' in rater.get("/account").text
        elsewhere = Browser(study)
        elsewhere.login("r1")
        assert "How to judge" in elsewhere.get("/guide").text, "the choice goes with the person"
        other = Browser(study)
        other.join("r2")
        assert "So wird geurteilt" in other.get("/guide").text
        for back in ("https://evil.example", "//evil.example", "/\\evil", "javascript:x"):
            reply = other.post("/language", {"language": "en", "back": back}, follow=False)
            assert reply.headers["location"] in ("/", ""), back
        assert other.post("/language", {"language": "xx", "back": "/guide"}).status_code == 200
        study.database.write(lambda c: people.withdraw(c, "r1", by="r1"))
        with study.database.read() as connection:
            assert people.language_chosen(connection, "r1") == ""


def test_messages_about_an_answer_name_no_key_that_a_phone_lacks() -> None:
    said = catalogue("de")["browser"]
    about = [one for one in said if one.startswith(("Your answer is still", "Not saved", "Please put"))]
    assert len(about) >= 4
    for one in about:
        for words in (one, said[one]):
            assert not re.search(r"\bEnter\b|\b(?:with|mit) c\b", words), words


def test_the_list_of_keys_names_a_key_for_one_thing(folder: Path, database: str) -> None:
    with make(folder, "ranking", 3, database=database) as study:
        browser = Browser(study)
        browser.join("r1")
        keys = browser.get("/guide").text.partition('class="keys"')[2].partition("</dl>")[0]
    assert keys.count("<kbd>1</kbd>") == 1


@pytest.mark.parametrize("name", ["ranking", "qa-verification"])
def test_no_key_of_a_preview_is_given_to_two_things(folder: Path, name: str) -> None:
    """The trap: k went to the item before and answered no, or chose a card."""
    with make(folder, name, 4) as study:
        lead = Browser(study)
        lead.join("c1")
        page = lead.get("/coordinate/item/1").text
    hot, keys = set(re.findall(r'data-hot="([^"]+)"', page)), set(re.findall(r'data-key="([^"]+)"', page))
    assert {"[", "]"} <= hot
    assert keys
    assert not hot & (keys | {"j", "k"})
