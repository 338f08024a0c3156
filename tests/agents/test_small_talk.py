import pytest

from interviewer.agents.analyst import AnalystInput, analyse
from interviewer.agents.signals import substantial
from interviewer.agents.small_talk import declines, idle
from interviewer.agents.writer import WRITER, WriterInput
from interviewer.matching.text import sentences, words
from interviewer.model.notes import Notes
from interviewer.model.turn import Said
from interviewer.simulate import replies
from tests.agents.dossier_talk import NAMES, dossier

NO_ANSWERS = replies.NOTHING + replies.EXHAUSTED + replies.ALREADY + replies.ALL_SAID + replies.NO_MORE + replies.SKIP
SMALL_TALK = (
    NO_ANSWERS
    + (replies.THINKING + replies.HERE + replies.READY + replies.SHORT + replies.BACKCHANNEL + replies.BARGE)
    + replies.GOODBYE
)

DECLINING = (
    "Nothing comes to mind.",
    "Nothing really comes to mind right now.",
    "I don't have a good answer for that one.",
    "No, not really.",
    "I'd rather skip.",
    "I’d rather not say.",
    "I would rather not talk about that.",
    "I don't want to talk about it.",
    "I don't really want to go into that.",
    "I don't know.",
    "Honestly, I don't know much about that.",
    "I can't remember.",
    "Hmm, I can't think of anything.",
    "I can't think of an example right now.",
    "No comment.",
    "Next question, please.",
    "Pass.",
    "Let's move on.",
    "Can we move on?",
    "Can we skip this question, please?",
    "I already told you that.",
    "I just answered that.",
    "As I said, nothing more to add.",
    "That's too personal.",
    "I'm not comfortable talking about that.",
    "I have no idea.",
    "I'm drawing a blank.",
    "You'd have to ask somebody else.",
    "There's nothing more to say about that.",
    "Wait, let me say something to that. I don't think I have anything on that.",
)
TELLING = (
    "I don't know why the board signed it, but they did it on a Friday.",
    "I can't say enough good about my first editor.",
    "I didn't have a computer science degree when I started.",
    "We decided to skip the second release and nobody noticed.",
    "I'd rather work with two good people than with ten.",
    "I told my father that I would sell the boat.",
    "Nothing prepared me for the first winter.",
    "Not really a mentor, more of a friend who read my drafts.",
    "I already knew that the market was gone.",
    "That's all we had for the whole summer: one press and a van.",
    "I remember the smell of the ink.",
    "I never answered the phone after eight.",
    "Let's say you lose the key in the dark.",
    "I have nothing against tests, I just write them last.",
    "There isn't much light in the hold.",
    "I can't stand meetings.",
    "I don't trust dashboards anymore.",
    "The next question was who would pay for it.",
    "I passed the exam at the third try.",
    "It's hard to say no to a customer of twenty years.",
    "I'm not going back to consulting.",
    "I don't like being told what to build.",
    "My mind goes to the harbour whenever it rains.",
    "I said that the mast would break, and it broke.",
    "That was it, the moment I knew I had to leave.",
    "I don't know. We bought the hull from a priest, and he cried when we left.",
    "You need to ask someone who has sailed it.",
    "I couldn't sleep for a week.",
    "No, we sold it in March.",
    "I mentioned the leak to the owner, who laughed.",
)


@pytest.mark.parametrize("text", [*DECLINING, *NO_ANSWERS])
def test_a_refusal_is_known_and_answers_nothing(text: str) -> None:
    assert declines(text)
    assert not substantial(text)


@pytest.mark.parametrize("text", TELLING)
def test_what_tells_something_is_no_refusal(text: str) -> None:
    assert not declines(text)


def test_there_are_thirty_of_each() -> None:
    assert len(set(DECLINING)) == len(set(TELLING)) == 30


@pytest.mark.parametrize("text", SMALL_TALK)
def test_small_talk_tells_nothing(text: str) -> None:
    assert all(idle(span.text) for span in sentences(text))


@pytest.mark.parametrize("name", NAMES)
def test_no_essay_and_no_quote_holds_small_talk(name: str) -> None:
    topic, turns = dossier(name)
    mixed: list[Said] = []
    for n, turn in enumerate(turns):
        small = SMALL_TALK[n % len(SMALL_TALK)]
        text = f"{small} {turn.text} {SMALL_TALK[(n * 7) % len(SMALL_TALK)]}" if turn.speaker == "guest" else turn.text
        mixed += [Said(turn.id, turn.speaker, text), Said(f"{turn.id}s", "guest", small)]
    analysis = analyse(AnalystInput(topic=topic, goal="", turns=tuple(mixed), notes=Notes()))
    essay = WRITER.rules(WriterInput(topic=topic, turns=tuple(mixed), analysis=analysis, notes=Notes()))
    spoken = {words(span.text) for text in SMALL_TALK for span in sentences(text)}
    assert spoken.isdisjoint(words(sentence.text) for sentence in essay.sentences)
    assert spoken.isdisjoint(words(quote.text) for quote in analysis.quotes)
    assert [text for text in SMALL_TALK if len(words(text)) > 3 and text in essay.markdown] == []
