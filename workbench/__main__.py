"""`python -m workbench` and the `workbench` command."""

import sys


def main() -> None:
    from workbench.cli.main import main as run

    sys.exit(run())


if __name__ == "__main__":
    main()
