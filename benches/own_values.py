"""Writes tasks with computed results: number words of many languages, Roman numerals, ListOps, units, times, prices, logic, comparisons.

    python3 benches/own_values.py FOLDER [TASK...]

Training is on small cases, tests on larger ones: numbers below 10,000 and up to 999,999, rows of 5 and of 15 arguments.
"""

import random
import sys
from pathlib import Path

DE = "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn".split()
DE_TENS = "_ _ zwanzig dreissig vierzig fünfzig sechzig siebzig achtzig neunzig".split()
EN = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
EN_TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()
FR = "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize".split()
FR_TENS = "_ _ vingt trente quarante cinquante soixante".split()
EO = "nul unu du tri kvar kvin ses sep ok nau".split()
TR = "sıfır bir iki üç dört beş altı yedi sekiz dokuz".split()
TR_TENS = "_ on yirmi otuz kırk elli altmış yetmiş seksen doksan".split()
VI = "không một hai ba bốn năm sáu bảy tám chín".split()


IT = "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove".split()
IT_TENS = "_ _ venti trenta quaranta cinquanta sessanta settanta ottanta novanta".split()
PT = "zero um dois três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis dezessete dezoito dezenove".split()
PT_TENS = "_ _ vinte trinta quarenta cinquenta sessenta setenta oitenta noventa".split()
PT_HUNDREDS = "_ cento duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos".split()
DA = "nul en to tre fire fem seks syv otte ni ti elleve tolv tretten fjorten femten seksten sytten atten nitten".split()
DA_TENS = "_ _ tyve tredive fyrre halvtreds tres halvfjerds firs halvfems".split()
NL = "nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien".split()
NL_TENS = "_ _ twintig dertig veertig vijftig zestig zeventig tachtig negentig".split()
EU = "zero bat bi hiru lau bost sei zazpi zortzi bederatzi hamar hamaika hamabi hamahiru hamalau hamabost hamasei hamazazpi hemezortzi hemeretzi".split()
EU_SCORES = "_ hogei berrogei hirurogei laurogei".split()
CY = "dim un dau tri pedwar pump chwech saith wyth naw deg".split()
JA = "rei ichi ni san yon go roku nana hachi kyuu".split()
FI = "nolla yksi kaksi kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän".split()


def by_tens(n, units, tens, joint=None):
    """A number below 100: tens, a word between, units."""
    if n < len(units):
        return [units[n]]
    rest = n % 10
    return [tens[n // 10]] + ((([joint] if joint else []) + [units[rest]]) if rest else [])


def italian(n):
    if n < 100:
        return by_tens(n, IT, IT_TENS)
    if n < 1000:
        return ([] if n // 100 == 1 else [IT[n // 100]]) + ["cento"] + (italian(n % 100) if n % 100 else [])
    head = ["mille"] if n // 1000 == 1 else italian(n // 1000) + ["mila"]
    return head + (italian(n % 1000) if n % 1000 else [])


def portuguese(n):
    if n < 100:
        return by_tens(n, PT, PT_TENS, "e")
    if n == 100:
        return ["cem"]
    if n < 1000:
        return [PT_HUNDREDS[n // 100]] + (["e"] + portuguese(n % 100) if n % 100 else [])
    head = ([] if n // 1000 == 1 else portuguese(n // 1000)) + ["mil"]
    rest = n % 1000
    return head + ((["e"] if rest < 100 or rest % 100 == 0 else []) + portuguese(rest) if rest else [])


def danish(n):
    if n < 20:
        return [DA[n]]
    if n < 100:
        return ([DA[n % 10], "og"] if n % 10 else []) + [DA_TENS[n // 10]]
    if n < 1000:
        head = ["et" if n // 100 == 1 else DA[n // 100], "hundrede"]
        return head + (["og"] + danish(n % 100) if n % 100 else [])
    head = (["et"] if n // 1000 == 1 else danish(n // 1000)) + ["tusind"]
    rest = n % 1000
    return head + ((["og"] if rest < 100 else []) + danish(rest) if rest else [])


def dutch(n):
    if n < 20:
        return [NL[n]]
    if n < 100:
        return ([NL[n % 10], "en"] if n % 10 else []) + [NL_TENS[n // 10]]
    if n < 1000:
        return ([] if n // 100 == 1 else [NL[n // 100]]) + ["honderd"] + (dutch(n % 100) if n % 100 else [])
    return ([] if n // 1000 == 1 else dutch(n // 1000)) + ["duizend"] + (dutch(n % 1000) if n % 1000 else [])


def basque(n):
    """Scores: `hirurogei ta hamar`, three score and ten."""
    if n < 20:
        return [EU[n]]
    if n < 100:
        return [EU_SCORES[n // 20]] + (["ta"] + basque(n % 20) if n % 20 else [])
    if n < 1000:
        return ([] if n // 100 == 1 else [EU[n // 100]]) + ["ehun"] + (["ta"] + basque(n % 100) if n % 100 else [])
    return ([] if n // 1000 == 1 else basque(n // 1000)) + ["mila"] + (basque(n % 1000) if n % 1000 else [])


def welsh(n):
    if n <= 10:
        return [CY[n]]
    if n < 100:
        return [CY[n // 10], "deg"] + ([CY[n % 10]] if n % 10 else [])
    if n < 1000:
        return ([] if n // 100 == 1 else [CY[n // 100]]) + ["cant"] + (["a"] + welsh(n % 100) if n % 100 else [])
    return ([] if n // 1000 == 1 else welsh(n // 1000)) + ["mil"] + (welsh(n % 1000) if n % 1000 else [])


def japanese(n):
    """Counts by tens of thousands."""
    if n < 10:
        return [JA[n]]
    for size, word in [(10_000, "man"), (1000, "sen"), (100, "hyaku"), (10, "juu")]:
        if n >= size:
            head = [] if n // size == 1 and size < 10_000 else japanese(n // size)
            return head + [word] + (japanese(n % size) if n % size else [])


def finnish(n):
    if n < 10:
        return [FI[n]]
    if n < 20:
        return ["kymmenen"] if n == 10 else [FI[n - 10], "toista"]
    if n < 100:
        return [FI[n // 10], "kymmentä"] + ([FI[n % 10]] if n % 10 else [])
    for size, one, many in [(1000, "tuhat", "tuhatta"), (100, "sata", "sataa")]:
        if n >= size:
            head = [one] if n // size == 1 else finnish(n // size) + [many]
            return head + (finnish(n % size) if n % size else [])

def german(n):
    if n < 20:
        return [DE[n]]
    if n < 100:
        unit = ["ein" if n % 10 == 1 else DE[n % 10], "und"] if n % 10 else []
        return unit + [DE_TENS[n // 10]]
    if n < 1000:
        head = ["ein" if n // 100 == 1 else DE[n // 100], "hundert"]
        return head + (german(n % 100) if n % 100 else [])
    head = (["ein"] if n // 1000 == 1 else german(n // 1000)) + ["tausend"]
    return head + (german(n % 1000) if n % 1000 else [])


def english(n):
    if n < 20:
        return [EN[n]]
    if n < 100:
        return [EN_TENS[n // 10]] + (english(n % 10) if n % 10 else [])
    if n < 1000:
        return english(n // 100) + ["hundred"] + (["and"] + english(n % 100) if n % 100 else [])
    return english(n // 1000) + ["thousand"] + (english(n % 1000) if n % 1000 else [])


def french(n):
    if n < 17:
        return [FR[n]]
    if n < 20:
        return ["dix", FR[n - 10]]
    if n < 70:
        unit = n % 10
        return [FR_TENS[n // 10]] + ([] if not unit else ["et", "un"] if unit == 1 else [FR[unit]])
    if n < 80:
        return ["soixante"] + (["et", "onze"] if n == 71 else french(n - 60))
    if n < 100:
        return ["quatre", "vingt"] + (french(n - 80) if n > 80 else [])
    if n < 1000:
        head = [] if n // 100 == 1 else french(n // 100)
        return head + ["cent"] + (french(n % 100) if n % 100 else [])
    head = [] if n // 1000 == 1 else french(n // 1000)
    return head + ["mille"] + (french(n % 1000) if n % 1000 else [])


def esperanto(n):
    if n < 10:
        return [EO[n]]
    for size, word in [(1000, "mil"), (100, "cent"), (10, "dek")]:
        if n >= size:
            head = [] if n // size == 1 else esperanto(n // size)
            return head + [word] + (esperanto(n % size) if n % size else [])


def turkish(n):
    if n < 10:
        return [TR[n]]
    if n < 100:
        return [TR_TENS[n // 10]] + (turkish(n % 10) if n % 10 else [])
    for size, word in [(1000, "bin"), (100, "yüz")]:
        if n >= size:
            head = [] if n // size == 1 else turkish(n // size)
            return head + [word] + (turkish(n % size) if n % size else [])


def vietnamese(n):
    if n < 10:
        return [VI[n]]
    if n < 100:
        head = ["mười"] if n // 10 == 1 else [VI[n // 10], "mươi"]
        unit = n % 10
        last = [] if not unit else ["lăm"] if unit == 5 else ["mốt"] if unit == 1 and n > 20 else [VI[unit]]
        return head + last
    if n < 1000:
        rest = n % 100
        return [VI[n // 100], "trăm"] + ([] if not rest else (["lẻ"] if rest < 10 else []) + vietnamese(rest))
    rest = n % 1000
    return vietnamese(n // 1000) + ["nghìn"] + (vietnamese(rest) if rest else [])


def roman(n):
    signs = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]
    text = ""
    for size, sign in signs:
        while n >= size:
            text, n = text + sign, n - size
    return list(text)


def numbers(spell, rng, most=9_999, largest=999_999, count=600):
    small = list(range(1, 121)) + [100 * k for k in range(2, 10)] + [1000 * k for k in range(1, 10)]
    some = set(small) | {rng.randint(121, most) for _ in range(count - len(small))}
    pairs = [(" ".join(spell(n)), n) for n in sorted(some) if n <= most]
    tests = [(" ".join(spell(n)), n) for n in sorted({rng.randint(most // 2, largest) for _ in range(400)} - some)]
    return pairs, tests


def listops(rng):
    def median(row):
        row = sorted(row)
        return (row[(len(row) - 1) // 2] + row[len(row) // 2]) // 2

    functions = {"[MAX": max, "[MIN": min, "[MED": median, "[SM": lambda row: sum(row) % 10}

    def tree(depth, most, longest):
        """A tree of at most so many words, or none."""
        if depth == 0 or rng.random() < 0.55:
            n = rng.randint(0, 9)
            return [str(n)], n
        name = rng.choice(list(functions))
        words, row = [name], []
        for _ in range(rng.randint(2, most)):
            kid = tree(depth - 1, most, longest - len(words))
            if kid is None or len(words) + len(kid[0]) >= longest:
                return None
            words, row = words + kid[0], row + [kid[1]]
        return words + ["]"], functions[name](row)

    def make(depth, most, count, longest):
        found = {}
        while len(found) < count:
            made = tree(rng.randint(1, depth), most, longest)
            if made is not None and len(made[0]) > 1:
                found[" ".join(made[0])] = made[1]
        return list(found.items())

    train = [(str(n), n) for n in range(10)] + make(5, 5, 2_000, 60)
    return train, make(10, 15, 300, 150)


def units(rng):
    sizes = {"seconds": 1, "minutes": 60, "hours": 3600, "days": 86400}
    words = [str(n) for n in range(0, 31)]

    def one():
        return rng.choice(words), rng.choice(list(sizes))

    def make(parts, count):
        found = {}
        while len(found) < count:
            chosen = [one() for _ in range(parts)]
            text = " and ".join(f"{n} {unit}" for n, unit in chosen)
            if rng.random() < 0.3:
                text, sign = "minus " + text if parts == 1 else text, -1 if parts == 1 else 1
            else:
                sign = 1
            found[text] = sign * sum(int(n) * sizes[unit] for n, unit in chosen)
        return list(found.items())

    train = [(f"{n} seconds", int(n)) for n in words] + make(1, 150) + make(2, 150)
    return train, make(3, 150) + make(4, 150)


def comparisons(rng):
    numbers = list(range(13))

    def expression(depth):
        if depth == 0 or rng.random() < 0.5:
            n = rng.choice(numbers)
            return [str(n)], n
        (a, x), (b, y) = expression(depth - 1), expression(depth - 1)
        word, n = rng.choice([("plus", x + y), ("minus", x - y)])
        return ["("] + a + [word] + b + [")"], n

    def make(depth, count):
        found = {}
        while len(found) < count:
            (a, x), (b, y) = expression(depth), expression(depth)
            word, truth = rng.choice([("exceeds", x > y), ("equals", x == y), ("is-below", x < y)])
            found[" ".join(a + [word] + b)] = "yes" if truth else "no"
        return list(found.items())

    return make(1, 900), make(3, 300)


def taxi(rng):
    """A fare: so much to begin with, so much for each mile, at night twice as much."""
    def make(low, high, count):
        found = {}
        while len(found) < count:
            miles, people = rng.randint(low, high), rng.randint(1, 4)
            night = rng.random() < 0.5
            text = f"{miles} miles" + (" at night" if night else "") + (f" for {people}" if people > 1 else "")
            fare = (3 + 2 * miles) * (2 if night else 1) + (people if people > 1 else 0)
            found[text] = fare
        return list(found.items())

    train = make(1, 20, 110)
    return train, [pair for pair in make(1, 20, 140) if pair not in train]


def distinct(make, count):
    """So many different inputs with their results."""
    found = {}
    while len(found) < count:
        text, value = make()
        found[text] = value
    return list(found.items())


def without(tests, train):
    known = {text for text, _ in train}
    return [pair for pair in tests if pair[0] not in known]


def said(truth):
    return "true" if truth else "false"


def logic(rng):
    """Truth values with words between them, in brackets."""
    functions = {"and": lambda x, y: x and y, "or": lambda x, y: x or y, "xor": lambda x, y: x != y, "implies": lambda x, y: not x or y, "nand": lambda x, y: not (x and y)}

    def tree(depth):
        if depth == 0 or rng.random() < 0.3:
            truth = rng.random() < 0.5
            return ("yes" if truth else "no"), truth
        if rng.random() < 0.2:
            text, truth = tree(depth - 1)
            return f"not {text}", not truth
        (a, x), (b, y), word = tree(depth - 1), tree(depth - 1), rng.choice(list(functions))
        return f"( {a} {word} {b} )", functions[word](x, y)

    def make(depth):
        text, truth = tree(depth)
        return text, said(truth)

    train = [("yes", "true"), ("no", "false")] + distinct(lambda: make(3), 700)
    return train, without(distinct(lambda: make(5), 300), train)


def parity(rng):
    """Whether numbers are even, odd, divide each other, or lie between others."""
    def make(most):
        x, y, z = (rng.randint(0, most) for _ in range(3))
        return rng.choice([
            (f"{x} is even", said(x % 2 == 0)),
            (f"{x} is odd", said(x % 2 == 1)),
            (f"{x} is between {y} and {z}", said(y <= x <= z)),
            (f"{x} is more than {y}", said(x > y)),
        ])

    train = distinct(lambda: make(20), 900)
    return train, without(distinct(lambda: make(20), 400), train)


def checks(rng):
    """Comparisons joined: is 3 less than 4 and not 2 more than 1."""
    def comparison():
        x, y = rng.randint(0, 9), rng.randint(0, 9)
        word, truth = rng.choice([("less than", x < y), ("more than", x > y), ("same as", x == y)])
        is_not = rng.random() < 0.3
        return ("not " if is_not else "") + f"{x} {word} {y}", truth != is_not

    def make(parts):
        text, truth = comparison()
        for _ in range(parts - 1):
            other, also = comparison()
            word = rng.choice(["and", "or"])
            text, truth = f"{text} {word} {other}", (truth and also) if word == "and" else (truth or also)
        return "is " + text, said(truth)

    train = distinct(lambda: make(1), 250) + distinct(lambda: make(2), 750)
    return train, without(distinct(lambda: make(2), 200) + distinct(lambda: make(3), 200), train)


def rows(rng):
    """Functions of rows with commas."""
    functions = {"largest": max, "smallest": min, "sum": sum, "number": len, "first": lambda row: row[0], "middle": lambda row: sorted(row)[len(row) // 2]}

    def make(most, largest):
        word = rng.choice(list(functions))
        count = rng.randrange(1, most + 1, 2) if word == "middle" else rng.randint(1, most)
        row = [rng.randint(0, largest) for _ in range(count)]
        return f"{word} of " + " , ".join(map(str, row)), functions[word](row)

    train = [(str(n), n) for n in range(21)] + distinct(lambda: make(5, 20), 700)
    return train, without(distinct(lambda: make(9, 20), 400), train)


def polish(rng, before=True):
    """Arithmetic with the operator before or after its numbers, without brackets; taking away stops at zero."""
    functions = {"plus": lambda x, y: x + y, "less": lambda x, y: max(0, x - y), "times": lambda x, y: x * y}

    def tree(depth):
        if depth == 0 or rng.random() < 0.3:
            n = rng.randint(0, 9)
            return str(n), n
        (a, x), (b, y), word = tree(depth - 1), tree(depth - 1), rng.choice(list(functions))
        return f"{word} {a} {b}" if before else f"{a} {b} {word}", functions[word](x, y)

    train = [(str(n), n) for n in range(10)] + distinct(lambda: tree(2), 700)
    return train, without(distinct(lambda: tree(4), 300), train)


def precedence(rng):
    """Signed arithmetic without brackets: times binds first, the rest goes from left to right."""
    def make(parts):
        words = [str(rng.randint(0, 9))]
        for _ in range(parts - 1):
            words += [rng.choice("+-*"), str(rng.randint(0, 9))]
        return " ".join(words), eval("".join(words))  # noqa: S307, of our own making

    train = [(str(n), n) for n in range(10)] + distinct(lambda: make(2), 200) + distinct(lambda: make(rng.randint(3, 4)), 500)
    return train, without(distinct(lambda: make(rng.randint(4, 7)), 400), train)


def clock(rng):
    """Times of day as minutes."""
    def time(n):
        hour, minute = divmod(n, 60)
        if minute == 0:
            return f"{EN[hour]} o'clock"
        if minute == 30:
            return f"half past {EN[hour]}"
        if minute in (15, 45):
            return f"quarter past {EN[hour]}" if minute == 15 else f"quarter to {EN[hour + 1]}"
        return f"{EN[minute]} past {EN[hour]}" if minute < 20 else " ".join(english(60 - minute)) + f" to {EN[hour + 1]}" if minute > 40 else f"{EN[hour]} " + " ".join(english(minute))

    all_times = [(time(n), n) for n in range(60, 12 * 60)]
    rng.shuffle(all_times)
    return all_times[:350], all_times[350:]


def prices(rng):
    """Prices of several things, in cents."""
    costs = {"apples": 25, "pears": 40, "loaves": 210, "eggs": 15, "cakes": 350}

    def make(parts):
        chosen = rng.sample(list(costs), parts)
        amounts = [rng.randint(2, 12) for _ in chosen]
        text = " and ".join(f"{amount} {thing}" for amount, thing in zip(amounts, chosen))
        price = sum(amount * costs[thing] for amount, thing in zip(amounts, chosen))
        return (f"{text} less 5 off", price - 5) if rng.random() < 0.2 else (text, price)

    train = distinct(lambda: make(1), 50) + distinct(lambda: make(2), 250)
    return train, without(distinct(lambda: make(3), 200) + distinct(lambda: make(4), 200), train)


def temperatures(rng):
    """Degrees above and below zero, and how they change."""
    def make(changes):
        n = rng.randint(0, 20)
        below = rng.random() < 0.4 and n > 0
        text, value = f"{n} degrees" + (" below zero" if below else ""), -n if below else n
        for _ in range(changes):
            by, rises = rng.randint(1, 15), rng.random() < 0.5
            text, value = f"{text} then {by} {'warmer' if rises else 'colder'}", value + (by if rises else -by)
        return text, value

    train = distinct(lambda: make(0), 35) + distinct(lambda: make(1), 350)
    return train, without(distinct(lambda: make(1), 100) + distinct(lambda: make(3), 300), train)


def counting(rng):
    """How many words a row has, and how many of one kind."""
    def make(most):
        row = [rng.choice(["cat", "dog", "cow"]) for _ in range(rng.randint(1, most))]
        return "count " + " ".join(row), len(row)

    train = distinct(lambda: make(5), 120)
    return train, without(distinct(lambda: make(10), 300), train)


def ages(rng):
    """Who is older, from no more than what the pairs say."""
    order = "ann bob cid dee eve fay gus hal ida joe kim lou".split()

    def make():
        x, y = rng.sample(range(len(order)), 2)
        word, truth = rng.choice([("older", x > y), ("younger", x < y)])
        return f"is {order[x]} {word} than {order[y]}", said(truth)

    everything = distinct(make, 264)
    return everything[:200], everything[200:]


# Rows of numbers as results, and Roman numerals of which no sign stands alone for sure: made while these were built.


def spoken_rows(functions, rng, count, longest, between=" "):
    def make():
        pattern = rng.choice(list(functions))
        row = [rng.randint(0, 30) for _ in range(rng.randint(2, longest))]
        said = between.join(map(str, functions[pattern](row)))
        return pattern.replace("_", between.join(map(str, row))), said

    return distinct(make, count)


def sorting(rng):
    functions = {
        "sort _": sorted,
        "double each of _": lambda row: [2 * n for n in row],
        "largest two of _": lambda row: sorted(row)[-2:],
        "the even ones of _": lambda row: [n for n in row if n % 2 == 0],
    }
    train = spoken_rows(functions, rng, 300, 5)
    return train, without(spoken_rows(functions, rng, 200, 9), train)


def cutting(rng):
    functions = {f"add {n} to _": lambda row, n=n: [m + n for m in row] for n in (3, 4, 7)}
    functions |= {f"those above {n} in _": lambda row, n=n: [m for m in row if m > n] for n in (9, 14, 20)}
    functions |= {f"first {n} of _": lambda row, n=n: row[:n] for n in (1, 2, 3)}
    functions |= {"backwards _": lambda row: row[::-1]}
    train = spoken_rows(functions, rng, 400, 5)
    return train, without(spoken_rows(functions, rng, 200, 8), train)


def commas(rng):
    functions = {
        "sorted ( _ )": sorted,
        "steps ( _ )": lambda row: [b - a for a, b in zip(row, row[1:])],
        "squares ( _ )": lambda row: [n * n for n in row],
    }
    train = spoken_rows(functions, rng, 300, 5, " , ")
    return train, without(spoken_rows(functions, rng, 200, 9, " , "), train)


def roman_some(rng):
    some = rng.sample(range(1, 2001), 300)
    return [(" ".join(roman(n)), n) for n in some], [(" ".join(roman(n)), n) for n in range(2001, 4000, 7)]


# Ten more, written after rows were built and run as they are.


def lengths(rng):
    units = {"mm": 1, "cm": 10, "m": 1000, "km": 1000000}

    def make(parts):
        names = sorted(rng.sample(list(units), parts), key=lambda name: -units[name])
        amounts = [rng.randint(1, 99) for _ in names]
        text = " ".join(f"{n} {name}" for n, name in zip(amounts, names))
        return text, sum(n * units[name] for n, name in zip(amounts, names))

    train = [(f"{n} mm", n) for n in range(1, 100)] + distinct(lambda: make(1), 60) + distinct(lambda: make(2), 150)
    return train, without(distinct(lambda: make(3), 150) + distinct(lambda: make(4), 50), train)


def darts(rng):
    def make(throws):
        text, score = [], 0
        for _ in range(throws):
            n = rng.randint(1, 20)
            word, times = rng.choice([("", 1), ("double", 2), ("triple", 3)])
            text, score = text + [word, str(n)], score + n * times
        return " ".join(word for word in text if word), score

    train = [(str(n), n) for n in range(1, 21)] + distinct(lambda: make(1), 40) + distinct(lambda: make(2), 150)
    return train, without(distinct(lambda: make(3), 200) + distinct(lambda: make(5), 100), train)


def family(rng):
    ages = {"tom": 31, "eva": 27, "max": 8, "ida": 54, "leo": 3}

    def make(depth):
        name = rng.choice(list(ages))
        text, age = name, ages[name]
        for _ in range(depth):
            by = rng.randint(1, 9)
            word, age = rng.choice([(f"{by} years older than", age + by), (f"{by} years younger than", age - by), ("twice as old as", 2 * age)])
            text = f"{word} {text}"
        return text, age

    train = list(ages.items()) + [(str(n), n) for n in range(1, 10)] + distinct(lambda: make(1), 60) + distinct(lambda: make(2), 120)
    return train, without(distinct(lambda: make(3), 200) + distinct(lambda: make(5), 100), train)


def bits(rng):
    def text(n):
        return " ".join("on" if bit == "1" else "off" for bit in f"{n:b}")

    train = [(text(n), n) for n in range(2)] + [(text(n), n) for n in rng.sample(range(2, 256), 120)]
    return train, [(text(n), n) for n in rng.sample(range(256, 100_000), 200)]


def change(rng):
    def make():
        price, amount = rng.randint(1, 9), rng.randint(1, 9)
        paid = rng.choice([n for n in (5, 10, 20, 50, 100) if n >= price * amount])
        return rng.choice([(f"pay {paid} for {price}", paid - price), (f"pay {paid} for {amount} at {price}", paid - amount * price)])

    train = [(str(n), n) for n in list(range(1, 10)) + [10, 20, 50, 100]] + distinct(make, 160)
    return train, without(distinct(make, 260), train)


def tallies(rng):
    def make(longest):
        row = [rng.randint(0, 12) for _ in range(rng.randint(2, longest))]
        n = rng.randint(1, 11)
        word, count = rng.choice([("above", sum(m > n for m in row)), ("below", sum(m < n for m in row)), ("other than", sum(m != n for m in row))])
        return f"how many {word} {n} in {' '.join(map(str, row))}", count

    train = [(str(n), n) for n in range(13)] + distinct(lambda: make(5), 250)
    return train, without(distinct(lambda: make(9), 200), train)


def chains(rng):
    def make(longest):
        row = [rng.randint(0, 9) for _ in range(rng.randint(2, longest))]
        if rng.random() < 0.4:
            row.sort()
        return " < ".join(map(str, row)), said(all(a < b for a, b in zip(row, row[1:])))

    train = distinct(lambda: make(2), 80) + distinct(lambda: make(4), 320)
    return train, without(distinct(lambda: make(6), 200), train)


def taxes(rng):
    def tax(n):
        return max(0, n - 20) // 2 + max(0, n - 60) // 4

    train = [(str(n), n) for n in range(101)] + [(f"tax on {n}", tax(n)) for n in rng.sample(range(101), 70)]
    return train, without([(f"tax on {n}", tax(n)) for n in range(101)], train)


def weekdays(rng):
    names = "monday tuesday wednesday thursday friday saturday sunday".split()

    def make(steps):
        day = rng.randrange(7)
        text = names[day]
        for _ in range(steps):
            by = rng.randint(1, 30)
            word = rng.choice(["after", "before"])
            text, day = f"{by} days {word} {text}", (day + by if word == "after" else day - by) % 7
        return text, day

    train = [(name, day) for day, name in enumerate(names)] + [(str(n), n) for n in range(31)] + distinct(lambda: make(1), 220)
    return train, without(distinct(lambda: make(1), 100) + distinct(lambda: make(3), 200), train)


def dice(rng):
    def make(longest):
        row = [rng.randint(1, 6) for _ in range(rng.randint(2, longest))]
        name, value = rng.choice([("best two of", sum(sorted(row)[-2:])), ("all but the worst of", sum(row) - min(row)), ("spread of", max(row) - min(row)), ("sixes in", row.count(6))])
        return f"{name} {' '.join(map(str, row))}", value

    train = [(str(n), n) for n in range(1, 7)] + distinct(lambda: make(5), 300)
    return train, without(distinct(lambda: make(8), 200), train)


# Three more, written after rows in order were learned, and run as they are.


def stairs(rng):
    """Whether a row never falls, always rises, or is always the same."""
    tests = {"climbs": lambda x, y: x <= y, "rises": lambda x, y: x < y, "stays": lambda x, y: x == y}

    def make(longest):
        row = [rng.randint(0, 9) for _ in range(rng.randint(2, longest))]
        if rng.random() < 0.5:
            row.sort()
        if rng.random() < 0.2:
            row = [row[0]] * len(row)
        name = rng.choice(list(tests))
        return f"{name} {' '.join(map(str, row))} end", said(all(tests[name](x, y) for x, y in zip(row, row[1:])))

    train = distinct(lambda: make(2), 150) + distinct(lambda: make(4), 350)
    return train, without(distinct(lambda: make(6), 200), train)


def conditions(rng):
    """Comparisons joined by words before and between them."""
    def tree(depth):
        if depth == 0 or rng.random() < 0.4:
            x, y = rng.randint(0, 9), rng.randint(0, 9)
            word, truth = rng.choice([("above", x > y), ("below", x < y)])
            return f"{x} {word} {y}", truth
        (a, x), (b, y) = tree(depth - 1), tree(depth - 1)
        first, word, truth = rng.choice([("either", "or", x or y), ("both", "and", x and y), ("neither", "nor", not (x or y))])
        return f"{first} {a} {word} {b}", truth

    def make(depth):
        text, truth = tree(depth)
        return text, said(truth)

    train = distinct(lambda: make(0), 120) + distinct(lambda: make(1), 400)
    return train, without(distinct(lambda: make(3), 300), train)


def scores(rng):
    """Points of games without the best one, between the first and the last, and how many are ten."""
    def make(longest):
        row = [rng.randint(1, 12) for _ in range(rng.randint(2, longest))]
        name, value = rng.choice([("without the best of", sum(row) - max(row)), ("from first to last of", row[-1] - row[0]), ("tens in", row.count(10)), ("better than six in", sum(x > 6 for x in row))])
        return f"{name} {' '.join(map(str, row))}", value

    train = [(str(n), n) for n in range(1, 13)] + distinct(lambda: make(5), 300)
    return train, without(distinct(lambda: make(8), 200), train)


def stories(rng):
    """What somebody has after buying, losing and doubling."""
    def make(longest):
        have = rng.randint(1, 60)
        words = f"{rng.choice('Anna Ben Carla Dan Eva Finn Gina'.split())} has {have} {rng.choice('apples pens coins books'.split())}"
        for _ in range(rng.randint(0, longest)):
            what, much = rng.choice(["buys", "finds", "loses", "gives away", "doubles"]), rng.randint(1, 20)
            have = have * 2 if what == "doubles" else have + (much if what in ("buys", "finds") else -much)
            words += " , doubles them" if what == "doubles" else f" , {what} {much}"
        return words, have

    train = distinct(lambda: make(3), 500)
    return train, without(distinct(lambda: make(4), 200), train)


def facts(rng):
    """Comparisons joined by both, either and not, one level deeper in tests."""
    def make(depth):
        if depth == 0 or rng.random() < 0.3:
            a, b = rng.randint(0, 20), rng.randint(0, 20)
            words, holds = rng.choice([("is more than", a > b), ("is less than", a < b), ("equals", a == b)])
            return f"{a} {words} {b}", holds
        kind, (one, x) = rng.choice(["both", "either", "not"]), make(depth - 1)
        if kind == "not":
            return f"not {one}", not x
        other, y = make(depth - 1)
        return (f"both {one} and {other}", x and y) if kind == "both" else (f"either {one} or {other}", x or y)

    def said(depth):
        words, holds = make(depth)
        return words, "yes" if holds else "no"

    train = distinct(lambda: said(2), 800)
    return train, without(distinct(lambda: said(3), 300), train)


def half(make):
    """The same task from every second example."""
    def made(rng):
        train, test = make(rng)
        return train[::2], test

    return made


def spoiled(make):
    """The same task with every twentieth result taken from another example."""
    def made(rng):
        train, test = make(rng)
        results = [value for _, value in train]
        for number in range(10, len(train), 20):
            results[number] = rng.choice(train)[1]
        return [(text, value) for (text, _), value in zip(train, results)], test

    return made

# Kept: written before they were run, and run as they are. Nothing is changed for them.


def base_six(rng):
    """Numbers in digits of base six."""
    digits = "nil ka ro mi fe su".split()

    def make(least, most):
        places = rng.randint(least, most)
        number = rng.randrange(6 ** (places - 1) if places > 1 else 0, 6**places)
        row, n = [], number
        while n or not row:
            row, n = [digits[n % 6]] + row, n // 6
        return " ".join(row), number

    train = [(word, n) for n, word in enumerate(digits)] + distinct(lambda: make(2, 4), 250)
    return train, without(distinct(lambda: make(4, 7), 300), train)


def coins(rng):
    """What is handed back when coins are paid."""
    worth = {"penny": 1, "nickel": 5, "dime": 10, "quarter": 25, "dollar": 100}

    def make(most):
        coins = [rng.choice(list(worth)) for _ in range(rng.randint(1, most))]
        total = sum(worth[coin] for coin in coins)
        text = " ".join(coins)
        if rng.random() < 0.4:
            return text, total
        price = rng.randint(1, 40)
        return f"{text} for {price}", total - price

    train = [(str(n), n) for n in range(1, 41)] + [(coin, n) for coin, n in worth.items()] + distinct(lambda: make(3), 350)
    return train, without(distinct(lambda: make(6), 300), train)


def choices(rng):
    """One of two numbers by a comparison, within each other."""
    def tree(depth):
        if depth == 0 or rng.random() < 0.3:
            n = rng.randint(0, 9)
            return str(n), n
        (a, x), (b, y), (c, z), (d, u) = (tree(depth - 1) for _ in range(4))
        word, truth = rng.choice([("over", x > y), ("under", x < y)])
        return f"if {a} {word} {b} then {c} else {d} end", z if truth else u

    train = [(str(n), n) for n in range(10)] + distinct(lambda: tree(1), 400) + distinct(lambda: tree(2), 100)
    return train, without(distinct(lambda: tree(2), 300), train)


def occurrences(rng):
    """How often one word stands in a row."""
    words = "cat dog cow".split()

    def make(most):
        row = [rng.choice(words) for _ in range(rng.randint(1, most))]
        word = rng.choice(words)
        return f"how many {word} in " + " ".join(row), row.count(word)

    train = distinct(lambda: make(5), 300)
    return train, without(distinct(lambda: make(9), 300), train)


def days(rng):
    """Dates as days of the year."""
    months = dict(zip("january february march april may june july august september october november december".split(), [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]))
    everything, before = [], 0
    for month, length in months.items():
        everything += [(f"{month} {day}", before + day) for day in range(1, length + 1)]
        before += length
    rng.shuffle(everything)
    return everything[:200], everything[200:]


def lists(rng):
    """Functions of rows of numbers that come to rows, within each other."""
    functions = {
        "sort": sorted,
        "reverse": lambda row: row[::-1],
        "increase": lambda row: [n + 1 for n in row],
        "double": lambda row: [2 * n for n in row],
        "tail": lambda row: row[1:],
        "largest": lambda row: [max(row)],
        "smallest two": lambda row: sorted(row)[:2],
    }

    def make(depth, most):
        row = [rng.randint(0, 20) for _ in range(rng.randint(2, most))]
        text = " ".join(map(str, row))
        for _ in range(depth):
            word = rng.choice(list(functions))
            text, row = f"{word} {text}", functions[word](row) if row else row
        return text, " ".join(map(str, row))

    train = distinct(lambda: make(1, 5), 350) + distinct(lambda: make(2, 4), 150)
    return train, without(distinct(lambda: make(rng.randint(1, 3), 8), 300), train)


# Ten more, written before they were run, and after what learns was frozen.


def discounts(rng):
    """A price with so much off from an amount on."""
    costs = {"pens": 2, "cups": 5, "lamps": 9}

    def make():
        amount, thing = rng.randint(1, 40), rng.choice(list(costs))
        price = amount * costs[thing]
        return f"{amount} {thing}", price - 20 if price > 100 else price

    everything = [(str(n), n) for n in range(1, 41)] + distinct(make, 118)
    train = everything[:40] + everything[40::2]
    return train, everything[41::2]


def membership(rng):
    """Whether a word stands in a row."""
    words = "red blue green black white".split()

    def make(most):
        row = [rng.choice(words) for _ in range(rng.randint(1, most))]
        word = rng.choice(words)
        return f"is {word} among " + " ".join(row), said(word in row)

    train = distinct(lambda: make(4), 400)
    return train, without(distinct(lambda: make(8), 300), train)


def places(rng):
    """The number at a place of a row."""
    def make(most):
        row = [rng.randint(0, 30) for _ in range(rng.randint(1, most))]
        place = rng.randint(1, len(row))
        return f"item {place} of " + " ".join(map(str, row)), row[place - 1]

    train = [(str(n), n) for n in range(31)] + distinct(lambda: make(5), 300)
    return train, without(distinct(lambda: make(8), 300), train)


def walk(rng):
    """Where a walk ends."""
    ways = {"up": 1, "down": -1, "jump": 5}

    def make(most):
        steps = [(rng.randint(1, 9), rng.choice(list(ways))) for _ in range(rng.randint(1, most))]
        return " then ".join(f"{n} {way}" for n, way in steps), sum(n * ways[way] for n, way in steps)

    train = distinct(lambda: make(1), 25) + distinct(lambda: make(3), 200)
    return train, without(distinct(lambda: make(6), 300), train)


def hexadecimal(rng):
    """Numbers in digits of base sixteen, none of them written as a number."""
    digits = "oh wun too thri for faif sik sev ait nain ey bi si di i ef".split()

    def make(least, most):
        n = rng.randrange(16 ** (least - 1), 16**most)
        row = []
        rest = n
        while rest:
            row, rest = [digits[rest % 16]] + row, rest // 16
        return " ".join(row), n

    train = [(word, n) for n, word in enumerate(digits)] + distinct(lambda: make(2, 3), 200)
    return train, without(distinct(lambda: make(4, 5), 200), train)


def ranges(rng):
    """Sums and counts of all numbers from one to another."""
    def make(most):
        x = rng.randint(0, most)
        y = rng.randint(x, most)
        return rng.choice([(f"sum of {x} to {y}", sum(range(x, y + 1))), (f"count of {x} to {y}", y - x + 1)])

    train = [(str(n), n) for n in range(26)] + distinct(lambda: make(12), 110)
    return train, without(distinct(lambda: make(25), 200), train)


def fractions(rng):
    """Parts and multiples of numbers, within each other."""
    functions = {"half of": lambda n: n // 2, "a third of": lambda n: n // 3, "twice": lambda n: 2 * n, "the square of": lambda n: n * n}

    def make(depth):
        n = rng.randint(0, 30)
        text = str(n)
        for _ in range(depth):
            word = rng.choice(list(functions))
            text, n = f"{word} {text}", functions[word](n)
        return text, n

    train = [(str(n), n) for n in range(31)] + distinct(lambda: make(1), 70) + distinct(lambda: make(2), 60)
    return train, without(distinct(lambda: make(3), 300), train)


def older(rng):
    """Ages told by those of others."""
    def make(depth):
        if depth == 0:
            n = rng.randint(1, 60)
            return f"one of {n}", n
        text, n = make(depth - 1)
        by, word = rng.randint(1, 9), rng.choice(["older", "younger"])
        return f"one {by} years {word} than {text}", n + by if word == "older" else n - by

    train = [(str(n), n) for n in range(1, 61)] + distinct(lambda: make(0), 20) + distinct(lambda: make(1), 200)
    return train, without(distinct(lambda: make(3), 300), train)


def wrap(rng):
    """Hours on a clock of twelve."""
    def make(parts):
        n = rng.randint(1, 12)
        text = f"{n} o'clock"
        for _ in range(parts):
            by = rng.randint(1, 20)
            word = rng.choice(["hours later", "hours before"])
            text, n = f"{by} {word} {text}", (n + by - 1 if word == "hours later" else n - by - 1) % 12 + 1
        return text, n

    train = [(str(n), n) for n in range(1, 21)] + [(f"{n} o'clock", n) for n in range(1, 13)] + distinct(lambda: make(1), 250)
    return train, without(distinct(lambda: make(3), 300), train)


def majority(rng):
    """Whether most of a row say yes."""
    def make(most):
        row = [rng.random() < 0.5 for _ in range(rng.randrange(1, most + 1, 2))]
        return "vote " + " ".join("aye" if one else "nay" for one in row), said(2 * sum(row) > len(row))

    train = distinct(lambda: make(7), 120)
    return train, without(distinct(lambda: make(13), 200), train)


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    tasks = {
        "numbers-de": lambda rng: numbers(german, rng),
        "numbers-en": lambda rng: numbers(english, rng),
        "numbers-fr": lambda rng: numbers(french, rng),
        "numbers-eo": lambda rng: numbers(esperanto, rng),
        "numbers-tr": lambda rng: numbers(turkish, rng),
        "numbers-vi": lambda rng: numbers(vietnamese, rng),
        "roman": lambda rng: numbers(roman, rng, 999, 3999, 400),
        "listops": listops,
        "durations": units,
        "comparisons": comparisons,
        "fares": taxi,
        "numbers-it": lambda rng: numbers(italian, rng),
        "numbers-pt": lambda rng: numbers(portuguese, rng),
        "numbers-da": lambda rng: numbers(danish, rng),
        "numbers-nl": lambda rng: numbers(dutch, rng),
        "numbers-eu": lambda rng: numbers(basque, rng),
        "numbers-cy": lambda rng: numbers(welsh, rng),
        "numbers-ja": lambda rng: numbers(japanese, rng, 99_999),
        "numbers-fi": lambda rng: numbers(finnish, rng),
        "logic": logic,
        "parity": parity,
        "checks": checks,
        "rows": rows,
        "prefix": polish,
        "postfix": lambda rng: polish(rng, before=False),
        "precedence": precedence,
        "clock": clock,
        "prices": prices,
        "temperatures": temperatures,
        "counting": counting,
        "ages": ages,
    }
    for name in ["numbers-de", "numbers-en", "logic", "precedence", "rows"]:
        tasks |= {f"{name}-half": half(tasks[name]), f"{name}-spoiled": spoiled(tasks[name])}
    tasks |= {"base-six": base_six, "coins": coins, "choices": choices, "occurrences": occurrences, "days": days, "lists": lists}
    tasks |= {"discounts": discounts, "membership": membership, "places": places, "walk": walk, "hexadecimal": hexadecimal, "ranges": ranges}
    tasks |= {"fractions": fractions, "older": older, "wrap": wrap, "majority": majority}
    tasks |= {"sorting": sorting, "cutting": cutting, "commas": commas, "roman-some": roman_some}
    tasks |= {"lengths": lengths, "darts": darts, "family": family, "bits": bits, "change": change, "tallies": tallies}
    tasks |= {"chains": chains, "taxes": taxes, "weekdays": weekdays, "dice": dice}
    tasks |= {"stairs": stairs, "conditions": conditions, "scores": scores}
    tasks |= {"stories": stories, "facts": facts}
    wanted = sys.argv[2:] or list(tasks)
    for number, (name, make) in enumerate(tasks.items()):
        if name not in wanted:
            continue
        train, test = make(random.Random(number))
        for part, pairs in [("train", train), ("test", test)]:
            lines = "".join(f"{words}\t{value}\n" for words, value in pairs)
            (folder / f"{name}.{part}.tsv").write_text(lines, encoding="utf-8")


main()
