"""What a page is shown is what is, also of what was over as soon as it had begun."""

import time
from pathlib import Path

from interviewer.interview.session import InterviewSession
from interviewer.widgets.audio import BrowserAudio
from interviewer.widgets.board import PERIOD_S, Board
from tests.patience import until


def test_a_plan_that_is_drawn_up_at_once_is_shown(tmp_path: Path) -> None:
    session = InterviewSession("Keeping bees on roofs", home=tmp_path)
    board = Board(session, BrowserAudio(), lambda _: None)
    slate = board.slate("guest")
    time.sleep(3 * PERIOD_S)  # it has come to rest
    session.preparation.draw_up()
    board.touch()
    until(lambda: slate.plan and slate.setup["busy"] == {})
