"""Servers that answer where docs/endpoints.md says that Ollama, vLLM, llama.cpp and Azure do."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.stages.playing import Stage
from tests.stages.served import chatting

__all__ = ["endpoints"]

PLACES = (
    "http://localhost:8000/v1",
    "http://localhost:8080/v1",
    "https://NAME.openai.azure.com/openai/deployments/DEPLOYMENT",
)


@contextmanager
def endpoints(folder: Path) -> Iterator[Stage]:
    """One server in place of all; runs of two cases."""
    del folder
    with chatting({"": "phantom/copier"}) as url:
        yield Stage(
            words=dict.fromkeys(PLACES, url), environment={"OLLAMA_BASE_URL": url, "OPENAI_API_KEY": "none"}
        )
