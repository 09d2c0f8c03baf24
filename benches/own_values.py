"""Writes tasks with computed results: number words of six languages, Roman numerals, ListOps, units, times, comparisons.

    python3 benches/own_values.py FOLDER

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

    def tree(depth, most):
        if depth == 0 or rng.random() < 0.55:
            n = rng.randint(0, 9)
            return [str(n)], n
        name = rng.choice(list(functions))
        kids = [tree(depth - 1, most) for _ in range(rng.randint(2, most))]
        return [name] + sum((words for words, _ in kids), []) + ["]"], functions[name]([n for _, n in kids])

    def make(depth, most, count, longest):
        found = {}
        while len(found) < count:
            words, n = tree(rng.randint(1, depth), most)
            if 1 < len(words) <= longest:
                found[" ".join(words)] = n
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
    }
    for number, (name, make) in enumerate(tasks.items()):
        train, test = make(random.Random(number))
        for part, pairs in [("train", train), ("test", test)]:
            lines = "".join(f"{words}\t{value}\n" for words, value in pairs)
            (folder / f"{name}.{part}.tsv").write_text(lines, encoding="utf-8")


main()
