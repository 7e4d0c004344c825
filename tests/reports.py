"""A made-up run's manifest, estimates and sections: every kind of section and chart, for tests of `report`."""

from collections.abc import Iterable, Iterator
from typing import Any

from percuss.core.records import Estimate
from percuss.core.sections import (
    Chart,
    Column,
    Field,
    Mark,
    Pane,
    Panel,
    PanelRow,
    Prose,
    Section,
    Table,
    Viewer,
    ViewerCase,
)
from percuss.measure.numbers import figure_of

ARMS = ("ungrounded", "pathology_only", "pathology_rna", "full_multimodal")
VERDICTS = ("supported", "partial", "unsupported", "unknown", "not_scored")
DOT = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
MANIFEST: dict[str, Any] = {
    "protocol": "grounding",
    "protocol_version": "1-0",
    "question": "How much of a model's hallucination does the evidence suppress?",
    "paper": {"title": "Hallucination Dependence Index", "year": 2026, "doi": "10.0000/example"},
    "percuss": "0.1.0",
    "python": "3.11.9",
    "started": "2026-03-01T09:00:00Z",
    "finished": "2026-03-01T09:41:00Z",
    "folder": "grounding-1f2e3d4c",
    "cases": {"count": 119, "word": "patients", "source": "tcga_luad", "hash": "b2:0123456789abcdef"},
    "seed": 42,
    "epochs": 1,
    "policy": {"temperature": 0.2, "top_p": 1.0, "max_tokens": 800},
    "models": [
        {"id": "openai/model-a", "pin": "api.openai.com", "served": ["model-a-2026-01"], "calls": 476},
        {"id": "openai/model-b", "pin": "api.openai.com", "served": ["model-b-2025-11"], "calls": 476},
        {"id": "phantom/calibrated", "pin": "phantom 1", "calls": 476, "simulated": True},
    ],
    "rules": "strict",
    "judge": {
        "id": "openai/gpt-4.1-mini",
        "passes": 2,
        "policy": "agreement",
        "card": {"kappa": {"value": 0.68, "low": 0.61, "high": 0.75}},
    },
    "arms": [
        {"name": "full_multimodal", "words": "with evidence", "baseline": False},
        {"name": "ungrounded", "words": "without evidence", "baseline": True},
    ],
    "hosts": [{"host": "api.openai.com", "roles": ["model", "judge"], "calls": 13_632}],
    "primary": {
        "estimate": "hdi_pooled",
        "labels": "agreement",
        "arms": ["full_multimodal", "ungrounded"],
        "family": "models",
        "words": "HDI, pooled over claims, judge labels (passes agree)",
    },
    "prompts": [{"name": "ask", "hash": "9c1f", "text": "Describe the patient.\n{evidence}"}],
    "scorings": [{"id": "5d1c", "raters": ["rule:strict", "judge:openai/gpt-4.1-mini#1"], "made_at": "2026-03-01"}],
    "costs": [
        {"stage": "ask", "role": "model", "model": "openai/model-a", "calls": 476, "tokens_in": 310_000, "usd": 0.41},
        {"stage": "check", "role": "judge", "model": "openai/gpt-4.1-mini", "calls": 12_680, "usd": 3.2},
    ],
    "commands": ["percuss run grounding --model openai/model-a --judge openai/gpt-4.1-mini --seed 42"],
    "selftest": {"version": "0.1.0", "rows": [{"phantom": "calibrated", "planted": 0.1, "measured": 0.08, "coverage": 0.95}]},
}  # fmt: skip

_RATES = {
    # model: with evidence, without, HDI (value, low, high)
    "model-a": ((0.040, 0.031, 0.052), (0.059, 0.044, 0.078), (0.32, -0.02, 0.55)),
    "model-b": ((0.140, 0.121, 0.160), (0.915, 0.893, 0.930), (0.847, 0.827, 0.862)),
}


def estimates() -> list[Estimate]:
    """Return the estimates that the panel shows, and a few more."""
    made = []
    for model, (grounded, bare, hdi) in _RATES.items():
        shared: dict[str, Any] = {
            "model": model,
            "labels": "agreement",
            "n": 2906,
            "clusters": 119,
            "method": "cluster bootstrap",
        }
        excluded = {"conflict": 195, "unparsable": 6, "error": 62}
        for arm, rate in (("full_multimodal", grounded), ("ungrounded", bare)):
            made.append(
                Estimate(
                    name="unsupported_rate",
                    arm=arm,
                    value=rate[0],
                    low=rate[1],
                    high=rate[2],
                    excluded=excluded,
                    **shared,
                )
            )
        made.append(
            Estimate(
                name="hdi_pooled", arm="full_multimodal", baseline="ungrounded", unit="ratio", value=hdi[0], low=hdi[1],
                high=hdi[2], bounds=(hdi[1] - 0.1, min(1.0, hdi[2] + 0.04)), excluded=excluded, primary=True, **shared,
            )
        )  # fmt: skip
    phantom: dict[str, Any] = {
        "model": "phantom/calibrated",
        "labels": "agreement",
        "simulated": True,
        "n": 640,
        "clusters": 119,
    }
    made.append(
        Estimate(name="unsupported_rate", arm="full_multimodal", value=0.05, low=0.03, high=0.08, **phantom)
    )
    made.append(
        Estimate(name="unsupported_rate", arm="ungrounded", value=0.06, low=0.04, high=0.09, **phantom)
    )
    made.append(
        Estimate(
            name="hdi_pooled",
            arm="full_multimodal",
            unit="ratio",
            undefined="no unsupported claim without evidence",
            **phantom,
        )
    )
    made.append(
        Estimate(
            name="hdi_pooled_difference", model="model-b", versus="model-a", arm="full_multimodal", labels="agreement",
            unit="points", value=0.53, low=0.29, high=0.87, n=119, p=0.002, p_adjusted=0.002, family="models",
        )
    )  # fmt: skip
    made.append(
        Estimate(
            name="unsupported_rate",
            model="model-a",
            arm="full_multimodal",
            labels="human",
            stratum="Hot",
            value=0.1,
            low=0.02,
            high=0.4,
            n=8,
        )
    )
    return made


def panel() -> Panel:
    """Return the panel of those estimates, as a protocol makes it."""
    rows = []
    for model in ("model-a", "model-b", "phantom/calibrated"):
        mine = [e for e in estimates() if e.model == model and e.labels == "agreement"]
        named = {
            "with": (mine, "unsupported_rate", "full_multimodal"),
            "without": (mine, "unsupported_rate", "ungrounded"),
        }
        figures = {key: figure_of(_one(*where)) for key, where in named.items()}
        figures["hdi"] = figure_of(_one(mine, "hdi_pooled", "full_multimodal"))
        words = {
            "model-a": "holds back without evidence (abstains 71%)",
            "model-b": "evidence corrects it; 1 claim in 7 still unsupported",
        }
        simulated = model.startswith("phantom/")
        rows.append(
            PanelRow(
                label=model,
                simulated=simulated,
                figures=figures,
                words={"pattern": words.get(model, "planted HDI 0.10")},
            )
        )
    columns = (
        Column(key="with", title="unsupported with evidence"),
        Column(key="without", title="unsupported without"),
        Column(key="hdi", title="HDI"),
        Column(key="pattern", title="pattern"),
    )
    lines = (
        "scored 5,812 of 6,340 claims; left out 528: conflict 391, unparsable 12, judge error 125; if all were wrong / right: HDI a 0.11..0.49, b 0.79..0.88",
        "a and b differ in HDI: 53.0 points [29.0, 87.0], p 0.002 (Holm, 1 pair). Intervals cover sampling of patients, not of answers (1 epoch) nor judge error.",
    )
    return Panel(columns=columns, rows=tuple(rows), lines=lines)


def _one(rows: list[Estimate], name: str, arm: str) -> Estimate:
    return next(e for e in rows if e.name == name and e.arm == arm)


def sections() -> Iterator[Section]:
    """Yield every place of a report, with every kind of section and chart."""
    yield Section.of(
        "findings",
        "What did we find?",
        panel(),
        answer="In this evaluation model-a leaves fewer unsupported claims than model-b once it has the evidence: 4.00% against 14.0%. The evidence corrects model-b; it changes little for model-a, which mostly holds back without it. 528 of 6,340 claims were left out, and no way of counting them changes the order.",
    )
    yield Section.of("findings", "Unsupported with evidence", strip())
    yield Section.of(
        "differences",
        "Differences between models",
        forest(),
        answer="model-b leaves 10.0 points more unsupported with evidence than model-a.",
    )
    yield Section.of("differences", "Every pair", matrix())
    yield Section.of("differences", "Ranks", ranks())
    yield Section.of(
        "evidence",
        "Each patient, without and with evidence",
        dumbbell(),
        answer="For model-b, in 112 of 119 patients; for model-a, in few.",
    )
    yield Section.of("evidence", "More evidence, fewer unsupported claims?", depth())
    yield Section.of("evidence", "Two ways to rank", slope())
    yield Section.of(
        "where",
        "Kinds of claim by condition",
        heat(),
        answer="Numbers fail most often, and most of all without evidence.",
    )
    yield Section.of("where", "Most frequent failures", failures())
    yield Section.of("where", "Labels by model", stacked())
    yield Section.of("where", "Acknowledged and followed", scatter())
    yield Section.of("where", "A false reference, turn by turn", lanes())
    yield Section.of(
        "left_out",
        "From claim to score",
        flow(),
        answer="528 of 6,340 claims were left out, most because the two readings of the judge differed.",
    )
    yield Section.of("left_out", "The primary beside every other choice", specification())
    for viewer in viewers():
        yield Section.of(
            "read", "Read it yourself", viewer, answer="The cases in which raters disagree most come first."
        )
    yield Section.of(
        "judge",
        "Judge against people",
        confusion(),
        answer="The judge and two readers agree on 86% of 240 claims.",
    )
    yield Section.of(
        "how",
        "What this measures",
        Prose(
            markdown="HDI measures departure from the **packet**, not from truth.\n\n> the patient is stage IIIA\n"
        ),
    )


def strip() -> Chart:
    """Return one rate a model, the last one simulated."""
    rows = [{"model": m, "rate": r[0][0], "lo": r[0][1], "hi": r[0][2], "n": 2906} for m, r in _RATES.items()]
    rows.append(
        {"model": "phantom/calibrated", "rate": 0.05, "lo": 0.03, "hi": 0.08, "n": 640, "simulated": True}
    )
    return Chart(
        kind="strip",
        rows=tuple(rows),
        x="rate",
        y="model",
        low="lo",
        high="hi",
        x_title="unsupported with evidence",
    )


def forest() -> Chart:
    """Return differences, one past the axis and one undefined."""
    rows = (
        {"pair": "model-b against model-a", "d": 0.10, "lo": 0.079, "hi": 0.121, "n": 119},
        {"pair": "model-c against model-a", "d": 0.01, "lo": -0.05, "hi": 0.26, "n": 119},
        {"pair": "model-d against model-a", "d": None, "undefined": "model-d answered nothing"},
    )
    return Chart(
        kind="forest",
        rows=rows,
        x="d",
        y="pair",
        low="lo",
        high="hi",
        unit="points",
        x_title="difference",
        options={"domain": [-0.2, 0.2]},
    )


def matrix() -> Chart:
    """Return pairs in words."""
    rows = (
        {"x": "model-a", "y": "model-b", "text": "model-b higher by 10.0 points [7.9, 12.1]", "n": 119},
        {"x": "model-c", "y": "model-b", "text": "not separable; we could have seen 6 points", "n": 119},
        {
            "x": "model-a",
            "y": "model-c",
            "text": "not separable; we could have seen 6 points",
            "n": 119,
            "simulated": True,
        },
    )
    return Chart(kind="matrix", rows=rows, value="text")


def ranks() -> Table:
    """Return ranks with intervals and tie letters."""
    columns = (
        Column(key="model", title="model"),
        Column(key="rank", title="rank", unit="count", align="right"),
        Column(key="rate", title="unsupported"),
        Column(key="ties", title="tied with"),
    )
    rows = (
        {
            "model": "model-a",
            "rank": 1,
            "rate": {"value": 0.04, "low": 0.031, "high": 0.052, "n": 2906},
            "ties": "A",
        },
        {
            "model": "model-b",
            "rank": 2,
            "rate": {"value": 0.14, "low": 0.121, "high": 0.16, "n": 2906},
            "ties": "B",
        },
        {
            "model": "phantom/calibrated",
            "rank": 1,
            "rate": {"value": None, "undefined": "no claim"},
            "ties": "A",
            "simulated": True,
        },
    )
    return Table(columns=columns, rows=rows, note="Models with the same letter are not separable.")


def dumbbell(patients: int = 119) -> Chart:
    """Return one line a patient."""
    rows = tuple(
        {"patient": f"P-{i:03}", "without": 0.95 - (i % 40) / 100, "with": 0.04 + (i % 17) / 40}
        for i in range(patients)
    )
    return Chart(
        kind="dumbbell",
        rows=rows,
        y="patient",
        low="without",
        high="with",
        x_title="unsupported claims",
        y_title="patients",
    )


def depth() -> Chart:
    """Return arms in order of evidence."""
    rows = []
    for model, start, simulated in (
        ("model-a", 0.06, False),
        ("model-b", 0.91, False),
        ("phantom/calibrated", 0.3, True),
    ):
        for step, arm in enumerate(ARMS):
            rate = start * (1 - step / 4)
            rows.append(
                {
                    "arm": arm,
                    "rate": rate,
                    "lo": rate * 0.9,
                    "hi": min(1.0, rate * 1.05),
                    "model": model,
                    "n": 600,
                    "simulated": simulated,
                }
            )
    return Chart(
        kind="curve",
        rows=tuple(rows),
        x="arm",
        y="rate",
        low="lo",
        high="hi",
        group="model",
        y_title="unsupported",
        x_title="evidence",
    )


def slope() -> Chart:
    """Return ranks before and after."""
    order = {"by support": ("a", "b", "c", "d"), "by HDI": ("b", "a", "c", "d")}
    rows = tuple(
        {"by": by, "rank": i + 1, "model": f"model-{m}", "tied": m in "cd"}
        for by, models in order.items()
        for i, m in enumerate(models)
    )
    return Chart(
        kind="slope",
        rows=rows,
        x="by",
        y="rank",
        group="model",
        y_title="rank",
        unit="count",
        options={"quiet": "tied"},
    )


def heat() -> Chart:
    """Return claim kinds by arm; one cell of few, one undefined."""
    kinds = ("numeric", "tier", "modality", "uncertainty", "other")
    rows: list[dict[str, Any]] = [
        {"kind": kind, "arm": arm, "rate": (i * 4 + j) / 22, "n": 4 if (i, j) == (1, 2) else 120}
        for i, kind in enumerate(kinds)
        for j, arm in enumerate(ARMS)
    ]
    rows[-1] |= {"rate": None, "n": 0, "undefined": "no claim"}
    return Chart(kind="heat", rows=tuple(rows), x="arm", y="kind", value="rate")


def failures() -> Table:
    """Return failures with a quotation each."""
    columns = (
        Column(key="what", title="failure"),
        Column(key="n", title="n", unit="count", align="right"),
        Column(key="example", title="example", unit="quote"),
    )
    rows = (
        {"what": "stage invented", "n": 61, "example": "Stage IIIA adenocarcinoma"},
        {"what": "age invented", "n": 7, "example": "a 62-year-old man"},
    )
    return Table(columns=columns, rows=rows)


def stacked() -> Chart:
    """Return labels piled up."""
    shares = {"model-a": (0.8, 0.1, 0.04, 0.06), "phantom/calibrated": (0.5, 0.2, 0.2, 0.1)}
    rows = tuple(
        {"model": model, "label": label, "share": share, "n": 100, "simulated": model.startswith("phantom")}
        for model, parts in shares.items()
        for label, share in zip(VERDICTS, parts, strict=False)
    )
    return Chart(
        kind="bars", rows=rows, x="share", y="model", group="label", options={"stack": True}, x_title="claims"
    )


def scatter() -> Chart:
    """Return two numbers a row, each with an interval."""
    rows = (
        {"m": "model-a", "ca": 3.1, "cf": 2.2, "lo": 2.0, "hi": 2.5, "l": 2.9, "r": 3.3},
        {
            "m": "phantom/liar",
            "ca": 1.4,
            "cf": 3.9,
            "lo": 3.6,
            "hi": 4.2,
            "l": 1.2,
            "r": 1.7,
            "simulated": True,
        },
    )
    return Chart(
        kind="dots",
        rows=rows,
        x="ca",
        y="cf",
        low="lo",
        high="hi",
        group="m",
        unit="score",
        options={"across": ["l", "r"], "domain": [1, 5], "x_domain": [1, 5]},
        x_title="acknowledges",
        y_title="content",
    )


def lanes() -> Chart:
    """Return swim lanes."""
    rows = tuple(
        {
            "lane": f"conversation {i}",
            "start": s,
            "stop": s + 1,
            "state": ("supported", "unsupported", "unknown")[(i + s) % 3],
        }
        for i in range(6)
        for s in range(4)
    )
    return Chart(kind="lifelines", rows=rows, x_title="turn")


def flow() -> Chart:
    """Return claims made, checked, scored, in two arms."""
    rows = []
    for arm, made in (("with evidence", 3170), ("without evidence", 3170)):
        rows += [
            {"arm": arm, "from": "made", "to": "checked", "n": made},
            {"arm": arm, "from": "checked", "to": "scored", "n": made - 264},
            {"arm": arm, "from": "checked", "to": "left out", "n": 195, "reason": "conflict"},
            {"arm": arm, "from": "checked", "to": "left out", "n": 69, "reason": "judge error"},
        ]
    return Chart(kind="flow", rows=tuple(rows), facet="arm")


def specification() -> Chart:
    """Return the primary beside other choices, with worst cases."""
    rows = (
        {
            "choice": "primary: passes agree, pooled",
            "hdi": 0.32,
            "lo": -0.02,
            "hi": 0.55,
            "worst": 0.11,
            "best": 0.49,
        },
        {"choice": "rules alone, pooled", "hdi": 0.29, "lo": 0.02, "hi": 0.51, "worst": -0.2, "best": 0.6},
        {"choice": "passes agree, macro", "hdi": 0.79, "lo": 0.60, "hi": 0.91, "worst": 0.5, "best": 0.95},
    )
    return Chart(
        kind="dots",
        rows=rows,
        x="hdi",
        y="choice",
        low="lo",
        high="hi",
        unit="ratio",
        x_title="HDI",
        options={"bounds": ["worst", "best"]},
    )


def confusion() -> Table:
    """Return judge against people."""
    columns = (
        Column(key="judge", title="judge says"),
        *(Column(key=v, title=v.replace("_", " "), unit="count", align="right") for v in VERDICTS[:4]),
    )
    rows = tuple({"judge": v, **{w: 60 if v == w else 3 for w in VERDICTS[:4]}} for v in VERDICTS[:4])
    return Table(columns=columns, rows=rows, note="Columns: what people said. Kappa 0.680 [0.610, 0.750].")


def case(number: int, *, text: str = "", claims: int = 5) -> ViewerCase:
    """Return one case with two panes and twins across them."""
    sentences = (
        text
        or "The tumour is stage IIIA. The patient is 62 years old. Purity is 0.61. RNA was not available. Prognosis is guarded. "
    )
    panes = tuple(_pane(number, arm, sentences, claims) for arm in ("full_multimodal", "ungrounded"))
    packet = (
        Field(path="clinical.stage", label="stage", value="IA"),
        Field(path="clinical.age", label="age", value="60"),
        Field(path="transcriptomics", label="RNA", value="none", shown=False),
    )
    return ViewerCase(
        id=f"TCGA-{number:04}",
        stratum=("Hot", "Warm", "Cold")[number % 3],
        question="Describe the patient in five sentences.",
        packet=packet,
        passage="Lobectomy in 2011. Age at diagnosis: 60.",
        panes=panes,
        interest=float(number == 7),
    )


def _pane(number: int, arm: str, sentences: str, claims: int) -> Pane:
    marks = []
    at = 0
    for i in range(claims):
        stop = sentences.find(".", at) + 1
        if stop <= 0:
            break
        label = VERDICTS[(number + i + len(arm)) % 5]
        said: tuple[dict[str, Any], ...] = (
            {"rater": "rule:strict", "label": "supported", "rationale": "the number is in the packet"},
            {"rater": "judge:openai/gpt-4.1-mini#1", "label": label, "rationale": "the packet says IA"},
            {"rater": "judge:openai/gpt-4.1-mini#2", "label": "unknown" if number == 7 else label},
        )
        evidence: tuple[dict[str, Any], ...] = (
            {"path": "clinical.stage", "value": "IA", "claim": "IIIA"},
            {"quote": "Age at diagnosis: 60", "start": 20, "stop": 40, "found": True},
            {"quote": "never smoked", "found": False},
        )
        tags = ("matches outside record",) if i == 2 else ()
        marks.append(
            Mark(
                id=f"{number}-{arm}-{i}",
                start=at,
                stop=stop,
                label=label,
                kind=("numeric", "tier", "other")[i % 3],
                said=said,
                evidence=evidence,
                twin=i + 1,
                tags=tags,
            )
        )
        at = stop + 1
    return Pane(
        model="model-a",
        arm=arm,
        text=sentences,
        marks=tuple(marks),
        image="dot" if arm == "full_multimodal" else None,
    )


def viewers(cases: int = 120) -> Iterator[Viewer]:
    """Yield the cases to read."""
    yield Viewer(cases=tuple(case(i) for i in range(cases)), images={"dot": DOT})


def calls(held: Iterable[Section]) -> dict[str, Any]:
    """What was sent, as a report carries it: two answers of a case and one call of the judge, on hostile text."""
    shown = (record for section in held if isinstance(record := section.record, Viewer))
    case = next(one for viewer in shown for one in viewer.cases if one.id == "TCGA-0007")
    bare = [pane for pane in case.panes if pane.arm == "ungrounded"]
    base = {"case": case.id, "epoch": 0, "tools": [], "failed": False, "tokens": [120, 40], "usd": 0.0}
    asked = [
        {
            **base, "arm": pane.arm, "model": pane.model, "stage": "ask", "role": "model", "by": pane.model, "claims": [],
            "messages": [["system", 0], ["user", 1 + at]], "reply": 3, "seconds": 1.25, "attempts": at, "made": "2026-03-01T09:00:00Z",
        }
        for at, pane in enumerate(case.panes[:2])
    ]  # fmt: skip
    judged = {
        **base, "arm": bare[0].arm, "model": bare[0].model, "stage": "check", "role": "judge", "by": "judge/j",
        "claims": [min(pane.marks, key=lambda mark: mark.start).id for pane in bare], "messages": [["user", 4]], "reply": 5,
        "seconds": 0.5, "attempts": 2, "made": "2026-03-01T09:00:00Z",
    }  # fmt: skip
    texts = [
        "Be short.",
        "The first question.",
        "The second question.",
        "An answer.",
        "<script>alert(1)</script>",
        "{}",
    ]
    return {"texts": texts, "calls": [*asked, judged], "left": 7}
