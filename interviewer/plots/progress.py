"""A bar for a call's clock while a simulated call runs."""

from types import TracebackType
from typing import Self

from interviewer.call.actions import Action
from interviewer.call.core import Core


class ClockBar:
    """Watches a call and shows how much of its clock has passed; give it to `run_demo(watcher=...)`.

    Use it as a context: `with ClockBar() as bar: run_demo(watcher=bar)`.
    """

    def __init__(self) -> None:
        from tqdm.auto import tqdm

        layout = "{desc} {percentage:3.0f}%|{bar}| {n:.1f} of {total:.1f} min of the call's clock"
        self._bar = tqdm(total=0.0, unit="min", bar_format=layout)

    def saw(self, core: Core, actions: list[Action]) -> None:  # noqa: ARG002
        """Move the bar to where the call is."""
        self._bar.total = core.target_ms / 60_000
        ahead = min(core.elapsed_ms, core.target_ms) / 60_000 - self._bar.n
        if ahead > 0:
            self._bar.set_description_str(core.phase.replace("_", "-"), refresh=False)
            self._bar.update(ahead)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._bar.close()
