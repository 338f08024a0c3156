"""What a guest says that tells nothing: refusals, interruptions, and talk about the interview itself. English only."""

import re
from functools import lru_cache

from interviewer.matching.text import content_words, sentences, words

_ENOUGH = 4  # content words that a refusal may stand beside and still not be the whole of what was said
_LONGEST = 30  # words of such a sentence


def _any(lines: str) -> str:
    return "|".join(line.strip() for line in lines.strip().splitlines())


_LEAD = (
    r"(?:(?:no|nope|well|hmm*|um+|uh+|mm+|sorry|honestly|frankly|so|oh|ah|and|but|actually|yeah|yes|okay|ok|right|look|"
    r"wait|maybe|unfortunately|really|sure|to be honest|you know|not really|i mean|i'm sorry|i'm afraid|as i said|"
    r"i (?:think|believe|guess|suppose)|that's a (?:good|tough|hard|tricky) (?:one|question)) )*"
)
# Words that may follow a refusal without making it say something.
_TAIL = (
    r"(?: (?:on|about|for|to|of|with|at|in|there|here|that|this|it|one|ones|the|a|an|any|some|question|questions|topic|"
    r"subject|add|say|tell|talk|share|give|answer|answers|you|really|though|right|now|moment|sorry|either|more|"
    r"anything|much|lot|else|honestly|please|just|next|another|other|something|later|already|before|earlier|if|that's|"
    r"alright|ok|okay|fine|what|all|most|everything|i|i'm|i've|i'd|have|had|think|believe|guess|afraid|particular|like|"
    r"good|great|clear|strong|real|particularly|"
    r"specific|example|examples|opinion|opinions|idea|thoughts|story|stories|head|top|my|off|yet|so|far|is|was|"
    r"don't|mind|may|and|go|move|come|back|not|rather))*"
)
_NOT = r"(?:don't|do not|didn't|can't|cannot|can not|couldn't|wouldn't)"
_HOW = r"(?: (?:really|quite|honestly|actually|even|just|much|only|already|probably|pretty|about|particularly))*"
_REFUSED = _any(
    rf"""
    i{_HOW} {_NOT}{_HOW}(?: (?:think|believe|feel) i(?: can| could| should|'d| would)?)?{_HOW}
    i{_HOW} {_NOT}{_HOW}(?: think i)?{_HOW} (?:have|know|remember|recall|think of|come up with|comment|speak)
    i{_HOW} {_NOT}{_HOW} (?:want|like|care|wish|feel like|feel comfortable|plan)(?: to)?{_HOW}
        (?: (?:talk|talking|go|going|get|getting|into|discuss|discussing|speak|speaking|answer|answering|share))+
    (?:nothing|not much|not a lot|no one|no example|no story|nobody){_HOW} (?:comes?|springs?|is coming|jumps) to mind
    that(?:'s| is| was)(?: not|n't){_HOW} (?:something|a thing|a topic|a question|one) (?:i|we){_HOW}
        (?: (?:know|can|could|want|would|like|talk|think|have|discuss|much|do))+
    that isn't (?:something|a thing|a topic|a question|one) i{_HOW}(?: (?:know|can|could|want|would|like|think|have))+
    (?:i'd|i would){_HOW}(?: rather| prefer| like| love)+(?: to| not| really| just)*
        (?: (?:skip|pass|leave|keep|discuss|private|myself|between us|over))*
    (?:can|could|may|shall|should) (?:we|i|you){_HOW}(?: please| maybe)? (?:skip|pass|leave|(?:move|go) on|come back)
    (?:let's|let us){_HOW} (?:skip|pass|leave|not|move on|go on to|go to)
    (?:i'll |i will |i'd |i )?(?:have to |just )?(?:pass|skip)|next (?:question|one)|no comment|leave it
    ask me (?:something|another|anything|a different)
    (?:i'd|i would|i'll)(?: only| just)? be repeating myself
    (?:i|we|i've|we've){_HOW}(?: have)?{_HOW} (?:said|told|answered|covered|mentioned|explained)
    (?:i|we|i've|we've)(?: have)? (?:already|just) (?:said|told|answered|covered|talked about)
    (?:i|we|i've|we've)(?: have)? (?:already|just) (?:gone over|went over|been over)
    that(?:'s| was| is){_HOW} (?:it|all|everything|the whole of it)
    there(?:'s| is| isn't| is not| wasn't)(?: not| nothing| really)*(?: much| anything)?(?: more| else)*
         to (?:it|say|add|tell)
    there(?:'s| is| isn't| is not)(?: not| nothing| really)*(?: much| anything)?(?: more| else)* i can
    not really|not that i(?: can|'m| am)? (?:know|think|remember|recall|aware)|(?:i have |i've got )?no (?:idea|clue)
    i have no (?:opinion|answer|thoughts|memory)|i (?:have|had|got|'ve got) nothing|nothing
    i'm (?:really |just |still |quite )?not (?:sure|the right person|allowed|comfortable|able|going|qualified)
        (?: (?:talking|discussing|answering|saying|sharing|comment|discuss|into))*
    (?:that's|it's|that is) (?:a bit |too |rather |quite )?(?:private|personal|confidential|hard|difficult) to
    (?:that's|it's|that is) (?:a bit |too |rather |quite )?(?:private|personal|confidential|hard to say|not for me)
    i'm drawing a blank|my mind (?:is|went|goes|has gone) blank|i'm (?:stuck|blanking)
    you(?:'d|'ll| would)? (?:have to|need to|should|better) ask (?:someone|somebody|somebody|her|him|them)
    """.replace("\n        ", "")
)
_BREAKS_IN = _any(
    r"""
    (?:just |one (?:second|moment|sec) |hold on |hang on |excuse me )*(?:can|could|may) i (?:just )?(?:quickly )?
        (?:jump|come|cut|step|break|chime|butt) in(?: there| here)?
    (?:just |hold on |hang on |excuse me )*let me (?:just )?(?:say something|jump in|come in|cut in|stop you|finish)
        (?: to that| there| here| on that)?
    (?:hold on|hang on|excuse me)|(?:i'd|i would) (?:just )?like to say something(?: to that| there| here| on that)?
    sorry (?:to|for) (?:interrupt|interrupting|cutting in|jumping in)(?: you| there| here)?
    """.replace("\n        ", "")
)
_ABOUT_IT = _any(
    r"""
    i'm (?:still )?(?:here|thinking|listening|fine|ready)(?: (?:just|still|thinking|about|it|go|ahead))*
    (?:one|just a|a) (?:moment|second|sec)(?: i'm)?(?: still)?(?: thinking)?|still thinking|(?:please )?go ahead
    (?:let's|let us) (?:start|begin|go)|yes i'm here just thinking about it|go on
    (?:thanks|thank you)(?: so much| very much)?(?: (?:bye|goodbye))?|(?:good)?bye(?: thanks| thank you)?
    (?:exactly|absolutely|true|correct|right|yeah|yes|yep|mm hm|mm|uh huh|yes that's it|sure|okay|no)
    """
)
_DECLINES = re.compile(rf"{_LEAD}(?:{_REFUSED}){_TAIL}|(?:no|nope)(?: not really)?")
_IDLE = re.compile(rf"{_LEAD}(?:{_BREAKS_IN}|{_ABOUT_IT})")


@lru_cache(maxsize=65_536)
def refuses(sentence: str) -> bool:
    """Whether one sentence says only that the guest will not, or cannot, answer, or has answered already."""
    said = words(sentence)
    return len(said) <= _LONGEST and _DECLINES.fullmatch(" ".join(said)) is not None


@lru_cache(maxsize=65_536)
def idle(sentence: str) -> bool:
    """Whether one sentence refuses, asks for the floor, or is about the interview and nothing else."""
    said = words(sentence)
    if refuses(sentence) or not said:
        return True
    return len(said) <= _LONGEST and _IDLE.fullmatch(" ".join(said)) is not None


@lru_cache(maxsize=16_384)
def declines(text: str) -> bool:
    """Whether the guest would not, or could not, answer, and said nothing else."""
    parts = [span.text for span in sentences(text)]
    if not any(refuses(part) for part in parts):
        return False
    return len({word for part in parts if not idle(part) for word in content_words(part)}) < _ENOUGH
