"""The rule extractor: spans that hold, headings left out, the cut end marked."""

from percuss.core.messages import Finish, Text
from percuss.core.records import Response, Turn
from percuss.judging.extract import EXTRACTOR, extract, is_truncated


def _response(*texts: str, finish: Finish = "stop") -> Response:
    turns = []
    for number, text in enumerate(texts):
        turns.append(Turn(index=2 * number, role="user", parts=(Text(text="Go on. Please."),)))
        turns.append(Turn(index=2 * number + 1, role="assistant", parts=(Text(text=text),)))
    return Response(id="r", case_id="c", arm="a", model="m", turns=tuple(turns), finish=finish)


def test_each_sentence_is_a_claim_with_its_span() -> None:
    """`turn_text[start:stop] == text`; the user's turns hold none."""
    response = _response("**Key evidence:**\n- Tumor 61%.\n- RNA: none.", "Stage III. Hot.")
    claims = extract(response)
    assert [claim.text for claim in claims] == ["Tumor 61%.", "RNA: none.", "Stage III.", "Hot."]
    by_turn = {turn.index: turn.text for turn in response.turns}
    assert all(by_turn[claim.turn][claim.start : claim.stop] == claim.text for claim in claims)
    assert [claim.kind for claim in claims] == ["numeric", "uncertainty", "numeric", "tier"]
    assert {claim.extractor for claim in claims} == {EXTRACTOR}
    assert extract(response) == claims


def test_only_the_unfinished_end_of_a_cut_reply_is_truncated() -> None:
    """It stays a claim, so that den + excluded = posed; a cut decimal counts as unfinished."""
    cut = extract(_response("Cut. Early", "Stage III. The score is 0.", finish="length"))
    assert [is_truncated(claim) for claim in cut] == [False, False, False, True]
    whole = extract(_response("Stage III. The tumor is hot.", finish="length"))
    assert not any(is_truncated(claim) for claim in whole)
    assert not any(is_truncated(claim) for claim in extract(_response("Stage III. The score is")))


def test_nothing_said_is_no_claim() -> None:
    """An empty reply."""
    assert extract(_response("")) == ()
    assert extract(_response("  \n---\n")) == ()
