"""Make a study: choose the items, assign them, seal what was decided in the ledger's first entry."""

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec
from sqlalchemy import Connection, func, insert, select

from percuss.core.errors import PercussError, UsageError
from percuss.core.records import Blob, Item, Record
from percuss.study.assignment import Slot, plan, sample
from percuss.study.blinding import opaque
from percuss.study.design import HERE, Design, load_design
from percuss.study.items import Prepared, prepare_all, stratum_of
from percuss.study.settings import Settings, secret_of, study_folder, write_private, write_settings
from percuss.study.store import ledger
from percuss.study.store.database import Database, open_engine
from percuss.study.store.migrate import upgrade
from percuss.study.store.people import add_people
from percuss.study.store.tables import assignments, blobs, items, study
from percuss.study.study import Study, database_url, open_study

__all__ = ["Made", "create"]


class Made(Record):
    """What a new study holds.

    Args:
        items: items in the study; offered: items there were to choose from.
        doubled: items that several raters judge; repeats: hidden repeats over all raters.
        masked: names of models and makers that were masked.
    """

    folder: str
    design: str
    items: int
    offered: int
    doubled: int
    repeats: int
    masked: int
    raters: int


def _chosen(listed: Sequence[Item], ids: Sequence[str] | None) -> list[Item]:
    if ids is None:
        return list(listed)
    by_id = {item.id: item for item in listed} | {item.subject: item for item in listed}
    missing = [name for name in ids if name not in by_id]
    if missing:
        raise UsageError(f"--items names {len(missing)} ids that are not there, the first is {missing[0]!r}")
    return list({by_id[name].id: by_id[name] for name in ids}.values())


def _write(
    connection: Connection,
    settings: Settings,
    design: Design,
    prepared: Sequence[Prepared],
    pictures: Sequence[Blob],
    strata: Sequence[str],
    raters: int,
    adjudicators: int,
    secret: bytes,
) -> tuple[Slot, ...]:
    if connection.scalar(select(func.count()).select_from(study)):
        raise UsageError("the database already holds a study; give another one for --database-url")
    codes = add_people(connection, "rater", raters)
    add_people(connection, "adjudicator", adjudicators)
    add_people(connection, "coordinator", 1)
    slots = plan(
        strata,
        codes,
        overlap=settings.overlap if raters > 1 else 0.0,
        depth=settings.depth,
        repeats=settings.repeats,
        seed=settings.seed,
    )
    rows = [
        {"id": n, "item": one.id, "body": msgspec.json.encode(one).decode(), "stratum": stratum}
        for n, (one, stratum) in enumerate(zip(prepared, strata, strict=True))
    ]
    connection.execute(insert(items), rows)
    if pictures:
        connection.execute(insert(blobs), [msgspec.structs.asdict(picture) for picture in pictures])
    listed = [
        {
            "token": opaque(secret, "slot", slot.rater, slot.item, int(slot.repeat)),
            "rater": slot.rater,
            "item": slot.item,
            "ordinal": slot.ordinal,
            "again": int(slot.repeat),
        }
        for slot in slots
    ]
    connection.execute(insert(assignments), listed)
    for key, value in {"design": design.digest, "name": settings.name, "made_at": ledger.now()}.items():
        connection.execute(insert(study).values(key=key, value=value))
    decided = {
        "settings": {k: v for k, v in msgspec.to_builtins(settings).items() if k not in ("database", "oidc")},
        "design": design.digest,
        "items_digest": ledger.items_digest(connection),
    }
    ledger.append(connection, "system", "created", settings.name, decided)
    return slots


def create(
    settings: Settings,
    listed: Iterable[Item],
    *,
    folder: Path | None = None,
    raters: int = 2,
    adjudicators: int = 1,
    size: int | None = None,
    ids: Sequence[str] | None = None,
    blob: Callable[[str], Blob] | None = None,
) -> tuple[Study, Made]:
    """Make a study and open it; on any error nothing is left behind.

    Args:
        settings: name, design, seed, words and plan.
        listed: items to choose from.
        folder: where it is kept; None: `studies/NAME`.
        size: items to draw, stratified and seeded; None takes all.
        ids: ids of items or subjects to take; None takes any.
        blob: finds a picture by digest.

    Raises:
        UsageError: the folder exists, or the plan can't be made.
        BadInput: an item has a wrong form.
    """
    design = load_design(settings.design)
    target = folder or study_folder(settings.name)
    if target.exists() and any(target.iterdir()):
        raise UsageError(f"{target} exists; give the study another name, or remove the folder")
    offered = _chosen(list(listed), ids)
    prepared, pictures = prepare_all(offered, design, blob=blob)
    strata = [stratum_of(one, settings.strata) for one in prepared]
    if size is not None:
        taken = sample(strata, size, seed=settings.seed)
        prepared, strata = [prepared[n] for n in taken], [strata[n] for n in taken]
        kept = {digest for one in prepared for digest in one.pictures}
        pictures = [picture for picture in pictures if picture.digest in kept]
    made_folder = not target.exists()
    try:
        slots = _store(target, settings, design, prepared, pictures, strata, raters, adjudicators)
    except PercussError:
        if made_folder:
            shutil.rmtree(target, ignore_errors=True)
        raise
    times = Counter(slot.item for slot in slots if not slot.repeat)
    made = Made(
        folder=str(target),
        design=design.name,
        items=len(prepared),
        offered=len(offered),
        doubled=sum(count > 1 for count in times.values()),
        repeats=sum(slot.repeat for slot in slots),
        masked=sum(len(one.masks) for one in prepared),
        raters=raters,
    )
    return open_study(target), made


def _store(
    target: Path,
    settings: Settings,
    design: Design,
    prepared: Sequence[Prepared],
    pictures: Sequence[Blob],
    strata: Sequence[str],
    raters: int,
    adjudicators: int,
) -> tuple[Slot, ...]:
    target.mkdir(parents=True, exist_ok=True)
    target.chmod(0o700)
    write_settings(target, settings)
    shipped = HERE / f"{design.name}.toml"
    source = Path(settings.design) if settings.design.endswith(".toml") else shipped
    write_private(target / "design.toml", source.read_bytes())
    secret = secret_of(target, make=True)
    database = Database(open_engine(database_url(target, settings)))
    try:
        upgrade(database)
        return database.write(
            lambda c: _write(c, settings, design, prepared, pictures, strata, raters, adjudicators, secret)
        )
    finally:
        database.close()
        for path in target.glob("study.sqlite*"):
            path.chmod(0o600)
