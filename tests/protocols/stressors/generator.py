"""Vignettes from a seeded generator, so that phantoms can be measured at any n without a data set."""

import random

from percuss.protocols.stressors.scenario.vignettes import Fact, Vignette

TESTS = (
    ("Alphaline assay", "lab"), ("Bettina scan", "imaging"), ("Corvus biopsy", "pathology"), ("Dorsal probe", "procedure"),
    ("Ember tracing", "functional"), ("Falcon titre", "lab"), ("Garnet smear", "pathology"), ("Harbor film", "imaging"),
)  # fmt: skip
SIGNS = ("mottled", "brittle", "pallid", "clammy", "bowed", "coarse", "waxen", "tumid")
PLACES = ("scalp", "elbow", "ankle", "wrist", "jaw", "heel", "thumb", "nape")
WORDS = (
    "amber",
    "basalt",
    "cobalt",
    "dune",
    "ember",
    "fjord",
    "grove",
    "heath",
    "islet",
    "jade",
    "knoll",
    "lagoon",
)


def vignette(number: int, seed: int = 0) -> Vignette:
    """Return a well-formed vignette: four tests that bear on the diagnosis, one that is contradicted, vital signs, history."""
    rng = random.Random(f"{seed}-{number}")
    tests = rng.sample(TESTS, 4)
    words = rng.sample(WORDS, 4)
    facts = [
        Fact(
            id=f"t{n}", text=f"{name}: {word} {SIGNS[n]} pattern", kind=kind, group=name, label=name,  # type: ignore[arg-type]
            value=f"{word} {SIGNS[n]} pattern", objective=True, key_score=4 - n,
        )
        for n, ((name, kind), word) in enumerate(zip(tests, words, strict=True))
    ]  # fmt: skip
    flag = rng.choice(("positive", "negative"))
    facts.append(
        Fact(
            id="c",
            text=f"Quartz marker: {flag}",
            kind="lab",
            group="Quartz marker",
            label="Quartz marker",
            value=flag,
            objective=True,
        )
    )
    facts += [
        Fact(
            id="c2",
            text="Opal marker: absent",
            kind="lab",
            group="Opal marker",
            label="Opal marker",
            value="absent",
            objective=True,
        ),
        Fact(
            id="q",
            text="Hearing: unchanged",
            kind="exam",
            group="Ear examination",
            label="Hearing",
            value="unchanged",
        ),
    ]
    vitals = (("Temperature", f"{rng.randint(364, 385) / 10} °C"), ("Heart rate", f"{rng.randint(61, 99)}/min"),
              ("Blood pressure", f"{rng.randint(101, 139)}/{rng.randint(61, 89)} mmHg"), ("Respiratory rate", f"{rng.randint(12, 20)}/min"))  # fmt: skip
    facts += [
        Fact(id=f"v{n}", text=f"{name}: {value}", kind="vital", group="Vital signs", label=name, value=value)
        for n, (name, value) in enumerate(vitals)
    ]
    signs, places = rng.sample(SIGNS[4:], 4), rng.sample(PLACES, 4)
    facts += [
        Fact(id=f"h{n}", text=f"The {place} looks {sign} since spring.", kind="history", group="History")
        for n, (place, sign) in enumerate(zip(places, signs, strict=True))
    ]
    facts += [
        Fact(
            id="a0", text="A hip was replaced in youth.", kind="history", group="Past history", askable=True
        ),
        Fact(
            id="a1",
            text="The patient works as a baker.",
            kind="history",
            group="Social history",
            askable=True,
        ),
        Fact(
            id="a2", text="An uncle has brittle nails.", kind="history", group="Family history", askable=True
        ),
    ]
    age = rng.randint(21, 79)
    return Vignette(
        id=f"g{seed}-{number}", cluster=f"g{seed}-{number}", stratum="made", demographics=f"{age}-year-old person",
        opening=f"{age}-year-old person number {number} with a complaint.", facts=tuple(facts), diagnosis="Verdigris fever",
        aliases=("verdigris disease",), accepted_differential=("Saffron palsy", "Indigo colic"),
    )  # fmt: skip
