"""A research workbench for timed AI voice interviews.

The public names load on first use, so that `import interviewer` is quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING

__all__ = ["Demo", "Interview", "InterviewerError", "Plan", "Settings", "Store", "__version__", "run_demo"]

_HOMES = {
    "Demo": "interviewer.interview.demo",
    "Interview": "interviewer.widgets.interview",
    "InterviewerError": "interviewer.errors",
    "Plan": "interviewer.model.plan",
    "Settings": "interviewer.settings",
    "Store": "interviewer.store.store",
    "run_demo": "interviewer.interview.demo",
}

if TYPE_CHECKING:
    from interviewer.errors import InterviewerError
    from interviewer.interview.demo import Demo, run_demo
    from interviewer.model.plan import Plan
    from interviewer.settings import Settings
    from interviewer.store.store import Store
    from interviewer.widgets.interview import Interview

    __version__: str
else:
    # Hidden from type checkers, which would take any misspelt name for a public one.
    def __getattr__(name: str) -> object:
        if name == "__version__":
            return import_module("importlib.metadata").version("interviewer")
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
