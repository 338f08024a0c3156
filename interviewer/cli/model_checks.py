"""What the agents' backends answer, as checks of the machine."""

from collections.abc import Iterator

from interviewer.agents.registry import AGENTS
from interviewer.cli.checks import MODELS, Check
from interviewer.llm.check import Finding, check_backend
from interviewer.settings import Settings


def model_checks(settings: Settings) -> Iterator[Check]:
    """One check for each backend and model that agents run on. Raises SettingsError."""
    for finding in check_backend(settings, list(AGENTS.values())):
        yield _check(finding)


def _check(finding: Finding) -> Check:
    where = " ".join(part for part in (finding.backend, finding.model) if part)
    whose = ", ".join(finding.agents)
    problem = f"{finding.error}: " if finding.error else ""
    return Check(
        MODELS, "broken" if finding.state == "failed" else finding.state, f"{where} ({whose}): {problem}{finding.text}",
        finding.advice,
    )  # fmt: skip
