"""A page's own look around a quote: structure and words alone, the quote told apart."""

from percuss.text.documents.look import BESIDE, LONGEST, look_around

PAGE = b"""<html><head><title>T</title><script>alert(1)</script></head><body><h1>On doses</h1><p>First <b>words</b>.</p>
<div>The dose is <i>5&nbsp;mg</i><br>once daily.</div><ul><li>One</li><li>Two <script>steal()</script>things</li></ul>
<table><tr><td>a</td><td>b</td></tr></table><iframe src="http://x.example">inside</iframe><p>Last.</p></body></html>"""


def test_the_quote_is_told_apart_in_its_block_and_nothing_that_runs_is_kept() -> None:
    shown = look_around(PAGE, "dose is 5 mg")
    assert [(each.tag, each.before, each.quoted, each.after) for each in shown][:3] == [
        ("h1", "On doses", "", ""),
        ("p", "First words.", "", ""),
        ("p", "The ", "dose is 5 mg", ""),
    ]
    assert [each.tag for each in shown][3:] == ["p", "li", "li", "td", "td"]
    words = " ".join(f"{each.before} {each.quoted} {each.after}" for each in shown)
    assert "alert" not in words
    assert "steal" not in words
    assert "inside" not in words


def test_a_quote_over_blocks_is_marked_in_each() -> None:
    shown = look_around(PAGE, "5 mg once daily. one")
    assert [each.quoted for each in shown if each.quoted] == ["5 mg", "once daily.", "One"]


def test_what_stands_nowhere_and_what_is_empty_is_shown_nowhere() -> None:
    assert look_around(PAGE, "nobody said this") == ()
    assert look_around(PAGE, " .. ") == ()


def test_a_long_page_is_shown_in_part() -> None:
    body = "".join(f"<p>{'word ' * 400}number {n}.</p>" for n in range(100))
    shown = look_around(f"<html><body>{body}</body></html>".encode(), "number 50")
    assert len(shown) == 2 * BESIDE + 1
    assert all(max(len(each.before), len(each.after)) <= LONGEST for each in shown)
