"""What stands beside a question and undoes it: speaking of asking it, or taking it back at once."""

import re

from interviewer.matching.contains_features import Window
from interviewer.matching.text import plain

_AFTER = 2
_ASKING = re.compile(
    r"\b(?:(?:should|shall) i (?:\w+ )?ask|(?:want|like|prefer|allow|mind|expect|need)(?:s|ed)? (?:me|us) "
    r"(?:to ask|asking)|"
    r"(?:am|are|is|was|were|been|being|be|get|gets|got|getting) (?:\w+ )?asked|(?:people|they|others|anyone|anybody|"
    r"everyone|everybody|someone|somebody|nobody|who|you|we|\w+s|he|she) (?:\w+ )?asks?\b(?! you to\b| me\b)|"
    r"(?:hate|mind|like|tired of|sick of|bad|rude|fair|wrong|right|okay|ok|fine|silly|stupid|worth|stop|keep|avoid|"
    r"about|before|without|for|of|by) (?:me |us |them |people |it )?asking|"
    r"(?:fair|rude|okay|ok|fine|wrong|right|allowed|too early|too much|silly|pointless|time|worth it|unfair) "
    r"(?:for me )?to ask|if (?:i|we|someone|somebody|he|she|they) (?:\w+ )?ask(?:ed)?\b(?! you (?:to|for)\b)|"
    r"question (?:of|is|was|whether|about|i|we|people|you)\b)"
)
_ANSWERING = re.compile(
    r"\b(?:(?:is|was|would|will|isn't|wasn't) (?:it|that|this) (?:be )?(?:\w+ )?(?:too )?(?:hard|easy|difficult|"
    r"possible|painful|tricky|early|late|okay|ok|fair|rude|uncomfortable|awkward|simple|impossible|strange|"
    r"fine|all right) (?:for you )?(?:to|when|if)\b|(?:comfortable|happy|willing|ready|allowed|able|free|mind|"
    r"like|hate|enjoy|tired of) "
    r"(?:to )?(?:say(?:ing)?|tell(?:ing)?|explain(?:ing)?|talk(?:ing)?|answer(?:ing)?|speak(?:ing)?|describ(?:e|ing)|"
    r"discuss(?:ing)?)|(?:have|has) (?:you|anyone|anybody|he|she|they) (?:\w+ )?(?:told|explained|asked|said)|"
    r"do (?:people|they|you|others) (?:\w+ )?(?:know|understand|care) (?:how|why|what|when|where|who|which))\b"
)
_LATER = re.compile(
    r"\b(?:later|next time|another (?:time|day)|some other time|tomorrow|in a (?:moment|minute|while)|at the end|"
    r"after (?:the|this|our) break|(?:not|don't answer) (?:now|yet)|instead of asking|rather than ask(?:ing)?)\b"
)
_OR_NOT = re.compile(
    r"\bor (?:do|would|shall|should|may|can|are|is|will) (?:you|we|i|that|it) (?:rather|want|prefer|like|stop|move|"
    r"skip|leave|go|not|too|just|ask|talk)\b|\bor (?:rather )?(?:not|stop|skip|move on|leave it)\b"
)
_SAID = re.compile(
    r"\b(?:people|they|some|others|critics|friends|colleagues|everyone|everybody|many|listeners|readers|journalists?|"
    r"reporters?|students|children|kids|fans|parents|he|she|my \w+|your \w+|one \w+) (?:\w+ )?"
    r"(?:say|says|said|shouts?|shouted|wrote|writes?|wonders?|wondered|asks?|asked|thought|thinks?|goes|whispers?|"
    r"(?:want|wants|wanted) to know)(?: to \w+| you| me)?[,:;]? [\"“']?"
    r"(?=(?:how|why|what|when|where|who|which|do|did|does|is|are|was|were|will|would|can|could|should)\b)"
)
_THEIRS = re.compile(
    r"\bwhat (?:do|did|would|will|should) (?:you|we|one) (?:usually |then )?(?:answer|say|reply|tell|respond|make of)\b"
    r".{0,12}\b(?:them|him|her|that|it|this|people|back|then|to)\b"
)
_TAKEN_BACK = re.compile(
    r"\b(?:forget (?:that|it|this|the question|what i)|scratch that|strike that|never ?mind|no, wait|wait, no|"
    r"ignore (?:that|it)|actually,? no\b|no,? actually|i(?:'ll)? take (?:that|it) back|i(?:'ll)? withdraw|"
    r"(?:don't|do not|no need to|you needn't|please don't) answer (?:that|it)|skip (?:that|it|this)|"
    r"leave (?:that|it) (?:out|aside|for)|let's (?:not|skip|leave|drop)|drop (?:that|it)|wrong question|"
    r"not (?:that|what i (?:wanted|meant))|"
    r"i (?:meant|mean) to ask|just kidding|i(?:'m| am) joking)\b"
)


def about_asking(planned: str, window: Window, spoken: tuple[str, ...]) -> str:
    """Why a window of the sentences `spoken` may only speak of the question, whose plain form is `planned`, or ""."""
    for one in window.asking:
        said = plain(one.text)
        for pattern in (_ASKING, _ANSWERING, _LATER, _OR_NOT, _SAID):
            if pattern.search(said) and not pattern.search(planned):
                return "it may speak of the question instead of asking it"
    after = _after(window, spoken)
    if _THEIRS.search(after) and not _THEIRS.search(planned):
        return "it may speak of the question instead of asking it"
    return ""


def taken_back(planned: str, window: Window, spoken: tuple[str, ...]) -> str:
    """Why what follows a window of the sentences `spoken` may take it back, or ""."""
    after = _after(window, spoken)
    inside = plain(window.asking[-1].text)
    taken = _TAKEN_BACK.search(after) or (_TAKEN_BACK.search(inside) and not _TAKEN_BACK.search(planned))
    return "it may be taken back at once" if taken else ""


def _after(window: Window, spoken: tuple[str, ...]) -> str:
    return plain(" ".join(spoken[window.last + 1 : window.last + 1 + _AFTER]))
