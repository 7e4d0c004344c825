"""What a person verifies: a passage with the question and answer made from it (design qa-verification)."""

from collections.abc import Iterator

from percuss.core.ids import b2
from percuss.core.ports import RunView
from percuss.core.records import AnnotationItem
from percuss.protocols.textbook.generate.cases import source_of
from percuss.protocols.textbook.generate.check import FORM, GOOD, item_of
from percuss.protocols.textbook.generate.options import GenerateOptions

__all__ = ["items"]


def items(run: RunView, design: str, options: GenerateOptions) -> Iterator[AnnotationItem]:
    """Yield every valid question with its passage.

    Args:
        run: one scoring. design: name of the study's design; the items are the same for each. options: not used.
    """
    del design, options
    for scored in run.assessed():
        item = item_of(scored.response) if scored.response.status == "done" and not scored.left_out else None
        valid = any(v.aspect == FORM and v.label == GOOD for v in scored.verdicts)
        if item is None or not valid:
            continue
        claim = scored.claims[0]
        said = {v.rater: v.label for v in scored.verdicts if v.label}
        explained = "\n".join([*item.reasoning, item.explanation]).strip()
        content = {"type": item.type, "question": item.question, "options": list(item.options), "answer": item.right, "explanation": explained, "claim": f"{item.question} {item.right}"}  # fmt: skip
        yield AnnotationItem(
            id=b2("item", claim.id), subject=claim.id, response_id=scored.response.id, model=scored.response.model, arm=scored.response.arm,
            kind=item.type, stratum={"tier": item.type}, shown={"passage": source_of(scored.case).passage.text, "evidence": {"passage": source_of(scored.case).passage.text}},
            content={key: value for key, value in content.items() if value}, hidden={"case": scored.case.id, "labels": said},
        )  # fmt: skip
