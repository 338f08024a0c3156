import math
from pathlib import Path

import numpy as np
import pytest

from interviewer.errors import MatchError, ModelChanged, ModelMissing
from interviewer.matching import weights as files
from interviewer.matching.encoder import encoder
from interviewer.matching.minilm import Centred, MiniLM
from interviewer.matching.weights import weights

SAME = ("What broke first?", "Which part failed first?")
OTHER = "How tall is the tower?"


def test_a_paraphrase_without_a_shared_verb_is_nearer_than_another_question() -> None:
    same, other = MiniLM().matrix([SAME[0]], [SAME[1], OTHER])[0]
    assert same > 0.5 > 0.3 > other


def test_scores_are_cosines() -> None:
    texts = [*SAME, OTHER, "Why?"]
    matrix = MiniLM().matrix(texts, texts)
    np.testing.assert_allclose(matrix, matrix.T, atol=1e-12)
    assert np.diag(matrix) == pytest.approx(1)
    assert (np.abs(matrix) <= 1).all()


def test_a_text_s_vector_does_not_hang_on_its_company() -> None:
    alone = encoder().vectors([SAME[0]])
    long = [f"{OTHER} {'And the stairs? ' * times}" for times in range(0, 40, 8)]
    fresh = type(encoder())(weights())
    np.testing.assert_allclose(fresh.vectors([*long, SAME[0]])[-1], alone[0], atol=1e-5)


def test_a_long_list_that_comes_again_is_as_it_was() -> None:
    many = [f"{OTHER} It has {number} floors." for number in range(70)]
    first = MiniLM().matrix([SAME[0]], many)
    np.testing.assert_array_equal(MiniLM().matrix([SAME[0]], many), first)
    np.testing.assert_allclose(MiniLM().matrix([SAME[0]], many[::-1]), first[:, ::-1], atol=1e-12)


@pytest.mark.parametrize("text", ["", "😀", "?!", "word " * 300, "ⵜⴰⵎⴰⵣⵉⵖⵜ ⵜⴰⵏⴰⵡⴰⵢⵜ ⵜⴰⵎⵖⵔⵉⴱⵉⵜ"])
def test_what_cannot_be_read_is_unknown(text: str) -> None:
    assert np.isnan(MiniLM().matrix([text], [SAME[0], text])).all()
    assert np.isnan(Centred().matrix([text], [SAME[0]])).all()


def test_the_mean_of_a_study_is_taken_off() -> None:
    study = [*SAME, OTHER]
    vectors = encoder().vectors(study)
    rest = vectors - vectors.mean(axis=0)
    by_hand = rest[0] @ rest[2] / np.linalg.norm(rest[0]) / np.linalg.norm(rest[2])
    assert Centred(study).matrix([SAME[0]], [OTHER])[0, 0] == pytest.approx(by_hand)


def test_the_running_mean_knows_only_what_was_observed() -> None:
    running = Centred()
    before = running.matrix([SAME[0]], [OTHER])[0, 0]
    assert Centred().matrix([SAME[0]], [OTHER])[0, 0] == before
    running.observe(SAME[1], OTHER)
    assert running.matrix([SAME[0]], [OTHER])[0, 0] != before
    running.observe("", "😀")
    known = running.matrix([SAME[0]], [OTHER])[0, 0]
    assert math.isfinite(known)


def test_a_given_study_is_fixed_and_has_a_version_of_its_own() -> None:
    fixed = Centred([*SAME, OTHER])
    with pytest.raises(MatchError, match="fixed"):
        fixed.observe("What else?")
    assert fixed.version != Centred().version
    with pytest.raises(MatchError, match="2 or more"):
        Centred(["Why?", ""])


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "find_spec", lambda name: None)
    with pytest.raises(ModelMissing, match=r"interviewer\[minilm\].*INTERVIEWER_MINILM"):
        weights.__wrapped__()


def test_changed_weights_are_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_TOKENIZER", (*files._TOKENIZER[:2], "0" * 64))
    with pytest.raises(ModelChanged, match=r"tokenizer\.json.*SHA-256"):
        weights.__wrapped__()


def test_a_folder_of_one_s_own_serves_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packaged = weights()
    (tmp_path / "model.onnx").symlink_to(packaged.model)
    monkeypatch.setenv("INTERVIEWER_MINILM", str(tmp_path))
    with pytest.raises(ModelMissing, match=r"tokenizer\.json"):
        weights.__wrapped__()
    (tmp_path / "tokenizer.json").symlink_to(packaged.tokenizer)
    own = weights.__wrapped__()
    assert own.version.startswith("own-")
    assert own.model.parent == tmp_path


def test_a_file_that_is_no_model_is_named(tmp_path: Path) -> None:
    for name in ("model.onnx", "tokenizer.json"):
        (tmp_path / name).write_text("{}", encoding="utf-8")
    with pytest.raises(ModelMissing, match=r"model\.onnx"):
        encoder(tmp_path)
