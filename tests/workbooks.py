"""Workbooks of Excel as bytes, made without a library."""

import io
import zipfile
from pathlib import Path

__all__ = ["sheets_of", "workbook"]


def workbook(path: Path, sheets: dict[str, list[list[object]]]) -> Path:
    """Write a workbook and return its file."""
    path.write_bytes(sheets_of(sheets))
    return path


def sheets_of(sheets: dict[str, list[list[object]]]) -> bytes:
    """Return the smallest workbook of inline strings and numbers that the format allows."""

    def cell(value: object) -> str:
        if isinstance(value, int | float):
            return f"<c><v>{value}</v></c>"
        return f'<c t="inlineStr"><is><t>{value}</t></is></c>' if value != "" else "<c/>"

    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    listed = "".join(f'<sheet name="{name}" sheetId="{n}" r:id="r{n}"/>' for n, name in enumerate(sheets, 1))
    related = "".join(
        f'<Relationship Id="r{n}" Type="{office}/worksheet" Target="worksheets/s{n}.xml"/>'
        for n in range(1, len(sheets) + 1)
    )
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as book:
        book.writestr(
            "[Content_Types].xml",
            '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
        )
        book.writestr(
            "_rels/.rels",
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            f'<Relationship Id="r" Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        )
        book.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>{listed}</sheets></workbook>',
        )
        book.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{related}</Relationships>',
        )
        for n, cells in enumerate(sheets.values(), 1):
            body = "".join(f"<row>{''.join(map(cell, row))}</row>" for row in cells)
            book.writestr(
                f"xl/worksheets/s{n}.xml",
                f'<worksheet xmlns="{main}"><sheetData>{body}</sheetData></worksheet>',
            )
    return out.getvalue()
