"""A passport that was read on English carries no headline for answers, or evidence, in another language (reading.md, section 2)."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from percuss.core.messages import Reply, Request, Text
from percuss.protocols.grounding.options import GroundingOptions
from tests.protocols.grounding.ordinary import case_of
from tests.protocols.grounding.runs import Ran, run
from tests.protocols.grounding.test_withheld import said

OPTIONS = GroundingOptions(resamples=200)
SAYS = {
    "German": "Der Patient leidet an einem Adenokarzinom der Lunge. Das Stadium ist nicht bekannt, und die Tumorreinheit liegt bei 0.4.",
    "French": "Le patient est atteint d'un adénocarcinome du poumon. La pureté de la tumeur est de 0.4, et le stade est inconnu.",
    "another script": "У пациента аденокарцинома лёгкого. Стадия неизвестна, чистота опухоли составляет 0.4.",
}


@dataclass
class Speaker:
    """A model that answers in another language, in so many cases of twelve."""

    language: str
    of_twelve: int = 12
    id: str = "vendor/one"
    pin: str = ""

    def __post_init__(self) -> None:
        self.seen: dict[str, int] = {}

    async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
        del epoch
        nth = self.seen.setdefault(case_of(request), len(self.seen))
        text = SAYS[self.language] if nth < self.of_twelve else said(request)
        return Reply(parts=(Text(text=text),), finish="stop")


def made(folder: Path, speaker: Speaker) -> Ran:
    return run(folder / "run", (), limit=12, options=OPTIONS, extra=(speaker,))


@pytest.mark.parametrize("language", SAYS)
def test_a_passport_of_english_is_of_no_other_language(tmp_path: Path, language: str) -> None:
    """The trap: nothing asked in which language a run's answers are."""
    ran = made(tmp_path, Speaker(language))
    why = f"rules support-2 were read elsewhere (English), not on this: 100% of the answers of vendor/one with evidence are in {language}"
    assert ran.one("pattern", "vendor/one").withheld == why
    panel = next(s for s in ran.sections if s.kind == "panel")
    assert f"No index, and no comparison of models: {why}." in str(panel.body)


def test_one_answer_in_twelve_is_a_slip_and_is_counted(tmp_path: Path) -> None:
    ran = made(tmp_path, Speaker("German", of_twelve=1))
    share = ran.one("other_language", "vendor/one")
    assert (share.value, share.n, share.note) == (1 / 12, 12, "German")
    assert "read elsewhere" not in ran.one("pattern", "vendor/one").withheld


def test_evidence_in_another_language_is_read_elsewhere_too(tmp_path: Path) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text(
        "".join(json.dumps({"id": f"c{n}", "passage": SAYS["German"]}) + "\n" for n in range(6)),
        encoding="utf-8",
    )

    class Plain(Speaker):
        async def generate(self, request: Request, *, epoch: int = 0) -> Reply:
            return Reply(parts=(Text(text="The purity of the tumour is 0.4."),), finish="stop")

    ran = run(
        tmp_path / "run",
        (),
        options=OPTIONS,
        source=str(cases),
        arms=("full", "ungrounded"),
        extra=(Plain("German"),),
    )
    assert ran.one("unsupported_rate", "vendor/one", arm="full").withheld == (
        "rules support-2 were read elsewhere (English), not on this: the evidence is in German in 6 of the cases"
    )
