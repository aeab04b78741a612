"""What is measured: the workloads, who does each of them, and the programs that do."""
import dataclasses
import os
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
KIB, MIB = 1 << 10, 1 << 20


@dataclasses.dataclass(frozen=True)
class Workload:
    clients: str  # ours first
    settings: dict  # BENCH_* for client and CLI
    one_cpu: bool = False  # client and CLI share it: no idle CPU has to be woken
    # How often a round plays it, but for the TypeScript SDK. A run of milliseconds sees one speed of
    # a CPU that has two, or one wake-up that was late.
    times: int = 1

    def tiny(self):
        """The same in miniature, to see that it works at all."""
        limits = {"N": 20, "K": 3, "SIZE": 5000, "GAP_US": 100, "EXIT_MS": 1}
        small = {key: min(value, limits.get(key, 0)) if key in limits else value
                 for key, value in self.settings.items()}
        return dataclasses.replace(self, settings=small, times=1)


def work(clients, workload, n, one_cpu=False, times=1, **more):
    return Workload(clients, {"WORKLOAD": workload, "N": n, **more}, one_cpu, times)


def trips(clients, workload, n, **more):
    return work(clients, workload, n, one_cpu=True, times=5, **more)


WORKLOADS = {
    "stream": work("ours simdjson raw ts", "stream", 200_000),
    "stream-line": work("ours simdjson raw ts", "stream", 100_000, WRITE="line"),
    "turn": work("ours simdjson raw ts", "stream", 500, times=5),
    "2k": work("ours simdjson raw ts", "assistant", 10_000, SIZE=2 * KIB),
    "64k": work("ours simdjson raw ts", "assistant", 1_000, SIZE=64 * KIB),
    "1m": work("ours simdjson raw ts", "assistant", 60, SIZE=MIB),
    "10m": work("ours simdjson raw ts", "bigline", 3, times=3, SIZE=10 * MIB),
    "hooks": trips("ours pingpong ts", "hooks", 3_000),
    "perms": trips("ours pingpong ts", "perms", 3_000),
    "mcp": trips("ours pingpong ts", "mcp", 1_000),
    "control": trips("ours pingpong ts", "control", 3_000),
    "hooks-pool": trips("ours hop", "hooks", 3_000, POOL=1),
    "perms-pool": trips("ours hop", "perms", 3_000, POOL=1),
    "paced": work("ours raw ts", "paced", 500, times=3, GAP_US=2_000),
    "startup": work("ours raw ts", "startup", 1, times=5),
    "close": work("ours raw ts", "startup", 1, times=5, EXIT_MS=70),
    "sessions-1": work("ours simdjson ts", "sessions", 10),
    "sessions-16": work("ours simdjson ts", "sessions", 10, K=16),
    "parallel-8": work("ours simdjson ts", "parallel", 20_000, K=8),
    "loop-1": work("ours simdjson", "stream", 200_000, LOOP=1),
    "loop-1000": work("ours simdjson", "stream", 500, K=1_000, LOOP=1),
    "sim": work("sim", "startup", 1, times=5),
}

# Cost against size and count: a straight line, or something is wrong.
SIZES = {f"size-{size}": size for size in (KIB, 8 * KIB, 64 * KIB, 512 * KIB, 4 * MIB, 16 * MIB,
                                           64 * MIB)}
COUNTS = {f"count-{n}": n for n in (10**3, 10**4, 10**5, 10**6, 10**7)}
LONG = f"count-{10**7}"  # some ten seconds each
for name, size in SIZES.items():
    WORKLOADS[name] = work("ours simdjson", "assistant", max(1, 32 * MIB // size), SIZE=size)
for name, n in COUNTS.items():
    WORKLOADS[name] = work("ours simdjson", "stream", n)


class Programs:
    """Where everything is in a build folder."""

    def __init__(self, build):
        self.bench = pathlib.Path(build).resolve() / "bench"
        self.sim = self.bench.parent / "sim" / "claude-sim"
        self.ts_sdk = os.environ.get("CLAUDE_TS_SDK")

    def names(self):
        """Those that can run here, limits last."""
        return ["ours", *(["ts"] if self.ts_sdk else []), "sim", "raw", "pingpong", "simdjson",
                "hop"]

    def counted(self, client):
        """The same as command(), where valgrind can run it."""
        program, *rest = self.command(client)
        return [program.replace("/bench/limit", "/bench/limit_counted"), *rest]

    def command(self, client):
        """Program, arguments and the CLI behind them."""
        cli = str(self.bench / "fakecli")
        if client == "ours":
            return [str(self.bench / "bench_client"), cli]
        if client == "ts":
            return ["node", str(HERE / "ts_client.mjs"), cli]
        if client == "sim":  # the simulator's own start, seen by a client that costs nothing
            return [str(self.bench / "limit"), "simdjson", str(self.sim)]
        return [str(self.bench / "limit"), client, cli]
