#!/usr/bin/env python3
"""own_tasks OUTDIR: ten small tasks of other kinds than those the learner was built with, from fixed seeds.

OUTDIR/NAME.train.tsv and NAME.test.tsv, an input and an output per line. Test inputs are not in training; where a task has
depth, test inputs are deeper. They were written after the mechanism was frozen, and run as they are.
"""
import os, random, sys

out = sys.argv[1]
os.makedirs(out, exist_ok=True)


def save(name, rows, part):
    with open(f"{out}/{name}.{part}.tsv", "w") as f:
        f.writelines(f"{a}\t{b}\n" for a, b in rows)


def draw(name, make, n, m, seed=7):
    r, train, test = random.Random(seed), {}, {}
    for _ in range(100000):
        if len(train) < n: train.setdefault(*make(r, False))
    for _ in range(100000):
        if len(test) >= m: break
        a, b = make(r, True)
        if a not in train: test.setdefault(a, b)
    save(name, train.items(), "train"); save(name, test.items(), "test")


def recipes(r, deep):
    unit = r.choice([("cups of", "cup"), ("spoons of", "spoon"), ("pinches of", "pinch"), ("slices of", "slice")])
    n = r.choice([("two", 2), ("three", 3), ("four", 4), ("ten", 10)]); x = r.choice("flour sugar salt butter cheese milk".split())
    def one():
        k = r.randrange(3)
        if k == 0: return f"add {n[0]} {unit[0]} {x}", f"add( {x} , {n[1]} {unit[1]} )"
        if k == 1: return f"put the {x} in the {(p := r.choice('pan oven bowl fridge'.split()))}", f"move( {x} , {p} )"
        return f"let it rest for {n[0]} minutes", f"wait( {n[1]} )"
    a, b = one()
    for _ in range(r.randint(0, 3 if deep else 1)):
        c, d = one(); a, b = f"{a} , then {c}", f"{b} ; {d}"
    return a, b
draw("recipes", recipes, 400, 200)


def clock(r, deep):    # quarter to five is 4 : 45
    names = "one two three four five six seven eight nine ten eleven twelve".split(); h = r.randrange(12)
    k = r.choice(["o'clock", "quarter past", "half past", "quarter to", "ten past", "ten to"]); b = (h - 1) % 12
    part = r.choice([("in the morning", "AM"), ("in the evening", "PM")])
    t = {"o'clock": (h, "00"), "quarter past": (h, "15"), "half past": (h, "30"), "quarter to": (b, "45"), "ten past": (h, "10"), "ten to": (b, "50")}[k]
    a = f"{names[h]} o'clock" if k == "o'clock" else f"{k} {names[h]}"
    return f"{a} {part[0]}", f"{t[0] + 1} : {t[1]} {part[1]}"
draw("clock", clock, 90, 50)


def filters(r, deep):
    a, b = "mails", []
    for k in r.sample(range(5), r.randint(1, 4 if deep else 2)):
        w = r.choice("anna ben clara david emma".split()); s = r.choice("sales travel taxes music".split()); n = r.choice("3 7 30".split())
        x = [(f"from {w}", f"from:{w}"), (f"to {w}", f"to:{w}"), (f"about {s}", f"subject:{s}"), ("with attachments", "has:attachment"), (f"older than {n} days", f"older: {n} d")][k]
        a += " " + x[0]; b.append(x[1])
    v = r.choice([("show", "LIST"), ("delete", "DELETE"), ("count", "COUNT")])
    return f"{v[0]} {a}", f"{v[1]} WHERE " + " AND ".join(b)
draw("filters", filters, 500, 200)


def formulas(r, deep):
    def e(d):
        if d == 0 or r.random() < 0.3: x = r.choice("abcdefgh"); return x, x
        (a, x), (b, y) = e(d - 1), e(d - 1)
        w, o = r.choice([("sum", "+"), ("product", "*"), ("difference", "-"), ("quotient", "/")])
        return f"the {w} of {a} and {b}", f"( {o} {x} {y} )"
    return e(3 if deep else 2)
draw("formulas", formulas, 600, 200)


def particles(r, deep):   # German verbs whose particle goes to the end
    who = [("ich", "I", 0), ("du", "YOU", 1), ("er", "HE", 2), ("wir", "WE", 3)]; whom = [("mich", "ME"), ("dich", "YOU"), ("ihn", "HIM"), ("uns", "US"), ("das Kind", "CHILD"), ("den Hund", "DOG")]
    verbs = [("rufe rufst ruft rufen", "an", "PHONE"), ("hole holst holt holen", "ab", "FETCH"), ("lache lachst lacht lachen", "aus", "MOCK"), ("sehe siehst sieht sehen", "", "SEE"), ("suche suchst sucht suchen", "", "SEEK"), ("sehe siehst sieht sehen", "an", "WATCH")]
    s, o, v = r.choice(who), r.choice(whom), r.choice(verbs); t = r.choice([("", ""), ("heute", "TODAY"), ("morgen", "TOMORROW"), ("oft", "OFTEN")])
    a = " ".join(w for w in (s[0], v[0].split()[s[2]], o[0], t[0], v[1]) if w); b = f"{v[2]} ( {s[1]} , {o[1]} )"
    return a, f"{t[1]} ( {b} )" if t[1] else b
draw("particles", particles, 250, 150)


def chess(r, deep):
    p = [("king", "K"), ("queen", "Q"), ("rook", "R"), ("bishop", "B"), ("knight", "N"), ("pawn", "")]
    f, g, n, m = r.choice("abcdefgh"), r.choice("abcdefgh"), r.randint(1, 8), r.randint(1, 8); x = r.choice(p); k = r.randrange(3)
    a, b = [(f"{x[0]} to {f} {n}", f"{x[1]} {f} {n}"), (f"{x[0]} takes on {f} {n}", f"{x[1]} x {f} {n}"), (f"{x[0]} from {g} {m} to {f} {n}", f"{x[1]} {g} {m} - {f} {n}")][k]
    e = r.choice([("", ""), (" check", " +"), (" mate", " #")])
    return a + e[0], (b + e[1]).strip()
draw("chess", chess, 500, 200)


def echoes(r, deep):      # letters turned round, said twice, shortened
    n = r.randint(2, 8 if deep else 5); xs = [r.choice("abcdefghij") for _ in range(n)]
    k, f = r.choice([("say", lambda v: v), ("mirror", lambda v: v + v[::-1]), ("backwards", lambda v: v[::-1]), ("drop", lambda v: v[1:]), ("rotate", lambda v: v[1:] + v[:1])])
    return f"{k} " + " ".join(xs), " ".join(f(xs))
draw("echoes", echoes, 600, 200)


def voices(r, deep):
    n = [("the dog", "DOG"), ("the cat", "CAT"), ("anna", "ANNA"), ("ben", "BEN"), ("a bird", "BIRD"), ("the old man", "MAN")]
    v = r.choice([("sees", "seen", "SEE"), ("hears", "heard", "HEAR"), ("follows", "followed", "FOLLOW"), ("helps", "helped", "HELP")]); (a, x), (b, y) = r.choice(n), r.choice(n)
    s, f = (f"{a} {v[0]} {b}", f"{v[2]} ( {x} , {y} )") if r.random() < 0.5 else (f"{b} is {v[1]} by {a}", f"{v[2]} ( {x} , {y} )")
    for _ in range(r.randint(0, 3 if deep else 1)):
        c = r.choice([("it is true that", "TRUE"), ("i hope", "HOPE"), ("nobody says", "NOT SAID")]); s, f = f"{c[0]} {s}", f"{c[1]} ( {f} )"
    return s, f
draw("voices", voices, 400, 200)


def plurals(r, deep):     # words of a made-up language, spelled: a prefix for many, a suffix for whose, vowels stay
    stem = r.choice("kata miru sepo lunu tavi roke nami beso".split()); many, whose, size = r.random() < 0.5, r.choice(["", "my", "your", "their"]), r.choice(["", "small", "big"])
    w = ("im" if many else "") + {"": "", "small": "ti", "big": "go"}[size] + stem + {"": "", "my": "ni", "your": "ka", "their": "sha"}[whose]
    return " ".join(x for x in (whose, "many" if many else "one", size, stem) if x), " ".join(w)
draw("plurals", plurals, 110, 80)


def paths(r, deep):       # to the shell
    d = r.choice("music photos work old new".split()); e = r.choice("mp3 jpg txt pdf".split()); g = r.choice("music photos work old new".split())
    a, b = r.choice([(f"copy all {e} files from {d} to {g}", f"cp {d} / * . {e} {g} /"), (f"move all {e} files from {d} to {g}", f"mv {d} / * . {e} {g} /"), (f"list the {e} files in {d}", f"ls {d} / * . {e}"), (f"how many {e} files are in {d}", f"ls {d} / * . {e} | wc -l"), (f"remove the folder {d}", f"rm -r {d}")])
    for _ in range(r.randint(0, 2 if deep else 1)):
        h = r.choice("music photos work old new".split()); c = r.choice([(f"make a folder {h}", f"mkdir {h}"), (f"go to {h}", f"cd {h}")]); a, b = f"{c[0]} and {a}", f"{c[1]} && {b}"
    return a, b
draw("paths", paths, 500, 200)
