#!/usr/bin/env python3
"""Data that nobody would choose to learn from: time, memory and what comes of them; a table in Markdown.

    benches/hostile.py NSR [--seconds N] [--no-budget] [--gigabytes N] [NAME...]

Each is learned with a budget (`--seconds`), or without one; the process must end in time (a tenth more, and five seconds to read and to test),
within memory, with a model that answers or one clear line. The exit code is 1 if anything did not hold.
"""
import argparse, os, random, subprocess, sys, tempfile, time
from pathlib import Path

rng = random.Random(0)
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def words(number, prefix="w"):
    return [f"{prefix}{n}" for n in range(number)]


def sentence(of, length):
    return " ".join(rng.choice(of) for _ in range(length))


def names(number):
    return ["".join(rng.choice(LETTERS) for _ in range(8)) for _ in range(number)]


def thousand_outputs():
    return [("word", f"out{n}") for n in range(1000)] + [(f"word {w}", f"OUT {w.upper()}") for w in names(50)]


def long_outputs():
    return [(f"{w} times {n}", " ".join([w.upper()] * n)) for w in ("ab", "cd", "ef") for n in [*range(1, 12), 100, 1000, 10_000, 20_000]]


def many_words():
    return [(" ".join(f"w{5 * n + k}" for k in range(5)), " ".join(f"W{5 * n + k}" for k in range(5))) for n in range(20_000)]


def many_words_alone():
    return [(f"w{n}", f"W{n}") for n in range(100_000)]


def noise():
    return [(sentence(words(40), rng.randint(2, 10)), sentence(words(40, "o"), rng.randint(1, 10))) for _ in range(300)]


def noisy_numbers():
    return [(sentence(words(12), rng.randint(1, 8)), str(rng.randint(-10**6, 10**6))) for _ in range(300)]


def long_sentences():
    some = words(60)
    made = (sentence(some, 200) for _ in range(300))
    return [(text, text.upper()) for text in made]


def mixed_scripts():
    some = ["кот", "猫", "गिलास", "قط", "cat", "e\u0301te\u0301", "🐈‍⬛", "ﷺ", "\u202edog", "ñandú", "Ⅻ", "１２"]
    made = (sentence(some, rng.randint(1, 6)) for _ in range(500))
    return [(text, "".join(reversed(text.split()))) for text in made]


def translations():
    some = [sentence(words(200), rng.randint(4, 12)) for _ in range(60)]
    return [(text, sentence(words(300, "o"), rng.randint(4, 14))) for text in some for _ in range(10)]


def large_numbers():
    def large():
        return rng.randint(10**9_998, 10**9_999 - 1)
    small = [(f"{a} plus {b}", str(a + b)) for a in range(12) for b in range(12)]
    sys.set_int_max_str_digits(0)
    pairs = ((large(), large()) for _ in range(60))
    return small + [(f"{a} plus {b}", str(a + b)) for a, b in pairs]


def divisions():
    result = lambda a, b: str(a // b) if b else rng.choice(["inf", "nan", "error", "-1"])
    return [(f"{a} over {b}", result(a, b)) for a in range(30) for b in range(10)]


def divisions_as_numbers():
    return [(f"{a} over {b}", str(a // b if b else 10**300)) for a in range(30) for b in range(10)]


def many_arguments():
    def row(length):
        numbers = [rng.randint(0, 99) for _ in range(length)]
        kind, of = rng.choice([("largest", max), ("sum", sum), ("count", len)])
        return f"{kind} of " + " ".join(map(str, numbers)), str(of(numbers))
    return [row(rng.randint(1, 6)) for _ in range(300)] + [row(10_000) for _ in range(40)]


def one_example():
    return [("a", "b")]


def deep_brackets():
    def nested(depth):
        return "( " * depth + "x" + " )" * depth
    return [(nested(depth), "[ " * depth + "X" + " ]" * depth) for depth in [*range(60), 500, 2000]]


def same_word():
    return [(" ".join(["a"] * n), " ".join(["A"] * (n * n))) for n in range(1, 60)]


TASKS = [thousand_outputs, long_outputs, many_words, many_words_alone, noise, noisy_numbers, long_sentences, mixed_scripts, translations,
         large_numbers, divisions, divisions_as_numbers, many_arguments, one_example, deep_brackets, same_word]


def learned(nsr, data, model, budget, patience):
    """Seconds, megabytes, exit code, and the last line on standard error or output."""
    command = [nsr, "train", str(data), "--out", str(model), "--threads", "1"]
    command += ["--seconds", str(budget)] if budget else []
    with tempfile.TemporaryFile("w+", errors="replace") as said:
        started = time.monotonic()
        child = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT)
        while True:
            ended, status, usage = os.wait4(child.pid, os.WNOHANG)
            if ended:
                break
            if time.monotonic() - started > patience:
                child.kill()
            time.sleep(0.05)
        took = time.monotonic() - started
        said.seek(0)
        return took, usage.ru_maxrss / 1024, os.waitstatus_to_exitcode(status), said.read()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("nsr")
    options.add_argument("--seconds", type=float, default=20)
    options.add_argument("--no-budget", action="store_true")
    options.add_argument("--gigabytes", type=float, default=4)
    options.add_argument("names", nargs="*")
    options = options.parse_args()
    budget = None if options.no_budget else options.seconds
    patience = 600 if options.no_budget else 2 * options.seconds + 60
    failed = 0
    print("| data | took, s | most memory, MB | exit code | of 200 of its inputs answered, right | holds |\n|---|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as name:
        for task in TASKS:
            if options.names and task.__name__ not in options.names:
                continue
            rng.seed(0)
            pairs = task()
            data, some, model = (Path(name) / file for file in ("data.tsv", "some.tsv", "m.nsr"))
            data.write_text("".join(f"{a}\t{b}\n" for a, b in pairs))
            some.write_text("".join(f"{a}\t{b}\n" for a, b in rng.sample(pairs, min(200, len(pairs)))))
            model.unlink(missing_ok=True)
            del pairs
            took, megabytes, code, said = learned(options.nsr, data, model, budget, patience)
            asked = subprocess.run([options.nsr, "eval", str(model), str(some), "--json", "--threads", "1"], capture_output=True, text=True)
            figures = __import__("json").loads(asked.stdout) if asked.returncode == 0 else {}
            answered = f"{100 * figures['coverage']:.0f} %, {100 * figures['accuracy']:.0f} %" if figures else said.strip().splitlines()[-1][:90]
            holds = code in (0, 2) and "panicked" not in said and megabytes < 1024 * options.gigabytes
            holds &= (not budget or took < 1.1 * budget + 5) and (bool(figures) or code == 2)
            failed += not holds
            print(f"| {task.__name__.replace('_', ' ')} | {took:.1f} | {megabytes:.0f} | {code} | {answered} | {'yes' if holds else 'NO'} |", flush=True)
    sys.exit(1 if failed else 0)


main()
