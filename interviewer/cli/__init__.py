"""The command line."""


def main() -> None:
    """Run the command line with this process's arguments and exit."""
    from interviewer.cli.app import run

    run()
