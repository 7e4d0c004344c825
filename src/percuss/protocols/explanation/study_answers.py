"""Answers of a reader study as they were released: pairs of raw replies, before and under a modification, as cases and answers."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from percuss.core.errors import BadInput
from percuss.core.strict import Record
from percuss.protocols.explanation.answers import option_of
from percuss.protocols.explanation.armnames import BIASED, KINDS, ArmName
from percuss.protocols.explanation.cases.tables import question_id
from percuss.protocols.explanation.questions import BY_ID
from percuss.protocols.explanation.replies import parse

__all__ = ["Pair", "StudyAnswers", "pairs", "study_answers", "written"]

_NEEDED = ("uid", "question", "original_prediction", "biased_prediction", "target", "model_name", "task")
_ENDINGS = (".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".webp", ".dcm")


class Pair(Record):
    """One row: a model's reply without and with a modification.

    Args:
        picture: id of the picture. question: id of one of the 32. truth: the true option. arm: name of the modified arm.
        target: option that the cue names, None where it names none. before, after: raw replies.
        recorded: the two answers as the file's own parser read them.
    """

    picture: str
    question: str
    truth: str
    arm: str
    target: str | None
    model: str
    before: str
    after: str
    recorded: tuple[str, str] = ("", "")


class StudyAnswers(Record):
    """What a file gives: cases, answers, and the rows that were left out, each with its reason.

    `agree` of `parsed` replies are read as the file's own parser read them.
    """

    cases: tuple[dict[str, Any], ...]
    answers: tuple[dict[str, Any], ...]
    left_out: tuple[str, ...]
    parsed: int = 0
    agree: int = 0


def study_answers(path: Path, pictures: Path | None = None) -> StudyAnswers:
    """Return the cases and answers of a released file; a row that can't be read fails itself.

    Args:
        path: JSON, a list of rows. pictures: folder with a picture per `uid`; None where there are none.

    Raises:
        BadInput: not a list of rows, or no row that can be read.
    """
    found, wrong = pairs(path)
    taken = _Taken(pictures)
    for line, pair in found:
        why = taken.problem(pair)
        if why is not None:
            wrong.append(f"row {line}: {why}")
    if not taken.answers:
        first = wrong[0] if wrong else "there is none"
        raise BadInput(f"none of its rows can be read; the first: {first}", source=path.name)
    return StudyAnswers(
        cases=tuple(taken.cases.values()), answers=tuple(taken.answers.values()), left_out=tuple(wrong),
        parsed=taken.agree.total(), agree=taken.agree[True],
    )  # fmt: skip


class _Taken:
    """Rows as they are taken in: one case per picture and question, an unmodified answer with each modified one.

    Args:
        pictures: as in `study_answers`.
    """

    def __init__(self, pictures: Path | None) -> None:
        self._pictures = pictures
        self._befores: dict[tuple[str, str], list[str]] = {}
        self.cases: dict[str, dict[str, Any]] = {}
        self.answers: dict[tuple[str, str, str, int], dict[str, Any]] = {}
        self.agree: Counter[bool] = Counter()

    def problem(self, pair: Pair) -> str | None:
        """Take a row, or say why it can't be taken."""
        name = f"{pair.picture}:{pair.question}"
        said = self._befores.setdefault((pair.model, name), [])
        epoch = said.index(pair.before) if pair.before in said else len(said)
        held = self.cases.get(name)
        if held is not None and held["answer"] != pair.truth:
            return f"the truth is {pair.truth!r} here and {held['answer']!r} in an earlier row"
        if (pair.model, name, pair.arm, epoch) in self.answers:
            return f"a second answer of {pair.model} to {name} in {pair.arm}; it can't be told which counts"
        image = _image(pair.picture, self._pictures)
        self.cases.setdefault(
            name, {"id": pair.picture, "image": image, "question": pair.question, "answer": pair.truth}
        )
        said += [] if pair.before in said else [pair.before]
        base = {"id": name, "model": pair.model, "epoch": epoch}
        self.answers.setdefault(
            (pair.model, name, "none", epoch), {**base, "arm": "none", "text": pair.before}
        )
        target = {} if pair.target is None else {"artifacts": {"target": pair.target}}
        self.answers[pair.model, name, pair.arm, epoch] = {
            **base,
            "arm": pair.arm,
            "text": pair.after,
            **target,
        }
        self.agree.update(_as_recorded(pair))
        return None


def pairs(path: Path) -> tuple[list[tuple[int, Pair]], list[str]]:
    """Return the rows that can be read with their numbers, and what is wrong with the others.

    Args:
        path: JSON, a list of rows.

    Raises:
        BadInput: not a list of rows.
    """
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadInput(f"not JSON ({error}); expected a list of rows", source=path.name) from error
    if not isinstance(rows, list):
        raise BadInput(f"got {type(rows).__name__}; expected a list of rows", source=path.name)
    found, wrong = [], []
    for line, row in enumerate(rows, start=1):
        try:
            found.append((line, _pair(row, path, line)))
        except BadInput as error:
            wrong.append(f"row {line}: {error.args[0]}")
    return found, wrong


def _pair(row: Any, path: Path, line: int) -> Pair:
    where: dict[str, Any] = {"source": path.name, "line": line}
    missing = [name for name in _NEEDED if not isinstance(row, dict) or row.get(name) in (None, "")]
    if missing:
        raise BadInput(f"has no {', '.join(missing)}", **where)
    asked = {"question": row["question"], "type": row.get("question_type")}
    question = BY_ID[question_id(asked, path.name, line)]
    truth = option_of(str(row["target"]), question.options)
    if truth is None:
        raise BadInput(f"the target {row['target']!r} is none of {', '.join(question.options)}", **where)
    given = row.get("injected_answer")
    target = None if given in (None, "") else option_of(str(given), question.options)
    if given not in (None, "") and target is None:
        raise BadInput(f"the injected answer {given!r} is none of {', '.join(question.options)}", **where)
    arm = _arm(str(row["task"]), truth, target)
    if arm is None:
        raise BadInput(
            f"the task {row['task']!r} is no arm; expected one of {', '.join(KINDS)}, and an injected answer where it points at one",
            **where,
        )
    texts = {
        name: _text(row[f"{key}_prediction"]) for name, key in (("before", "original"), ("after", "biased"))
    }
    return Pair(
        picture=str(row["uid"]), question=question.id, truth=truth, arm=arm, target=target, model=str(row["model_name"]),
        recorded=(str(row.get("original_answer") or ""), str(row.get("biased_answer") or "")), **texts,
    )  # fmt: skip


def _text(reply: Any) -> str:
    return reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)


def _arm(task: str, truth: str, target: str | None) -> str | None:
    """The arm that a task's name means: one of ours in any spelling; the side follows from what the cue names."""
    plain = re.sub(r"[^a-z]+", "_", task.casefold()).strip("_")
    kind = next(
        (
            kind
            for kind in sorted(KINDS, key=len, reverse=True)
            if plain == kind or plain.startswith(f"{kind}_")
        ),
        None,
    )
    if kind is None or kind == "none" or (kind in BIASED and target is None):
        return None
    side: Any = None if kind not in BIASED else "aligned" if target == truth else "misleading"
    return str(ArmName(kind=kind, alignment=side))


def _image(picture: str, pictures: Path | None) -> str:
    """The picture's file: the one of that name, else a name that no file has, so that the case says that it has none."""
    names = (
        [f"{picture}{end}" for end in _ENDINGS] if Path(picture).suffix.lower() not in _ENDINGS else [picture]
    )
    held = next((name for name in names if pictures is not None and (pictures / name).is_file()), None)
    return names[0] if held is None or pictures is None else str((pictures / held).resolve())


def _as_recorded(pair: Pair) -> Iterator[bool]:
    options = BY_ID[pair.question].options
    for reply, recorded in zip((pair.before, pair.after), pair.recorded, strict=True):
        if recorded:
            yield parse(reply, options).option == option_of(recorded, options)


def written(found: StudyAnswers, folder: Path) -> tuple[Path, Path]:
    """Write cases.jsonl and answers.jsonl to a folder and return their paths.

    Args:
        found: of a file. folder: made where it isn't there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    out = folder / "cases.jsonl", folder / "answers.jsonl"
    for path, rows in zip(out, (found.cases, found.answers), strict=True):
        path.write_text("".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows), encoding="utf-8")
    return out
