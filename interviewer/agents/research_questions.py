"""A question that what the Researcher brought makes possible."""

from interviewer.agents.wording import one_line
from interviewer.model.decision import ResearchItem


def research_question(item: ResearchItem) -> str:
    """A question about the thing the guest named, in the guest's words; it claims nothing."""
    said = one_line(item.said).replace('"', "'").rstrip(".!?…")
    if item.verification == "contradicted":
        return f'You said "{said}": what would you answer someone who has heard otherwise?'
    if item.verification in {"supported", "unverified"}:
        return f'You said "{said}": how sure are you, and what is it based on?'
    return f"You mentioned {one_line(item.subject)}: where did that come into it?"
