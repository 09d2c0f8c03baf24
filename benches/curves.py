#!/usr/bin/env python3
"""curves NSR [--sizes N,N,...] [--wrong PERCENT,...] [--seeds N] [--most N] [--tests N] [--chars] [--experience E] TASK...

How accuracy grows with the number of examples, and falls with the share of wrong outputs, as a table of Markdown.

A TASK is TRAIN:TEST, files as published (.txt, .src with its .tgt, .tsv; .gz allowed), or a prefix P for P.train.tsv and P.test.tsv. With sizes, so many random
training examples are kept; with shares, so many of a hundred outputs are exchanged for the output of another example. At most --most
training and --tests test examples are used. A cell is the mean accuracy in percent over the seeds, and the seconds of learning; a star
stands for a run that did not end in ten minutes, which counts as 0.
"""
import argparse, gzip, json, random, subprocess, tempfile
from pathlib import Path


def lines(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
        return [line.rstrip("\n") for line in file]


def pairs(path):
    bare = path.removesuffix(".gz")
    if bare.endswith(".src"):
        return list(zip(lines(path), lines(path.replace(".src", ".tgt"))))
    if bare.endswith(".txt"):
        return [tuple(part.strip() for part in line[3:].split("OUT:", 1)) for line in lines(path)]
    rows = [line.split("\t") for line in lines(path)]
    for names in (("input", "output"), ("expr", "res")):
        if names[0] in rows[0] and names[1] in rows[0]:
            first, second = map(rows[0].index, names)
            return [(row[first], row[second]) for row in rows[1:]]
    return [(row[0], row[1]) for row in rows]


def spoil(train, percent, rng):
    outputs = [output for _, output in train]
    return [(a, rng.choice(outputs) if rng.random() * 100 < percent else b) for a, b in train]


def learn(nsr, folder, train, test, seed, experience):
    files = [folder / "train.tsv", folder / "test.tsv"]
    for file, rows in zip(files, (train, test)):
        file.write_text("".join(f"{a}\t{b}\n" for a, b in rows), encoding="utf-8")
    args = [nsr, "train", files[0], "--test", files[1], "--seed", str(seed), "--json"]
    args += ["--experience", experience] if experience else []
    try:
        done = subprocess.run(args, capture_output=True, text=True, timeout=600)
    except subprocess.TimeoutExpired:
        return None
    return json.loads(done.stdout)


def cell(args, train, test, size, percent, folder):
    accuracies, seconds, ended = [], [], True
    for seed in range(args.seeds):
        rng = random.Random(seed)
        some = rng.sample(train, min(size or len(train), len(train)))
        result = learn(args.nsr, folder, spoil(some, percent, rng), test, seed, args.experience)
        ended = ended and result is not None
        accuracies.append(result["accuracy"] if result else 0.0)
        seconds.append(result["seconds"] if result else 600.0)
    mean = lambda numbers: sum(numbers) / len(numbers)
    return f"{100 * mean(accuracies):.1f} ({mean(seconds):.1f} s){'' if ended else '*'}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nsr")
    parser.add_argument("tasks", nargs="+")
    parser.add_argument("--sizes", default="")
    parser.add_argument("--wrong", default="")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--most", type=int, default=10_000)
    parser.add_argument("--tests", type=int, default=1_000)
    parser.add_argument("--chars", action="store_true", help="every character of an input is a token")
    parser.add_argument("--experience")
    args = parser.parse_args()
    columns = [(int(size), 0.0) for size in args.sizes.split(",") if size]
    columns += [(None, float(share)) for share in args.wrong.split(",") if share]
    heads = [f"{size}" if size else f"{share:g} % wrong" for size, share in columns]
    print("| task | " + " | ".join(heads) + " |\n|" + "---|" * (len(columns) + 1), flush=True)
    for task in args.tasks:
        train, test = task.split(":") if ":" in task else (f"{task}.train.tsv", f"{task}.test.tsv")
        rng = random.Random(0)
        kept = [(pairs(path), most) for path, most in ((train, args.most), (test, args.tests))]
        kept = [rng.sample(rows, min(most, len(rows))) for rows, most in kept]
        if args.chars:
            kept = [[(" ".join(a.replace(" ", "")), b) for a, b in rows] for rows in kept]
        with tempfile.TemporaryDirectory() as folder:
            cells = [cell(args, *kept, size, share, Path(folder)) for size, share in columns]
        name = Path(train).name.split(".")[0]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


main()
