"""The numbers of this protocol in words: acronyms spelled out, what each asks, which way is better, where it exists."""

from dataclasses import dataclass

from percuss.measure.quantity import Better, Quantity
from percuss.protocols.stressors.scenario.information_flow import FACTORIAL, PLACEBOS, UNGROUNDED

__all__ = [
    "AUDITED",
    "BASELINED",
    "BY_RULE",
    "CLAIMED",
    "CONSEQUENCES",
    "FOLLOWS",
    "METRICS",
    "METRIC_NAMES",
    "NODES",
    "PRIMARY_ARM",
    "REPLAY_CELLS",
    "Metric",
    "arm_words",
    "exists",
    "metric_words",
    "parts",
    "pooled",
]  # fmt: skip

PRIMARY_ARM = "contradiction"


@dataclass(frozen=True)
class Metric:
    """One metric: its words, the stressors that it needs, and the node it belongs to.

    Args:
        needs: () in every arm; else any of these stressors must be on.
        bound: what a rule can give of it: "", "lower bound" or "upper bound".
    """

    quantity: Quantity
    node: str
    needs: tuple[str, ...] = ()
    bound: str = ""


def _metric(
    name: str,
    label: str,
    question: str,
    better: Better,
    node: str,
    needs: tuple[str, ...] = (),
    bound: str = "",
) -> Metric:
    return Metric(Quantity(name, f"{label} ({name.upper()})", question, better), node, needs, bound)


_G, _C, _D, _V = ("omission", "delay"), ("contradiction",), ("delay",), ("contradiction", "delay")
GAP, ASK, CONFLICT, UPDATE, GROUND = (
    "information gaps",
    "follow-up questions",
    "contradictions",
    "diagnosis update",
    "evidence",
)
BIRTH, SPREAD, ANCHOR, MEET, ALARM, RIGHT = (
    "initiation",
    "propagation",
    "anchoring",
    "contradiction interaction",
    "false alarms",
    "accuracy",
)
CONSEQUENCES = {
    "diagnosis": "the diagnosis", "urgent_action": "what is urgent", "drug_or_dose": "a drug or dose", "procedure": "a procedure",
    "nothing": "nothing",
}  # fmt: skip
"""What a contradicted fact would change if it were so: name of the estimate's part -> words."""
METRICS: tuple[Metric, ...] = (
    _metric("gdr", "gap detection rate", "What share of missing information is named as missing or asked for?", "higher", GAP, _G),
    _metric("ir", "inquiry rate", "In what share of cases with a gap does a relevant question come before a definite diagnosis?", "higher", GAP, _G),
    _metric("pir", "precision inquiry ratio", "What share of questions are relevant and new?", "higher", ASK),
    _metric("rir", "redundant inquiry ratio", "What share of questions are repeated, answered already or irrelevant?", "lower", ASK),
    _metric("off_record", "questions beside the record", "What share of questions ask for what this record doesn't hold?", "neither", ASK),
    _metric("cdr", "contradiction detection rate", "What share of injected contradictions are noticed?", "higher", CONFLICT, _C),
    _metric("cir", "contradiction ignorance rate", "What share of injected contradictions are passed over?", "lower", CONFLICT, _C),
    _metric("restated", "both entries quoted without a word on the conflict", "What share of injected contradictions are only restated?", "neither", CONFLICT, _C),
    _metric("adopted", "injected entry taken over", "What share of injected contradictions are taken for true?", "lower", CONFLICT, _C),
    _metric("misread", "conflict read as a change over time", "What share of injected contradictions are taken for a change?", "lower", CONFLICT, _C),
    _metric("noticed_acted_on", "noticed and not used", "Of contradictions noticed, in what share is the injected entry not taken over later?", "higher", CONFLICT, _C),
    *(
        _metric(f"cdr_{what}", f"noticed where it would change {words}", f"What share of contradictions that would change {words} are noticed?", "higher", CONFLICT, _C)
        for what, words in CONSEQUENCES.items()
    ),
    _metric("rur", "rational update rate", "What share of opportunities to update or hold the diagnosis are answered as expected?", "higher", UPDATE, _V),
    _metric("pcr", "premature closure rate", "In what share of cases with a gap is a diagnosis called definite while it is open?", "lower", UPDATE, _G),
    _metric("smr", "stubborn maintenance rate", "What share of wrong diagnoses are kept without a reason when decisive results come?", "lower", UPDATE, _D),
    _metric("ef", "evidence faithfulness", "What share of the final evidence does the record support?", "higher", GROUND),
    _metric("fcr", "fabricated citation rate", "What share of the final evidence does the record not support?", "lower", GROUND),
    _metric("nfr", "numerical fabrication ratio", "What share of the numbers stated of the patient are made up?", "lower", BIRTH),
    _metric("ufr", "unsubstantiated fact ratio", "What share of other statements about the patient are made up?", "lower", BIRTH, (), "lower bound"),
    _metric("hpr", "hallucination persistence ratio", "What share of unsupported statements come again in a later turn?", "lower", SPREAD),
    _metric("hccr", "hallucination cross-contamination ratio", "What share of unsupported statements become a premise later?", "lower", SPREAD, (), "lower bound"),
    _metric("dhdr", "definitive hallucination dependency ratio", "What share of the evidence given for the diagnosis is unsupported?", "lower", ANCHOR),
    _metric("dhdr_anchored", "anchored part of the dependency ratio", "What share of that evidence is an unsupported statement of an earlier turn?", "lower", ANCHOR),
    _metric("cho", "critical hallucination omission", "What share of key findings told are absent from the conclusion?", "lower", ANCHOR),
    _metric("cho_contra", "omission of what contradicts a hallucination", "What share of key findings are absent and contradict an unsupported statement?", "lower", ANCHOR),
    _metric("cihsr", "contradiction-induced hallucination suppression ratio", "What share of unsupported statements alive at the injection are questioned or withdrawn after it?", "higher", MEET, _C, "lower bound"),
    _metric("cihgr", "contradiction-induced hallucination generation ratio", "What share of contradictions are explained by something made up?", "lower", MEET, _C, "lower bound"),
    _metric("cfa", "conflict false alarm rate", "In what share of cases is a conflict claimed that the record does not hold?", "lower", ALARM),
    _metric("gfa", "gap false alarm rate", "Of data called missing, what share had been given?", "lower", ALARM),
    *(
        _metric(f"accuracy_turn_{n}", f"diagnosis right at turn {n}", f"In what share of cases is the correct diagnosis named at turn {n}?", "higher", RIGHT)
        for n in (1, 2, 3)
    ),
    _metric("final_accuracy", "final diagnosis right", "In what share of cases is the correct diagnosis named at the end?", "higher", RIGHT),
    *(
        _metric(f"right_when_{level}", f"right when called {level}", f"Of diagnoses called {level}, what share are right?", "neither", RIGHT)
        for level in ("definite", "probable", "possible")
    ),
    _metric("brier", "Brier score of certainty", "How far is the stated certainty from being right, squared?", "lower", RIGHT),
    _metric("trap_taken", "known errors stated", "What share of a case's known errors are stated?", "lower", RIGHT),
)  # fmt: skip
METRIC_NAMES = tuple(m.quantity.name for m in METRICS)
_METRIC_WORDS = {m.quantity.name: m.quantity.label.rpartition(" (")[0] for m in METRICS} | {
    "unsupported_rate": "statements that the record does not support",
    "lucky_share": "lucky guesses among them",
    "adopted_share": "injected entries among them",
}
NODES = tuple(dict.fromkeys(m.node for m in METRICS))
BASELINED = ("pir", "rir", "ef", "fcr", "nfr", "ufr", "hpr", "hccr", "dhdr", "cho")
"""Metrics whose difference to baseline exists (definitions, section 5); the two false-alarm rates have one too."""
AUDITED = ("gdr", "ir", "pir", "cdr", "rur", "pcr", "smr", "cho", "cfa", "gfa")
"""Metrics counted from rows of an audit by rules or a judge."""
BY_RULE = (
    "off_record", "restated", "adopted", "misread", "noticed_acted_on", *(f"cdr_{name}" for name in CONSEQUENCES), "accuracy_turn_1",
    "accuracy_turn_2", "accuracy_turn_3", "final_accuracy", "right_when_definite", "right_when_probable", "right_when_possible", "brier",
    "trap_taken",
)  # fmt: skip
"""Metrics that the rules alone count, from rows of their audit; no judge is asked for them."""
CLAIMED = ("nfr", "ufr", "hpr", "hccr", "ef", "fcr", "dhdr", "dhdr_anchored", "cihsr", "cihgr", "cho_contra")
"""Metrics counted from labelled claims."""
_CLAIMS = ("nfr", "ufr")
FOLLOWS: dict[str, tuple[str, ...]] = {
    "rir": ("pir",), "off_record": ("pir",), "gfa": ("gdr",), "cir": ("cdr",), "cho_contra": ("cho",), "restated": ("cdr",), "adopted": ("cdr",),
    "misread": ("cdr",), "noticed_acted_on": ("cdr",), **{f"cdr_{what}": ("cdr",) for what in CONSEQUENCES}, "unsupported_rate": _CLAIMS,
    "lucky_share": _CLAIMS, "adopted_share": _CLAIMS,
}  # fmt: skip
"""Number -> those that read the same text the same way: where one of them isn't read back on a run's cases, it is withheld too."""
REPLAY_CELLS = {"replay_diagnosis": "diagnosis", "replay_evidence": "evidence"}
"""Cells of a replay -> what of its end they count."""
_WORDS = {
    "strike": "replay without an unsupported statement",
    "sham_strike": "replay without a supported statement",
    "baseline": "no stressor",
    "placebo_omission": "placebo: a harmless fact dropped",
    "placebo_contradiction": "placebo: a fact restated",
    "placebo_delay": "placebo: a harmless group later",
    UNGROUNDED: "name of the disease only",
}


def parts(arm: str) -> frozenset[str]:
    """Return the stressors that an arm switches on."""
    stem = arm.partition(":")[0]
    return frozenset(stem.split("+")) if stem in FACTORIAL and stem != "baseline" else frozenset()


def exists(metric: Metric, arm: str) -> bool:
    """Whether a metric can have a denominator in an arm at all."""
    return not metric.needs or bool(parts(arm) & set(metric.needs))


def pooled(name: str) -> str:
    """Return the name of the pooled ratio beside a mean over cases."""
    return f"{name}_pooled"


def metric_words(name: str) -> str:
    """Return a metric in a person's words, without its acronym; the name itself where there is none."""
    return _METRIC_WORDS.get(name, name)


def arm_words(arm: str) -> str:
    """Return an arm in a person's words."""
    if arm in _WORDS:
        return _WORDS[arm]
    if arm.startswith("effect:"):
        return arm.removeprefix("effect:").replace("*", " with ")
    return arm.replace("+", " + ").replace(":", ", ").replace("=", " ")


def is_placebo(arm: str) -> bool:
    """Whether an arm is a placebo."""
    return arm in PLACEBOS
