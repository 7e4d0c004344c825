"""Items from a run, and labels back into it."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from percuss.core.errors import UsageError
from percuss.core.protocol import Protocol
from percuss.core.records import AnnotationItem, Blob
from percuss.store.run import RunStore
from percuss.study.design import Design

if TYPE_CHECKING:
    from percuss.study.study import Study

__all__ = ["export_to_run", "items_of_run"]


def items_of_run(
    folder: Path,
    design: Design,
    find_protocol: Callable[[str], Protocol[Any]],
    *,
    scoring: str | None = None,
) -> tuple[list[AnnotationItem], Callable[[str], Blob]]:
    """Return the items that a run's protocol offers for a design, with the verdicts of its machines hidden.

    Answers of simulated models are left out where others are there: nobody's time is for what a program made up.

    Args:
        folder: the run.
        find_protocol: finds a protocol by name.
        scoring: id of a scoring; None takes the newest.

    Raises:
        UsageError: the protocol offers no item for this design.
    """
    store = RunStore.open(folder)
    try:
        held = {made.id: made for made in store.scorings()}
        chosen = held.get(scoring or "") or store.latest_scoring()
        manifest = store.manifest()
        protocol = find_protocol(str(manifest.get("protocol", "")))
        options = protocol.options_of(manifest, chosen)
        view = store.view(chosen.id)
        listed = list(protocol.items(view, design.name, options))
        needed = {blob.digest: blob for item in listed for blob in item.blobs}
    finally:
        store.close()
    if not listed:
        raise UsageError(
            f"{folder} ({protocol.name}) offers nothing for design {design.name}; `percuss protocols` lists what fits"
        )

    listed = [item for item in listed if item.model not in view.simulated] or listed

    def blob(digest: str) -> Blob:
        if digest in needed:
            return needed[digest]
        with RunStore.open(folder) as again:
            return again.blobs.get(digest)

    return listed, blob


def export_to_run(study: "Study", folder: Path) -> int:
    """Write a study's labels into the run that its items came from, and return how many were written.

    Raises:
        UsageError: none of the labels is of a response of this run.
        RunError: the run is in use.
    """
    # The tables of a study need the extra `study`; the items of a run don't.
    from percuss.study.export import verdicts

    with RunStore.open(folder, writable=True) as store:
        known = {one.response.id for one in store.view("").assessed()}
        fitting = [verdict for verdict in verdicts(study) if verdict.response_id in known]
        if not fitting:
            raise UsageError(
                f"no label of {study.settings.name} is of a response of {folder}; was it made from another run?"
            )
        store.put_human(fitting)
    return len(fitting)
