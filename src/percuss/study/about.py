"""What an export says of a label beside the label: whose text it is of, what was hidden, how often it was revised."""

import json
from typing import Any

from percuss.study.items import Prepared
from percuss.study.store.work import Labelled

__all__ = ["about_item", "about_label", "answer_name", "file_stem", "models_of"]


def answer_name(item: Prepared, key: str) -> str:
    """Return the own id of one answer of several: its response, else its id, else the model that wrote it."""
    owner = (item.hidden.get("answer_ids") or {}).get(key) or {}
    named = owner.get("response_id") or owner.get("id") or owner.get("model")
    return str(named or f"{item.subject}/{key}")


def models_of(item: Prepared) -> dict[str, str]:
    """Return answer -> model where an item holds several answers, else the one model under the item's response."""
    owners = item.hidden.get("answer_ids") or {}
    if owners:
        return {
            answer_name(item, key): str((owner or {}).get("model") or "") for key, owner in owners.items()
        }
    model = item.hidden.get("model") or item.stratum.get("model") or ""
    return {item.response_id: str(model)}


def about_item(item: Prepared) -> dict[str, Any]:
    """Return model, arm, strata and every hidden field of an item, as one flat row; structures are JSON."""
    models = models_of(item)
    row: dict[str, Any] = {
        "model": next(iter(models.values())) if len(models) == 1 else "",
        "arm": str(item.hidden.get("arm") or item.stratum.get("arm") or ""),
        "models": json.dumps(models, ensure_ascii=False),
    }
    if item.hidden.get("answer_ids"):
        row["answers"] = json.dumps(
            {key: answer_name(item, key) for key in item.hidden["answer_ids"]}, ensure_ascii=False
        )
    row |= {f"stratum.{name}": value for name, value in sorted(item.stratum.items())}
    for name, value in sorted(item.hidden.items()):
        if name not in ("model", "arm", "answer_ids"):
            flat = value is None or isinstance(value, str | int | float)
            row[f"hidden.{name}"] = value if flat else json.dumps(value, ensure_ascii=False)
    return row


def about_label(label: Labelled) -> dict[str, Any]:
    """Return how a label came about: whether it is a hidden repeat, how often it was given, active seconds, when it stood."""
    return {
        "repeat": label.again,
        "revision": str(label.revision) if label.revision else "unknown (0.1)",
        "active_s": label.given.active_ms / 1000,
        "saved_at": label.saved_at,
    }


def file_stem(name: str) -> str:
    """Return a name that is one part of a path everywhere: letters of any script stay, what separates paths does not.

    >>> file_stem("ward/7"), file_stem("研究")
    ('ward-7', '研究')
    """
    kept = "".join("-" if c in '/\\:*?"<>|' or ord(c) < 32 else c for c in name).strip(". ")
    return kept[:100] or "study"
