"""Builds the command from the verb modules and turns errors into sentences and exit codes."""

import importlib
import pkgutil
import sys
from collections.abc import Sequence

import typer

import workbench.cli
from workbench.cli.context import OPTIONS, SOME_FAILED, conclude_job, note
from workbench.errors import WorkbenchError
from workbench.layout import check_layout
from workbench.store.jobs import JobStopped

NOT_VERBS = frozenset({"batching", "context", "main"})


def build_app() -> typer.Typer:
    """Every module of this package but the frame itself is a verb and registers itself."""
    app = typer.Typer(
        name="workbench",
        help="Evaluate deep-research agents, test their graders, shape and export their rewards.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        add_completion=False,
        rich_markup_mode=None,
    )
    for module in sorted(pkgutil.iter_modules(workbench.cli.__path__), key=lambda found: found.name):
        if module.name not in NOT_VERBS and not module.name.startswith("_"):
            importlib.import_module(f"workbench.cli.{module.name}").register(app)
    return app


def take_global_options(argv: Sequence[str]) -> list[str]:
    """Removes --store URL and --json from anywhere before a bare `--`, --job ID from before the verb; remembers them.

    After the verb --job is the verb's own: `train --job FOLDER`.
    """
    rest: list[str] = []
    OPTIONS.store_url, OPTIONS.json, OPTIONS.job = None, False, None
    arguments = iter(argv)
    for argument in arguments:
        if argument == "--":
            rest.append(argument)
            rest.extend(arguments)
            break
        if argument == "--json":
            OPTIONS.json = True
        elif argument == "--store" or (argument == "--job" and not rest):
            value = next(arguments, None)
            if value is None:
                raise WorkbenchError(f"{argument} needs a value after it")
            if argument == "--store":
                OPTIONS.store_url = value
            else:
                OPTIONS.job = value
        elif argument.startswith("--store="):
            OPTIONS.store_url = argument.removeprefix("--store=")
        elif argument.startswith("--job=") and not rest:
            OPTIONS.job = argument.removeprefix("--job=")
        else:
            rest.append(argument)
    OPTIONS.argv = tuple(rest)
    return rest


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one verb and returns its exit code."""
    try:
        check_layout()
        rest = take_global_options(sys.argv[1:] if argv is None else argv)
        # Outside standalone mode Typer takes typer.Exit itself and gives its exit code back.
        ended = build_app()(args=rest, prog_name="workbench", standalone_mode=False)
        code = ended if isinstance(ended, int) else 0
        conclude_job("" if code in (0, SOME_FAILED) else f"ended with exit code {code}; its log says more")
        return code
    except WorkbenchError as error:
        note(f"error: {error}")
        conclude_job(str(error))
        return 2
    except JobStopped:
        note("stopped; run the same command again to go on from here")
        return 3
    except typer.Exit as exit_:
        return exit_.exit_code
    except typer.Abort:
        return 2
    except Exception as error:
        # Typer's own usage errors carry a message and an exit code; everything else is a defect and shows its trace.
        show = getattr(error, "show", None)
        if show is not None:
            show()
            conclude_job(error.format_message() if hasattr(error, "format_message") else str(error))
            return 2
        conclude_job(f"{type(error).__name__}: {error}")
        raise
