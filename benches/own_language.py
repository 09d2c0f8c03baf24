#!/usr/bin/env python3
"""Sentences with facts about the places of words: relative clauses, questions, and structures deeper than those learned from.

    benches/own_language.py DIR [--renamed]

Writes DIR/places.train.tsv and DIR/places-KIND.test.tsv for each kind of sentence that training lacks.
A relative clause refers back to what it belongs to: `Emma saw the cat that Liam fed .` says `* cat ( x _ 3 ) ; see . agent (
x _ 1 , Emma ) AND see . theme ( x _ 1 , x _ 3 ) AND cat . nmod ( x _ 3 , x _ 6 ) AND feed . agent ( x _ 6 , Liam ) AND feed . theme ( x _ 6 , x _ 3 )`.
With --renamed no number is written as one.
"""

import random
import sys

NAMES = "Emma Liam Olivia Noah Ava Lucas Mia Ethan Zoe Leo".split()
NOUNS = "cat dog cake box girl boy hero judge cookie ring table tree bed car house garden".split()
TRANSITIVE = {"saw": "see", "fed": "feed", "liked": "like", "found": "find", "touched": "touch", "held": "hold", "painted": "paint"}
PASSIVE = {"seen": "see", "fed": "feed", "liked": "like", "found": "find", "touched": "touch", "held": "hold", "painted": "paint"}
BARE = {"see": "see", "feed": "feed", "like": "like", "find": "find", "touch": "touch", "hold": "hold", "paint": "paint"}
ALONE = {"slept": "sleep", "ran": "run", "smiled": "smile", "laughed": "laugh"}
GIVING = {"gave": "give", "sent": "send", "sold": "sell"}
SAYING = {"said": "say", "thought": "think", "hoped": "hope"}
NEAR = ["on", "in", "beside"]


class Sentence:
    """Words, and the facts about their places."""

    def __init__(self):
        self.words, self.definite, self.facts = [], [], []

    def word(self, word):
        self.words.append(word)
        return len(self.words) - 1

    def fact(self, head, role, owner, other):
        self.facts.append((owner, len(self.facts), f"{head} . {role} ( x _ {owner} , {self.name(other)} )"))

    @staticmethod
    def name(other):
        return other if isinstance(other, str) else f"x _ {other}"

    def pair(self):
        facts = [f"* {noun} ( x _ {place} ) ;" for place, noun in sorted(self.definite)]
        facts += " AND ".join(text for _, _, text in sorted(self.facts)).split()
        return " ".join(self.words + ["."]), " ".join(facts)


def noun_phrase(s, r, depth, how):
    """A name, or a noun with what belongs to it; the place or the name."""
    if how is None and r.random() < 0.4:
        name = r.choice(NAMES)
        s.word(name)
        return name
    is_definite, noun = r.random() < 0.5, r.choice(NOUNS)
    s.word("the" if is_definite else "a")
    place = s.word(noun)
    if is_definite:
        s.definite.append((place, noun))
    else:
        s.facts.append((place, len(s.facts), f"{noun} ( x _ {place} )"))
    if how == "pp" and depth > 0:
        near = r.choice(NEAR)
        at = len(s.facts)
        s.facts.append(None)
        s.word(near)
        inner = noun_phrase(s, r, depth - 1, "pp")
        s.facts[at] = (place, at, f"{noun} . nmod . {near} ( x _ {place} , {s.name(inner)} )")
    if how in ("rc", "subject-rc", "object-rc") and depth > 0:
        relative(s, r, noun, place, depth, how)
    return place


def relative(s, r, noun, place, depth, how):
    """`that Liam fed`, or `that fed Liam`."""
    at = len(s.facts)
    s.facts.append(None)
    s.word("that")
    is_object = how == "object-rc" or how == "rc" and r.random() < 0.5
    inner = (lambda: noun_phrase(s, r, depth - 1, how if depth > 1 else None))
    if is_object:
        subject = inner()
    verb, head = r.choice(list(TRANSITIVE.items()))
    own = s.word(verb)
    s.facts[at] = (place, at, f"{noun} . nmod ( x _ {place} , x _ {own} )")
    s.fact(head, "agent", own, subject if is_object else place)
    at = len(s.facts)
    s.facts.append(None)
    other = place if is_object else inner()
    s.facts[at] = (own, at, f"{head} . theme ( x _ {own} , {s.name(other)} )")


def clause(s, r, kind, object_how=None, subject_how=None, depth=0):
    """A sentence; the place of its verb."""
    if kind == "saying":
        subject = noun_phrase(s, r, depth, subject_how)
        verb, head = r.choice(list(SAYING.items()))
        own = s.word(verb)
        s.fact(head, "agent", own, subject)
        at = len(s.facts)
        s.facts.append(None)
        s.word("that")
        inner = clause(s, r, "saying" if depth > 1 else r.choice(["transitive", "alone", "passive"]), depth=depth - 1)
        s.facts[at] = (own, at, f"{head} . ccomp ( x _ {own} , x _ {inner} )")
        return own
    subject = noun_phrase(s, r, depth, subject_how)
    if kind == "alone":
        verb, head = r.choice(list(ALONE.items()))
        own = s.word(verb)
        s.fact(head, "agent", own, subject)
        return own
    if kind == "passive":
        s.word("was")
        verb, head = r.choice(list(PASSIVE.items()))
        own = s.word(verb)
        s.fact(head, "theme", own, subject)
        if r.random() < 0.5:
            s.word("by")
            at = len(s.facts)
            s.facts.append(None)
            agent = noun_phrase(s, r, depth, object_how)
            s.facts[at] = (own, at, f"{head} . agent ( x _ {own} , {s.name(agent)} )")
        return own
    verb, head = r.choice(list((GIVING if kind.startswith("giving") else TRANSITIVE).items()))
    own = s.word(verb)
    s.fact(head, "agent", own, subject)
    at = len(s.facts)
    s.facts.extend([None, None])
    if kind == "giving-to":
        theme = noun_phrase(s, r, depth, object_how)
        s.word("to")
        recipient = noun_phrase(s, r, 0, None)
        s.facts[at : at + 2] = [
            (own, at, f"{head} . theme ( x _ {own} , {s.name(theme)} )"),
            (own, at + 1, f"{head} . recipient ( x _ {own} , {s.name(recipient)} )"),
        ]
    elif kind == "giving":
        recipient = noun_phrase(s, r, depth if object_how else 0, object_how if object_how == "of-recipient" else None)
        theme = noun_phrase(s, r, depth, object_how)
        s.facts[at : at + 2] = [
            (own, at, f"{head} . recipient ( x _ {own} , {s.name(recipient)} )"),
            (own, at + 1, f"{head} . theme ( x _ {own} , {s.name(theme)} )"),
        ]
    else:
        theme = noun_phrase(s, r, depth, object_how)
        s.facts[at] = (own, at, f"{head} . theme ( x _ {own} , {s.name(theme)} )")
        s.facts.pop(at + 1)
    return own


def question(s, r, kind, how=None, depth=0):
    """`What did Emma see`, `Who saw a cat`."""
    if kind == "subject":
        s.word("Who")
        verb, head = r.choice(list(TRANSITIVE.items()))
        own = s.word(verb)
        s.fact(head, "agent", own, "?")
        at = len(s.facts)
        s.facts.append(None)
        theme = noun_phrase(s, r, depth, how)
        s.facts[at] = (own, at, f"{head} . theme ( x _ {own} , {s.name(theme)} )")
        return
    s.word("What")
    s.word("did")
    if kind == "far":
        subject = noun_phrase(s, r, 0, None)
        own = s.word("say")
        s.fact("say", "agent", own, subject)
        at = len(s.facts)
        s.facts.append(None)
        s.word("that")
    inner_subject = noun_phrase(s, r, depth, how)
    verb, head = r.choice(list((TRANSITIVE if kind == "far" else BARE).items()))
    inner = s.word(verb)
    s.fact(head, "agent", inner, inner_subject)
    s.fact(head, "theme", inner, "?")
    if kind == "far":
        s.facts[at] = (own, at, f"say . ccomp ( x _ {own} , x _ {inner} )")


TRAINED = [
    lambda s, r: clause(s, r, r.choice(["transitive", "alone", "passive", "giving", "giving-to"])),
    lambda s, r: clause(s, r, r.choice(["transitive", "passive", "giving-to"]), "pp", depth=r.choice([1, 1, 2])),
    lambda s, r: clause(s, r, r.choice(["transitive", "passive"]), r.choice(["subject-rc", "object-rc"]), depth=1),
    lambda s, r: clause(s, r, "saying", depth=r.choice([1, 1, 2])),
    lambda s, r: question(s, r, r.choice(["subject", "object", "far"])),
]
TESTED = {
    "same": lambda s, r: r.choice(TRAINED)(s, r),
    "deep-pp": lambda s, r: clause(s, r, "transitive", "pp", depth=r.choice([3, 4, 5])),
    "deep-saying": lambda s, r: clause(s, r, "saying", depth=r.choice([3, 4, 5])),
    "deep-rc": lambda s, r: clause(s, r, "transitive", "subject-rc", depth=r.choice([2, 3])),
    "embedded-rc": lambda s, r: clause(s, r, "transitive", "object-rc", depth=2),
    "pp-of-subject": lambda s, r: clause(s, r, "transitive", None, "pp", depth=1),
    "rc-of-subject": lambda s, r: clause(s, r, "transitive", None, "rc", depth=1),
    "rc-of-theme": lambda s, r: clause(s, r, "giving-to", "rc", depth=1),
    "question-rc": lambda s, r: question(s, r, "subject", "rc", depth=1),
    "question-pp": lambda s, r: question(s, r, "object", "pp", depth=1),
}


def made(make, r, count, seen):
    pairs = []
    for _ in range(50 * count):
        s = Sentence()
        make(s, r)
        pair = s.pair()
        if pair[0] not in seen:
            seen.add(pair[0])
            pairs.append(pair)
            if len(pairs) == count:
                break
    return pairs


def main(folder, renamed=False):
    r = random.Random(11)
    names = [f"n{r.randrange(10**6)}" for _ in range(100)]
    rename = lambda text: " ".join(names[int(token)] if renamed and token.isdigit() else token for token in text.split())
    seen = set()
    train = made(lambda s, r: r.choice(TRAINED)(s, r), r, 3000, seen)
    sets = {"places.train": train} | {f"places-{kind}.test": made(make, r, 200, seen) for kind, make in TESTED.items()}
    for name, pairs in sets.items():
        with open(f"{folder}/{name}.tsv", "w") as file:
            file.writelines(f"{words}\t{rename(said)}\n" for words, said in pairs)


main(sys.argv[1], "--renamed" in sys.argv)
