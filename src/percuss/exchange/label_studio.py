"""Claims as Label Studio tasks, blinded, and its exports back as verdicts of people."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from percuss.core.errors import BadInput
from percuss.core.labels import SUPPORT_LABELS, Reason
from percuss.core.ports import RunView
from percuss.core.records import Verdict

__all__ = ["config", "read_labels", "write_claims"]

_CHOICE = "support"
CANT_JUDGE = "can't judge"


def config() -> str:
    """Return the labelling interface that the tasks are made for, as Label Studio's XML."""
    choices = "".join(f'<Choice value="{label}"/>' for label in (*SUPPORT_LABELS, CANT_JUDGE))
    return (
        '<View><Header value="Claim"/><Text name="claim" value="$claim"/>'
        '<Header value="Answer"/><Text name="answer" value="$answer"/>'
        '<Header value="Evidence"/><Text name="evidence" value="$evidence"/>'
        f'<Choices name="{_CHOICE}" toName="claim" choice="single" required="true">{choices}</Choices></View>'
    )


def write_claims(view: RunView, out: Path) -> int:
    """Write one task a claim; model, arm and raters' labels stay out of `data`, so that annotators are blind.

    Args:
        view: the run in one scoring.
        out: the JSON file to import into Label Studio.

    Returns:
        How many tasks were written.
    """
    tasks = []
    for assessed in view.assessed():
        evidence = json.dumps(
            assessed.case.payload.get("packet", assessed.case.payload), ensure_ascii=False, indent=1
        )
        for claim in assessed.claims:
            data = {"claim": claim.text, "answer": assessed.response.text, "evidence": evidence}
            meta = {"claim_id": claim.id, "response_id": claim.response_id}
            tasks.append({"data": data, "meta": meta})
    out.parent.mkdir(parents=True, exist_ok=True)
    fresh = out.with_name(out.name + ".new")
    fresh.write_text(json.dumps(tasks, ensure_ascii=False, indent=1), encoding="utf-8")
    fresh.replace(out)
    return len(tasks)


def read_labels(path: Path) -> Iterator[Verdict]:
    """Yield the labels of a Label Studio export as people's verdicts, one a task and annotator.

    Args:
        path: JSON export whose tasks carry the `meta` that `write_claims` wrote.

    Raises:
        BadInput: no export, or a task without its claim.
    """
    try:
        tasks = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput(
            f"cannot be read ({error}); expected a Label Studio JSON export", source=str(path)
        ) from error
    if not isinstance(tasks, list):
        raise BadInput(f"got {type(tasks).__name__}; expected a list of tasks", source=str(path))
    for number, task in enumerate(tasks, 1):
        meta = task.get("meta") if isinstance(task, dict) else None
        if not isinstance(meta, dict) or "claim_id" not in meta or "response_id" not in meta:
            raise BadInput(
                f"task {number} has no meta.claim_id; expected tasks of `percuss export --format labelstudio`, exported as JSON",
                source=str(path),
            )
        seen: set[str] = set()
        for annotation in task.get("annotations") or ():
            if annotation.get("was_cancelled"):
                continue
            rater = _rater(annotation, str(path), number)
            if rater in seen:
                raise BadInput(
                    f"task {number} has two annotations of {rater}; expected one", source=str(path)
                )
            seen.add(rater)
            yield from _verdicts(annotation, meta, rater, f"{path}: task {number}")


def _rater(annotation: Mapping[str, Any], source: str, number: int) -> str:
    """Return who annotated: their address where the export has it, else their number."""
    who = annotation.get("completed_by")
    name = (who.get("email") or who.get("id")) if isinstance(who, dict) else who
    if name in (None, ""):
        raise BadInput(
            f"task {number} has an annotation without completed_by; expected who annotated", source=source
        )
    return f"human:{name}"


def _verdicts(
    annotation: Mapping[str, Any], meta: Mapping[str, str], rater: str, where: str
) -> Iterator[Verdict]:
    for result in annotation.get("result") or ():
        if result.get("from_name") != _CHOICE:
            continue
        label = str(((result.get("value") or {}).get("choices") or [""])[0]).casefold()
        if label not in (*SUPPORT_LABELS, CANT_JUDGE):
            raise BadInput(
                f"got the label {label!r}; expected {', '.join((*SUPPORT_LABELS, CANT_JUDGE))}", source=where
            )
        said: dict[str, Any] = (
            {"unscored": Reason.ABSTAINED.value} if label == CANT_JUDGE else {"label": label}
        )
        yield Verdict(
            subject=meta["claim_id"], response_id=meta["response_id"], aspect="support", rater=rater, **said
        )
