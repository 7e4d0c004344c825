"""How rule, embedded verifier and a scripted cross-encoder read WiCE, CliniFact and MedHallu; lines for docs/reading.md.

`scripts/verified.py` prints them and writes tests/reading/verified.md, which `scripts/reading.py` puts into the page. What the embedded model said stands in tests/reading/verified.jsonl (`scripts/verifying.py`
read it row by row; no text of the sets is kept). Rule and cross-encoder read the sets anew where they lie beside the project.
"""

import asyncio
import json
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

import content_accuracy
import jury
from percuss.core.verifying import Verification, Verifier
from percuss.evidence.packet import Packet
from percuss.evidence.rules.support2 import support2
from percuss.judging.verifiers.thresholds import Labelled, Thresholds, calibrate, label_of
from percuss.judging.verifiers.windows import verify_in_windows
from percuss.stats import mcnemar_exact, wilson
from percuss.stats.result import Result
from percuss.text.sentences import split
from verifying import PLACING, SAMPLED, SHARED, Row, clinifact, medhallu, wice

KEPT = Path(__file__).resolve().parents[1] / "tests" / "reading" / "verified.jsonl"
PAGE = KEPT.with_suffix(".md")
RISK = 0.10
"""Share of wrong and decided claims per case that thresholds promise here; at the floors' .02 no set is large enough."""
SETS = ("wice", "clinifact", "medhallu")
RULES = {
    "supported": "supported",
    "contradicted": "unsupported",
    "absent": "unsupported",
    "partial": "partial",
}


class Read(NamedTuple):
    """One row that was read: set, case, what people say, what the reader says and how likely it holds support."""

    of: str
    case: str
    label: str
    said: str | None
    p: float | None


def by_rule() -> list[Read]:
    """Read every row of the sets by `support-2`."""
    return [
        Read(row.of.split()[0], row.case, row.label, RULES.get(support2(row.claim, Packet.of_text(row.evidence), "").label), None)
        for row in (*wice(), *clinifact(), *medhallu())
    ]  # fmt: skip


def by_verifier(
    said: Sequence[tuple[str, str, str, Verification]],
) -> tuple[list[Read], dict[str, Thresholds]]:
    """Learn thresholds on one half of each set, MedHallu's on its first rows, and label the rest.

    Args:
        said: set, case, label of people, what the verifier said; partly supported claims are not supported.
    """
    held: dict[str, list[tuple[str, str, str, Verification]]] = defaultdict(list)
    for row in said:
        held[row[0].split()[0]].append(row)
    found, learned = [], {}
    for of, rows in held.items():
        order = sorted({case for _, case, _, _ in rows}, key=lambda case: (sum(case.encode()) % 7, case))
        half = set(order[::2])
        placing = [r for r in rows if (int(r[1].split()[1]) <= PLACING if of == "medhallu" else r[1] in half)]
        learned[of] = calibrate(
            [Labelled(case=f"{o} {c}", supported=label == "supported", read=v) for o, c, label, v in placing],
            source=of, supported_risk=RISK, unsupported_risk=RISK,
        )  # fmt: skip
        rest = [row for row in rows if row not in placing]
        found += [Read(of, c, label, label_of(v, learned[of])[0], v.supported) for _, c, label, v in rest]
    return found, learned


def kept() -> tuple[str, list[tuple[str, str, str, Verification]]]:
    """Return the embedded verifier's name and what it said; nothing where it read nothing."""
    if not KEPT.is_file():
        return "", []
    rows = [json.loads(line) for line in KEPT.read_text(encoding="utf-8").splitlines()]
    read = [(r["of"], r["case"], r["label"], msgspec.convert(r["read"], Verification)) for r in rows]
    return (rows[0]["verifier"] if rows else ""), read


async def by_encoder(verifier: Verifier) -> list[tuple[str, str, str, Verification]]:
    """Read every row of the sets with a cross-encoder."""
    cases: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in (*wice(), *clinifact(), *medhallu()):
        cases[row.of, row.case].append(row)
    found = []
    for rows in cases.values():
        text = rows[0].evidence
        read = await verify_in_windows(verifier, [r.claim for r in rows], [text[a:b] for a, b in split(text)])
        found += [(r.of, r.case, r.label, v) for r, v in zip(rows, read, strict=True)]
    return found


def scripted_encoder(folder: Path) -> Path:
    """Write a cross-encoder whose logit is the share of the claim's words that the window holds, and return its path."""
    import onnx
    import tokenizers
    from onnx import TensorProto, helper

    words = sorted(
        {w for r in (*wice(), *clinifact(), *medhallu()) for w in _words(f"{r.claim} {r.evidence}")}
    )
    held = tokenizers.Tokenizer(
        tokenizers.models.WordLevel(
            {"[UNK]": 0, **{w: n for n, w in enumerate(words, start=1)}}, unk_token="[UNK]"
        )
    )
    held.normalizer = tokenizers.normalizers.Lowercase()
    held.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    held.save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text(json.dumps({"id2label": {"0": "not_supported", "1": "supported"}}))
    node = helper.make_node
    nodes = [
        node("Cast", ["token_type_ids"], ["claim"], to=TensorProto.FLOAT),
        node("Cast", ["attention_mask"], ["there"], to=TensorProto.FLOAT),
        node("Sub", ["there", "claim"], ["premise"]),
        node("Unsqueeze", ["input_ids", "two"], ["down"]),
        node("Unsqueeze", ["input_ids", "one"], ["across"]),
        node("Equal", ["down", "across"], ["same_bool"]),
        node("Cast", ["same_bool"], ["same"], to=TensorProto.FLOAT),
        node("Unsqueeze", ["premise", "one"], ["premise_across"]),
        node("Mul", ["same", "premise_across"], ["met"]),
        node("ReduceMax", ["met"], ["found"], axes=[2], keepdims=0),
        node("Mul", ["found", "claim"], ["hit"]),
        node("ReduceSum", ["hit", "one"], ["hits"], keepdims=1),
        node("ReduceSum", ["claim", "one"], ["n"], keepdims=1),
        node("Div", ["hits", "n"], ["share"]),
        node("Sub", ["share", "middle"], ["centred"]),
        node("Mul", ["centred", "steep"], ["yes"]),
        node("Neg", ["yes"], ["no"]),
        node("Concat", ["no", "yes"], ["logits"], axis=1),
    ]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["n", "w"]) for name in ("input_ids", "attention_mask", "token_type_ids")]  # fmt: skip
    constants = [
        helper.make_tensor("one", TensorProto.INT64, [1], [1]), helper.make_tensor("two", TensorProto.INT64, [1], [2]),
        helper.make_tensor("middle", TensorProto.FLOAT, [1], [0.5]), helper.make_tensor("steep", TensorProto.FLOAT, [1], [6.0]),
    ]  # fmt: skip
    output = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["n", 2])]
    model = helper.make_model(
        helper.make_graph(nodes, "overlap", inputs, output, constants),
        opset_imports=[helper.make_opsetid("", 17)],
    )
    model.ir_version = 8
    onnx.save(model, str(folder / "model.onnx"))
    return folder / "model.onnx"


def _words(text: str) -> list[str]:
    import tokenizers

    cut = tokenizers.pre_tokenizers.Whitespace()
    return [word for word, _ in cut.pre_tokenize_str(text.lower())]


def lines() -> Iterator[str]:
    """Yield the section; nothing where the sets aren't there."""
    if not (SHARED / "medhallu").is_dir():
        return
    yield "## Verifiers and the rule on sets of others: WiCE, CliniFact, MedHallu"
    yield ""
    yield (
        "Whole claims, as their sets label them (a partly supported one counts as not supported; in MedHallu an answer is one claim, "
        f"and its knowledge the evidence). Thresholds promise at most {RISK:g} wrong and decided per case at level .05 for both "
        "labels together; they are learned on one half of the cases (MedHallu: rows 1-200), the figures are of the other. "
        "Precision is of the label supported; recall of the truly supported; AUC of P(supported) over all rows read."
    )
    yield ""
    yield "| reader | set | rows | decided | precision | recall | wrong unsupported | AUC |"
    yield "|---|---|---|---|---|---|---|---|"
    yield from _table("rule:support-2", by_rule())
    name, said = kept()
    notes = []
    if said:
        found, learned = by_verifier(said)
        yield from _table(f"verifier:{name}", found, whole=said)
        notes += [_thresholds(name, learned)]
    with tempfile.TemporaryDirectory() as scratch:
        from percuss.judging.verifiers.onnx import CrossEncoder

        read = asyncio.run(by_encoder(CrossEncoder(scripted_encoder(Path(scratch)))))
    found, learned = by_verifier(read)
    yield from _table("verifier:onnx (scripted: shared words)", found, whole=read)
    notes += [_thresholds("the scripted cross-encoder", learned)]
    yield ""
    yield from (f"- {note}" for note in notes)
    yield from medhallu_lines(said)
    yield ""
    yield from content_accuracy.lines(SHARED / "reading")
    yield ""
    yield from jury.lines()


def medhallu_lines(said: Sequence[tuple[str, str, str, Verification]]) -> Iterator[str]:
    """Yield the difference between gold and hallucinated answers, whatever it is."""
    ruled = [row for row in by_rule() if row.of == "medhallu"]
    decided = sum(row.said is not None for row in ruled)
    yield f"- MedHallu by rules alone: rules decide {decided} of {len(ruled)} answers ({decided / len(ruled):.1%}): no headline."
    found = difference(said)
    if found is None:
        return
    drawn = len(json.loads(SAMPLED.read_text(encoding="utf-8"))["figures"])
    share = f"all {drawn}" if found.n == drawn else f"{found.n:.0f} of the {drawn}"
    yield (
        f"- MedHallu by the embedded verifier, {share} rows of 201-500 that were drawn by a seed and written down before "
        f"they were read (`tests/reading/medhallu_sample.json`; the first 19 were read, and printed, before the sample was made longer): read "
        f"as not supported (P below .5) {written_points(found)} more of hallucinated than of gold answers ({found.method})."
    )


def difference(said: Sequence[tuple[str, str, str, Verification]]) -> Result | None:
    """Return how much more often hallucinated than gold answers of one row are read as not supported; None below 3 rows.

    Args:
        said: set, case, label of people, what the verifier said; rows of which one answer was not read are left out.
    """
    by_case: dict[str, dict[str, bool]] = defaultdict(dict)
    for of, case, label, v in said:
        if of == "medhallu" and v.supported is not None:
            by_case[case][label] = v.supported < 0.5
    counts = Counter((held["unsupported"], held["supported"]) for held in by_case.values() if len(held) == 2)
    if counts.total() < 3:
        return None
    return mcnemar_exact(counts[True, True], counts[True, False], counts[False, True], counts[False, False])


def written_points(found: Result) -> str:
    """Return a difference in points with its interval."""
    low, high = (100 * (x if x is not None else float("nan")) for x in (found.low, found.high))
    return f"{100 * (found.value or 0.0):.1f} points [{low:.1f}, {high:.1f}]"


def _thresholds(name: str, learned: dict[str, Thresholds]) -> str:
    parts = []
    for of in SETS:
        held = learned.get(of)
        if held is not None:
            yes, no = ("none" if p is None else f"{p:g}" for p in (held.supported, held.unsupported))
            parts.append(f"{of} {yes} / {no} ({held.cases} cases)")
    return f"Thresholds of {name}, supported / unsupported: {'; '.join(parts)}."


def _table(name: str, rows: Sequence[Read], whole: Sequence[Any] = ()) -> Iterator[str]:
    for of in SETS:
        held = [row for row in rows if row.of == of]
        if not held:
            continue
        counts = Counter((row.label == "supported", row.said) for row in held)
        decided = sum(n for (_, said), n in counts.items() if said is not None)
        yes = counts[True, "supported"] + counts[False, "supported"]
        true = sum(n for (supported, _), n in counts.items() if supported)
        alarms = counts[True, "unsupported"]
        p = [
            (label == "supported", v.supported)
            for o, _, label, v in whole
            if o.split()[0] == of and v.supported is not None
        ]
        yield (
            f"| {name} | {of} | {len(held)} | {_share(decided, len(held))} | {_share(counts[True, 'supported'], yes)} "
            f"| {_share(counts[True, 'supported'], true)} | {_share(alarms, true)} | {_auc(p)} |"
        )


def _share(k: int, n: int) -> str:
    if not n:
        return "-"
    found = wilson(k, n)
    return f"{k}/{n} = {k / n:.2f} [{found.low:.2f}, {found.high:.2f}]"


def _auc(rows: Sequence[tuple[bool, float]]) -> str:
    good = np.array([p for supported, p in rows if supported])
    bad = np.array([p for supported, p in rows if not supported])
    if not len(good) or not len(bad):
        return "-"
    above = (good[:, None] > bad[None, :]).mean() + 0.5 * (good[:, None] == bad[None, :]).mean()
    q1, q2 = above / (2 - above), 2 * above**2 / (1 + above)  # Hanley and McNeil 1982
    spread = above * (1 - above) + (len(good) - 1) * (q1 - above**2) + (len(bad) - 1) * (q2 - above**2)
    half = 1.96 * (max(spread, 0.0) / (len(good) * len(bad))) ** 0.5
    return f"{above:.2f} [{max(0, above - half):.2f}, {min(1, above + half):.2f}] (n {len(good) + len(bad)})"


if __name__ == "__main__":
    made = "\n".join(lines()).strip()
    if made:
        PAGE.write_text(f"{made}\n", encoding="utf-8")
    print(made)
