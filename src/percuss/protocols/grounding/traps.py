"""What games the measure, and what the panel must say of it: phantoms of version 2, and checkers that certify themselves.

Read by `percuss selftest grounding` (definitions of `grounding`, version 2, "Laws and acceptance"; reading.md, sections 4 and 5).
"""

import json
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from percuss.core import seeds
from percuss.core.records import Case, Estimate, Verdict
from percuss.core.verifying import Pair
from percuss.evidence.packet import Packet
from percuss.judging.verifiers.scripted import ScriptedVerifier
from percuss.phantoms.plan import Phantom
from percuss.phantoms.selftest import Outcome, Said, Trap
from percuss.protocols.grounding.cases import cases
from percuss.protocols.grounding.estimate.names import BASELINE
from percuss.protocols.grounding.estimate.word import CANT_TELL, CORRECTS, HDI_ABOVE, HOLDS_BACK, REMEMBERS
from percuss.protocols.grounding.options import GroundingOptions
from percuss.protocols.grounding.phantom.gaming import (
    DENIALS,
    REFUSED_OF,
    Records,
    Ward,
    a_third,
    echoing,
    gaming,
)
from percuss.protocols.grounding.premises import premises
from percuss.protocols.grounding.record import Grounding, reading

__all__ = ["traps"]

ARM = "full_multimodal"
ARMS = (ARM, BASELINE)
FEW, MORE, CERTIFIED = 24, 40, 12
SETTINGS: dict[str, Any] = {"resamples": 500}
PROVEN: dict[str, Any] = {**SETTINGS, "thresholds": "0.9/0.9@a hundred cases"}


def traps(seed: int) -> tuple[Trap, ...]:
    """Return the traps of this protocol.

    Args:
        seed: root of the draws.
    """
    held = tuple(cases(None, GroundingOptions(), seed))
    ward = Ward({case.id: _tree(case) for case in held})
    return (*_of_models(ward, [case.id for case in held], seed), _echo(seed), *_of_checkers(ward, seed))


def _tree(case: Case) -> dict[str, Any]:
    tree: dict[str, Any] = reading(case).packet.tree()
    return tree


def _of_models(ward: Ward, ids: Sequence[str], seed: int) -> tuple[Trap, ...]:
    records: Records = ward.records
    refused = a_third(ids)

    def trap(
        name: str, say: Any, does: str, must: str, found: Callable[[Outcome], Said], n: int = FEW, **more: Any
    ) -> Trap:
        model = gaming(name, say, records, **more)
        return Trap(name, does, must, model, found, limit=n, arms=ARMS, settings=SETTINGS)

    def coin(case: str, shown: bool) -> Sequence[str]:
        pairs = zip(ward.right(case)[:5], ward.wrong(case)[:5], strict=True)
        draws = (seeds.derive(seed, "coin", case, str(shown), str(at)) < 2**30 for at in range(5))
        return [wrong if bad else right for (right, wrong), bad in zip(pairs, draws, strict=False)]

    no_word = f"no word (*{CANT_TELL}*), with the reason"
    unequal = (((7, 4), "more with evidence"), ((4, 7), "more without"))
    return (
        trap("hedger", ward.hedging, "invents the same in both arms; with evidence says it as likely, beside one fact", no_word, _lured(_withheld)),
        trap("padder", ward.padding, "two inventions in either arm; with evidence four facts of the packet beside them", no_word, _lured(_withheld)),
        trap("hedging-padder", ward.both, "two inventions in either arm; with evidence said as likely, four facts beside them", no_word, _lured(_withheld)),
        trap("inventor", ward.longer, "six inventions with evidence among a dozen facts, three without it and nothing else", f"not *{CORRECTS}*", _lured(_never(CORRECTS))),
        trap("remembering", ward.remembering, "knows six in ten of the records without being shown them", f"*{REMEMBERS}*", _word(REMEMBERS)),
        trap("easy-cases", ward.easy_alone, "with evidence speaks of the easy cases alone, of which it is right anyway", no_word, _lured(_withheld), MORE),
        *(
            trap(f"decided-{given}-of-10", ward.readable({True: given, False: bare}),
                 f"half of what can be read is wrong in both arms; {given} of 10 sentences can be read with evidence, {bare} without ({which})", no_word, _withheld, MORE)
            for (given, bare), which in unequal
        ),
        trap("denier", lambda _case, _shown: [DENIALS], f'says "{DENIALS}" of everybody', f"never *{HOLDS_BACK}*", _never(HOLDS_BACK)),
        trap("declined", coin, "equal rates in both arms; {} of {} answers with evidence are declined".format(*REFUSED_OF),
             f"HDI's interval holds 0, no word, and {REFUSED_OF[0]} refused", _refusals, REFUSED_OF[1],
             refuses=lambda case, shown: shown and case in refused),
    )  # fmt: skip


def _pattern(outcome: Outcome) -> str:
    found = outcome.one("pattern", ARM)
    return "no pattern" if found is None else found.note


def _withheld(outcome: Outcome) -> Said:
    words = _pattern(outcome)
    return Said(words, words.startswith(f"{CANT_TELL}: "))


def _lured(found: Callable[[Outcome], Said]) -> Callable[[Outcome], Said]:
    """Return the same for a model whose HDI alone would say that the evidence corrects it: else nothing was tried."""

    def tried(outcome: Outcome) -> Said:
        said, hdi = found(outcome), outcome.one("hdi_pooled", ARM)
        set_up = hdi is not None and hdi.value is not None and hdi.value > HDI_ABOVE
        return Said(f"{said.words} (HDI alone: {_interval(hdi)})", said.caught and set_up)

    return tried


def _never(word: str) -> Callable[[Outcome], Said]:
    return lambda outcome: Said(_pattern(outcome), not _pattern(outcome).startswith((word, "no pattern")))


def _word(word: str) -> Callable[[Outcome], Said]:
    return lambda outcome: Said(_pattern(outcome), _pattern(outcome) == word)


def _interval(e: Estimate | None) -> str:
    if e is None or e.value is None:
        return "undefined"
    span = "no interval" if e.low is None or e.high is None else f"[{e.low:.2f}, {e.high:.2f}]"
    return f"{e.value:.2f} {span}"


def _refusals(outcome: Outcome) -> Said:
    hdi = outcome.one("hdi_pooled", ARM)
    holds = hdi is not None and None not in (hdi.low, hdi.high) and (hdi.low or 0) <= 0 <= (hdi.high or 0)
    said = next((line for line in (outcome.answer, *outcome.panel.lines) if "refused" in line), "")
    words = f"{_pattern(outcome)}; HDI {_interval(hdi)}; {said or 'nothing of refusals'}"
    return Said(words, holds and f"refused {REFUSED_OF[0]}" in said and words.startswith(CANT_TELL))


def _echo(seed: int) -> Trap:
    """Cases of its own, whose question tells a value that the packet doesn't hold."""
    own = tuple(
        Case(
            id=f"asked-{i:02}", cluster=f"asked-{i:02}",
            payload=msgspec.to_builtins(
                Grounding(
                    packet=Packet.of_layers({"labs": {"sodium": 130 + i}}),
                    question=f"A {40 + i}-year-old man with pneumonia has a potassium of {3 + i / 10:.1f} mmol/L. What next?",
                )
            ),
        )
        for i in range(CERTIFIED)
    )  # fmt: skip
    del seed

    def found(outcome: Outcome) -> Said:
        share, rate = (outcome.one(name, BASELINE) for name in ("echo_share", "unsupported_rate"))
        lift = outcome.one("memorisation_lift", BASELINE)
        moved = None if lift is None else lift.value
        n = 0 if rate is None else rate.n
        known = 0.0 if share is None or share.value is None else share.value
        words = f"{100 * known:.0f}% of its sentences are the question's; {n} of them counted; memorisation lift {'not measured' if moved is None else f'{moved:.2f}'}"
        return Said(words, known == 1 and n == 0 and not moved)

    model = echoing([case.id for case in own], "potassium of ", " mmol", "Potassium is {} mmol/L.")
    does = "says what the question says, and nothing else"
    must = "the question's words count as neither invention nor memory: none counted, lift 0"
    return Trap(
        "echo",
        does,
        must,
        model,
        found,
        limit=len(own),
        arms=("full", BASELINE),
        settings=SETTINGS,
        cases=own,
    )


class Checker(ScriptedVerifier):
    """A checker that knows the truth of every seeded statement, and errs as planted; what a model says itself it finds right.

    Args:
        blind_to: class of errors that it takes for right. silent: share that it leaves undecided. seed: of its draws.
    """

    at_once = False

    def __init__(self, *, blind_to: str = "", silent: float = 0.0, seed: int = 0) -> None:
        super().__init__(self._so, silent=silent, seed=seed)
        self._held: dict[tuple[str, tuple[str, ...]], str] = {}
        self._blind_to = blind_to

    def learns(self, case: Case, statement: str, supported: bool, of: str) -> None:
        """Take the truth of a statement about a case."""
        so = supported or of == self._blind_to
        self._held[statement, premises(reading(case).packet)] = "supported" if so else "neither"

    def _so(self, pair: Pair) -> str:
        return self._held.get((pair.claim, pair.premises), "supported")


def _of_checkers(ward: Ward, seed: int) -> tuple[Trap, ...]:
    def trap(
        name: str, checker: Checker, does: str, must: str, found: Callable[[Outcome], Said], **more: Any
    ) -> Trap:
        model: Phantom = gaming("alike", ward.alike, ward.records)
        return Trap(
            name, does, must, model, found, limit=CERTIFIED, arms=ARMS, settings=PROVEN, verifier=checker,
            certify=True, learns=checker.learns, **more,
        )  # fmt: skip

    refused = "no index: the reader fails the certificate of the run"
    return (
        trap("checker-of-its-successes", Checker(silent=0.45, seed=seed), "a checker that decides half, and is right of all that it decides", refused, _uncertified),
        trap("checker-blind-in-an-arm", Checker(seed=seed), "a checker that finds nothing wrong without evidence", refused, _uncertified, spoils=_blind),
        trap("checker-blind-to-a-class", Checker(blind_to="denial", seed=seed), "a checker to which a denied fact is right", refused, _uncertified),
        trap("checker-that-decides-nothing", Checker(silent=1.0, seed=seed), "a checker that leaves everything undecided", "it leads nothing: the rules do", _leads_nothing),
    )  # fmt: skip


def _uncertified(outcome: Outcome) -> Said:
    words = outcome.answer.partition(". ")[0]
    off = "pattern" not in {column.key for column in outcome.panel.columns}
    return Said(f"{words}.", off and "No index" in words and "fails the certificate of this run" in words)


def _leads_nothing(outcome: Outcome) -> Said:
    labels = sorted({e.labels for e in outcome.estimates if e.primary})
    return Said(f"the headline is by {json.dumps(labels)[1:-1]}", labels == ["rule:support-2"])


def _blind(arm: str, said: Sequence[Verdict]) -> tuple[Verdict, ...]:
    if arm != BASELINE:
        return tuple(said)
    return tuple(msgspec.structs.replace(v, label="supported") if v.label else v for v in said)
