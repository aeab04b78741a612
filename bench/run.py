#!/usr/bin/env python3
"""Runs our client, the limits and the TypeScript SDK (when CLAUDE_TS_SDK says where it is) side by
side, and holds what comes out against the targets. README.md says how.

    bench/run.py                       all of it, into build/bench/results.json
    bench/run.py --workloads hooks,perms --rounds 9 --results build/bench/hooks.json
    bench/run.py --markdown            only brings the tables of docs/benchmarks.md up to date

In each round the clients of a workload run one after the other, in shuffled order, those of a short
one several times; what is compared is compared within rounds. A round in which other processes had
more than a few per cent of the machine is played again, as long as there is time; what stays
disturbed is marked with a "~".
"""
import argparse
import datetime
import itertools
import json
import os
import pathlib
import platform
import random
import sys
import time

import counts
import measure
import report
from targets import Results, judged
from workloads import HERE, LONG, WORKLOADS, Programs


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", default=HERE.parent / "build/release", type=pathlib.Path)
    parser.add_argument("--results", default=HERE.parent / "build/bench/results.json",
                        type=pathlib.Path)
    parser.add_argument("--workloads", help="comma-separated; all of them by default")
    parser.add_argument("--rounds", default=7, type=int, help="undisturbed ones that are wanted")
    parser.add_argument("--minutes", default=10, type=float,
                        help="after this time nothing is begun but the first round")
    parser.add_argument("--long", action="store_true", help="10^7 messages, too")
    parser.add_argument("--tiny", action="store_true", help="tiny sizes: does it work at all?")
    parser.add_argument("--markdown", action="store_true",
                        help="run nothing, bring docs/benchmarks.md up to date")
    return parser.parse_args()


def machine():
    model = "unknown"
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":")[1].strip()
    kernel = ".".join(platform.release().split(".")[:2])
    return {"cpus": os.cpu_count(), "model": model, "kernel": kernel,
            "date": datetime.date.today().isoformat()}


class Rounds:
    """Plays rounds of workloads until each has enough that nobody disturbed."""

    def __init__(self, programs, chosen, wanted, minutes):
        self.programs, self.chosen, self.wanted = programs, chosen, wanted
        self.ends = time.monotonic() + minutes * 60
        self.samples = []
        self.disturbance = {name: {} for name in chosen}  # of each round: by its worst run

    def calm(self, name):
        return sum(d <= measure.DISTURBED_SHARE for d in self.disturbance[name].values())

    def play(self):
        order = random.Random(1)
        for number in itertools.count():
            todo = [name for name in self.chosen if self.calm(name) < self.wanted]
            if not todo or number == 3 * self.wanted:
                return
            for name in todo:
                if number > 0 and time.monotonic() > self.ends:
                    return
                self.play_one(name, number, order)
            print(f"round {number + 1}: {len(todo)} workloads, "
                  f"{sum(self.calm(name) >= self.wanted for name in self.chosen)} have enough",
                  file=sys.stderr)

    def play_one(self, name, number, order):
        workload = self.chosen[name]
        clients = [c for c in workload.clients.split() if c in self.programs.names()]
        for time_of_round in range(workload.times):
            order.shuffle(clients)
            for client in clients:
                if client != "ts" or time_of_round == 0:
                    self.run_once(name, client, number)

    def run_once(self, name, client, number):
        try:
            figures = measure.run(self.programs, client, self.chosen[name])
        except measure.WorkNotDone as problem:
            sys.exit(f"{name}, {client}: {problem}")
        self.samples.append({"workload": name, "client": client, "round": number, **figures})
        worst = self.disturbance[name].get(number, 0)
        self.disturbance[name][number] = max(worst, figures["others_share"])

    def kept(self, name):
        """The calmest rounds, as many as are wanted."""
        rounds = self.disturbance[name]
        return sorted(sorted(rounds, key=rounds.get)[: self.wanted])

    def data(self):
        kept = {name: self.kept(name) for name in self.chosen}
        disturbed = [name for name in self.chosen
                     if any(self.disturbance[name][n] > measure.DISTURBED_SHARE
                            for n in kept[name])]
        return {"machine": machine(), "samples": self.samples, "kept_rounds": kept,
                "disturbed_workloads": disturbed}


def print_targets(results):
    for target, shown, verdict in judged(results):
        print(f"{target.name:44} {shown:>12}  of {target.form.format(target.hard):>10} / "
              f"{target.form.format(target.stretch):>10}  {verdict}")


def main():
    chosen = arguments()
    if chosen.markdown:
        return report.update(Results(json.loads(chosen.results.read_text())))
    programs = Programs(chosen.build)
    names = chosen.workloads.split(",") if chosen.workloads else list(WORKLOADS)
    work = {name: WORKLOADS[name] for name in names if name != LONG or chosen.long}
    if chosen.tiny:
        work = {name: workload.tiny() for name, workload in work.items()}
    rounds = Rounds(programs, work, chosen.rounds, chosen.minutes)
    rounds.play()
    data = rounds.data()
    data["counts"], data["costs"] = {}, {}
    chosen.results.parent.mkdir(parents=True, exist_ok=True)
    chosen.results.write_text(json.dumps(data, indent=1))  # in case the counts fail
    if not chosen.tiny and not chosen.workloads:  # they need valgrind, and some time
        data["counts"], data["costs"] = counts.of_all(programs)
        chosen.results.write_text(json.dumps(data, indent=1))
    print_targets(Results(data))


if __name__ == "__main__":
    main()
