"""JSON Schema of our own cases, one object a line, made of the records that they are read into."""

from typing import Any

import msgspec

from percuss.evidence.packet import LAYERS, Fact

__all__ = ["case_schema"]

ADDRESS = "https://json-schema.org/draft/2020-12/schema"
_TEXTS = {
    "id": "Names the case; unique in the file, and shown to the model.",
    "question": "What is asked; left out for the protocol's own question.",
    "cluster": "What is resampled, a patient say; left out for the case itself.",
    "stratum": "Group for tables and stratified samples.",
    "cohort": "Name of the cohort, shown in every arm.",
}
_EVIDENCE: dict[str, Any] = {
    "Evidence": {
        "anyOf": [
            {"type": "string", "minLength": 1},
            {"type": "array", "items": {"type": "string"}, "minItems": 1},
            {"type": "array", "items": {"$ref": "#/$defs/Fact"}, "minItems": 1},
            {"$ref": "#/$defs/Layers"},
        ]
    },
    "Layers": {
        "description": "Layers of evidence, each may be null; other names are allowed and are no layers of the paper's.",
        "type": "object",
        "minProperties": 1,
        "properties": {name: {"type": ["object", "array", "null"]} for name in LAYERS},
        "additionalProperties": True,
    },
}


def case_schema() -> dict[str, Any]:
    """Return the schema of one line of a cases file of protocol `grounding`."""
    (_,), components = msgspec.json.schema_components([Fact], ref_template="#/$defs/{name}")
    fact = components["Fact"]
    fact["properties"]["path"]["minLength"] = 1
    texts: dict[str, Any] = {
        name: {"type": ["string", "null"], "description": words} for name, words in _TEXTS.items()
    }
    texts["id"] = {"type": ["string", "integer"], "minLength": 1, "description": _TEXTS["id"]}
    return {
        "$schema": ADDRESS,
        "title": "Case of protocol grounding",
        "description": "One line of a cases file: what a model is asked, and the evidence that it is shown or denied.",
        "type": "object",
        "properties": {
            **texts,
            "evidence": {"$ref": "#/$defs/Evidence", "description": "What the arms with evidence show."},
            "reference": {
                "anyOf": [{"$ref": "#/$defs/Evidence"}, {"type": "null"}],
                "description": "An external record of the same case, never shown; for the three-way status.",
            },
        },
        "required": ["id", "evidence"],
        "additionalProperties": False,
        "$defs": {**_EVIDENCE, **components},
    }
