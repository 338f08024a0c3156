"""An essay that is shown while it is written, a whole paragraph at a time."""

from interviewer.cli.session import Session


class Drafting:
    """Takes the text as it grows and shows each paragraph once it is whole.

    `only_growing`: a text that is there all at once is not shown here; somebody else shows it.
    """

    def __init__(self, session: Session, *, only_growing: bool = False) -> None:
        self._session = session
        self._shown = 0
        self._waits = only_growing

    def take(self, text: str) -> None:
        """The text as far as it has been written; shorter than before if the writing began again."""
        if self._waits:
            self._waits = False
        else:
            self._show(text.split("\n\n")[:-1])

    def finish(self, text: str) -> None:
        """The whole text."""
        self._show(text.rstrip("\n").split("\n\n"))

    @property
    def begun(self) -> bool:
        """Whether anything was shown."""
        return self._shown > 0

    def _show(self, whole: list[str]) -> None:
        if len(whole) < self._shown:
            self._session.tell("The writing began again.")
            self._shown = 0
        if not self._session.json:
            from interviewer.cli.tables import paragraph

            for text in whole[self._shown :]:
                self._session.show(paragraph(f"{text}\n"))
        self._shown = len(whole)
