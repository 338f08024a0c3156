"""Just enough English grammar to turn a question round: verb forms, embedded clauses, pronouns."""

import re

_PAST = dict(
    pair.split(":")
    for pair in (
        "become:became begin:began bend:bent bite:bit bleed:bled blow:blew break:broke bring:brought "
        "build:built buy:bought catch:caught choose:chose come:came cost:cost cut:cut deal:dealt dig:dug do:did "
        "draw:drew drive:drove eat:ate fall:fell feed:fed feel:felt fight:fought find:found fly:flew forget:forgot "
        "freeze:froze get:got give:gave go:went grow:grew hang:hung have:had hear:heard hide:hid hit:hit "
        "hold:held keep:kept "
        "know:knew lay:laid lead:led learn:learned leave:left lend:lent let:let lose:lost make:made mean:meant "
        "meet:met pay:paid put:put quit:quit read:read rebuild:rebuilt rethink:rethought ride:rode rise:rose run:ran "
        "say:said see:saw sell:sold send:sent set:set shift:shifted show:showed shut:shut sit:sat sleep:slept "
        "speak:spoke spend:spent split:split spread:spread stand:stood steal:stole stick:stuck strike:struck "
        "swear:swore take:took teach:taught tell:told think:thought throw:threw understand:understood "
        "wake:woke wear:wore win:won write:wrote rewrite:rewrote undo:undid overcome:overcame withdraw:withdrew"
    ).split()
)
_REGULAR = frozenset(
    "accept achieve act adapt add adjust admit adopt agree aim allow answer apply approach argue arrange arrive ask "
    "assess avoid bake balance believe belong borrow call calm care carry cause change charge check claim clean close "
    "collect compare complain connect consider control convince cook cope count create cross decide define deliver "
    "depend describe design develop die disagree discover discuss drop earn encourage end enjoy ensure escape estimate "
    "evaluate expect experiment explain face fail fear feature fill finish fire fit fix focus follow gain gather guide "
    "handle happen harvest hate help hire hope identify ignore imagine improve include influence inspect introduce "
    "invent invest involve join judge justify kill lack land last launch listen live look love maintain manage "
    "matter measure mention migrate mix motivate move name need negotiate notice offer open order organise organize "
    "own pack pass pick plan plant play prepare present press prevent price print produce promise protect prove "
    "publish pull push raise reach react realise realize recognise recognize recover reduce refuse reject release rely "
    "remain remember remove repair replace report require rescue resolve respond restore return reveal "
    "review roll save scale "
    "seem separate serve settle share shape ship show skip solve sort start stay steer stop store study succeed suffer "
    "suggest support surprise survive switch talk test touch trace track train transform treat trust try turn use "
    "value visit wait walk want warn wash watch weigh wish wonder work worry".split()
)
VERBS = _REGULAR | frozenset(_PAST)
_DOUBLED = frozenset("stop plan drop ship admit skip fit".split())
_DOUBLED_ING = _DOUBLED | frozenset("begin cut dig forget get hit let put quit run set shut sit split win".split())
_ADVERBS = (
    "ever|still|first|usually|normally|typically|actually|really|always|often|also|now|even|then|personally|finally"
)
_SUBJECT = r"you|it|they|he|she|we|that|this|there"
_AUX = (
    r"is|are|was|were|has|have|had|can|could|will|would|should|might|do|does|did"
    r"|isn't|aren't|wasn't|weren't|hasn't|haven't|can't|couldn't|won't|wouldn't|shouldn't|don't|doesn't|didn't"
)
_WH = r"how|what|why|when|where|who|whom|whose|which"
_RUNS_ON = re.compile(rf"[.?!:;]| - |, (?:{_WH}|{_AUX})\b")
_ASKS = re.compile(rf"(?:{_WH}|{_AUX})\b", re.IGNORECASE)
_DETERMINER = r"the|your|an?|this|that|these|those|most|other|many|some"
_PEOPLE = frozenset("people children men women others staff police".split())


def past(verb: str) -> str:
    """The simple past of a base verb: `take` gives `took`."""
    if verb in _PAST:
        return _PAST[verb]
    if verb in _DOUBLED:
        return f"{verb}{verb[-1]}ed"
    if verb.endswith("e"):
        return f"{verb}d"
    return f"{verb[:-1]}ied" if re.search(r"[^aeiou]y$", verb) else f"{verb}ed"


def third(verb: str) -> str:
    """The third person singular of a base verb: `watch` gives `watches`."""
    if verb == "have":
        return "has"
    if re.search(r"(s|x|z|ch|sh|o)$", verb):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if re.search(r"[^aeiou]y$", verb) else f"{verb}s"


def gerund(verb: str) -> str:
    """The -ing form of a base verb: `run` gives `running`."""
    if verb in _DOUBLED_ING:
        return f"{verb}{verb[-1]}ing"
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    return f"{verb[:-1]}ing" if re.search(r"[^eoy]e$", verb) else f"{verb}ing"


FINITE = frozenset(past(verb) for verb in VERBS) | frozenset(third(verb) for verb in VERBS)

PASTS = frozenset(past(verb) for verb in VERBS) - VERBS | {"was", "were", "had"}


def inflect(phrase: str, form: str) -> str | None:
    """A verb phrase in base form with its verb in `form`: past, third or gerund. None when unsure of it."""
    found = re.match(rf"((?:(?:{_ADVERBS}) )*)([a-z]+)(.*)$", phrase)
    if not found or found[2] not in VERBS or _has_second_verb(found[3]):
        return None
    verb = {"past": past, "third": third, "gerund": gerund}[form](found[2])
    return f"{found[1]}{verb}{found[3]}"


def _has_second_verb(rest: str) -> bool:
    joined = re.findall(r"(?:,| and| or| but) ([a-z]+)", rest)
    return any(word in VERBS for word in joined)


def embed(question: str) -> str | None:
    """A question as the clause after "I'd like to hear": `How did you get there?` gives `how you got there`.

    None for a question whose build is not certain, so that nobody hears broken grammar.
    """
    asked = lower_first(question.rstrip("?. "))
    if not re.match(rf"(?:{_WH})\b", asked) or _RUNS_ON.search(asked):
        return None
    return _inverted(asked) or _named(asked) or _copula(asked) or _subject_question(asked)


def whether(question: str) -> str | None:
    """A yes-no question as the clause after "I wonder": `Did you stay?` gives `whether you stayed`."""
    asked = lower_first(question.rstrip("?. "))
    found = re.match(rf"({_AUX}) ({_SUBJECT}) (.+)$", asked)
    # "is this program": the pronoun may be a determiner; a determiner after it rules that out.
    if found and found[2] in {"this", "that"} and not re.match(r"(?:your|an?|the|something|why|how)\b", found[3]):
        return None
    clause = _clause(found[2], found[1], found[3]) if found and not _RUNS_ON.search(asked) else None
    return f"whether {clause}" if clause else None


def _inverted(asked: str) -> str | None:
    found = re.match(rf"((?:{_WH})(?: (?!(?:{_AUX})\b)[\w'’-]+){{0,6}}) ({_AUX}) ({_SUBJECT})\b ?(.*)$", asked)
    # "what was that like": the pronoun may be a determiner ("that day"), which only a verb list can tell.
    if not found or (found[3] in {"that", "this"} and found[2] not in {"do", "does", "did"}):
        return None
    clause = _clause(found[3], found[2], found[4])
    return f"{found[1]} {clause}" if clause else None


def _clause(subject: str, aux: str, rest: str) -> str | None:
    if aux == "do":
        return f"{subject} {rest}"
    if aux in {"did", "does"}:
        verb = inflect(rest, "past" if aux == "did" else "third")
        return f"{subject} {verb}" if verb else None
    return f"{subject} {aux} {rest}".strip()


def _named(asked: str) -> str | None:
    """`how does the weather change` : the subject is the words up to the first verb."""
    found = re.match(rf"((?:{_WH})(?: (?!(?:{_AUX})\b)[\w'’-]+){{0,4}}) (do|does|did) (.+)$", asked)
    words = found[3].split() if found else []
    at = next((i for i, word in enumerate(words) if word in VERBS), 0)
    named = at and (re.fullmatch(_DETERMINER, words[0]) if at > 1 else words[0] in _PEOPLE or words[0].endswith("s"))
    if not found or not named or at > 3:
        return None
    # Two in a row ("the experiment matter"): one of them is a noun, and it is not certain which.
    if at + 1 < len(words) and words[at + 1] in VERBS:
        return None
    clause = _clause(" ".join(words[:at]), found[2], " ".join(words[at:]))
    return f"{found[1]} {clause}" if clause else None


def _copula(asked: str) -> str | None:
    found = re.match(r"(what|who) (is|was|are|were) ((?:the|your|a|an) [^,]+)$", asked)
    if not found or len(found[3].split()) > 7 or re.search(r"\b(you|that|who|which|when|if|like)\b", found[3]):
        return None
    return f"{found[1]} {found[3]} {found[2]}"


def _subject_question(asked: str) -> str | None:
    found = re.match(rf"(what|who) (?!(?:{_AUX}|else|about|kind|sort)\b)([a-z]+) (?!(?:{_AUX})\b)\S+", asked)
    if not found:
        return None
    return asked if found[2] in FINITE and not re.search(r"\b(do|does|did) you\b", asked) else None


def opens_as_question(text: str) -> bool:
    """Whether the first word is one that questions start with."""
    return _ASKS.match(text) is not None


def lower_first(text: str) -> str:
    """`text` with a small first letter, unless the first word is a name, an acronym or "I"."""
    first = text.split(" ", 1)[0]
    keeps = re.match(r"I(?!\w)", first) or (len(first) > 1 and any(c.isupper() for c in first[1:]))
    return text if keeps or not text else text[0].lower() + text[1:]


def upper_first(text: str) -> str:
    """`text` with a capital first letter."""
    return text[:1].upper() + text[1:]


def with_article(noun: str) -> str:
    """A noun phrase with "a" or "an", or with "some" when it is plural."""
    if is_plural(noun):
        return f"some {noun}"
    return f"{'an' if noun[:1].lower() in 'aeio' else 'a'} {noun}"


def is_plural(phrase: str) -> bool:
    """Whether a noun phrase is plural: its last noun before any preposition ends in -s. A gerund is singular."""
    words = re.split(r" (?:of|in|for|with|at|on|to|from|that|who|which|when|about|between|by|during) ", phrase)[
        0
    ].split()
    if not words or re.fullmatch(r"[a-z]{2,}ing", words[0]):
        return False
    if re.search(r" and ", phrase) and not re.match(r"(the|your|a|an) ", phrase):
        return True
    noun = words[-1].lower().strip("'’\"”")
    return noun in _PEOPLE or bool(re.search(r"[^sui']s$", noun))
