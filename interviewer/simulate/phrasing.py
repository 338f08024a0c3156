"""Words a planned question the way people do: what it asks for stays, how it is said changes."""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from interviewer.matching.text import asks, sentences, words
from interviewer.simulate import english, frames
from interviewer.simulate.synonyms import swap


@dataclass(frozen=True, slots=True)
class Phrased:
    """A question ready to be said: `ask` is the sentence that asks, `setup` sentences before it, or empty."""

    ask: str
    setup: str = ""


# How often a question of a known kind gets another wording of that kind; the rest stays nearer to the plan.
_FRAMED = 0.75
_NEAR = ("{planned}?", "{planned}?", "So, {lower}?", "And {lower}?", "Tell me, {lower}?", "I'd like to ask: {lower}?")
_EMBEDDED = (
    "I'd love to hear {clause}.",
    "I'm curious {clause}.",
    "Could you tell me {clause}?",
    "Help me understand {clause}.",
    "I'd like to know {clause}.",
    "I'm wondering {clause}.",
    "Would you share with me {clause}?",
)
_CASES = ("Say {clause}.", "Picture it: {clause}.", "Let's take the case that {clause}.")
_PAST_CASES = ("Think back to the time when {clause}.", "Let's go back to when {clause}.")
_SINGULAR = {name: name for name in ("it", "is", "gets", "works", "has", "does", "goes")} | {"them": "it"}
_PLURAL = {
    "it": "they",
    "them": "them",
    "is": "are",
    "gets": "get",
    "works": "work",
    "has": "have",
    "does": "do",
    "goes": "go",
}
_JOINS = "how|what|why|when|where|who|which|to whom|did|do|was|is|has|have|does|would"
_WH = re.compile(r"(?:how|what|why|when|where|who|which)\b", re.IGNORECASE)


def rephrase(planned: str, rng: random.Random) -> Phrased:
    """`planned` in other words, or now and then nearly as it stands.

    A plan's text of several sentences keeps what comes before the question as the setup; several questions in one
    stay together. Long questions are asked nearly as they stand: a person would read them out too.
    """
    bare = planned.strip().rstrip("?. ")
    if made := _clashing(bare, rng) or _said(bare, rng):
        return made
    context, question = _split(planned)
    if context:
        inner = rephrase(question, rng) if len(sentences(question)) == 1 else Phrased(question)
        return replace(inner, setup=f"{context} {inner.setup}".strip())
    if len(sentences(planned)) > 1 or len(planned.split()) > 40:
        return Phrased(planned)
    return _reworded(planned, rng)


def _split(planned: str) -> tuple[str, str]:
    parts = sentences(planned)
    first = next((part for part in parts if asks(part.text)), None)
    if first is None or first.start == 0:
        return "", planned
    return planned[: first.start].strip(), planned[first.start :].strip()


def _clashing(bare: str, rng: random.Random) -> Phrased | None:
    """Two things the guest said that do not sit together."""
    found = frames.CLASH.pattern.match(bare)
    if not found or rng.random() > _FRAMED:
        return None
    return _worded(rng.choice(frames.CLASH.wordings), dict(found.groupdict()), rng)


def _said(bare: str, rng: random.Random) -> Phrased | None:
    """A question that starts from the guest's own words: they become the setup."""
    found = frames.SAID.match(bare)
    if not found:
        return None
    inner = rephrase(english.upper_first(found["rest"]) + "?", rng)
    setups = frames.WRITTEN_SETUPS if found["wrote"] else frames.QUOTED_SETUPS
    quoted = rng.choice(setups).format(q=found["q"].rstrip(".,"))
    return replace(inner, setup=quoted if not inner.setup else f"{quoted} {inner.setup}")


def _reworded(planned: str, rng: random.Random) -> Phrased:
    bare = planned.strip().rstrip("?. ")
    if re.search(rf",? (?:and|or) (?:{_JOINS})\b", bare):
        return _twofold(bare, rng) or _near(planned, bare, rng)
    framed = None if re.search(r" [-–—] |[:;]", bare) else _framed(bare, rng)
    dice = rng.random()
    if framed and dice < _FRAMED:
        return framed
    ways = (_lead_first, _case_first, _topic_first, _embedded) if dice < 0.86 else (_embedded,)
    made = next((phrased for way in _shuffled(ways, rng) if (phrased := way(bare, rng))), None)
    if made and dice < 0.93:
        return made
    return _near(planned, bare, rng)


def _twofold(bare: str, rng: random.Random) -> Phrased | None:
    """`What did you stop, and why`: both halves move into the clause, or neither does."""
    halves = re.split(rf",? and (?=(?:{_JOINS})\b)", bare)
    if len(halves) != 2 or rng.random() > _FRAMED:
        return None
    short = re.fullmatch(r"how|why|when|where|to whom", halves[1])
    first, second = english.embed(halves[0]), halves[1] if short else english.embed(halves[1])
    if not first or not second:
        return None
    return Phrased(swap(rng.choice(_EMBEDDED).format(clause=f"{first}, and {second}"), rng))


def _shuffled(
    ways: tuple[Callable[[str, random.Random], Phrased | None], ...], rng: random.Random
) -> list[Callable[[str, random.Random], Phrased | None]]:
    return sorted(ways, key=lambda _: rng.random())


def _near(planned: str, bare: str, rng: random.Random) -> Phrased:
    if not planned.rstrip().endswith("?") or not english.opens_as_question(bare):
        return Phrased(swap(planned.strip(), rng))
    text = rng.choice(_NEAR).format(planned=bare, lower=english.lower_first(bare))
    return Phrased(swap(text, rng))


def _embedded(bare: str, rng: random.Random) -> Phrased | None:
    clause = english.embed(bare)
    if clause:
        return Phrased(swap(rng.choice(_EMBEDDED).format(clause=clause), rng))
    doubt = english.whether(bare)
    return Phrased(swap(f"I wonder {doubt}.", rng)) if doubt else None


def _case_first(bare: str, rng: random.Random) -> Phrased | None:
    """`How do you price it when nobody has a budget`: the case is put first, then the question."""
    found = re.match(r"(.{12,}?),? (when|if) ((?:you|it|they|the|a|an|your|nobody|someone|people) .+)$", bare)
    # "decide when ..." asks for the moment itself, so it cannot be taken as given.
    if not found or not _WH.match(bare) or re.search(r"\b(decide|know|tell|judge|choose|see|find out)$", found[1]):
        return None
    if found[2] == "if":
        setup = f"Suppose {found[3]}."
    else:
        setup = rng.choice(_PAST_CASES if english.PASTS.intersection(words(bare)) else _CASES).format(clause=found[3])
    return Phrased(swap(f"{found[1]} then?", rng), setup)


def _lead_first(bare: str, rng: random.Random) -> Phrased | None:
    """`If you could keep one, which would it be`: the case becomes a sentence of its own."""
    if found := re.match(r"((?:take|think of|pick|imagine|picture|suppose) .+): ((?:how|wh).+)$", bare, re.I):
        return Phrased(swap(english.upper_first(found[2]) + "?", rng), f"{found[1]}.")
    found = re.match(
        r"(if|when) ((?:you|it|they|the|a|an|your|nobody|someone|people) [^,]+), ((?:how|wh)[^,]+)$", bare, re.I
    )
    if not found:
        return None
    setup = "Suppose {}." if found[1].lower() == "if" else rng.choice(("Think of when {}.", "Picture this: {}."))
    return Phrased(swap(english.upper_first(found[3]) + "?", rng), setup.format(found[2]))


def _topic_first(bare: str, rng: random.Random) -> Phrased | None:
    """`What did you expect from the first season`: the topic is named first, then the question refers to it."""
    found = re.match(
        r"(.{12,} (?:about|with|from|for|behind)) "
        r"((?:the|your|these|those|their|his|her) [\w'’-]+(?: (?:of )?[\w'’-]+){0,4})$",
        bare,
    )
    if not found or not _WH.match(bare) or not _is_name(found[2]):
        return None
    setup = _naming(found[2], rng)
    return Phrased(swap(f"{found[1]} {'them' if english.is_plural(found[2]) else 'it'}?", rng), setup)


def _is_name(topic: str) -> bool:
    """Whether the words look like a plain noun phrase, without a clause in it or a verb at its end."""
    clause = r"\b(that|which|who|when|where|if|is|was|you|as|do|does|did|to|than|like|more)\b"
    vague = r"\b(time|there|inside|outside|beginning|middle|start|end|way)\b"
    return not re.search(f"{clause}|{vague}", topic) and not any(word in english.VERBS for word in topic.split())


def _naming(topic: str, rng: random.Random) -> str:
    """A sentence that brings up `topic`."""
    if re.match(r"(?:an?|some|someone|somebody|one) ", topic):
        return rng.choice(frames.NEW_TOPIC_SETUPS).format(x=topic)
    short = len(topic.split()) <= 4 and "," not in topic
    return rng.choice(frames.TOPIC_SETUPS + frames.SHORT_TOPIC_SETUPS * short).format(x=topic)


def _framed(bare: str, rng: random.Random) -> Phrased | None:
    for frame in frames.FRAMES + frames.LOOSE_FRAMES:
        found = frame.pattern.match(bare)
        if not found:
            continue
        slots = _slots({name: value or "" for name, value in found.groupdict().items()})
        wordings = [wording for wording in frame.wordings if _fits(wording, slots)]
        return _worded(rng.choice(wordings), slots, rng) if wordings else None
    return None


def _fits(wording: str, slots: dict[str, str | None]) -> bool:
    needed = [_topic_slot(wording), *re.findall(r"{(\w+)}", wording)]
    # A topic with a comma in it only reads well at the end of a sentence.
    if "," in (slots.get("x") or "") and re.search(r"{x}[^?.]", wording):
        return False
    return all(name is None or slots.get(name) is not None for name in needed)


def _topic_slot(wording: str) -> str | None:
    """The slot that `@` stands for: `x`, or the one named after it."""
    return (wording[1 : wording.index(" ")] or "x") if wording.startswith("@") else None


def _worded(wording: str, slots: dict[str, str | None], rng: random.Random) -> Phrased:
    before, _, after = wording.rpartition("||")
    topic = _topic_slot(wording)
    setup = _naming(slots[topic] or "", rng) if topic else before.strip().format_map(slots)
    return Phrased(swap(english.upper_first(after.strip().format_map(slots)), rng), english.upper_first(setup))


def _slots(slots: dict[str, str]) -> dict[str, str | None]:
    """The words of a pattern, and the forms that agree with them."""
    filled: dict[str, str | None] = dict(slots)
    _agree(filled, slots.get("x", ""))
    if verb := slots.get("v"):
        filled["v_ing"] = english.inflect(verb, "gerund")
        filled["v_past"] = english.inflect(verb, "past")
    if slots.get("t", "").strip() in {"to", "how to"}:
        filled["x_ing"] = english.inflect(slots.get("x", ""), "gerund")
    elif "x" in slots:
        filled["x_ing"] = slots["x"]
    if noun := slots.get("n"):
        singular = noun.removesuffix("s")
        filled |= {"n1": singular, "n2": f"{singular}s", "a_n": english.with_article(noun)}
    filled |= {"did": "did", "felt": "felt"} if slots.get("be") == "was" else {"did": "does", "felt": "feels"}
    return filled


def _agree(filled: dict[str, str | None], topic: str) -> None:
    plural = english.is_plural(topic)
    filled |= dict(_PLURAL if plural else _SINGULAR)
