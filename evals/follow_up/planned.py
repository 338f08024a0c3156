"""How much of a plan drawn from the whole interview stands in the old half word for word."""

from collections.abc import Sequence
from typing import Any

from evals.follow_up.chains import Chain
from interviewer.agents.reverse_planner import REVERSE_PLANNER, ReverseInput, check_reverse
from interviewer.matching.text import words
from interviewer.memory.heard import heard_in
from interviewer.model.plan import Plan


def whole_plan(chain: Chain) -> Plan:
    """The plan of both halves, as the reverse planner's rules draw it."""
    rules = REVERSE_PLANNER.rules(ReverseInput(topic=chain.dossier.topic, turns=chain.whole))
    return check_reverse(rules, chain.whole).plan


def table(chains: Sequence[Chain]) -> list[dict[str, Any]]:
    """A row a chain: the questions of `whole_plan`, and how many of them the old half asked in these very words."""
    rows = []
    for chain in chains:
        asked = {words(each.text) for each in heard_in(chain.old)}
        texts = [question.text for question in whole_plan(chain).questions]
        in_old = sum(words(text) in asked for text in texts)
        rows.append({"chain": chain.id, "planned": len(texts), "in_old_half": in_old})
    return rows
