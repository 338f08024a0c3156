"""How files are spread over the processes: those that take long begin first, and one browser serves all its tests."""

from typing import Final

from xdist.scheduler import LoadFileScheduling
from xdist.workermanage import WorkerController

BROWSER: Final = "tests/widgets/test_browser_*.py"
# The longest first, so that nobody is left with one when the others are done.
LONG: Final = (
    BROWSER,
    "tests/llm/test_local_model.py",
    "tests/project/test_types.py",
    "tests/cli/test_cli_calls.py",
    "tests/store/test_store_ingest.py",
    "tests/clients/test_others.py",
    "tests/cli/test_cli_call.py",
    "tests/evals/test_crashes_campaign.py",
)
_IN_A_BROWSER: Final = ("/widgets/test_browser_", "/widgets/test_call_through_browser", "/widgets/test_thresholds")


class LongestFirst(LoadFileScheduling):  # type: ignore[misc]
    """A file stays on one process; all files with a browser stay on one together."""

    def _split_scope(self, nodeid: str) -> str:
        file = str(super()._split_scope(nodeid))
        return BROWSER if any(name in file for name in _IN_A_BROWSER) else file

    def _assign_work_unit(self, node: WorkerController) -> None:
        for file in reversed(LONG):
            if file in self.workqueue:
                self.workqueue.move_to_end(file, last=False)
        super()._assign_work_unit(node)
