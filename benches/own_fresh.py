#!/usr/bin/env python3
"""fresh OUTDIR: 32 independent small tasks, fixed seeds; OUTDIR/NAME.train.tsv and NAME.test.tsv, no header."""
import os, random, sys, re
out = sys.argv[1]
os.makedirs(out, exist_ok=True)
NAMES = "anna ben clara david emma".split()

def toks(s): return re.findall(r"[A-Za-z]+|\d+|\S", s)
def save(name, train, test, chars=False):
    cut = list if chars else toks
    tr = dict(train); known = {t for a in tr for t in cut(a)}; ko = {t for b in tr.values() for t in cut(str(b))}
    te = {}
    for a, b in test:
        if a not in tr and all(t in known for t in cut(a)): te.setdefault(a, b)
    for part, rows in (("train", tr), ("test", te)):
        assert all("\t" not in f"{a}{b}" for a, b in rows.items())
        with open(f"{out}/{name}.{part}.tsv", "w") as f: f.writelines(f"{a}\t{b}\n" for a, b in rows.items())
    print(name, len(tr), len(te), file=sys.stderr)
def draw(name, make, n, m, seed, known=(), chars=False):
    r, train, test = random.Random(seed), dict(known), {}
    for _ in range(100000):
        if len(train) >= n: break
        train.setdefault(*make(r, False))
    cut = list if chars else toks
    kn = {t for a in train for t in cut(a)}
    for _ in range(100000):
        if len(test) >= m: break
        a, b = make(r, True)
        if a not in train and all(t in kn for t in cut(a)): test.setdefault(a, b)
    save(name, list(train.items()), list(test.items()), chars)
def sp(s): return " ".join(s)

# 1 ---- clock times in words
def times(r, deep):
    h, ap = r.randint(1, 11), r.choice(["am", "pm"]); H = h + (12 if ap == "pm" else 0)
    k = r.randrange(6); m5 = r.choice([5, 10, 20, 25]); mm = r.choice(["", " minutes"])
    s, M = [(f"{h}", 0), (f"half past {h}", 30), (f"quarter past {h}", 15), (f"quarter to {h}", -15), (f"{m5}{mm} past {h}", m5), (f"{m5}{mm} to {h}", -m5)][k]
    t = H * 60 + M
    return r.choice(["", "it is ", "at "]) + s + " " + ap, f"{t // 60:02d}:{t % 60:02d}"
draw("times", times, 400, 150, 1)

# 2 ---- harmonising noun forms, spelled
TR = {"house": "ev", "hand": "el", "sea": "deniz", "tongue": "dil", "ship": "gemin", "place": "yer", "horse": "at", "snow": "kar", "girl": "kız", "mountain": "dağ", "head": "baş", "art": "sanat"}
def harmony_form(n, pl, det, pre):
    s = TR[n]; front = not any(c in "aı" for c in s); e, i = ("e", "i") if front else ("a", "ı")
    if pl: s += "l" + e + "r"
    s += {"the": "", "my": i + "m", "your": i + "n", "our": i + "m" + i + "z"}[det]
    d = "t" if s[-1] in "tş" else "d"
    s += {"": "", "in ": d + e, "from ": d + e + "n", "to ": e}[pre]
    return f"{pre}{det} {n}" + ("s" if pl and False else "") + (" PL" if pl else ""), sp(s)
def nouns(r, deep): return harmony_form(r.choice(list(TR)), r.random() < .5, r.choice("the my your our".split()), r.choice(["", "in ", "from ", "to "]))
draw("noun-harmony", nouns, 220, 150, 2, known=[harmony_form(n, False, "the", p) for n in TR for p in ("in ", "")])

# 3 ---- player commands to JSON with three levels
def player(r, deep):
    rooms, arts, songs = "kitchen bathroom garden cellar".split(), "miles nina bach queen".split(), "blue hurricane yesterday sunrise".split()
    def one():
        room = r.choice(rooms); where = r.random() < .6; W = f',"where":{{"room":"{room}"' ; w = f" in the {room}" if where else ""
        k = r.randrange(4)
        if k == 0:
            kind, nm = r.choice(["album", "song"]), r.choice(songs); by = r.random() < .5; ar = r.choice(arts)
            a = f"play the {kind} {nm}" + (f" by {ar}" if by else "") + w
            x = f'{{"do":"play","what":{{"kind":"{kind}","name":"{nm}"' + (f',"by":"{ar}"' if by else "") + "}"
            if where:
                x += W
                if r.random() < .4: v = r.choice([3, 5, 8]); a += f" at volume {v}"; x += f',"volume":{v}'
                x += "}"
            return a, x + "}"
        if k == 1:
            g = r.choice(["jazz", "soul", "techno"]); a = r.choice([f"put on some {g}", f"put some {g} on", f"play some {g}"]) + w
            return a, f'{{"do":"play","what":{{"kind":"genre","name":"{g}"}}' + (W + "}" if where else "") + "}"
        p, d = r.choice([("up", "louder"), ("down", "softer"), ("off", "stop")]); a = r.choice([f"turn {p} the music", f"turn the music {p}", f"turn it {p}"]) + w
        return a, f'{{"do":"{d}"' + (W + "}" if where else "") + "}"
    a, x = one()
    for _ in range(r.randint(0, 2 if deep else 1)): b, y = one(); a += r.choice([" and ", " and then "]) + b; x += "," + y
    return r.choice(["", "", "please ", "could you please ", "hey box "]) + a, f"[{x}]"
draw("player", player, 1400, 400, 3)

# 4 ---- recipes: 'them' takes up what was made before; Lisp
def recipes(r, deep):
    def chain():
        n, f = r.randint(2, 6), r.choice("onions carrots eggs apples leeks".split()); x = f"({f} {n})"; s = []
        for i in range(r.randint(1, 4 if deep else 2)):
            o = f"{n} {f}" if i == 0 else "them"; k = r.randrange(3)
            if k == 0: v = r.choice("peel chop wash".split()); s.append(f"{v} {o}"); x = f"({v} {x})"
            elif k == 1: v, m = r.choice(["fry", "boil"]), r.choice([5, 10, 15, 20]); s.append(f"{v} {o} for {m} minutes"); x = f"({v} {x} {m})"
            else: v = r.choice(["oil", "wine", "butter"]); s.append(f"cover {o} with {v}"); x = f"(add {v} {x})"
        return " and ".join(s), x
    a, x = chain()
    if r.random() < .3: b, y = chain(); a += " , then " + b; x = f"(seq {x} {y})"
    return a, x
draw("recipes", recipes, 900, 300, 4)

# 5 ---- kinship
def kin(r, deep):
    rel = {"mother": "mother(%s)", "father": "father(%s)", "brother": "brother(%s)", "wife": "wife(%s)", "grandmother": "mother(parent(%s))", "aunt": "sister(parent(%s))"}
    def chain(d):
        p = r.choice(NAMES); x = p
        for _ in range(r.randint(0, d)): q = r.choice(list(rel)); p += f" 's {q}"; x = rel[q] % x
        return p, x
    def np(d):
        if d == 0 or r.random() < .5: return chain(d)
        q = r.choice(list(rel)); a, x = np(d - 1); return f"the {q} of {a}", rel[q] % x
    D = 4 if deep else 2
    if r.random() < .6: a, x = np(D); return f"who is {a}", f"?{x}"
    (a, x), (b, y) = np(D - 1), np(D - 1); return f"is {a} the same as {b}", f"eq({x},{y})"
draw("kinship", kin, 700, 300, 5)

# 6 ---- SQL
def sql(r, deep):
    t = r.choice("employees managers drivers".split())
    def cond():
        k = r.randrange(6); n, m = sorted(r.sample(range(2000, 5001, 500), 2)); g = r.choice(range(20, 61, 5))
        l, c = r.choice("french greek polish".split()), r.choice("paris rome oslo".split())
        return [(f"earn more than {n}", f"salary > {n}"), (f"earn between {n} and {m}", f"salary BETWEEN {n} AND {m}"), (f"are older than {g}", f"age > {g}"),
                (f"are not older than {g}", f"NOT age > {g}"), (f"speak {l}", f"language = '{l}'"), (f"live in {c}", f"city = '{c}'")][k]
    h, H = r.choice([("list the names of the", "SELECT name"), ("what is the average salary of the", "SELECT AVG(salary)"), ("count the", "SELECT COUNT(*)"), ("how old are the", "SELECT name, age")])
    a, x, w = f"{h} {t}", f"{H} FROM {t} WHERE ", []
    if r.random() < .5: d = r.choice("sales research transport".split()); a += f" in {d}"; w.append(f"dept = '{d}'")
    n = r.randint(0 if w else 1, 4 if deep else 2)
    if n:
        c = [cond() for _ in range(n)]; a += " who " + c[0][0]; y = c[0][1]
        for p, q in c[1:]:
            o = r.choice(["and", "or"]); a += f" {o} {p}"; y += f" {o.upper()} {q}"
        w.append(y)
    x += " AND ".join(w)
    if r.random() < .4:
        c = r.choice(["age", "salary", "name"]); d = r.random() < .5; a += f" sorted by {c}" + (" descending" if d else ""); x += f" ORDER BY {c}" + (" DESC" if d else "")
    return a, x
draw("staff-sql", sql, 1500, 400, 6)

# 7 ---- German verbs that part, verb last in subordinate clauses
def german(r, deep):
    V = [("ruft", "an", "CALL"), ("laedt", "ein", "INVITE"), ("holt", "ab", "COLLECT"), ("sieht", "", "SEE"), ("kennt", "", "KNOW"), ("holt", "", "FETCH"), ("sieht", "an", "WATCH")]
    M = [("sagt", "SAY"), ("glaubt", "BELIEVE"), ("weiss", "KNOWTHAT")]
    def sub(d):
        if d and r.random() < .6:
            s, (v, V_) = r.choice(NAMES), r.choice(M); a, x = sub(d - 1); return f"{s} {v} , dass {a}", s, f"{V_}({s},{x})"
        s, o, (v, p, L) = r.choice(NAMES), r.choice(NAMES), r.choice(V); n = r.random() < .3; x = f"{L}({s},{o})"
        return f"{s} {o}{' nicht' if n else ''} {p}{v}", s, f"NOT({x})" if n else x
    def sub2(d): a, s, x = sub(d); return a, x
    def sub_(d):   # subordinate with further dass-clause: verb before the comma
        if d and r.random() < .6:
            s, (v, V_) = r.choice(NAMES), r.choice(M); a, x = sub_(d - 1); return f"{s} {v} , dass {a}", f"{V_}({s},{x})"
        a, _, x = sub(0); return a, x
    q = r.random() < .25; d = r.randint(1, 3) if deep else r.randint(0, 1)
    s = r.choice(NAMES)
    if d:
        v, V_ = r.choice(M); a, x = sub_(d - 1); x = f"{V_}({s},{x})"; a = f"{v} {s} , dass {a}" if q else f"{s} {v} , dass {a}"
    else:
        o, (v, p, L) = r.choice(NAMES), r.choice(V); n = r.random() < .3; x = f"{L}({s},{o})"
        if n: x = f"NOT({x})"
        rest = f"{o}{' nicht' if n else ''}{' ' + p if p else ''}"; a = f"{v} {s} {rest}" if q else f"{s} {v} {rest}"
    return a + (" ?" if q else ""), f"ASK({x})" if q else x
draw("german-verbs", german, 900, 300, 7)

# 8 ---- German articles and adjectives: gender and case, small
def case(r, deep):
    N = {"dog": ("Hund", 0), "man": ("Mann", 0), "cat": ("Katze", 1), "woman": ("Frau", 1), "child": ("Kind", 2), "horse": ("Pferd", 2)}
    art = {"nom": ("der", "die", "das"), "acc": ("den", "die", "das"), "dat": ("dem", "der", "dem")}
    def np(c):
        n = r.choice(list(N)); g = N[n][1]; ad = r.choice(["", "old", "small"]); st = {"old": "alt", "small": "klein"}.get(ad, "")
        end = "en" if c == "dat" or (c == "acc" and g == 0) else "e"
        return f"the {ad + ' ' if ad else ''}{n}", f"{art[c][g]} {st + end + ' ' if ad else ''}{N[n][0]}"
    (a, x), (b, y) = np("nom"), np("acc"); v, w = r.choice([("sees", "sieht"), ("loves", "liebt"), ("seeks", "sucht")])
    a, x = f"{a} {v} {b}", f"{x} {w} {y}"
    if r.random() < .4: c, z = np("dat"); a += f" with {c}"; x += f" mit {z}"
    return a, x
draw("german-cases", case, 150, 80, 8)

# 9 ---- Spanish verb forms of unseen verbs, spelled
def conj():
    E = {"pres": {"a": "o as a amos an", "e": "o es e emos en", "i": "o es e imos en"}, "past": {"a": "e aste o amos aron", "e": "i iste io imos ieron", "i": "i iste io imos ieron"}}
    F = "e as a emos an".split(); P = "yo tu ella nosotros ellas".split()
    verbs = "hablar cantar comer vivir beber partir bailar correr subir tomar vender abrir llamar meter sufrir nadar temer cubrir mirar romper saltar cocinar aprender escribir trabajar limpiar comprar barrer discutir dejar ganar deber unir llorar prometer permitir usar coser asistir estudiar quemar viajar".split()
    tests = "lavar decidir responder cortar insistir ofender gritar recibir pintar admitir besar tejer ayudar sorprender existir preparar".split()
    def row(v, p, t):
        f = v + F[p] if t == "fut" else v[:-2] + E[t][v[-2]].split()[p]
        return f"{P[p]} {t} {sp(v)}", sp(f)
    r = random.Random(9)
    full = lambda vs: [row(v, p, t) for v in vs for p in range(5) for t in ("pres", "past", "fut")]
    save("spanish-verbs", r.sample(full(verbs), 450), r.sample(full(tests), 200))
conj()

# 10 ---- pig latin
def pig(r, deep):
    cl = r.choice(["", "b", "c", "d", "f", "g", "l", "m", "p", "r", "s", "t", "st", "tr", "pl", "br", "str", "spl", "gr", "cl"])
    w = cl + r.choice("aeiou")
    for _ in range(r.randint(2, 4) if deep else r.randint(0, 2)): w += r.choice("bcdfglmnprst") + r.choice("aeiou")
    if r.random() < .5: w += r.choice("nrst")
    rest = w[len(cl):]
    return sp(w), sp(rest + cl + "ay") if cl else sp(w + "way")
draw("pig-latin", pig, 600, 200, 10)

# 11 ---- regular expressions
def regex(r, deep):
    C = {"digit": "[0-9]", "letter": "[a-z]", "capital": "[A-Z]", "vowel": "[aeiou]", "blank": "\\s"}; NUM = {"two": 2, "three": 3, "four": 4}
    def item(alt=True):
        c = r.choice(list(C)); k = r.randrange(8 if alt else 7); n = r.choice(list(NUM))
        if k == 0: return f"a {c}", C[c]
        if k == 1: return f"{n} {c}s", f"{C[c]}{{{NUM[n]}}}"
        if k == 2: return f"{n} or more {c}s", f"{C[c]}{{{NUM[n]},}}"
        if k == 3: return f"one or more {c}s", C[c] + "+"
        if k == 4: return f"any number of {c}s", C[c] + "*"
        if k == 5: return f"an optional {c}", C[c] + "?"
        if k == 6: w = r.choice("cat dog sun map".split()); return f"the word {w}", w
        (a, x), (b, y) = item(False), item(False); return f"either {a} or {b}", f"({x}|{y})"
    xs = [item() for _ in range(r.randint(1, 5 if deep else 3))]; a, x = " followed by ".join(p for p, _ in xs), "".join(q for _, q in xs)
    h, l, e = r.choice([("lines that start with", "^", ""), ("lines that end with", "", "$"), ("lines that consist of", "^", "$"), ("lines that contain", "", ""), ("lines with", "", "")])
    return f"{h} {a}", l + x + e
draw("regexes", regex, 1000, 300, 11)

# 12 ---- chess moves
def chess(r, deep):
    P = {"knight": "N", "bishop": "B", "rook": "R", "queen": "Q", "king": "K", "pawn": ""}
    def mv():
        q = r.choice("abcdefgh") + str(r.randint(1, 8)); p = r.choice(list(P)); end, E = r.choice([("", "")] * 3 + [(" with check", "+"), (" mate", "#")]); k = r.randrange(6); f = r.choice("abcdefgh")
        if k == 0: return r.choice([f"the {p} goes to {q}", f"{p} to {q}"]) + end, f"{P[p]}{q}{E}"
        if k == 1 and p != "pawn": return r.choice([f"the {p} takes on {q}", f"{p} takes {q}"]) + end, f"{P[p]}x{q}{E}"
        if k == 2: p = r.choice(["knight", "rook"]); return f"the {f} {p} goes to {q}{end}", f"{P[p]}{f}{q}{E}"
        if k == 3: return f"the {f} pawn takes {q}{end}", f"{f}x{q}{E}"
        if k == 4: return r.choice([("castles short", "O-O"), ("castles long", "O-O-O")])
        p = r.choice(["knight", "bishop", "rook", "queen"]); q = r.choice("abcdefgh") + r.choice("18"); return f"the pawn goes to {q} and becomes a {p}{end}", f"{q}={P[p]}{E}"
    ms = [mv() for _ in range(r.randint(1, 3 if deep else 2))]
    return " then ".join(a for a, _ in ms), " ".join(b for _, b in ms)
draw("chess", chess, 700, 250, 12)

# 13 ---- senses: what stands beside decides, both for nouns and for verbs; small
def senses(r, deep):
    am = {"crane": ("HERON", "HOIST"), "mouse": ("RODENT", "POINTER"), "bat": ("FLYER", "CLUB"), "seal": ("SEALION", "STAMP")}
    def s():
        p = r.choice(NAMES[:3]); k = r.randrange(4)
        if k < 2: n = r.choice(list(am)); v = r.choice([["feeds", "strokes", "hears"], ["repairs", "sells", "paints"]][k]); return f"{p} {v} the {n}", f"{v[:-1].upper()} ( {p.upper()} , {am[n][k]} )"
        v = r.choice(["draws", "runs"]); n = r.choice({"draws": ["curtain", "cart", "picture", "map"], "runs": ["shop", "bar", "race", "mile"]}[v])
        sense = {"curtain": "PULL", "cart": "PULL", "picture": "SKETCH", "map": "SKETCH", "shop": "MANAGE", "bar": "MANAGE", "race": "RUN", "mile": "RUN"}[n]
        return f"{p} {v} the {n}", f"{sense} ( {p.upper()} , {n.upper()} )"
    a, x = s()
    for _ in range(r.randint(1, 3) if deep else r.randint(0, 1)): b, y = s(); a += " and " + b; x += " & " + y
    return a, x
draw("senses", senses, 110, 120, 13)

# 14 ---- melodies
def melody(r, deep):
    S = "cdefgab"
    def e(d):
        if d == 0 or r.random() < .25: n = sp(r.choice(S) for _ in range(r.randint(1, 3))); return n, n.split()
        k = r.randrange(4); a, x = e(d - 1)
        if k == 0: b, y = e(d - 1); return f"{a} then {b}", x + y
        if k == 1: return f"up [ {a} ]", [S[(S.index(t) + 1) % 7] for t in x]
        if k == 2: return f"backwards [ {a} ]", x[::-1]
        return f"[ {a} ] again", x + x
    a, x = e(4 if deep else 2); return a, " ".join(t.upper() for t in x)
draw("melodies", melody, 1500, 300, 14)

# 15 ---- diary: small talk to API calls
def diary(r, deep):
    D = {"monday": "mon", "tuesday": "tue", "wednesday": "wed", "thursday": "thu", "friday": "fri"}
    def at():
        d = r.choice(list(D)); h, ap = r.choice([(8, "am"), (9, "am"), (10, "am"), (11, "am"), (1, "pm"), (2, "pm"), (3, "pm"), (4, "pm"), (5, "pm")])
        return f"on {d} at {h} {ap}", f'("{D[d]}",{h + 12 * (ap == "pm")})'
    def ev():
        k = r.choice("meeting lunch call".split()); ps = r.sample(NAMES + ["fred", "gina"], r.randint(1, 5 if deep else 3))
        return f"{k} with " + (" , ".join(ps[:-1]) + " and " if ps[1:] else "") + ps[-1], f'kind="{k}",with=[' + ",".join(f'"{p}"' for p in ps) + "]"
    k = r.randrange(4); (a, x), (t, T), (u, U) = ev(), at(), at()
    d = r.choice(list(D))
    s, y = [(r.choice(["put a {} in my diary {}", "arrange a {} {}", "i need a {} {}"]).format(a, t), f"add({x},at={T})"), (f"cancel the {a} {t}", f"remove({x},at={T})"),
            (f"move the {a} to {u[3:]}", f"move({x},to={U})"), (r.choice([f"what do i have on {d}", f"show me my {d}"]), f'show(day="{D[d]}")')][k]
    return r.choice(["", "hello ", "sorry but could you ", "please "]) + s + r.choice(["", "", " thanks"]), y
draw("diary", diary, 1300, 300, 15)

# 16 ---- descriptions to HTML
def html(r, deep):
    W = "apple pear plum fig cherry".split()
    def item(d):
        if d == 0 or r.random() < .5: w = r.choice(W); return (w, w) if r.random() < .8 else (f"link to {w}", f'<a href="{w}">{w}</a>')
        t, h = r.choice([("bold", "b"), ("italic", "i"), ("small", "small")]); a, x = item(d - 1); return f"{t} {a}", f"<{h}>{x}</{h}>"
    def block(d):
        k = r.randrange(3) if d else r.randrange(2)
        if k == 0:
            xs = [item(2 if deep else 1) for _ in range(r.randint(2, 5 if deep else 3))]
            return "a list of " + " , ".join(a for a, _ in xs[:-1]) + " and " + xs[-1][0], "<ul>" + "".join(f"<li>{x}</li>" for _, x in xs) + "</ul>"
        if k == 1: a, x = item(2 if deep else 1); return f"a paragraph saying {a}", f"<p>{x}</p>"
        a, x = block(d - 1); return f"a box with {a}", f"<div>{x}</div>"
    bs = [block(3 if deep else 1) for _ in range(r.randint(1, 3 if deep else 2))]
    return "make " + " followed by ".join(a for a, _ in bs), "<body>" + "".join(x for _, x in bs) + "</body>"
draw("html", html, 1200, 300, 16)

# 17 ---- digits to German number words
DE = "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn".split()
DE10 = "_ _ zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig".split()
def de(n, last=True):
    one = lambda k: "ein" if k == 1 else DE[k]
    if n >= 1000: return de(n // 1000, False) + " tausend" + (" " + de(n % 1000, last) if n % 1000 else "")
    if n >= 100: return one(n // 100) + " hundert" + (" " + de(n % 100, last) if n % 100 else "")
    if n < 20: return DE[n] if last else one(n)
    return (f"{one(n % 10)} und " if n % 10 else "") + DE10[n // 10]
def write_de():
    r = random.Random(17); rest = r.sample(range(100, 1000), 550)
    save("write-german", [(str(n), de(n)) for n in list(range(1, 100)) + rest[:250]], [(str(n), de(n)) for n in rest[250:]], chars=True)
write_de()

# 18 ---- active, passive, two objects, questions
def passive(r, deep):
    G = [("gave", "given", "GIVE"), ("showed", "shown", "SHOW"), ("sent", "sent", "SEND")]; T = [("saw", "seen", "SEE"), ("praised", "praised", "PRAISE"), ("wrote", "written", "WRITE")]
    B = "book letter cake".split()
    def s(who=False):
        ag, re_ = r.sample(NAMES, 2); b = r.choice(B); A, R, K = ag.upper(), re_.upper(), b.upper()
        if r.random() < .6:
            v, p, L = r.choice(G); k = r.randrange(6)
            if who: return [(f"who {v} {re_} the {b}", f"WHO x : {L} ( x , {K} , {R} )"), (f"who {v} the {b} to {re_}", f"WHO x : {L} ( x , {K} , {R} )"), (f"who was {p} the {b} by {ag}", f"WHO x : {L} ( {A} , {K} , x )")][k % 3]
            return [(f"{ag} {v} {re_} the {b}", f"{L} ( {A} , {K} , {R} )"), (f"{ag} {v} the {b} to {re_}", f"{L} ( {A} , {K} , {R} )"), (f"the {b} was {p} to {re_} by {ag}", f"{L} ( {A} , {K} , {R} )"),
                    (f"{re_} was {p} the {b} by {ag}", f"{L} ( {A} , {K} , {R} )"), (f"{re_} was {p} the {b}", f"{L} ( SOMEONE , {K} , {R} )"), (f"the {b} was {p} to {re_}", f"{L} ( SOMEONE , {K} , {R} )")][k]
        v, p, L = r.choice(T); k = r.randrange(3)
        if who: return [(f"who {v} the {b}", f"WHO x : {L} ( x , {K} )"), (f"what was {p} by {ag}", f"WHAT x : {L} ( {A} , x )"), (f"what was {p}", f"WHAT x : {L} ( SOMEONE , x )")][k]
        return [(f"{ag} {v} the {b}", f"{L} ( {A} , {K} )"), (f"the {b} was {p} by {ag}", f"{L} ( {A} , {K} )"), (f"the {b} was {p}", f"{L} ( SOMEONE , {K} )")][k]
    if r.random() < .2: return s(True)
    a, x = s()
    for _ in range(r.randint(1, 3) if deep else r.randint(0, 1)): z = r.choice(NAMES); m = r.choice(["said", "knew", "hoped"]); a = f"{z} {m} that {a}"; x = f"{m.upper()} ( {z.upper()} , {x} )"
    return a, x
draw("passives", passive, 1000, 300, 18)

# ================================================================== numbers, truth, rows
# 19, 20 ---- number words
FR = "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize".split()
def fr(n):
    if n <= 16: return FR[n]
    if n < 20: return "dix " + FR[n - 10]
    if n < 60:
        t = "_ _ vingt trente quarante cinquante".split()[n // 10]; return t + ("" if n % 10 == 0 else " et un" if n % 10 == 1 else " " + FR[n % 10])
    if n < 80: k = n - 60; return "soixante" + ("" if k == 0 else " et " + fr(k) if k in (1, 11) else " " + fr(k))
    if n < 100: k = n - 80; return "quatre vingts" if k == 0 else "quatre vingt " + fr(k)
    if n < 1000: h = n // 100; return ("" if h == 1 else FR[h] + " ") + ("cents" if h > 1 and n % 100 == 0 else "cent") + (" " + fr(n % 100) if n % 100 else "")
    return ("" if n < 2000 else fr(n // 1000) + " ") + "mille" + (" " + fr(n % 1000) if n % 1000 else "")
def nums(name, w, few, lo, hi, tlo, thi, seed, chars=False, m=300):
    r = random.Random(seed); tr = [(w(n), n) for n in list(range(1, lo)) + r.sample(range(lo, hi), few)]
    save(name, tr, [(w(n), n) for n in r.sample(range(tlo, thi), m)], chars)
nums("numbers-fr", fr, 650, 40, 10000, 200, 10000, 19)
nums("numbers-de", de, 600, 30, 10000, 1000, 100000, 20)

# 21 ---- roman numerals, no blanks
def roman(n):
    s = ""
    for v, c in zip((1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1), "M CM D CD C XC L XL X IX V IV I".split()):
        while n >= v: s += c; n -= v
    return s
nums("roman", roman, 260, 40, 2000, 300, 3999, 21, chars=True)

# 22 ---- durations to a wanted unit
def durations(r, deep):
    U = {"days": 86400, "hours": 3600, "minutes": 60, "seconds": 1}; t = r.choice(["minutes", "seconds"])
    us = [u for u in U if U[u] >= U[t]]; us = sorted(r.sample(us, min(len(us), r.randint(1, 3 if deep else 2))), key=lambda u: -U[u])
    ps = [(r.randint(1, 12), u) for u in us]; a = " and ".join(f"{n} {u}" for n, u in ps); v = sum(n * U[u] for n, u in ps) // U[t]
    return r.choice([f"convert {a} to {t}", f"how many {t} are {a}", f"{a} in {t}"]), v
draw("durations", durations, 700, 300, 22)

# 23 ---- postfix
def postfix(r, deep):
    def e(d):
        if d == 0 or r.random() < .25: n = r.randrange(10); return str(n), n
        (a, x), (b, y) = e(d - 1), e(d - 1); o = r.choice("+-*"); return f"{a} {b} {o}", {"+": x + y, "-": x - y, "*": x * y}[o]
    return e(4 if deep else 2)
draw("postfix", postfix, 1500, 400, 23, known=[(str(n), n) for n in range(10)])

# 24 ---- plus and minus bind tighter than times; no blanks
def tight(r, deep):
    def prod(d):
        xs = [sm(d) for _ in range(r.randint(1, 4 if deep else 3))]; v = 1
        for _, y in xs: v *= y
        return "*".join(a for a, _ in xs), v
    def sm(d):
        a, v = atom(d)
        for _ in range(r.choice([0, 0, 1, 1, 2, 3] if deep else [0, 0, 1, 1, 2])):
            b, w = atom(d); o = r.choice("+-"); a += o + b; v = v + w if o == "+" else v - w
        return a, v
    def atom(d):
        if d and r.random() < .25: a, v = prod(d - 1); return f"({a})", v
        n = r.randrange(10); return str(n), n
    return prod(1)
draw("plus-first", tight, 2000, 400, 24, known=[(str(n), n) for n in range(10)], chars=True)

# 25 ---- hours on a clock of twelve
def clock(r, deep):
    t = r.randint(1, 12); a = f"{t}"
    for _ in range(r.randint(1, 4) if deep else r.randint(0, 2)):
        k, w = r.randint(1, 6), r.choice(["after", "before"]); a = f"{k} hours {w} {a}"; t = (t + (k if w == "after" else -k) - 1) % 12 + 1
    return r.choice(["what time is it ", "", "tell me "]) + a, t
draw("clock-hours", clock, 900, 300, 25)

# 26 ---- comparisons told in words
def compare(r, deep):
    def num(d):
        k = r.random()
        if d == 0 or k < .6: n = r.randrange(13); return str(n), n
        if k < .8: a, v = num(d - 1); return f"twice {a}", 2 * v
        n, m = r.randrange(10), r.randrange(10); return f"{n} plus {m}", n + m
    def e(d):
        if d == 0 or r.random() < .4:
            (a, v), (b, w) = num(1), num(1); n = r.random() < .3; k = r.randrange(3); t = [v < w, v > w, v == w][k]
            return f"{a} is {'not ' if n else ''}{['less than', 'greater than', 'equal to'][k]} {b}", t != n
        (a, v), (b, w) = e(d - 1), e(d - 1); return (f"both {a} and {b}", v and w) if r.random() < .5 else (f"either {a} or {b}", v or w)
    a, v = e(3 if deep else 1); return f"is it true that {a}", "yes" if v else "no"
draw("compare-words", compare, 1500, 400, 26)

# 27 ---- letter scores
def scores(r, deep):
    val = dict(zip("abcdefghijklmnopqrstuvwxyz", [1, 3, 3, 2, 1, 4, 2, 4, 1, 8, 5, 1, 3, 1, 1, 3, 10, 1, 1, 1, 1, 4, 4, 8, 4, 10]))
    def word():
        a, v = [], 0
        for _ in range(r.randint(1, 8 if deep else 4)):
            c = r.choice("abcdefghijklmnopqrstuvwxyz"); k = r.random()
            f, p = (2, "double ") if k < .15 else (3, "triple ") if k < .25 else (1, ""); a.append(p + c); v += f * val[c]
        a = f"[ {' '.join(a)} ]"
        return (f"twice {a}", 2 * v) if r.random() < .25 else (a, v)
    a, v = word()
    for _ in range(r.randint(0, 2 if deep else 1)): b, w = word(); a += " and " + b; v += w
    return a, v
draw("letter-scores", scores, 800, 300, 27)

# 28 ---- Lisp with any number of arguments, minus and negation
def lisp(r, deep):
    def e(d):
        if d == 0 or r.random() < .35: n = r.randrange(10); return str(n), n
        o = r.choice(["+", "-", "*", "max"]); xs = [e(d - 1) for _ in range(r.randint(1 if o == "-" else 2, 5 if deep and o != "*" else 3))]; v = [x for _, x in xs]
        y = sum(v) if o == "+" else max(v) if o == "max" else (-v[0] if len(v) == 1 else v[0] - sum(v[1:])) if o == "-" else 1
        if o == "*":
            for x in v: y *= x
        return f"({o} " + " ".join(a for a, _ in xs) + ")", y
    return e(3 if deep else 2)
draw("lisp-minus", lisp, 2500, 400, 28, known=[(str(n), n) for n in range(10)])

# 29 ---- parts of numbers
def parts(r, deep):
    F = {"half": (1, 2), "a third": (1, 3), "a quarter": (1, 4), "two thirds": (2, 3), "10 percent": (1, 10), "50 percent": (1, 2), "20 percent": (1, 5)}
    def term():
        while True:
            n = r.randint(1, 120); a, v = str(n), n
            for _ in range(r.randint(0, 3 if deep else 2)):
                f = r.choice(list(F)); p, q = F[f]
                if v * p % q: break
                a, v = f"{f} of {a}", v * p // q
            if " of " in a or r.random() < .1: return a, v
    a, v = term()
    for _ in range(r.randint(0, 2 if deep else 1)): b, w = term(); a += " plus " + b; v += w
    return a, v
draw("parts", parts, 1200, 300, 29, known=[(str(n), n) for n in range(1, 121)])

# 30 ---- quantifiers over yes and no
def quant(r, deep):
    def e(d):
        if d == 0 or r.random() < .35: v = r.random() < .5; return "yes" if v else "no", v
        if r.random() < .15: a, v = e(d - 1); return f"not {a}", not v
        xs = [e(d - 1) for _ in range(r.randint(1, 5 if deep else 3))]; n = sum(v for _, v in xs); q = r.choice(["all", "none", "some", "exactly one"])
        return f"{q} of ( " + " , ".join(a for a, _ in xs) + " )", {"all": n == len(xs), "none": n == 0, "some": n > 0, "exactly one": n == 1}[q]
    a, v = e(3 if deep else 2); return a, "true" if v else "false"
draw("quantifiers", quant, 1500, 400, 30)

# 31 ---- shopping: totals in cents
def shop(r, deep):
    def price():
        k = r.random(); e, c = r.randint(1, 4), r.choice(range(5, 100, 5))
        return (f"{c} cents", c) if k < .6 else (f"{e} euros", 100 * e) if k < .8 else (f"{e} euros {c}", 100 * e + c)
    def one():
        f = r.choice("apple pear melon lemon".split()); p, v = price(); n = r.randint(2, 9)
        return (f"a {f} for {p}", v) if r.random() < .4 else (f"{n} {f}s at {p} each", n * v)
    a, v = one()
    for _ in range(r.randint(0, 3 if deep else 1)): b, w = one(); a += " and " + b; v += w
    if r.random() < .25:
        d = r.choice([5, 10, 20]); 
        if v > d: a += f" with {d} cents off"; v -= d
    return a, v
draw("shopping", shop, 1000, 300, 31)

# 32 ---- rows of numbers
def rows(r, deep):
    def e(d):
        if d == 0: xs = [r.randrange(21) for _ in range(r.randint(2, 7 if deep else 4))]; return " ".join(map(str, xs)), xs
        a, x = e(d - 1); k = r.randrange(5); n = r.randint(1, 5)
        return [(f"add {n} to each of {a}", [t + n for t in x]), (f"double each of {a}", [2 * t for t in x]), (f"sort {a}", sorted(x)), (f"turn around {a}", x[::-1]), (f"the sums along {a}", [sum(x[:i + 1]) for i in range(len(x))])][k]
    a, x = e(r.randint(1, 3) if deep else r.randint(1, 2)); return a, " ".join(map(str, x))
draw("rows", rows, 1500, 300, 32)

# ================================================================== variants, not counted: to see where the limit is
def lisp4(r, deep):
    def e(d):
        if d == 0 or r.random() < .35: n = r.randrange(10); return str(n), n
        o = r.choice(["+", "-", "*", "max"]); xs = [e(d - 1) for _ in range(r.randint(1 if o == "-" else 2, 3 if o == "*" else 6 if deep else 4))]; v = [x for _, x in xs]
        y = sum(v) if o == "+" else max(v) if o == "max" else (-v[0] if len(v) == 1 else v[0] - sum(v[1:])) if o == "-" else 1
        if o == "*":
            for x in v: y *= x
        return f"({o} " + " ".join(a for a, _ in xs) + ")", y
    return e(3 if deep else 2)
draw("v-lisp-minus-4", lisp4, 2500, 300, 128, known=[(str(n), n) for n in range(10)])
def compare1(r, deep):
    def e(d):
        if d == 0 or r.random() < .4:
            v, w = r.randrange(13), r.randrange(13); k = r.randrange(3)
            return f"{v} is {['less than', 'greater than', 'equal to'][k]} {w}", [v < w, v > w, v == w][k]
        (a, v), (b, w) = e(d - 1), e(d - 1); return (f"both {a} and {b}", v and w) if r.random() < .5 else (f"either {a} or {b}", v or w)
    a, v = e(3 if deep else 1); return a, "yes" if v else "no"
draw("v-compare-plain", compare1, 1500, 300, 126)
def compare0(r, deep):
    v, w = r.randrange(13), r.randrange(13); k = r.randrange(3); return f"{v} is {['less than', 'greater than', 'equal to'][k]} {w}", "yes" if [v < w, v > w, v == w][k] else "no"
draw("v-compare-flat", compare0, 300, 150, 127)
def html2(r, deep):
    W = "apple pear plum fig cherry".split()
    def item(d):
        if d == 0 or r.random() < .5: w = r.choice(W); return (w, w) if r.random() < .8 else (f"link to {w}", f'<a href="{w}">{w}</a>')
        t, h = r.choice([("bold", "b"), ("italic", "i"), ("small", "small")]); a, x = item(d - 1); return f"{t} {a}", f"<{h}>{x}</{h}>"
    def block(d):
        k = r.randrange(3) if d else r.randrange(2)
        if k == 0:
            xs = [item(1) for _ in range(r.randint(2, 4 if deep else 3))]
            return "a list of " + " , ".join(a for a, _ in xs[:-1]) + " and " + xs[-1][0], "<ul>" + "".join(f"<li>{x}</li>" for _, x in xs) + "</ul>"
        if k == 1: a, x = item(2 if deep else 1); return f"a paragraph saying {a}", f"<p>{x}</p>"
        a, x = block(d - 1); return f"a box with {a}", f"<div>{x}</div>"
    bs = [block(4 if deep else 2) for _ in range(r.randint(1, 3 if deep else 2))]
    return "make " + " followed by ".join(a for a, _ in bs), "<body>" + "".join(x for _, x in bs) + "</body>"
draw("v-html-nested", html2, 1200, 300, 116)
def parts3(r, deep):
    F = {"half": (1, 2), "a third": (1, 3), "a quarter": (1, 4), "two thirds": (2, 3), "10 percent": (1, 10), "50 percent": (1, 2), "20 percent": (1, 5)}
    def term():
        while True:
            n = r.randint(1, 120); a, v = str(n), n
            for _ in range(r.randint(0, 3 if deep else 2)):
                f = r.choice(list(F)); p, q = F[f]
                if v * p % q: break
                a, v = f"{f} of {a}", v * p // q
            if " of " in a or r.random() < .3: return a, v
    a, v = term()
    for _ in range(r.randint(1, 3) if deep else r.randint(0, 2)): b, w = term(); a += " plus " + b; v += w
    return a, v
draw("v-parts-3", parts3, 1200, 300, 129, known=[(str(n), n) for n in range(1, 121)])
def prices(r, deep):
    def price():
        e, c = r.randint(1, 9), r.choice(range(5, 100, 5)); k = r.randrange(3)
        return [(f"{c} cents", c), (f"{e} euros", 100 * e), (f"{e} euros {c}", 100 * e + c)][k]
    p, v = price(); n = r.randint(2, 9)
    return (f"a pear for {p}", v) if r.random() < .4 else (f"{n} pears at {p} each", n * v)
draw("v-prices", prices, 350, 150, 131)
def cmp_variant(name, parts, seed):
    def make(r, deep):
        def num():
            k = r.random()
            if k < .3 and "twice" in parts: n = r.randrange(13); return f"twice {n}", 2 * n
            if k > .7 and "plus" in parts: n, m = r.randrange(10), r.randrange(10); return f"{n} plus {m}", n + m
            n = r.randrange(13); return str(n), n
        def e(d):
            if d == 0 or r.random() < .4:
                (a, v), (b, w) = num(), num(); k = r.randrange(3); n = "not" in parts and r.random() < .3
                return f"{a} is {'not ' if n else ''}{['less than', 'greater than', 'equal to'][k]} {b}", [v < w, v > w, v == w][k] != n
            (a, v), (b, w) = e(d - 1), e(d - 1); return (f"both {a} and {b}", v and w) if r.random() < .5 else (f"either {a} or {b}", v or w)
        a, v = e(3 if deep else 1); return ("is it true that " if "filler" in parts else "") + a, "yes" if v else "no"
    draw(name, make, 1500, 200, seed)
for i, p in enumerate((["filler"], ["not"], ["twice"], ["plus"], ["not", "twice", "plus"])): cmp_variant("v-compare-" + "-".join(p), p, 200 + i)
def harmony2():
    full = [harmony_form(n, pl, det, pre) for n in TR for pl in (0, 1) for det in "the my your our".split() for pre in ("", "in ", "from ", "to ")]
    r = random.Random(102); r.shuffle(full); save("v-noun-harmony-more", full[:300], full[300:])
harmony2()
draw("v-senses-more", senses, 300, 120, 113)
