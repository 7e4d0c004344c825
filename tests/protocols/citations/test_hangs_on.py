"""What a verdict hangs on is in the source that was cited, at the place that it names: else a reader opens the wrong page."""

from pathlib import Path

from percuss.phantoms import phantom
from percuss.protocols.citations.library import bundled
from percuss.protocols.citations.phantom import PHANTOMS
from tests.protocols.citations.conversations import run


def test_a_quote_stands_in_the_very_document_that_was_cited(tmp_path: Path) -> None:
    held = {document.doi: document.text for document in bundled().documents}
    writer = phantom("phantom/citer?wrong_content=0.4&nonexistent=0.1&abstain=0", seed=5, known=PHANTOMS)
    found = run(tmp_path / "run", writer, limit=4)
    n = 0
    for response in found.scored:
        cited = {claim.id: claim.payload.get("reference", {}).get("ids", {}) for claim in response.claims}
        for verdict in response.verdicts:
            for each in verdict.evidence if verdict.aspect == "content" else ():
                if "quote" not in each:
                    continue
                text = held[cited[verdict.subject]["doi"]]
                assert text[each["start"] : each["stop"]] == each["quote"]
                around = each["before"] + each["quote"] + each["after"]
                assert around in text
                n += 1
    assert n >= 12
