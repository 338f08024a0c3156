import pytest

from tests.ledger.rules import RULES, Rule
from tests.ledger.story import REAL


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_ledger_keeps_its_rules(rule: Rule) -> None:
    rule(REAL)
