"""Items: from CSV, JSONL and runs; deny by default; pictures made clean; bad input in one sentence with its line."""

import io
import re
import zlib
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import openpyxl
import pytest
from PIL import Image, PngImagePlugin

from percuss.core.errors import BadInput, UsageError
from percuss.core.records import AnnotationItem, Blob
from percuss.study.design import load_design, parse_design
from percuss.study.files import read_ids, read_items
from percuss.study.items import machine_verdicts, prepare_all, stratum_of
from percuss.study.pictures import clean_picture
from tests.studies import items, jsonl, make, picture
from tests.unit.study.conftest import Browser
from tests.unit.study.dicoms import SECRETS, dicom

CLAIM = load_design("claim-adjudication")


def test_columns_are_shown_by_name_or_alias_and_all_else_is_hidden(tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    path.write_text(
        "id,claim_text,packet,model,stratum.arm,judge:g#1,remark\n"
        'c1,Stage IB.,"{""clinical"": {""stage"": ""IB""}}",openai/gpt-4o,full,supported,secret\n',
        encoding="utf-8",
    )
    [item], _ = prepare_all(read_items(path, CLAIM), CLAIM)
    assert item.shown == {"claim": "Stage IB.", "evidence": {"clinical": {"stage": "IB"}}}
    assert item.hidden["model"] == "openai/gpt-4o"
    assert item.hidden["remark"] == "secret"
    assert machine_verdicts(item) == {"judge:g#1": "supported"}
    labels = {"judge:g#1": "supported", "human:consensus": "partial", "human": "partial"}
    before = msgspec.structs.replace(item, hidden={**item.hidden, "verdicts": labels})
    assert machine_verdicts(before) == {"judge:g#1": "supported"}, (
        "people who labelled the run before are no machine"
    )
    assert stratum_of(item, ("arm", "model")) == "full | openai/gpt-4o"
    with pytest.raises(UsageError, match="no such field"):
        stratum_of(item, ("tier",))


def test_answers_of_a_ranking_come_from_columns_and_keep_their_models_hidden(tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    path.write_text("id,question,reference,answer.m1,answer.m2\nq1,Which?,This.,One by M1.,Two.\n")
    [item], _ = prepare_all(read_items(path, load_design("ranking")), load_design("ranking"))
    assert [answer["text"] for answer in item.shown["answers"]] == ["One by M1.", "Two."]
    assert item.hidden["answer_ids"] == {"a1": {"model": "m1"}, "a2": {"model": "m2"}}


def test_pictures_lie_beside_the_file_and_are_written_anew(tmp_path: Path) -> None:
    data = Image.new("L", (40, 30), 90)
    info = PngImagePlugin.PngInfo()
    info.add_text("Comment", "patient Ada, model quillfin")
    data.save(tmp_path / "a.png", pnginfo=info)
    rows: list[dict[str, Any]] = [
        {
            "id": "x",
            "image": "a.png",
            "question": "?",
            "modification": "none",
            "answer": "yes",
            "reasoning": "so",
        }
    ]
    design = load_design("reader-study")
    [item], [blob] = prepare_all(read_items(jsonl(tmp_path / "i.jsonl", rows), design), design)
    assert item.shown["image"] == [{"n": 0, "caption": ""}]
    assert item.pictures == (blob.digest,)
    assert b"patient" not in blob.data
    assert Image.open(io.BytesIO(blob.data)).size == (40, 30)
    rows[0]["image"] = "../../etc/passwd"
    with pytest.raises(BadInput, match="outside the folder"):
        list(read_items(jsonl(tmp_path / "i.jsonl", rows), design))


def _bomb() -> bytes:
    """Return a PNG of 60,000 x 60,000 in a few kilobytes."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

    head = (60_000).to_bytes(4, "big") * 2 + bytes([8, 0, 0, 0, 0])
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(bytes(4096)))
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize(
    "data",
    [
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        _bomb(),
        picture()[:60],
        b"GIF89a<script>alert(1)</script>",
        b"",
    ],
    ids=["svg", "bomb", "cut", "gif", "empty"],
)
def test_a_hostile_picture_is_refused(data: bytes) -> None:
    with pytest.raises(BadInput, match="picture"):
        clean_picture(data, "x.png")


def test_what_hides_behind_a_picture_is_cut_off() -> None:
    clean = clean_picture(picture() + b"<script>alert(1)</script>", "x.png").blob
    assert b"script" not in clean.data
    assert clean.media_type == "image/png"


def test_sixteen_bit_pictures_keep_every_grey_value() -> None:
    out = io.BytesIO()
    deep = Image.new("I;16", (8, 8), 1000)
    deep.putpixel((0, 0), 3000)
    deep.save(out, format="PNG")
    clean = clean_picture(out.getvalue(), "x.png")
    picture = Image.open(io.BytesIO(clean.blob.data))
    assert (picture.mode, picture.getpixel((0, 0)), picture.getpixel((5, 5))) == ("I;16", 2000, 0)
    assert (clean.shown["low"], clean.shown["span"], clean.shown["step"]) == (1000.0, 2000.0, 1.0)


def test_a_dicom_keeps_rescale_window_and_spacing_and_nothing_else(tmp_path: Path, database: str) -> None:
    values = np.arange(4096, dtype=np.uint16).reshape(64, 64)
    tags = {
        "RescaleSlope": 1,
        "RescaleIntercept": -1024,
        "WindowCenter": 40,
        "WindowWidth": 400,
        "PixelSpacing": [0.5, 0.25],
    }
    data = dicom(values, BurnedInAnnotation="YES", **tags)
    clean = clean_picture(data, "film.dcm")
    assert clean.shown == {
        "depth": "16",
        "low": -1024.0,
        "span": 4095.0,
        "step": 1.0,
        "window": [40.0, 400.0],
        "spacing": [0.5, 0.25],
    }
    assert "burnt into" in clean.warning
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(clean.blob.data))), values)
    (tmp_path / "film.dcm").write_bytes(data)
    row = {
        "id": "a",
        "image": "film.dcm",
        "question": "?",
        "modification": "none",
        "answer": "yes",
        "reasoning": "r",
        "stratum.model": "m",
    }
    listed = list(read_items(jsonl(tmp_path / "i.jsonl", [row]), load_design("reader-study")))
    with make(tmp_path / "s", "reader-study", listed=listed, raters=1, database=database) as study:
        browser = Browser(study)
        browser.join("r1")
        browser.practise()
        page = browser.get("/work")
        source = re.search(r'data-src="([^"]+)"', page.text)
        assert source is not None
        assert browser.get(source.group(1)).status_code == 200
        for secret in SECRETS:
            assert secret.encode() not in browser.bytes
        assert b"film.dcm" not in browser.bytes


def test_a_monochrome1_dicom_is_turned_round_and_a_colour_one_refused() -> None:
    values = np.array([[0, 4095], [10, 20]], dtype=np.uint16)
    clean = clean_picture(
        dicom(values, PhotometricInterpretation="MONOCHROME1", BurnedInAnnotation="NO"), "x"
    )
    assert np.asarray(Image.open(io.BytesIO(clean.blob.data))).tolist() == [[4095, 0], [4085, 4075]]
    assert clean.warning == ""
    with pytest.raises(BadInput, match="DICOM"):
        clean_picture(b"\0" * 128 + b"DICM" + b"rubbish", "x")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"claim": "x"}\n', "line 1: no `id`"),
        ('{"id": "a", "claim": "x"}\n{"id"\n', "line 2: not JSON"),
        ("[1]\n", "each item is an object"),
        ('{"id": "a", "shown": {}, "colour": 3}\n', "unknown colour"),
    ],
)
def test_a_row_that_cannot_be_read_says_where(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "i.jsonl"
    path.write_text(text)
    with pytest.raises(BadInput, match=words):
        list(read_items(path, CLAIM))


TABLE = "row;said;given\na;Stage IB;stage is IB\n"


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_columns_that_are_called_otherwise_are_named_by_map(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"i.{ending}"
    if ending == "csv":
        path.write_text(TABLE)
    else:
        book = openpyxl.Workbook()
        for row in TABLE.splitlines():
            book.active.append(row.split(";"))
        book.save(path)
    with pytest.raises(
        BadInput, match=r"no column for id, evidence, claim, .* --map id=COLUMN,evidence=COLUMN,claim=COLUMN"
    ):
        list(read_items(path, CLAIM))
    with pytest.raises(BadInput, match="no column 'words', which --map claim=words names"):
        list(read_items(path, CLAIM, ["id=row,claim=words"]))
    with pytest.raises(UsageError, match="--map 'colour=x' is not field=column"):
        list(read_items(path, CLAIM, ["colour=x"]))
    (item,) = read_items(path, CLAIM, ["id=row,claim=said", "evidence=given"])
    assert (item.id, item.fields) == ("a", {"claim": "Stage IB", "evidence": "stage is IB"})


def test_missing_fields_and_double_ids_are_refused_and_nothing_is_left(tmp_path: Path, database: str) -> None:
    whole = items("claim-adjudication", 2)
    with pytest.raises(BadInput, match="has no evidence"):
        make(
            tmp_path / "s",
            listed=[AnnotationItem(id="a", subject="a", response_id="a", shown={"claim": "x"})],
            database=database,
        )
    with pytest.raises(BadInput, match="two items have the id"):
        make(tmp_path / "s", listed=[whole[0], whole[0]], database=database)
    with pytest.raises(BadInput, match="no character"):
        make(tmp_path / "s", listed=[msgspec.structs.replace(whole[0], id="a\0")], database=database)
    with pytest.raises(UsageError, match="no item"):
        make(tmp_path / "s", listed=[], database=database)
    assert not (tmp_path / "s").exists()


def test_a_list_of_ids_takes_subjects_and_items(tmp_path: Path, database: str) -> None:
    path = tmp_path / "ids.txt"
    path.write_text("# from the report\nzz-subject-1,extra\nzz-item-0\n")
    ids = read_ids(path)
    assert ids == ("zz-subject-1", "zz-item-0")
    from percuss.study.create import create
    from percuss.study.settings import Settings

    given = Settings(name="t", design="claim-adjudication", seed=1, database=database)
    study, made = create(given, items("claim-adjudication", 4), folder=tmp_path / "s", ids=ids)
    study.close()
    assert (made.items, made.offered) == (2, 2)
    with pytest.raises(UsageError, match="not there"):
        create(given, items("claim-adjudication", 4), folder=tmp_path / "t", ids=("nobody",))


def test_pictures_can_come_by_digest_from_elsewhere() -> None:
    blob = Blob.of(picture(), "image/png")
    shown = {"image": blob.digest, "question": "?", "modification": "m", "answer": "yes", "reasoning": "so"}
    item = AnnotationItem(id="a", subject="a", response_id="a", shown=shown)
    prepared, blobs = prepare_all([item], load_design("reader-study"), blob={blob.digest: blob}.__getitem__)
    assert prepared[0].pictures == (blobs[0].digest,)
    with pytest.raises(BadInput, match="not with the item"):
        prepare_all([item], load_design("reader-study"), blob=dict[str, Blob]().__getitem__)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (('name = "claim"', 'name = "model"'), "shown and hidden"),
        (('kind = "choice"', 'kind = "dance"'), "not a design"),
        (('name = "support"', 'name = "support"\nwhen = {other = ["x"]}'), "not asked"),
    ],
)
def test_a_design_that_contradicts_itself_is_refused(change: tuple[str, str], words: str) -> None:
    text = (Path(__file__).parents[3] / "src/percuss/study/designs/claim-adjudication.toml").read_text()
    with pytest.raises(BadInput, match=words):
        parse_design(text.replace(*change), "mine.toml")


def test_a_design_of_ones_own_is_a_file(tmp_path: Path, database: str) -> None:
    shipped = Path(__file__).parents[3] / "src/percuss/study/designs/likert5.toml"
    own = tmp_path / "mine.toml"
    own.write_text(shipped.read_text().replace('name = "likert5"', 'name = "mine"'))
    with make(tmp_path / "s", str(own), listed=items("likert5", 2), database=database) as study:
        assert study.design.name == "mine"
    with pytest.raises(UsageError, match="claim-adjudication"):
        load_design("nothing")


def test_marks_of_practice_items_begin_and_end_at_words() -> None:
    for practice in load_design("extraction").practice:
        text = practice.shown["answer"]
        for span in practice.answer["spans"]:
            marked = text[span["start"] : span["stop"]]
            assert marked == marked.strip(" .([")
            assert not text[span["stop"] : span["stop"] + 1].isalnum()
