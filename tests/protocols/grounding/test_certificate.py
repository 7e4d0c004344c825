"""The certificate of a run: seeds whose truth is known come back as planted, hidden from every count, and catch a bad reader."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import msgspec
import numpy as np
import pytest

import percuss
from percuss.api.run.certify import certify
from percuss.api.run.recheck import Recheck, recheck
from percuss.core.labels import CERTIFICATE
from percuss.core.ports import Roles, ScoredResponse
from percuss.core.records import Case, Claim, Estimate, Response, Verdict
from percuss.core.verifying import Pair, Verifier
from percuss.engine import estimate
from percuss.evidence.packet import Packet
from percuss.protocols.grounding import PROTOCOL
from percuss.protocols.grounding.certificate.seed import Seed
from percuss.protocols.grounding.certificate.seeding import _labelled, _Pool
from percuss.protocols.grounding.certificate.wording import (
    CLASSES,
    misunited,
    moved,
    numbered,
    swapped,
    turned,
)
from percuss.protocols.grounding.options import GroundingOptions
from percuss.protocols.grounding.premises import premises
from percuss.protocols.grounding.record import Grounding, reading
from percuss.store import RunStore
from percuss.store.scorings import Checked, put_checked
from tests.protocols.grounding.runs import MAIN, SEED, run
from tests.protocols.grounding.test_counting import answering, by_case
from tests.protocols.grounding.test_verifier import LEARNED, Whole

pytestmark = pytest.mark.slow

ARM, BARE = MAIN
MODEL = "scripted/fixed"


class Known:
    """Fills itself with the truth of every seed of a run, so that a fake reader errs at planted rates and at no others."""

    def __init__(self) -> None:
        self.held: dict[tuple[str, tuple[str, ...]], tuple[bool, str]] = {}

    def fill(self, store: RunStore, scoring: str) -> None:
        view = store.view(scoring)
        told = {case.id: premises(reading(case).packet) for case in view.cases()}
        for response in PROTOCOL.seeded(view, view.models, SEED):
            for seed in response.artifacts["seeds"]:
                text = response.text[seed["start"] : seed["stop"]]
                self.held[text, told[response.case_id]] = (seed["supported"], seed["class"])

    def __call__(self, pair: Pair) -> str:
        invented = pair.claim.startswith(("Troponin", "Ferritin"))
        return "supported" if self.held.get((pair.claim, pair.premises), (not invented, ""))[0] else "neither"


def certified(
    folder: Path,
    truth: Known | None,
    verifier: Verifier | None,
    *,
    spoil: Callable[[Checked, str], Checked] | None = None,
) -> tuple[dict[tuple[str, str, str | None], Estimate], Path]:
    """Run a fixed model on 12 cases, certify it, and return estimates under the headline's source by name, arm, stratum."""
    options = LEARNED if verifier is not None else GroundingOptions(resamples=200)
    made = run(folder, (), limit=12, options=options, extra=(answering(by_case),), verifier=verifier)

    async def rest() -> tuple[Estimate, ...]:
        with RunStore.open(folder, writable=True) as store:
            if truth is not None:
                truth.fill(store, made.scoring)
            scoring = next(s for s in store.scorings() if s.id == made.scoring)
            roles = Roles({}, seed=SEED, verifier=verifier)
            await certify(store, PROTOCOL, options, roles=roles, scoring=scoring, seed=SEED)
            for one in list(store.view(scoring.id).assessed(model=CERTIFICATE)) if spoil else ():
                assert spoil is not None
                checked = Checked(response_id=one.response.id, claims=one.claims, verdicts=one.verdicts)
                await store.write(put_checked, scoring.id, spoil(checked, one.response.arm), ())
            return await estimate(store, PROTOCOL, options, scoring=scoring.id, seed=SEED)

    found = asyncio.run(rest())
    labels = next(e.labels for e in found if e.primary)
    before = {(e.name, e.arm, e.stratum): e.value for e in made.estimates if e.labels == labels}
    after = {(e.name, e.arm, e.stratum): e for e in found if e.labels == labels}
    assert all(after[key].value == value for key, value in before.items()), "a seed entered an estimate"
    return after, folder


def test_planted_recall_and_false_alarms_come_back_by_arm_and_class(tmp_path: Path) -> None:
    truth = Known()
    found, folder = certified(tmp_path / "run", truth, Whole(truth, miss=0.1, alarm=0.05, seed=6))
    for arm in MAIN:
        for name, planted in (("certificate_recall", 0.9), ("certificate_alarm", 0.05)):
            one = found[name, arm, None]
            assert one.n >= 200
            assert one.value == pytest.approx(planted, abs=0.06), (name, arm)
        classes = [
            found["certificate_recall", arm, f"class={name}"] for name in ("value", "denial", "invention")
        ]
        assert all(one.value == pytest.approx(0.9, abs=0.2) for one in classes)
    assert found["certificate", ARM, None].note == "passes"
    assert (found["certified", ARM, None].undefined or "").endswith("% of resamples"), (
        "24 claims of 12 cases are too few for a range; test_implied.py has those that are enough"
    )
    with RunStore.open(folder) as store:
        view = store.view(store.latest_scoring().id)
        assert CERTIFICATE not in view.models
        assert all(a.response.model != CERTIFICATE for a in view.assessed())


def test_a_reader_made_blind_in_one_arm_is_caught_and_its_headline_withheld(tmp_path: Path) -> None:
    truth = Known()

    def blind(checked: Checked, arm: str) -> Checked:
        if arm != BARE:
            return checked
        seen = [msgspec.structs.replace(v, label="supported") if v.label else v for v in checked.verdicts]
        return msgspec.structs.replace(checked, verdicts=tuple(seen))

    found, folder = certified(tmp_path / "run", truth, Whole(truth, seed=5), spoil=blind)
    assert found["certificate_recall", BARE, None].value == 0
    assert (found["certificate_recall", ARM, None].value or 0) > 0.9
    assert found["certificate", ARM, None].note.startswith("it finds 0% of seeded errors in one arm")
    with RunStore.open(folder) as store:
        panel = next(s for s in store.sections(store.latest_scoring().id) if s.title == "What did we find?")
    assert "fails the certificate of this run" in str(panel.body)
    assert "No index" in str(panel.body)
    assert "pattern" not in {column["key"] for column in panel.body["columns"]}


def test_a_reader_blind_to_one_class_is_caught(tmp_path: Path) -> None:
    truth = Known()

    def one_class(pair: Pair) -> str:
        supported, of = truth.held.get((pair.claim, pair.premises), (False, ""))
        return "supported" if supported or of == "denial" else "neither"

    found, _ = certified(tmp_path / "run", truth, Whole(one_class, seed=5))
    note = found["certificate", ARM, None].note
    assert note != "passes"
    assert found["certificate_recall", ARM, "class=denial"].value == 0


@pytest.mark.slow
@pytest.mark.parametrize("arms", [(ARM, BARE), (BARE,)], ids=["in both arms", "in one"])
def test_a_reader_that_calls_everything_unsupported_is_caught(tmp_path: Path, arms: tuple[str, ...]) -> None:
    """It finds every seeded error; recall alone would pass it, and its headline would be what it calls the true statements."""
    truth = Known()

    def dark(checked: Checked, arm: str) -> Checked:
        if arm not in arms:
            return checked
        seen = [msgspec.structs.replace(v, label="unsupported") if v.label else v for v in checked.verdicts]
        return msgspec.structs.replace(checked, verdicts=tuple(seen))

    found, folder = certified(tmp_path / "run", truth, Whole(truth, seed=5), spoil=dark)
    assert (found["certificate_recall", BARE, None].value or 0) > 0.95
    assert (found["certificate_alarm", BARE, None].value or 0) > 0.9
    assert "of known-true statements of one arm unsupported" in found["certificate", ARM, None].note
    with RunStore.open(folder) as store:
        panel = next(s for s in store.sections(store.latest_scoring().id) if s.title == "What did we find?")
    assert "fails the certificate of this run" in str(panel.body)
    assert "pattern" not in {column["key"] for column in panel.body["columns"]}


@pytest.mark.slow
def test_a_reader_that_lets_numbers_pass_in_one_arm_is_caught(tmp_path: Path) -> None:
    """Most seeded errors have a number; the rest are found, and overall recall in the other arm is perfect."""
    truth = Known()

    def lenient(checked: Checked, arm: str) -> Checked:
        if arm != BARE:
            return checked
        texts = {claim.id: claim.text for claim in checked.claims}
        seen = [
            msgspec.structs.replace(v, label="supported")
            if v.label and any(letter.isdigit() for letter in texts.get(v.subject, ""))
            else v
            for v in checked.verdicts
        ]
        return msgspec.structs.replace(checked, verdicts=tuple(seen))

    found, _ = certified(tmp_path / "run", truth, Whole(truth, seed=5), spoil=lenient)
    assert (found["certificate_recall", ARM, None].value or 0) > 0.9
    assert 0 < (found["certificate_recall", BARE, None].value or 0) < 0.9
    assert found["certificate", ARM, None].note != "passes"


@pytest.mark.slow
def test_a_reader_of_the_first_words_alone_is_caught(tmp_path: Path) -> None:
    """What it can't see it takes for right: errors at the end of a sentence pass it."""
    truth = Known()

    def short(pair: Pair) -> str:
        supported, _ = truth.held.get((pair.claim, pair.premises), (False, ""))
        return "supported" if supported or len(pair.claim) > 40 else "neither"

    found, folder = certified(tmp_path / "run", truth, Whole(short, seed=5))
    assert found["certificate", ARM, None].note != "passes"
    with RunStore.open(folder) as store:
        panel = next(s for s in store.sections(store.latest_scoring().id) if s.title == "What did we find?")
    assert "pattern" not in {column["key"] for column in panel.body["columns"]}


@pytest.mark.slow
def test_a_reader_that_decides_nothing_leads_nothing(tmp_path: Path) -> None:
    found, _ = certified(tmp_path / "run", None, Whole(lambda _: "supported", silent=1.0))
    assert {one.labels for one in found.values()} == {"rule:support-2"}


@pytest.mark.slow
def test_a_checker_certified_on_its_own_successes_is_caught(tmp_path: Path) -> None:
    """It decides half of the statements and is right of each: by its own successes perfect, of all seeded errors half are missed."""
    truth = Known()
    found, folder = certified(tmp_path / "run", truth, Whole(truth, silent=0.45, seed=5))
    for arm in MAIN:
        recall, alarm = found["certificate_recall", arm, None], found["certificate_alarm", arm, None]
        assert alarm.value == 0, "whatever it decides is right"
        assert recall.n >= 200, "errors that it left undecided are counted"
        assert recall.value == pytest.approx(0.55, abs=0.08)
    assert found["certificate", ARM, None].note.endswith("(at least 70% needed, interval included)")
    with RunStore.open(folder) as store:
        panel = next(s for s in store.sections(store.latest_scoring().id) if s.title == "What did we find?")
    assert "fails the certificate of this run" in str(panel.body)
    assert "pattern" not in {column["key"] for column in panel.body["columns"]}


def test_too_few_cases_certify_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    percuss.run("grounding", "phantom/confabulator", limit=2, out=str(folder))
    finished = asyncio.run(recheck(Recheck(run=str(folder), certify=True)))
    gate = next(e for e in finished.estimates if e.name == "certificate")
    assert gate.value is None
    assert gate.note == "seeds too few"


def test_a_moved_number_is_no_number_of_the_record() -> None:
    packet = Packet.of_layers({"clinical": {"age_years": 61, "pack_years": 48}})
    held = [float(f.value) for f in packet.facts if isinstance(f.value, int)]
    assert moved("He is 61 years old.", [48.0, 61.0, 72.0], held, 0) == "He is 72 years old."
    assert moved("Case TCGA-55-8089 is known.", [48.0], held, 0) is None
    assert moved("The stage is IIA.", [48.0], held, 0) is None


def test_what_another_case_says_of_a_list_is_no_error_where_the_own_list_holds_it_too() -> None:
    """The trap: drugs in another order; "Meds drug is aspirin." of the first entry was seeded as an error, and the second entry is aspirin."""
    held = (("c1", ("ramipril", "aspirin")), ("c2", ("aspirin", "ramipril")), ("c3", ("aspirin", "apixaban")))
    found = []
    for name, drugs in held:
        packet = Packet.of_layers({"meds": [{"drug": drug} for drug in drugs]})
        payload = msgspec.to_builtins(Grounding(packet=packet, question="Which drugs?"))
        found.append(Case(id=name, cluster=name, payload=payload))
    pool = _Pool(found)
    for case, (_, drugs) in zip(found, held, strict=True):
        for seed in pool.errors(case, np.random.default_rng(3)):
            assert not any(drug in seed.text.casefold() for drug in drugs), seed
    assert any("apixaban" in s.text.casefold() for s in pool.errors(found[0], np.random.default_rng(3))), (
        "some are left"
    )


NOTE = "The nodule is in the left lung. No pleural effusion is seen. Sodium rose on day 3. Her father had a stroke. The upper and lower poles are clear."
TURNED = {
    "The nodule is in the right lung.",
    "Pleural effusion is seen.",
    "Sodium fell on day 3.",
    "Her mother had a stroke.",
}


def test_what_a_record_says_is_turned_round_where_the_record_holds_no_more_of_it() -> None:
    """The trap: of passages only numbers were moved, so a reader to which sides, directions, persons and denials are all one passed."""
    packet = Packet.of_text(NOTE)
    case = Case(id="c", cluster="c", payload=msgspec.to_builtins(Grounding(packet=packet, question="")))
    seeds = [s for s in _Pool([case]).errors(case, np.random.default_rng(1)) if s.of == "turned word"]
    assert {s.text for s in seeds} == TURNED
    assert "turned word" in CLASSES
    assert turned("The upper pole is clear.", NOTE) is None, "the lower one is, too"
    fact = Packet.of_layers({"imaging": {"side": "left"}})
    case = Case(id="d", cluster="d", payload=msgspec.to_builtins(Grounding(packet=fact, question="")))
    assert "Side is right." in {s.text for s in _Pool([case]).errors(case, np.random.default_rng(1))}


def test_a_drug_a_unit_and_another_patients_number_make_errors_that_the_record_does_not_hold() -> None:
    held = "She takes apixaban 5 mg. The nodule measures 14 mm, before 14 cm."
    assert swapped("She takes apixaban 5 mg.", held) == "She takes warfarin 5 mg."
    assert swapped("She takes apixaban 5 mg.", f"{held} Warfarin was stopped.") is None
    assert misunited("She takes apixaban 5 mg.", held) == "She takes apixaban 5 g."
    assert misunited("The nodule measures 14 mm.", held) is None, "the record holds that amount, too"
    assert misunited("She smoked 30 pack-years.", held) is None
    assert numbered("Purity is 0.61.", [0.61], [0.43])
    assert not numbered("Purity is 0.61.", [0.61], [61.0]), "61% of the own record"
    assert not numbered("A purity above 0.5 is usual.", [0.61], [0.43]), "no number of that patient"


def test_what_people_labelled_alike_is_seeded_as_they_labelled_it() -> None:
    said = ("Age is 61.", "Age is 64.", "Age is 70.")
    claims = tuple(
        Claim(id=str(n), response_id="r", extractor="sentences-1", turn=0, start=0, stop=len(text), text=text)
        for n, text in enumerate(said)
    )
    labels = [("0", "supported", "a"), ("0", "supported", "b"), ("1", "unsupported", "a"), ("2", "supported", "a"), ("2", "unsupported", "b")]  # fmt: skip
    verdicts = tuple(
        Verdict(subject=subject, response_id="r", rater=f"human:{who}", aspect="support", label=label)
        for subject, label, who in labels
    )
    case = next(iter(PROTOCOL.cases(None, GroundingOptions(), SEED)))
    response = Response(id="r", case_id=case.id, arm="full_multimodal", model="scripted/a", status="done")
    found = _labelled(ScoredResponse(case=case, response=response, claims=claims, verdicts=verdicts))
    assert found == [
        Seed("Age is 61.", True, "labelled", "people"),
        Seed("Age is 64.", False, "labelled", "people"),
    ]


OPEN = (
    "An effusion on the left is not seen.", "There is no acute fracture.", "She does not take metformin.", "The nodule is under 14 mm.",
    "Age is not 61.", "She smoked more than 40 pack-years.", "The tumour measures at least 31 mm.",
)  # fmt: skip


@pytest.mark.parametrize("text", OPEN)
def test_a_denial_or_a_bound_makes_no_seed_for_another_may_hold_too(text: str) -> None:
    """The trap: "An effusion on the left is not seen." became one on the right, which may be true, and a reader that left it open was called blind."""
    assert turned(text, text) is None
    assert swapped(text, text) is None
    assert misunited(text, text) is None
    assert moved(text, [48.0, 22.0, 90.0], [1.0], 0) is None
    assert not numbered(text, [61.0, 40.0, 31.0, 14.0], [1.0])
