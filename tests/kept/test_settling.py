"""What a transcript is about and in what language, if nobody says so."""

from pathlib import Path

import pytest

from interviewer.call.guidance import base
from interviewer.importing.language import language_of
from interviewer.interview.returning import follow_up
from interviewer.kept.imported import Imported, import_files
from interviewer.kept.reading import CallLog
from interviewer.settings import Settings
from interviewer.store.store import Store
from tests.cli.conftest import Terminal

GERMAN = """Anna: Wie haben Sie angefangen, und was war das für eine Zeit?

Bernd: Ich habe in einer Garage in Berlin angefangen, weil mir das Bier nicht geschmeckt hat.

Anna: Was geschah dann?

Bernd: Dann kam die Bank und nahm uns das Haus weg, und wir hatten kein Geld.

Anna: Wie haben Sie das erklärt?

Bernd: Gar nicht. Wir reden bis heute nicht darüber, und das tut mir sehr leid.
"""
VERBS = """Anna: How did it go?

Bo: I reckon we must wait, and I reckon they must wait as well.

Anna: And then?

Bo: You must ask, I reckon, for we must know, and I reckon nobody does.
"""
THINGS = """Anna: How did it go?

Bo: The brewery burned, and we must admit the brewery was ours, near Boston.

Anna: And then?

Bo: Then a new brewery came, and Boston must have laughed.
"""


def kept(home: Path, folder: Path, text: str, name: str = "old_talk-1", **given: str) -> tuple[Store, Imported]:
    path = folder / f"{name}.txt"
    path.write_text(text, encoding="utf-8")
    store = Store.open(home)
    return store, import_files(store, [path], **given).calls[0]  # type: ignore[arg-type]


def test_the_follow_up_of_a_german_transcript_speaks_german_and_says_what_is_worse(
    fresh_home: Path, tmp_path: Path
) -> None:
    store, one = kept(fresh_home, tmp_path, GERMAN)
    assert one.language is not None
    assert (one.language.value, one.language.said) == ("de", False)
    assert "telling words are of de" in one.language.reason
    setup = follow_up(store, about="die Bank")
    assert setup.plan.language == "de"
    assert "Speak de." in base(setup)
    assert setup.earlier is not None
    assert any("in “de” and agents that follow rules know English only" in each for each in setup.earlier.problems)
    assert any("own words for things can be told in English only" in each for each in setup.earlier.problems)


def test_a_language_that_is_given_counts_and_one_that_cannot_be_told_is_english(
    fresh_home: Path, tmp_path: Path
) -> None:
    store, said = kept(fresh_home, tmp_path, GERMAN, language="nl")
    assert CallLog.read(store.journal_path(said.call_id)).setup.plan.language == "nl"
    _, short = kept(fresh_home, tmp_path, "Anna: Hm?\n\nBo: Tja, Berlin.\n", name="short")
    assert short.language is not None
    assert short.language.value == "en"
    assert "not told" in short.language.reason


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "What did you do before the bees? And how have they changed you since that winter in the old barn?"),
        (
            "fr",
            "Que faisiez-vous avant les abeilles, et comment est-ce que nous avons été dans le froid avec elle ici?",
        ),
        ("es", "¿Qué hizo usted antes de las abejas, y cómo cambiaron su vida cuando era joven en el pueblo del sur?"),
        ("", "Ja, ja. Nein, nein. Oui, oui. Yes, yes. Si, si. Nee, nee. Tak, tak. Hai, hai. Da, da. Ano, ano. Jo, jo."),
    ],
)
def test_a_language_is_told_by_its_commonest_words(code: str, text: str) -> None:
    assert language_of(text).code == code


@pytest.mark.parametrize(
    ("text", "topic", "how"),
    [
        (THINGS, "Brewery", "guessed"),
        (VERBS, "Old talk 1", "the file's name"),
        (GERMAN, "Old talk 1", "the file's name"),
    ],
)
def test_a_topic_is_never_made_of_verbs_or_of_words_of_another_language(
    fresh_home: Path, tmp_path: Path, text: str, topic: str, how: str
) -> None:
    store, one = kept(fresh_home, tmp_path, text)
    assert one.topic is not None
    assert one.topic.value.startswith(topic)
    assert one.topic.reason.startswith(how)
    assert CallLog.read(store.journal_path(one.call_id)).setup.plan.topic == one.topic.value


def test_the_command_says_what_it_took_them_for_and_how_to_say_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "old_talk.txt"
    path.write_text(VERBS)
    done = Terminal(tmp_path / "own")("import", str(path))
    assert "Topic: Old talk (the file's name; --topic says it)." in done.stderr
    assert "--language says it)." in done.stderr


@pytest.mark.parametrize("scorer", ["contains", "jaccard"])
def test_a_german_transcript_among_english_ones_is_named_and_gives_no_themes(
    fresh_home: Path, tmp_path: Path, scorer: str
) -> None:
    store, german = kept(fresh_home, tmp_path, GERMAN, "german")
    _, english = kept(fresh_home, tmp_path, THINGS, "things", interview=german.call_id, language="en")
    settings = Settings.load(match={"reconstruction_scorer": scorer})
    earlier = follow_up(store, english.call_id, about="the bank", settings=settings).earlier
    assert earlier is not None
    spoken = [each for each in earlier.problems if german.call_id in each]
    assert any("it is in “de”, the interview in “en”" in each for each in spoken)
    assert any("planned questions are hardly found in it" in each or "they are hardly" in each for each in spoken)
    assert not [each for each in earlier.problems if english.call_id in each]


def test_a_german_chain_gives_no_themes_made_of_its_small_words(fresh_home: Path, tmp_path: Path) -> None:
    store, _ = kept(fresh_home, tmp_path, GERMAN)
    earlier = follow_up(store, about="die Bank").earlier
    assert earlier is not None
    assert earlier.themes == earlier.expressions == ()
