"""Every error this package raises on purpose.

    InterviewerError
    |-- SettingsError          a setting that is unknown or out of bounds
    |-- PlanError              a plan, dossier or topic that cannot be used
    |-- TranscriptError        a transcript that cannot be read
    |-- ReplayError            a recording that cannot be replayed in this way
    |-- LedgerError            a ledger event that contradicts the ledger
    |-- JournalError           a journal that cannot be read or written
    |   `-- JournalBusy        another process writes it
    |-- StoreError             the database
    |   |-- StoreLocked        another process holds it
    |   |-- StoreReadOnly      it cannot be written
    |   |-- ForeignDatabase    the file is not ours
    |   |-- NewerDatabase      a later version of this package wrote it
    |   `-- DamagedDatabase    it was cut off or changed on the disk
    |-- NotFound               no such call, interview or dossier, or several
    |   `-- Forgotten          a call that was forgotten
    |-- RealtimeError          the voice service or the way to it
    |   |-- MissingKey         no API key where one is needed
    |   |-- ConnectionFailed   the service cannot be reached
    |   |-- PortInUse          the simulator's port is taken
    |   `-- FrameError         a malformed or oversized frame
    |-- AgentError             an agent's backend failed or its output is not valid
    |   |-- BackendUnreachable nothing answers at its address, or not in time
    |   |-- BackendBusy        it is overloaded, limits us or is out of order
    |   |-- NoKey              it wants a key: there is none, or it is not accepted
    |   |-- UnknownModel       it does not know the model
    |   |-- NotAnEndpoint      what answers is no API: a web page, or another kind of server
    |   |-- ContextTooLong     the prompt does not fit into the model's context
    |   |-- NoStructuredOutput the model cannot answer in the form an agent needs
    |   |-- ModelRefused       the model declined to answer
    |   `-- CassetteMiss       nothing was recorded for this run
    |-- MatchError             texts, labels or scores that cannot be compared
    |   |-- ModelMissing       the sentence model is not installed
    |   `-- ModelChanged       a model file that is not the one expected
    |-- MetricError            figures that cannot be worked out from what was given
    `-- AudioError             a device, file or format that cannot be used

`retryable` says whether the same call may succeed if it is simply made again.
"""

from pathlib import Path


class InterviewerError(Exception):
    """Root of the tree. `str(error)` says what is wrong and what to do; it never holds a secret."""

    retryable = False


class SettingsError(InterviewerError):
    """A setting that is unknown, of the wrong type or out of its bounds; the text names it."""


class PlanError(InterviewerError):
    """A topic, plan or dossier that cannot be used; the text names the field."""


class TranscriptError(InterviewerError):
    """A transcript that cannot be read; the text names the file and, where there is one, the `line`."""

    def __init__(self, problem: str, path: Path | None = None, line: int | None = None) -> None:
        at = "" if path is None else f"{path}: " if line is None else f"{path}, line {line}: "
        super().__init__(f"{at}{problem}")
        self.problem = problem
        self.path = path
        self.line = line


class ReplayError(InterviewerError):
    """A recording that cannot be replayed in the way that was asked for; the text says in which it can."""


class LedgerError(InterviewerError):
    """A ledger event that contradicts the events before it."""


class JournalError(InterviewerError):
    """A journal that cannot be read or written; the text names file and line."""


class JournalBusy(JournalError):
    """Another process is writing the journal: its call still runs."""

    retryable = True


class StoreError(InterviewerError):
    """The database cannot do what was asked."""


class DamagedDatabase(StoreError):
    """A database that was cut off or changed on the disk; it is made again from the journals."""


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


class Forgotten(NotFound):
    """The call was forgotten: nothing of it may come back."""


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


class BackendUnreachable(AgentError):
    """Nothing answers at the backend's address, the connection broke, or the answer did not come in time."""


class BackendBusy(AgentError):
    """The backend limits us (429) or is out of order (5xx)."""


class NoKey(AgentError):
    """The backend wants a key: there is none, or it is not accepted."""


class UnknownModel(AgentError):
    """The backend does not know the model."""


class NotAnEndpoint(AgentError):
    """What answers at the backend's address is no API of the expected kind."""


class ContextTooLong(AgentError):
    """The prompt does not fit into the model's context."""


class NoStructuredOutput(AgentError):
    """The model cannot answer in the form an agent needs."""


class ModelRefused(AgentError):
    """The model declined to answer, or its answer was filtered."""


class CassetteMiss(AgentError):
    """A cassette holds no run of this agent, version and input; the text says what changed."""


class Stopped(AgentError):
    """A run was not begun, for nobody waits for it any more."""


class MatchError(InterviewerError):
    """Texts, labels or scores that cannot be compared; the text names what does not fit."""


class ModelMissing(MatchError):
    """The sentence model, or what runs it, is not installed; the text names the extra."""


class ModelChanged(MatchError):
    """A model file is not the one this version expects; the text names the file."""


class MetricError(InterviewerError):
    """Figures that cannot be worked out from what was given; the text names what does not fit."""


class AudioError(InterviewerError):
    """An audio device, file or format that cannot be used."""
