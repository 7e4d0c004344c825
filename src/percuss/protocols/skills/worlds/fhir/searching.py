"""GET as a FHIR server answers it: a read of one resource, or a search with the parameters that this server knows."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlencode

from percuss.protocols.skills.worlds.fhir.resources import Resource

__all__ = ["answered", "fault"]

MOST, DEFAULT = 50, 20
"""Entries of a page at the most, and where no `_count` is given."""
MOST_URL = 2_000
_PREFIXES: Mapping[str, Callable[[str, str], bool]] = {
    "ge": lambda own, asked: own[: len(asked)] >= asked, "le": lambda own, asked: own[: len(asked)] <= asked,
    "gt": lambda own, asked: own[: len(asked)] > asked, "lt": lambda own, asked: own[: len(asked)] < asked,
    "eq": lambda own, asked: own.startswith(asked),
}  # fmt: skip
"""How a date is compared, to the precision asked for (FHIR R4, search, section 3.1.1.4.5)."""
_DATED = {
    "Observation": "effectiveDateTime", "DiagnosticReport": "effectiveDateTime", "MedicationRequest": "authoredOn",
    "Condition": "recordedDate", "ServiceRequest": "occurrenceDateTime",
}  # fmt: skip
_DATE_NAMES = ("date", "authoredon", "recorded-date", "occurrence", "birthdate")


def fault(status: int, code: str, words: str) -> Resource:
    """Return what a server answers where it does not do what it was asked.

    Args:
        status: of HTTP. code: FHIR's word for the kind of fault. words: got, expected.
    """
    issue = {"severity": "error", "code": code, "diagnostics": words}
    return {"resourceType": "OperationOutcome", "status": status, "issue": [issue]}


def answered(url: str, held: Mapping[str, Sequence[Resource]]) -> Resource:
    """Return what the server answers to GET: a resource, a bundle, or an `OperationOutcome`.

    Args:
        url: relative to the base: `Patient/12` or `Observation?patient=12&code=potassium`. held: type -> resources.
    """
    if len(url) > MOST_URL:
        return fault(414, "too-long", f"got an address of {len(url)} characters; expected at most {MOST_URL}")
    path, _, query = url.strip().lstrip("/").partition("?")
    kind, _, name = path.strip("/").partition("/")
    if kind not in held:
        return fault(404, "not-supported", f"got the type {kind[:40]!r}; expected one of {', '.join(held)}")
    if name:
        found = next((each for each in held[kind] if each["id"] == name), None)
        return found or fault(404, "not-found", f"there is no {kind}/{name[:40]}")
    return _searched(kind, parse_qsl(query, keep_blank_values=True), held[kind])


def _searched(kind: str, asked: Sequence[tuple[str, str]], held: Sequence[Resource]) -> Resource:
    pages = {name: value for name, value in asked if name in {"_count", "_offset"}}
    order = next((value for name, value in asked if name == "_sort"), "")
    wanted = [(name, value) for name, value in asked if name not in {"_count", "_offset", "_sort", "_format"}]
    unknown = [name for name, _ in wanted if name not in _parameters(kind)]
    if unknown:
        known = ", ".join(_parameters(kind))
        return fault(400, "not-supported", f"got the parameter {unknown[0][:40]!r} for {kind}; expected some of {known}, _sort, _count, _offset")  # fmt: skip
    if order.lstrip("-") not in {"", "date", "_id", *_DATE_NAMES}:
        return fault(400, "not-supported", f"got _sort={order[:40]!r}; expected date, -date, _id or -_id")
    if not all(value.isdecimal() and len(value) < 7 for value in pages.values()):
        return fault(400, "invalid", "expected whole numbers in _count and _offset")
    found = [each for each in held if all(_fits(kind, each, name, value) for name, value in wanted)]
    return _bundle(kind, asked, _sorted(kind, found, order), pages)


def _sorted(kind: str, found: list[Resource], order: str) -> list[Resource]:
    if not order:
        return found
    field = "id" if order.lstrip("-") == "_id" else _date_field(kind)
    return sorted(found, key=lambda each: str(_at(each, field) or ""), reverse=order.startswith("-"))


def _bundle(
    kind: str, asked: Sequence[tuple[str, str]], found: Sequence[Resource], pages: Mapping[str, str]
) -> Resource:
    count, offset = min(int(pages.get("_count", DEFAULT)), MOST), int(pages.get("_offset", 0))
    shown = found[offset : offset + count]
    bundle: Resource = {
        "resourceType": "Bundle", "type": "searchset", "total": len(found), "entry": [{"resource": each} for each in shown],
    }  # fmt: skip
    if offset + len(shown) < len(found) and shown:
        rest = [(name, value) for name, value in asked if name != "_offset"]
        bundle["link"] = [
            {"relation": "next", "url": f"{kind}?{urlencode([*rest, ('_offset', str(offset + count))])}"}
        ]
    return bundle


def _parameters(kind: str) -> tuple[str, ...]:
    if kind == "Patient":
        return ("_id", "identifier", "family", "given", "name", "gender", "birthdate")
    names = {"Observation": ("category",), "Encounter": ("class",)}.get(kind, ())
    dated = {
        "MedicationRequest": ("date", "authoredon"),
        "Condition": ("date", "recorded-date"),
        "ServiceRequest": ("date", "occurrence"),
    }
    coded = () if kind == "Encounter" else ("code",)
    return ("_id", "patient", "subject", "status", *coded, *names, *dated.get(kind, ("date",)))


def _date_field(kind: str) -> str:
    return {"Patient": "birthDate", "Encounter": "period.start"}.get(kind) or _DATED[kind]


def _fits(kind: str, each: Resource, name: str, asked: str) -> bool:
    if name in _DATE_NAMES:
        compare, bound = (
            (_PREFIXES[asked[:2]], asked[2:]) if asked[:2] in _PREFIXES else (_PREFIXES["eq"], asked)
        )
        own = _at(each, _date_field(kind))
        return isinstance(own, str) and compare(own, bound)
    if name in {"patient", "subject"}:
        return bool(_at(each, "subject.reference") == f"Patient/{asked.removeprefix('Patient/')}")
    if name in {"family", "given", "name"}:  # FHIR's strings: the beginning, whatever the case
        return any(text.lower().startswith(asked.lower()) for text in _names(each, name))
    return any(
        value in _values(each, name) for value in (part.rpartition("|")[2] for part in asked.split(","))
    )


def _names(patient: Resource, name: str) -> Iterator[str]:
    for each in patient["name"]:
        if name in {"family", "name"}:
            yield each["family"]
        if name in {"given", "name"}:
            yield from each["given"]


def _values(each: Resource, name: str) -> set[str]:
    """Return the tokens of a resource that a parameter may ask for."""
    if name == "_id":
        return {str(each["id"])}
    if name == "identifier":
        return {str(one["value"]) for one in each["identifier"]}
    if name in {"gender", "status"}:
        return {str(each.get(name))}
    if name == "class":
        return {str(_at(each, "class.code"))}
    coded = (
        each.get("category", [])
        if name == "category"
        else [each.get("code") or each.get("medicationCodeableConcept") or {}]
    )
    return {str(value) for one in coded if isinstance(one, dict) for value in _tokens(one)}


def _tokens(concept: Mapping[str, Any]) -> Iterator[Any]:
    yield concept.get("text")
    held = concept.get("coding")
    yield from (each.get("code") for each in held if isinstance(each, dict)) if isinstance(held, list) else ()


def _at(each: Any, path: str) -> Any:
    for key in path.split("."):
        each = each.get(key) if isinstance(each, dict) else None
    return each
