"""A local model that sees: its projector is named beside its weights, and pictures reach the library as it takes them.

No weights of such a model are known to this project, so what is tried here is what is asked of the library, by a stand-in that
answers as it does; a picture has never been looked at.
"""

import base64
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from percuss.core.errors import BadRequest, UsageError
from percuss.core.messages import Blob, Image, Message, Request, Text
from percuss.models.embedded import Embedded

pytestmark = pytest.mark.skipif(
    find_spec("xllamacpp") is None, reason="the extra `embedded` is not installed"
)
PICTURE = Blob.of(b"\x89PNG\r\n\x1a\n", "image/png")
ASKED = Request(
    messages=(Message(role="user", parts=(Image(digest=PICTURE.digest, media_type="image/png"), Text(text="What is this?"))),),
    max_tokens=8,
)  # fmt: skip


class Kept:
    def get(self, digest: str) -> Blob:
        assert digest == PICTURE.digest
        return PICTURE

    def put(self, blob: Blob) -> None:
        raise AssertionError(blob)


class StandIn:
    """Takes a body as the library's server does, and streams one word."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []

    def handle_chat_completions(self, body: dict[str, Any], take: Callable[[dict[str, Any]], bool]) -> None:
        self.bodies.append(body)
        take({"choices": [{"index": 0, "delta": {"content": "A chest."}, "finish_reason": None}]})
        take(
            {
                "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 9, "completion_tokens": 2},
            }
        )


class Seeing(Embedded):
    """The model with the stand-in in place of loaded weights."""

    stand_in = StandIn()

    async def _loaded(self) -> Any:
        return self.stand_in


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    for name in ("weights.gguf", "projector.gguf"):
        (tmp_path / name).write_bytes(name.encode())
    return tmp_path / "weights.gguf", tmp_path / "projector.gguf"


async def test_a_picture_travels_as_a_data_url_and_both_files_pin_the_model(files: tuple[Path, Path]) -> None:
    weights, projector = files
    model = Seeing.named(f"{weights}?mmproj={projector}", blobs=Kept())
    assert model.id == "embedded/weights"
    assert model.pin.count("+") == 1
    assert Seeing.named(str(weights)).pin == model.pin.partition("+")[0]
    reply = await model.generate(ASKED)
    assert reply.text == "A chest."
    image, text = Seeing.stand_in.bodies[-1]["messages"][0]["content"]
    assert base64.b64decode(image["image_url"]["url"].partition(",")[2]) == PICTURE.data
    assert text["text"] == "What is this?"


async def test_without_a_projector_pictures_are_refused(files: tuple[Path, Path]) -> None:
    with pytest.raises(BadRequest, match=r"reads no images.*\?mmproj=FILE"):
        await Seeing.named(str(files[0]), blobs=Kept()).generate(ASKED)


@pytest.mark.parametrize("given", ["mmproj=nowhere.gguf", "eyes=projector.gguf", "mmproj="])
def test_a_projector_that_is_not_there_is_refused(files: tuple[Path, Path], given: str) -> None:
    with pytest.raises(UsageError, match="a projector that exists"):
        Seeing.named(f"{files[0]}?{given}")
