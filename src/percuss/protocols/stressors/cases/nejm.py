"""AgentClinic's NEJM cases (JSONL): one paragraph that ends in its question, five answers, and a picture by its address; cut by the sentence as mediQ's."""

import re
from mimetypes import guess_type
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from msgspec.structs import replace

from percuss.core.errors import BadInput
from percuss.core.messages import Blob
from percuss.protocols.stressors.cases import mediq
from percuss.protocols.stressors.scenario.vignettes import Vignette
from percuss.text.sentences import split

__all__ = ["is_nejm", "picture_of", "vignette_of"]

FEWEST = 3
"""Sentences beside the question below which nothing could be withheld."""


def is_nejm(record: dict[str, Any]) -> bool:
    """Tell whether a JSON object has the layout of AgentClinic's NEJM cases."""
    return {"question", "answers", "image_url"} <= set(record)


def vignette_of(record: dict[str, Any], line: int) -> Vignette:
    """Return a case as a vignette: its sentences are the facts, its correct answer is the diagnosis.

    Args:
        record: one line of the file; what it writes for actors (`patient_info`, `physical_exams`) is not read, the paragraph holds it all.
        line: its number, which names the case.

    Raises:
        BadInput: no paragraph with a question, or not just one correct answer.
    """
    text, answers = record["question"], record["answers"]
    options = [each for each in answers if isinstance(each, dict)] if isinstance(answers, list) else []
    right = [str(each.get("text", "")).strip() for each in options if each.get("correct") is True]
    if not isinstance(text, str) or len(right) != 1 or not right[0]:
        raise BadInput(
            "a NEJM case holds a question, and answers of which one is correct; expected both", line=line
        )
    sentences = [text[a:b].strip() for a, b in split(text)]
    told = [each for each in sentences if not each.endswith("?")]
    if len(told) < FEWEST:
        raise BadInput(
            f"a NEJM case tells its findings before its question; got {len(told)} sentences", line=line
        )
    asked = " ".join(each for each in sentences if each.endswith("?"))
    name = f"nejm-{line}"
    made = mediq.vignette_of(
        {
            "id": name, "context": told, "facts": told, "answer": right[0], "question": asked,
            "options": {"ABCDEFGHIJ"[n]: str(each.get("text", "")).strip() for n, each in enumerate(options[:10])},
        },
        line,
    )  # fmt: skip
    return replace(made, id=name, cluster=name, layout="nejm", picture=str(record["image_url"] or ""))


def picture_of(vignette: Vignette, folder: Path) -> Blob | None:
    """Return the picture of a case from the folder of its file; None where none is named or there. Nothing is fetched.

    Args:
        vignette: with `picture`: a file's name, or an address whose `id` (else its last part) is the stem of a file in the folder.
        folder: of the file of cases.
    """
    if not vignette.picture:
        return None
    address = urlsplit(vignette.picture)
    stem = next(iter(parse_qs(address.query).get("id", ())), "") or Path(address.path).stem
    if not re.fullmatch(r"[\w.-]+", stem):
        return None
    for path in sorted(folder.glob(f"{stem}.*")):
        kind = guess_type(path.name)[0] or ""
        if kind.startswith("image/"):
            return Blob.of(path.read_bytes(), kind)
    return None
