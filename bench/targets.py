"""What the figures of a run come to, and what they have to come to."""
import dataclasses
import math
import statistics

from workloads import COUNTS, SIZES

# Of one run. The stand-in makes a tenth more round trips than it is told, to warm up.
METRICS = {
    "cpu_us": lambda run: run["cpu_s"] / run["messages"] * 1e6,
    "trip_cpu_us": lambda run: run["cpu_s"] / (1.1 * run["n"]) * 1e6,
    "cpu_ns_byte": lambda run: run["cpu_s"] / run["bytes"] * 1e9,
    "cpu_ms": lambda run: run["cpu_s"] * 1e3,
    "message_ms": lambda run: run["cpu_s"] / run["n"] * 1e3,
    "per_s": lambda run: run["messages"] / run["wall_s"],
    "mb_per_s": lambda run: run["bytes"] / run["wall_s"] / 1e6,
    "p50_us": lambda run: run["latency"]["p50_us"],
    "p99_us": lambda run: run["latency"]["p99_us"],
    "startup_ms": lambda run: run["first_result_ms"],
    "ready_ms": lambda run: run["connect_ms"],
    "answered_ms": lambda run: run["connect_ms"] + run["wall_s"] * 1e3,
    "close_ms": lambda run: run["close_ms"] - run["exit_ms"],
    "rss_mb": lambda run: run["rss_kb"] / 1024,
    "peak_mb": lambda run: run["peak_rss_kb"] / 1024,
    "threads": lambda run: run["threads"],
}


class Results:
    """Looks things up in the data of a run: {"samples": [...], "counts": {...}, ...}."""

    def __init__(self, data):
        self.data = data
        self._kept = {(s["workload"], s["client"]): {} for s in data["samples"]}
        for sample in data["samples"]:
            if sample["round"] in data["kept_rounds"][sample["workload"]]:
                rounds = self._kept[sample["workload"], sample["client"]]
                rounds.setdefault(sample["round"], []).append(sample)

    def has(self, workload, client="ours"):
        return (workload, client) in self._kept

    def by_round(self, metric, workload, client="ours"):
        """Of each round the median: a short workload is played several times in it."""
        rounds = self._kept.get((workload, client), {})
        return {n: statistics.median(map(METRICS[metric], runs)) for n, runs in rounds.items()}

    def median(self, metric, workload, client="ours"):
        values = self.by_round(metric, workload, client).values()
        return statistics.median(values) if values else None

    def compare(self, metric, one, other, how):
        """The median over rounds of how(one, other): they ran one after the other in each."""
        ones, others = self.by_round(metric, *one), self.by_round(metric, *other)
        both = ones.keys() & others.keys()
        if both:
            return statistics.median(how(ones[n], others[n]) for n in both)
        if ones and others:
            return how(statistics.median(ones.values()), statistics.median(others.values()))
        return None

    def ratio(self, metric, one, other):
        return self.compare(metric, one, other, lambda a, b: a / b)

    def difference(self, metric, one, other):
        return self.compare(metric, one, other, lambda a, b: a - b)

    def disturbed(self, workload):
        return workload in self.data["disturbed_workloads"]

    def slope(self, metric, points):
        """How steep log(cost) is over log(size), by least squares: 1 is linear, 2 quadratic."""
        logs = [(math.log(size), math.log(cost)) for name, size in points.items()
                if (cost := self.median(metric, name))]
        if len(logs) < 2:
            return None
        x, y = (statistics.fmean(axis) for axis in zip(*logs))
        return sum((a - x) * (b - y) for a, b in logs) / sum((a - x) ** 2 for a, _ in logs)


@dataclasses.dataclass(frozen=True)
class Target:
    name: str
    measure: object  # Results -> number, or None when it was not measured
    against: str
    hard: float
    stretch: float
    form: str = "x{:.2f}"
    workload: str = ""  # whose rounds it depends on

    def verdict(self, value):
        if value is None:
            return "not measured"
        # What is printed is judged: a third digit is noise.
        shown = float(f"{value:.2f}")
        if shown <= self.stretch:
            return "stretch met"
        return "met" if shown <= self.hard else "not met"


def against(name, metric, workload, limit, hard, stretch):
    return Target(name, lambda r: r.ratio(metric, (workload, "ours"), (workload, limit)),
                  f"limit-{limit}", hard, stretch, workload=workload)


def itself(name, workload, other, hard, stretch):
    return Target(name, lambda r: r.ratio("cpu_us", (workload, "ours"), (other, "ours")),
                  f"own {other}", hard, stretch, workload=workload)


def value(name, metric, workload, hard, stretch, form, client="ours", beside="-"):
    return Target(name, lambda r: r.median(metric, workload, client), beside, hard, stretch, form,
                  workload)


def counted(name, hard, stretch):
    return Target(name, lambda r: r.data["counts"].get("ours", {}).get(name), "-", hard, stretch,
                  "{:,.2f}")


def each_further(metric, factor):
    def measure(results):
        more = results.difference(metric, ("sessions-16", "ours"), ("sessions-1", "ours"))
        return None if more is None else more * factor / 15
    return measure


TARGETS = (
    against("stream, CPU a message", "cpu_us", "stream", "simdjson", 2.0, 1.2),
    against("stream-line, CPU a message", "cpu_us", "stream-line", "simdjson", 1.3, 1.0),
    against("turn (500 messages, cold), CPU a message", "cpu_us", "turn", "simdjson", 2.0, 1.4),
    counted("instructions per streamed message", 4000, 2300),
    counted("allocations per streamed message", 1, 0),
    against("64 KB, CPU a byte", "cpu_ns_byte", "64k", "simdjson", 1.4, 1.1),
    against("1 MB, CPU a byte", "cpu_ns_byte", "1m", "simdjson", 1.1, 0.8),
    against("10 MB, CPU a byte", "cpu_ns_byte", "10m", "simdjson", 1.1, 0.8),
    value("10 MB line, peak memory", "peak_mb", "10m", 32, 26, "{:.1f} MB"),
    against("hooks on the pool, p50", "p50_us", "hooks-pool", "hop", 1.3, 1.1),
    against("hooks on the pool, p99", "p99_us", "hooks-pool", "hop", 1.3, 1.1),
    against("perms on the pool, p50", "p50_us", "perms-pool", "hop", 1.3, 1.1),
    against("perms on the pool, p99", "p99_us", "perms-pool", "hop", 1.3, 1.1),
    against("hooks inline, p50", "p50_us", "hooks", "pingpong", 1.4, 1.15),
    against("hooks inline, p99", "p99_us", "hooks", "pingpong", 2.0, 1.3),
    against("perms inline, p50", "p50_us", "perms", "pingpong", 1.4, 1.15),
    against("perms inline, p99", "p99_us", "perms", "pingpong", 2.0, 1.3),
    against("mcp inline, p50", "p50_us", "mcp", "pingpong", 2.0, 1.3),
    against("control from a waiting thread, p50", "p50_us", "control", "pingpong", 1.4, 1.15),
    against("paced, latency p50", "p50_us", "paced", "raw", 1.4, 1.15),
    against("paced, CPU a message", "cpu_us", "paced", "raw", 1.6, 1.2),
    Target("startup to first result, above raw",
           lambda r: r.difference("startup_ms", ("startup", "ours"), ("startup", "raw")),
           "limit-raw", 1.0, 0.3, "{:+.2f} ms", "startup"),
    value("close, above the CLI's own exit", "close_ms", "close", 1.0, 0.6, "{:+.2f} ms",
          beside="CLI"),
    value("memory of one session", "rss_mb", "sessions-1", 4.0, 3.6, "{:.2f} MB"),
    Target("memory of each further session", each_further("rss_mb", 1024), "-", 32, 16,
           "{:.0f} KB", "sessions-16"),
    Target("threads of each further session", each_further("threads", 1), "-", 0, 0, "{:.0f}",
           "sessions-16"),
    itself("8 sessions at once, CPU a message", "parallel-8", "stream", 1.4, 1.1),
    itself("1,000 sessions on one loop, CPU a message", "loop-1000", "loop-1", 1.5, 1.2),
    Target("cost against size, 1 KB to 64 MB", lambda r: r.slope("message_ms", SIZES),
           "1 is linear", 1.1, 1.0, "^{:.2f}"),
    Target("cost against count", lambda r: r.slope("cpu_ms", COUNTS), "1 is linear", 1.1, 1.0,
           "^{:.2f}"),
    value("claude-sim, start until ready", "ready_ms", "sim", 5, 5, "{:.2f} ms", "sim"),
    value("claude-sim, start until first result", "answered_ms", "sim", 5, 5, "{:.2f} ms", "sim"),
)


def judged(results):
    """(target, value, verdict) of each; a "~" marks what other work has disturbed."""
    for target in TARGETS:
        value = target.measure(results)
        shown = "-" if value is None else target.form.format(value)
        if results.disturbed(target.workload):
            shown += " ~"
        yield target, shown, target.verdict(value)
