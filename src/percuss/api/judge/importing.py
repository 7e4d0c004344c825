"""Results and labels made elsewhere: rates and HDI of a claims table; people's labels into a run."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from percuss.api.catalog import load
from percuss.api.judge.adjudication import DESIGN
from percuss.api.run.recheck import estimate_again
from percuss.api.run.run import Finished
from percuss.core.errors import BadInput, UsageError
from percuss.core.labels import SPEECH_ACTS, SPEECH_ASPECT, SUPPORT_LABELS
from percuss.core.records import Estimate, Scoring, Verdict
from percuss.exchange.claims_table import GIVEN, ONLY_ARM, claim_cells
from percuss.exchange.factscore import MEASURES, factscore_cells, is_factscore
from percuss.exchange.label_studio import read_labels
from percuss.exchange.rows import rows
from percuss.judging.extract import is_truncated
from percuss.measure.dependence import hdis, model_hdi_differences
from percuss.measure.quantity import Plan, Quantity
from percuss.measure.rates import model_differences, rates
from percuss.measure.tally import simulated_of, tallies
from percuss.store import RunStore
from percuss.store.view import StoredView
from percuss.text.saying import saying

__all__ = ["estimate_claims", "import_labels"]

FINER = ("contradicted", "absent")
"""Two ways to be unsupported that people may tell apart: the evidence says otherwise, or it says nothing of it."""
_WORDS: dict[str, tuple[str, str, Literal["lower", "higher"]]] = {
    "unsupported": ("unsupported claims", "What share of claims is unsupported?", "lower"),
    "supported": ("supported claims", "What share of claims is supported?", "higher"),
}


def estimate_claims(
    *paths: Path,
    mapping: Mapping[str, str],
    words: Mapping[str, str] | None = None,
    with_arm: str | None = None,
    without_arm: str | None = None,
    seed: int,
    resamples: int,
) -> tuple[Estimate, ...]:
    """Estimate a table of labelled claims that was not made here.

    Args:
        paths: a table with one row per claim; or FActScore's JSONL, one file per model, which also gives the means over
            responses that the field reports. Several files are several models, named by their files.
        mapping: field -> column. words: the table's word for a label -> ours.
        with_arm, without_arm: names of the arms that HDI compares; None takes `full_multimodal` and `ungrounded`, and
            leaves HDI out where the table has neither.
        seed, resamples: of the bootstrap over clusters.

    Raises:
        UsageError: an arm that the table lacks; BadInput: a row that cannot be read.
    """
    if not paths:
        raise UsageError("no file was named; give a table of labelled claims")
    several = len(paths) > 1
    cells = [
        cell
        for path in paths
        for cell in claim_cells(
            path, mapping=mapping, words=words, model=path.stem if several or is_factscore(path) else "model"
        )
    ]
    path, by_name = paths[0], tallies(cells)
    unsupported = by_name["unsupported", GIVEN]
    plan = Plan(seed=seed, B=resamples, simulated=simulated_of(cells))
    pair = _arms(path, unsupported.arms, with_arm, without_arm)
    found: list[Estimate] = []
    if pair is not None:
        found += hdis(unsupported, plan, arm=pair[0], baseline=pair[1])
        found += model_hdi_differences(unsupported, plan, arm=pair[0], baseline=pair[1])
    for name, (label, question, better) in _WORDS.items():
        quantity = Quantity(f"{name}_rate", label, question, better, "share", cells=name)
        found += rates(by_name[name, GIVEN], quantity, plan)
        if name == "unsupported":
            arms = unsupported.arms if pair is None else pair[:1]
            found += [d for arm in arms for d in model_differences(unsupported, quantity, plan, arm=arm)]
    return (*_per_response(paths, plan), *found)


def _per_response(paths: Sequence[Path], plan: Plan) -> Iterator[Estimate]:
    """FActScore's own numbers: means over responses, with and without irrelevant facts, and the share that responded."""
    cells = [cell for path in paths if is_factscore(path) for cell in factscore_cells(path)]
    by_name = tallies(cells)
    for name, (label, question) in MEASURES.items():
        if (name, GIVEN) in by_name:
            quantity = Quantity(name, label, question, "higher", "share", cells=name)
            yield from rates(by_name[name, GIVEN], quantity, plan)
            yield from model_differences(by_name[name, GIVEN], quantity, plan, arm=ONLY_ARM)


def _arms(path: Path, there: Sequence[str], given: str | None, bare: str | None) -> tuple[str, str] | None:
    """Return the arms that HDI compares; None where none were named and the table has no such pair."""
    pair = (given or "full_multimodal", bare or "ungrounded")
    lacking = [arm for arm in pair if arm not in there]
    if not lacking:
        return pair
    if given is None and bare is None and len(there) == 1:
        return None
    raise UsageError(
        f"{path} has no arm {lacking[0]!r}; it has {', '.join(there)}; name the arms with --with and --without"
    )


def import_labels(
    run: Path, path: Path, *, rater: str | None = None, about: str = ""
) -> tuple[int, Finished]:
    """Bring people's labels into a run and estimate it again.

    Args:
        run: the folder.
        path: a Label Studio export (`.json`), or CSV/JSONL with claim_id, rater, label, optional aspect and notes. In place of
            claim_id a row may have case and claim: its label is then of every claim about that case in those words
            (the key of a judgement is what the reader was shown: reading.md, section 3).
        rater: who labelled the rows that name nobody; `consensus` settles.
        about: one sentence on who labelled and how, which stands above every result; "" says nothing.

    Returns:
        How many labels there are, and the new estimates.

    Raises:
        BadInput: a row that cannot be read, or a label of a claim that the run does not hold; nothing is written then.
    """
    with RunStore.open(run, writable=True) as store:
        scoring = store.latest_scoring()
        exported = list(read_labels(path)) if path.suffix == ".json" else []
        table: list[tuple[int, Mapping[str, Any]]] = [] if path.suffix == ".json" else list(rows(path))
        if any(_by_words(row) for _, row in table):
            table = list(_of_every_claim(path, table, store.view(scoring.id)))
        named = {verdict.subject for verdict in exported} | {_claim(row) for _, row in table}
        owner = _owners(store, scoring, named)
        verdicts = exported or list(_rows(path, table, owner, rater))
        lost = next((verdict.subject for verdict in verdicts if verdict.subject not in owner), None)
        if lost is not None:
            raise BadInput(
                f"labels claim {lost!r}, which the run does not hold; was it exported from another run?",
                source=str(path),
            )
        if not verdicts:
            raise BadInput("holds no label; expected one row a claim and rater", source=str(path))
        store.put_human(verdicts)
        flags = store.manifest().get("flags", [])
        if about and about not in flags:
            store.update_manifest({"flags": [*flags, about]})
    return len(verdicts), asyncio.run(estimate_again(run))


def _owners(store: RunStore, scoring: Scoring, named: set[str]) -> dict[str, str]:
    """Return what people may label -> its response.

    Args:
        store: the run. scoring: of it. named: what labels are of; where claims are not all of it, everything that
            the protocol offers to people is looked up too, which takes longer.
    """
    view = store.view(scoring.id)
    owner = {claim.id: assessed.response.id for assessed in view.assessed() for claim in assessed.claims}
    if not named <= owner.keys():
        manifest = store.manifest()
        protocol = load(str(manifest["protocol"]))
        items = protocol.items(view, DESIGN, protocol.options_of(manifest, scoring))
        owner |= {item.subject: item.response_id for item in items}
    return owner


def _by_words(row: Mapping[str, Any]) -> bool:
    return not _claim(row) and bool(row.get("case")) and bool(row.get("claim"))


def _of_every_claim(
    path: Path, table: Sequence[tuple[int, Mapping[str, Any]]], view: StoredView
) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield rows that name a claim's words once for every claim about that case in those words, and all others as they are."""
    held: dict[tuple[str, str], list[str]] = {}
    for assessed in view.assessed():
        for claim in assessed.claims:
            if is_truncated(claim):
                continue  # what such a sentence would have said nobody knows
            text = str(claim.payload.get("says") or claim.text)
            held.setdefault((assessed.case.id, saying(text)), []).append(claim.id)
    for line, row in table:
        if not _by_words(row):
            yield line, row
            continue
        case, words = str(row["case"]), str(row["claim"])
        claims = held.get((case, saying(words)))
        if not claims:
            raise BadInput(
                f"labels the claim {words!r} about case {case!r}, which the run does not hold; was it taken from another run?",
                source=str(path),
                line=line,
            )
        yield from ((line, {**row, "claim_id": claim}) for claim in claims)


def _claim(row: Mapping[str, Any]) -> str:
    return str(row.get("claim_id") or "").strip()


def _rows(
    path: Path, table: Sequence[tuple[int, Mapping[str, Any]]], owner: Mapping[str, str], person: str | None
) -> Iterator[Verdict]:
    seen: set[tuple[str, str, str]] = set()
    for line, row in table:
        claim = _claim(row)
        rater, label = (str(row.get(name) or "").strip() for name in ("rater", "label"))
        rater = rater or person or ""
        aspect = str(row.get("aspect") or "support")
        for name, value in (("claim_id", claim), ("rater", rater)):
            if not value:
                hint = ", or --rater NAME" if name == "rater" else ""
                raise BadInput(
                    f"has no {name}; expected the columns claim_id, rater, label{hint}",
                    source=str(path),
                    line=line,
                )
        if claim not in owner:
            raise BadInput(
                f"labels claim {claim!r}, which the run does not hold; was it exported from another run?",
                source=str(path),
                line=line,
            )
        if (claim, rater, aspect) in seen:
            raise BadInput(
                f"labels claim {claim!r} by {rater!r} a second time; expected one row a claim and rater",
                source=str(path),
                line=line,
            )
        seen.add((claim, rater, aspect))
        yield Verdict(
            subject=claim,
            response_id=owner[claim],
            aspect=aspect,
            rater=rater if rater.startswith("human:") else f"human:{rater}",
            rationale=str(row.get("notes") or ""),
            **_said(label.casefold(), aspect, path, line),
        )


def _said(label: str, aspect: str, path: Path, line: int) -> dict[str, Any]:
    if label in {"", "can't judge", "abstain", "abstained"}:
        return {"unscored": "abstained"}
    if aspect == "support" and label in FINER:
        return {"label": "unsupported", "evidence": ({"kind": "reference", "found": label},)}
    known = SPEECH_ACTS if aspect == SPEECH_ASPECT else SUPPORT_LABELS
    if label not in known:
        raise BadInput(f"got the label {label!r}; expected {', '.join(known)}", source=str(path), line=line)
    return {"label": label}
