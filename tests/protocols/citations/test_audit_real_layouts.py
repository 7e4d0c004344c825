"""Layouts of real papers on which the audit was once wrong: each row is a fault that a reader found."""

import pytest

from percuss.protocols.citations.audit.coherence import with_faults
from percuss.protocols.citations.audit.document import of_text
from percuss.protocols.citations.audit.issues import issues_of
from percuss.protocols.citations.references.strings import parse

BOUND = "Okafor, C. and Brown, T. On lanterns at sea. *Journal of Harbours*, 12(3):1–28,"
TAIL = "2015. doi: 10.5555/lanterns.1. URL <https://doi.org/10.5555/lanterns.1>."
OTHER = "Wang, L. Nets and knots, 2021. URL <https://example.org/nets>."


@pytest.mark.parametrize(
    ("told", "listed", "n"),
    [
        # A page break before the year, in slanted type, or in the middle of the name of a conference.
        ("Lanterns (Okafor & Brown, 2015) and nets (Wang, 2021).", f"{BOUND}\n\n{TAIL}\n\n{OTHER}", 2),
        ("Lanterns (Brown, 2024) and nets (Wang, 2021).", f"- Brown, T. Lanterns of the northern shore. In *The Tenth Annual*\n\n- Meeting on Harbours, 2024. URL <https://example.org/a>.\n- {OTHER}", 2),
        ("Lanterns (Brown, 2025) and nets (Wang, 2021).", f"- Tom Brown. Lanterns. In *Proceedings of the 2025 Harbour*\n\n- Meeting (Volume 1)*, pages 3–9, 2025.\n- {OTHER}", 2),
        # A body of several words, a name with a stop, two years of one name, a bracket behind a backslash, no date.
        ("Maps (The Harbour Atlas Network, 2014), nets (Wang, 2021).", f"The Harbour Atlas Network. Maps of lanterns. *Nature*, 5(1):3–9, 2014.\n\n{OTHER}", 2),
        ("A model (Z.ai, 2025), nets (Wang, 2021).", f"Z.ai. Lamp-4: a card of a model, 2025. URL <https://example.org/z>.\n\n{OTHER}", 2),
        ("Nets (Wang et al., 2021; 2023).", f"{OTHER}\n\nWang, L. Further knots, 2023. URL <https://example.org/more>.", 2),
        ("As [Wang et al. \\(2021\\)](#) say, and (Brown, 2019).", f"{OTHER}\n\nBrown, T. Lamps of the northern shore, 2019. URL <https://example.org/b>.", 2),
        ("A nurse [Haddad *et al.*, nd] and nets [Wang, 2021].", f"[Haddad *et al.*, nd] Rami Haddad and Eva Ångström. Nights at the ward. Harbour Press.\n\n[Wang, 2021] {OTHER}", 2),
        # A particle as the last initial, and a body that is no person.
        ("Lanterns (Smith et al., 2020), law (The State Bar of Harbours, 2021).", "Smith, K., Arcas, B. A. y., and Webster, D. Lanterns, 2020. URL <https://example.org/s>.\n\nThe State Bar of Harbours. The court of harbours, 2021. URL <https://example.org/bar>.", 2),
    ],
)  # fmt: skip
def test_what_is_listed_is_cut_as_it_was_meant_and_cited(told: str, listed: str, n: int) -> None:
    document = of_text("paper.md", f"{told}\n\nReferences\n\n{listed}\n")
    assert len(document.references) == n, [each.raw for each in document.references]
    assert [(each.kind, each.note) for each in issues_of(document)] == []


def test_an_appendix_behind_the_list_cites_too() -> None:
    listed = f"{OTHER}\n\nBrown, T. Lamps of the northern shore, 2019. URL <https://example.org/b>."
    text = f"Nets (Wang, 2021).\n\nReferences\n\n{listed}\n\nAppendix A {'Tasks and what they ask of those who tend lamps ' * 2}\nLamps (Brown, 2019) and (Nobody, 2011).\n"
    document = of_text("paper.md", text)
    assert [each.key for each in document.references] == ["Wang 2021", "Brown 2019"]
    assert issues_of(document) == ()


def test_works_with_nearly_one_title_are_two() -> None:
    listed = "Wei, J. Measuring short-form factuality in large language models, 2024a. URL <https://arxiv.org/abs/2411.04368>.\n\nWei, J. Long-form factuality in large language models, 2024b. URL <https://example.org/l>."
    document = of_text("paper.md", f"Both (Wei, 2024a; Wei, 2024b).\n\nReferences\n\n{listed}\n")
    assert [each.kind for each in issues_of(document)] == []


def test_year_and_month_are_no_pages() -> None:
    cited = parse("Lanterns for large wards: a framework. medRxiv, pp. 2025–08.")
    assert with_faults(cited).broken == ()
    assert with_faults(parse("Brown T. Lamps. Lancet. 2019;5(2):2025-1908.")).broken


def test_addresses_of_this_machine_and_patterns_are_no_references() -> None:
    text = "Ids are `10.5555/pel.*`. Ask http://localhost:8000/v1 or http://127.0.0.1:8780/a. See https://who.int/a (10.5555/real.1)."
    assert [each.key for each in of_text("a.md", text).references] == ["https://who.int/a", "10.5555/real.1"]
