"""`ingest`: what is written, what is said, and that a second start embeds nothing."""

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from percuss.api.run.session import OwnSession
from percuss.core.errors import UsageError
from percuss.core.ports import Roles
from percuss.protocols.textbook.ingest.command import IngestOptions, ingest
from percuss.protocols.textbook.ingest.funnel import sieve
from percuss.protocols.textbook.ingest.passage import paragraphs_of
from percuss.protocols.textbook.ingest.readers import books_of
from percuss.protocols.textbook.ingest.semantic import calibrated, measured, semantic_sieve
from percuss.protocols.textbook.ingest.vectors import embedded
from tests.protocols.textbook.books import CNXML, NOISE, PROSE, epub, shared, two_columns


class Topics:
    """Embeds by the words of a sentence, so that sentences of one subject lie close."""

    id, pin = "test/topics", "1"

    def __init__(self) -> None:
        self.texts: list[str] = []

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts += texts
        rows = np.zeros((len(texts), 64), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                row[sum(map(ord, word)) % 64] += 1
        made: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        return made


def session(*, dry_run: bool = False) -> OwnSession:
    return OwnSession(Roles({}, seed=42), dry_run=dry_run)


def book(folder: Path) -> Path:
    path = folder / "book.txt"
    path.write_text("\n\n".join(["Diuretics", *PROSE, PROSE[0], *NOISE]), encoding="utf-8")
    return path


def test_passages_funnel_and_what_fell_are_written(tmp_path: Path) -> None:
    options = IngestOptions(
        files=(str(book(tmp_path)),), out=str(tmp_path / "out"), embedder="none", licence="CC0"
    )
    result = asyncio.run(ingest(options, session()))
    rows = [
        json.loads(line)
        for line in (tmp_path / "out" / "passages.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert [row["text"] for row in rows] == list(PROSE)
    assert {row["licence"] for row in rows} == {"CC0"}
    assert all(row["section"] == "Diuretics" and row["coherence_variance"] is None for row in rows)
    funnel = json.loads((tmp_path / "out" / "funnel.json").read_text(encoding="utf-8"))
    assert (funnel["read"], funnel["kept"]) == (7, 3)
    came = [step["came"] - step["fell"] for step in funnel["steps"]]
    assert came[-1] == funnel["kept"]
    assert [step["applied"] for step in funnel["steps"][-2:]] == [False, False]
    assert "left out (--embedder none)" in result.text
    left = (tmp_path / "out" / "left_out.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(left) == funnel["read"] - funnel["kept"]


def test_books_of_several_formats_go_the_same_way(tmp_path: Path) -> None:
    folder = tmp_path / "books"
    folder.mkdir()
    (folder / "a.epub").write_bytes(epub([("Loop", list(PROSE[:2])), ("Others", [PROSE[2], NOISE[2]])]))
    (folder / "b.pdf").write_bytes(two_columns(list(PROSE)))
    (folder / "c.cnxml").write_bytes(CNXML.format(PROSE[0], PROSE[1]).encode())
    options = IngestOptions(
        files=(str(folder),), out=str(tmp_path / "out"), embedder="none", licence="CC BY 4.0"
    )
    asyncio.run(ingest(options, session()))
    lines = (tmp_path / "out" / "passages.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert [row["text"] for row in rows] == list(PROSE)  # the first of each; the other books say the same
    assert {row["source"] for row in rows} == {"a.epub"}
    left = [
        json.loads(line)
        for line in (tmp_path / "out" / "left_out.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert {row["source"] for row in left if row["step"] == "duplicates"} == {"b.pdf", "c.cnxml"}
    assert all(
        row["book"] and row["section"] and row["licence"] and row["stop"] > row["start"] for row in rows
    )


def test_a_dry_run_writes_nothing_and_calibration_needs_an_embedder(tmp_path: Path) -> None:
    options = IngestOptions(files=(str(book(tmp_path)),), out=str(tmp_path / "out"))
    said = asyncio.run(ingest(options, session(dry_run=True))).text
    assert said.startswith("would read 1 files")
    assert not (tmp_path / "out").exists()
    wrong = IngestOptions(files=(str(book(tmp_path)),), embedder="none", calibrate=True)
    with pytest.raises(UsageError, match="expected an embedder to calibrate"):
        asyncio.run(ingest(wrong, session()))


def test_a_sentence_is_embedded_once_and_found_again(tmp_path: Path) -> None:
    embedder = Topics()
    first = asyncio.run(embedded(["a b", "c", "a b"], embedder, tmp_path))
    again = asyncio.run(embedded(["c", "a b", "d e"], embedder, tmp_path))
    assert sorted(embedder.texts) == ["a b", "c", "d e"]
    assert all((first[text] == again[text]).all() for text in ("a b", "c"))
    (tmp_path / "vectors.npz").write_bytes(b"broken")
    assert set(asyncio.run(embedded(["c"], embedder, tmp_path))) == {"c"}


def test_the_semantic_steps_keep_what_is_close_and_scrambles_are_drawn_from_others(tmp_path: Path) -> None:
    texts = [
        " ".join(f"The {word} of number {n} is the {word}." for n in range(4))
        for word in "kidney liver heart lung".split()
    ]
    path = tmp_path / "b.txt"
    path.write_text("\n\n".join(f"{text} It takes 40 mg." for text in texts), encoding="utf-8")
    survivors, _, _ = sieve(paragraphs_of(books_of(path), "b.txt"))
    vectors = asyncio.run(embedded([s for one in survivors for s in one.sentences], Topics(), tmp_path))
    found = measured(survivors, vectors)
    kept, dropped, steps = semantic_sieve(survivors, found)
    assert len(kept) + len(dropped) == len(survivors) == 4
    assert [step.name for step in steps] == ["coherence_variance", "semantic_entropy"]
    told = calibrated(survivors, vectors, embedder="test/topics", seed=1)
    assert told.n == 4
    assert told.variance_real == told.entropy_real == 1
    assert told.variance_scrambled < 1 or told.entropy_scrambled < 1
    assert told == calibrated(survivors, vectors, embedder="test/topics", seed=1)


@pytest.mark.slow
def test_openstax_goes_through_the_funnel() -> None:
    path = shared("openstax/pharmacology.jsonl")
    paragraphs = list(paragraphs_of(books_of(path), path.name))
    survivors, dropped, steps = sieve(paragraphs)
    assert len(paragraphs) == 3_062
    assert len(survivors) + len(dropped) == 3_062
    assert not [one for one in survivors if one.paragraph.section == "Preface"]
    assert not [
        one
        for one in survivors
        if one.paragraph.text.rstrip().endswith("?") and one.paragraph.text.count("?") > 2
    ]
    assert {step.name: step.came for step in steps}["structure"] == 3_062
    assert 2_300 < len(survivors) < 2_800
    assert all(one.paragraph.licence and one.paragraph.book and one.paragraph.name for one in survivors)
