"""Every error this package raises on purpose.

    InterviewerError
    |-- SettingsError          a setting that is unknown or out of bounds
    |-- PlanError              a plan, dossier or topic that cannot be used
    |-- LedgerError            a ledger event that contradicts the ledger
    |-- JournalError           a journal that cannot be read or written
    |-- StoreError             the database
    |   |-- StoreLocked        another process holds it
    |   |-- StoreReadOnly      it cannot be written
    |   |-- ForeignDatabase    the file is not ours
    |   `-- NewerDatabase      a later version of this package wrote it
    |-- NotFound               no such call, interview or dossier, or several
    |-- RealtimeError          the voice service or the way to it
    |   |-- MissingKey         no API key where one is needed
    |   |-- ConnectionFailed   the service cannot be reached
    |   |-- PortInUse          the simulator's port is taken
    |   `-- FrameError         a malformed or oversized frame
    |-- AgentError             an agent's backend failed or its output is not valid
    `-- AudioError             a device, file or format that cannot be used

`retryable` says whether the same call may succeed if it is simply made again.
"""


class InterviewerError(Exception):
    """Root of the tree. `str(error)` says what is wrong and what to do; it never holds a secret."""

    retryable = False


class SettingsError(InterviewerError):
    """A setting that is unknown, of the wrong type or out of its bounds; the text names it."""


class PlanError(InterviewerError):
    """A topic, plan or dossier that cannot be used; the text names the field."""


class LedgerError(InterviewerError):
    """A ledger event that contradicts the events before it."""


class JournalError(InterviewerError):
    """A journal that cannot be read or written; the text names file and line."""


class StoreError(InterviewerError):
    """The database cannot do what was asked."""


class StoreLocked(StoreError):
    """Another process holds the database file; the text names it."""

    retryable = True


class StoreReadOnly(StoreError):
    """The database or its folder cannot be written."""


class ForeignDatabase(StoreError):
    """The file is a database, or any other file, that this package did not make."""


class NewerDatabase(StoreError):
    """The database has a schema newer than this version of the package knows."""


class NotFound(InterviewerError):
    """Nothing, or more than one thing, answers to this name or prefix."""


class RealtimeError(InterviewerError):
    """The voice service, or the way to it, failed."""


class MissingKey(RealtimeError):
    """The real service was asked for and no API key is there."""


class ConnectionFailed(RealtimeError):
    """The service cannot be reached or refused the connection."""

    retryable = True


class PortInUse(RealtimeError):
    """The port for the simulator is taken."""


class FrameError(RealtimeError):
    """A frame that is malformed, of an unknown shape or too large."""


class AgentError(InterviewerError):
    """An agent's backend failed, or what it returned does not fit the output model."""

    def __init__(self, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.retryable = retryable


class AudioError(InterviewerError):
    """An audio device, file or format that cannot be used."""
