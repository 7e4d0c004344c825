"""`python -m percuss` and the `percuss` command."""


def main() -> None:
    """Run the command line."""
    from percuss.cli import main as cli_main

    cli_main()


if __name__ == "__main__":
    main()
