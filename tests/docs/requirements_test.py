"""What scripts/requirements.py takes for shown, in a project where one test shows each requirement.

It runs as ./check runs it: on reports as ctest and the shards of the sanitizers write them.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/requirements.md").read_text()
NOT_APPLICABLE = set(re.findall(r"^\| (S\d+) \| not applicable", PAGE, re.M))
MARKS = [mark for mark in re.findall(r"^\| ([SF]\d+) \|", PAGE, re.M) if mark not in NOT_APPLICABLE]
FAULTS = [mark for mark in MARKS if mark[0] == "F"]
PASSED = 'status="run"/>'
FAILED = 'status="fail"><failure message=""/></testcase>'
SKIPPED = 'status="notrun"><skipped message=""/><system-out>{}</system-out></testcase>'
ADVICE = "the real CLI is not here: run ./check, or set CLAUDE_REAL_CLI to it"


class Requirements(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.project = pathlib.Path(folder.name)
        for place in ("scripts", "docs", "tests/io", "asan", "tsan"):
            (self.project / place).mkdir(parents=True)
        shutil.copy(ROOT / "scripts/requirements.py", self.project / "scripts")
        (self.project / "docs/requirements.md").write_text(PAGE)
        (self.project / "docs/security.md").write_text("| nothing is lost | `io.Shows.S7` |\n")
        self.ci = "true"
        self.write_tests(MARKS)
        self.reported({})
        self.shard_reported("asan", FAULTS)
        self.shard_reported("tsan", FAULTS)

    def write_tests(self, marks):
        tests = "".join(f"// {mark}\nTEST(Shows, {mark}) {{}}\n" for mark in marks)
        (self.project / "tests/io/shows_test.cpp").write_text(tests)

    def reported(self, other_than_passed):
        """As ctest does. An outcome may be one of several instances: F1/Pipes."""
        rows = {mark: PASSED for mark in MARKS} | other_than_passed
        names = {f"io.Shows.{mark}": row for mark, row in rows.items()}
        cases = (f'<testcase name="{name}" classname="{name}" {row}' for name, row in names.items())
        text = f"<testsuite>{''.join(cases)}</testsuite>"
        (self.project / "release.xml").write_text(text)

    def shard_reported(self, sanitizer, marks):
        """As googletest does, which does not know the room."""
        cases = (f'<testcase name="{mark}" classname="Shows" status="run"/>' for mark in marks)
        text = f"<testsuites><testsuite>{''.join(cases)}</testsuite></testsuites>"
        (self.project / sanitizer / "io.0.xml").write_text(text)

    def check(self):
        self.ran = subprocess.run(
            [sys.executable, "scripts/requirements.py", "release.xml", "--all"]
            + ["--under", "asan", "asan", "--under", "tsan", "tsan"],
            cwd=self.project, capture_output=True, text=True, env={**os.environ, "CI": self.ci})
        return self.ran.returncode

    def assert_fails(self, with_what):
        self.assertEqual(self.check(), 1)
        self.assertEqual(self.ran.stderr, f"error: {with_what}\n")

    def test_is_content_when_each_is_shown(self):
        self.assertEqual(self.check(), 0, self.ran)
        self.assertIn("faults: 32 of 32 shown", self.ran.stdout)
        self.assertIn("faults under asan: 32 of 32 shown", self.ran.stdout)
        self.assertIn("requirements: 186 shown, 5 not applicable, of 191", self.ran.stdout)

    def test_fails_when_the_test_of_a_promise_is_not_there_or_was_skipped_without_need(self):
        (self.project / "docs/security.md").write_text("`io.Shows.S4` `io.Shows.Nothing`\n")
        self.assert_fails("docs/security.md: not shown by io.Shows.Nothing")
        (self.project / "docs/security.md").write_text("`io.Shows.Promise`\n")
        self.reported({"Promise": SKIPPED.format("not as this user")})
        self.assert_fails("docs/security.md: not shown by io.Shows.Promise")
        self.ci = "false"
        self.assertEqual(self.check(), 0, self.ran)
        self.assertIn("skipped here: io.Shows.Promise", self.ran.stdout)

    def test_fails_when_a_fault_has_no_test(self):
        self.write_tests(mark for mark in MARKS if mark != "F27")
        self.assertEqual(self.check(), 1)
        self.assertIn("error: shown by no test that passed: F27\n", self.ran.stderr)

    def test_fails_when_a_requirement_has_no_test(self):
        self.write_tests(mark for mark in MARKS if mark not in ("S4", "S190"))
        self.assert_fails("shown by no test that passed: S4 S190")

    def test_fails_when_the_test_failed_or_was_skipped(self):
        self.reported({"F1": FAILED, "F2": SKIPPED.format("no descriptors"), "S3/Pipes": FAILED})
        self.assert_fails("shown by no test that passed: F1 F2 S3")

    def test_does_not_miss_what_waits_for_the_real_cli(self):
        self.reported({"S147/RealCli": SKIPPED.format(ADVICE)})
        self.assertEqual(self.check(), 0, self.ran)
        self.assertIn("not shown, because only the real CLI can: S147\n", self.ran.stdout)

    def test_misses_what_waits_for_the_real_cli_and_failed_without(self):
        self.reported({"S147/RealCli": SKIPPED.format(ADVICE), "S147/InMemory": FAILED})
        self.assert_fails("shown by no test that passed: S147")

    def test_fails_when_a_fault_is_not_shown_under_a_sanitizer(self):
        self.shard_reported("tsan", (mark for mark in FAULTS if mark not in ("F7", "F12")))
        self.assert_fails("shown by no test that passed under tsan: F7 F12")

    def test_does_not_ask_for_what_a_sanitizer_cannot_show(self):
        without = [mark for mark in FAULTS if mark not in ("F19", "F25")]
        self.shard_reported("tsan", without)
        self.assertEqual(self.check(), 0, self.ran)
        self.assertIn("faults under tsan: 30 of 32 shown, not asked for: F19 F25", self.ran.stdout)
        self.shard_reported("asan", without)
        self.assert_fails("shown by no test that passed under asan: F19 F25")

    def test_fails_when_a_sanitizer_reported_nothing(self):
        (self.project / "asan/io.0.xml").unlink()
        self.assertEqual(self.check(), 1)
        self.assertIn("shown by no test that passed under asan: F1 F2", self.ran.stderr)


unittest.main()
