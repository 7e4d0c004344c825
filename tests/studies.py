"""Small studies of every design, and a portal that serves one on loopback: what the study tests share."""

import io
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from PIL import Image

from percuss.core.records import AnnotationItem, Blob
from percuss.study.answers import Given
from percuss.study.create import create
from percuss.study.design import design_names
from percuss.study.portal.app import portal
from percuss.study.portal.security import Passwords
from percuss.study.settings import Settings
from percuss.study.store import work
from percuss.study.study import Study

ALWAYS = ("claim-adjudication", "ranking")
SOME_DESIGNS = [
    pytest.param(name, marks=[pytest.mark.slow] * (name not in ALWAYS)) for name in design_names()
]
"""Two designs that every run of the tests reads byte by byte; the others are read where the slow ones run."""
CHEAP = Passwords(memory_kib=64, rounds=1)  # the real cost would be half of what these tests take

# Words that must never reach a browser: they stand only in hidden fields.
SECRETS = {
    "model": "acme/quillfin-9",
    "arm": "zz_arm_full",
    "truth": "zz_truth",
    "alignment": "zz_alignment",
    "baseline_answer": "zz_baseline_answer",
    "flip": "zz_flip",
    "target": "zz_target",
    "rationale": "zz_rationale",
    "scores": {"cf": "zz_score_cf"},
    "judge": "zz_judge",
    "rule": "zz_rule",
}


def picture(shade: int = 90, size: int = 96) -> bytes:
    """Return a grey picture with a bright square, as PNG."""
    grey = Image.new("L", (size, size), shade)
    grey.paste(200, (20, 20, 60, 50))
    out = io.BytesIO()
    grey.save(out, format="PNG")
    return out.getvalue()


def _shown(design: str, n: int) -> dict[str, Any]:
    text = f"Item {n}: as Quillfin-9 by OpenAI I read stage IB."
    blob = Blob.of(picture(60 + n), "image/png")
    table: dict[str, dict[str, Any]] = {
        "claim-adjudication": {
            "claim": text,
            "evidence": {
                "clinical": {"stage": "IB", "age_years": 60 + n, "egfr": None},
                "pathology": {"tumour_share": 0.5},
            },
            "context": f"The patient is {60 + n}. {text} Nothing else is known.",
        },
        "reader-study": {
            "image": blob.digest,
            "question": f"Is there an effusion in picture {n}?",
            "options": ["yes", "no"],
            "modification": "A box was drawn.",
            "answer": "yes",
            "reasoning": text,
        },
        "qa-verification": {
            "passage": f"Passage {n} on iron.",
            "type": "short answer",
            "question": f"Where, {n}?",
            "answer": text,
        },
        "ranking": {
            "question": f"Which drug, {n}?",
            "reference": "Adrenaline.",
            "answers": [
                {
                    "text": f"Adrenaline at once ({n}).",
                    "model": "acme/quillfin-9",
                    "response_id": f"resp-{n}-1",
                },
                {"text": f"Wait and see ({n}).", "model": "acme/brackle-2", "response_id": f"resp-{n}-2"},
                {"text": text, "model": "acme/sorrel-4", "response_id": f"resp-{n}-3"},
            ],
        },
        "likert5": {"question": f"Diagnosis {n}?", "reference": "Pneumonia.", "answer": text},
        "extraction": {
            "question": "What helps?",
            "answer": f"Iron helps anaemia [1]. Zinc number {n} helps colds (Miller 2015). Rest, says Quillfin-9 of OpenAI, and drink.",
        },
        "source-grounding": {
            "claim": text,
            "reference": "Miller 2015",
            "sources": [
                {"title": "Miller 2015", "text": f"Zinc {n} did little.", "url": "https://example.org/z"}
            ],
        },
        "confirm": {
            "claim": text,
            "reference": "Miller 2015",
            "sources": [{"title": "Miller 2015", "text": "Zinc did little.", "url": "javascript:alert(1)"}],
            "verdict": {"reference": "yes", "content": "no", "rationale": "Not in the text."},
        },
    }
    return table[design]


def items(design: str, count: int = 3, **shown: Any) -> list[AnnotationItem]:
    """Return items of a design; every hidden field holds a word that can be searched for."""
    out = []
    for n in range(count):
        fields = _shown(design, n) | shown
        blobs = (Blob.of(picture(60 + n), "image/png"),) if "image" in fields else ()
        models = ["acme/quillfin-9", "acme/brackle-2"]
        hidden = {
            **SECRETS,
            "model": models[n % 2],
            "verdicts": {"judge:zz_judge_model#1": "supported" if n % 2 else "unsupported"},
        }
        if design == "confirm":
            hidden.pop("verdicts")
        out.append(
            AnnotationItem(
                id=f"zz-item-{n}",
                subject=f"zz-subject-{n}",
                response_id=f"zz-response-{n}",
                stratum={"model": models[n % 2]},
                shown=fields,
                hidden=hidden,
                blobs=blobs,
            )
        )
    return out


def make(
    folder: Path,
    design: str = "claim-adjudication",
    count: int = 3,
    *,
    listed: list[AnnotationItem] | None = None,
    raters: int = 2,
    adjudicators: int = 1,
    database: str = "",
    **settings: Any,
) -> Study:
    """Make a study in a folder and open it."""
    given = {
        "name": "trial",
        "design": design,
        "seed": 7,
        "strata": ("model",),
        "database": database,
        **settings,
    }
    study, _ = create(
        Settings(**given),
        items(design, count) if listed is None else listed,
        folder=folder,
        raters=raters,
        adjudicators=adjudicators,
    )
    return study


class Served(uvicorn.Server):
    """A server in a thread of the test."""

    def install_signal_handlers(self) -> None:
        """Leave the signals to pytest."""


@contextmanager
def serving(study: Study, *, public_url: str = "", path: str = "", port: int = 0) -> Iterator[str]:
    """Serve a study on loopback; the address has no slash at the end."""

    def app(url: str) -> Any:
        taken = url.rpartition(":")[2]
        return portal(study, public_url=public_url.format(port=taken), passwords=CHEAP)

    with serving_app(app, port=port) as url:
        yield f"{url}{path}"


@contextmanager
def serving_app(make_app: Callable[[str], Any], *, port: int = 0) -> Iterator[str]:
    """Serve an application on loopback, made for the address it gets."""
    import socket

    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen(256)
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    server = Served(uvicorn.Config(make_app(url), log_level="error", access_log=False, lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.01)
    try:
        yield url
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()


def jsonl(path: Path, rows: list[Any]) -> Path:
    """Write rows as JSONL."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def answer_all(study: Study, rater: str, answer: Any, seconds: int = 10) -> None:
    """Answer a whole list; `answer` gives the answer to item number and whether it came back."""
    while True:
        with study.database.read() as connection:
            slot = work.next_slot(connection, rater)
        if slot is None:
            return
        given = answer(slot.item, slot.again)
        given = given if isinstance(given, Given) else Given(answer=given, active_ms=seconds * 1000)
        study.database.write(lambda c, s=slot, g=given: work.save_label(c, rater, s.token, g))  # type: ignore[misc]
