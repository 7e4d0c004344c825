"""Small books of every format, made here; and where the shared data lie, if they do."""

import io
import os
import zipfile
from pathlib import Path
from textwrap import wrap

import pytest

from tests.citing import pdf

ROOT = Path(__file__).resolve().parents[3]

LOOP = (
    "Furosemide blocks the sodium-potassium-chloride carrier in the thick ascending limb of the loop of Henle. Because less salt is "
    "reabsorbed there, more water stays in the tubule and leaves with the urine. A dose of 40 mg by mouth acts within an hour."
)
POTASSIUM = (
    "Spironolactone competes with aldosterone for its receptor in the collecting duct. Sodium is lost and potassium is kept, so that "
    "hyperkalemia is the effect to watch for. It acts slowly: two or three days pass before the full effect is seen."
)
OSMOTIC = (
    "Mannitol is filtered by the glomerulus and is not taken back by the tubule. It draws water with it and lowers the pressure inside "
    "the skull within minutes. It is given into a vein, since the gut does not take it up."
)
PROSE = (LOOP, POTASSIUM, OSMOTIC)
NOISE = (
    "Figure 3.2 The nephron and its segments. The thick limb is drawn in bold.",
    "ISBN 978-1-0000-0000-0. All rights reserved. Printed in the year 2020 by a press.",
    "1. Which of the following acts on the collecting duct? a. furosemide b. mannitol c. spironolactone d. acetazolamide",
)  # fmt: skip


def shared(name: str) -> Path:
    """Return a file of the shared data, or skip the test."""
    folder = Path(os.environ.get("PERCUSS_SHARED", ROOT.parent / "shared"))
    for place in (folder, ROOT.parents[1] / "shared"):
        if (place / "data" / name).exists():
            return place / "data" / name
    pytest.skip(f"{name} is not beside this checkout (PERCUSS_SHARED names the folder above data/)")


def epub(chapters: list[tuple[str, list[str]]]) -> bytes:
    """Make an EPUB of (heading, paragraphs)."""
    out = io.BytesIO()
    names = [f"c{n}.xhtml" for n in range(len(chapters))]
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr(
            "META-INF/container.xml",
            '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            '<rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
        )
        items = "".join(
            f'<item id="i{n}" href="{name}" media-type="application/xhtml+xml"/>'
            for n, name in enumerate(names)
        )
        spine = "".join(f'<itemref idref="i{n}"/>' for n in range(len(names)))
        archive.writestr(
            "OEBPS/book.opf",
            '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
            "<dc:title>On diuretics</dc:title><dc:rights>CC BY 4.0</dc:rights></metadata>"
            f"<manifest>{items}</manifest><spine>{spine}</spine></package>",
        )
        for name, (heading, paragraphs) in zip(names, chapters, strict=True):
            body = "".join(f"<p>{text}</p>" for text in paragraphs)
            archive.writestr(
                f"OEBPS/{name}",
                f'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><h1>{heading}</h1>{body}'
                "<figure><figcaption>A drawing of it. It is large.</figcaption></figure></body></html>",
            )
    return out.getvalue()


PAGES = ("One", "Two", "Three")
PAGED = "{0} holds this. {1} So far page {0}."


def two_columns(paragraphs: list[str]) -> bytes:
    """Make a PDF of two columns with a running head and a page number; the columns share the paragraphs."""
    pages = []
    for number in range(3):
        rows: list[tuple[float, float, str]] = [
            (60.0, 760.0, f"A primer of diuretics {number + 1}"),
            (300.0, 30.0, str(number + 1)),
        ]
        half = (len(paragraphs) + 1) // 2
        for left, part in ((60.0, paragraphs[:half]), (320.0, paragraphs[half:])):
            y = 720.0
            for text in part:
                for line in wrap(PAGED.format(PAGES[number], text), 44):
                    rows.append((left, y, line))
                    y -= 12
                y -= 12
        pages.append(rows)
    return pdf(pages)


CNXML = """<document xmlns="http://cnx.rice.edu/cnxml" xmlns:md="http://cnx.rice.edu/mdml"><title>Diuretics</title>
<metadata><md:license url="http://creativecommons.org/licenses/by/4.0/"/></metadata>
<content><section id="s1"><title>Loop diuretics</title><para id="p1">{0}</para>
<exercise id="e1"><problem id="q1"><para id="p2">Which drug acts here? Name one. Name two.</para></problem></exercise>
<figure id="f1"><caption>The loop. It is long.</caption></figure></section>
<section id="s2"><title>Others</title><para id="p3">{1}<list id="l1"><item>one</item></list></para></section></content></document>"""
