import numpy as np

from interviewer.matching.jaccard import Jaccard
from interviewer.matching.minilm import Centred
from interviewer.matching.pairs import Pair
from interviewer.matching.studies import score_by_study

BRIDGES = [f"Who paid for the {word} bridge?" for word in "old new red tall long iron stone wooden swing toll".split()]
TEAMS = [f"How did the {word} team learn?" for word in "red new sales night field small first second young own".split()]
ASKED = {"bridges": BRIDGES * 2, "teams": TEAMS * 2}


def test_a_pair_is_compared_with_what_its_own_study_asks() -> None:
    pairs = [Pair(BRIDGES[0], BRIDGES[1]), Pair(TEAMS[0], TEAMS[1]), Pair(BRIDGES[2], BRIDGES[3])]
    found = score_by_study(Centred(), pairs, ["bridges", "teams", "bridges"], ASKED)
    by_hand = [Centred(ASKED[name]) for name in ("bridges", "teams", "bridges")]
    expected = [own.matrix([pair.q1], [pair.q2])[0, 0] for own, pair in zip(by_hand, pairs, strict=True)]
    np.testing.assert_allclose(found.scores, expected, atol=1e-12)
    assert found.versions == (by_hand[0].version,)


def test_pairs_of_no_study_and_scorers_that_need_none_are_scored_as_they_are() -> None:
    pairs = [Pair(BRIDGES[0], BRIDGES[1])] * 2
    mixed = score_by_study(Centred(), pairs, ["bridges", ""], ASKED)
    assert len(mixed.versions) == 2
    assert mixed.scores[0] != mixed.scores[1]
    assert score_by_study(Jaccard(), pairs, ["bridges", ""], ASKED).versions == ("1",)
    assert score_by_study(Jaccard(), [], [], {}).scores.shape == (0,)
