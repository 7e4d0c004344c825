"""People who label with tools of their own: tasks that come back as Label Studio exports them."""

import json
from collections.abc import Callable
from pathlib import Path

__all__ = ["annotated"]


def annotated(tasks: Path, path: Path, label: Callable[[str], str]) -> Path:
    """Answer exported tasks as one annotator, who cancels the first once, and return the file.

    Args:
        tasks: what `percuss export --format labelstudio` wrote. path: to write. label: id of a claim -> what is chosen.
    """
    rows = json.loads(tasks.read_text(encoding="utf-8"))
    for number, task in enumerate(rows):
        choice = label(task["meta"]["claim_id"])
        result = [
            {"from_name": "support", "to_name": "claim", "type": "choices", "value": {"choices": [choice]}}
        ]
        task["annotations"] = [{"completed_by": {"id": 3, "email": "ann@example.org"}, "result": result}]
        if number == 0:
            task["annotations"].append({"completed_by": 4, "was_cancelled": True, "result": result})
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path
