"""Brings the tables of docs/benchmarks.md up to date: each stands between two markers,
`<!-- begin NAME -->` and `<!-- end NAME -->`, and all its figures come from the data of a run."""
import re

from targets import judged
from workloads import COUNTS, HERE, SIZES

PAGE = HERE.parent / "docs/benchmarks.md"
NAMES = {"ours": "**ours**", "ts": "TypeScript SDK", "raw": "limit-raw",
         "pingpong": "limit-pingpong", "simdjson": "limit-simdjson", "hop": "limit-hop"}


def number(value):
    if value is None:
        return "-"
    if 0 < abs(value) < 0.1:
        return f"{value:.2g}"
    for digits, below in ((2, 10), (1, 100)):
        if abs(value) < below:
            return f"{value:.{digits}f}"
    return f"{value:,.0f}"


def table(head, rows):
    return "\n".join("| " + " | ".join(row) + " |"
                     for row in (head, ["---"] * len(head), *rows))


def machine(results):
    where, samples = results.data["machine"], results.data["samples"]
    rounds = [len(kept) for kept in results.data["kept_rounds"].values()]
    fewest, most = min(rounds), max(rounds)
    counted = f"{most}" if fewest == most else f"{fewest} to {most}"
    disturbed = results.data["disturbed_workloads"]
    return (f"{where['date']}: {where['cpus']} CPUs, {where['model']}, Linux {where['kernel']}. "
            f"{len(samples)} runs, none of which left any work undone; {counted} "
            "rounds of each workload count. "
            + (f"Other work disturbed {len(disturbed)} of {len(rounds)} workloads even in their "
               'calmest rounds; their figures are marked with "~".' if disturbed else
               "Nothing else disturbed them."))


def targets(results):
    return table(["", "against", "measured", "hard", "stretch", ""],
                 [[target.name, target.against, f"**{shown}**", target.form.format(target.hard),
                   target.form.format(target.stretch), verdict]
                  for target, shown, verdict in judged(results)])


def missed(results):
    """The targets that were not met, as a list."""
    lines = []
    for verdict, goal in (("not met", "hard"), ("met", "stretch")):
        for target, shown, came in judged(results):
            if came == verdict:
                wanted = target.form.format(getattr(target, goal))
                lines.append(f"- {target.name}: {shown}; the {goal} target is {wanted}")
    return "\n".join(lines) or "None."


def clients(results, *workloads):
    return [name for name in NAMES if any(results.has(work, name) for work in workloads)]


def cell(results, metric, workload, client, limit):
    """The median, and in brackets how many times the limit it is."""
    value = results.median(metric, workload, client)
    if value is None:
        return "-"
    mark = " ~" if results.disturbed(workload) else ""
    if client == limit or not results.has(workload, limit):
        return number(value) + mark
    ratio = results.ratio(metric, (workload, client), (workload, limit))
    return f"{number(value)} (x{number(ratio)}){mark}"


def beside_limit(columns):
    """A table with a row for each client; columns are (head, metric, workload, limit)."""
    def make(results):
        rows = [[NAMES[client], *(cell(results, metric, workload, client, limit)
                                  for _, metric, workload, limit in columns)]
                for client in clients(results, *(column[2] for column in columns))]
        return table(["", *(column[0] for column in columns)], rows)
    return make


def further_sessions(results):
    rows = []
    for client in clients(results, "sessions-16"):
        pair = ("sessions-16", client), ("sessions-1", client)
        more_mb, more_threads = (results.difference(m, *pair) for m in ("rss_mb", "threads"))
        if more_mb is not None:
            rows.append([NAMES[client], number(results.median("rss_mb", "sessions-1", client)),
                         f"{more_mb * 1024 / 15:.0f}",
                         f"{results.median('threads', 'sessions-1', client):.0f}",
                         f"{more_threads / 15:.1f}"])
    return table(["", "MB, one session", "KB, each further", "threads, one session",
                  "threads, each further"], rows)


def counts(results):
    ours, limit = results.data["counts"].get("ours", {}), results.data["counts"].get("limit", {})
    return table(["", "ours", "limit"],
                 [[name, number(ours[name]), number(limit[name])] for name in ours])


def costs(workload):
    def make(results):
        spent = results.data["costs"].get(workload, {})
        rows = sorted(spent.items(), key=lambda item: -item[1])
        return table(["", "instructions", "share"],
                     [[part, f"{n:,.0f}", f"{n / sum(spent.values()):.0%}"]
                      for part, n in rows if n >= 1])
    return make


def scaling(points, metric, head, unit):
    def make(results):
        return table([head, *(f"{NAMES[c]}, {unit}" for c in ("ours", "simdjson"))],
                     [[f"{size:,}", *(number(results.median(metric, name, client))
                                      for client in ("ours", "simdjson"))]
                      for name, size in points.items() if results.has(name)])
    return make


TABLES = {
    "machine": machine,
    "targets": targets,
    "missed": missed,
    "small": beside_limit([
        ("stream, CPU µs", "cpu_us", "stream", "simdjson"),
        ("stream-line, CPU µs", "cpu_us", "stream-line", "simdjson"),
        ("turn, CPU µs", "cpu_us", "turn", "simdjson"),
        ("8 sessions, CPU µs", "cpu_us", "parallel-8", "simdjson"),
        ("1,000 sessions, CPU µs", "cpu_us", "loop-1000", "simdjson"),
        ("stream, messages/s", "per_s", "stream", "simdjson")]),
    "large": beside_limit([
        ("2 KB, ns a byte", "cpu_ns_byte", "2k", "simdjson"),
        ("64 KB", "cpu_ns_byte", "64k", "simdjson"),
        ("1 MB", "cpu_ns_byte", "1m", "simdjson"),
        ("10 MB", "cpu_ns_byte", "10m", "simdjson"),
        ("MB/s at 1 MB", "mb_per_s", "1m", "simdjson"),
        ("peak MB at 10 MB", "peak_mb", "10m", "simdjson")]),
    "trips": beside_limit([
        (f"{work}, {metric[:3]} µs", metric, work, "pingpong")
        for work in ("hooks", "perms", "mcp", "control") for metric in ("p50_us", "p99_us")]),
    "pool": beside_limit([
        (f"{work}, {metric[:3]} µs", metric, f"{work}-pool", "hop")
        for work in ("hooks", "perms") for metric in ("p50_us", "p99_us")]),
    "paced": beside_limit([
        ("latency p50 µs", "p50_us", "paced", "raw"), ("p99 µs", "p99_us", "paced", "raw"),
        ("CPU µs a message", "cpu_us", "paced", "raw")]),
    "life": beside_limit([
        ("launch to first result, ms", "startup_ms", "startup", "raw"),
        ("close above the CLI's exit, ms", "close_ms", "close", "raw")]),
    "sessions": further_sessions,
    "counts": counts,
    "costs-stream": costs("stream"),
    "costs-hooks": costs("hooks"),
    "sizes": scaling(SIZES, "message_ms", "bytes of text", "CPU ms a message"),
    "lengths": scaling(COUNTS, "cpu_ms", "messages", "CPU ms"),
}


def filled(page, results):
    """The page with its tables made anew."""
    for name, make in TABLES.items():
        between = re.compile(f"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)", re.S)
        page, places = between.subn(lambda m: f"{m[1]}\n{make(results)}\n\n{m[2]}", page)
        assert places == 1, f"{places} places for {name} in {PAGE}"
    return page


def update(results):
    PAGE.write_text(filled(PAGE.read_text(), results))
