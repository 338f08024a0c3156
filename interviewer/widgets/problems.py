"""What can keep a page from hearing and speaking, each with a code for programs and a sentence for people."""

import logging
from typing import Final

from interviewer.errors import InterviewerError

_log = logging.getLogger(__name__)

PROBLEMS: Final[dict[str, str]] = {
    "permission_denied": (
        "The browser was not allowed to use the microphone. Allow it beside the page's address, then start the sound "
        "again."
    ),
    "no_device": "No microphone was found. Plug one in, then start the sound again.",
    "device_busy": "The microphone does not answer: another program may have it, or the system withholds it.",
    "device_lost": "The microphone was unplugged. Plug it in again or choose another.",
    "sound_blocked": "The browser has paused the sound. Start it again.",
    "sound_failed": "The browser could not set up the sound. Reload the page; if that does not help, use Chrome.",
    "tab_hidden": "This tab is in the background, where a browser may slow the sound down. Keep it in sight.",
    "sound_late": "The sound comes late and parts of it are lost: this computer or the line is too busy.",
    "elsewhere": "Another tab has the sound of this call. Turn it off there, or take it over here.",
    "taken_over": "Another tab has taken the sound over.",
    "no_answer": (
        "The kernel has not answered for 3 seconds: it may be computing, or the connection to it is broken. The last "
        "10 seconds of sound are kept for it."
    ),
    "kernel_gone": "The kernel was restarted or has ended. Run the cell again to get new sound.",
    "not_started": 'The sound has not been started: press "Start sound" in the page.',
    "not_shown": (
        "No page shows the sound. Show it in a notebook open in JupyterLab, in a browser; the notebooks of VS Code and "
        "others may not show it at all: interviewer lab."
    ),
    "page_gone": "The page with the sound was closed. Open the notebook again and start the sound there.",
    "page_silent": (
        "Nothing has come from the page for 3 seconds: it was closed, its computer sleeps, or this kernel cannot "
        "handle widgets while a cell runs."
    ),
    "insecure": (
        "This page came over plain http from another machine, and to such pages browsers give no microphone. Use "
        "https, or reach the server as localhost: ssh -L 8888:localhost:8888 HOST, then open http://localhost:8888."
    ),
    "vscode": "VS Code gives notebooks no microphone. Open this notebook in JupyterLab, in a browser: interviewer lab.",
    "colab": "Colab shows widgets in a frame without a microphone. Run JupyterLab on a machine of your own.",
    "frame": "This page is shown in a frame that may not use the microphone. Open JupyterLab in a tab of its own.",
    "unsupported": "This browser lacks what sound needs (AudioWorklet). Use a current Chrome, Edge, Firefox or Safari.",
}
"""Sentence by code. The page is given all of them; it and the kernel tell each other codes only."""


def in_words(error: Exception) -> str:
    """What a page is told of an error. One that nobody foresaw goes to the log: its text may hold what was said."""
    if isinstance(error, InterviewerError):
        return str(error)
    _log.error("what a page asked for failed", exc_info=error)
    return (
        f"That did not work: something unforeseen went wrong here ({type(error).__name__}). JupyterLab's log console "
        "tells more: View, Show Log Console."
    )
