"""Items of a study: from a run or a file, split into what is shown and what is hidden, masked, pictures cleaned."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from percuss.core.errors import BadInput, UsageError
from percuss.core.records import AnnotationItem, Blob, Image, Record
from percuss.study.blinding import Mask, mask_value, names_of
from percuss.study.design import Design, Field
from percuss.study.pictures import clean_picture
from percuss.study.plain import plain
from percuss.study.stored import AS_GIVEN, stored

__all__ = ["Prepared", "formed", "group_of", "machine_verdicts", "prepare", "prepare_all", "stratum_of"]


class Prepared(Record):
    """An item as a study keeps it.

    Args:
        shown: declared fields only, in a form that the screen knows, names masked.
        hidden: everything else the item came with; it leaves the study by exports only.
        masks: what was masked in `shown`.
        pictures: digests of the cleaned pictures, in the order in which `shown` counts them.
        content: fields of `shown` that the item gave as what is judged; the leak test leaves them out.
    """

    id: str
    subject: str
    response_id: str
    stratum: dict[str, str]
    shown: dict[str, Any]
    hidden: dict[str, Any]
    masks: tuple[Mask, ...] = ()
    pictures: tuple[str, ...] = ()
    content: tuple[str, ...] = ()


def prepare(
    item: AnnotationItem,
    design: Design,
    *,
    blob: Callable[[str], Blob] | None = None,
    names: Sequence[str] = (),
) -> tuple[Prepared, tuple[Blob, ...]]:
    """Turn an item into what a study keeps: deny by default, mask, clean.

    Args:
        item: `shown` and `content` may use a field's name or an alias; a shown field that the design does not declare is hidden.
        blob: finds a picture by digest where the item does not carry it.
        names: names to mask beside the usual ones.

    Raises:
        BadInput: a required field is missing, or a field has not the form of its kind.
    """
    shown, hidden = _sorted(item, design)
    carried = {b.digest: b for b in item.blobs}
    pictures: list[Blob] = []
    masks: list[Mask] = []
    _keep_as_given(design, shown, hidden)
    plain = dict(shown)  # the claim is looked for in the text before names are masked in either
    for field in design.field:
        if field.name not in shown:
            continue
        value = _formed(field, plain, hidden, item.id)
        if field.kind == "image":
            value = _pictures(value, carried, blob, pictures, item.id, hidden)
        else:
            value = stored(value)
        if field.model_text:
            value, some = mask_value(value, names, field.name)
            masks += some
        shown[field.name] = value
    prepared = Prepared(
        id=item.id,
        subject=item.subject,
        response_id=item.response_id,
        stratum=item.strata,
        shown=shown,
        hidden=hidden,
        masks=tuple(masks),
        pictures=tuple(picture.digest for picture in pictures),
        content=tuple(
            sorted({f.name for name in item.content if (f := design.shown_field(name))} & set(shown))
        ),
    )
    return prepared, tuple(pictures)


def _keep_as_given(design: Design, shown: dict[str, Any], hidden: dict[str, Any]) -> None:
    """Bring plain texts into the form in which they are kept; one in which people mark stays as it was given beside it."""
    for field in design.field:
        given = shown.get(field.name)
        if field.kind == "image" or not isinstance(given, str):
            continue
        shown[field.name] = stored(given)
        if field.name == design.marked_field and shown[field.name] != given:
            hidden[AS_GIVEN] = {field.name: given}


def _sorted(item: AnnotationItem, design: Design) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what is shown and what is hidden: only what the design declares is shown."""
    shown: dict[str, Any] = {}
    hidden = {**_whose(item), **item.hidden}
    for name, value in item.fields.items():
        field = design.shown_field(name)
        if field is None or field.name in shown or name in design.hidden:
            hidden.setdefault(name, value)
        elif value not in (None, "", [], {}, ()):
            shown[field.name] = value
    missing = [f.name for f in design.field if f.required and f.name not in shown]
    if missing:
        fields = ", ".join(missing)
        raise BadInput(
            f"item {item.id} has no {fields}; design {design.name} shows it and needs it; choose a design that fits the source"
        )
    return shown, hidden


def _whose(item: AnnotationItem) -> dict[str, Any]:
    """Return the typed fields that never reach the browser, as exports name them."""
    return {name: value for name, value in (("model", item.model), ("arm", item.arm)) if value}


def formed(design: Design, shown: Mapping[str, Any]) -> dict[str, Any]:
    """Bring all shown fields into the forms that the screen knows; pictures are left as they are."""
    return {
        f.name: shown[f.name] if f.kind == "image" else _formed(f, shown, {}, "practice")
        for f in design.field
        if f.name in shown
    }


def _formed(field: Field, shown: Mapping[str, Any], hidden: dict[str, Any], item: str) -> Any:
    """Bring a value into the one form that the screen of its kind knows."""
    value = shown[field.name]
    match field.kind:
        case "text" | "passage":
            return value if isinstance(value, str) else str(value)
        case "list":
            return [str(entry) for entry in value] if isinstance(value, list | tuple) else [str(value)]
        case "sources":
            return [_source(entry) for entry in (value if isinstance(value, list | tuple) else [value])]
        case "answers":
            return _answers(value, hidden, item)
        case "marked":
            return _marked(value, shown)
        case "facts" if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
            return _decoded(value)
        case "verdict":
            return value if isinstance(value, dict) else {"result": str(value)}
        case _:
            return value


def _decoded(text: str) -> Any:
    """Return the JSON that a text holds, or the text where it only looks like JSON."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def _source(entry: Any) -> dict[str, str]:
    if not isinstance(entry, dict):
        return {"title": "", "text": str(entry), "url": ""}
    return {key: str(entry.get(key) or "") for key in ("title", "text", "url")}


def _answers(value: Any, hidden: dict[str, Any], item: str) -> list[dict[str, str]]:
    if not isinstance(value, list | tuple) or not 2 <= len(value) <= 26:
        raise BadInput(f"item {item}: `answers` needs a list of 2 to 26 answers")
    answers, owners = [], {}
    for n, entry in enumerate(value, 1):
        if isinstance(entry, str):
            text, rest = entry, {}
        elif isinstance(entry, dict) and isinstance(entry.get("text"), str):
            text, rest = entry["text"], {key: v for key, v in entry.items() if key != "text"}
        else:
            raise BadInput(f"item {item}: answer {n} needs a `text`")
        answers.append({"key": f"a{n}", "text": text})
        owners[f"a{n}"] = rest
    hidden["answer_ids"] = {**owners, **(hidden.get("answer_ids") or {})}
    return answers


def _marked(value: Any, shown: Mapping[str, Any]) -> dict[str, str]:
    """Split a text into what stands before, in and after the claim."""
    if isinstance(value, dict) and "text" in value:
        text = str(value["text"])
        start, stop = int(value.get("start", 0)), int(value.get("stop", 0))
    elif isinstance(value, dict):
        return {part: str(value.get(part, "")) for part in ("before", "marked", "after")}
    else:
        text = str(value)
        claim = str(shown.get("claim", ""))
        start = max(0, text.find(claim))
        stop = start + len(claim) if claim and claim in text else start
    return {"before": text[:start], "marked": text[start:stop], "after": text[stop:]}


def _digest(value: Any) -> str:
    if isinstance(value, Image):
        return value.digest
    return str(value.get("digest", "")) if isinstance(value, dict) else str(value)


def _pictures(
    value: Any,
    carried: Mapping[str, Blob],
    blob: Callable[[str], Blob] | None,
    pictures: list[Blob],
    item: str,
    hidden: dict[str, Any],
) -> list[dict[str, Any]]:
    """Clean the pictures of a field; the screen gets their number, never their digest."""
    entries = value if isinstance(value, list | tuple) else [value]
    out = []
    for entry in entries:
        digest = _digest(entry)
        found = carried.get(digest)
        if (found is None or not found.data) and blob is not None:
            try:
                found = blob(digest)
            except KeyError:
                found = None
        if found is None:
            raise BadInput(
                f"item {item}: the picture {digest[:40]!r} is not with the item; give its bytes or its path"
            )
        caption = str(entry.get("caption", "")) if isinstance(entry, dict) else ""
        clean = clean_picture(found.data, f"item {item}")
        out.append({"n": len(pictures), "caption": caption, **clean.shown})
        if clean.warning:
            hidden.setdefault("warnings", []).append(clean.warning)
        pictures.append(clean.blob)
    return out


def _models(item: AnnotationItem) -> set[str]:
    """Return what the item says about whose text it is, wherever it says so."""
    found = {item.model, item.stratum.get("model", ""), str(item.hidden.get("model", "") or "")}
    models = item.hidden.get("models")
    found |= {str(model) for model in models} if isinstance(models, list | tuple) else set()
    for answer in item.fields.get("answers") or ():
        if isinstance(answer, dict):
            found.add(str(answer.get("model", "") or ""))
    owners = item.hidden.get("answer_ids")
    for owner in owners.values() if isinstance(owners, dict) else ():
        found.add(str(owner.get("model", "") or "") if isinstance(owner, dict) else "")
    return found - {""}


def prepare_all(
    items: Iterable[AnnotationItem], design: Design, *, blob: Callable[[str], Blob] | None = None
) -> tuple[list[Prepared], list[Blob]]:
    """Prepare all items; the names of all models of the study are masked in every item.

    Raises:
        UsageError: no item.
        BadInput: an item has a wrong form, or two share an id.
    """
    listed = [msgspec.structs.replace(plain(item), id=item.id) for item in items]
    if not listed:
        raise UsageError(f"no item to judge; design {design.name} found none in what was given")
    seen: set[str] = set()
    for item in listed:
        if item.id in seen:
            raise BadInput(f"two items have the id {item.id!r}; each needs its own")
        if plain(item.id) != item.id:
            raise BadInput(
                f"the id {item.id!r} holds what is no character, which a database may refuse; give it another id"
            )
        seen.add(item.id)
    names = sorted({name for item in listed for model in _models(item) for name in names_of(model)})
    prepared, blobs = [], {}
    for item in listed:
        one, pictures = prepare(item, design, blob=blob, names=names)
        prepared.append(one)
        blobs.update({picture.digest: picture for picture in pictures})
    return prepared, list(blobs.values())


def machine_verdicts(item: Prepared) -> dict[str, Any]:
    """Return rater -> what it said of the item, as the protocol or the file gave it (hidden while people judge).

    `verdicts` and `labels` are rater -> label or {question: value}; `scores` is "aspect rater" -> number.
    """
    for name in ("verdicts", "labels"):
        found = item.hidden.get(name, item.shown.get(name))
        if isinstance(found, dict) and found:
            return {str(rater): said for rater, said in found.items() if _is_machine(str(rater))}
    scores: dict[str, Any] = {}
    found = item.hidden.get("scores")
    for key, score in found.items() if isinstance(found, dict) else ():
        aspect, _, rater = str(key).partition(" ")
        if rater and _is_machine(rater):
            scores.setdefault(rater, {})[aspect] = score
    return scores


def _is_machine(rater: str) -> bool:
    """Tell machines from people who labelled the run before."""
    return rater != "human" and not rater.startswith("human:")


def group_of(item: Prepared, name: str) -> str:
    """Return what an item shares with those that are judged on one page with it, such as its case or patient.

    Args:
        item: of a study. name: of a variable that the items came with, hidden or shown.

    Raises:
        UsageError: the item does not have it.
    """
    return stratum_of(item, (name,))


def stratum_of(item: Prepared, strata: Sequence[str]) -> str:
    """Return the stratum of an item over the named variables, joined by ` | `.

    Raises:
        UsageError: the item does not have one of them.
    """
    values = []
    for name in strata:
        value = item.stratum.get(name, item.hidden.get(name, item.shown.get(name)))
        if value is None or isinstance(value, dict | list):
            known = sorted(
                {*item.stratum, *(k for k, v in item.hidden.items() if not isinstance(v, dict | list))}
            )
            raise UsageError(
                f"--strata {name}: item {item.id} has no such field; it has {', '.join(known) or 'none'}"
            )
        values.append(str(value))
    return " | ".join(values)
