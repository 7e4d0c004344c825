"""A cross-encoder of three classes whose logits are (sum, 0, -sum) of the token numbers: small, and known by hand."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

__all__ = ["write_encoder"]


def write_encoder(folder: Path, words: Mapping[str, int]) -> Path:
    """Write model, tokenizer and labels to a folder and return the model's path; an unknown word counts 0.

    Args:
        folder: that exists. words: word -> its number.
    """
    onnx = pytest.importorskip("onnx")
    tokenizers = pytest.importorskip("tokenizers")
    helper, kinds = onnx.helper, onnx.TensorProto
    nodes = [
        helper.make_node("Cast", ["input_ids"], ["ids"], to=kinds.FLOAT),
        helper.make_node("ReduceSum", ["ids", "axis"], ["sum"], keepdims=1),
        helper.make_node("Neg", ["sum"], ["minus"]),
        helper.make_node("Mul", ["sum", "zero"], ["nothing"]),
        helper.make_node("Concat", ["sum", "nothing", "minus"], ["logits"], axis=1),
    ]
    graph = helper.make_graph(
        nodes, "tiny",
        [helper.make_tensor_value_info("input_ids", kinds.INT64, ["n", "w"])],
        [helper.make_tensor_value_info("logits", kinds.FLOAT, ["n", 3])],
        [helper.make_tensor("axis", kinds.INT64, [1], [1]), helper.make_tensor("zero", kinds.FLOAT, [1], [0.0])],
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    onnx.save(model, str(folder / "model.onnx"))
    held = tokenizers.Tokenizer(tokenizers.models.WordLevel({"[UNK]": 0, **words}, unk_token="[UNK]"))
    held.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    held.save(str(folder / "tokenizer.json"))
    labels = {"0": "entailment", "1": "neutral", "2": "contradiction"}
    (folder / "config.json").write_text(json.dumps({"id2label": labels}))
    return folder / "model.onnx"
