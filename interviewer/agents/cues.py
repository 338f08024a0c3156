"""The words that give a telling sentence away, by kind. Chosen here, by reading interviews; English only."""

from typing import Literal

from interviewer.matching.text import STOP_WORDS

Kind = Literal[
    "unfinished",
    "withheld",
    "loaded",
    "workaround",
    "distrust",
    "turning_point",
    "objection",
    "decision",
    "feeling",
    "vague",
    "insight",
    "story",
    "contrast",
    "figure",
    "comparison",
    "hedge",
]

_NO_NOUN = "|".join(sorted(word for word in STOP_WORDS if "'" not in word))


def _any(lines: str) -> str:
    """One alternative or more a line, as one regular expression; `'` stands for either apostrophe."""
    return "|".join(line.strip() for line in lines.strip().splitlines()).replace("'", "['’]")


# How telling a kind is, 0 to 5, for ranking only; and its cues.
CUES: dict[Kind, tuple[float, str]] = {
    "unfinished": (
        5.0,
        _any(
            r"""
            (?:a|an|another)(?: whole)?(?: other| different| long| longer)? story(?= *(?:[.,;!…—–-]|but|$))
            story for another (?:day|time)
            (?:won't|not going to|don't want to) (?:go|get) into (?:it|that|this|all|detail)
            long story short|but anyway|don't get me started|let's not go there
            (?:we can|i'll|i can) (?:get|come) (?:back )?to that
            """
        ),
    ),
    "withheld": (
        5.0,
        _any(
            r"""
            for (?:various|several|a number of|a lot of|lots of|many|some|other) reasons?
            for (?:obvious|historical|political|personal) reasons?
            (?:various|certain) (?:factors|circumstances|constraints|reasons)
            there (?:was|were) reasons|it's complicated
            (?:can't|shouldn't) (?:really )?say (?:too )?much
            """
        ),
    ),
    "loaded": (
        4.0,
        r"(?:(?:a|an|the|this|that|some|my|our|his|her|their) )?"
        r"(?:gnarly|hairy|messy|ugly|weird|odd|strange|bizarre|crazy|insane|painful|brutal|nasty|scary|awful|horrible|"
        r"terrible|ridiculous|embarrassing|stupid|clever|sneaky|tricky|thorny|wild|absurd|dirty|unusual|surprising|dark|"
        rf"hard-won) (?!(?:{_NO_NOUN}|lot|lots|deep|good|much|many|enough|stuff)\b)[a-z][\w-]+",
    ),
    "workaround": (
        4.0,
        _any(
            r"""
            work(?:ed|ing|s)? ?-?around|get(?:ting)? around|got around|a hack|hack(?:ed|s)|duct[- ]tape|by hand
            trick (?:was|is)|(?:my|our) trick|cheat(?:ed|ing)?|shortcut|sneak(?:ed)?|bent the rules|on the side
            behind (?:their|his|her|the) backs?|under the radar|in the end,? (?:we|i) (?:used|went with|just)
            """
        ),
    ),
    "distrust": (
        4.0,
        _any(
            r"""
            (?:don't|do not|never|didn't|wouldn't|can't|cannot|no longer) (?:really |quite |just )?(?:trust(?:ed)?|rely)
            (?:don't|never|didn't) (?:really |quite )?(?:believe[d]?(?: in)?|buy) (?:it|that|into|those|the|anyone)
            distrust\w*|suspicious of|sceptical|skeptical|wary of|overrated|a myth|snake oil|is nonsense
            (?:took|take) (?:it|that|this) with a
            """
        ),
    ),
    "turning_point": (
        4.0,
        _any(
            r"""
            (?:then|when|until|and|eventually|finally|suddenly) (?:i|we|they|he|she) (?:realis|realiz|notic|discover)\w*
            (?:then|until|and|eventually|finally|suddenly) (?:i|we) (?:understood|figured|found out|saw that)
            turned out|turns out|it (?:hit (?:me|us)|dawned|clicked)|changed (?:my|our) minds?|everything changed
            that(?: was|'s) (?:the moment|when|the point|what changed)|wake-?up call|turning point
            from (?:that|then) (?:day|moment|point|on)
            """
        ),
    ),
    "objection": (
        3.5,
        _any(
            r"""
            push(?:ed|ing)? ?back|object(?:ed|ion|ions) to|disagree[ds]?|argu(?:ed|ing|ment) (?:with|about|against|over)
            (?:people|everyone|everybody|they|somebody|someone) (?:told|kept telling|warned|laughed at) (?:me|us)
            (?:people|everyone|everybody|they|he|she) (?:said|thought) (?:i|we|it|that)|complain(?:ed|s|ing)
            nobody (?:believed|wanted|thought|agreed)|against (?:my|our|all) (?:better|advice)
            """
        ),
    ),
    "decision": (
        3.0,
        _any(
            r"""
            (?:we|i|they|he|she)(?:'ve| have| had)? (?:\w+ )?(?:decided|chose|chosen|opted|picked|refused|insisted)
            (?:we|i|they|he|she)(?:'ve| have| had)? (?:\w+ )?(?:settled on|went with|gave up|ended up|switched|dropped)
            (?:we|i|they|he|she)(?:'ve| have| had)? (?:\w+ )?(?:threw (?:out|away)|ripped (?:it )?out|abandoned|killed)
            """
        ),
    ),
    "feeling": (
        3.0,
        _any(
            r"""
            (?:i|we) (?:\w+ )?(?:hated?|loved?|feared?|dread(?:ed)?|regret(?:ted)?|cried|panicked|enjoy(?:ed)?|missed)
            (?:i|we) (?:\w+ )?(?:worry|worried) (?:that|about)|nightmare|painful|heartbreaking|frustrating
            (?:was|were|felt|feel|am|i'm|got|became) (?:\w+ )?(?:afraid|ashamed|proud|angry|furious|terrified|scared)
            (?:was|were|felt|feel|am|i'm|got|became) (?:\w+ )?(?:frustrat\w+|exhausted|lonely|guilty|nervous)
            (?:was|were|felt|feel|am|i'm|got|became) (?:\w+ )?(?:excited|sad|thrilled|devastated|relieved|burne?d? out)
            """
        ),
    ),
    "vague": (
        3.0,
        _any(
            r"""
            a whole (?:thing|other thing|bunch of things)|stuff like that|that kind of (?:thing|stuff)|and so on
            (?:some|a few|certain|various) (?:issues?|problems?|challenges|difficulties|hiccups|lessons)
            something (?:went wrong|happened)|went wrong|fell apart|didn't (?:quite |really )?work(?: out)?
            it (?:just )?(?:got|gets|became|was|is) (?:\w+ )?(?:complicated|messy|tricky|difficult|a mess|ugly|weird)
            """
        ),
    ),
    "insight": (
        2.5,
        _any(
            r"""
            the (?:real |main |whole |only |big(?:gest)? )?(?:point|thing|trick|problem|key|secret|lesson) (?:is|was)
            the (?:real |main |whole |only |big(?:gest)? )?(?:challenge|barrier|question|difference|mistake) (?:is|was)
            what (?:matters|counts|people|most|nobody|no one)|most people|(?:i|we)(?:'ve)? (?:learn(?:ed|t)|believe)
            you (?:have|need) to|you can't|never|always|nobody|the (?:more|less|better) \w+|that's why|the reason
            in (?:hindsight|retrospect)|rule of thumb
            """
        ),
    ),
    "story": (
        2.5,
        _any(
            r"""
            i remember|one (?:day|night|morning|time|evening|of the first)|the first time|at (?:that|the) time
            last (?:week|month|year|summer|winter|spring|night)|(?:years|months|weeks|days) (?:ago|later)
            (?:back )?in (?:early |late )?(?:19|20)\d\d|there was (?:a|an|this|one)|when i (?:was|first|got|started)
            the next (?:day|morning)|once,? (?:i|we)|(?:he|she|they) (?:called|came|asked|looked at|showed|said)
            """
        ),
    ),
    "contrast": (
        2.0,
        _any(
            r"""
            but(?! also)|actually|instead|except|although|even though|on the other hand|the opposite|ironically|oddly
            strangely|surprisingly|contrary to|used to
            """
        ),
    ),
    "figure": (
        2.0,
        _any(
            r"""
            [$€£]\s?\d[\d.,]*(?:\s?(?:k|m|bn|million|billion|thousand))?
            (?!(?:19|20)\d\ds?\b)\d[\d.,]*(?:\s?(?:%|percent|per cent|x\b|k\b))?(?: [a-z]+)?
            (?:half|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty) (?:of|a|an|hours?|days?)
            (?:two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty) (?:weeks?|months?|years?)
            (?:two|three|four|five|six|ten|twenty|thirty|fifty|a hundred|a dozen) (?:people|times|percent|million)
            """
        ),
    ),
    "comparison": (
        1.5,
        _any(
            r"""
            (?:more|less|fewer|better|worse|easier|harder) (?:\w+ )?than|(?:bigger|smaller|higher|lower) (?:\w+ )?than
            (?:faster|slower|cheaper) (?:\w+ )?than
            (?:twice|three times|ten times|half) (?:as|the)|the (?:best|worst|biggest|largest|hardest|fastest|only) \w+
            """
        ),
    ),
    "hedge": (
        1.5,
        _any(
            r"""
            sort of|kind of|kinda|more or less|in a way|i guess|i suppose|probably|maybe|to some extent|somehow
            not entirely|not exactly|almost|i'm not sure|supposedly|apparently
            """
        ),
    ),
}
