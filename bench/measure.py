"""Runs one client once, sees that it did the work, and tells how much others ran meanwhile."""
import json
import os
import pathlib
import subprocess
import tempfile
import threading
import time

TIMEOUT_S = 120
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
CPUS = os.cpu_count()
# Of all CPUs, taken by others. What the ticks of the clock cannot resolve does not count.
DISTURBED_SHARE = 0.05
UNRESOLVED_S = 0.03


class WorkNotDone(Exception):
    """The client failed, or did not deliver all that the CLI wrote."""


def busy_s():
    """Seconds in which any CPU worked, here or for another machine on the same host."""
    with open("/proc/stat") as stat:
        ticks = [int(field) for field in stat.readline().split()[1:9]]
    idle = sum(ticks[3:5])
    return (sum(ticks) - idle) / TICKS_PER_S


def environment(programs, workload, folder):
    made = {"PATH": os.environ["PATH"], "HOME": folder, "BENCH_REPORT_DIR": folder,
            "BENCH_TIMEOUT_S": str(TIMEOUT_S)}
    made |= {f"BENCH_{key}": str(value) for key, value in workload.settings.items()}
    if programs.ts_sdk:
        made["CLAUDE_TS_SDK"] = programs.ts_sdk
    if workload.one_cpu:
        made["LAUNCH_CPU"] = str(CPUS - 1)
    return made


def reports_of(folder, sessions):
    """What the stand-ins wrote of themselves; a client need not wait for their end."""
    for _ in range(100):
        reports = [json.loads(path.read_text()) for path in
                   pathlib.Path(folder).glob("fakecli-*.json")]
        if sum(report["turns"] for report in reports) == sessions:
            return reports
        time.sleep(0.02)
    raise WorkNotDone(f"{len(reports)} of {sessions} sessions reported")


def check(figures, reports):
    """Nobody wins by skipping work."""
    errors = [report["error"] for report in reports if report["errors"]]
    if errors:
        raise WorkNotDone(errors[0])
    wrote = sum(report["messages"] for report in reports)
    if figures["messages"] != wrote:
        raise WorkNotDone(f"{figures['messages']} messages of {wrote}")
    unit = figures["unit"]
    if unit != "none":
        text = sum(report["checksum"][unit] for report in reports)
        if figures["checksum"] != text:
            raise WorkNotDone(f"{figures['checksum']} {unit} of text, and {text} were written")


def run(programs, client, workload):
    """The figures of one run."""
    with tempfile.TemporaryDirectory() as folder, open(f"{folder}/errors", "w+") as errors:
        command = [str(programs.bench / "launch"), *programs.command(client)]
        busy, begun = busy_s(), time.monotonic()
        process = subprocess.Popen(command, env=environment(programs, workload, folder), cwd=folder,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors)
        killer = threading.Timer(TIMEOUT_S, process.kill)
        killer.start()
        said = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        killer.cancel()
        elapsed, busy = time.monotonic() - begun, busy_s() - busy
        process.stdout.close()
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            errors.seek(0)
            raise WorkNotDone(f"it ended with {process.returncode}: {errors.read()[-300:]}")
        figures = json.loads(said)
        if client != "sim":
            reports = reports_of(folder, workload.settings.get("K", 1))
            check(figures, reports)
            figures["bytes"] = sum(report["bytes_out"] for report in reports)
            figures["latency"] = reports[0].get("rtt", figures.get("latency"))
    figures["n"] = workload.settings["N"]
    figures["exit_ms"] = workload.settings.get("EXIT_MS", 0)
    # The CLI's time is part of the client's, which has waited for it.
    others = busy - usage.ru_utime - usage.ru_stime
    figures["others_share"] = others / (elapsed * CPUS) if others > UNRESOLVED_S else 0.0
    return figures
