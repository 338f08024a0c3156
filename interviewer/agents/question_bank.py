"""What to ask anyone about anything they know well: questions for what a person no longer thinks to volunteer.

Each section's questions stand in the order of their worth. They name the topic only by "it" or "this", so that no
two of them look alike for the topic's sake, and each is about something else.
"""

from dataclasses import dataclass

from interviewer.agents.topics import Form
from interviewer.model.plan import Importance


@dataclass(frozen=True, slots=True)
class Draft:
    """A question of the bank and, in a word or two, what it is after."""

    after: str
    text: str


@dataclass(frozen=True, slots=True)
class Shelf:
    """A section of the bank."""

    key: str
    title: str
    importance: Importance
    drafts: tuple[Draft, ...]


def _shelf(key: str, title: str, importance: Importance, lines: str) -> Shelf:
    pairs = [line.strip().split(" | ", 1) for line in lines.strip().splitlines()]
    return Shelf(key, title, importance, tuple(Draft(after, text) for after, text in pairs))


BEGINNINGS = _shelf(
    "beginnings",
    "How it began",
    "medium",
    """
    early belief | What did you believe at first that you would smile about today?
    early mistake | Which early mistake do you still think about?
    teacher | Who taught you the most back then, and how?
    near quitting | What almost made you quit before it got going?
    unlearning | What did you have to unlearn from your previous work?
    first attempt | What did your very first attempt look like?
    turning good | When did you notice that you had become good at this?
    motive | What were you hoping to prove, and to whom?
    old rule | Which book or famous name did you follow for too long?
    then and now | What was missing in those days that everyone takes for granted nowadays?
    reactions | How did your family and friends react?
    chance | What part did sheer chance play in all that?
    easy part | Which side of it came easily, against all expectation?
    """,
)
CLOSE_UP = _shelf(
    "close_up",
    "Close up",
    "high",
    """
    a recent case | Take a recent case that you remember well: what happened, step by step?
    a failure | Tell me about a time when it went badly wrong.
    a figure | Which number made you sit up, and where did it come from?
    a surprise | What surprised you in the middle of it?
    routine | What does an ordinary day of this look like from the inside?
    warning sign | What is the earliest sign that trouble is on its way?
    repair | How do you get back on track once something slips?
    cost | What did the worst week cost you, in money or in sleep?
    tool | Which tool would you refuse to give up?
    checking | What do you check twice that others never look at?
    company | Who stood beside you when the hardest moment came?
    small cause | Which tiny detail decided how a story ended?
    left out | What never makes it into the official report?
    last minute | What was ever saved at the last minute?
    """,
)
CHOICES = _shelf(
    "choices",
    "Decisions and detours",
    "high",
    """
    an odd decision | What is the oddest decision you made that turned out right?
    a workaround | Where did you need a workaround because the proper way was closed?
    disagreement | Who disagreed with you, and what was their best argument?
    refused option | Which option did you turn down although everybody recommended it?
    rule broken | What rule do you break on purpose?
    objection | Which objection did you quietly ignore rather than answer?
    price | What did you give up in exchange?
    compromise | Which compromise still bothers you?
    stopping | What did you stop doing, and how did you know the moment had come?
    not knowing | How do you decide while the facts are not in yet?
    caution | What would a more cautious person have done in your place?
    constraint | Which constraint helped more than it hurt?
    secret | What did you keep to yourself until you were certain?
    luck | Where were you simply lucky?
    """,
)
DOUBTS = _shelf(
    "doubts",
    "Doubts and second thoughts",
    "medium",
    """
    distrust | Which popular advice do you distrust, and which experience is behind that?
    changed mind | What has changed your mind over the years?
    talk and practice | How is what people say about it different from how it really goes?
    being wrong | What would you have to see to admit that you are mistaken here?
    accident | Which success do you suspect of being an accident?
    hidden by figures | What do the statistics usually hide?
    worry | What still makes you nervous?
    unsaid | What do experts avoid saying aloud?
    critic | Which of your critics has a point?
    limits | When is your own method a bad idea?
    untested | What have you assumed for ages without ever testing it?
    attention | What gets too much attention, and what too little?
    tired question | Which topic do you wish outsiders would leave alone?
    leaving | What would make you walk away from all this?
    """,
)
PASSING_ON = _shelf(
    "passing_on",
    "Passing it on",
    "medium",
    """
    beginners | What do beginners nearly always get wrong?
    advice | What would you tell someone who starts next Monday?
    what comes next | What comes next for you, and what stands in its way?
    second nature | What do you do without thinking that took years to learn?
    shortcuts | Which shortcut is worth taking, and which one is a trap?
    only by doing | What can nobody pick up from a book?
    recognising | How would you recognise somebody who truly understands it?
    again | What would you do differently if you began again from nothing?
    habit | Which habit would you hand on before any other?
    unwritten | What should be written down and never is?
    future | How will it look in ten years?
    wish | Which problem would you solve if budget were no object?
    transfer | Which lesson would be useful in quite another field?
    open | What are you still trying to figure out?
    """,
)
CRAFT = _shelf(
    "craft",
    "The craft nobody sees",
    "low",
    """
    noticing | What do you sense before you can explain it?
    invisible work | Which part of your effort is invisible from outside?
    duration | What takes far longer than anyone assumes?
    done | How can you tell that something is finished?
    listening | What do you listen for when a colleague describes a difficulty?
    jargon | Which insider words mislead everybody else?
    dull and decisive | What is boring and yet decisive?
    quality | Where does quality come from when no one is watching?
    preparing | How do you prepare the evening before an important appointment?
    machines | What have you handed over to machines, and what will you never hand over?
    letting go | What do you throw away that others would keep?
    at home | How do you describe your days to a child?
    pride | What are you proud of although it went unnoticed?
    rest | What do you do to clear your head?
    """,
)
ABOUT_NAMES = (
    Draft("from the context", "Where does {phrase} come into your story?"),
    Draft("from the context", "What does {phrase} have to do with how you work?"),
)
ABOUT_CLAUSES = (
    Draft("from the context", 'You wrote "{phrase}": what is the story behind that?'),
    Draft("from the context", 'You wrote "{phrase}": how does that change the way you see this?'),
    Draft("from the context", 'You wrote "{phrase}": what about it would surprise an outsider?'),
    Draft("from the context", 'You wrote "{phrase}": where was that harder than it sounds?'),
)
# First questions, by the form of the topic.
ORIGINS: dict[Form, tuple[str, ...]] = {
    "name": (
        "How did you first come to be involved with {topic}?",
        "What first brought you to {topic}?",
        "Where does your own story begin with {topic}?",
    ),
    "activity": (
        "How did you first get into {topic}?",
        "What first brought you to {topic}?",
    ),
    "clause": (
        "Where does the story begin of {topic}?",
        "What was going on before the story of {topic}?",
    ),
    "question": (
        'What first made you ask yourself: "{topic}"?',
        'When did the question "{topic}" first matter to you?',
    ),
    "quoted": (
        'Where does the story behind "{topic}" begin?',
        'What led up to "{topic}"?',
    ),
    "long": (
        "Where does your own story with all this begin?",
        "How did you first come to be involved in all this?",
    ),
}
