"""Make a study: choose the items, assign them, seal what was decided in the ledger's first entry."""

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, insert

from percuss.core.errors import BadInput, PercussError, UsageError
from percuss.core.records import AnnotationItem, Blob, Record
from percuss.study.assignment import Slot, plan, plan_pages, sample, strata_of_pages
from percuss.study.blinding import opaque
from percuss.study.design import HERE, Design, load_design
from percuss.study.items import Prepared, group_of, prepare_all, stratum_of
from percuss.study.leaking import drawn_over, exempt, refuse_leaks, untested
from percuss.study.plain import plain
from percuss.study.settings import Settings, secret_of, study_folder, write_private, write_settings
from percuss.study.store import ledger, signing
from percuss.study.store.database import Database, open_engine
from percuss.study.store.migrate import make_tables
from percuss.study.store.people import PREFIX, add_people, everybody
from percuss.study.store.tables import assignments, blobs, items, reserve, study
from percuss.study.store.verifying import attested
from percuss.study.study import ANCHOR, Study, database_url, open_study

__all__ = ["Made", "create"]


class Made(Record):
    """What a new study holds.

    Args:
        items: items in the study; offered: items there were to choose from.
        doubled: items that several raters judge; repeats: hidden repeats over all raters.
        masked: names of models and makers that were masked.
        exempt: shown fields that the leak test left out, since they are what is judged.
        warnings: pictures that somebody should look at first.
        tested: items that the leak test saw, of very many a part that was drawn over all.
        suspects: sentences on shown fields that may tell arm or model, too weakly to be refused.
        untested: what of `arm` and `model` the leak test says nothing of, each with why.
    """

    folder: str
    design: str
    items: int
    offered: int
    doubled: int
    repeats: int
    masked: int
    raters: int
    exempt: tuple[str, ...] = ()
    tested: int = 0
    suspects: tuple[str, ...] = ()
    untested: dict[str, str] = {}
    warnings: tuple[str, ...] = ()

    @property
    def tested_on(self) -> str:
        """How many items the leak test saw, in words."""
        if self.tested == self.items:
            return f"all {self.items} items"
        return f"{self.tested} of {self.items} items, whole cases drawn at random over all"


def _chosen(listed: Sequence[AnnotationItem], ids: Sequence[str] | None) -> list[AnnotationItem]:
    if ids is None:
        return list(listed)
    by_id = {item.id: item for item in listed} | {item.subject: item for item in listed}
    missing = [name for name in ids if name not in by_id]
    if missing:
        raise UsageError(f"--items names {len(missing)} ids that are not there, the first is {missing[0]!r}")
    return list({by_id[name].id: by_id[name] for name in ids}.values())


class _Parts(NamedTuple):
    """What a new study is made of."""

    settings: Settings
    design: Design
    items: Sequence[Prepared]
    pictures: Sequence[Blob]
    strata: Sequence[str]
    raters: int
    adjudicators: int
    slots: tuple[Slot, ...]
    reserve: Sequence[tuple[Prepared, str]]
    state: str


def _write(connection: Connection, parts: _Parts, secret: bytes) -> None:
    settings = parts.settings
    add_people(connection, "rater", parts.raters)
    add_people(connection, "adjudicator", parts.adjudicators)
    add_people(connection, "coordinator", 1)
    _write_rows(connection, parts, secret)
    signer = connection.get_execution_options()["signer"]
    known = {"design": parts.design.digest, "name": settings.name, "state": parts.state}
    for key, value in {**known, "made_at": ledger.now(), "ledger_key": signer.public}.items():
        connection.execute(insert(study).values(key=key, value=value))
    decided = {
        "settings": {k: v for k, v in msgspec.to_builtins(settings).items() if k not in ("database", "oidc")},
        "design": parts.design.digest,
        "state": parts.state,
        "people": {person.code: person.role for person in everybody(connection)},
    }
    decided = attested(connection, decided)
    ledger.append(connection, "system", "created", settings.name, decided)


def _write_rows(connection: Connection, parts: _Parts, secret: bytes) -> None:
    rows = [
        {"id": n, "item": one.id, "body": msgspec.json.encode(one).decode(), "stratum": stratum}
        for n, (one, stratum) in enumerate(zip(parts.items, parts.strata, strict=True))
    ]
    connection.execute(insert(items), rows)
    if parts.pictures:
        connection.execute(insert(blobs), [msgspec.structs.asdict(picture) for picture in parts.pictures])
    listed = [
        {
            "token": opaque(secret, "slot", slot.rater, slot.item, int(slot.repeat)),
            "rater": slot.rater,
            "item": slot.item,
            "ordinal": slot.ordinal,
            "again": int(slot.repeat),
        }
        for slot in parts.slots
    ]
    connection.execute(insert(assignments), listed)
    if parts.reserve:
        kept = [
            {"item": one.id, "body": msgspec.json.encode(one).decode(), "stratum": stratum, "ordinal": n}
            for n, (one, stratum) in enumerate(parts.reserve)
        ]
        connection.execute(insert(reserve), kept)


def create(
    settings: Settings,
    listed: Iterable[AnnotationItem],
    *,
    folder: Path | None = None,
    raters: int = 2,
    adjudicators: int = 1,
    size: int | None = None,
    ids: Sequence[str] | None = None,
    blob: Callable[[str], Blob] | None = None,
    state: str = "open",
) -> tuple[Study, Made]:
    """Make a study and open it; on any error nothing is left behind.

    Args:
        raters: people who judge.
        adjudicators: people who settle.
        settings: name, design, seed, words and plan.
        listed: items to choose from.
        folder: where it is kept; None: `studies/NAME`.
        size: items to draw, stratified and seeded (cases, where a case is judged on one page); None takes all.
        ids: ids of items or subjects to take; None takes any.
        blob: finds a picture by digest.
        state: where its life begins: `draft` (nobody can judge yet), `pilot` or `open`.

    Raises:
        UsageError: the folder exists, or the plan can't be made.
        BadInput: an item has a wrong form, or a shown field tells arm or model.
    """
    settings = plain(settings)
    design = load_design(settings.design)
    target = folder or study_folder(settings.name)
    if target.exists() and any(target.iterdir()):
        raise UsageError(f"{target} exists; give the study another name, or remove the folder")
    offered = _chosen(list(listed), ids)
    prepared, pictures = prepare_all(offered, design, blob=blob)
    strata = [stratum_of(one, settings.strata) for one in prepared]
    groups = _groups(settings, design, prepared)
    taken, later = _drawn(strata, groups, size, seed=settings.seed)
    left = [(prepared[n], strata[n]) for n in later]
    prepared, strata = [prepared[n] for n in taken], [strata[n] for n in taken]
    slots = _planned(settings, strata, [groups[n] for n in taken], raters)
    met = _as_met(prepared, slots)
    suspects = refuse_leaks(met, design, seed=settings.seed)
    silent = untested(met, design, seed=settings.seed)
    parts = _Parts(settings, design, prepared, pictures, strata, raters, adjudicators, slots, left, state)
    fresh = not target.exists()
    try:
        _store(target, parts)
    except PercussError:
        if fresh:
            shutil.rmtree(target, ignore_errors=True)
        raise
    return open_study(target), _made(target, parts, len(offered), suspects, silent)


def _groups(settings: Settings, design: Design, prepared: Sequence[Prepared]) -> list[str]:
    """Return what each item is judged together with: itself alone, or all of its case."""
    name = settings.page_by
    if not name:
        return [one.id for one in prepared]
    if design.answers_field or design.marked_field:
        raise UsageError(f"design {design.name} fills the screen with one item; leave --page-by out")
    groups = [group_of(one, name) for one in prepared]
    beside = [f.name for f in design.field if f.side == "left"]
    first: dict[str, Prepared] = {}
    for group, one in zip(groups, prepared, strict=True):
        other = first.setdefault(group, one)
        differ = [field for field in beside if one.shown.get(field) != other.shown.get(field)]
        if differ:
            raise BadInput(
                f"items {other.id} and {one.id} have the same {name} and another {differ[0]}; one page shows one; "
                "leave --page-by out or choose another name"
            )
    return groups


def _drawn(
    strata: Sequence[str], groups: Sequence[str], size: int | None, *, seed: int
) -> tuple[list[int], list[int]]:
    """Draw whole groups; return the items taken, and the others in the order in which a study is extended by them."""
    if size is None:
        return list(range(len(groups))), []
    kinds = strata_of_pages(groups, strata)
    names = list(kinds)
    members = {name: [n for n, group in enumerate(groups) if group == name] for name in names}
    taken = [names[n] for n in sample(list(kinds.values()), size, seed=seed)]
    pool = [name for name in names if name not in set(taken)]
    more = sample([kinds[name] for name in pool], len(pool), seed=seed + 1) if pool else ()
    later = [n for m in more for n in members[pool[m]]]
    return sorted(n for name in taken for n in members[name]), later


def _planned(
    settings: Settings, strata: Sequence[str], groups: Sequence[str], raters: int
) -> tuple[Slot, ...]:
    codes = [f"{PREFIX['rater']}{n + 1}" for n in range(raters)]
    overlap, seed = settings.overlap if raters > 1 else 0.0, settings.seed
    depth, repeats = settings.depth, settings.repeats
    if not settings.page_by:
        return plan(strata, codes, overlap=overlap, depth=depth, repeats=repeats, seed=seed)
    return plan_pages(groups, strata, codes, overlap=overlap, depth=depth, repeats=repeats, seed=seed)


def _as_met(prepared: Sequence[Prepared], slots: Sequence[Slot]) -> list[Prepared]:
    """Return the items in the order in which the first rater meets them, then those that others get."""
    order = dict.fromkeys(slot.item for slot in slots)
    return [prepared[n] for n in order]


def _made(
    target: Path, parts: _Parts, offered: int, suspects: tuple[str, ...], silent: dict[str, str]
) -> Made:
    times = Counter(slot.item for slot in parts.slots if not slot.repeat)
    return Made(
        folder=str(target),
        design=parts.design.name,
        items=len(parts.items),
        offered=offered,
        doubled=sum(count > 1 for count in times.values()),
        repeats=sum(slot.repeat for slot in parts.slots),
        masked=sum(len(one.masks) for one in parts.items),
        raters=parts.raters,
        exempt=tuple(sorted({name for one in parts.items for name in exempt(one, parts.design)})),
        tested=len(drawn_over(parts.items, seed=parts.settings.seed)),
        suspects=suspects,
        untested=silent,
        warnings=tuple(w for one in parts.items for w in one.hidden.get("warnings", ())),
    )


def _store(target: Path, parts: _Parts) -> None:
    settings = parts.settings
    target.mkdir(parents=True, exist_ok=True)
    target.chmod(0o700)
    write_settings(target, settings)
    own = settings.design.endswith(".toml")
    source = Path(settings.design) if own else HERE / f"{parts.design.name}.toml"
    write_private(target / "design.toml", source.read_bytes())
    secret = secret_of(target, make=True)
    database = Database(
        open_engine(database_url(target, settings)), signer=signing.made(target), anchor=target / ANCHOR
    )
    try:
        make_tables(database)
        database.write(lambda connection: _write(connection, parts, secret))
    finally:
        database.close()
        for path in target.glob("study.sqlite*"):
            path.chmod(0o600)
