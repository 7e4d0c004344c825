"""Sources of cases: synthetic chests, JSONL, CSV, Parquet, DICOM; bad pictures fail their own cases and nothing else."""

import base64
import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from percuss.core.errors import BadInput
from percuss.core.records import Case
from percuss.protocols.explanation.cases import cases
from percuss.protocols.explanation.cases.sampling import one_split, stratified
from percuss.protocols.explanation.cases.study import Study
from percuss.protocols.explanation.options import ExplanationOptions
from percuss.protocols.explanation.record import reading

OPTIONS = ExplanationOptions()
GREY = np.random.default_rng(3).integers(20, 200, (64, 80)).astype(np.uint8)


def saved(kind: str, image: Image.Image | None = None, **how: Any) -> bytes:
    buffer = io.BytesIO()
    (Image.fromarray(GREY) if image is None else image).save(buffer, kind, **how)
    return buffer.getvalue()


def read(source: Path | str | None, **settings: Any) -> list[Case]:
    return list(cases(None if source is None else str(source), ExplanationOptions(**settings), 42))


def jsonl(folder: Path, *rows: dict[str, Any]) -> Path:
    path = folder / "cases.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def decoded(case: Case) -> Any:
    with Image.open(io.BytesIO(case.blobs[0].data)) as image:
        image.load()
        return np.asarray(image)


def test_twelve_chests_by_default_all_named_synthetic() -> None:
    found = read(None)
    assert len(found) == 12 * 32
    assert len({case.cluster for case in found}) == 12
    assert {reading(case).origin for case in found} == {"synthetic"}
    assert all("synthetic" in case.id for case in found)
    assert len({case.blobs[0].digest for case in found}) == 12


@pytest.mark.parametrize(("source", "n"), [("chests:2", 64), ("chests:icu:1", 32), ("chests:3:icu", 96)])
def test_a_source_names_number_and_mix(source: str, n: int) -> None:
    assert len(read(source)) == n


def test_a_source_that_means_nothing_is_refused() -> None:
    with pytest.raises(BadInput, match="expected chests"):
        read("chests:many")
    with pytest.raises(BadInput, match="no cases at"):
        read("nowhere.jsonl")


def test_a_picture_a_line_and_a_question_a_line(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(saved("PNG"))
    (tmp_path / "b.jpg").write_bytes(saved("JPEG"))
    path = jsonl(
        tmp_path,
        {
            "image": "a.png",
            "patient": "p1",
            "split": "test",
            "fields": {"effusion_right": 2, "effusion_left": 0, "heart": 1},
        },
        {
            "image": "b.jpg",
            "id": "b",
            "question": "How large is the heart?",
            "answer": "Enlarged",
            "type": "ordinal",
            "fields": {"heart": 0},
        },
        {"image": "b.jpg", "id": "b", "question": "c01", "answer": "same", "type": "comparison"},
    )
    found = read(path)
    first = [case for case in found if case.cluster == "p1"]
    assert {reading(case).question for case in first} == {"b03", "b05", "b06", "c01", "o01", "o03", "o04"}
    assert len(reading(first[0]).unposed) == 25
    given = [reading(case) for case in found if case.id.startswith("b:")]
    assert [(row.question, row.answer, row.given, row.disagrees) for row in given] == [
        ("o01", "enlarged", True, True),
        ("c01", "same severity", True, False),
    ]
    assert decoded(first[0]).min() == 0
    assert decoded(first[0]).max() == 255


def test_a_picture_may_stand_in_the_line(tmp_path: Path) -> None:
    url = "data:image/png;base64," + base64.b64encode(saved("PNG")).decode()
    (found,) = read(jsonl(tmp_path, {"id": "x", "image": url, "fields": {"rotated": True}}))
    assert reading(found).problem is None


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"image": "a.png", "fields": {"efusion": 1}}, "line 2: the finding 'efusion' is unknown"),
        ({"image": "a.png", "fields": {"heart": 7}}, "line 2: the finding 'heart' is 7"),
        ({"image": "a.png", "felds": {}}, "line 2: the field 'felds' is unknown"),
        ({"picture": "a.png"}, "line 2: expected an object with the field `image`"),
        ({"image": "a.png", "question": "Why?", "answer": "no"}, "line 2: the question 'Why\\?' is none of the 32"),
        ({"image": "a.png", "question": "b05", "answer": "perhaps"}, "line 2: the answer 'perhaps' to b05 is no option"),
    ],
)  # fmt: skip
def test_bad_records_name_their_line(tmp_path: Path, row: dict[str, Any], words: str) -> None:
    (tmp_path / "a.png").write_bytes(saved("PNG"))
    path = jsonl(tmp_path, {"image": "a.png", "fields": {"heart": 1}}, row)
    with pytest.raises(BadInput, match=words):
        read(path)


def big_png(width: int) -> bytes:
    buffer = io.BytesIO()
    Image.new("L", (width, 40), 90).save(buffer, "PNG")
    return buffer.getvalue()


def animated() -> bytes:
    frames = [Image.new("L", (64, 64), tone) for tone in (10, 200, 90)]
    buffer = io.BytesIO()
    frames[0].save(buffer, "GIF", save_all=True, append_images=frames[1:], duration=100)
    return buffer.getvalue()


BAD = {
    "truncated.png": (saved("PNG")[:300], "truncated or damaged"),
    "cmyk.jpg": (saved("JPEG", Image.new("CMYK", (64, 64))), "is CMYK"),
    "tiny.png": (saved("PNG", Image.new("L", (1, 1))), "1 x 1 pixels; expected at least"),
    "wide.png": (big_png(20_000), "20000 x 40 pixels; expected at most"),
    "animated.gif": (animated(), "animated"),
    "text.png": (b"this is not a picture at all", "is not a picture"),
    "empty.png": (b"", "is not a picture"),
}


def test_bad_pictures_fail_their_own_cases_by_name(tmp_path: Path) -> None:
    rows = []
    for name, (data, _) in BAD.items():
        (tmp_path / name).write_bytes(data)
        rows.append({"image": name, "fields": {"heart": 1}})
    (tmp_path / "good.png").write_bytes(saved("PNG"))
    rows += [{"image": "missing.png", "fields": {"heart": 1}}, {"image": "good.png", "fields": {"heart": 1}}]
    found = {reading(case).image: reading(case) for case in read(jsonl(tmp_path, *rows))}
    assert len(found) == len(rows)
    for name, (_, words) in BAD.items():
        problem = found[name].problem
        assert problem is not None
        assert words in problem, problem
        assert name in problem
    assert "no picture at 'missing.png'" in str(found["missing.png"].problem)
    assert found["good.png"].problem is None


def dicom(**changes: Any) -> bytes:
    import pydicom
    from pydicom.dataset import FileDataset, FileMetaDataset
    from pydicom.uid import ExplicitVRLittleEndian, generate_uid

    meta = FileMetaDataset()
    meta.MediaStorageSOPClassUID = "1.2.840.10008.5.1.4.1.1.1"
    meta.MediaStorageSOPInstanceUID = generate_uid()
    meta.TransferSyntaxUID = ExplicitVRLittleEndian
    data = FileDataset("x.dcm", {}, file_meta=meta, preamble=b"\0" * 128)
    data.PatientName, data.PatientID, data.StudyDate = "Secret^Name", "12345", "20200101"
    data.Rows, data.Columns, data.SamplesPerPixel = 64, 80, 1
    data.PhotometricInterpretation = changes.pop("photometric", "MONOCHROME2")
    data.BitsAllocated, data.BitsStored, data.HighBit, data.PixelRepresentation = 16, 12, 11, 0
    data.WindowCenter, data.WindowWidth = 1000, 400
    if changes.pop("pixels", True):
        ramp = np.tile(np.linspace(0, 2000, 80).astype(np.uint16), (64, 1))
        data.PixelData = ramp.tobytes()
    for name, value in changes.items():
        setattr(data, name, value)
    buffer = io.BytesIO()
    pydicom.dcmwrite(buffer, data)
    return buffer.getvalue()


def test_dicom_goes_through_its_window_and_leaves_its_header_behind(tmp_path: Path) -> None:
    (tmp_path / "one.dcm").write_bytes(dicom())
    (tmp_path / "two.dcm").write_bytes(dicom(photometric="MONOCHROME1"))
    found = read(
        jsonl(tmp_path, *({"image": name, "fields": {"heart": 1}} for name in ("one.dcm", "two.dcm")))
    )
    one, two = (decoded(case) for case in (found[0], found[2]))
    # The window 800..1200 of the ramp 0..2000: black before column 32, white after 48.
    assert (one[:, :31] == 0).all()
    assert (one[:, 49:] == 255).all()
    assert 100 < one[0, 40] < 155
    assert (two[:, :31] == 255).all()
    payload = reading(found[0])
    assert payload.origin == "dicom"
    assert payload.parameters == {"window": {"centre": 1000.0, "width": 400.0}, "photometric": "MONOCHROME2"}
    everything = json.dumps([case.payload for case in found]).encode() + found[0].blobs[0].data
    assert b"Secret" not in everything
    assert b"12345" not in everything


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (lambda: dicom(pixels=False), "holds no pixels"),
        (lambda: dicom(NumberOfFrames=3), "3 frames"),
        (lambda: dicom(SamplesPerPixel=3), "colour"),
        (lambda: dicom()[:2000], "cannot be decoded"),
    ],
)
def test_dicom_without_one_grey_picture_is_a_named_error(tmp_path: Path, data: Any, words: str) -> None:
    (tmp_path / "x.dcm").write_bytes(data())
    found = read(jsonl(tmp_path, {"image": "x.dcm", "fields": {"heart": 1}}))
    assert words in str(reading(found[0]).problem)


def test_chexpert_labels_settle_what_they_can(tmp_path: Path) -> None:
    folder = tmp_path / "patient00001" / "study1"
    folder.mkdir(parents=True)
    (folder / "view1_frontal.jpg").write_bytes(saved("JPEG"))
    path = tmp_path / "valid.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(
            [
                "Path",
                "AP/PA",
                "Cardiomegaly",
                "Edema",
                "Pleural Effusion",
                "Pneumothorax",
                "Lung Lesion",
                "Atelectasis",
            ]
        )
        writer.writerow(
            ["patient00001/study1/view1_frontal.jpg", "AP", "1.0", "-1.0", "1.0", "0.0", "", "0.0"]
        )
    found = {reading(case).question: reading(case) for case in read(path)}
    assert {name: row.answer for name, row in found.items()} == {
        "b03": "yes", "b11": "no", "b12": "no", "b09": "no", "b10": "no", "o07": "none", "o08": "none", "c03": "none",
    }  # fmt: skip
    assert found["b03"].patient == "patient00001"
    assert found["b03"].flags == {"projection": "AP"}


def test_parquet_shards_with_bytes_or_paths(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    (tmp_path / "b.png").write_bytes(saved("PNG"))
    rows = {
        "id": ["one", "two"],
        "image": [{"bytes": saved("PNG"), "path": "a.png"}, {"bytes": None, "path": "b.png"}],
        "question": ["Is there a pleural effusion on the right?", "What is the size of the heart?"],
        "answer": ["Yes", "Enlarged"],
        "type": ["binary", "ordinal"],
    }
    pq.write_table(pa.table(rows), tmp_path / "test-00000-of-00001.parquet")
    found = read(tmp_path)
    assert [(case.id, reading(case).answer) for case in found] == [
        ("one:b05", "yes"),
        ("two:o01", "enlarged"),
    ]
    assert {reading(case).split for case in found} == {"test"}
    assert all(reading(case).problem is None for case in found)


def test_a_shard_that_is_none_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    (tmp_path / "x.parquet").write_bytes(b"PAR0")
    with pytest.raises(BadInput, match="not a Parquet file"):
        read(tmp_path / "x.parquet")


def study(name: str, **fields: Any) -> Study:
    return Study(id=name, load=lambda: GREY, fields=fields)


def test_sampling_is_even_over_the_rarest_findings() -> None:
    studies = [study(f"c{i}", heart=0) for i in range(80)] + [study(f"e{i}", effusion_right=2) for i in range(15)] + [study(f"n{i}", nodule=True) for i in range(5)]  # fmt: skip
    drawn = stratified(studies, 12, seed=1)
    kinds = [one.id[0] for one in drawn]
    assert sorted(kinds) == ["c"] * 4 + ["e"] * 4 + ["n"] * 4
    assert [one.id for one in drawn] == [one.id for one in stratified(studies, 12, seed=1)]
    assert len(stratified(studies, 500, seed=1)) == 100


def test_a_patient_belongs_to_one_split() -> None:
    rows = [
        Study(id=str(i), load=lambda: GREY, patient="p", split=split)
        for i, split in enumerate(("train", "test"))
    ]
    with pytest.raises(BadInput, match="belongs to one split"):
        list(one_split(rows))


def test_sampling_keeps_whole_pictures() -> None:
    assert len({case.cluster for case in read("chests:20", sample=5)}) == 5


@pytest.mark.parametrize(
    "row", ['{"image": "films/a.dcm", "fields": {"heart": 1}}', '{"fields": {"heart": 1}, "image": "A.DCM"}']
)
async def test_a_table_that_names_dicom_files_stays_on_this_machine(tmp_path: Path, row: str) -> None:
    from percuss.api.run.request import RunRequest
    from percuss.api.run.run import run
    from percuss.core.errors import UsageError

    path = tmp_path / "cases.jsonl"
    path.write_text(row, encoding="utf-8")
    request = RunRequest(
        protocol="explanation", models=("openai/gpt-4o",), cases=str(path), out=str(tmp_path / "run")
    )
    with pytest.raises(UsageError, match="holds records of patients"):
        await run(request)
    assert not (tmp_path / "run").exists()
