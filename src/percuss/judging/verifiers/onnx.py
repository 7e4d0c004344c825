"""An ONNX cross-encoder given by path, with the tokenizer that lies beside it."""

import asyncio
import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from percuss.core.errors import BadInput, UsageError
from percuss.core.ids import digest
from percuss.core.verifying import Pair, Verification

__all__ = ["CrossEncoder"]

_SUPPORTS = ("entailment", "entails", "supported", "supports", "consistent", "label_1", "1")
_CONTRADICTS = ("contradiction", "contradicts", "refuted", "refutes", "contradicted")
_BATCH = 16
_FILES = ("tokenizer.json", "config.json")
_TOLD = 120
"""Characters of what the library says of a file that it can't load."""


class CrossEncoder:
    """Reads (premises, claim) as one input and gives class logits: natural language inference, or supported against not.

    Args:
        path: the `.onnx` file; `tokenizer.json` and `config.json` (`id2label`) lie beside it or one folder up.
        longest: tokens of an input; premises are cut first, never the claim.
        threads: threads of a batch; 0 leaves it to onnxruntime.

    Raises:
        UsageError: the extra `verifier` is missing.
        BadInput: a file is missing, or none of the model's labels says "supported".
    """

    def __init__(self, path: Path, *, longest: int = 512, threads: int = 0) -> None:
        try:
            import onnxruntime
            from tokenizers import Tokenizer
        except ImportError as error:
            raise UsageError(
                "an ONNX verifier needs onnxruntime and tokenizers; install the extra: pip install 'percuss[verifier]'"
            ) from error
        beside = {name: _beside(path, name) for name in _FILES}
        self._labels = _labels(beside["config.json"])
        self._tokens = Tokenizer.from_file(str(beside["tokenizer.json"]))
        self._tokens.enable_truncation(longest, strategy="only_first")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        try:
            self._session = onnxruntime.InferenceSession(
                str(path), sess_options=options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # noqa: BLE001 - the binding raises bare exceptions
            raise BadInput(
                f"could not be loaded ({str(error)[:_TOLD]}); expected an ONNX model", source=path.name
            ) from None
        self._inputs = {wanted.name for wanted in self._session.get_inputs()}
        self._pin = digest(path.read_bytes())
        self._id = f"onnx/{path.parent.name or path.stem}@{self._pin[:12]}"
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="verifier")

    @property
    def id(self) -> str:
        """`onnx/<folder>@<start of the file's digest>`; never a path."""
        return self._id

    @property
    def pin(self) -> str:
        """Digest of the weights."""
        return self._pin

    at_once = True

    async def verify(self, pairs: Sequence[Pair]) -> tuple[Verification, ...]:
        """Return one verification per pair, read in batches in a thread of its own.

        Args:
            pairs: statements with their premises.
        """
        found: list[Verification] = []
        loop = asyncio.get_running_loop()
        for start in range(0, len(pairs), _BATCH):
            found += await loop.run_in_executor(self._worker, self._batch, pairs[start : start + _BATCH])
        return tuple(found)

    def _batch(self, pairs: Sequence[Pair]) -> list[Verification]:
        read = [pair for pair in pairs if pair.premises]
        shares = iter(self._shares(read) if read else ())
        return [
            self._said(next(shares)) if pair.premises else Verification(undecided="no premises")
            for pair in pairs
        ]

    def _shares(self, pairs: Sequence[Pair]) -> NDArray[np.float64]:
        encoded = self._tokens.encode_batch([(" ".join(pair.premises), pair.claim) for pair in pairs])
        width = max(len(one.ids) for one in encoded)
        feeds: dict[str, NDArray[np.int64]] = {
            name: np.zeros((len(pairs), width), dtype=np.int64)
            for name in ("input_ids", "attention_mask", "token_type_ids")
        }
        for row, one in enumerate(encoded):
            feeds["input_ids"][row, : len(one.ids)] = one.ids
            feeds["attention_mask"][row, : len(one.ids)] = one.attention_mask
            feeds["token_type_ids"][row, : len(one.ids)] = one.type_ids
        logits = self._session.run(None, {k: v for k, v in feeds.items() if k in self._inputs})[0]
        return _shares_of(np.asarray(logits, dtype=np.float64))

    def _said(self, shares: NDArray[np.float64]) -> Verification:
        supports, contradicts = self._labels
        return Verification(
            supported=float(shares[supports]),
            contradicted=None if contradicts is None else float(shares[contradicts]),
        )


def _shares_of(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities by class; one logit is the one of the second of two classes."""
    if logits.shape[1] == 1:
        logits = np.hstack([np.zeros_like(logits), logits])
    grown = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: NDArray[np.float64] = grown / grown.sum(axis=1, keepdims=True)
    return shares


def _beside(path: Path, name: str) -> Path:
    for folder in (path.parent, path.parent.parent):
        if (folder / name).is_file():
            return folder / name
    raise BadInput(
        f"no {name} beside it or one folder up; a cross-encoder comes with its tokenizer", source=str(path)
    )


def _labels(config: Path) -> tuple[int, int | None]:
    """Places of the class that supports and of the one that contradicts, by the model's own names."""
    try:
        held: Any = json.loads(config.read_text(encoding="utf-8")).get("id2label") or {}
        names = {str(name).casefold(): int(place) for place, name in held.items()}
    except (ValueError, AttributeError) as error:
        raise BadInput(f"cannot be read ({error}); expected JSON with id2label", source=str(config)) from None
    supports = next((names[name] for name in _SUPPORTS if name in names), None)
    if supports is None:
        raise BadInput(
            f"the labels {', '.join(names) or 'none'} name none of {', '.join(_SUPPORTS[:5])}; mend id2label",
            source=str(config),
        )
    return supports, next((names[name] for name in _CONTRADICTS if name in names), None)
