"""Every sentence that the study's screens can say, read from templates, scripts, views and designs."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, nodes

from percuss.study.design import Design, design_names, load_design

PORTAL = Path(__file__).resolve().parents[1] / "src" / "percuss" / "study" / "portal"
STUDY = PORTAL.parent
SENTENCE = re.compile(r"^(?:“?\{?[A-Z“\{]).*\s.*[.!?:]\Z", re.DOTALL)
NOT_SHOWN = re.compile(r"^\{[a-z_]+\}$")
SAYERS = ("CantNow", "Locked", "NotListed", "Said", "_problem")
SPOKEN_BY = ("answers.py", "settings.py", "store/work.py", "store/settling.py", "store/people.py")
"""Modules beside the views whose sentences reach a screen."""
MORE = (
    *("draft", "pilot", "open", "paused", "locked", "archived"),
    *("rater", "adjudicator", "coordinator", "imported"),
    *("not given", "yes", "no", "none", "answered", "no source written", "nothing to mark"),
    "“{quote}”",
    *("years", "months", "weeks", "days", "hours", "minutes", "per Mb"),
    *(
        "Not found",
        "Not your page",
        "Please send it again",
        "That did not work",
        "Not open now",
        "You have withdrawn",
        "This link does not work",
        "This study is closed",
        "Nothing to settle together",
        "Not possible",
        "Please wait",
    ),
    *("Sign in with your institution", "nobody marked anything", "no items"),
    *("nobody was asked this twice", "no two people were asked this about the same item"),
    *("no item was judged by two people", "no item was judged twice by the same person"),
    *("fewer than two items were judged by two people", "fewer than three items were scored by both"),
    "{seconds} s per item (median of {n})",
    "{share} % of {n} answers are “{label}”; of the others at most {others} %",
    "{n} of {total} hidden repeats were answered differently",
    "{n} of {total} attention items were failed",
    "In the study “{title}” there is something left for you to judge: {left} of {total} items, about {minutes} minute.",
    "In the study “{title}” there is something left for you to judge: {left} of {total} items, about {minutes} minutes.",
    "Everything that you have answered is kept; you go on where you stopped:",
    *("You may stop at any time.", "Questions: {contact}", "Dear {name},", "Hello,"),
    *("You begin here:", "Settled by {who}"),
    *("{n} item left: {title}", "{n} items left: {title}"),
    *("label", "consensus", "role of", "consent of", "account of", "invitation of", "every open item"),
    "can't be computed from these answers",
    *("one of the two raters chose only “{label}”", "both raters chose only “{label}”"),
    "Cohen's kappa",
    "Cohen's kappa, quadratic",
    "Krippendorff's alpha",
)
"""Words that are put together elsewhere: states, roles, units, what statistics and stores say."""


def of_templates() -> dict[str, str]:
    """Return sentence -> template of everything that is said by `t` and `t.n`."""
    environment = Environment()
    found: dict[str, str] = {}
    for path in sorted((PORTAL / "templates").glob("*.html")):
        tree = environment.parse(path.read_text(encoding="utf-8"))
        for call in tree.find_all(nodes.Call):
            target = call.node
            plural = isinstance(target, nodes.Getattr) and target.attr == "n"
            if not plural and not (isinstance(target, nodes.Name) and target.name == "t"):
                continue
            for argument in call.args[1:3] if plural else call.args[:1]:
                for const in [argument, *argument.find_all(nodes.Const)]:
                    if isinstance(const, nodes.Const) and re.search("[A-Za-z]{2}", str(const.value)):
                        found[const.value] = path.name
        for pair in tree.find_all(nodes.Assign):
            if isinstance(pair.target, nodes.Name) and pair.target.name == "named":
                found |= {one.value: path.name for one in pair.node.find_all(nodes.Const) if " " in one.value}
    return found


def of_scripts() -> dict[str, str]:
    """Return sentence -> script of everything that the browser says."""
    found: dict[str, str] = {}
    for path in sorted((PORTAL / "static").glob("*.js")):
        text = path.read_text(encoding="utf-8")
        for call in re.finditer(r"(?<![\w.])t\(((?:[^()]|\([^()]*\))*)", text):
            head = call.group(1).partition(", { ")[0]
            found |= dict.fromkeys(re.findall(r'"([^"]*[a-z][^"]*)"', head), path.name)
    return found


def of_views() -> dict[str, str]:
    """Return sentence -> module of the sentences in Python that reach a screen; an f-string that is one is refused."""
    found: dict[str, str] = {}
    paths = [
        *sorted((PORTAL / "views").glob("*.py")),
        PORTAL / "app.py",
        PORTAL / "choosing.py",
        PORTAL / "many.py",
    ]
    for path in (*paths, *(STUDY / name for name in SPOKEN_BY)):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        skipped = {id(node) for node in _unspoken(tree)}
        for node in ast.walk(tree):
            text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
            if id(node) not in skipped and SENTENCE.match(text):
                found[text] = path.name
    return found


def of_refusals() -> dict[str, str]:
    """Return sentence -> module of what says why something can't be done, or what does not fit: `CantNow`, `Said` and kin."""
    found: dict[str, str] = {}
    for path in sorted(STUDY.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for one in _said_in(node):
                if isinstance(one, ast.Constant) and isinstance(one.value, str):
                    found[one.value] = path.name
    return found


def _said_in(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the sentences of a call that says one, and those that wait under the name `sentence` to be said."""
    if isinstance(node, ast.Assign) and any(
        isinstance(t, ast.Name) and t.id == "sentence" for t in node.targets
    ):
        yield from ast.walk(node.value)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SAYERS:
        yield from (one.value for one in node.keywords if one.arg == "sentence")
        yield from node.args[:1]


def _unspoken(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield docstrings and what is raised for those who run the study."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            yield node.value


@cache
def of_designs() -> dict[str, str]:
    """Return sentence -> design of all that the shipped designs ask and explain, but what practice items show."""
    found: dict[str, str] = {}
    for name in design_names():
        found |= dict.fromkeys(_of_design(load_design(name)), name)
    return found


def _of_design(design: Design) -> Iterator[str]:
    yield from (design.title, design.task, *design.guide, *design.cant)
    yield from (preset.name for preset in design.preset)
    yield from (practice.why for practice in design.practice)
    for one in design.field:
        yield from filter(None, (one.label, one.note))
    for question in design.question:
        yield from filter(None, (question.ask, question.about, question.hint))
        for option in question.option:
            yield from filter(None, (option.label, option.anchor, option.example))


def every() -> dict[str, dict[str, Any]]:
    """Return all sentences by the file of the catalogue in which they stand."""
    portal = {**of_templates(), **of_views(), **of_refusals(), **dict.fromkeys(MORE, "more")}
    return {
        "browser": of_scripts(),
        "designs": {k: v for k, v in of_designs().items() if k not in portal},
        "portal": {k: v for k, v in portal.items() if not NOT_SHOWN.match(k)},
    }


def of_practice() -> dict[str, str]:
    """Return text -> design of what practice items show, and of the statements marked in them."""
    found: dict[str, str] = {}
    for name in design_names():
        design = load_design(name)
        pictures = {one.name for one in design.field if one.kind == "image"}
        for practice in design.practice:
            shown = {key: value for key, value in practice.shown.items() if key not in pictures}
            found |= dict.fromkeys(_texts(shown), name)
            for mark in practice.answer.get("spans", ()):
                found[practice.shown["answer"][mark["start"] : mark["stop"]]] = name
    return found


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
    elif isinstance(value, str) and re.search(r"[a-z]{2}", value):
        yield value
