"""What a judge is asked of a report on the index: its plan, its chain of evidence, what it warns of (paper, section 2.1)."""

from percuss.protocols.skills.worlds.contract import Final, Result, Task
from percuss.protocols.skills.worlds.desk import read
from percuss.protocols.skills.worlds.literature.index import index
from percuss.protocols.skills.worlds.literature.tasks import gold_of
from percuss.protocols.skills.worlds.literature.tools import Submission
from percuss.protocols.skills.worlds.material import Material

__all__ = ["material"]


def material(task: Task, final: Final) -> Material | None:
    """Return plan, report and evidence as they were handed in, beside the findings of the index; None where nothing was.

    Args:
        task: of this world. final: what is left; the plan is the last one that the tool log holds.
    """
    handed = final.submitted[0] if final.submitted and not final.limit else None
    held = None if handed is None else read(handed, Submission)
    if held is None or isinstance(held, Result):
        return None
    gold, entries = gold_of(task), index().entries
    plans = [str(a.arguments["plan"]) for a in final.log if a.tool == "plan" and a.outcome == "ok"]
    sections = [f"{each.heading}\n{each.text}" for each in held.sections]
    evidence = [f"- {each.claim} [{each.record}] {each.quote}" for each in held.evidence]
    lines = [
        f"[{name}, {entries[name].year}] {entries[name].finding}{' (risk alert)' * each.alert}"
        for each in gold.elements
        for name in each.records
    ] or [
        f"{each.drug}: {each.outcome[0]}, {each.way}{' (risk alert)' * each.alert}" for each in gold.elements
    ]
    return Material(
        question=task.says[0],
        reference="\n".join(dict.fromkeys(lines)),
        answer="\n\n".join(
            [f"Plan:\n{plans[-1] if plans else 'none'}", *sections, "\n".join(["Evidence:", *evidence])]
        ),
    )
