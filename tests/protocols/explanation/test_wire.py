"""The command as a person types it, against a server that speaks the chat-completions format and looks at the pictures."""

import asyncio
import io
import json
import os
import sqlite3
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from percuss.models.loopback import Loopback
from percuss.models.wire_server import Images
from percuss.phantoms.plan import Phantom
from percuss.protocols.explanation.phantom import Knobs, Questionnaire, Reader
from percuss.protocols.explanation.told import told_to_reader
from percuss.store import RunStore

ARMS = "none,vh_hm,vo_bb"


async def _percuss(folder: Path, *words: str) -> tuple[int, str, str]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "percuss", *words,
        cwd=folder, env={**os.environ, "WARD_API_KEY": "none"}, stdout=-1, stderr=-1,
    )  # fmt: skip
    out, err = await process.communicate()
    return process.returncode or 0, out.decode(), err.decode()


async def test_pictures_of_a_typed_run_reach_the_server_to_the_pixel(tmp_path: Path) -> None:
    images = Images()
    reader = Reader(
        Knobs.of({"accuracy": 1, "noise": 0, "invalid": 0}), 3, Questionnaire.of(told_to_reader()), images
    )
    async with Loopback(Phantom(id="phantom/reader", planner=reader), images=images) as server:
        code, out, err = await _percuss(
            tmp_path, "run", "explanation", "--model", "openai-api/ward/reader", "--base-url", server.url,
            "--arms", ARMS, "--limit", "4", "--out", "run", "--json", "--keep-pictures",
        )  # fmt: skip
        assert code == 0, err
        asked = sum(server.answered.values())
    values = {
        (e["name"], e["arm"]): e["value"]
        for e in json.loads(out)["estimates"]
        if e["labels"].startswith("rule")
    }
    assert values["accuracy", "none"] == 1.0
    with RunStore.open(tmp_path / "run") as store:
        kept = store.read(_pictures)
        posed = store.read(_posed)
    assert asked == posed == 12
    assert len(kept) >= 3
    for digest, data in kept:
        assert (_pixels(images.get(digest).data) == _pixels(data)).all(), digest


def _pictures(db: sqlite3.Connection) -> list[tuple[str, bytes]]:
    return db.execute("SELECT digest, data FROM blobs WHERE media_type LIKE 'image/%'").fetchall()


def _posed(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT count(*) FROM responses WHERE status = 'done'").fetchone()[0])


def _pixels(data: bytes) -> NDArray[np.uint8]:
    with Image.open(io.BytesIO(data)) as image:
        return np.asarray(image)
