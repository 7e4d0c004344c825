"""A run as an Inspect log: one sample a response, one score a rater, so that Inspect's viewer and tools can read it."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from percuss.core.errors import RunError, UsageError
from percuss.core.ports import RunView, ScoredResponse
from percuss.exchange.inspect_logs import OURS

__all__ = ["write_log"]


def write_log(
    view: RunView, out: Path, *, withheld: Mapping[str, Mapping[str, str]] = MappingProxyType({})
) -> int:
    """Write a run as one `.eval` file.

    Args:
        view: the run in one scoring; its models share the log, named in each sample's metadata.
        out: the file.
        withheld: rater -> model -> why nothing may rest on that rater's labels of it, kept for who compares the log.

    Returns:
        How many samples were written.

    Raises:
        UsageError: the `inspect` extra is missing; RunError: the file cannot be written.
    """
    try:
        from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSpec, write_eval_log
    except ImportError as error:
        raise UsageError("Inspect logs need the `inspect` extra; pip install 'percuss[inspect]'") from error
    held = view.manifest()
    samples = [_sample(number, assessed) for number, assessed in enumerate(view.assessed(), 1)]
    spec = EvalSpec(
        created=str(held.get("made_at", "1970-01-01T00:00:00+00:00")),
        task=f"{OURS}{held.get('protocol', 'run')}",
        dataset=EvalDataset(name=str(held.get("protocol", "run")), samples=len(samples)),
        model=", ".join(view.models) or "none",
        config=EvalConfig(),
        metadata={
            "scoring": view.scoring,
            "seed": view.seed,
            "withheld": {rater: dict(by_model) for rater, by_model in withheld.items()},
        },
    )
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        # Inspect chooses its format by the ending; a hidden name keeps half a log from passing for one.
        fresh = out.with_name(f".{out.name}.new.eval")
        write_eval_log(EvalLog(status="success", eval=spec, samples=samples), str(fresh))
        fresh.replace(out)
    except OSError as error:
        raise RunError(f"{out} could not be written: {error.strerror}; choose another place") from error
    return len(samples)


def _sample(number: int, assessed: ScoredResponse) -> Any:
    from inspect_ai.log import EvalError, EvalSample
    from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, ModelOutput

    case, response = assessed.case, assessed.response
    made = {"assistant": ChatMessageAssistant, "user": ChatMessageUser}
    failed = None if response.status == "done" else str(response.reason or response.status)
    return EvalSample(
        id=f"{case.id}/{response.arm}/{response.model}",
        epoch=response.epoch + 1,
        input=f"case {case.id}, arm {response.arm}",
        target="",
        messages=[made[turn.role](content=turn.text) for turn in response.turns if turn.role in made],
        output=ModelOutput.from_content(response.model, _last(assessed)),
        error=None if failed is None else EvalError(message=failed, traceback="", traceback_ansi=""),
        scores=_scores(assessed),
        metadata={
            "case_id": case.id,
            "arm": response.arm,
            "model": response.model,
            "cluster": case.cluster,
            "stratum": case.stratum,
            "status": response.status,
            "reason": response.reason or "",
            "number": number,
        },
    )


def _last(assessed: ScoredResponse) -> str:
    """Return the model's last turn: what Inspect calls the completion."""
    said = [turn.text for turn in assessed.response.turns if turn.role == "assistant"]
    return said[-1] if said else ""


def _scores(assessed: ScoredResponse) -> dict[str, Any]:
    """Return, a rater, the share of its labelled claims that are unsupported; counts of all labels beside it."""
    from inspect_ai.scorer import Score

    counts: dict[str, Counter[str]] = {}
    for verdict in assessed.verdicts:
        word = verdict.label or (verdict.unscored and f"unscored: {verdict.unscored}")
        if word:
            counts.setdefault(verdict.rater, Counter())[word] += 1
    scores = {}
    for rater, found in sorted(counts.items()):
        labelled = sum(n for word, n in found.items() if not word.startswith("unscored: "))
        value = found["unsupported"] / labelled if labelled else "N"
        scores[rater] = Score(value=value, metadata=dict(found))
    return scores
