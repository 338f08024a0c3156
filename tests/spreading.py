"""How files are spread over the processors: those that take long begin first, and one browser serves all its tests."""

from typing import Final

from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController

BROWSER: Final = "tests/widgets/test_*browser*.py"
# The longest first, so that nobody is left with one when the others are done.
LONG: Final = (
    BROWSER,
    "tests/llm/test_local_model.py",
    "tests/project/test_types.py",
)


class LongestFirst(LoadFileScheduling):  # type: ignore[misc]
    """A file stays on one process; all files with a browser stay on one together."""

    def _split_scope(self, nodeid: str) -> str:
        file = str(super()._split_scope(nodeid))
        return BROWSER if "/test_browser_" in file or "_through_browser" in file else file

    def _assign_work_unit(self, node: WorkerController) -> None:
        for file in reversed(LONG):
            if file in self.workqueue:
                self.workqueue.move_to_end(file, last=False)
        super()._assign_work_unit(node)
