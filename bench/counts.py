#!/usr/bin/env python3
"""Counts what a client does for each message, and fails above a limit.

    counts.py CLIENT FAKECLI

Instructions, their pages and heap allocations come from valgrind, system calls from strace. Unlike
times they do not depend on the machine's mood. Each count is the difference between a short and a
long run, so that start and end cancel out; the CLI's own work is not counted. Before it is counted,
a client must have delivered every message: see check_work().
"""
import collections
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import costs

TIMEOUT_S = 300


def run(command, environment):
    done = subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=TIMEOUT_S,
    )
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def callgrind(client, environment, folder, *how):
    out = f"{folder}/out"
    run(["valgrind", "--tool=callgrind", *how, f"--callgrind-out-file={out}", *client], environment)
    return out


def instructions(client, environment, folder):
    return costs.by_part(callgrind(client, environment, folder))


def code_pages(client, environment, folder):
    """How often each page of code was run: its instruction that ran most."""
    return costs.by_page(callgrind(client, environment, folder, "--dump-instr=yes",
                                   "--compress-pos=no"))


def allocations(client, environment, folder):
    run(["valgrind", f"--log-file={folder}/out", *client], environment)
    with open(f"{folder}/out") as out:
        count = re.search(r"total heap usage: ([\d,]+) allocs", out.read())[1]
    return {"all": int(count.replace(",", ""))}


def system_calls(client, environment, folder):
    """One file a thread or process; the one that became the CLI is left out."""
    run(["strace", "-ff", "-o", f"{folder}/out", *client], environment)
    counted = collections.Counter()
    for path in glob.glob(f"{folder}/out.*"):
        with open(path, errors="replace") as out:
            text = out.read()
        if f'execve("{client[-1]}"' not in text:
            calls = re.findall(r"^(\w+)\(", text, re.M)
            counted.update(calls)
            counted["all"] += len(calls)
    return counted


# What is counted, in which workload with how many messages, how much is allowed, and the client
# that shows how little it could be. System calls depend on who runs first on a CPU: a short run may
# need fewer for each message than a long one, so they are counted from none on.
LIMITS = (
    ("instructions per streamed message", instructions, "stream", (1000, 6000), 2450, "simdjson"),
    ("allocations per streamed message", allocations, "stream", (1000, 6000), 1, "simdjson"),
    ("instructions per inline hook", instructions, "hooks", (500, 2500), 6400, "pingpong"),
    ("instructions per inline permission", instructions, "perms", (500, 2500), 7700, "pingpong"),
    ("instructions per control request", instructions, "control", (500, 2500), 7300, "pingpong"),
    ("instructions per hook on the pool", instructions, "hooks-pool", (500, 2500), 8200, "hop"),
    ("allocations per inline hook", allocations, "hooks", (500, 2500), 1, "pingpong"),
    ("allocations per inline permission", allocations, "perms", (500, 2500), 3, "pingpong"),
    ("allocations per hook on the pool", allocations, "hooks-pool", (500, 2500), 1, "hop"),
    ("system calls per paced message", system_calls, "paced", (0, 1000), 2, "raw"),
    ("pages of code per paced message", code_pages, "paced", (0, 500), 27, "raw"),
    ("system calls per inline hook", system_calls, "hooks", (0, 2500), 3, "pingpong"),
    ("system calls per control request", system_calls, "control", (0, 2500), 3, "pingpong"),
)


def environment(workload, messages, **more):
    name, _, pool = workload.partition("-")
    return dict(os.environ, BENCH_WORKLOAD=name, BENCH_N=str(messages),
                BENCH_POOL="1" if pool else "0", BENCH_TIMEOUT_S=str(TIMEOUT_S), **more)


def check_work(client, workload):
    """The client's own figures must be what the stand-in wrote: nobody wins by skipping work."""
    with tempfile.TemporaryDirectory() as folder:
        said = json.loads(run(client, environment(workload, 100, BENCH_REPORT_DIR=folder)))
        (report,) = glob.glob(f"{folder}/fakecli-*.json")
        with open(report) as file:
            wrote = json.load(file)
    for what, got, wanted in (
        ("errors", wrote["error"], ""),
        ("messages", said["messages"], wrote["messages"]),
        ("checksum", said["checksum"], wrote["checksum"][said["unit"]]),
    ):
        if got != wanted:
            sys.exit(f"{workload}: {what} is {got!r} and should be {wanted!r}")


def count_one(client, tool, workload, sizes):
    """How many for each message: "all", and its parts."""
    counts = []
    for messages in sizes:
        with tempfile.TemporaryDirectory() as folder:
            counts.append(tool(client, environment(workload, messages), folder))
    # The stand-in warms up with a tenth more round trips.
    trips = workload.startswith(("hooks", "perms", "control"))
    units = (sizes[1] - sizes[0]) * (1.1 if trips else 1)
    each = {what: (counts[1][what] - counts[0].get(what, 0)) / units for what in counts[1]}
    if tool is code_pages:  # now and then a message need not be waited for
        return {"all": sum(often > 0.8 for often in each.values())}
    return each


def of_all(programs):
    """For run.py: the counts of our client beside those of the limit, and where the instructions of
    ours are spent, for a streamed message and for a hook."""
    found = {"ours": {}, "limit": {}}
    spent = {}
    for name, tool, workload, sizes, _, limit in LIMITS:
        for who, client in (("ours", "ours"), ("limit", limit)):
            each = count_one(programs.counted(client), tool, workload, sizes)
            found[who][name] = each.pop("all")
            if who == "ours" and tool is instructions:
                spent[workload] = each
    return found, spent


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    client = [os.path.abspath(path) for path in sys.argv[1:]]
    above = False
    for workload in sorted({limit[2] for limit in LIMITS}):
        check_work(client, workload)
    for name, tool, workload, sizes, limit, _ in LIMITS:
        each = count_one(client, tool, workload, sizes)
        count = each.pop("all")
        parts = ", ".join(f"{what} {n:.2f}" for what, n in sorted(each.items()) if n >= 0.005)
        # A stray call at start or end (two threads meet at a lock) is not one a message.
        good = round(count, 1) <= limit
        above = above or not good
        print(f"{name:36} {count:10,.2f}  of {limit:,}  {'ok' if good else 'TOO MANY'}  {parts}")
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())
