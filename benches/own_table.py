"""Learns every task of a folder and prints a table: own_table.py NSR DIR [--workers N] [--seconds LIMIT] [NAME ...]

A task is NAME.train.tsv with NAME.test.tsv, or with several NAME-KIND.test.tsv, as own_tasks.py, own_values.py and own_language.py write them.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

HEADER = "| task | accuracy | coverage | precision | seconds |\n|---|---|---|---|---|"


def learned(nsr, train, model, limit):
    """Seconds that learning took with one thread, or what went wrong."""
    command = [nsr, "train", train, "--out", model, "--threads", "1", "--json"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return None, f"not ended after {limit:.0f} s"
    if done.returncode != 0:
        return None, " ".join(done.stderr.strip().splitlines()[-1:])
    return json.loads(done.stdout)["seconds"], None


def scores(nsr, model, test):
    told = subprocess.run([nsr, "eval", model, test, "--json"], capture_output=True, text=True, check=True)
    report = json.loads(told.stdout)
    return " | ".join(f"{100 * report[score]:.2f}" for score in ("accuracy", "coverage", "precision"))


def rows(nsr, train, limit):
    name = train.name.removesuffix(".train.tsv")
    tests = [train.with_name(f"{name}.test.tsv"), *sorted(train.parent.glob(f"{name}-*.test.tsv"))]
    tests = [test for test in tests if test.exists() and not alone(test, name)]
    with tempfile.TemporaryDirectory() as scratch:
        model = pathlib.Path(scratch, "model.nsr")
        seconds, trouble = learned(nsr, train, model, limit)
        if trouble:
            return [f"| {name} | {trouble} | | | |"]
        return [f"| {test.name.removesuffix('.test.tsv')} | {scores(nsr, model, test)} | {seconds:.1f} |" for test in tests]


def alone(test, name):
    """Whether a test belongs to another task whose name begins like this one's."""
    other = test.name.removesuffix(".test.tsv")
    return other != name and test.with_name(f"{other}.train.tsv").exists()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("nsr")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=300.0)
    options = parser.parse_args()
    trains = sorted(options.folder.glob("*.train.tsv"))
    if options.names:
        trains = [train for train in trains if train.name.removesuffix(".train.tsv") in options.names]
    print(HEADER, flush=True)
    with ThreadPoolExecutor(options.workers) as pool:
        for lines in pool.map(lambda train: rows(options.nsr, train, options.seconds), trains):
            print("\n".join(lines), flush=True)


if __name__ == "__main__":
    main()
