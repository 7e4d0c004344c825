"""percuss study designs, template: which forms there are, and a table to be filled in for one."""

from pathlib import Path

import click

__all__ = ["COMMANDS"]


@click.command()
def designs() -> None:
    """List the designs: what people see and what they answer."""
    from percuss.study.design import design_names, load_design

    for name in design_names():
        design = load_design(name)
        click.echo(f"{name}: {design.title}")
        shown = ", ".join(field.name + ("" if field.required else "?") for field in design.field)
        click.echo(f"  people see: {shown}")
        click.echo(f"  people answer: {', '.join(question.name for question in design.question)}")
    click.echo("\n? may be left out. `percuss study template DESIGN` writes a table to be filled in.")


@click.command()
@click.argument("design")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="File, .csv or .xlsx; default: DESIGN.xlsx, here. Example pictures are written beside it.",
)
def template(design: str, out: Path | None) -> None:
    """Write a table of a design's columns with an example row, to be filled in and given to `create --from`."""
    from percuss.study.design import load_design
    from percuss.study.template import columns_of, write_template

    form = load_design(design)
    files = write_template(form, out or Path(f"{form.name}.xlsx"))
    click.echo(f"{', '.join(str(file) for file in files)}; columns:")
    for name, words, _ in columns_of(form):
        click.echo(f"  {name}: {words}")


COMMANDS = (designs, template)
