"""English patterns of the form of a question: what it asks for, of whom, what only carries it to the guest."""

import re

AUX = r"(?:do|does|did|is|are|was|were|have|has|had|will|would|can|could|should)"
SHORT = (("n't", " not"), ("'s", " is"), ("'d", " would"), ("'re", " are"), ("'ve", " have"), ("'ll", " will"))
ASPECTS = tuple(
    (name, re.compile(rf"\b(?:{pattern})\b"))
    for name, pattern in (
        (
            "reason",
            r"why|how come|what (?:was|is|lay|lies) behind|reasons?|rationale|"
            r"what (?:made|makes|drove|drives|prompted|motivat\w+|convinced|persuaded|tipped|spoke for|gave rise)|"
            r"what for|"
            r"thinking behind|(?:what|which) path|what led",
        ),
        ("amount", r"how (?:many|much|long|often|big|large|old|far|soon|frequently)|what (?:share|proportion)|cost"),
        ("person", r"who|whom|whose|(?:which|what) (?:person|people)|is there (?:a person|anyone|anybody|someone)"),
        (
            "time",
            r"when (?:do|does|did|was|were|is|are|will|would)|what (?:year|time|date|moment|point)|at (?:what|which) "
            r"(?:point|moment)|take me to the moment|when was",
        ),
        ("place", r"where (?:do|does|did|was|were|is|are)"),
        (
            "manner",
            r"how (?:do|does|did|would|can|could|is|are|was|were|you|to|it|they|the|your|have|has|will)|way of|"
            r"go(?:es)? about|what (?:is|was) your (?:way|method|approach|trick)|step by step|"
            r"(?:walk|talk|take) me (?:through|over)|process|sequence|method",
        ),
        (
            "origin",
            r"(?:brought|led|drew|got) you|(?:get|got|come|came|fall|fell) (?:in ?to|about)|began?|beginning|origins?|"
            r"(?:what|which) path|story|come from|came from|way in|how it all|set off|start(?:ed)?",
        ),
        ("likeness", r"(?:was|is) (?:it|that|this) like|feel(?:s|ing)?|felt"),
        ("thing", r"what|which|something|anything|things"),
    )
)
# Answers of one kind may answer questions of the other.
AKIN = frozenset(
    frozenset(pair)
    for pair in (
        ("reason", "thing"),
        ("manner", "thing"),
        ("manner", "likeness"),
        ("likeness", "thing"),
        ("place", "thing"),
        ("time", "thing"),
        ("person", "thing"),
        ("place", "time"),
        ("manner", "place"),
    )
)
STARTS = re.compile(
    r"^(?:(?:so|and|but|okay|ok|well|right|now|then|or|tell me|also|yeah|mm|hm)[, ]+)*"
    r"(?:(?:how|what|why|when|where|who|which)\b|"
    rf"{AUX} (?:you|it|they|he|she|there|the|your|that|this|anyone|anybody)\b)"
)
TO_ME = (
    r"(?: (?:me|us|with me|with us|for me|for us|something|a bit|a little|more|about|to|through|understand|see|know|"
    r"back|in some detail|that concrete with))*"
)
SAY = r"(?:tell|share|describe|explain|say|give|help|walk|talk|take|paint|outline|speak|expand|show|name|think of)"
CARRIER = re.compile(
    r"(?:"
    r"(?:so|and|but|okay|ok|well|right|then|or|also|yeah|yes|mm|hm|mm-hm|great|sure|interesting|wow|oh|alright|"
    r"actually|finally|lastly)\b[,.! ]*"
    rf"|(?:can|could|would|will|might) (?:you|we) (?:please |maybe |just |also |perhaps )?(?!name|think){SAY}\b{TO_ME}"
    r"|(?:can|could|may) i (?:just |also )?ask(?: you)?\b(?: about)?"
    r"|(?:can|could) you (?:name|think of)(?: something| someone| somebody| one| anything)?\b(?: that| who| which)?"
    r"|if i (?:asked|were to ask) you (?:to name|for|about)?\b"
    rf"|(?:please )?{SAY}\b{TO_ME}"
    r"|let me ask(?: you)?(?: this| about)?\b"
    r"|i(?:'d| would)? (?:really |just |also )?(?:love|like|want|wanted)(?: for)?(?: you)? to "
    r"(?:hear|know|understand|learn|ask|see|get|explore|tell|talk|explain|walk|describe)\b"
    r"(?: (?:me|us|you|about|a picture of|a sense of|more|through|of|back|to|from you))*"
    r"|i(?:'d| would) love (?=an?\b)"
    r"|i(?:'m| am| was|'d be| would be) (?:really |just |very |also )?(?:curious|wondering|interested|keen)\b"
    r"(?: (?:about|in|to (?:hear|know|learn|understand|see)))*"
    r"|i(?:'d| would)? (?:do )?wonder\b(?: about)?"
    r"|i (?:take it|imagine|suppose|guess|assume)\b(?: that)?"
    r"|there (?:must|may|might|will|has to) (?:be|have been)\b|there(?:'s| is| are| was| were)\b"
    r"|(?:is|are|was|were) there\b"
    r"|(?:something|someone|somebody|anything|things) (?:that|who|which)\b"
    r"|(?:with|on|about|you said|you mentioned)? ?[\"“][^\"”]*[\"”](?: in mind)?(?:[,:]| ?[-–—])"
    r")[,: ]*"
)
REPORTED = re.compile(
    r"\b(?:(?:he|she|they|people|everybody|everyone|somebody|someone|listeners?|friends?|nobody|we|others|guests?|"
    r"colleagues?|\w+ers?|\w+ist) (?:\w+ )?(?:ask(?:s|ed)?|wonder(?:s|ed)?|want(?:s|ed)? to know)|"
    r"(?<!if )i (?:once |usually |often |always |just |never |already |recently )?"
    r"(?:asked|ask (?:him|her|them|everyone|people|my)|wondered)|"
    r"i(?:'ll| will| won't| am going to|'m going to|'m not going to| was going to| meant to| could| should|"
    r" might| had planned to| wanted to) (?:not )?(?:ask|get to|come to)|"
    r"(?:asked|told) (?:me|us) (?:how|why|what|when|where|who|whether)|"
    r"you(?:'ve| have)? (?:already )?(?:told|explained|described|answered|covered)(?: to)? (?:me |us )?"
    r"(?:how|why|what|when|where|who)|"
    r"(?:not|never|won't|don't want to|no need to) (?:ask|talk|go into|get into)|"
    r"(?:the )?question (?:of )?(?:how|why|what|whether|when|who) .* (?:is|was|came|comes|has|will)|"
    r"(?:later|next time|another day|some other time))\b"
)
PAST = frozenset("did was were had".split())
PRESENT = frozenset("do does is are am".split())
FUTURE = frozenset("will would could shall".split())
PRONOUNS = "you|they|he|she|anyone|anybody|everyone|everybody|nobody|somebody|someone|people"
OWNED = "the|a|an|your|my|our|their|his|her|these|those"
ACTOR = re.compile(
    rf"\b(?:{AUX}|how|what|why|when|where|whether|if|that|who|which)(?: not)? "
    rf"((?:{PRONOUNS})\b|(?:{OWNED}) [\w'-]+)"
    r"|\b(?:do|does|did)(?: not)? (?!it\b|that\b|this\b|there\b|you\b)([\w'-]+)"
)
MANNERS = frozenset("way ways method approach sense view idea reason reasons thinking take opinion thoughts".split())
JOINT = re.compile(
    r",? (?:and|or) "
    r"(?=(?:how|what|why|when|where|who|which|to whom|did|do|does|was|were|is|are|has|have|would|could)\b)"
)
"""Where a second question begins in a sentence."""
WH_VERB = re.compile(rf"(?:who|what|which [\w-]+)\b(?! {AUX}\b)(?! (?:{OWNED}|{PRONOUNS})\b)")
OPENER = re.compile(r"\b(?:how (?:much|many|long|often|far|old|big)|how|why|when|where|who|what|which|whether)\b")
CLAUSE = re.compile(r"[,;:]\s+|\s+[-–—]+\s+|\s*—\s*|\s+(?=even though\b|especially\b|because\b|although\b)")
WISH = re.compile(
    r"(?:so |and |well, |okay, )*i(?:'d| would| really| am|'m) .{0,24}\b"
    r"(?:know|hear|understand|learn|explain|interested in|curious|wonder\w*|tell me|describe)\b"
)
