"""Entries of lists as seeds: stated whole and true, changed in one field and in no entry, held against the raw records word by word."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from percuss.core.records import Case
from percuss.evidence.packet import Packet
from percuss.protocols.grounding.certificate.entries import listed
from percuss.protocols.grounding.certificate.erring import changes
from percuss.protocols.grounding.certificate.listing import Lists
from percuss.protocols.grounding.certificate.saying import posed, told
from percuss.protocols.grounding.certificate.seed import Seed
from percuss.protocols.grounding.certificate.seeding import _Pool
from percuss.protocols.grounding.certificate.verbal import Told, accepted, asked, spoken, twin_of
from percuss.protocols.grounding.options import GroundingOptions
from percuss.protocols.grounding.record import reading
from tests.protocols.grounding.wards import cohort

AROUND = frozenset("the patient s patient's is was were on has an in to list problem medication result for of dated started onset reaction allergy allergic".split())  # fmt: skip
"""Words of the sentences alone: nothing of a record hangs on them."""
TOKEN = re.compile(r"[<>]?[A-Za-z0-9]+(?:[.^/-][A-Za-z0-9]+)*|%")


def tokens(text: str) -> set[str]:
    found = {token.casefold() for token in TOKEN.findall(text.replace("'s ", " "))}
    return {part for token in found for part in re.split(r"(?<=[a-z])-(?=[a-z])", token)} - AROUND


def raw(case: Case) -> Iterator[set[str]]:
    """The words of each entry as the record has them, without the code that is tried: by resource or by place in a list."""
    groups: dict[str, list[str]] = defaultdict(list)
    for fact in reading(case).packet.facts:
        digit = re.match(r"(.*?\.\d+)(?:\.|$)", fact.path)
        own = re.match(r"(labs\.[a-z]+)\.", fact.path)
        key = fact.source or (digit[1] if digit else own[1] if own else fact.path)
        value = f"{fact.value:g}" if isinstance(fact.value, float) else str(fact.value)
        unit = "mg" if fact.path.endswith("dose_mg") else fact.unit
        path = re.sub(r"\.\d+(?=\.|$)", "", fact.path)
        groups[key].append(f"{path.replace('_', ' ').replace('.', ' ')} {value} {unit} {fact.date}")
    for parts in groups.values():
        said = tokens(" ".join(parts))
        yield said | ({"not", "present"} if "false" in said else set())


def seeds(case: Case, model: tuple[Told, ...] = ()) -> tuple[list[Seed], list[Seed]]:
    lists = Lists({one.id: reading(one).packet for one in cohort()})
    return lists.true(case.id), [seed for held in lists.errors(case.id, model) for seed in held]


@pytest.mark.parametrize("case", cohort(), ids=lambda case: case.id)
def test_each_true_seed_stands_in_one_entry_and_no_changed_one_in_any(case: Case) -> None:
    entries = list(raw(case))
    true, wrong = seeds(case)
    assert len(true) >= 8, "of two wordings"
    for seed in true:
        assert any(tokens(seed.text) <= held for held in entries), seed.text
    for seed in wrong:
        said = tokens(seed.text)
        denied = seed.of == "denial"
        assert not any(said <= held and not (denied and "false" in held) for held in entries), seed.text
    assert not {seed.text for seed in true} & {seed.text for seed in wrong}


def test_a_cohort_of_lists_has_seeds_of_every_class_that_a_field_makes() -> None:
    """The trap: of lists a number was seeded without its name ("Labs value is 48."), and a model was asked for none of them."""
    found, true = Counter[str](), 0
    for case in cohort():
        right, wrong = seeds(case)
        true += len(right)
        found.update(seed.of for seed in wrong)
        every = [*_Pool(cohort()).true(case, np.random.default_rng(1)), *_Pool(cohort()).errors(case, np.random.default_rng(1))]  # fmt: skip
        assert not [s.text for s in every if re.match(r"(?:The value for )?(?:labs|medications|problems|allergies)\b", s.text, re.IGNORECASE)]  # fmt: skip
    assert true >= 100, true
    assert found.total() >= 280, found
    for of in ("value", "other drug", "other dose", "other date", "other status", "other unit"):
        assert found[of] >= 15, (of, found)


def test_what_may_be_true_after_all_or_said_otherwise_elsewhere_is_no_seed() -> None:
    held = {case.id: seeds(case) for case in cohort()}
    said = {name: " ".join(s.text for s in (*true, *wrong)).casefold() for name, (true, wrong) in held.items()}  # fmt: skip
    assert "paracetamol" not in said["one name in two words"], "acetaminophen is"
    assert "acetaminophen" not in said["the other word, and a milligram"]
    assert "asthma" not in said["a problem told two ways"], "active by one entry, inactive by another"
    assert "glucose" not in said["two results of one day"], "which of two?"
    assert "embolism" not in said["the other word, and a milligram"], "active and refuted"
    assert "warfarin" not in said["ward"], "a note that nothing here reads"
    assert "17.4" not in said["ward"], "a number of nothing"
    assert "endocarditis" not in said["ward"], "possible"
    assert "breast" not in said["ward"], "a relative's"
    changed = {name: [s.text for s in wrong] for name, (_, wrong) in held.items()}
    two = [text for text in changed["two doses of one drug"] if "Metformin" in text]
    assert not [text for text in two if "500 mg" in text and "850" in text]
    assert not [text for text in two if "is active" in text and "500 mg" in text], "the other entry's status"
    assert not [t for t in changed["the other word, and a milligram"] if "Paracetamol 1 g" in t]
    bounds = changed["bounds, ranges and nothing"]
    assert not [text for text in bounds if "<500" not in text and "dimer" in text], (
        "many numbers are below 500"
    )
    assert not [t for t in bounds if "glargine" in t and "10 to 14" not in t]
    assert not [t for t in bounds if "Troponin was 0" in t and "ng/L" not in t], (
        "nothing is nothing in any unit"
    )


def test_a_result_that_the_record_holds_on_another_day_is_an_error_on_this_one_alone() -> None:
    packet = Packet.of_layers({"labs": [
        {"test": "CRP", "value": 212, "unit": "mg/L", "date": "2025-09-02"}, {"test": "CRP", "value": 48, "unit": "mg/L", "date": "2025-09-05"},
    ]})  # fmt: skip
    held = listed(packet)
    made = {told(one.entry, 0) for e in held.entries for one in changes(e, held, held.entries, np.random.default_rng(0))}  # fmt: skip
    assert {"CRP was 212 mg/L on 2025-09-05.", "CRP was 48 mg/L on 2025-09-02."} <= made
    undated = listed(Packet.of_layers({"labs": [{"test": "CRP", "value": 212, "unit": "mg/L"}, {"test": "CRP", "value": 48, "unit": "mg/L"}]}))  # fmt: skip
    assert undated.entries == (), "of two results without a date a sentence doesn't say which"


def test_a_model_puts_an_entry_into_words_and_its_changed_twins_stay_in_them() -> None:
    class View:
        def cases(self) -> list[Case]:
            return cohort()

    view: Any = View()
    requests = list(asked(view, GroundingOptions(), 3))
    pairs = {name: re.search(r"Attribute: (.+)\nValue: (.+)\n", request.messages[0].text) for name, request in requests}  # fmt: skip
    replies = {name: f"The {pair[1]} of the patient is recorded as {pair[2]}." for name, pair in pairs.items() if pair}  # fmt: skip
    found = spoken(view, replies, 3)
    of_lists = [one for told_of in found.values() for one in told_of if one.entry is not None]
    assert len(of_lists) >= 40
    assert [one.why for one in of_lists if not one.sentence] == []
    ward = tuple(found["ward"])
    wrong = [seed for seed in seeds(next(c for c in cohort() if c.id == "ward"), ward)[1] if seed.source == "model"]  # fmt: skip
    assert len(wrong) >= 25
    entries = list(raw(next(c for c in cohort() if c.id == "ward")))
    for seed in wrong:
        assert seed.text.endswith(".")
        said, denied = tokens(seed.text) - {"recorded", "as"}, seed.of == "denial"
        assert not any(said <= held and not (denied and "false" in held) for held in entries), seed.text


@pytest.mark.parametrize(
    "reply",
    [
        "The patient stopped Metformin 500 mg twice daily, on hold.",
        "Metformin was formerly 500 mg twice daily, on hold.",
        "Metformin 500 mg twice daily is on hold.",
        "Metformin is 500 mg twice daily, on hold, because of sepsis.",
        "Her mother's Metformin is 500 mg twice daily, on hold.",
        "Metformin is 500 mg, on hold.",
    ],
)
def test_a_sentence_with_a_word_more_than_the_entry_is_not_seeded(reply: str) -> None:
    class View:
        def cases(self) -> list[Case]:
            return [next(case for case in cohort() if case.id == "ward")]

    view: Any = View()
    key = next(name for name, request in asked(view, GroundingOptions(), 3) if "Attribute: Metformin" in request.messages[0].text)  # fmt: skip
    one = next(t for t in spoken(view, {key: reply}, 3)["ward"] if t.attribute == "Metformin")
    assert (one.sentence, bool(one.why)) == ("", True)


def test_of_an_entry_all_that_it_says_is_asked_and_changed() -> None:
    case = next(case for case in cohort() if case.id == "ward")
    entry = next(one for one in listed(reading(case).packet).entries if one.name == "Metformin")
    said = posed(entry)
    assert said == ("Metformin", "500 mg twice daily, on hold")
    sentence, why = accepted("The Metformin is 500 mg twice daily, on hold.", *said)
    assert why == ""
    one = Told(reading(case).packet.facts[0].__class__(path=entry.key, value=said[1]), said[0], sentence, "", entry)  # fmt: skip
    assert twin_of(one, entry.changed("name", "Gliclazide")) == "The Gliclazide is 500 mg twice daily, on hold."  # fmt: skip
    assert twin_of(one, entry.changed("status", "active")) == "The Metformin is 500 mg twice daily, active."
