"""The same references as files of every format that the audit reads."""

import base64
import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from xml.sax.saxutils import escape

from percuss.protocols.citations.audit.docx_fields import BIBLIOGRAPHY
from percuss.protocols.citations.references.bibtex import entry
from percuss.protocols.citations.references.record import Reference
from tests.citing import apa, ieee, initials, nature, paper, plain_latex, vancouver

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def bib(refs: list[Reference]) -> str:
    """Write BibTeX, accents as LaTeX commands in every other entry."""
    accents = {
        "í": "{\\'i}",
        "á": "{\\'a}",
        "ü": '{\\"u}',
        "š": "{\\v s}",
        "ů": "{\\r u}",
        "Ł": "{\\L}",
        "Å": "{\\AA}",
        "ö": '{\\"o}',
    }
    out = []
    for number, ref in enumerate(refs):
        text = entry(ref)
        out.append("".join(accents.get(c, c) for c in text) if number % 2 else text)
    return "\n\n".join(out)


def ris(refs: list[Reference]) -> str:
    """Write RIS."""
    out = []
    for r in refs:
        first, _, last = r.pages.partition("-")
        people = [f"AU  - {n.family}" if n.literal else f"AU  - {n.family}, {n.given}" for n in r.authors]
        rows = ["TY  - JOUR", f"ID  - {r.key}", *people, f"TI  - {r.title}", f"JO  - {r.container}", f"PY  - {r.year}", f"VL  - {r.volume}",
                f"IS  - {r.issue}", f"SP  - {first}", f"EP  - {last}", f"DO  - {r.ids.get('doi', '')}", "ER  - "]  # fmt: skip
        out.append("\n".join(row for row in rows if not row.endswith("DO  - ")))
    return "\n\n".join(out) + "\n"


def nbib(refs: list[Reference]) -> str:
    """Write PubMed's tagged format, long titles wrapped."""
    out = []
    for r in refs:
        half = len(r.title) // 2
        cut = r.title.find(" ", half)
        people = [f"CN  - {n.family}" if n.literal else f"FAU - {n.family}, {n.given}" for n in r.authors]
        rows = [f"PMID- {r.ids.get('pmid', '59000000')}", f"DP  - {r.year} Mar", f"TI  - {r.title[:cut]}", f"      {r.title[cut + 1 :]}.",
                f"PG  - {r.pages}", f"LID - {r.ids.get('doi', '')} [doi]", *people, f"JT  - {r.container}", f"VI  - {r.volume}", f"IP  - {r.issue}"]  # fmt: skip
        out.append("\n".join(rows))
    return "\n\n".join(out) + "\n"


def csl_items(refs: list[Reference]) -> list[dict[str, object]]:
    """Return CSL items."""
    return [
        {
            "id": r.key, "type": "article-journal", "title": r.title, "container-title": r.container, "volume": r.volume, "issue": r.issue,
            "page": r.pages, "DOI": r.ids.get("doi", ""), "issued": {"date-parts": [[r.year]]},
            "author": [{"literal": n.family} if n.literal else {"family": n.family, "given": n.given} for n in r.authors],
        }
        for r in refs
    ]  # fmt: skip


def body(refs: list[Reference]) -> str:
    """Write a text that cites all entries by number."""
    return "\n\n".join(
        f"Treatment number {n} was studied in some detail [{n}]." for n, _ in enumerate(refs, start=1)
    )


def numbered(refs: list[Reference], style: Callable[[Reference], str], mark: str = "{}. ") -> str:
    """Write a numbered list."""
    return "\n".join(mark.format(n) + style(r) for n, r in enumerate(refs, start=1))


def docx(refs: list[Reference], *, how: str) -> bytes:
    """Write a .docx: a numbered list, footnotes, or citation fields of a manager."""
    paragraphs = (
        [f"<w:p><w:r><w:t>{escape(line)}</w:t></w:r></w:p>" for line in body(refs).split("\n\n")]
        if how == "list"
        else []
    )
    notes = ""
    if how == "list":
        paragraphs.append(
            '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>References</w:t></w:r></w:p>'
        )
        paragraphs += [
            f"<w:p><w:r><w:t>{n}. {escape(vancouver(r))}</w:t></w:r></w:p>"
            for n, r in enumerate(refs, start=1)
        ]
    elif how == "footnotes":
        for n, r in enumerate(refs, start=2):
            paragraphs.append(
                f'<w:p><w:r><w:t>A claim was made.</w:t></w:r><w:r><w:footnoteReference w:id="{n}"/></w:r></w:p>'
            )
            notes += f'<w:footnote w:id="{n}"><w:p><w:r><w:t xml:space="preserve"> {escape(nature(r))}</w:t></w:r></w:p></w:footnote>'
    else:
        for item in csl_items(refs):
            code = escape(
                " ADDIN ZOTERO_ITEM CSL_CITATION " + json.dumps({"citationItems": [{"itemData": item}]})
            )
            half = len(code) // 2
            while code[half - 1] == "&" or "&" in code[half - 6 : half]:
                half += 1
            paragraphs.append(
                '<w:p><w:r><w:t>A claim was made </w:t></w:r><w:r><w:fldChar w:fldCharType="begin"/></w:r>'
                f'<w:r><w:instrText xml:space="preserve">{code[:half]}</w:instrText></w:r><w:r><w:instrText xml:space="preserve">{code[half:]}</w:instrText></w:r>'
                '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>(a)</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>'
            )
    document = f'<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="{W}"><w:body>{"".join(paragraphs)}</w:body></w:document>'
    footnotes = f'<?xml version="1.0" encoding="UTF-8"?><w:footnotes xmlns:w="{W}">{notes}</w:footnotes>'
    return zipped({"word/document.xml": document, "word/footnotes.xml": footnotes})


def endnote(refs: list[Reference], *, packed: bool) -> bytes:
    """Write a .docx with EndNote's field codes, or their data in base64."""
    paragraphs = []
    for r in refs:
        people = "".join(
            f"<author><style>{escape(n.family + ',' if n.literal else f'{n.family}, {n.given}')}</style></author>"
            for n in r.authors
        )
        record = (
            f'<record><ref-type name="Journal Article">17</ref-type><contributors><authors>{people}</authors></contributors>'
            f"<titles><title><style>{escape(r.title)}</style></title></titles><periodical><full-title>{escape(r.container)}</full-title></periodical>"
            f"<pages>{r.pages}</pages><volume>{r.volume}</volume><number>{r.issue}</number><dates><year>{r.year}</year></dates>"
            f"<electronic-resource-num>{r.ids['doi']}</electronic-resource-num></record>"
        )
        code = f"<EndNote><Cite><Author>A</Author>{record}</Cite></EndNote>"
        data = base64.b64encode(code.encode()).decode()
        inside = f"<w:fldData>{data}</w:fldData>" if packed else ""
        said = " ADDIN EN.CITE.DATA " if packed else f" ADDIN EN.CITE {escape(code)}"
        paragraphs.append(
            f'<w:p><w:r><w:t>A claim was made </w:t></w:r><w:r><w:fldChar w:fldCharType="begin">{inside}</w:fldChar></w:r>'
            f'<w:r><w:instrText xml:space="preserve">{said}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>'
        )
    main = f'<w:document xmlns:w="{W}"><w:body>{"".join(paragraphs)}</w:body></w:document>'
    return zipped({"word/document.xml": main})


def word_list(refs: list[Reference]) -> bytes:
    """Write a .docx with Word's own list of sources."""
    rows = []
    for r in refs:
        people = "".join(
            f"<b:Person><b:Last>{escape(n.family)}</b:Last><b:First>{escape(n.given)}</b:First></b:Person>"
            for n in r.authors
        )
        names = f"<b:NameList>{people}</b:NameList>"
        if r.authors[0].literal:
            names = f"<b:Corporate>{escape(r.authors[0].family)}</b:Corporate>"
        rows.append(
            f"<b:Source><b:Tag>{r.key}</b:Tag><b:SourceType>JournalArticle</b:SourceType><b:Author><b:Author>{names}</b:Author></b:Author>"
            f"<b:Title>{escape(r.title)}</b:Title><b:JournalName>{escape(r.container)}</b:JournalName><b:Year>{r.year}</b:Year>"
            f"<b:Volume>{r.volume}</b:Volume><b:Issue>{r.issue}</b:Issue><b:Pages>{r.pages}</b:Pages><b:DOI>{r.ids['doi']}</b:DOI></b:Source>"
        )
    main = f'<w:document xmlns:w="{W}"><w:body><w:p><w:r><w:t>A claim was made (A, 2001).</w:t></w:r></w:p></w:body></w:document>'
    sources = f'<b:Sources xmlns:b="{BIBLIOGRAPHY}">{"".join(rows)}</b:Sources>'
    return zipped({"word/document.xml": main, "customXml/item1.xml": sources})


def zipped(parts: dict[str, str]) -> bytes:
    """Return a zip of text parts."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def html(refs: list[Reference]) -> str:
    """Write a web page with superscripts and an ordered list."""
    text = "".join(
        f"<p>Treatment {n} was studied in some detail.<sup>{n}</sup></p>" for n, _ in enumerate(refs, start=1)
    )
    items = "".join(f"<li>{escape(apa(r).replace('*', ''))}</li>" for r in refs)
    return f"<!doctype html><html><head><title>A</title><script>x()</script></head><body>{text}<h2>References</h2><ol>{items}</ol></body></html>"


def tex(refs: list[Reference], tail: str) -> str:
    """Write LaTeX that cites all entries."""
    cited = "\n".join(
        f"Something was studied in some detail~\\cite{{{r.key}}}. % \\cite{{nothing}}" for r in refs
    )
    return f"\\documentclass{{article}}\\begin{{document}}\n{cited}\n{tail}\n\\end{{document}}\n"


def bbl(refs: list[Reference]) -> str:
    """Write a thebibliography."""
    items = "\n\n".join(
        f"\\bibitem{{{r.key}}}\n" + plain_latex(r).replace("–", "--").replace(". ", ".\n\\newblock ", 2)
        for r in refs
    )
    return f"\\begin{{thebibliography}}{{99}}\n{items}\n\\end{{thebibliography}}\n"


def write_all(folder: Path, refs: dict[str, list[Reference]]) -> dict[str, list[Path]]:
    """Write each list of references as the file of its name; return the files to audit together."""
    folder.mkdir(parents=True, exist_ok=True)
    made: dict[str, list[Path]] = {}

    def put(name: str, content: str | bytes, beside: tuple[str, str] | None = None) -> None:
        paths = [folder / name]
        paths[0].write_bytes(content if isinstance(content, bytes) else content.encode())
        if beside:
            paths.append(folder / beside[0])
            paths[1].write_text(beside[1], encoding="utf-8")
        made[name] = paths

    put("a.bib", bib(refs["a.bib"]))
    put("b.ris", ris(refs["b.ris"]))
    put("c.json", json.dumps(csl_items(refs["c.json"])))
    put("d.nbib", nbib(refs["d.nbib"]))
    put(
        "e.md",
        f"{body(refs['e.md'])}\n\n## References\n\n{numbered(refs['e.md'], vancouver)}\n\n## Appendix\n\nNothing.\n",
    )
    put(
        "f.md",
        "Text without numbers.\n\n# Bibliography\n\n" + "\n\n".join(f"- {apa(r)}" for r in refs["f.md"]),
    )
    put("g.txt", f"{body(refs['g.txt'])}\n\nREFERENCES\n\n{numbered(refs['g.txt'], ieee, '[{}] ')}\n")
    put("h.html", html(refs["h.html"]))
    put("i.tex", tex(refs["i.tex"], "\\bibliography{i}"), ("i.bib", bib(refs["i.tex"])))
    put("j.tex", tex(refs["j.tex"], bbl(refs["j.tex"])))
    put("k.docx", docx(refs["k.docx"], how="list"))
    put("l.docx", docx(refs["l.docx"], how="footnotes"))
    put("m.docx", docx(refs["m.docx"], how="fields"))
    put(
        "n.pdf",
        paper(
            body(refs["n.pdf"]).split("\n\n"),
            [f"{n}. {vancouver(r)}" for n, r in enumerate(refs["n.pdf"], start=1)],
        ),
    )
    put(
        "o.pdf",
        paper(
            body(refs["o.pdf"]).split("\n\n"),
            [f"[{n}] {nature(r)}" for n, r in enumerate(refs["o.pdf"], start=1)],
            columns=2,
        ),
    )
    return made


NAMES = (
    "a.bib",
    "b.ris",
    "c.json",
    "d.nbib",
    "e.md",
    "f.md",
    "g.txt",
    "h.html",
    "i.tex",
    "j.tex",
    "k.docx",
    "l.docx",
    "m.docx",
    "n.pdf",
    "o.pdf",
)


__all__ = ["NAMES", "bib", "body", "csl_items", "docx", "initials", "numbered", "ris", "write_all", "zipped"]
