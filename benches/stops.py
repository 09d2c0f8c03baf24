#!/usr/bin/env python3
"""How long it takes to stop: an interrupt at random moments of learning, for each task the longest time to the end of the process.

    benches/stops.py NSR [--moments N] [--most SECONDS] TASK...

A stopped model must answer something or nothing, but load. On a busy machine the seconds of computing (of all threads) tell more than
those of the clock. Prints a table in Markdown.
"""

import argparse
import os
import random
import signal
import subprocess
import tempfile
import time


def computed(process):
    """Seconds that a process has computed so far, all threads together."""
    with open(f"/proc/{process}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def stop(nsr, task, after, folder):
    """Seconds to the end after an interrupt, or nothing if learning had ended before; how many of them it computed; whether the model loads."""
    model = os.path.join(folder, "m.nsr")
    if os.path.exists(model):
        os.remove(model)
    learning = subprocess.Popen([nsr, "train", task, "--out", model], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        learning.wait(after)
        return None, 0.0, True
    except subprocess.TimeoutExpired:
        pass
    start, before = time.time(), computed(learning.pid)
    learning.send_signal(signal.SIGINT)
    _, status, used = os.wait4(learning.pid, 0)
    if os.waitstatus_to_exitcode(status) == -signal.SIGINT:
        # It was still reading the data: there was nothing to keep.
        return None, 0.0, True
    took, computing = time.time() - start, used.ru_utime + used.ru_stime - before
    loads = subprocess.run([nsr, "inspect", model], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    return took, computing, loads


def main():
    options = argparse.ArgumentParser()
    options.add_argument("nsr")
    options.add_argument("--moments", type=int, default=5)
    options.add_argument("--most", type=float, default=30)
    options.add_argument("tasks", nargs="+")
    options = options.parse_args()
    random.seed(0)
    print("| task | stops | longest, s | of them computing, s | after, s | models that do not load |\n|---|---|---|---|---|---|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for task in options.tasks:
            moments = [options.most * (number + random.random()) / options.moments for number in range(options.moments)]
            stops = [(stop(options.nsr, task, after, folder), after) for after in moments]
            stops = [(took, computing, after, loads) for (took, computing, loads), after in stops if took is not None]
            longest = max(stops, default=(0.0, 0.0, 0.0, True))
            bad = sum(not loads for *_, loads in stops)
            print(f"| {task} | {len(stops)} | {longest[0]:.1f} | {longest[1]:.1f} | {longest[2]:.1f} | {bad} |", flush=True)


main()
