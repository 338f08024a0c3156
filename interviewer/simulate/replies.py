"""The simulated guest's small talk: what it says when it does not speak from its dossier."""

import re

NOTHING = (
    "I don't think I have anything on that.",
    "Hmm, nothing comes to mind there.",
    "I can't really say much about that.",
    "That's not something I know much about.",
    "No, I don't have a good answer for that one.",
)
EXHAUSTED = (
    "I think I've told you most of it.",
    "That's about everything I have on this.",
    "I'd only be repeating myself now.",
)
ALREADY = ("I think I answered that already.", "I answered that one already, I think.")
ALL_SAID = ("I've said what I have on that.", "I think that was all there is to it.", "I mentioned that, I believe.")
NO_MORE = ("That was it, really.", "There isn't much more to it.", "No, that was the whole of it.")
SKIP = ("Can we skip that one?", "I'd rather skip that one.", "Let's skip that, if that's alright.")
THINKING = ("Sorry, I'm still thinking.", "One moment, I'm thinking.", "Yes, I'm here, just thinking about it.")
HERE = ("No, I'm fine, go ahead.", "I'm here. Ask me anything you like.")
READY = ("Yes, let's start.", "Sure, go ahead.", "Yes, I'm ready.")
SHORT = ("Yeah.", "Right.", "Exactly.", "Yes, that's it.")
BACKCHANNEL = ("Mm-hm.", "Right.", "Yeah.")
BARGE = ("Sorry, can I jump in there?", "Wait, let me say something to that.", "Can I just come in here?")
GOODBYE = ("Thanks, bye.", "Thank you, goodbye.", "Bye, thanks.")

_GOODBYE = re.compile(
    r"\b(?:good ?bye|bye(?:-bye)?|take care|have a (?:great|good|lovely|nice)|that's all the time|out of time|"
    r"(?:thanks|thank you)(?: so much| very much)? for (?:your time|talking|speaking|joining|being here)|"
    r"(?:great|lovely|good) (?:talking|speaking) (?:to|with) you)\b"
)
_NUDGE = re.compile(
    r"\b(?:still there|are you there|take your time|no (?:rush|hurry)|still with me|take a (?:break|moment)|"
    r"pause (?:here|or|for)|come back to (?:it|that) later|in your own time|whenever you're ready)\b"
)
_READY = re.compile(r"\b(?:ready|sounds? (?:good|okay|alright)|shall we|okay with you|alright with you)\b")


def is_goodbye(folded: str) -> bool:
    """Whether folded speech says goodbye."""
    return _GOODBYE.search(folded) is not None


def is_nudge(folded: str) -> bool:
    """Whether folded speech only asks a silent guest to go on."""
    return _NUDGE.search(folded) is not None


def asks_if_ready(folded: str) -> bool:
    """Whether a folded question only asks to begin."""
    return _READY.search(folded) is not None
