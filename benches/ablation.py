#!/usr/bin/env python3
"""What each part of learning is worth: every part left out in turn, on the same tasks.

    benches/ablation.py NSR [--parts a,b,...] [--jobs N] [--seconds S] [--most N] PREFIX...

A task is PREFIX.train.tsv with PREFIX.test.tsv; PREFIX may have wildcards, in quotes. Prints a table in Markdown: accuracy on average over tasks with
everything and without each part, the tasks it changes most, and the time that learning takes. NSR is the program.
"""

import argparse
import concurrent.futures
import glob
import json
import os
import subprocess
import tempfile
import time


def parts(nsr):
    """The names of all parts, as the program tells them."""
    said = subprocess.run([nsr, "--without", "?"], capture_output=True, text=True).stderr
    return [name.strip() for name in said.split("expected one of", 1)[1].split("\n")[0].split(",")]


def measure(nsr, prefix, without, seconds, tests):
    """Accuracy in percent and seconds of learning one task with one thread."""
    command = [nsr, "train", f"{prefix}.train.tsv", "--test", tests, "--json", "--threads", "1"]
    command += ["--seconds", str(seconds)] + (["--without", without] if without else [])
    start = time.time()
    done = subprocess.run(command, capture_output=True, text=True)
    said = json.loads(done.stdout) if done.stdout.strip() else {"accuracy": 0.0}
    return 100 * said["accuracy"], time.time() - start


def main():
    options = argparse.ArgumentParser()
    options.add_argument("nsr")
    options.add_argument("--parts")
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--most", type=int, default=300, help="test examples of a task")
    options.add_argument("prefixes", nargs="+")
    options = options.parse_args()
    files = [name for prefix in options.prefixes for name in sorted(glob.glob(prefix + ".train.tsv"))]
    tasks = [name[: -len(".train.tsv")] for name in files]
    chosen = options.parts.split(",") if options.parts else parts(options.nsr)
    print("| without | mean | tasks below 99 | changed most | seconds |\n|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        tests = {}
        for number, task in enumerate(tasks):
            tests[task] = os.path.join(folder, f"{number}.tsv")
            with open(f"{task}.test.tsv") as whole, open(tests[task], "w") as some:
                some.writelines(list(whole)[: options.most])
        whole = None
        for part in [None] + chosen:
            found = list(pool.map(lambda task: measure(options.nsr, task, part, options.seconds, tests[task]), tasks))
            right = [accuracy for accuracy, _ in found]
            whole = whole or right
            changes = sorted(zip((now - before for now, before in zip(right, whole)), tasks), key=lambda change: -abs(change[0]))
            most = ", ".join(f"{os.path.basename(task)} {change:+.1f}" for change, task in changes[:5] if abs(change) >= 0.5)
            below = sum(accuracy < 99 for accuracy in right)
            seconds = sum(seconds for _, seconds in found)
            print(f"| {part or 'nothing'} | {sum(right) / len(right):.2f} | {below} | {most} | {seconds:.0f} |", flush=True)


main()
