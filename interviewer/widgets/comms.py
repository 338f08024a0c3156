"""Comms between kernel and page, one each way.

ipykernel handles what arrives on a comm in the thread that last published on it. Whatever is published from a thread
of this package's would move the page's own messages behind the cell that is running; so the two ways are kept apart.
"""

from typing import Any

import anywidget


class Downlink(anywidget.AnyWidget):
    """The comm from the kernel to the page; it shows nothing."""

    _esm = "export default {};"


def obey_the_page(comm: Any) -> None:
    """Let messages go to the thread that the page asks for, from the first one on.

    ipykernel 7 notes who published last on a comm; here that is the cell that made the widget, and its successors may
    compute for long. Nothing may be published on this comm after this.
    """
    vars(comm).pop("_reply_subshell_id", None)
