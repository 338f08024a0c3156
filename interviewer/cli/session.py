"""What every command shares: the global options, where its words go, and how it fails."""

import contextlib
import functools
import inspect
import json
import os
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from interviewer.cli.text import clean, without_secrets
from interviewer.errors import InterviewerError, SettingsError
from interviewer.store.plain import escaped_json

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from interviewer.settings import Settings
    from interviewer.store.store import Store

INTERRUPTED = 130
_PIPE_CLOSED = 141

HomeOption = Annotated[
    Path | None, typer.Option("--home", metavar="DIR", help="Folder for calls, database and essays.")
]
ConfigOption = Annotated[Path | None, typer.Option("--config", metavar="FILE", help="Settings, as YAML or TOML.")]
JsonOption = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, all else beside it.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, only the result.")]


@dataclass(slots=True)
class Session:
    """The global options of one run of a command; given before and after its name, the later one holds."""

    home: Path | None = None
    config: Path | None = None
    json: bool = False
    quiet: bool = False

    @property
    def settings(self) -> "Settings":
        """The settings. Raises SettingsError."""
        from interviewer.settings import Settings

        try:
            return Settings.load(self.config)
        except RecursionError:
            raise SettingsError(f"settings file {self.config}: it is nested too deeply") from None

    @property
    def store(self) -> "Store":
        """The store of the home, brought up to date. Raises StoreError."""
        from interviewer.store.store import Store

        return Store.open(self.home)

    @property
    def kept(self) -> "Store":
        """Likewise, to look at: a home that was named must be there, and need not be one that can be written."""
        from interviewer.store.store import Store

        return Store.open(self.home, make=False)

    @property
    def console(self) -> "Console":
        """Standard output; nothing printed to it is read as markup."""
        return _console(sys.stdout)

    def result(self, value: dict[str, Any]) -> None:
        """Print the one object of `--json`."""
        text = escaped_json(json.dumps(value, ensure_ascii=not _takes_unicode(), allow_nan=False))
        with _out():
            print(text, flush=True)  # noqa: T201

    def show(self, *parts: "RenderableType") -> None:
        """Print for people, on standard output. Text given as `str` is not wrapped."""
        with _out():
            _print(self.console, parts)

    def warn(self, message: str) -> None:
        """Say on standard error what must not go unseen, also with --quiet."""
        typer.echo(without_secrets(clean(message)), err=True)

    def tell(self, *parts: "RenderableType") -> None:
        """Print progress on standard error, unless it is not wanted."""
        if not self.quiet:
            _print(_console(sys.stderr), parts)

    def fail(self, kind: str, message: str, code: int = 1) -> NoReturn:
        """Say what failed and exit."""
        message = without_secrets(clean(message))
        if self.json:
            self.result({"error": {"type": kind, "message": message}})
        typer.echo(f"interviewer: {message}", err=True)
        raise typer.Exit(code)


def command(app: typer.Typer, name: str, **options: Any) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Makes a function whose first argument is a Session a command that takes the global options as well."""

    def register(function: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(function)
        def run(
            ctx: typer.Context, home: Path | None, config: Path | None, json: bool, quiet: bool, **given: Any
        ) -> None:
            first: Session = ctx.obj
            session = Session(home or first.home, config or first.config, json or first.json, quiet or first.quiet)
            with_errors_named(session, lambda: function(session, **given))

        own = [p.replace(kind=_KEYWORD) for p in list(inspect.signature(function).parameters.values())[1:]]
        run.__signature__ = inspect.Signature([_CONTEXT, *own, *_GLOBAL])  # type: ignore[attr-defined]
        run.__annotations__ = {p.name: p.annotation for p in (_CONTEXT, *own, *_GLOBAL)}
        app.command(name, **options)(run)
        return function

    return register


def with_errors_named(session: Session, act: Callable[[], None]) -> None:
    """Do it; what fails is said in a line or two and becomes the exit code."""
    try:
        _name_errors(session, act)
    except BrokenPipeError:
        _silence_output()
        sys.exit(_PIPE_CLOSED)
    except _OutputFull as error:
        _silence_output()
        session.warn(f"interviewer: standard output cannot be written: {error.strerror}")
        raise typer.Exit(1) from None


def _name_errors(session: Session, act: Callable[[], None]) -> None:
    try:
        act()
        with _out():
            sys.stdout.flush()
    except InterviewerError as error:
        session.fail(type(error).__name__, str(error))
    except KeyboardInterrupt as stop:
        session.fail("Interrupted", str(stop) or "stopped", INTERRUPTED)
    except (BrokenPipeError, _OutputFull, typer.Exit, typer.Abort, typer.BadParameter):
        raise
    except Exception as error:
        at = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(at.filename).name}, line {at.lineno}"
        session.fail(type(error).__name__, f"internal error, please report it: {error!r} in {where}")


class _OutputFull(OSError):
    """Standard output takes no more, for another reason than that nobody reads it."""


@contextlib.contextmanager
def _out() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _OutputFull(error.errno, error.strerror) from None


def _silence_output() -> None:
    """What is left unwritten must not fail once more when the program ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _console(file: IO[str]) -> "Console":
    from interviewer.cli.console import PlainConsole

    return PlainConsole(file)


def _print(console: "Console", parts: "Iterable[RenderableType]") -> None:
    for part in parts:
        console.print(part, soft_wrap=isinstance(part, str))


def _takes_unicode() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"


_KEYWORD = inspect.Parameter.KEYWORD_ONLY
_CONTEXT = inspect.Parameter("ctx", _KEYWORD, annotation=typer.Context)
_GLOBAL = (
    inspect.Parameter("home", _KEYWORD, default=None, annotation=HomeOption),
    inspect.Parameter("config", _KEYWORD, default=None, annotation=ConfigOption),
    inspect.Parameter("json", _KEYWORD, default=False, annotation=JsonOption),
    inspect.Parameter("quiet", _KEYWORD, default=False, annotation=QuietOption),
)
