import re
from pathlib import Path

import pytest
import yaml

from interviewer.errors import NotFound, PlanError
from interviewer.simulate.dossier import Dossier, by_name, folder, load, load_all, nearest

DOSSIERS = load_all()
MARKUP = re.compile(r"\\\[|\[laugh|\[unintell|\]\(|&#?\w+;|\*\w")


def written(tmp_path: Path, **changes: object) -> Path:
    data = {
        "id": "bread",
        "topic": "Baking bread",
        "context": "I bake.",
        "source": "made up",
        "licence": "CC0",
        "details": [
            {"id": "d01", "text": "I began at four in the morning.", "kind": "origin"},
            {"id": "d02", "text": "The oven broke.", "kind": "failure", "after": "d01"},
        ],
    }
    path = tmp_path / "bread.yaml"
    path.write_text(yaml.safe_dump(data | changes), encoding="utf-8")
    return path


def test_the_project_comes_with_eight_dossiers_under_three_licences() -> None:
    assert len(DOSSIERS) == 8
    assert {dossier.licence for dossier in DOSSIERS} == {"CC BY 4.0", "CC BY-SA 4.0", "MIT"}


@pytest.mark.parametrize("dossier", DOSSIERS, ids=lambda dossier: dossier.id)
def test_a_dossier_fills_fourteen_minutes_with_spoken_words(dossier: Dossier) -> None:
    assert 25 <= len(dossier.details) <= 60
    assert 1_200 <= sum(len(detail.text.split()) for detail in dossier.details) <= 3_000
    for detail in dossier.details:
        assert 15 <= len(detail.text.split()) <= 90, detail.id
        assert not MARKUP.search(detail.text), detail.id
        assert detail.cues, detail.id
    assert len(dossier.hidden) >= 0.75 * len(dossier.details)


def test_every_file_bears_its_id_and_has_its_licence_beside_it() -> None:
    for path in sorted(folder().glob("*/*.yaml")):
        dossier = load(path)
        assert path.stem == dossier.id
        assert dossier.licence.split()[0] in (path.parent / "LICENSE.md").read_text(encoding="utf-8")


def test_no_text_stands_in_two_details() -> None:
    texts = [detail.text for dossier in DOSSIERS for detail in dossier.details]
    assert len(texts) == len(set(texts))


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"topic": "  "}, "topic"),
        ({"details": []}, "details"),
        ({"details": [{"id": "d01", "text": "One.", "kind": "gossip"}]}, "details.0.kind"),
        ({"details": [{"id": "d01", "text": "", "kind": "origin"}]}, "details.0.text"),
        ({"details": [{"id": "d01", "text": t, "kind": "origin"} for t in ("One.", "Two.")]}, "details.1.id: d01"),
        ({"details": [{"id": "d01", "text": "One.", "kind": "origin", "after": "d09"}]}, "details.0.after: d09"),
        ({"mood": "good"}, "mood"),
    ],
)
def test_a_wrong_dossier_is_refused_naming_file_and_field(
    tmp_path: Path, changes: dict[str, object], named: str
) -> None:
    path = written(tmp_path, **changes)
    with pytest.raises(PlanError, match=re.escape(f"{path}: {named}")):
        load(path)


@pytest.mark.parametrize("text", ["id: [", "- a list", "", "\0", "at: 2020-99-99", "&a [*a]"])
def test_a_file_that_is_no_dossier_is_refused_naming_it(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PlanError, match=re.escape(str(path))):
        load(path)


def test_a_missing_file_is_refused_naming_it(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="nowhere"):
        load(tmp_path / "nowhere.yaml")


def test_a_dossier_is_found_by_id_or_by_file(tmp_path: Path) -> None:
    assert by_name("bets-on-bitcoin").guest == "Chris Stewart"
    assert by_name(written(tmp_path)).topic == "Baking bread"
    with pytest.raises(NotFound, match="bets-on-bitcoin"):
        by_name("bread")


@pytest.mark.parametrize(
    ("topic", "name"),
    [
        ("open source burnout", "quitting-open-source"),
        ("how rents move", "rents-in-wellington"),
        ("being on call", "incidents-and-on-call"),
        ("FDA audits", "medical-device-audits"),
        ("Bitcoin", "bets-on-bitcoin"),
        ("", "a-welcoming-code-library"),
    ],
)
def test_the_nearest_dossier_shares_the_topic_and_ties_go_to_the_first_id(topic: str, name: str) -> None:
    assert nearest(topic).id == name
