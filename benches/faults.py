#!/usr/bin/env python3
"""faults NSR [KILLS [LINES]]: what happens to files and streams when things go wrong; a table of it.

    python3 benches/faults.py target/release/nsr              # 100 kills, 10^7 lines: minutes
    python3 benches/faults.py target/release/nsr 10 100000    # a short run

Whatever happens, a model file must be absent, or as it was, or whole; and the command must end with one clear line and exit
code 2, never with a panic or half a file. The exit code is 1 if anything did not hold. A full disk and a folder that cannot be written to
are made with mount, as root; where that is not allowed these lines say so.
"""
import random, signal, subprocess, sys, tempfile, time
from contextlib import contextmanager
from pathlib import Path

NSR = str(Path(sys.argv[1]).resolve())
KILLS = int(sys.argv[2]) if len(sys.argv) > 2 else 100
LINES = max(int(sys.argv[3]) if len(sys.argv) > 3 else 10_000_000, 10_000)
PAIRS = Path(tempfile.mkdtemp()) / "pairs.tsv"
TRAIN = [NSR, "train", str(PAIRS), "--threads", "1"]
# Flat means: no more memory than this beyond what a hundredth of the lines takes.
FLAT_MB = 20
failed = 0


def write_pairs():
    """Commands that are learned in a moment, so that much of it is reading and writing."""
    times = {"": 1, " twice": 2, " thrice": 3}
    said = {f"{verb}{many}": " ".join([verb.upper()] * number) for verb in ("walk", "run", "look", "jump") for many, number in times.items()}
    both = {f"{first} and {second}": f"{said[first]} {said[second]}" for first in said for second in said}
    PAIRS.write_text("".join(f"{command}\t{actions}\n" for command, actions in {**said, **both}.items()))


def row(what, happened, holds):
    global failed
    failed += not holds
    print(f"| {what} | {happened} | {'yes' if holds else 'NO'} |", flush=True)


def run(args, **more):
    return subprocess.run(args, capture_output=True, text=True, errors="replace", **more)


def answers(model):
    """Whether a file is a model that answers."""
    asked = run([NSR, "predict", str(model)], input="walk\n")
    return asked.returncode == 0 and "panicked" not in asked.stderr


def refused(ran):
    """Whether a command ended as it should where it cannot do what was asked."""
    lines = [line for line in ran.stderr.splitlines() if line.startswith("nsr: ") or "error" in line]
    return ran.returncode == 2 and "panicked" not in ran.stderr and len(lines) == 1


def kills(folder, more):
    """kill -9 at random moments; with --resume, of going on with a model that ran out of time."""
    model, resumed = folder / "killed.nsr", "--resume" in more
    rng = random.Random(len(more))
    arguments = TRAIN + ["--out", str(model)] + more
    run(TRAIN + ["--out", str(model), "--seconds", "0.05"])
    unfinished = model.read_bytes()
    started = time.monotonic()
    run(arguments)
    whole, absent, broken, left = time.monotonic() - started, 0, 0, set()
    for _ in range(KILLS):
        model.write_bytes(unfinished) if resumed else model.unlink(missing_ok=True)
        child = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(rng.uniform(0, 1.1 * whole))
        child.send_signal(signal.SIGKILL)
        child.wait()
        absent += not model.exists()
        broken += model.exists() and not answers(model)
        left |= {file.name for file in folder.iterdir() if file != model}
    finished = run(arguments).returncode == 0 and answers(model)
    happened = f"{absent} times no model yet, {broken} broken models; {len(left)} files left over; afterwards training ends well: {finished}"
    row(f"kill -9 at {KILLS} moments of `{' '.join(['train --out', *more])}`", happened, not broken and finished)
    for name in left:
        (folder / name).unlink(missing_ok=True)
    model.unlink(missing_ok=True)


@contextmanager
def mounted(folder, options):
    """A file system of its own in memory; None where mounting is not allowed."""
    place = folder / "mounted"
    place.mkdir(exist_ok=True)
    ran = run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)])
    try:
        yield place if ran.returncode == 0 else None
    finally:
        if ran.returncode == 0:
            run(["umount", str(place)])


def full_disk(folder):
    what = "a full disk"
    with mounted(folder, "size=4m") as place:
        if not place:
            return row(what, "not tried: mounting is not allowed here", True)
        model = place / "m.nsr"
        saved = run(TRAIN + ["--out", str(model)])
        before = model.read_bytes() if saved.returncode == 0 else b""
        with open(place / "filler", "ab", buffering=0) as filler:
            try:
                while filler.write(b"x" * 256):
                    pass
            except OSError:
                pass
        ran = run(TRAIN + ["--out", str(model), "--seed", "1"])
        after = model.read_bytes() if model.exists() else None
        row(what, f"exit code {ran.returncode}; the model before is unchanged: {before == after}", refused(ran) and before and before == after)


def read_only(folder):
    what = "a folder that cannot be written to"
    with mounted(folder, "ro") as place:
        if not place:
            return row(what, "not tried: mounting is not allowed here", True)
        started = time.monotonic()
        ran = run(TRAIN + ["--out", str(place / "m.nsr")])
        row(what, f"exit code {ran.returncode}, before learning ({time.monotonic() - started:.2f} s)", refused(ran))


def two_writers(folder):
    model = folder / "shared.nsr"
    broken = 0
    for turn in range(max(KILLS // 10, 1)):
        writers = [subprocess.Popen(TRAIN + ["--out", str(model), "--seed", str(seed)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for seed in (0, 1)]
        broken += any(writer.wait() != 0 for writer in writers) or not answers(model)
    row("two writers of one model", f"{turn + 1} times, {broken} broken models; the last one to end is kept", not broken)


def closed_pipe(folder):
    model = folder / "pipe.nsr"
    run(TRAIN + ["--out", str(model)])
    predict = subprocess.Popen([NSR, "predict", str(model)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    predict.stdout.close()
    try:
        for _ in range(100_000):
            predict.stdin.write(b"walk twice\n")
        predict.stdin.close()
    except BrokenPipeError:
        pass
    code, said = predict.wait(timeout=60), predict.stderr.read().decode(errors="replace")
    row("a reader of `predict` that goes away", f"exit code {code}, {len(said)} bytes of messages", "panicked" not in said and code in (0, 2))
    with open("/dev/full", "w") as full:
        ran = subprocess.run([NSR, "predict", str(model)], input="walk\n", stdout=full, stderr=subprocess.PIPE, text=True)
    row("answers that cannot be written (`> /dev/full`)", f"exit code {ran.returncode}", refused(ran))


def peak_mb(model, lines):
    """The most memory that answering so many lines takes, and how many came out."""
    script = f"{NSR} predict {model} --threads 2 | wc -l"
    code = ("import resource, subprocess, sys; r = subprocess.run(sys.argv[1], shell=True, stdout=subprocess.PIPE); "
            "print(int(r.stdout), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    child = subprocess.Popen([sys.executable, "-c", code, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, text=True)
    some = "walk twice and jump thrice\nturn opposite left after run\nan unknown word\n\n" * 2500
    for _ in range(lines // 10_000):
        child.stdin.write(some)
    child.stdin.close()
    out, kilobytes = child.stdout.read().split()
    child.wait()
    return int(out), int(kilobytes) / 1024


def many_lines(folder):
    model = folder / "lines.nsr"
    run([NSR, "train", "scan/simple", "--take", "2000", "--out", str(model)])
    few, small = peak_mb(model, max(LINES // 100, 10_000))
    all_of_them, large = peak_mb(model, LINES)
    holds = all_of_them == LINES // 10_000 * 10_000 and large < small + FLAT_MB
    row(f"{LINES:,} lines through `predict`", f"{all_of_them:,} answers, {large:.0f} MB at most ({few:,} lines: {small:.0f} MB)", holds)


def main():
    print("| what | happened | holds |\n|---|---|---|")
    write_pairs()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # With a budget of nothing, reading and writing are most of what there is to be killed in.
        for more in ([], ["--resume"], ["--seconds", "0.01"]):
            kills(folder, more)
        for try_it in (full_disk, read_only, two_writers, closed_pipe, many_lines):
            try_it(folder)
    PAIRS.unlink()
    PAIRS.parent.rmdir()
    sys.exit(1 if failed else 0)


main()
