#!/usr/bin/env python3
"""Does the benchmark work at all? All clients do all workloads in miniature; what they deliver is
checked, how long it takes is not.

    run_test.py BUILD-FOLDER
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom

import costs
import measure
import plot
import report
from targets import TARGETS, Results
from workloads import HERE, LONG, WORKLOADS, Programs

BUILD = sys.argv.pop(1)


def results_of_a_run(*arguments):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "results.json"
        subprocess.run([HERE / "run.py", "--build", BUILD, "--tiny", "--rounds=1", "--minutes=0",
                        "--results", path, *arguments], check=True, capture_output=True)
        return Results(json.loads(path.read_text()))


def made_up(costs_by_size):
    """Results in which a message of so many bytes has cost so many seconds."""
    samples = [{"workload": f"size-{size}", "client": "ours", "round": 0, "cpu_s": cost, "n": 1}
               for size, cost in costs_by_size.items()]
    return Results({"samples": samples, "disturbed_workloads": [],
                    "kept_rounds": {sample["workload"]: [0] for sample in samples}})


class ARun(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.results = results_of_a_run("--long")

    def test_every_client_does_every_workload(self):
        here = Programs(BUILD).names()
        wanted = {(name, client) for name, workload in WORKLOADS.items()
                  for client in workload.clients.split() if client in here}
        samples = self.results.data["samples"]
        self.assertEqual({(s["workload"], s["client"]) for s in samples}, wanted)
        delivered = {name: {s["messages"] for s in samples if s["workload"] == name}
                     for name in ("stream", LONG, "2k", "hooks", "loop-1000", "sim")}
        # Init, the messages asked for, an assistant message and the result, in each session.
        self.assertEqual(delivered, {"stream": {23}, LONG: {23}, "2k": {22}, "hooks": {3},
                                     "loop-1000": {69}, "sim": {3}})

    def test_every_target_that_is_no_count_has_a_figure(self):
        silent = [t.name for t in TARGETS if t.measure(self.results) is None]
        self.assertEqual(silent, ["instructions per streamed message",
                                  "allocations per streamed message"])

    def test_the_page_has_a_place_for_each_table_of_it(self):
        for name in report.TABLES:
            bare = f"<!-- begin {name} -->\n<!-- end {name} -->"
            self.assertNotIn(bare, report.filled(report.PAGE.read_text(), self.results))

    def test_pictures_can_be_made_of_it(self):
        with tempfile.TemporaryDirectory() as folder:
            for draw in (plot.ratio_bars, plot.linearity):
                path = pathlib.Path(folder) / "drawn.svg"
                draw(self.results, path)
                self.assertIn("claude-agent-cpp", xml.dom.minidom.parse(str(path)).toxml())


class TheJudge(unittest.TestCase):
    report = {"errors": 0, "error": "", "messages": 3, "checksum": {"bytes": 240}}
    figures = {"messages": 3, "checksum": 240, "unit": "bytes"}

    def test_lets_work_pass_that_was_done(self):
        measure.check(self.figures, [self.report])

    def test_catches_a_client_that_skips_work(self):
        for lie in ({"messages": 2}, {"checksum": 239}):
            with self.assertRaises(measure.WorkNotDone):
                measure.check(self.figures | lie, [self.report])

    def test_catches_a_client_that_answers_wrongly(self):
        with self.assertRaisesRegex(measure.WorkNotDone, "unexpected response"):
            measure.check(self.figures,
                          [self.report | {"errors": 1, "error": "unexpected response"}])

    def test_tells_linear_from_quadratic(self):
        points = {f"size-{size}": size for size in (1024, 8192, 65536)}
        linear = made_up({size: size / 1e9 for size in points.values()})
        quadratic = made_up({size: size**2 / 1e9 for size in points.values()})
        self.assertAlmostEqual(linear.slope("message_ms", points), 1)
        self.assertAlmostEqual(quadratic.slope("message_ms", points), 2)

    def test_takes_the_median_of_what_a_round_plays_several_times(self):
        samples = [{"workload": "close", "client": "ours", "round": 0, "close_ms": ms, "exit_ms": 70}
                   for ms in (71, 72, 90)]
        results = Results({"samples": samples, "disturbed_workloads": [],
                           "kept_rounds": {"close": [0]}})
        self.assertEqual(results.by_round("close_ms", "close"), {0: 2})

    def test_knows_how_often_each_page_of_code_was_run(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "callgrind"
            path.write_text("ob=(1) /bin/client\nfn=(1) decode\n0x1000 5 100\n0x1fff 5 90\n"
                            "cob=(2) libc.so\ncfn=(2) free\ncalls=1 0x9000\n0x1004 5 4000\n"
                            "0x2000 6 3\n\nob=(2)\nfn=(2)\n0x1000 1 7\n")
            self.assertEqual(costs.by_page(path), {("/bin/client", 1): 100, ("/bin/client", 2): 3,
                                                   ("libc.so", 1): 7})

    def test_gives_each_instruction_to_the_room_it_belongs_to(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "callgrind"
            path.write_text("ob=(1) /bin/client\nfl=(1) /p/src/wire/line.cpp\nfn=(1) decode\n"
                            "10 5\nfi=(2) /p/src/json/reader.h\n+3 7\n"
                            "fi=(4) /usr/include/c++/12/variant\n+1 2\nfe=(1)\n"
                            "cob=(2) libsimdjson.so\ncfi=(3) ???\ncfn=(2) stage1\ncalls=1 1\n"
                            "12 40\n\nob=(2)\nfl=(3)\nfn=(2)\n1 40\n")
            self.assertEqual(costs.by_part(path), {"room wire": 7, "room json": 7,
                                                   "simdjson": 40, "all": 54})


if __name__ == "__main__":
    unittest.main()
