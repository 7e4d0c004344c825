"""Laws of `grounding`: what is posed is scored or left out by a reason, whatever raters say."""

from typing import Literal

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from percuss.core.labels import SUPPORT_LABELS, reason_head
from percuss.core.messages import Text
from percuss.core.ports import ScoredResponse
from percuss.core.records import Case, Claim, Response, Turn, Verdict
from percuss.evidence.packet import Packet
from percuss.protocols.grounding.estimate.counting import support_cells
from percuss.protocols.grounding.estimate.names import KINDS, kind_cells
from percuss.protocols.grounding.options import GroundingOptions
from percuss.protocols.grounding.record import Grounding

CASE = Case(id="c", cluster="k", payload=msgspec.to_builtins(Grounding(packet=Packet.of_text("x"))))
SAID = st.one_of(
    st.sampled_from(SUPPORT_LABELS).map(lambda label: {"label": label}),
    st.sampled_from(["error", "unparsable:schema", "refused"]).map(lambda reason: {"unscored": reason}),
    st.none(),
)
RATERS = ("rule:strict", "judge:j#1", "judge:j#2", "human:a", "human:b")
CLAIM = st.tuples(st.sampled_from(KINDS), st.booleans(), st.tuples(*[SAID] * len(RATERS)))


@st.composite
def assessed(draw: st.DrawFn) -> ScoredResponse:
    drawn = draw(st.lists(CLAIM, max_size=6))
    status: Literal["done", "failed"] = "done" if draw(st.integers(0, 3)) else "failed"
    text = "A. " * len(drawn)
    response = Response(
        id="r", case_id="c", arm="ungrounded", model="m", status=status, reason=None if status == "done" else "error:transient",
        turns=(Turn(index=0, role="assistant", parts=(Text(text=text),)),),
    )  # fmt: skip
    if status != "done":
        return ScoredResponse(case=CASE, response=response, left_out=response.reason)
    claims, verdicts = [], []
    for at, (kind, cut, said) in enumerate(drawn):
        claim = Claim.of(
            "r", turn=0, start=3 * at, stop=3 * at + 2, text="A.", extractor="x", kind=kind, kinds=(kind,),
            payload={"truncated": True} if cut else None,
        )  # fmt: skip
        claims.append(claim)
        for rater, what in zip(RATERS, said, strict=True):
            if what is not None:
                verdicts.append(
                    Verdict(subject=claim.id, response_id="r", aspect="support", rater=rater, **what)
                )
    left_out = draw(st.sampled_from([None, None, "not_checkable:not checked"]))
    return ScoredResponse(
        case=CASE, response=response, claims=tuple(claims), verdicts=tuple(verdicts), left_out=left_out
    )


@settings(max_examples=150, deadline=None)
@given(assessed(), st.sampled_from(["agreement", "majority"]))
def test_den_and_excluded_are_what_was_posed(one: ScoredResponse, policy: str) -> None:
    options = GroundingOptions(judge_policy=policy)  # type: ignore[arg-type]
    cells = list(support_cells([one], "s", options))
    assert len({(c.name, c.labels) for c in cells}) == len(cells)
    for cell in cells:
        posed = cell.den + sum(cell.excluded.values())
        assert 0 <= cell.num <= max(cell.den, cell.num * (cell.name == "sentences"))
        for reason in cell.excluded:
            reason_head(reason)
        if cell.name in {"unsupported_rate", "supported_rate"} and not one.claims:
            assert (cell.den, posed) == (0, 1), "an arm without a claim is undefined by a reason"
        elif cell.name in {"unsupported_rate", "supported_rate", "judge_agreement", "decided_share"}:
            assert posed == len(one.claims)
        elif cell.name in {"case_unsupported_rate", "abstention", "sentences", "completeness"}:
            assert posed == 1
        for kind in KINDS:
            if cell.name == kind_cells("unsupported_rate", kind):
                assert posed == sum(claim.kind == kind for claim in one.claims)


@settings(max_examples=60, deadline=None)
@given(assessed())
def test_what_could_not_be_checked_counts_nowhere(one: ScoredResponse) -> None:
    for cell in support_cells([one], "s", GroundingOptions()):
        if one.left_out and cell.name.startswith(("unsupported", "supported", "case", "abstention")):
            assert (cell.num, cell.den) == (0, 0)


@settings(max_examples=60, deadline=None)
@given(st.lists(assessed(), min_size=2, max_size=4))
def test_a_source_answers_for_every_response(several: list[ScoredResponse]) -> None:
    """A claim that a judge or a person never saw is left out by a reason, not by silence."""
    named = [
        replace(one, case=replace(one.case, id=str(at)), response=replace(one.response, id=f"r{at}"))
        for at, one in enumerate(several)
    ]
    cells = list(support_cells(named, "s", GroundingOptions()))
    with_claims = {one.response.arm for one in named if one.claims}
    posed = sum(len(one.claims) if one.response.arm in with_claims else 1 for one in named)
    for source in {cell.labels for cell in cells if cell.name == "unsupported_rate"}:
        held = [cell for cell in cells if (cell.name, cell.labels) == ("unsupported_rate", source)]
        assert sum(cell.den + sum(cell.excluded.values()) for cell in held) == posed
