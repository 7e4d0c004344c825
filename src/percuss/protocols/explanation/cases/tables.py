"""Sources on disk: JSONL beside pictures, CheXpert-style CSV, TAIX-VQA-style Parquet shards. All are read row by row."""

import base64
import binascii
import csv
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from percuss.core.errors import BadInput
from percuss.core.ids import digest
from percuss.protocols.explanation.cases.study import Study
from percuss.protocols.explanation.fields import GRADES, HEART
from percuss.protocols.explanation.questions import BY_ID, QUESTIONS

__all__ = ["from_csv", "from_jsonl", "from_parquet", "question_id"]

_LINE_LIMIT = 64 * 1024 * 1024
_KNOWN = frozenset(
    "id image patient split fields flags questions answers question answer type options source regions".split()
)
_TYPES = {"comparison": "comparative"}
#: CheXpert label -> (fields that a 0 settles, question that a 1 or 0 answers).
_CHEXPERT: dict[str, tuple[tuple[tuple[str, Any], ...], tuple[str, ...]]] = {
    "Cardiomegaly": ((("heart", 0),), ("b03",)),
    "Edema": ((("congestion", 0),), ("b04",)),
    "Lung Lesion": ((("nodule", False),), ("b13",)),
    "Pleural Effusion": ((("effusion_right", 0), ("effusion_left", 0)), ()),
    "Lung Opacity": ((("opacity_right", 0), ("opacity_left", 0)), ()),
    "Atelectasis": ((("atelectasis_right", 0), ("atelectasis_left", 0)), ()),
    "Pneumothorax": ((("pneumothorax_right", False), ("pneumothorax_left", False)), ()),
}


def question_id(row: Mapping[str, Any], source: str, line: int) -> str:
    """Return the id of the question that a row asks, by id or by wording.

    Raises:
        BadInput: a question that is none of the 32, or a type that is not that question's.
    """
    asked = str(row["question"]).strip()
    plain = _plain(asked)
    released = _RELEASED.get(digest(plain.encode())[:12])
    found = asked if asked in BY_ID else _BY_TEXT.get(plain, released)
    if found is None:
        raise BadInput(
            f"the question {asked!r} is none of the 32; give its id (b01 .. s03)", source=source, line=line
        )
    kind = _TYPES.get(str(row.get("type", "")), row.get("type"))
    if kind and kind != BY_ID[found].kind:
        raise BadInput(f"{found} is {BY_ID[found].kind}, the row says {kind}", source=source, line=line)
    return found


def _plain(text: str) -> str:
    return re.sub(r"[^a-z]+", " ", re.sub(r"\(.*?\)", " ", text.casefold())).strip()


#: Wordings of the released data set by digest of their letters: they are recognised, not copied.
_RELEASED = {
    "dbd106555206": "b01",
    "12c2b69c6f0c": "b02",
    "3b820a4136cf": "b03",
    "e340bef44a8c": "b04",
    "5c08a08a3ca0": "b05",
    "1304cca3bf41": "b06",
    "7878630c9008": "b07",
    "661eeab2af85": "b08",
    "85baf4799726": "b09",
    "d8af797b94bd": "b10",
    "f00d8d733f95": "b11",
    "ec27edfd0eda": "b12",
    "6853b1e9ea3a": "b13",
    "5523781c2647": "b14",
    "0043832cc6bc": "b15",
    "660f65e423ec": "b16",
    "5fe1a6b50b93": "b17",
    "ca22be4dbf1b": "b18",
    "1802e2a6e79b": "o01",
    "c742edfa3c00": "o02",
    "cdc22414add8": "o03",
    "b64a40f22a94": "o04",
    "75e2c314c706": "o05",
    "4f37fc9a8903": "o06",
    "ae4514d77c53": "o07",
    "d3d2ac9d7dc7": "o08",
    "e1ab526afc19": "c01",
    "69950428cf08": "c02",
    "c75e76d4ba8c": "c03",
    "f286fc8e2ede": "s01",
    "7aca703a4122": "s02",
    "63eee28f8b31": "s03",
}
_BY_TEXT = {_plain(question.text): question.id for question in QUESTIONS}


def from_jsonl(path: Path) -> Iterator[Study]:
    """Yield the pictures of a JSONL file.

    Args:
        path: one object a line: `{id?, image, fields, patient?, split?, flags?, questions?, answers?}`, or one question a
            line: `{image, question, answer, type?, ..}`. `image` is a path beside the file (PNG, JPEG, DICOM ..).

    Raises:
        BadInput: with the line.
    """
    with path.open("rb") as file:
        for line, raw in enumerate(iter(lambda: file.readline(_LINE_LIMIT), b""), start=1):
            if raw.strip():
                yield _study(_object(raw, path, line), path, line)


def _object(raw: bytes, path: Path, line: int) -> dict[str, Any]:
    try:
        row = json.loads(raw)
    except ValueError as error:
        raise BadInput(
            f"not JSON ({error}); expected one object a line", source=path.name, line=line
        ) from error
    if not isinstance(row, dict) or "image" not in row:
        raise BadInput("expected an object with the field `image`", source=path.name, line=line)
    unknown = sorted(set(row) - _KNOWN)
    if unknown:
        raise BadInput(
            f"the field {unknown[0]!r} is unknown; expected {', '.join(sorted(_KNOWN))}",
            source=path.name,
            line=line,
        )
    return row


def _study(row: Mapping[str, Any], path: Path, line: int) -> Study:
    image = str(row["image"])
    given = {str(name): str(answer) for name, answer in dict(row.get("answers") or {}).items()}
    asked = tuple(row["questions"]) if row.get("questions") else None
    if "question" in row:
        name = question_id(row, path.name, line)
        asked = (name,)
        given = {name: str(row["answer"])} if row.get("answer") is not None else {}
    unknown = [name for name in (*given, *(asked or ())) if name not in BY_ID]
    if unknown:
        raise BadInput(f"the question {unknown[0]!r} is none of the 32", source=path.name, line=line)
    return Study(
        id=str(row.get("id") or image),
        load=_reader(path.parent, image),
        fields=dict(row.get("fields") or {}),
        given=given,
        asked=asked,
        patient=str(row.get("patient") or ""),
        split=str(row.get("split") or ""),
        flags={str(k): str(v) for k, v in dict(row.get("flags") or {}).items()},
        regions=dict(row.get("regions") or {}),
        source=path.name,
        line=line,
    )


def _reader(folder: Path, image: str) -> Callable[[], bytes]:
    def read() -> bytes:
        if image.startswith("data:"):
            try:
                return base64.b64decode(image.partition(",")[2], validate=True)
            except binascii.Error as error:
                raise BadInput("the picture's data URL is not base64") from error
        file = (folder / image).resolve()
        if not file.is_file():
            raise BadInput(f"no picture at {image!r}; expected a file beside the cases")
        return file.read_bytes()

    return read


def from_csv(path: Path) -> Iterator[Study]:
    """Yield the pictures of a CheXpert-style CSV: `Path`, then labels 1, 0, -1 or blank.

    A 0 settles both sides. A 1 answers the questions without a side (b03, b04, b13); on a finding with a side it leaves
    the side open, so those questions are not posed. -1 and blank are unknown. Columns named like our fields are read too.

    Raises:
        BadInput: with the line.

    NIH's `Data_Entry` layout is read too: `Image Index`, `Finding Labels` (joined by |), patient and view.
    """
    with path.open(newline="", encoding="utf-8-sig") as file:
        reader = csv.DictReader(file)
        if {"Image Index", "Finding Labels"} <= set(reader.fieldnames or ()):
            for row in reader:
                yield _nih(row, path, reader.line_num)
            return
        if "Path" not in (reader.fieldnames or ()):
            raise BadInput("no column `Path`; expected a CheXpert-style CSV", source=path.name, line=1)
        for row in reader:
            yield _chexpert(row, path, reader.line_num)


def _chexpert(row: Mapping[str, str], path: Path, line: int) -> Study:
    fields: dict[str, Any] = {}
    given: dict[str, str] = {}
    for label, (settled, questions) in _CHEXPERT.items():
        value = (row.get(label) or "").strip()
        if value not in {"", "1", "0", "-1", "1.0", "0.0", "-1.0"}:
            raise BadInput(f"{label} is {value!r}; expected 1, 0, -1 or blank", source=path.name, line=line)
        if value in {"0", "0.0"}:
            fields.update(settled)
        elif value in {"1", "1.0"}:
            given.update(dict.fromkeys(questions, "yes"))
    flags = {"projection": row["AP/PA"]} if row.get("AP/PA") else {}
    image = row["Path"]
    patient = re.search(r"patient\d+", image)
    return Study(
        id=image,
        load=_reader(path.parent, image),
        fields=fields,
        given=given,
        patient=patient.group() if patient else "",
        flags=flags,
        source=path.name,
        line=line,
    )


#: Label of NIH's ChestX-ray14 -> (fields that its absence settles, questions that its presence answers). Its labels were
#: mined from reports, so what is not named is not named and no more: absence settles nothing but by "No Finding".
_NIH = {"Cardiomegaly": "b03", "Edema": "b04", "Nodule": "b13", "Mass": "b13"}
_NO_FINDING = {
    "heart": 0, "congestion": 0, "nodule": False, "effusion_right": 0, "effusion_left": 0, "opacity_right": 0,
    "opacity_left": 0, "atelectasis_right": 0, "atelectasis_left": 0, "pneumothorax_right": False, "pneumothorax_left": False,
}  # fmt: skip


def _nih(row: Mapping[str, str], path: Path, line: int) -> Study:
    labels = [label.strip() for label in (row.get("Finding Labels") or "").split("|") if label.strip()]
    if not labels:
        raise BadInput("Finding Labels is empty; expected labels joined by |", source=path.name, line=line)
    none = labels == ["No Finding"]
    view = (row.get("View Position") or "").strip()
    return Study(
        id=row["Image Index"],
        load=_reader(path.parent, row["Image Index"]),
        fields=dict(_NO_FINDING) if none else {},
        given={_NIH[label]: "yes" for label in labels if label in _NIH},
        patient=str(row.get("Patient ID") or ""),
        flags={"projection": view} if view else {},
        source=path.name,
        line=line,
    )


def from_parquet(path: Path) -> Iterator[Study]:
    """Yield the rows of Parquet shards in the Hugging Face layout of TAIX-VQA: an image column, a question, an answer.

    Args:
        path: a shard, or a folder whose `*.parquet` are read in order. The image column holds bytes or a path.

    Raises:
        BadInput: no shard, no image column, or a row that cannot be read, with its number.
    """
    import pyarrow.parquet as pq

    shards = sorted(path.rglob("*.parquet")) if path.is_dir() else [path]
    if not shards:
        raise BadInput(f"no *.parquet under {path}; expected the shards of a data set")
    for shard in shards:
        number = 0
        try:
            file = pq.ParquetFile(shard)
        except Exception as error:
            raise BadInput(f"not a Parquet file ({error})", source=shard.name) from error
        names = file.schema_arrow.names
        if "image" not in {name.casefold() for name in names}:
            raise BadInput(f"no column `image` among {', '.join(names)}", source=shard.name)
        for batch in file.iter_batches(batch_size=32):
            for row in batch.to_pylist():
                number += 1
                yield _shard_row(row, shard, number)


#: Columns of the released data set beside ours -> field (papers/1 section 3.1; every name in lower case).
_RELEASED_FIELDS = {
    "heartsize": "heart", "pulmonarycongestion": "congestion", "pleuraleffusion_right": "effusion_right",
    "pleuraleffusion_left": "effusion_left", "pulmonaryopacities_right": "opacity_right",
    "pulmonaryopacities_left": "opacity_left", "atelectasis_right": "atelectasis_right", "atelectasis_left": "atelectasis_left",
}  # fmt: skip


def _released_fields(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the findings that stand in columns of their own: a grade as a number or in words; anything else is missing."""
    out = {}
    for column, name in _RELEASED_FIELDS.items():
        value = row.get(column)
        names = HEART if name == "heart" else GRADES
        if isinstance(value, str) and value.strip().casefold() in names:
            out[name] = names.index(value.strip().casefold())
        elif isinstance(value, (int, float)) and not isinstance(value, bool) and value in range(len(names)):
            out[name] = int(value)
    return out


def _shard_row(held_row: Mapping[str, Any], shard: Path, number: int) -> Study:
    row = {str(key).casefold(): value for key, value in held_row.items()}
    image = row["image"]
    held = (
        image
        if isinstance(image, dict)
        else {"bytes": image if isinstance(image, bytes) else None, "path": image}
    )
    name = str(
        row.get("id") or row.get("uid") or row.get("image_id") or held.get("path") or f"{shard.stem}-{number}"
    )
    data, at = held.get("bytes"), held.get("path")
    fields = row.get("fields") or {}
    fields = (
        json.loads(fields) if isinstance(fields, str) else {k: v for k, v in fields.items() if v is not None}
    )
    question = question_id(row, shard.name, number) if row.get("question") is not None else None
    answer = row.get("answer")
    return Study(
        id=name,
        load=(lambda: data) if data else _reader(shard.parent, str(at)),
        fields=fields or _released_fields(row),
        given={question: str(answer)} if question is not None and answer is not None else {},
        asked=None if question is None else (question,),
        patient=str(row.get("patient") or row.get("patient_id") or row.get("patientid") or ""),
        split=str(row.get("split") or shard.stem.split("-")[0]),
        origin="parquet",
        source=shard.name,
        line=number,
    )
