#!/usr/bin/env python3
"""own_tasks OUTDIR: small tasks of other kinds than those the learner was built with, from fixed seeds.

OUTDIR/NAME.train.tsv and NAME.test.tsv, an input and an output per line. Test inputs are not in training; where a task has
depth, test inputs are deeper. Each part was written after the mechanism was frozen, and run as it is: first ten tasks; then
eleven that were looked at afterwards, to mend what fails ("looked at"), and eleven that were not ("kept"). Last, numbers in words
beside other words: six tasks that were looked at, and five that were kept; and eighteen as people bring them, free text among them. Then six of other
kinds that were looked at, and ten that were kept. Then three more with numbers in words. At the
end, outputs as people write them without blanks: chemistry, heures and timers were looked at, the other three kept.
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


# --- looked at -------------------------------------------------------------------------------------------------
def conjugations(r, deep):    # Spanish, present tense, spelled
    ends = {"ar": "o as a amos ais an", "er": "o es e emos eis en", "ir": "o es e imos is en"}
    v = r.choice("hablar cantar tomar llamar pasar mirar entrar ganar bailar nadar comer beber correr vender temer romper deber leer vivir subir abrir partir unir sufrir".split())
    p = r.randrange(6)
    return f"{' '.join(v)} + {'yo tu el nosotros vosotros ellos'.split()[p]}", " ".join(v[:-2] + ends[v[-2:]].split()[p])
draw("conjugations", conjugations, 110, 30)


def stem(r, last):            # a made-up word of one to three syllables that ends in a letter of `last`
    return "".join(r.choice("bdgklmnprt") + r.choice("aeiou") for _ in range(r.randint(1, 3))) + r.choice(last)


def spelled(r, deep):         # English plurals, spelled: babies, boxes, books
    w = stem(r, "bdgklmnprtxxssyyy")
    return " ".join(w), " ".join(w[:-1] + "ies" if w[-1] == "y" else w + "es" if w[-1] in "xs" else w + "s")
draw("spelled", spelled, 400, 200)


def music(r, deep):           # voice commands with optional arguments
    what = r.choice("jazz rock blues folk opera".split()); a, b = f"play some {what}", f'"play" , "genre" : "{what}"'
    if r.random() < 0.5: x = r.choice("coltrane mingus adele bach callas".split()); a += f" by {x}"; b += f' , "artist" : "{x}"'
    if r.random() < 0.5: x = r.choice("kitchen bedroom garden bathroom".split()); a += f" in the {x}"; b += f' , "room" : "{x}"'
    if r.random() < 0.4: x = r.choice([("quietly", 2), ("loudly", 9), ("at volume five", 5), ("at volume three", 3)]); a += f" {x[0]}"; b += f' , "volume" : {x[1]}'
    if r.random() < 0.3: a = r.choice(["please ", "could you "]) + a
    return a, '{ "intent" : ' + b + " }"
draw("music", music, 300, 200)


def employees(r, deep):
    head = r.choice([("who are the people", "name"), ("what are the salaries of the people", "salary"), ("in which cities live the people", "city")])
    def one():
        k = r.randrange(4)
        if k == 0: n = r.choice("1000 2000 3000 5000".split()); w, o = r.choice([("more", ">"), ("less", "<")]); return f"earn {w} than {n}", f"salary {o} {n}"
        if k == 1: c = r.choice("rome oslo paris vienna".split()); return f"live in {c}", f"city = '{c}'"
        if k == 2: d = r.choice("sales research support".split()); return f"work in {d}", f"dept = '{d}'"
        n = r.choice("30 40 50".split()); w, o = r.choice([("older", ">"), ("younger", "<")]); return f"are {w} than {n}", f"age {o} {n}"
    a, b = one()
    for _ in range(r.randint(0, 2 if deep else 1)): c, d = one(); w = r.choice(["and", "or"]); a, b = f"{a} {w} {c}", f"{b} {w.upper()} {d}"
    return f"{head[0]} who {a}", f"SELECT {head[1]} FROM people WHERE {b}"
draw("employees", employees, 500, 200)


def postfix(r, deep):         # infix without needless brackets, to postfix
    def e(d, p):
        if d == 0 or r.random() < 0.25: x = r.choice("abcdefgh"); return x, x
        o = r.choice("+-*/"); q = o in "*/"; (a, x), (b, y) = e(d - 1, q), e(d - 1, q + 0.5)
        s = f"{a} {o} {b}"
        return (f"( {s} )" if q < p else s), f"{x} {y} {o}"
    return e(3 if deep else 2, 0)
draw("postfix", postfix, 600, 200)


def shorten(r, deep):         # lists: all but the last, ends changed, every second, the second
    xs = [r.choice("abcdefghij") for _ in range(r.randint(2, 8 if deep else 5))]
    k, f = r.choice([("all but the last of", xs[:-1]), ("swap the ends of", xs[-1:] + xs[1:-1] + xs[:1]), ("every second of", xs[::2]), ("the second of", xs[1:2])])
    return f"{k} " + " ".join(xs), " ".join(f)
draw("shorten", shorten, 600, 200)


def kinship(r, deep):
    kin = "mother father brother sister uncle".split(); x = r.choice("anna ben clara david emma".split()); a, b = x, x.upper()
    for _ in range(r.randint(1, 4 if deep else 2)):
        k = r.choice(kin); a = f"{a} 's {k}" if r.random() < 0.5 and not a.startswith("the") else f"the {k} of {a}"; b = f"{k.upper()} ( {b} )"
    return f"who is {a}", f"? {b}"
draw("kinship", kinship, 300, 200)


def negation(r, deep):        # French: ne ... pas around the verb, pronouns before it
    who = r.choice([("il", "HE"), ("elle", "SHE"), ("marie", "MARIE"), ("paul", "PAUL")]); v = r.choice([("mange", "EAT"), ("voit", "SEE"), ("cherche", "SEEK"), ("porte", "CARRY")])
    n = r.choice([("", ""), ("pas", "NOT"), ("plus", "NO MORE"), ("jamais", "NEVER")]); o = r.choice([("la pomme", "APPLE"), ("le livre", "BOOK"), ("le chat", "CAT"), ("les", "THEM"), ("nous", "US")])
    pro = o[1] in ("THEM", "US"); ne = "ne" if n[0] else ""
    a = " ".join(w for w in (who[0], ne, o[0] if pro else "", v[0], n[0], "" if pro else o[0]) if w); b = f"{v[1]} ( {who[1]} , {o[1]} )"
    return a, f"{n[1]} ( {b} )" if n[1] else b
draw("negation", negation, 200, 100)


def homonyms(r, deep):        # one word, three meanings, told apart by its neighbours
    v = {"can": "PRESERVE", "fly": "PILOT", "fish": "CATCH", "book": "RESERVE"}; n = {"can": "TIN", "fly": "INSECT", "fish": "FISH", "book": "VOLUME"}; m = {"can": "ABLE", "may": "ALLOWED"}
    def s():
        x, y = r.choice(list(v)), r.choice(list(n)); who = r.choice(["you", "they"]); q = r.choice([("a", "ONE"), ("the", "THE")]); f = f"{v[x]} ( {who.upper()} , {q[1]} {n[y]} )"
        if r.random() < 0.5: z = r.choice(list(m)); return f"{who} {z} {x} {q[0]} {y}", f"{m[z]} ( {f} )"
        return f"{who} {x} {q[0]} {y}", f
    a, f = s()
    for _ in range(r.randint(0, 2 if deep else 1)): b, g = s(); a += " and " + b; f += " & " + g
    return a, f
draw("homonyms", homonyms, 250, 200)


def questions(r, deep):       # statements to questions
    verbs = {"sees": "see", "likes": "like", "hears": "hear", "helps": "help"}; who = lambda: r.choice(["anna", "ben", "the dog", "the old man", "my sister"])
    a, b = who(), who(); k = r.randrange(3); t = r.choice(["", " today", " in the garden"])
    if k == 0: v = r.choice(list(verbs)); return f"{a} {v} {b}{t} .", f"does {a} {verbs[v]} {b}{t} ?"
    if k == 1: v = r.choice(list(verbs.values())); m = r.choice("can will must".split()); return f"{a} {m} {v} {b}{t} .", f"{m} {a} {v} {b}{t} ?"
    x = r.choice("tired happy late".split()); m = r.choice(["is", "was"]); return f"{a} {m} {x}{t} .", f"{m} {a} {x}{t} ?"
draw("questions", questions, 400, 200)


def hours(r, deep):           # from twelve hours to twenty-four
    def one(): h = r.randint(1, 11); m = r.choice("00 10 15 30 45".split()); p = r.random() < 0.5; return f"{h} : {m} {'pm' if p else 'am'}", f"{h + 12 * p:02d} : {m}"
    (a, x), (b, y) = one(), one(); d = r.choice("monday tuesday friday".split())
    return r.choice([(f"{d} {a}", f"{x} {d[:3]}"), (f"{d} from {a} to {b}", f"{x} - {y} {d[:3]}"), (f"{a} on {d}", f"{x} {d[:3]}")])
draw("hours", hours, 400, 200)


# --- kept ------------------------------------------------------------------------------------------------------
def pasts(r, deep):           # English past tenses, spelled: tried, baked, stopped
    w = stem(r, "tppkkyyee")
    return " ".join(w), " ".join(w[:-1] + "ied" if w[-1] == "y" else w + "d" if w[-1] == "e" else w + "ped" if w[-1] == "p" else w + "ed")
draw("pasts", pasts, 400, 200)


def latin(r, deep):           # pig latin, spelled: an onset of one or two consonants goes to the end
    w = r.choice(["", "b", "d", "k", "l", "m", "t", "s t", "t r", "p l"]); v = " ".join(stem(r, "bdgklmnprt")[1:][: r.randint(2, 5)])
    return f"{w} {v}".strip(), f"{v} {w} a y" if w else f"{v} w a y"
draw("latin", latin, 500, 200)


def calendar(r, deep):        # parts in any order, the record in one
    day = r.choice("monday tuesday friday sunday".split()); who = r.choice("anna ben clara david".split()); h = r.choice("two three five nine".split()); n = {"two": 14, "three": 15, "five": 17, "nine": 9}[h]
    parts = [f"on {day}", f"with {who}"] + ([f"at {h}"] if r.random() < 0.6 else []); what = r.choice([("lunch", "LUNCH"), ("a meeting", "MEETING"), ("a call", "CALL")]); timed = len(parts) == 3; r.shuffle(parts)
    return r.choice(["plan", "put in"]) + f" {what[0]} " + " ".join(parts), f"{what[1]} ; day = {day} ; who = {who}" + (f" ; time = {n} h" if timed else "")
draw("calendar", calendar, 350, 150)


def markup(r, deep):
    def e(d):
        if d == 0 or r.random() < 0.3: x = r.choice("title name price date author".split()); return f"the {x}", f"{{ {x} }}"
        k = r.randrange(5); a, x = e(d - 1)
        if k < 3: w, t = [("bold", "b"), ("italics", "i"), ("a box", "div")][k]; return f"{a} in {w}", f"<{t}> {x} </{t}>"
        b, y = e(0)
        return (f"{b} , then {a}", f"{y} <br> {x}") if k == 3 else (f"a link to {b}", f"<a href= {y} > {y} </a>")
    return e(4 if deep else 2)
draw("markup", markup, 500, 200)


def robots(r, deep):          # blocks that repeat, deeper than in training
    def e(d):
        if d == 0 or r.random() < 0.3: return r.choice([("go", "F"), ("turn left", "L"), ("turn right", "R"), ("jump", "J J"), ("walk back", "R R F")])
        k = r.randrange(4); a, x = e(d - 1)
        if k == 0: b, y = e(d - 1); return f"{a} , {b}", f"{x} {y}"
        n, w = [("two", 2), ("three", 3), ("four", 4)][k - 1]; return f"{n} times begin {a} end", " ".join([x] * w)
    return e(4 if deep else 2)
draw("robots", robots, 400, 200)


def slices(r, deep):          # lists: two joined in turn, the last put first, each three times, first and last
    n = r.randint(2, 7 if deep else 4); xs, ys = [[r.choice("abcdefghij") for _ in range(n)] for _ in "xy"]; k = r.randrange(4); x = " ".join(xs)
    return [(f"mix {x} with {' '.join(ys)}", " ".join(f"{a} {b}" for a, b in zip(xs, ys))), (f"last first {x}", " ".join(xs[-1:] + xs[:-1])), (f"each thrice {x}", " ".join(f"{a} {a} {a}" for a in xs)), (f"the ends of {x}", f"{xs[0]} {xs[-1]}")][k]
draw("slices", slices, 600, 200)


def cases(r, deep):           # Latin: cases say who does what, in any order
    n = [("puella", "puellam", "GIRL"), ("servus", "servum", "SLAVE"), ("nauta", "nautam", "SAILOR"), ("dominus", "dominum", "LORD"), ("filia", "filiam", "DAUGHTER")]; a, b = r.choice(n), r.choice(n)
    v = r.choice([("videt", "SEE"), ("amat", "LOVE"), ("vocat", "CALL"), ("audit", "HEAR")]); w = [a[0], b[1], v[0]]; r.shuffle(w); f = f"{v[1]} ( {a[2]} , {b[2]} )"
    if r.random() < 0.3: w, f = ["non"] + w, f"NOT ( {f} )"
    return " ".join(w), f
draw("cases", cases, 350, 150)


def italian(r, deep):         # gender and number, on the article, the noun, the adjectives and the verb
    nouns = {"cat": ("gatto", "gatti", 0), "book": ("libro", "libri", 0), "boy": ("ragazzo", "ragazzi", 0), "house": ("casa", "case", 1), "table": ("tavola", "tavole", 1), "girl": ("ragazza", "ragazze", 1)}
    adj = {"red": "ross", "small": "piccol", "new": "nuov", "old": "vecchi"}; x = r.choice(list(nouns)); many = r.randrange(2); n = nouns[x]; i = n[2] * 2 + many; end = "o i a e".split()[i]
    art = "il i la le".split()[i]; c = r.choice(["", "red", "small", "new"]); p = r.choice(list(adj)); join = lambda c: ("vecchi" if c == "old" and end == "i" else adj[c] + end) if c else ""
    return " ".join(w for w in ("the", c, x + "s" * many, ("is", "are")[many], p) if w), " ".join(w for w in (art, n[many], join(c), ("e'", "sono")[many], join(p)) if w)
draw("italian", italian, 120, 60)


def phones(r, deep):
    d = "zero one two three four five six seven eight nine".split(); a, b = [], []
    for _ in range(r.randint(2, 6 if deep else 4)):
        x = r.randrange(10); k = r.choice([1, 1, 1, 2, 3]); w = r.choice([d[x], "oh"]) if x == 0 else d[x]
        a += [["double"], ["triple"]][k - 2] * (k > 1) + [w]; b += [str(x)] * k
    return ("plus " if (p := r.random() < 0.3) else "") + " ".join(a), ("+ " if p else "") + " ".join(b)
draw("phones", phones, 300, 200)


def relatives(r, deep):       # statements and questions with relative clauses
    def np(d):
        n = r.choice("dog cat child teacher".split())
        if d == 0 or r.random() < 0.5: return f"the {n}", f"iota x . {n} ( x )"
        v = r.choice("see like follow".split()); a, f = np(d - 1)
        if r.random() < 0.5: return f"the {n} who {v}s {a}", f"iota x . {n} ( x ) & {v} ( x , {f} )"
        return f"the {n} whom {a} {v}s", f"iota x . {n} ( x ) & {v} ( {f} , x )"
    (a, f), (b, g) = np(3 if deep else 1), np(2 if deep else 1); v = r.choice("see like follow".split()); k = r.randrange(3)
    return [(f"{a} {v}s {b}", f"{v} ( {f} , {g} )"), (f"does {a} {v} {b}", f"? {v} ( {f} , {g} )"), (f"whom does {a} {v}", f"which y . {v} ( {f} , y )")][k]
draw("relatives", relatives, 600, 200)


def compounds(r, deep):       # names of compounds, in syllables, to formulas
    m = r.choice([("sodium", "Na"), ("iron", "Fe"), ("carbon", "C"), ("sulfur", "S"), ("nitrogen", "N"), ("silicon", "Si")]); o = r.choice([("oxide", "O"), ("chloride", "Cl"), ("fluoride", "F"), ("sulfide", "S"), ("bromide", "Br")])
    p = [("", ""), ("di", " 2"), ("tri", " 3"), ("tetra", " 4"), ("penta", " 5")]; i, j = r.choice(p[:3]), r.choice(p[1:] + [("mono", "")])
    return " ".join(w for w in (i[0], m[0], j[0], o[0]) if w), f"{m[1]}{i[1]} {o[1]}{j[1]}"
draw("compounds", compounds, 250, 150)


# --- numbers in words beside other words -----------------------------------------------------------------------
# Tests hold numbers that training has not; tens and units were seen, but not together.
ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()


def english(n):
    if n >= 1000: return english(n // 1000) + " thousand" + (" " + english(n % 1000) if n % 1000 else "")
    if n >= 100: return english(n // 100) + " hundred" + (" and " + english(n % 100) if n % 100 else "")
    return ONES[n] if n < 20 else TENS[n // 10] + (" " + ONES[n % 10] if n % 10 else "")


def number(r, deep, most):    # three in ten numbers are only in tests
    while True:
        n = r.randrange(1, most)
        if (n * 7919 % 1009 % 10 < 3) == deep or n < 21 and not deep: return n


def reminders(r, deep):       # remind me in twenty five minutes to call mom
    n = number(r, deep, 100); who = r.choice("mom dad anna ben".split())
    what, says = r.choice([(f"call {who}", f"call {who}"), (f"write to {who}", f"write {who}"), ("feed the cat", "feed cat"), ("take the pills", "take pills"), ("leave", "leave")])
    unit, u = r.choice([("minutes", "m"), ("hours", "h")]); k = r.randrange(3)
    return [(f"remind me in {english(n)} {unit} to {what}", f"remind ( {n} {u} , {says} )"), (f"in {english(n)} {unit} i have to {what}", f"remind ( {n} {u} , {says} )"), (f"set volume to {english(n)} percent", f"volume ( {n} )")][k]
draw("reminders", reminders, 300, 200)


def transfers(r, deep):       # Spanish, to thousands, two numbers of which one may come before the other
    u = "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince".split(); t = "_ _ veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa".split()
    h = "_ ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos".split()
    def es(n):
        if n >= 1000: return (es(n // 1000) + " " if n >= 2000 else "") + "mil" + (" " + es(n % 1000) if n % 1000 else "")
        if n > 100: return h[n // 100] + (" " + es(n % 100) if n % 100 else "")
        if n == 100: return "cien"
        return u[n] if n < 16 else "dieci" + u[n - 10] if n < 20 else t[n // 10] + (" y " + u[n % 10] if n % 10 else "")
    a, b = (number(r, deep, r.choice([30, 100, 1000, 10000])) for _ in "ab"); c = r.choice(["caja", "banco", "tienda"]); d = {"caja": "CASH", "banco": "BANK", "tienda": "SHOP"}[c]
    k = r.randrange(3)
    return [(f"de {es(a)} a {es(b)} en {c}", f'{{"from": {a}, "to": {b}, "at": {d}}}'), (f"hasta {es(a)} desde {es(b)}", f'{{"from": {b}, "to": {a}}}'), (f"paga {es(a)} en {c}", f'{{"pay": {a}, "at": {d}}}')][k]
draw("transfers", transfers, 400, 200)


def orders(r, deep):          # two dozen eggs and half a dozen rolls
    def one():
        n = number(r, deep, 40); x, y = r.choice([("eggs", "egg"), ("rolls", "roll"), ("apples", "apple"), ("bottles of milk", "milk"), ("bags of rice", "rice")])
        w = english(n)
        if n % 12 == 0 and r.random() < 0.7: w = ("a" if n == 12 else english(n // 12)) + " dozen"
        if n == 6: w = "half a dozen"
        return f"{w} {x}", f"{y} {n}"
    parts = [one() for _ in range(r.randint(1, 3 if deep else 2))]
    return r.choice(["order ", "i want ", "get me "]) + " and ".join(a for a, _ in parts), " ; ".join(b for _, b in parts)
draw("orders", orders, 300, 200)


def years(r, deep):           # the third of march nineteen eighty four
    day = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split()
    months = "january february march april may june july august september october november december".split()
    d, m = r.randrange(1, 29), r.randrange(12); c, y = r.choice([17, 18, 19]), number(r, deep, 100)
    w = day[d - 1] if d <= 20 else "twenty " + day[d - 21]; z = english(y) if y > 9 else "oh " + english(y)
    return r.choice([f"the {w} of {months[m]} {english(c)} {z}", f"{months[m]} {w} {english(c)} {z}"]), f"{c}{y:02} - {m + 1:02} - {d:02}"
draw("years", years, 300, 200)


def meetings(r, deep):        # a meeting from nine twenty five to half past ten
    def time():
        h, m = r.randrange(1, 12), number(r, deep, 60)
        if m in (15, 30, 45) and r.random() < 0.8: return {15: f"quarter past {ONES[h]}", 30: f"half past {ONES[h]}", 45: f"quarter to {ONES[h + 1]}"}[m], f"{h}:{m}"
        m = max(m, 10)
        return f"{ONES[h]} {english(m)}", f"{h}:{m}"
    (a, x), (b, y) = time(), time(); w, v = r.choice([("a meeting", "meet"), ("lunch", "lunch"), ("a class", "class")]); k = r.randrange(2)
    return [(f"{w} from {a} to {b}", f"{v} {x} {y}"), (f"{w} at {a} in room {english(n := number(r, deep, 100))}", f"{v} {x} room {n}")][k]
draw("meetings", meetings, 400, 200)


def stock(r, deep):           # numbers that are compared, added up, or below zero
    n = number(r, deep, 1000); x, y = r.choice([("nails", "NAIL"), ("screws", "SCREW"), ("hinges", "HINGE"), ("locks", "LOCK")])
    return r.choice([(f"add {english(n)} {x}", f"ADD {y} {n}"), (f"we have {english(n)} {x} left", f"SET {y} = {n}"), (f"take away {english(n)} {x}", f"ADD {y} {-n}")])
draw("stock", stock, 300, 200)


# --- numbers in words beside other words, kept: written after the mechanism was frozen -------------------------
def euros(r, deep):           # French prices below 70, two numbers side by side
    u = "zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize".split(); t = "_ _ vingt trente quarante cinquante soixante".split()
    def fr(n): return u[n] if n < 17 else "dix " + u[n - 10] if n < 20 else t[n // 10] + (" et un" if n % 10 == 1 else " " + u[n % 10] if n % 10 else "")
    a, b = number(r, deep, 70), number(r, deep, 70); x, y = r.choice([("le pain", "bread"), ("le vin", "wine"), ("la soupe", "soup")])
    return r.choice([(f"{x} coute {fr(a)} euros", f"price ( {y} , {a} )"), (f"{x} coute {fr(a)} euros {fr(b)}", f"price ( {y} , {a} , {b} )"), (f"je paie {fr(a)} euros pour {x}", f"pay ( {a} , {y} )")])
draw("euros", euros, 300, 200)


def people(r, deep):          # a query with comparisons
    a = number(r, deep, 100); c = r.choice("berlin rome paris".split()); k = r.randrange(3); w, t = r.choice([("people", "person"), ("students", "student")])
    return [(f"{w} older than {english(a)}", f"SELECT {t} WHERE age > {a}"), (f"{w} from {c} younger than {english(a)}", f"SELECT {t} WHERE city = {c} AND age < {a}"), (f"how many {w} are {english(a)} years old", f"COUNT {t} WHERE age = {a}")][k]
draw("people", people, 300, 200)


def robot(r, deep):           # steps, more of them in tests
    def one():
        n = number(r, deep, 200)
        return r.choice([(f"go {english(n)} meters", f"F {n}"), (f"back up {english(n)} meters", f"B {n}"), ("turn left", "L"), (f"turn right {english(n)} degrees", f"R {n}")])
    parts = [one() for _ in range(r.randint(1, 3 if deep else 2))]
    return " then ".join(a for a, _ in parts), " ; ".join(b for _, b in parts)
draw("robot", robot, 300, 200)


def shopping(r, deep):        # Chinese: numbers of several words before measure words
    d = "ling yi er san si wu liu qi ba jiu".split()
    def zh(n): return d[n] if n < 10 else (d[n // 10] + " " if n >= 20 else "") + "shi" + (" " + d[n % 10] if n % 10 else "") if n < 100 else d[n // 100] + " bai" + (" " + (zh(n % 100) if n % 100 >= 20 else ("yi " if n % 100 >= 10 else "ling ") + zh(n % 100)) if n % 100 else "")
    n = number(r, deep, 1000); x, y = r.choice([("ge pingguo", "APPLE"), ("ben shu", "BOOK"), ("bei cha", "TEA")])
    return r.choice([(f"wo yao {zh(n)} {x}", f"WANT {y} {n}"), (f"ta you {zh(n)} {x}", f"HAS {y} {n}")])
draw("shopping", shopping, 300, 200)


def weather(r, deep):         # below zero, and two numbers
    def temp():
        n = number(r, deep, 60); return (f"minus {english(n)}", -n) if r.random() < 0.3 else (english(n), n)
    (a, x), (b, y) = temp(), temp(); c = r.choice("oslo berlin rome".split())
    return r.choice([(f"it is {a} degrees in {c}", f"{c} = {x}"), (f"between {a} and {b} degrees in {c}", f"{c} in {x} .. {y}")])
draw("weather", weather, 300, 200)


# --- as people bring them: written after the mechanism was frozen; html, endings, notes and songs were looked at -----
WORDS = "milk bread call mom dad buy sell pay rent feed cat dog walk clean car wash read book write letter plan trip fix bike paint wall cook rice bake cake water plants visit anna meet john send mail find keys ring bell lock door open shop book hotel rent film".split()
NEW = "zebra quartz violin pluto kayak tundra mango falcon ivory jigsaw nectar oasis puzzle raven saturn topaz".split()


def infix(r, deep):           # prefix words to infix with needless brackets
    def make(d):
        if d == 0: return (v := r.choice("a b c x y z".split())), v
        f, s = r.choice([("sum", "+"), ("product", "*"), ("difference", "-")]); x, y = make(r.randint(0, d - 1)), make(r.randint(0, d - 1))
        return f"the {f} of {x[0]} and {y[0]}", f"( {x[1]} {s} {y[1]} )"
    return make(r.randint(1, 4 if deep else 2))
draw("infix", infix, 200, 300)


def passive(r, deep):
    subj, obj = r.sample("dog cat boy girl king bird".split(), 2); v = r.choice([("chased", "chase"), ("fed", "feed"), ("followed", "follow"), ("washed", "wash"), ("painted", "paint")])
    n = " not" if r.random() < .3 else ""
    b = f"{v[1]} ( {subj} , {obj} )"; b = f"not ( {b} )" if n else b
    k = r.randrange(3)
    if k == 0: a = f"the {obj} was{n} {v[0]} by the {subj}"
    elif k == 1: a = f"the {subj} {'did not ' + v[1] if n else v[0]} the {obj}"
    else: a = f"it was{n} the {subj} that {v[0]} the {obj}"
    if deep and r.random() < .5:
        w = r.choice([("thinks", "think"), ("says", "say")]); s = r.choice("king queen nurse".split()); return f"the {s} {w[0]} that {a}", f"{w[1]} ( {s} , {b} )"
    if not deep and r.random() < .3:
        w = r.choice([("thinks", "think"), ("says", "say")]); s = r.choice("king queen nurse".split()); return f"the {s} {w[0]} that {a}", f"{w[1]} ( {s} , {b} )"
    return a, b
draw("passive", passive, 300, 300)


def cron(r, deep):            # when to run something
    h, m = r.randrange(24), r.choice([0, 15, 30, 45]); d = r.randrange(7); day = "sunday monday tuesday wednesday thursday friday saturday".split()[d]
    k = r.randrange(4)
    if k == 0: return f"every day at {h}:{m:02}", f"{m} {h} * * *"
    if k == 1: return f"every {day} at {h}:{m:02}", f"{m} {h} * * {d}"
    if k == 2: return f"at minute {m} of every hour", f"{m} * * * *"
    n = r.randint(1, 28); return f"on day {n} of every month at {h}:{m:02}", f"{m} {h} {n} * *"
draw("cron", cron, 300, 300)


def html(r, deep):            # nested marks, glued
    def make(d):
        if d == 0: return (w := r.choice("hello world red green fox moon".split())), w
        t, n = r.choice([("b", "bold"), ("i", "italic"), ("u", "underlined")]); x = make(d - 1)
        y = f"[{n}: {x[0]}]", f"<{t}>{x[1]}</{t}>"
        if r.random() < .5: return y
        z = make(r.randint(0, d - 1)); return f"{y[0]} {z[0]}", f"{y[1]} {z[1]}"
    return make(r.randint(1, 4 if deep else 2))
draw("html", html, 250, 300)


def spellout(r, deep):        # digits to words
    ONE = "_ one two three four five six seven eight nine".split(); TEEN = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(); TEN = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()
    def below(n): return [] if n == 0 else [ONE[n]] if n < 10 else [TEEN[n - 10]] if n < 20 else [TEN[n // 10]] + ([ONE[n % 10]] if n % 10 else [])
    n = r.randrange(1, 1000)
    words = ([ONE[n // 100], "hundred"] if n >= 100 else []) + below(n % 100)
    return " ".join(str(n)), " ".join(words)
draw("spellout", spellout, 200, 300)


def turkish(r, deep):         # vowel harmony, spelled: plural and 'in'
    low, high = "aou", "ei"
    def syllable(v): return r.choice("bdgklmnprst") + r.choice(v) + r.choice(["", "k", "l", "r", "n"])
    v = r.choice([low, high]); w = "".join(syllable(v) for _ in range(r.randint(1, 4 if deep else 2)))
    a = "a" if v == low else "e"; k = r.randrange(3)
    s = ["l" + a + "r", "d" + a, "l" + a + "rd" + a][k]; tag = ["many", "in", "in many"][k]
    return f"{tag} : {' '.join(w)}", " ".join(w + s)
draw("turkish", turkish, 300, 300)


def japanese(r, deep):        # another order of words, particles
    N = {"neko": "cat", "inu": "dog", "hon": "book", "mizu": "water", "sensei": "teacher", "kodomo": "child"}; V = {"miru": "sees", "taberu": "eats", "nomu": "drinks", "yomu": "reads"}; A = {"shiroi": "white", "akai": "red", "ookii": "big"}
    def np(d):
        n = r.choice(list(N)); a, b = n, N[n]
        if r.random() < .4: x = r.choice(list(A)); a, b = f"{x} {a}", f"{A[x]} {b}"
        if d and r.random() < .4: c, e = np(d - 1); return f"{c} no {a}", f"{b} of {e}"
        return a, b
    d = 2 if deep else 1; s, o = np(d), np(d); v = r.choice(list(V))
    return f"{s[0]} wa {o[0]} o {v}", f"{s[1]} {V[v]} {o[1]}"
draw("japanese", japanese, 250, 300)


def letters(r, deep):          # rows and columns: every second, turned round
    n = r.randint(2, 7 if deep else 5); L = [r.choice("a b c d e f g h".split()) for _ in range(n)]
    k = r.choice("first last rest twice back".split())
    o = {"first": L[:1], "last": L[-1:], "rest": L[1:], "twice": L + L, "back": L[::-1]}[k]
    return f"{k} of [ {' '.join(L)} ]", " ".join(o)
draw("letters", letters, 150, 300)


def regexes(r, deep):
    def one():
        n = r.choice([("two", 2), ("three", 3), ("four", 4)]); k = r.choice([("digit", "[0-9]"), ("letter", "[a-z]"), ("capital", "[A-Z]"), ("space", "\\s")])
        q = r.randrange(4)
        return [(f"a {k[0]}", k[1]), (f"{n[0]} {k[0]}s", f"{k[1]}{{{n[1]}}}"), (f"any number of {k[0]}s", f"{k[1]}*"), (f"maybe a {k[0]}", f"{k[1]}?")][q]
    parts = [one() for _ in range(r.randint(1, 4 if deep else 2))]
    return " then ".join(p[0] for p in parts), "".join(p[1] for p in parts)
draw("regexes", regexes, 250, 300)


def compare(r, deep):
    x, y = r.sample("tom ann joe sue max eva".split(), 2); f, g, p = r.choice([("taller", "shorter", "height"), ("older", "younger", "age"), ("richer", "poorer", "money")])
    k = r.randrange(4)
    if k == 0: return f"{x} is {f} than {y}", f"{p} {x} > {p} {y}"
    if k == 1: return f"{x} is {g} than {y}", f"{p} {y} > {p} {x}"
    if k == 2: return f"{x} is as {f} as {y}", f"{p} {x} = {p} {y}"
    z = "tom ann joe sue max eva".split(); z = r.choice([w for w in z if w not in (x, y)])
    return f"{x} is {f} than both {y} and {z}", f"{p} {x} > {p} {y} & {p} {x} > {p} {z}"
draw("compare", compare, 150, 300)


def notes(r, deep):       # free text is taken as it is
    pool = WORDS + (NEW if deep else [])
    t = " ".join(r.choice(pool) for _ in range(r.randint(1, 5 if deep else 4))); w = r.choice("today tomorrow tonight monday friday".split())
    k = r.randrange(3)
    if k == 0: return f"remind me to {t} {w}", f'remind("{t}",{w})'
    if k == 1: return f"note {t}", f'note("{t}")'
    return f"tell {(p := r.choice('anna john mary'.split()))} to {t} {w}", f'tell({p},"{t}",{w})'
draw("notes", notes, 300, 300)


def songs(r, deep):
    pool = WORDS + (NEW if deep else [])
    t = " ".join(r.choice(pool) for _ in range(r.randint(1, 3))); a = " ".join(r.choice(pool) for _ in range(r.randint(1, 2)))
    k = r.randrange(3)
    if k == 0: return f"play {t} by {a}", f"play title= {t} artist= {a}"
    if k == 1: return f"play something by {a}", f"play artist= {a}"
    return f"add {t} to my list", f"add title= {t}"
draw("songs", songs, 300, 300)


def sql(r, deep):
    table = r.choice("students teachers courses rooms".split())
    columns = r.sample("name age city year size".split(), r.randint(1, 4 if deep else 3))
    a, b = f"show the {' and the '.join(columns)} of all {table}", f"SELECT {','.join(columns)} FROM {table}"
    conditions = []
    for _ in range(r.randint(0, 3 if deep else 2)):
        c, n = r.choice("age year size".split()), r.choice("3 10 20 45 100".split())
        conditions.append(r.choice([(f"{c} above {n}", f"{c}>{n}"), (f"{c} below {n}", f"{c}<{n}"), (f"{c} exactly {n}", f"{c}={n}")]))
    if conditions: a += " with " + " and ".join(c for c, _ in conditions); b += " WHERE " + " AND ".join(c for _, c in conditions)
    if r.random() < .4: c = r.choice("name age city".split()); a += f" sorted by {c}"; b += f" ORDER BY {c}"
    return a, b + ";"
draw("sql", sql, 300, 300)


def fields(r, deep):            # the kind decides the field's name
    kinds = {"cat": "pet", "dog": "pet", "rose": "plant", "fern": "plant", "ford": "car", "fiat": "car"}
    parts = r.sample(list(kinds), r.randint(1, 4 if deep else 2)); who = r.choice("anna ben carl dora".split())
    return f"{who} has a " + " and a ".join(parts), f"owner: {who} , " + " , ".join(f"{kinds[p]}: {p}" for p in parts)
draw("fields", fields, 150, 300)


def endings(r, deep):    # word forms as a table, spelled by letters: lexical classes with unseen stems
    c = r.choice("bdfgklmnprst"); v = r.choice("aeiou"); d = r.choice("lmnrst"); e = r.choice(["e", "er", "en", "ung", "heit", "chen"])
    w = c + v + (d + r.choice("aeiou") + r.choice("lmnr") if deep or r.random() < .5 else d) + e
    p = {"e": "n", "er": "", "en": "", "ung": "en", "heit": "en", "chen": ""}[e]
    return w, w + p
draw("endings", endings, 300, 300)


def route(r, deep):           # relative turns
    n = r.randint(1, 5 if deep else 3); s = []
    for _ in range(n):
        k = r.randrange(3)
        s.append([("go straight for %s blocks" % (m := r.choice(["two", "three", "five"])), "F" + {"two": "2", "three": "3", "five": "5"}[m]), ("turn left", "L"), ("make a u turn", "L L")][k])
    return " then ".join(x for x, _ in s), " ".join(y for _, y in s)
draw("route", route, 120, 300)


def before(r, deep):          # order said in two ways
    act = [("wake up", "wake"), ("get dressed", "dress"), ("eat breakfast", "eat"), ("go to work", "work"), ("read the news", "read"), ("feed the dog", "feed")]
    x, y = r.sample(act, 2); k = r.randrange(4)
    if k == 0: a, b = f"{x[0]} before you {y[0]}", f"{x[1]} {y[1]}"
    elif k == 1: a, b = f"before you {y[0]} {x[0]}", f"{x[1]} {y[1]}"
    elif k == 2: a, b = f"after you {x[0]} {y[0]}", f"{x[1]} {y[1]}"
    else: a, b = f"{y[0]} after you {x[0]}", f"{x[1]} {y[1]}"
    if r.random() < .4 or deep: z = r.choice(act); a, b = f"{a} and finally {z[0]}", f"{b} {z[1]}"
    return a, b
draw("before", before, 200, 300)


def quotes(r, deep):
    who = r.choice("anna ben carl dora".split()); t = " ".join(r.choice("good morning nice day rain sun today here again".split()) for _ in range(r.randint(1, 5 if deep else 3)))
    k = r.randrange(3)
    if k == 0: return f"{who} said {t}", f'"{t.capitalize()}," said {who.capitalize()}.'
    if k == 1: return f"{who} asked {t}", f'"{t.capitalize()}?" asked {who.capitalize()}.'
    return f"{who} whispered {t}", f'{who.capitalize()} whispered: "{t.capitalize()}."'
draw("quotes", quotes, 250, 300)


# --- of other kinds, looked at: six of twelve that were written before; the others were right as they were -----------
def harmony(r, deep):  # Turkish, spelled: four-fold harmony
    V = {"a": "ı", "ı": "ı", "e": "i", "i": "i", "o": "u", "u": "u", "ö": "ü", "ü": "ü"}; C = "bdgklmnprst"
    w = "".join(r.choice(C) + r.choice("aeıioöuü") for _ in range(r.randint(1, 3 if deep else 2))) + r.choice("klmnrt")
    last = [c for c in w if c in V][-1]; back = last in "aıou"; a = "a" if back else "e"; i = V[last]; k = r.randrange(4)
    t, s = [("many", "l" + a + "r"), ("in", "d" + a), ("my", i + "m"), ("with", "l" + i)][k]
    return f"{t} {' '.join(w)}", " ".join(w + s)
draw("harmony", harmony, 400, 150, 11)


def stems(r, deep):   # Spanish with stem changes, spelled
    reg = "hablar cantar tomar mirar comer beber correr vivir subir abrir partir nadar".split(); ch = "pensar cerrar perder querer sentar negar".split()
    v = r.choice(reg + ch); p = r.randrange(6)
    ends = {"ar": "o as a amos ais an", "er": "o es e emos eis en", "ir": "o es e imos is en"}
    s = v[:-2]
    if v in ch and p in (0, 1, 2, 5): j = s.rindex("e"); s = s[:j] + "ie" + s[j+1:]
    a = f"{'yo tu ella nosotros vosotros ellas'.split()[p]} {' '.join(v)}"; b = " ".join(s + ends[v[-2:]].split()[p])
    if r.random() < .4: a, b = "no : " + a, "n o " + b
    return a, b
draw("stems", stems, 140, 70, 11)


def quant(r, deep):   # quantifiers
    N, V, W, A = "dog cat boy nurse".split(), "sleeps barks runs".split(), "sees likes hears".split(), "big old red".split()
    def noun(v, d):
        n = r.choice(N); a, f = n, f"{n} {v}"
        if r.random() < .4 + .3 * deep: x = r.choice(A); a, f = f"{x} {a}", f"{x} {v} & {f}"
        if d and r.random() < .4: w = r.choice(V); a, f = f"{a} that {w}", f"{f} & {w} {v}"
        return a, f
    def q(v, d, body):
        k = r.randrange(3); a, f = noun(v, d)
        return [(f"every {a}", f"all {v} ( {f} -> {body} )"), (f"some {a}", f"some {v} ( {f} & {body} )"), (f"no {a}", f"not some {v} ( {f} & {body} )")][k]
    if r.random() < .4: w = r.choice(V); a, f = q("x", 1, f"{w} x"); return f"{a} {w}", f
    w = r.choice(W); b, g = q("y", deep, f"{w} x y"); a, f = q("x", deep, g); return f"{a} {w} {b}", f
draw("quant", quant, 350, 150, 11)


def finnish(r, deep):  # cases and free order, genitive
    N = {"kissa": "cat", "koira": "dog", "poika": "boy", "hiiri": "mouse", "talo": "house", "kirja": "book"}; V = {"näkee": "see", "ostaa": "buy", "pesee": "wash"}
    def np(d, suf):
        n = r.choice(list(N)); a, f = n + suf, N[n]
        if d and r.random() < .5: b, g = np(d - 1, "n"); return f"{b} {a}", f"{f} of {g}"
        return a, f
    s, o = np(2 if deep else 1, ""), np(2 if deep else 1, "a"); v = r.choice(list(V)); parts = [s[0], o[0], v]; r.shuffle(parts)
    return " ".join(parts), f"{V[v]} ( {s[1]} , {o[1]} )"
draw("finnish", finnish, 350, 150, 11)


def german(r, deep):  # English to German: gender, case, verb to the end
    N = {"dog": ("hund", 0), "man": ("mann", 0), "cat": ("katze", 1), "woman": ("frau", 1), "child": ("kind", 2), "horse": ("pferd", 2)}; A = "small:kleine old:alte good:gute".split()
    V = "sees:sieht:gesehen:seen looks:sucht:gesucht:looked hears:hört:gehört:heard finds:findet:gefunden:found".split()
    def np(acc):
        n = r.choice(list(N)); g, d = N[n]; art = "der die das".split()[d] if not (acc and d == 0) else "den"; a, f = n, g
        if r.random() < .4: x, y = r.choice(A).split(":"); a, f = f"{x} {a}", f"{y + ('n' if acc and d == 0 else '')} {f}"
        return f"the {a}", f"{art} {f}"
    (s, t), (o, u) = np(0), np(1); e, p, q, z = r.choice(V).split(":"); perf = r.random() < .4
    main = (f"{s} has {z} {o}", f"{t} hat {u} {q}") if perf else (f"{s} {e} {o}", f"{t} {p} {u}")
    for _ in range(r.randint(0, 2 if deep else 1)):
        w, x = r.choice([("because", "weil"), ("when", "wenn")]); (s, t), (o, u) = np(0), np(1); e, p, q, z = r.choice(V).split(":")
        sub = (f"{s} has {z} {o}", f"{t} {u} {q} hat") if r.random() < .4 else (f"{s} {e} {o}", f"{t} {u} {p}")
        main = f"{main[0]} {w} {sub[0]}", f"{main[1]} , {x} {sub[1]}"
    return main
draw("german", german, 500, 150, 11)


def score(r, deep):   # music notation
    n = r.choice("c d e f g a b".split()); L = [("whole", "1"), ("half", "2"), ("quarter", "4"), ("eighth", "8")]
    def one():
        n = r.choice("c d e f g a b".split()); l, m = r.choice(L); acc = r.choice([("", ""), ("", ""), (" sharp", "is"), (" flat", "es")]); dot = r.random() < .3
        k = r.randrange(4)
        if k == 0: return f"a {l} rest", f"r {m}"
        if k == 1: o = r.choice([("high ", "'"), ("low ", ",")]); return f"a {'dotted ' * dot}{l} note {o[0]}{n}{acc[0]}", " ".join(x for x in (n, acc[1], o[1], m, "." * dot) if x)
        return f"a {'dotted ' * dot}{l} note {n}{acc[0]}", " ".join(x for x in (n, acc[1], m, "." * dot) if x)
    def e(d):
        parts = [one() for _ in range(r.randint(1, 3 if deep else 2))]; a, b = ", ".join(x for x, _ in parts).replace(",", " ,"), " ".join(y for _, y in parts)
        if d and r.random() < .5: t, m = r.choice([("twice", "2"), ("three times", "3")]); c, f = e(d - 1); return f"repeat {t} begin {c} end , {a}" , f"\\repeat {m} {{ {f} }} {b}"
        return a, b
    return e(2 if deep else 1)
draw("score", score, 300, 150, 11)


# --- of other kinds, kept: written after words were learned anew ---------------------------------------------------
def statements(r, deep):      # small programs
    v = lambda: r.choice("x y z n total".split())
    def value(d):
        if d == 0 or r.random() < .4: x = r.choice([v(), r.choice("1 2 10".split())]); return x, x
        (a, x), (b, y) = value(0), value(d - 1); w, o = r.choice([("plus", "+"), ("minus", "-"), ("times", "*")]); return f"{a} {w} {b}", f"{x} {o} {y}"
    def make(d):
        k = r.randrange(5) if d else r.randrange(3)
        if k == 0: x = v(); a, b = value(2 if deep else 1); return f"set {x} to {a}", f"{x} = {b} ;"
        if k == 1: a, b = value(1); return f"print {a}", f"print ( {b} ) ;"
        if k == 2: x = v(); return f"increase {x}", f"{x} += 1 ;"
        c, o = r.choice([("is less than", "<"), ("is more than", ">"), ("equals", "==")]); x, n = v(), r.choice("1 2 10".split()); a, b = make(d - 1); w, u = r.choice([("if", "if"), ("while", "while")])
        return f"{w} {x} {c} {n} then {a}", f"{u} ( {x} {o} {n} ) {{ {b} }}"
    parts = [make(3 if deep else 1) for _ in range(r.randint(1, 3 if deep else 2))]
    return " and then ".join(a for a, _ in parts), " ".join(b for _, b in parts)
draw("statements", statements, 300, 200)


def nested(r, deep):          # lists within lists
    def make(d):
        items = [make(d - 1) if d and r.random() < .4 else (x := r.choice("red blue green seven nine zero".split()), x) for _ in range(r.randint(1, 4 if deep else 3))]
        return f"a list of {' , '.join(a for a, _ in items[:-1])}{' and ' if items[1:] else ''}{items[-1][0]} end", f"[ {' , '.join(b for _, b in items)} ]"
    return make(3 if deep else 1)
draw("nested", nested, 200, 200)


def addresses(r, deep):       # names never seen, to records
    names = "mill oak king station garden church hill park lake bridge north castle".split() + ("harbour orchard abbey".split() if deep else []); towns = "dover leeds york bath oxford derby".split() + ("truro ripon".split() if deep else [])
    n, s, t = r.choice("1 7 12 25 48".split()), r.choice(names), r.choice(towns); k, u = r.choice([("street", "St"), ("road", "Rd"), ("lane", "Ln")]); who = r.choice("anna ben clara".split())
    f = r.choice(["", f"flat {(m := r.choice('2 3 9'.split()))} "]); g = f"flat : {m} ; " if f else ""
    return r.choice([f"{who} lives at {f}{n} {s} {k} in {t}", f"{f}{n} {s} {k} {t} is where {who} lives"]), f"name : {who} ; {g}street : {s} {u} {n} ; town : {t}"
draw("addresses", addresses, 250, 200)


def korean(r, deep):          # particles by the noun before them, the verb last
    N = {"man": ("saram", 1), "tree": ("namu", 0), "book": ("chaek", 1), "cat": ("goyangi", 0), "friend": ("chingu", 0), "teacher": ("seonsaengnim", 1)}; A = {"big": "keun", "good": "joheun", "new": "saeroun"}; V = {"sees": "boda", "likes": "joahada", "finds": "chatda"}
    def np(p, d):
        n = r.choice(list(N)); w, c = N[n]; a, b = n, f"{w} {p[c]}"
        for _ in range(r.randint(0, d)): x = r.choice(list(A)); a, b = f"{x} {a}", f"{A[x]} {b}"
        return f"the {a}", b
    def clause():
        (s, t), (o, u), v = np(("ga", "i"), 2 if deep else 1), np(("reul", "eul"), 2 if deep else 1), r.choice(list(V)); return f"{s} {v} {o}", f"{t} {u} {V[v]}"
    a, b = clause()
    for _ in range(r.randint(0, 2 if deep else 1)): c, d = clause(); a, b = f"{a} and {c}", f"{b} geurigo {d}"
    return a, b
draw("korean", korean, 300, 200)


def opening(r, deep):         # opening hours
    D = {"monday": "Mo", "tuesday": "Tu", "wednesday": "We", "thursday": "Th", "friday": "Fr", "saturday": "Sa", "sunday": "Su"}
    def days():
        x, y = r.choice(list(D)), r.choice(list(D)); return r.choice([("on weekdays", "Mo - Fr"), ("every day", "Mo - Su"), (f"on {x}", D[x]), (f"from {x} to {y}", f"{D[x]} - {D[y]}"), (f"on {x} and {y}", f"{D[x]} , {D[y]}")])
    def one():
        (a, b), h, k = days(), r.choice("8 9 10".split()), r.choice("12 17 20".split())
        return r.choice([(f"open {a} from {h} to {k}", f"{b} {h} : 00 - {k} : 00"), (f"closed {a}", f"{b} off"), (f"{a} open until {k}", f"{b} 00 : 00 - {k} : 00")])
    parts = [one() for _ in range(r.randint(1, 4 if deep else 2))]
    return " , ".join(a for a, _ in parts), " ; ".join(b for _, b in parts)
draw("opening", opening, 250, 200)


def spanish(r, deep):         # adjectives behind the noun, in gender and number
    nouns = {"house": ("casa", 1), "book": ("libro", 0), "car": ("coche", 0), "chair": ("silla", 1), "cat": ("gato", 0), "table": ("mesa", 1)}; adj = {"red": "roj", "small": "pequeñ", "new": "nuev"}; own = {"the": ("el", "la", "los", "las"), "my": ("mi", "mi", "mis", "mis"), "our": ("nuestro", "nuestra", "nuestros", "nuestras")}
    n = r.choice(list(nouns)); w, g = nouns[n]; many = r.randrange(2); o = r.choice(list(own)); end = "oa"[g] + "s" * many; xs = r.sample(list(adj), r.randint(0, 3 if deep else 2))
    a = " ".join([o] + xs + [n + "s" * many]); b = " ".join([own[o][g + 2 * many], w + "s" * many] + [adj[x] + end for x in reversed(xs)])
    v = r.choice([("", ""), ("i see ", "veo "), ("i want ", "quiero ")]); return v[0] + a, v[1] + b
draw("spanish", spanish, 250, 150)


def swahili(r, deep):         # noun classes: prefixes that agree, cut into morphemes
    N = {"person": ("tu", 0), "child": ("toto", 0), "tree": ("ti", 1), "bread": ("kate", 1), "book": ("tabu", 2), "chair": ("ti", 2)}; P = [("m", "wa", "a", "wa"), ("m", "mi", "u", "i"), ("ki", "vi", "ki", "vi")]
    n = r.choice(list(N)); w, c = N[n]; many = r.randrange(2); p = P[c][many]; s = P[c][2 + many]; a, b = [("one", "many")[many], n], [f"{p}-", w]
    for _ in range(r.randint(0, 2 if deep else 1)): x, y = r.choice([("big", "kubwa"), ("good", "zuri"), ("two", "wili")]); a.append(x); b += [f"{p}-", y]
    t, u = r.choice([("falls", "na- anguka"), ("fell", "li- anguka"), ("will fall", "ta- anguka"), ("is enough", "na- tosha")]); return " ".join(a + [t]), " ".join(b + [f"{s}-", u])
draw("swahili", swahili, 200, 120)


def triggers(r, deep):        # when ... then rules
    C = [("the door opens", "door.open"), ("it gets dark", "light < 10"), ("nobody is home", "home == 0"), ("it rains", "rain"), ("the alarm rings", "alarm.ring")]; A = [("turn on the lamp", "lamp.on"), ("turn off the heater", "heater.off"), ("close the window", "window.close"), ("send a message to anna", "message ( anna )"), ("send a message to ben", "message ( ben )")]
    cs = r.sample(C, r.randint(1, 3 if deep else 2)); xs = r.sample(A, r.randint(1, 3 if deep else 2)); w, o = r.choice([("and", "&"), ("or", "|")]); n = r.choice(["", "", "5", "30"])
    c, a = f" {w} ".join(x for x, _ in cs), " and ".join(x for x, _ in xs); b = f"{f' {o} '.join(y for _, y in cs)} -> " + (f"wait ( {n} ) ; " if n else "") + " ; ".join(y for _, y in xs); a += f" after {n} minutes" if n else ""
    return r.choice([f"when {c} {a}", f"{a} when {c}"]), b
draw("triggers", triggers, 300, 200)


def rows(r, deep):            # drawings, row by row
    def row():
        m, k = r.choice([("two", 2), ("three", 3), ("four", 4), ("five", 5)]); s, c = r.choice([("stars", "*"), ("dots", "."), ("bars", "|"), ("blanks", "_")]); return f"{m} {s}", " ".join([c] * k)
    lines = []
    for _ in range(r.randint(1, 3 if deep else 2)):
        parts = [row() for _ in range(r.randint(1, 3 if deep else 2))]; lines.append((" next to ".join(a for a, _ in parts), " ".join(b for _, b in parts)))
    return " above ".join(a for a, _ in lines), " / ".join(b for _, b in lines)
draw("drawings", rows, 200, 200)


def pipelines(r, deep):       # what is said first is done last
    f = lambda: r.choice("name city age salary".split()); t = r.choice("users orders items".split()); field = f(); a, b = f"the {field} of all {t}", f"map ( {field} )"; steps = []
    for k in r.sample(range(3), r.randint(0, 3 if deep else 2)):
        x, n = f(), r.choice("10 30 500".split()); w, o = r.choice([("over", ">"), ("under", "<")])
        c, d = [(f"whose {x} is {w} {n}", f"filter ( {x} {o} {n} )"), (f"sorted by {x}", f"sort ( {x} )"), (f"except the first {n}", f"skip ( {n} )")][k]; a += " " + c; steps.append(d)
    return r.choice(["give me ", "show "]) + a, " . ".join([t] + steps + [b])
draw("pipelines", pipelines, 250, 200)


# Agreement that passes through phrases which nest: with one adjective in training nothing tells that another may follow, so there are up to two.
def measures(r, deep):        # Chinese measure words: by the noun, beyond its adjectives
    N = {"book": ("shu", "ben"), "magazine": ("zazhi", "ben"), "dictionary": ("cidian", "ben"), "cat": ("mao", "zhi"), "bird": ("niao", "zhi"), "dog": ("gou", "zhi"), "fish": ("yu", "tiao"), "river": ("he", "tiao"), "road": ("lu", "tiao")}
    A = {"big": "da", "red": "hong", "old": "lao", "small": "xiao"}; C = {"one": "yi", "two": "liang", "three": "san", "this": "zhe"}; V = {"sees": "kan", "wants": "yao", "buys": "mai"}; S = {"he": "ta", "mother": "mama", "the teacher": "laoshi"}
    def np():
        n = r.choice(list(N)); w, m = N[n]; a, b = n, w
        for _ in range(r.randint(0, 4 if deep else 2)): x = r.choice(list(A)); a, b = f"{x} {a}", f"{A[x]} {b}"
        c = r.choice(list(C)); return f"{c} {a}", f"{C[c]} {m} {b}"
    s, v, (a, b) = r.choice(list(S)), r.choice(list(V)), np(); x, y = f"{s} {v} {a}", f"{S[s]} {V[v]} {b}"
    if r.random() < 0.3: c, d = np(); x, y = f"{x} and {c}", f"{y} he {d}"
    return x, y
draw("measures", measures, 300, 200)


def participles(r, deep):     # Spanish-like genders: article, adjectives and participle agree
    N = {"boy": ("chico", "o"), "cat": ("gato", "o"), "uncle": ("tio", "o"), "girl": ("chica", "a"), "queen": ("reina", "a"), "nurse": ("enfermera", "a")}; A = {"tired": "cansad", "little": "pequeñ", "ill": "enferm"}; V = {"is lost": "está perdid", "was seen": "fue vist", "sleeps": "duerm"}
    n = r.choice(list(N)); w, g = N[n]; a, b = n, w
    for _ in range(r.randint(0, 4 if deep else 2)): x = r.choice(list(A)); a, b = f"{x} {a}", f"{b} {A[x]} {g}"
    v = r.choice(list(V)); e = "e" if v == "sleeps" else g
    return f"the {a} {v}", f"{'el' if g == 'o' else 'la'} {b} {V[v]} {e}"
draw("participles", participles, 150, 120)


def units(r, deep):           # a unit chosen by what is measured, beyond what it belongs to
    T = {"rice": "kg", "flour": "kg", "sugar": "kg", "milk": "l", "water": "l", "juice": "l", "rope": "m", "cloth": "m"}; P = ["cold", "fresh", "white", "cheap"]; B = ["from the market", "for anna", "for the kitchen"]
    t = r.choice(list(T)); a, b = t, t
    for _ in range(r.randint(0, 4 if deep else 2)): p = r.choice(P); a, b = f"{p} {a}", f"{b} . {p}"
    for _ in range(r.randint(0, 4 if deep else 2)): p = r.choice(B); a, b = f"{a} {p}", f"{b} @ {p.split()[-1]}"
    n = r.choice("2 3 5 7".split()); v, w = r.choice([("buy", "+"), ("sell", "-")]); return f"{v} {n} of {a}", f"{w} {n} {T[t]} {b}"
draw("units", units, 300, 200)


# --- numbers in words beside other words, kept: written after it was frozen what single words mean to begin with ------
def heating(r, deep):         # German: ones before tens, rooms between numbers
    u = "null ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn".split(); t = "_ _ zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split()
    def de(n): return u[n] if n < 20 else (u[n % 10] + " und " if n % 10 else "") + t[n // 10]
    n, m = number(r, deep, 100), number(r, deep, 60); x, y = r.choice([("im bad", "bath"), ("in der küche", "kitchen"), ("im büro", "office")]); w, v = r.choice([("das licht", "light"), ("die heizung", "heat")])
    return r.choice([(f"stelle die heizung {x} auf {de(m)} grad", f"heat ( {y} , {m} )"), (f"in {de(n)} minuten {w} {x} aus", f"after ( {n} , {v} ( {y} , off ) )"), (f"dimme das licht {x} auf {de(n)} prozent für {de(m)} minuten", f"light ( {y} , {n} , {m} )")])
draw("heating", heating, 300, 200)


def workout(r, deep):         # two numbers side by side in results, steps, more of them in tests
    def one():
        n, m = number(r, deep, 100), number(r, deep, 13); x, y = r.choice([("push ups", "pushup"), ("squats", "squat"), ("jumps", "jump")]); z, v = r.choice([("minutes", "min"), ("seconds", "s")])
        return r.choice([(f"{english(m)} sets of {english(n)} {x}", f"{y} {m} x {n}"), (f"run for {english(n)} {z}", f"run {n} {v}"), (f"rest {english(n)} {z}", f"rest {n} {v}")])
    parts = [one() for _ in range(r.randint(1, 3 if deep else 2))]
    return " then ".join(a for a, _ in parts), " ; ".join(b for _, b in parts)
draw("workout", workout, 300, 200)


def trades(r, deep):          # to thousands, two numbers of one sentence, what comes first in words second in results
    n, m = number(r, deep, 10000), number(r, deep, 1000); x, y = r.choice([("apples", "APL"), ("copper", "CU"), ("wheat", "WHT")]); w, v = r.choice([("buy", "BUY"), ("sell", "SELL")])
    return r.choice([(f"{w} {english(n)} shares of {x}", f"{v} {y} {n}"), (f"{w} {english(n)} shares of {x} at {english(m)} dollars", f"{v} {y} @ {m} * {n}"), (f"tell me when {x} is above {english(m)} dollars", f"ALERT {y} > {m}")])
draw("trades", trades, 300, 200)


# --- outputs without blanks, which have to be cut first ----------------------------------------------------------------
SMALL = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "x x twenty thirty forty fifty sixty seventy eighty ninety".split()
ORDINALS = {1: "first", 2: "second", 3: "third", 5: "fifth", 8: "eighth", 9: "ninth", 12: "twelfth"}
def ordinal(n):
    if n in ORDINALS: return ORDINALS[n]
    return SMALL[n] + "th" if n < 20 else TENS[n // 10][:-1] + "ieth" if n % 10 == 0 else TENS[n // 10] + " " + ordinal(n % 10)


def birthdays(r, deep):
    M = "January February March April May June July August September October November December".split(); d, m = r.randint(1, 28), r.randint(1, 12)
    return r.choice(["the {o} of {m}", "{m} the {o}", "{m} {o}"]).format(o=ordinal(d), m=M[m - 1]), f"{m:02d}-{d:02d}"
draw("birthdays", birthdays, 300, 200)


def timers(r, deep):
    n, u, w = r.randint(1, 90), r.choice("minutes seconds hours".split()), r.choice("timer alarm countdown".split())
    return r.choice([f"set a {w} for {english(n)} {u}", f"start a {english(n)} {u} {w}", f"{w} in {english(n)} {u} please"]), f"{w}({n}{u[0]})"
draw("timers", timers, 300, 200)


def chemistry(r, deep):
    E = {"hydrogen": "H", "oxygen": "O", "carbon": "C", "nitrogen": "N", "sodium": "Na", "chlorine": "Cl", "sulfur": "S", "iron": "Fe"}
    parts = [(e, r.randint(1, 9)) for e in r.sample(sorted(E), r.randint(1, 3))]
    return " and ".join((SMALL[n] + " " if n > 1 else "") + e for e, n in parts), "".join(E[e] + (str(n) if n > 1 else "") for e, n in parts)
draw("chemistry", chemistry, 300, 200)


def heures(r, deep):          # French times of the clock
    F = "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize".split(); T = {2: "vingt", 3: "trente", 4: "quarante", 5: "cinquante"}
    def say(n): return F[n] if n < 17 else "dix " + F[n - 10] if n < 20 else T[n // 10] + ("" if n % 10 == 0 else " et un" if n % 10 == 1 else " " + F[n % 10])
    h, m = r.randint(1, 23), r.choice([0, 15, 30, 45] + list(range(1, 60)))
    return f"{say(h)} heures" + {0: "", 15: " et quart", 30: " et demie"}.get(m, " " + say(m)), f"{h}:{m:02d}"
draw("heures", heures, 400, 200)


def tables(r, deep):          # queries with up to two conditions and an order
    c, t = r.choice("name age city".split()), r.choice("users orders shops".split()); a, b = f"show the {c} of all {t}", f"SELECT {c} FROM {t}"; parts = []
    for _ in range(r.randint(0, 2)):
        k, n = r.choice("age price size".split()), r.randint(1, 99); w, o = r.choice([("more than", ">"), ("less than", "<"), ("exactly", "=")]); parts.append((f"{k} {w} {n}", f"{k} {o} {n}"))
    if parts: a += " with " + " and ".join(p for p, _ in parts); b += " WHERE " + " AND ".join(p for _, p in parts)
    if r.random() < 0.4: k = r.choice("age price".split()); a, b = f"{a} sorted by {k}", f"{b} ORDER BY {k}"
    return a, b
draw("tables", tables, 250, 200)


def conversions(r, deep):     # numerals never seen, times a factor
    U = {"km": ("m", 1000), "kg": ("g", 1000), "h": ("min", 60), "min": ("s", 60), "dozen": ("pieces", 12)}; u = r.choice(sorted(U)); n = r.randint(1, 200)
    return f"{n} {u}", f"{n * U[u][1]} {U[u][0]}"
draw("conversions", conversions, 200, 100)
