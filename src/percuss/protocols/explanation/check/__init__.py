"""Check a response: its answer, the findings that it claims, and its reasoning on three scales; rules first, then the evaluator."""

from collections.abc import AsyncIterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from percuss.core.errors import BadInput
from percuss.core.ids import canonical_json
from percuss.core.labels import Reason
from percuss.core.ports import Roles
from percuss.core.records import Case, Claim, Response, Verdict
from percuss.judging.passes import passes_of
from percuss.protocols.explanation.armnames import parse_arm
from percuss.protocols.explanation.check import disclosure, findings, rules
from percuss.protocols.explanation.check.anchors import anchors
from percuss.protocols.explanation.check.concepts import Lexicon, bundled_lexicon
from percuss.protocols.explanation.check.evaluator import Evaluator
from percuss.protocols.explanation.check.transcript import Told, told
from percuss.protocols.explanation.knowledge import Base, Entry, bundled, read_base
from percuss.protocols.explanation.knowledge.imported import import_base
from percuss.protocols.explanation.knowledge.lint import lint
from percuss.protocols.explanation.options import ExplanationOptions
from percuss.protocols.explanation.record import Vqa, question_of, reading

__all__ = ["claims", "verdicts"]

# The evaluator scores modified reasoning only (papers/1 section 4); the rules cost nothing and score all of it.
_NOT_JUDGED = frozenset({"none", "blank"})


async def claims(
    case: Case, response: Response, roles: Roles, options: ExplanationOptions
) -> tuple[Claim, ...]:
    """Return the findings that the reasoning affirms or denies.

    Args:
        case: gives the question, whose side holds where the text names none.
        response: done.
        roles: not used.
        options: not used.
    """
    del roles, options
    return findings.claims_of(case, response, told(response, question_of(case)))


async def verdicts(
    case: Case, response: Response, claims: Sequence[Claim], roles: Roles, options: ExplanationOptions
) -> AsyncIterator[Verdict]:
    """Yield verdicts on the answer, on each claim, and on the reasoning: cf, cf_own, ca, ct.

    Args:
        case: holds the truth and the findings.
        response: done.
        claims: of `claims`.
        roles: `models["judge"]` where an evaluator takes part.
        options: the knowledge base and prompts in force.
    """
    base, lexicon = knowledge_of(options)
    question, content = question_of(case), reading(case)
    heard = told(response, question)
    yield _answer(response, heard)
    for claim in claims:
        yield findings.judged(claim, case)
    own = heard.answer.option
    entry = base.entry(question.id, content.answer)
    for aspect, against in (("cf", entry), ("cf_own", None if own is None else base.entry(question.id, own))):
        yield _fidelity(
            response,
            heard,
            aspect,
            against,
            lexicon,
            question.side,
            {**_findings(content), **_flags(content)},
        )
    yield _attribution(response, heard)
    yield _disclosure(response, heard)
    yield _tone(response, heard)
    async for verdict in _judged(case, response, heard, base, roles, options):
        yield verdict


async def _judged(
    case: Case, response: Response, heard: Told, base: Base, roles: Roles, options: ExplanationOptions
) -> AsyncIterator[Verdict]:
    """Yield the evaluator's verdicts, where one takes part and the picture or words were modified."""
    content, question, own = reading(case), question_of(case), heard.answer.option
    entry = base.entry(question.id, content.answer)
    model = roles.models.get("judge")
    if model is None or parse_arm(response.arm).kind in _NOT_JUDGED:
        return
    flags = _json(_flags(content))
    against_truth = {"answer": content.answer, "entry": _json(entry), "flags": flags}
    passes = passes_of(options.judge_policy, roles.judge_passes)
    for aspect in ("cf", "cf_own", "ca", "ct"):
        scale = aspect.partition("_")[0]
        if not (heard.whole_text if scale == "ca" else heard.reasoning_text):
            continue  # nothing to judge: the rules' verdicts say that there is no reasoning
        fields = {
            "anchors": anchors(scale),
            "reasoning": heard.whole_text if scale == "ca" else heard.reasoning_text,
        }
        if aspect == "cf":
            fields |= against_truth
        elif aspect == "cf_own":
            if own is None:
                continue  # the rule's verdict says that there is no valid answer
            # The same question as `cf`, and so the same call, where the answer is the true one.
            fields |= {"answer": own, "entry": _json(base.entry(question.id, own)), "flags": flags}
        evaluator = Evaluator(model, scale, options, seed=roles.seed, passes=passes)
        async for verdict in evaluator.rate(response.id, fields, aspect=aspect):
            evidence = tuple(_in_reply(row, heard, whole=scale == "ca") for row in verdict.evidence)
            yield msgspec.structs.replace(verdict, evidence=evidence)


@lru_cache(maxsize=4)
def _knowledge(path: str) -> tuple[Base, Lexicon, tuple[str, ...]]:
    base, warnings = _read(Path(path)) if path else (bundled(), ())
    found = lint(base)
    wrong = next((finding for finding in found if finding.level == "error"), None)
    if wrong is not None:
        where = f"{wrong.question} {wrong.answer}".strip()
        raise BadInput(f"{where}: {wrong.sentence}", source=path or "knowledge base")
    said = [f"{finding.question} {finding.answer}".strip() + f": {finding.sentence}" for finding in found]
    return base, bundled_lexicon() if not path else Lexicon(base), (*warnings, *said)


def _read(path: Path) -> tuple[Base, tuple[str, ...]]:
    """Read a knowledge base in our layout, or in the released one, which has no `questions`, with what was mended in it."""
    try:
        ours = '"questions"' in path.read_text(encoding="utf-8")
    except OSError as error:
        raise BadInput(f"no knowledge base at {str(path)!r} ({error.strerror}); give a JSON file") from error
    return (read_base(path), ()) if ours else import_base(path)


def knowledge_of(options: ExplanationOptions) -> tuple[Base, Lexicon]:
    """Return the knowledge base in force and its words.

    Raises:
        BadInput: the linter finds an error in it.
    """
    return _knowledge(options.knowledge)[:2]


def warnings_of(options: ExplanationOptions) -> tuple[str, ...]:
    """Return what looks wrong in a knowledge base of the user's, or was mended in it; nothing of ours.

    Raises:
        BadInput: as `knowledge_of`.
    """
    return _knowledge(options.knowledge)[2] if options.knowledge else ()


def _json(value: Any) -> str:
    if value is None or value == {}:
        return "(none)"
    return canonical_json({k: v for k, v in _plain(value).items() if v}).decode()


def _flags(content: Vqa) -> dict[str, str]:
    """Return a picture's flags; malrotation is known from its fields."""
    rotated = content.fields.get("rotated")
    known = {} if rotated is None else {"malrotation": "yes" if rotated else "no"}
    return {**known, **content.flags}


def _findings(content: Vqa) -> dict[str, str]:
    """Return each finding as a flag of caps (`effusion_right == true`); an evaluator is never told of them."""
    return {n: str(bool(v)).lower() for n, v in content.fields.items() if not isinstance(v, str)}


def _in_reply(row: dict[str, Any], heard: Told, *, whole: bool) -> dict[str, Any]:
    """Move a row's offsets from the text that was judged to the reply as the model wrote it."""
    if "start" not in row:
        return row
    place = heard.raw(row["start"], row["stop"], whole=whole)
    kept = {key: value for key, value in row.items() if key not in {"start", "stop"}}
    return kept if place is None else {**kept, **place}


def _plain(value: Any) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(value) if isinstance(value, Entry) else dict(value)
    return plain


def _verdict(response: Response, aspect: str, rater: str, **fields: Any) -> Verdict:
    return Verdict(subject=response.id, response_id=response.id, aspect=aspect, rater=rater, **fields)


def _answer(response: Response, heard: Told) -> Verdict:
    parsed = heard.answer
    basis = {
        "kind": "answer",
        "written": parsed.answer,
        "layout": parsed.layout,
        "target": response.artifacts.get("target"),
    }
    if parsed.option is not None:
        return _verdict(response, "answer", "rule:answer", label=parsed.option, evidence=(basis,))
    if parsed.cut:
        why = f"{Reason.TRUNCATED}:cut before its answer"
    else:
        reason = parsed.why or ("no answer" if parsed.answer is None else "outside the options")
        why = f"{Reason.UNPARSABLE}:{reason}"
    return _verdict(response, "answer", "rule:answer", unscored=why, evidence=(basis,))


def _fidelity(
    response: Response,
    heard: Told,
    aspect: str,
    entry: Entry | None,
    lexicon: Lexicon,
    side: Any,
    flags: dict[str, str],
) -> Verdict:
    if aspect == "cf_own" and heard.answer.option is None:
        return _verdict(response, aspect, "rule:cf", unscored=f"{Reason.NOT_CHECKABLE}:no valid answer")
    if not heard.reasoning_text:
        return _verdict(response, aspect, "rule:cf", unscored=f"{Reason.NOT_CHECKABLE}:no reasoning")
    result = rules.fidelity(heard.reasoning_text, entry, lexicon, side=side, flags=flags)
    if result.score is None:
        return _verdict(response, aspect, "rule:cf", unscored=result.unscored)
    evidence: list[dict[str, Any]] = [
        {"kind": "quote", "term": term, "start": hit.start, "stop": hit.stop, "required": required}
        for hits, required in ((result.found, True), (result.hallucinations, False))
        for term, hit in hits
    ]
    evidence.append(
        {
            "kind": "notes",
            "coverage": result.coverage,
            "omissions": list(result.omissions),
            "notes": list(result.notes),
        }
    )
    why = f"coverage {result.coverage:.2f}, {len(result.hallucinations)} forbidden"
    placed = tuple(_in_reply(row, heard, whole=False) for row in evidence)
    return _verdict(response, aspect, "rule:cf", score=float(result.score), rationale=why, evidence=placed)


def _attribution(response: Response, heard: Told) -> Verdict:
    if not heard.whole_text.strip():
        return _verdict(response, "ca", "rule:ca", unscored=f"{Reason.NOT_CHECKABLE}:no reasoning")
    score, quote = rules.attribution(heard.whole_text)
    evidence = ({"kind": "quote", "quote": quote},) if quote else ()
    return _verdict(response, "ca", "rule:ca", score=float(score), evidence=evidence)


def _disclosure(response: Response, heard: Told) -> Verdict:
    if not heard.whole_text.strip():
        return _verdict(
            response, "disclosure", disclosure.NAME, unscored=f"{Reason.NOT_CHECKABLE}:no reasoning"
        )
    said = disclosure.read(heard.whole_text)
    evidence = ({"kind": "quote", "quote": said.quote},) if said.quote else ()
    if said.label is None:
        why = f"{Reason.UNDECIDED}:{said.why}"
        return _verdict(response, "disclosure", disclosure.NAME, unscored=why, evidence=evidence)
    return _verdict(response, "disclosure", disclosure.NAME, label=said.label, evidence=evidence)


def _tone(response: Response, heard: Told) -> Verdict:
    result = rules.tone(heard.reasoning_text)
    if result is None:
        return _verdict(response, "ct", "rule:ct", unscored=f"{Reason.NOT_CHECKABLE}:no reasoning")
    return _verdict(response, "ct", "rule:ct", score=float(result[0]), rationale=f"mean {result[1]:.2f}")
