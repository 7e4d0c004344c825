"""Workbooks: XLSX, XLS and ODS, one sheet at a time, read by python-calamine."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from percuss.core.errors import BadInput, UsageError
from percuss.exchange.delimited import unique_columns

__all__ = ["ENDINGS", "workbook_rows"]

ENDINGS = (".xlsx", ".xlsm", ".xls", ".ods")


def workbook_rows(path: Path, sheet: str = "") -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (row number of the sheet, row); empty cells are None, whole numbers are int, dates are ISO text.

    Args:
        path: a workbook.
        sheet: its name; "" takes the only sheet that holds rows.

    Raises:
        UsageError: the `tables` extra is missing.
        BadInput: no workbook, several sheets and none named, no such sheet, a column that stands twice.
    """
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError as error:
        raise UsageError(
            "workbooks need the `tables` extra; pip install 'percuss[tables]', or save the sheet as CSV"
        ) from error
    try:
        with CalamineWorkbook.from_path(str(path)) as book:
            cells = book.get_sheet_by_name(_chosen(book, sheet, path)).to_python(skip_empty_area=False)
    except (CalamineError, OSError) as error:
        raise BadInput(
            f"cannot be read ({error}); a workbook (.xlsx, .ods) was expected", source=path.name
        ) from error
    yield from _rows(cells, path)


def _chosen(book: Any, sheet: str, path: Path) -> str:
    names = [name for name in book.sheet_names if book.get_sheet_by_name(name).height]
    if sheet:
        if sheet in names:
            return sheet
        raise BadInput(
            f"has no sheet {sheet!r} with rows; its sheets are {', '.join(names)}", source=path.name
        )
    if len(names) != 1:
        held = ", ".join(names) or "none"
        raise BadInput(f"the sheets with rows are {held}; name one with --map sheet=..", source=path.name)
    return str(names[0])


def _rows(cells: list[list[Any]], path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    start = next((at for at, row in enumerate(cells) if any(value != "" for value in row)), None)
    if start is None:
        return
    header = [str(value).strip() for value in cells[start]]
    unique_columns(header, path)
    for number, row in enumerate(cells[start + 1 :], start + 2):
        values = {name: _plain(value) for name, value in zip(header, row, strict=False) if name}
        if any(value is not None for value in values.values()):
            yield number, values


def _plain(value: Any) -> Any:
    if value == "":
        return None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value.isoformat() if hasattr(value, "isoformat") else value
