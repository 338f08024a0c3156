"""How people word common kinds of question: patterns of a planned question with other wordings of each.

A wording is a question or a request. Text before `||` is a sentence that sets it up; `@` stands for any sentence
that names the topic `{x}`. Slots are the named groups of the pattern; `{it}`, `{they}`, `{is}` and `{was}` agree with
`{x}`; `{v_ing}` and `{v_past}` inflect `{v}`. Every wording asks for the same information as its pattern.
"""

import re
from dataclasses import dataclass

from interviewer.simulate.english import FINITE

TOPIC_SETUPS = (
    "Let me turn to {x}.",
    "Now to {x}.",
    "Let's talk about {x}.",
    "Let me ask you about {x}.",
)
SHORT_TOPIC_SETUPS = (
    "I'd like to talk about {x} for a moment.",
    "Let's stay with {x} for a moment.",
    "Something about {x} now.",
)
NEW_TOPIC_SETUPS = ("Take {x}.", "Think of {x}.", "Let's talk about {x}.")


@dataclass(frozen=True, slots=True)
class Frame:
    """A kind of question: the pattern it is known by, without its question mark, and other wordings."""

    pattern: re.Pattern[str]
    wordings: tuple[str, ...]


def _frame(pattern: str, *wordings: str) -> Frame:
    return Frame(re.compile(pattern + r"$", re.IGNORECASE), wordings)


_ADV = r"(?:usually |normally |typically |actually |generally |often )?"
_W = r"(?P<w>when|whether|if|which|what|how|where|who|how much|how many|how long|how far)"
_SUBJ = r"(?:you|it|they|he|she|we|someone|somebody|something|things|the|a|an|your|that|this|nobody|everyone|people)"
_CLAUSE = rf"(?P<c>{_SUBJ}\b.+)"
_Q = r"[\"“](?P<{}>[^\"“”]+)[\"”]"

FRAMES = (
    # Origins.
    _frame(
        r"(?:how did you (?:first )?come to be involved (?:in|with)|what (?:first )?(?:brought|led) you (?:in)?to|"
        r"where does your own story with) (?P<x>(?!(?:decide|choose|do|want|think)\b).+?)(?: in the first "
        r"place| begin)?",
        "What path led you to {x}?",
        "I'd love to hear how {x} came into your life.",
        "Take me back to how {x} began for you.",
        "@ || How did that begin for you?",
        "@ || What was your way in?",
        "@ || Take me back to the very beginning.",
    ),
    _frame(
        r"(?:where does the story of|what set off the story of) (?P<x>.+?)(?: begin)?",
        "How did it all begin with {x}?",
        "@ || How did it all begin?",
        "Take me back to the start of {x}.",
    ),
    _frame(
        r"what(?:['’]s| is) the story (?:behind|of) (?P<x>.+)",
        "Tell me how {x} came to be.",
        "@ || What is the story there?",
        "@ || How did that come about?",
    ),
    _frame(
        r"(?:which|what) memor(?:y|ies) (?:belongs?|comes?) (?:to|with) (?P<x>.+)",
        "What do you remember when you think of {x}?",
        "@ || What do you remember of that?",
    ),
    _frame(
        r"how did you (?:first |originally |initially )?(?:get|come|fall) in ?to (?P<x>.+)",
        "What path led you to {x}?",
        "I'd love to hear how {x} came into your life.",
        "Take me back to how {x} began for you.",
        "@ || How did that begin for you?",
        "@ || What was your way in?",
        "@ || Take me back to the very beginning.",
        "Where does your own story with {x} begin?",
    ),
    _frame(
        r"how did you (?:first |originally )?(?:come to|end up|wind up) (?P<v>(?!in\b|with\b|at\b|on\b)[a-z]+ing .+)",
        "What path led you to {v}?",
        "Tell me how it came about that you were {v}.",
        "You ended up {v}. || How did that come about?",
    ),
    _frame(
        r"how did you (?:first )?come to (?P<v>[a-z]+ .+)",
        "What led you to {v}?",
        "So you {v_past}. || How did that come about?",
        "Tell me the story of how you came to {v}.",
        "@v_ing || How did that come about?",
    ),
    _frame(
        r"(?:how did you (?:first )?start|when did you (?:first )?start|how did you begin) (?P<v>[a-z]+ing .+)",
        "Take me back to when you began {v}.",
        "@v_ing || What did the beginning look like?",
        "What was going on when you first began {v}?",
    ),
    _frame(
        r"where (?:do|does|did) (?P<x>.+) come from",
        "What is the origin of {x}?",
        "How did {x} come about?",
        "@ || What was the origin of {them}?",
        "I'd love to know the origin of {x}.",
    ),
    _frame(
        r"how did (?P<x>(?:the|your|this|that|a|an) .+) (?:come about|begin|start|happen)",
        "What is the story of how {x} came to be?",
        "@ || What set {them} off?",
        "What got {x} going?",
    ),
    _frame(
        r"(?:how|where) did you (?:first )?learn (?:how )?to (?P<v>.+)",
        "@v_ing || How did you pick that up?",
        "Who or what taught you to {v}?",
        "How did you pick up {v_ing}?",
        "Take me back to how {v_ing} was learned in your case.",
    ),
    _frame(
        r"how did you get started (?:with )?(?P<x>.+)",
        "Take me back to your first steps in {x}.",
        "@ || How did that begin?",
        "What did the beginning look like when you took up {x}?",
    ),
    _frame(
        r"how did you (?:first )?learn (?P<x>(?:the|your|this|about) .+)",
        "Tell me how you came to know {x}.",
        "How did you pick up {x}?",
        "Who or what taught you {x}?",
    ),
    _frame(
        r"(?:what|who) first drew you (?:in)?to (?P<x>.+)",
        "What pulled you towards {x} in the beginning?",
        "@ || What was the attraction at the start?",
        "I wonder what the early appeal of {x} was for you.",
    ),
    # Processes.
    _frame(
        r"(?:can you |could you |please )?(?:walk|talk|take) me (?:through|over) how " + _CLAUSE,
        "I'd like to understand, one step at a time, how {c}.",
        "Let's look at how {c}. || Give me the whole sequence, start to finish.",
        "Let's slow down on how {c}. || What are the steps?",
        "Step by step, please describe how {c}.",
    ),
    _frame(
        r"(?:can you |could you |please )?(?:walk|talk|take) me (?:through|over) (?P<w>what|why) (?P<c>(?!happen).+)",
        "I'd like to understand, one step at a time, {w} {c}.",
        "Step by step, please describe {w} {c}.",
        "I'd love to hear in some detail {w} {c}.",
    ),
    _frame(
        r"(?:can you |could you |please )?(?:walk|talk|take) me (?:through|over) what happen(?:s|ed) (?P<t>.+)",
        "Describe step by step what goes on {t}.",
        "Think of what happens {t}. || Give me the whole sequence, start to finish.",
    ),
    _frame(
        r"(?:can you |could you |please )?(?:walk|talk|take) me (?:through|over|back to) "
        r"(?P<x>(?!what\b|why\b|how\b).+)",
        "Could you describe {x} from start to finish?",
        "Give me {x} one step at a time.",
        "@ || Give me the whole sequence, start to finish.",
        "@ || Describe it for me, one step after another.",
        "I'd love to hear about {x} in detail, from the first step to the last.",
    ),
    _frame(
        r"what does (?:a |an |your )?(?:typical|normal|usual|ordinary|average) (?P<d>day|week|month|morning|shift|year)"
        r"(?P<t>(?: (?:in|at|on|as|of|for|with) .+?)?) "
        r"look like"
        r"(?: for you| these days| now| from the inside)?",
        "Describe an ordinary {d}{t}.",
        "Say it's an ordinary {d}{t}. || How does it go for you?",
        "Take me through an average {d}{t}.",
    ),
    _frame(
        r"what does (?P<x>.+) look like (?:in practice|day to day|for you|on the ground|from the inside)",
        "Could you describe {x} as it really happens?",
        "@ || How does it work on an ordinary day?",
        "Describe {x} for me, the way it really is.",
    ),
    _frame(
        r"how (?:does|do) (?P<x>(?:the|a|an|your|this|that|these) .+) (?:actually )?work",
        "Could you explain the mechanics of {x} to me?",
        "@ || Explain the mechanics to me.",
        "Help me understand the way {x} {works}.",
    ),
    # Misunderstandings.
    _frame(
        r"what do (?P<who>(?!you\b)[a-z-]+(?: [a-z-]+){0,2}?)"
        r" (?:usually |often |still |most often )?(?:get wrong|misunderstand|get backwards|miss) about (?P<x>.+)",
        "Where do {who} go astray in how they see {x}?",
        "Which misunderstandings about {x} do you run into?",
        "I'm curious which mistaken ideas {who} have about {x}.",
        "@ || Where are {who} mistaken about {them}?",
        "@ || What would you most like to set straight?",
        "What would you like to set straight about {x}?",
    ),
    _frame(
        r"what do (?P<who>(?!you\b)[a-z-]+(?: [a-z-]+){0,2}?) "
        r"(?P<f>underestimate|overlook|forget|ignore|not understand|"
        r"not see|never see)(?: most)? about (?P<x>.+)",
        "What is it about {x} that {who} {f}?",
        "@ || What do {who} {f}?",
        "I'm curious what {who} {f} when it comes to {x}.",
    ),
    _frame(
        r"what (?:is|are) (?:the |a )?(?:biggest |most common )?(?:misconceptions?|myths?|misunderstandings?) "
        r"(?:people have )?about (?P<x>.+)",
        "What do people get wrong about {x}?",
        "@ || What do people tend to get wrong?",
        "Where do people have the wrong idea about {x}?",
    ),
    # Stories.
    _frame(
        r"(?:can you |could you |please )?(?:tell me about|describe|think of|recall) (?:a|one|the last|the first) "
        r"(?:specific |recent |particular )?"
        r"(?:time|moment|occasion|situation|day|case|instance) (?:when |where |that |in which )?" + _CLAUSE,
        "Is there an occasion that comes to mind when {c}, and what happened?",
        "I'd love an example of an occasion when {c}.",
        "Think of an occasion when {c}. || What happened there?",
        "There must be an occasion when {c}. || I'd love to hear that story.",
        "Pick one occasion when {c}, and give me the story.",
    ),
    _frame(
        r"what happened (?:next|then)",
        "And how did it go on from there?",
        "Where did things go from there?",
        "Tell me how it went on.",
    ),
    _frame(
        r"what (?:happened|came next|came) after " + _CLAUSE,
        "Let's pick up after {c}. || What came next?",
        "How did the story go on after {c}?",
        "Let's pick up after {c}. || How did things go on?",
        "I'd like to know how things went on after {c}.",
    ),
    _frame(
        r"what happened (?P<w>when|while|once) " + _CLAUSE,
        "Take me back to {w} {c}. || How did it play out?",
        "How did things play out {w} {c}?",
        "Describe for me how it went {w} {c}.",
    ),
    _frame(
        r"what happened to (?P<x>.+?) after (?P<y>.+)",
        "What became of {x} after {y}?",
        "Let's go to the time after {y}. || How did {x} fare?",
        "I wonder how {x} fared after {y}.",
    ),
    _frame(
        r"what (?:happened to|became of) (?P<x>.+)",
        "How did {x} turn out in the end?",
        "@ || How did {it} turn out?",
        "I wonder what became of {x}.",
    ),
    _frame(
        r"what happens (?P<w>when|if|once|after|before|during|in) (?P<c>.+)",
        "How do things play out {w} {c}?",
        "Describe for me how it goes {w} {c}.",
        "Let's say we are at the point {w} {c}. || How does it go?",
    ),
    _frame(
        r"what would surprise (?P<who>.+?) about (?P<x>.+)",
        "What would {who} not expect about {x}?",
        "@ || What would {who} not expect?",
    ),
    _frame(
        r"what does (?:nobody|no one) (?:ever )?ask (?:you )?about (?P<x>.+)",
        "Which question about {x} never comes up?",
        "@ || Which question never comes up?",
    ),
    # Reasons.
    _frame(
        r"why did you (?:decide|choose) (?P<t>(?:not )?to) (?P<v>.+)",
        "What was behind your decision {t} {v}?",
        "You decided {t} {v}. || What was the thinking?",
        "You decided {t} {v}. || I'd like to understand your reasons.",
        "What tipped the scales when you decided {t} {v}?",
    ),
    _frame(
        r"why did you (?P<v>[a-z]+ .+)",
        "What made you {v}?",
        "What were your reasons when you {v_past}?",
        "So you {v_past}. || What was behind that?",
        "So you {v_past}. || Help me understand the reason.",
        "I'd like to understand what made you {v}.",
    ),
    _frame(
        r"why didn['’]t you (?P<v>.+)",
        "What kept you from {v_ing}?",
        "You didn't {v}. || What was the reason?",
        "What held you back from {v_ing}?",
    ),
    _frame(
        r"why do you (?:still |always )?(?P<v>[a-z]+ .+)",
        "What makes you {v}?",
        "What is the reason you {v}?",
        "So you {v}. || What is the thinking behind that?",
        "I wonder what makes you {v}.",
    ),
    _frame(
        r"why (?:does|do|did) (?P<x>.+) matter(?:s)?(?: so much)?(?: to you)?",
        "@ || What makes {them} important?",
        "What is so important about {x}?",
        "Help me understand the importance of {x}.",
    ),
    _frame(
        r"why (?P<be>is|are|was|were) (?P<x>it|that|this|they|he|she) (?P<a>.+)",
        "What is it that makes {x} {a}?",
        "I'd like to understand why {x} {be} {a}.",
        "What is the reason {x} {be} {a}?",
    ),
    _frame(
        r"what made you (?:decide to |choose to |want to )?(?P<v>[a-z]+ .+)",
        "Why did you {v}?",
        "So you {v_past}. || What was behind that?",
        "I'd like to understand why you {v_past}.",
    ),
    _frame(
        r"why (?P<c>(?!(?:do|does|did|is|are|was|were|would|should|can|could|have|has|don't|didn't|doesn't|not)\b)"
        r"[\w -]+?)(?:,? (?:and not|rather than|instead of|over) (?P<o>.+))",
        "What spoke for {c} over {o}?",
        "You could have had {o}. || What spoke for {c}?",
        "I'm curious about the choice of {c} over {o}.",
    ),
    # Looking back.
    _frame(
        r"what would you do differently,? (?:if|when) (?P<c>.+)",
        "Suppose {c}. || What would you change?",
        "What would you change if {c}?",
        "Suppose {c}. || Which things would you handle another way?",
        "Which things would you handle another way if {c}?",
    ),
    _frame(
        r"what would you do differently(?P<t>(?: .+)?)",
        "What would you change{t}?",
        "With all that you know by now, what would you change{t}?",
        "Which things would you handle another way{t}?",
        "Imagine having it all to do over{t}. || What would you change?",
    ),
    _frame(
        r"what (?:has )?surprised you (?:the )?(?:most )?(?:about|in|with) (?P<x>.+)",
        "What was the biggest surprise about {x}?",
        "@ || What did you not see coming?",
        "@ || What caught you off guard?",
        "What did you not see coming about {x}?",
        "I wonder what about {x} caught you off guard.",
    ),
    _frame(
        r"what (?:has )?surprised you (?:the )?(?:most )?(?P<w>when|after|once|while) " + _CLAUSE,
        "Think back to the time {w} {c}. || What caught you off guard?",
        "What was the biggest surprise {w} {c}?",
        "What did you not see coming {w} {c}?",
    ),
    _frame(
        r"what did you (?:learn|take away|take) from (?P<x>.+)",
        "What lesson did {x} leave you with?",
        "@ || What lesson stayed with you?",
        "What do you know today because of {x}?",
        "I wonder what {x} taught you.",
    ),
    _frame(
        r"what (?:do|did) you wish (?:that )?(?P<who>people|more people|everyone|others|[a-z ]+?) "
        r"(?:knew|understood|had known) about (?P<x>.+)",
        "What should {who} know about {x}?",
        "@ || What should {who} understand about {them}?",
        "If {who} could understand one thing about {x}, what should it be?",
    ),
    _frame(
        r"what (?:do|did) you wish (?:that )?(?:you had known|someone had told you|you['’]d known) (?P<t>.+)",
        "What would have helped you to know {t}?",
        "Imagine you could send yourself a note {t}. || What would it say?",
    ),
    _frame(
        r"what (?:has )?changed since (?P<c>.+)",
        "What is different since {c}?",
        "Think of the time since {c}. || What is different now?",
    ),
    _frame(
        r"what changed (?P<w>when|after|once) (?P<c>.+)",
        "What became different {w} {c}?",
        "Think of the time after {c}. || What was different from before?",
    ),
    _frame(
        r"how (?:has|have) (?P<x>(?!you\b).+?) changed (?P<y>(?:the|your|how|what|you) ?.*)",
        "What effect {has} {x} had on {y}?",
        "@ || What {has} {it} done to {y}?",
        "What is different about {y} because of {x}?",
    ),
    _frame(
        r"how (?:has|have) (?P<x>(?!you\b).+?) changed(?P<t>(?: (?:since|over|in|for|during|with|because|as) .+)?)",
        "What is different about {x} now{t}?",
        "@ || What is different from how {it} used to be{t}?",
        "What shifts have you seen in {x}{t}?",
        "Tell me about the changes you have seen in {x}{t}.",
    ),
    _frame(
        r"how did (?P<x>.+?) (?:change|affect|influence|shape) (?P<y>your .+|the .+|how .+|you|what .+)",
        "What became different about {y} because of {x}?",
        "@ || What did {it} do to {y}?",
        "What effect did {x} have on {y}?",
    ),
    # Deciding and knowing.
    _frame(
        rf"how do you {_ADV}(?:know|tell) {_W} (?P<c>.+)",
        "What tells you {w} {c}?",
        "Which signs tell you {w} {c}?",
        "There is the matter of knowing {w} {c}. || What are the signs?",
    ),
    _frame(
        rf"how do you {_ADV}(?:decide|choose|judge|work out|figure out|determine) {_W} (?P<c>.+)",
        "What goes into deciding {w} {c}?",
        "There is always the question of {w} {c}. || How do you settle it?",
        "I'd like to hear how you work out {w} {c}.",
        "What tips the scales when it comes to {w} {c}?",
        "You must often weigh {w} {c}. || What does it come down to?",
    ),
    _frame(
        rf"how did you {_ADV}(?:decide|choose|work out|figure out|determine) {_W} (?P<c>.+)",
        "What went into deciding {w} {c}?",
        "There was the question of {w} {c}. || How did you settle it?",
        "I'd like to hear how you worked out {w} {c}.",
    ),
    _frame(
        rf"how did you {_ADV}(?:know|tell|realise|realize|notice) (?P<w>when|whether|that|it|if) (?P<c>.+)",
        "What told you {w} {c}?",
        "Which signs told you {w} {c}?",
        "I'd like to hear what gave you the idea {w} {c}.",
    ),
    _frame(
        rf"how do you {_ADV}(?:decide|settle) (?:on|about) (?P<x>.+)",
        "What guides your choice of {x}?",
        "@ || What does the choice come down to?",
        "I'm curious what goes into choosing {x}.",
    ),
    _frame(
        rf"how do you {_ADV}(?:choose|pick|select) (?P<x>.+)",
        "What guides your choice of {x}?",
        "@ || How do you make that choice?",
        "On what grounds do you settle on {x}?",
    ),
    _frame(
        r"how did you (?:decide|choose) to (?P<v>.+)",
        "You decided to {v}. || How did you arrive at that?",
        "What went into the decision to {v}?",
        "@v_ing || How did you arrive at that decision?",
    ),
    _frame(
        r"how did you (?:decide|settle) on (?P<x>.+)",
        "You settled on {x}. || How did you arrive at that?",
        "What went into choosing {x}?",
        "Tell me what went into the choice of {x}.",
    ),
    _frame(
        r"which (?P<n>numbers?|figures?|metrics?|measures?|signs?|signals?) (?:do you|would you) "
        r"(?:watch|track|look at|follow|trust|check|monitor|pay attention to)(?: (?:most|first|closely))*"
        r"(?P<t>(?: .+)?)",
        "If you could see only one {n1}{t}, which would it be?",
        "There must be many {n2} to look at{t}. || Which one counts?",
        "What is the one {n1} you keep an eye on{t}?",
        "Tell me about the {n1} that matters most to you{t}.",
    ),
    _frame(
        rf"what do you {_ADV}look (?:for|at) (?:first )?(?P<t>(?:in|when|before|while|at|on) .+)",
        "What catches your eye {t}?",
        "Where does your attention go {t}?",
        "I'd like to know what you pay attention to {t}.",
    ),
    _frame(
        r"how (?:do|can|would) you (?:know|tell) that (?P<c>.+)",
        "What tells you that {c}?",
        "Which signs tell you that {c}?",
        "Say {c}. || What are the signs of that?",
    ),
    _frame(
        r"how (?:do|can|would) you (?:recognise|recognize|spot) (?P<x>.+)",
        "What gives away {x}?",
        "@ || What are the signs?",
        "By which signs do you know {x}?",
    ),
    # Dealing with things.
    _frame(
        rf"how (?:do|would) you {_ADV}(?:handle|deal with|manage|cope with|respond to|react to|approach|act|react|"
        rf"respond|cope)(?: it| things)? when " + _CLAUSE,
        "Say {c}. || What do you do?",
        "What do you do when {c}?",
        "Describe how you go about things when {c}.",
    ),
    _frame(
        rf"how do you {_ADV}(?:handle|deal with|manage|cope with|respond to|react to|approach|tackle|navigate) "
        r"(?P<x>.+)",
        "What do you do about {x}?",
        "What is your way of dealing with {x}?",
        "@ || What do you do in that case?",
        "@ || How do you go about it?",
        "I'd like to hear what you do about {x}.",
    ),
    _frame(
        r"how did you (?:handle|deal with|manage|cope with|respond to|react to|approach|tackle|navigate) (?P<x>.+)",
        "What did you do about {x}?",
        "@ || What did you do about {them}?",
        "@ || How did you get through that?",
        "I'd like to hear what you did about {x}.",
    ),
    _frame(
        rf"what do you {_ADV}do (?P<w>when|if) " + _CLAUSE,
        "Say {c}. || How do you handle it?",
        "How do you handle it when {c}?",
        "Imagine {c}. || What is your next move?",
    ),
    _frame(
        rf"how do you {_ADV}(?P<v>[a-z]+ (?!about\b).+)",
        "How do you go about {v_ing}?",
        "What is your way of {v_ing}?",
        "@v_ing || How do you go about it?",
        "@v_ing || What is your way of doing that?",
        "@v_ing || Tell me how that works for you.",
    ),
    _frame(
        r"how did you (?:manage to |finally )?(?P<v>(?!feel|know|think)[a-z]+ (?!about\b).+)",
        "How did you go about {v_ing}?",
        "So you {v_past}. || How did you do it?",
        "So you {v_past}. || How did that come about?",
        "Take me back to {v_ing}. || How did it go?",
        "Tell me the story of how you {v_past}.",
    ),
    _frame(
        r"what did you do (?P<w>when|after|once|while) " + _CLAUSE,
        "Take me to the moment {w} {c}. || How did you respond?",
        "How did you respond {w} {c}?",
        "Tell me what your response was {w} {c}.",
    ),
    # Meaning.
    _frame(
        r"what (?:do|did) you mean (?:by|when you (?:say|said)) " + _Q.format("q") + r"(?: there| exactly| here)?",
        'When you say "{q}", what is behind it?',
        'How would you explain "{q}" to somebody else?',
        'You used the words "{q}". || What do they stand for?',
        'You used the words "{q}". || Could you unpack that for me?',
        'Help me understand "{q}".',
        'Could you put "{q}" another way for me?',
    ),
    # Advice and future.
    _frame(
        r"what (?:advice )?would you (?:tell|say to|give(?: to)?|advise) "
        r"(?P<who>(?:a|an|someone|somebody|your|the|people|"
        r"young|new|another|other|anyone)\b(?: (?!about\b)[\w'’-]+)*)(?P<t>(?: about .+)?)",
        "What advice do you have for {who}{t}?",
        "What would you want {who} to know{t}?",
        "Picture {who}. || What should they hear from you{t}?",
        "If you could pass one thing on to {who}{t}, what would it be?",
        "Suppose you are talking to {who}. || What advice do you give{t}?",
    ),
    _frame(
        r"what would you (?:want|like) (?P<who>.+?) to (?:know|understand) about (?P<x>.+)",
        "What should {who} know about {x}?",
        "Picture {who}. || What should they know about {x}?",
        "@ || What should {who} know about {them}?",
    ),
    _frame(
        r"what(?:['’]s| is| comes) next for (?P<x>(?!you\b).+)",
        "@ || Where do things go from here?",
        "What are the plans for {x} from here on?",
        "Tell me where {x} {goes} from here.",
    ),
    _frame(
        r"what(?:['’]s| is| comes) next(?: for you)?",
        "Where do things go from here?",
        "What are you planning from here on?",
        "Tell me what the plans are from here on.",
    ),
    _frame(
        r"where do you see (?P<x>.+?) (?:going|heading|headed|in (?P<t>.+ years|the future|the years to come))"
        r"(?: from here| next)?",
        "What do you think lies ahead for {x}?",
        "@ || What do you think lies ahead?",
        "How do you picture the future of {x}?",
    ),
    _frame(
        r"what are you (?:working on|planning) (?:next|now)",
        "Where do you go from here?",
        "Tell me what you have coming up.",
    ),
    _frame(
        r"what worries you (?:the )?(?:most )?about (?P<x>.+)",
        "Which concerns do you have about {x}?",
        "@ || What is your greatest concern?",
        "What about {x} keeps you up at night?",
    ),
    _frame(
        r"how will (?P<x>.+?) (?:look|be) (?P<t>(?:in|a) .+)",
        "What do you expect of {x} {t}?",
        "Let's jump ahead: {x} {t}. || What do you see?",
        "Tell me how you picture {x} {t}.",
    ),
    # Qualities.
    _frame(
        r"what (?P<be>is|was) it like (?P<t>(?:to|when|for|in|at|with|being|on|as|[a-z]+ing) ?.+)",
        "How {did} it feel {t}?",
        "Put me in the scene: how {did} it feel {t}?",
        "I'd like to hear what it {felt} like {t}.",
    ),
    _frame(
        r"what (?P<be>was) (?:the |your )?(?:hardest|most difficult|toughest|trickiest|most challenging) "
        r"(?:part|thing|bit|aspect|side) (?:of|about|in) (?P<x>.+)",
        "Which side of {x} gave you the most trouble?",
        "@ || Where did it get really hard?",
        "@ || What gave you the most trouble?",
        "What did you find tough about {x}?",
        "I wonder what made {x} so difficult at its worst.",
    ),
    _frame(
        r"what(?:['’]s| is| has been) (?:the |your )?(?:hardest|most difficult|toughest|trickiest|most challenging) "
        r"(?:part|thing|bit|aspect|side) (?:of|about|in) (?P<x>.+)",
        "Which side of {x} gives you the most trouble?",
        "@ || Where does it get really hard?",
        "@ || What gives you the most trouble?",
        "What do you find tough about {x}?",
        "I wonder where {x} {gets} really difficult.",
    ),
    _frame(
        r"what (?:was) (?:the |your )?(?:best|most rewarding|most enjoyable|most satisfying|favou?rite) "
        r"(?:part|thing|bit|aspect|side) (?:of|about|in) (?P<x>.+)",
        "What did you enjoy most about {x}?",
        "@ || Which side of it gave you the most joy?",
        "I'd love to hear what gave you joy in {x}.",
    ),
    _frame(
        r"what(?:['’]s| is| has been) (?:the |your )?(?:best|most rewarding|most enjoyable|most satisfying|favou?rite) "
        r"(?:part|thing|bit|aspect|side) (?:of|about|in) (?P<x>.+)",
        "What do you enjoy most about {x}?",
        "@ || Which side of it gives you the most joy?",
        "I'd love to hear what gives you joy in {x}.",
    ),
    _frame(
        r"what(?:['’]s| is| was| has been) (?:the |your )?(?:biggest|worst|greatest|most (?:serious|expensive|costly)) "
        r"(?P<n>mistake|challenge|problem|risk|change|fear|difficulty|obstacle|lesson|failure|regret)"
        r"(?P<t>(?: .+)?)",
        "If you had to name a single {n}{t}, which one would it be?",
        "There must be more than one {n}{t}. || Which one tops the list?",
        "Which {n}{t} stands out above the others?",
    ),
    _frame(
        r"what makes (?:a|an) (?:good|great|really good) (?P<x>.+)",
        "How do you recognise a good {x}?",
        "What sets a good {x} apart from the rest?",
        "Picture a really good {x}. || What sets it apart?",
        "Which qualities does a good {x} need?",
    ),
    _frame(
        r"what makes (?P<x>(?:the|a|an|your|this|these|it|[a-z]+ing) .+?) "
        r"(?P<a>so )?(?P<b>difficult|hard|different|special|"
        r"good|dangerous|risky|unique|interesting|worthwhile)(?P<t>(?: .+)?)",
        "@ || Why {is} {it} so {b}{t}?",
        "In what way {is} {x} {b}{t}?",
        "I'm curious why {x} {is} so {b}{t}.",
    ),
    _frame(
        r"what role (?:does|do) (?P<x>.+?) (?:play|played) (?P<i>in|for) (?P<y>.+)",
        "How {does} {x} come into {y}?",
        "Let's talk about {y}. || How {does} {x} come into it?",
        "What {does} {x} contribute to {y}?",
    ),
    _frame(
        r"what (?P<be>is|was|are|were) (?P<x>(?:the|your|a|an) .+?) like(?: at first| in the beginning)?",
        "How would you describe {x}?",
        "@ || How would you describe {them}?",
        "Describe {x} for me.",
    ),
    _frame(
        r"what(?:['’]s| is| was) (?:the |your )?(?:main |real )?difference between "
        r"(?P<x>.+? and .+?)(?P<t>(?: (?:for|to) you)?)",
        "How do {x} differ{t}?",
        "Let's compare {x}. || Where do they part ways{t}?",
        "In what way are {x} not the same{t}?",
    ),
    _frame(
        r"what(?:['’]s| is) (?P<x>(?:the|your) (?:one|single|first|last|main|most \w+|\w+est)\b .+)",
        "If I asked you to name {x}, what comes to mind?",
        "Could you name {x} for me?",
    ),
    _frame(
        r"what keeps you (?P<x>(?!up\b)[a-z]+ing .+)",
        "Why do you go on {x}?",
        "So you are still {x}. || What makes you stay with it?",
        "I'd like to understand why you go on {x}.",
    ),
    # Persons, places, quantities.
    _frame(
        r"who (?:else )?(?:was|were|is|are) (?P<c>involved|with you|there|in the room|around you)(?P<t>(?: .+)?)",
        "Which people were {c}{t}?",
        "Tell me about the people {c}{t}.",
        "You were hardly alone{t}. || Which people played a part?",
    ),
    _frame(
        r"who (?:first )?taught you (?P<t>to |how to )?(?P<x>.+)",
        "Tell me about the person you learned {x_ing} from.",
        "@x_ing || From whom did you learn it?",
        "Was there a teacher behind {x_ing}, and who was it?",
    ),
    _frame(
        r"who (?:has )?(?P<v>(?:influenced|helped|inspired|shaped|supported|encouraged|changed|convinced)) (?P<y>.+)",
        "Is there a person who {v} {y}, and who was it?",
        "Tell me about the people who {v} {y}.",
    ),
    _frame(
        r"when did you (?:first )?(?P<v>(?:realise|realize|know|notice|understand|see|decide|discover|learn) .+)",
        "At what point did you {v}?",
        "Take me to the moment you {v_past}.",
        "At some point you {v_past}. || When was that?",
        "At some point you {v_past}. || Take me to that moment.",
    ),
    _frame(
        r"when do you (?P<v>(?!first|think|feel)[a-z]+ .+)",
        "In which cases do you {v}?",
        "Now and then you {v}. || When does it come to that?",
        "Under what circumstances do you {v}?",
    ),
    _frame(
        r"how long (?:does|did|do) it (?:usually )?take (?:you )?to (?P<v>.+)",
        "How much time goes into {v_ing}?",
        "@v_ing || What kind of time are we talking about?",
        "I'd like to know how much time {v_ing} takes.",
    ),
    _frame(
        r"(?:can you |could you |please )?give (?:me )?(?:an|one|a (?:recent|concrete|specific)) example "
        r"(?P<t>of|when|where) "
        r"(?P<x>.+)",
        "Could you make that concrete with one case {t} {x}?",
        "I'd love to hear one case {t} {x}.",
        "What would be a case {t} {x}?",
    ),
    _frame(
        r"(?:is|was) there (?:anything|something) (?:else )?(?:that )?(?:I|we) "
        r"(?:haven['’]t|didn['’]t|should have|forgot to) "
        r"(?:ask(?:ed)?|cover(?:ed)?|talk(?:ed)? about|discuss(?:ed)?)(?: you)?(?: yet)?(?P<t>(?: about .+?)?)"
        r"(?: that .+)?",
        "What have I missed{t}?",
        "Which question were you hoping for{t}?",
        "If there is a piece we left out{t}, please tell me.",
    ),
    _frame(
        r"(?:can you |could you |please |would you )?(?:tell me|say|talk) (?:a bit |a little |something |some )?"
        r"(?:more )?about (?P<x>.+)",
        "What can you say about {x}?",
        "I'd love to hear more about {x}.",
        "@ || I'd love to hear more.",
        "@ || What should I know about {them}?",
        "Describe {x} for me.",
    ),
    _frame(
        r"(?:can you |could you |please |would you )?(?:describe|explain) (?P<x>(?:the|your|a|an|this|that) .+)",
        "Paint me a picture of {x}.",
        "Tell me about {x}.",
    ),
)

# Forms that fit nearly anything; tried when no kind above does.
_FINITE = "|".join(sorted(FINITE))
_MODAL = r"(?:would|could|can|will|have|has|are|were|should)"
LOOSE_FRAMES = (
    _frame(
        r"which (?P<n>(?!one\b|of\b)[\w-]+(?: (?!of\b)[\w-]+)*?) (?:do|would do) you (?P<v>.+)",
        "Is there {a_n} that you {v}, and which is it?",
        "There must be {a_n} that you {v}. || Which one comes to mind?",
        "I imagine there is {a_n} that you {v}. || I'd love to hear about it.",
        "Tell me about {a_n} that you {v}.",
    ),
    _frame(
        r"which (?P<n>(?!one\b|of\b)[\w-]+(?: (?!of\b)[\w-]+)*?) did you (?P<v>.+)",
        "Was there {a_n} that you {v_past}, and which was it?",
        "There must have been {a_n} that you {v_past}. || Which one comes to mind?",
        "I imagine there was {a_n} that you {v_past}. || I'd love to hear about it.",
        "Tell me about {a_n} that you {v_past}.",
    ),
    _frame(
        rf"which (?P<n>(?!one\b|of\b)[\w-]+(?: (?!of\b)[\w-]+)*?) (?P<m>{_MODAL}) you (?P<r>.+)",
        "Is there {a_n} that you {m} {r}, and which is it?",
        "There must be {a_n} that you {m} {r}. || Which one comes to mind?",
        "I imagine there is {a_n} that you {m} {r}. || I'd love to hear about it.",
    ),
    _frame(
        rf"which (?P<n>(?!one\b|of\b)[\w-]+(?: [\w-]+){{0,4}}?) (?P<r>(?:still |never |always )?"
        rf"(?:{_FINITE}|is|was|are|were|would|could|will)\b .+)",
        "Is there {a_n} that {r}, and which is it?",
        "There must be {a_n} that {r}. || Which one comes to mind?",
        "I imagine there is {a_n} that {r}. || I'd love to hear about it.",
        "Tell me about {a_n} that {r}.",
    ),
    _frame(
        r"what do you (?P<v>(?!think|feel|mean|call|like|make|expect|want|need|say)[a-z]+ .{8,})",
        "Can you name something that you {v}?",
        "There must be something you {v}. || What is it?",
        "I take it there are things you {v}. || I'd love to hear about those.",
        "I'm curious about the things you {v}.",
    ),
    _frame(
        r"what did you (?P<v>(?!think|feel|mean|call|like|make|expect|want|say)[a-z]+ .{8,})",
        "Can you name something that you {v_past}?",
        "There must be something you {v_past}. || What was it?",
        "I take it there were things you {v_past}. || I'd love to hear about those.",
        "I'd like to know about the things you {v_past}.",
    ),
    _frame(
        rf"what (?P<m>{_MODAL}) you (?P<r>(?!like|do\b|say|think)[a-z]+ .{{8,}})",
        "Can you name something that you {m} {r}?",
        "There must be something you {m} {r}. || What is it?",
        "I take it there is something you {m} {r}. || I'd love to hear about it.",
    ),
    _frame(
        r"what do (?P<who>(?!you\b)[a-z]+s|people) (?P<r>(?!think|say|mean|do\b|want|need|expect).{8,})",
        "There are things {who} {r}. || What are they?",
        "Can you name something {who} {r}?",
        "I'm curious about the things {who} {r}.",
    ),
    _frame(
        rf"what (?P<r>(?:still |never |always |almost |nearly |usually |often )?"
        rf"(?!happen|is\b|was\b|did\b|does\b|do\b|else|about)(?:{_FINITE})\b .{{6,}})",
        "Can you name something that {r}?",
        "There must be something that {r}. || What is it?",
        "I take it there is something that {r}. || I'd love to hear about it.",
    ),
    _frame(
        rf"who (?:else )?(?P<r>(?:first |still |never )?(?:{_FINITE})\b .+)",
        "Is there a person who {r}, and who is it?",
        "There must be someone who {r}. || Who comes to mind?",
        "Tell me about the person who {r}.",
    ),
)

CLASH = _frame(
    r".*" + _Q.format("a") + r".*" + _Q.format("b") + r"(?:[^\"“”]*"
    r"(?:fit|square|both|together|which|reconcil|true|contradict|agree|change)[^\"“”]*|[^\w\"“”]*)",
    'You told me "{a}", and you also told me "{b}". || How do you square the two?',
    'There is "{a}", and there is "{b}". || Help me put those two together.',
    'I am holding two things you said: "{a}" and "{b}". || How can both be right?',
    'How does "{a}" go together with "{b}"?',
    'At one point I heard "{a}", at another "{b}". || How do those two live side by side?',
)

QUOTED_SETUPS = (
    'You said "{q}" a while ago.',
    'There is something you said: "{q}".',
    'I noted your words "{q}".',
    'Let me pick up "{q}".',
)

WRITTEN_SETUPS = (
    'You wrote "{q}".',
    'You wrote "{q}" in what you told about yourself.',
    'Before we met, you wrote "{q}".',
    'You wrote "{q}", and I would like to know more.',
)

SAID = re.compile(
    r"(?:earlier,? |before,? )?you "
    r"(?:(?P<wrote>wrote)|said|mentioned|told me|talked about|described|spoke of|called it|used the words?) "
    r"(?:that )?" + _Q.format("q") + r"[^\w\"“”]*(?:earlier|before)?[^\w\"“”]*(?:and |but |so )?(?P<rest>\w[^\"“”]+)$",
    re.IGNORECASE,
)
