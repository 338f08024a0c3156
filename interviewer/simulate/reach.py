"""Which details a question reaches: rare words it shares with a detail, its cues, its kind, the thread of talk."""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TypeVar

from interviewer.matching.text import content_words, plain, words
from interviewer.simulate.dossier import Detail, Dossier, Kind

T = TypeVar("T")

REACHED = 0.8  # a detail with this score answers the question; tuned on the questions of the tests
WORD, CUE, CUES_AT_MOST, OF_KIND = 0.6, 1.0, 2.0, 0.85  # worth of a shared word, a cue, all cues, the kind
NEXT, NEAR, SAME_PLACE = 1.2, 0.5, 0.05  # worth of lying after, or beside, what was told last
NAMED = 1.0  # rarity of the words by which a question names something told before
IN_THE_TOPIC = 0.35  # a word of the topic itself points nowhere in particular

_ASKING: dict[Kind, str] = {
    "origin": r"(?:get|got|come|came|led|brought|drew) (?:you )?into|(?:led|brought) you to|"
    r"(?:get|got) (?:you )?started|how did (?:it|that|this|all|you|things) .{0,30}(?:start|begin|come about)|"
    r"come about|came about|"
    r"where did .{0,40}begin|in the beginning|background|first (?:started|began|step)",
    "routine": r"typical|ordinary day|day[- ]to[- ]day|routine|usual(?:ly)?|step by step|walk (?:me|us) through|"
    r"every (?:day|week)|in practice|how does .{0,40} work|what does .{0,40} look like",
    "figure": r"how (?:many|much|long|often|far|big|large|old|fast)|number|figures?|percent\w*|costs?|amount|"
    r"how high|measur\w+|quantity|statistics?",
    "decision": r"decisions?|decide[ds]?|choose|chose|choices?|trade-?offs?|turning point|opt(?:ed)? for|settled? on|"
    r"make differently|do differently",
    "failure": r"(?:go|goes|went|gone|going) (?:\w+ )?(?:wrong|badly)|fail\w*|mistakes?|broke|disasters?|worst|"
    r"didn't work|did not work|doesn't work|let you down|backfire\w*|regret\w*",
    "objection": r"(?:get|gets|got|getting) (?:it )?wrong|misunderst\w+|misconceptions?|obstacles?|in the way|"
    r"critic\w*|annoys?|overlook\w*|underestimat\w*|objections?|push ?back|hardest|problems?|difficult\w*",
    "workaround": r"work ?arounds?|get around|instead|cope|deal with|handle|solve[ds]?|tricks?|short ?cuts?|"
    r"fix(?:ed)?|improvis\w*|way out|make do|manage (?:that|it|when)",
    "distrust": r"distrust\w*|mistrust|trust|suspicious|sceptical|skeptical|wary|believe|doubt\w*|rely|verify|"
    r"double[- ]check",
    "people": r"who|whom|colleagues?|team|mentors?|disagree\w*|family|friends?|clients?|customers?|someone|anyone|"
    r"other people|others",
    "tool": r"tools?|software|equipment|technolog\w+|method|instruments?|what do you use",
    "feeling": r"feel|feels|felt|feeling|emotion\w*|enjoy\w*|scar\w+|frustrat\w+|proud|love|hate|fear\w*|worry|worried",
    "surprise": r"surpris\w*|unexpected\w*|didn't expect|did not expect|expected|odd|strange\w*|unusual|astonish\w*",
    "contrast": r"differen(?:t|ce|ces)|compar\w*|versus|contrast|changed|used to|better or worse|then and now",
    "advice": r"advice|advise|newcomers?|beginners?|recommend\w*|starting out|younger self|lessons?|"
    r"tell (?:some(?:one|body)|people|a \w+)|learned|should know|differently",
    "future": r"future|next (?:year|few|for|step)|changes? next|coming|years from now|plan|plans|hope|wish|"
    r"what's next|what is next|comes next|look(?:ing)? ahead",
    "example": r"examples?|instance|specific|a time (?:when|that|it)|concrete\w*|a moment|a story|one occasion",
    "reason": r"why|reasons?|what made|what makes|how come",
}
_KINDS = {kind: re.compile(rf"\b(?:{pattern})\b") for kind, pattern in _ASKING.items()}
_ASIDE: frozenset[Kind] = frozenset({"example", "reason"})  # "an example of a failure" asks for a failure
_GOES_ON = re.compile(
    r"\b(?:what happened (?:next|then|after\w*)|and then|then what|what came next|tell me more|go on|keep going|how so|"
    r"say (?:a (?:bit|little) )?more|why (?:was|is) that|why not|expand on|what do you mean|what was that like|"
    r"more about (?:that|it|this)|and after that|how did (?:that|it) (?:end|turn out)|"
    r"what did you do (?:then|next|about))\b"
)
_SAYS_LITTLE = frozenset(
    """ask asked bit came come comes day did does doing done everything feel felt find found give go goes going gone
    good got happen happened happens hear interested know lot made make makes making mean moment most one part people
    person place really said say says see something sort start started take talk tell think thing things thought
    time times today told took use used using walk want wanted way ways went work worked working year years kind
    like curious wondering through first last still ever always never look looks mind point anything someone
    describe explain share example story understand right wrong next back long many little big""".split()
)


@dataclass(frozen=True, slots=True)
class Question:
    """A question as the guest takes it: stems of its words, the kinds it asks for, whether it follows on."""

    text: str
    stems: frozenset[str]
    telling: frozenset[str]
    kinds: frozenset[Kind]
    goes_on: bool


@dataclass(frozen=True, slots=True)
class Match:
    """A detail and how well a question fits it; from REACHED on the question reaches it."""

    detail: Detail
    score: float


def understand(text: str) -> Question:
    """What a question asks for."""
    folded = plain(text)
    kinds = frozenset(kind for kind, pattern in _KINDS.items() if pattern.search(folded))
    return Question(
        text=text,
        stems=frozenset(map(stem, words(text))),
        telling=frozenset(stem(word) for word in content_words(text) - _SAYS_LITTLE),
        kinds=kinds - _ASIDE or kinds,
        goes_on=_GOES_ON.search(folded) is not None,
    )


def stem(word: str) -> str:
    """`word` without its commonest English endings: enough to let "failed" meet "failures"."""
    word = word.removesuffix("'s")
    for ending, least in (("ing", 6), ("ed", 5), ("ies", 5), ("es", 5), ("s", 4), ("ly", 6), ("ure", 6)):
        if word.endswith(ending) and len(word) >= least and not word.endswith("ss"):
            word = word.removesuffix(ending) + ("y" if ending == "ies" else "")
            break
    word = word.removesuffix("e") if len(word) > 3 else word
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sl" else word


class Reach:
    """The details of one dossier, ready to be ranked against questions."""

    def __init__(self, dossier: Dossier) -> None:
        self._details = dossier.details
        self._place = {detail.id: number for number, detail in enumerate(dossier.details)}
        self._topic = frozenset(map(stem, content_words(dossier.topic)))
        self._texts = [frozenset(map(stem, content_words(detail.text))) for detail in dossier.details]
        self._cues = [tuple(frozenset(map(stem, words(cue))) for cue in detail.cues) for detail in dossier.details]
        self._rarity = self._rarities(list(self._spoken_and_cued()))
        self._cue_rarity = self._rarities([frozenset(cues) for cues in self._cues])

    def rank(self, question: Question, thread: Collection[str] = (), told: Collection[str] = ()) -> list[Match]:
        """Every detail, best first; ties go by the order of the dossier.

        `thread`: ids of what was told last. `told`: ids of all that was told.
        """
        follows = self._follows(question, thread, told)
        found = [Match(detail, self._score(number, question, follows)) for number, detail in enumerate(self._details)]
        return sorted(found, key=lambda match: -match.score)

    def beside(self, ids: Collection[str]) -> list[Detail]:
        """The details that lie next to these: what continues them first, then what they continue."""
        after = [detail for detail in self._details if detail.after in ids]
        before = {detail.after for detail in self._details if detail.id in ids}
        return after + [detail for detail in self._details if detail.id in before]

    def _score(self, number: int, question: Question, follows: frozenset[str]) -> float:
        spoken = sum(self._weight(word) for word in sorted(question.telling & self._texts[number]))
        cued = sum(self._cue_rarity[cue] for cue in self._cues[number] if cue <= question.stems)
        kind = OF_KIND if self._details[number].kind in question.kinds else 0.0
        return WORD * spoken + min(CUES_AT_MOST, CUE * cued) + kind + self._near(number, question, follows)

    def _near(self, number: int, question: Question, follows: frozenset[str]) -> float:
        detail = self._details[number]
        after = NEXT if detail.after in follows else 0.0
        if not question.goes_on:
            return SAME_PLACE if after else 0.0
        gap = min((abs(number - self._place[key]) for key in sorted(follows)), default=99)
        return after or (NEAR / gap if 0 < gap <= 2 else 0.0)

    def _follows(self, question: Question, thread: Collection[str], told: Collection[str]) -> frozenset[str]:
        # "Tell me more about the references" follows on from the references, told long ago or not.
        named = frozenset(
            detail.id
            for detail, text in zip(self._details, self._texts, strict=True)
            if detail.id in told and sum(map(self._weight, sorted(question.telling & text))) >= NAMED
        )
        return named or frozenset(thread)

    def _weight(self, word: str) -> float:
        return self._rarity.get(word, 0.0) * (IN_THE_TOPIC if word in self._topic else 1.0)

    def _spoken_and_cued(self) -> Iterator[frozenset[str]]:
        for text, cues in zip(self._texts, self._cues, strict=True):
            yield text.union(*cues)

    def _rarities(self, sets: list[frozenset[T]]) -> dict[T, float]:
        total = len(sets)
        spread = Counter(item for group in sets for item in group)
        return {item: math.log(1 + total / count) / math.log(1 + total) for item, count in spread.items()}
