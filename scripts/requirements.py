#!/usr/bin/env python3
"""Tells which requirements the tests showed.

A test shows a requirement when a comment line directly above it names it, `// S14 S16`, and when
it ran and passed, with each of its parameters. Names and meanings are in docs/requirements.md; the
outcomes come from the JUnit reports that ctest wrote.

    requirements.py REPORT.xml ...             the counts
    requirements.py REPORT.xml ... --missing   and what is not shown yet
    requirements.py REPORT.xml ... --all       and fails unless all is shown: how ./check ends
      --under NAME FOLDER                      each fault in the build with this sanitizer as well:
                                               its shards reported ROOM.SHARD.xml to this folder
    requirements.py --list                     each requirement with the tests that name it

A test that ran in several builds is counted once: it failed if it failed in any of them, and it
passed if it passed in one and failed in none. What waits for the real CLI is not missed where there
is none.
"""
import argparse
import collections
import os
import pathlib
import re
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
MARKS_A_TEST = 3
MARK = re.compile(r"[SF]\d+")
PROMISED_TEST = re.compile(r"`(\w+\.\w+\.\w+)`")
MARK_LINE = re.compile(r"^//\s*[SF]\d+\b")
TEST = re.compile(r"^(?:TYPED_)?TEST(?:_[FP])?\(\s*(\w+)\s*,\s*(\w+)\s*\)")
# What a sanitizer cannot show: ThreadSanitizer holds signals back (F25), and it replaces vfork,
# without which there is no parent-death signal (F19, src/io/exec.h).
NOT_UNDER = {"tsan": {"F19", "F25"}}
# The outcome of a test that was skipped with the advice to set CLAUDE_REAL_CLI.
WAITS = "waits for the real CLI"
# How the test runner names a test: wire.Framer.Name, wire.Sizes/Framer.Name/<value> with a
# parameter, wire.Framer.Name<type> with a type.
REPORTED = re.compile(r"^(\w+)\.(?:\w+/)?(\w+)\.(\w+)(?:[/<].*)?$", re.S)

Test = collections.namedtuple("Test", "name place marks")


def number(mark):
    return mark[0], int(mark[1:])


def read_requirements(problems):
    """The ids that docs/requirements.md defines, and those it argues away."""
    known, not_applicable = set(), set()
    for line in (ROOT / "docs/requirements.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
        if not line.startswith("|") or not MARK.fullmatch(cells[0]):
            continue
        rows = not_applicable if cells[1:2] == ["not applicable"] else known
        if cells[0] in rows:
            problems.append(f"docs/requirements.md: {cells[0]} stands there twice")
        rows.add(cells[0])
    for letter, count in (("S", 191), ("F", 32)):
        wanted = {f"{letter}{n}" for n in range(1, count + 1)}
        ours = {mark for mark in known if mark[0] == letter}
        for mark in sorted(wanted ^ ours, key=number):
            problems.append(f"docs/requirements.md: {mark} is missing or does not exist")
    for mark in sorted(not_applicable - known, key=number):
        problems.append(f"docs/requirements.md: {mark} does not apply, but is not defined")
    return known, not_applicable


def read_marks(applicable, problems):
    """Every test with marks above it."""
    tests = []
    for path in sorted((ROOT / "tests").rglob("*.cpp")):
        room = path.relative_to(ROOT / "tests").parts[0]
        lines = path.read_text().splitlines()
        for at, line in enumerate(lines):
            if not MARK_LINE.match(line):
                continue
            place = f"{path.relative_to(ROOT)}:{at + 1}"
            marks = line[2:].split()
            test = TEST.match(" ".join(lines[at + 1 : at + 3]))
            if not all(MARK.fullmatch(mark) for mark in marks):
                problems.append(f"{place}: a line of marks holds nothing but marks")
            elif not test:
                problems.append(f"{place}: marks stand directly above a test")
            elif len(marks) > MARKS_A_TEST:
                problems.append(f"{place}: more than {MARKS_A_TEST} marks on one test")
            elif len(set(marks)) < len(marks):
                problems.append(f"{place}: a mark stands there twice")
            else:
                for mark in set(marks) - applicable:
                    problems.append(f"{place}: {mark} is unknown, or argued not to apply")
                tests.append(Test(f"{room}.{test[1]}.{test[2]}", place, marks))
    return tests


def cases_of(report):
    """Name and element of each test: ctest writes whole names, a test program does not know its
    room and counts its types."""
    root = xml.etree.ElementTree.parse(report).getroot()
    room = pathlib.Path(report).name.split(".")[0]
    for case in root.iter("testcase"):
        suite = re.sub(r"/\d+$", "", case.get("classname"))
        name = case.get("name")
        yield (f"{room}.{suite}.{name}" if root.tag == "testsuites" else name), case


def read_outcomes(reports):
    """Outcome by the runner's name of the test, over all reports."""
    outcomes = {}
    for report in reports:
        for name, case in cases_of(report):
            if case.find("failure") is not None or case.get("status") == "fail":
                outcome = "failed"
            elif case.find("skipped") is None and case.get("status") == "run":
                outcome = "passed"
            elif "CLAUDE_REAL_CLI" in "".join(case.itertext()):
                outcome = WAITS
            else:
                outcome = "skipped"
            # failed < passed < skipped < waits
            outcomes[name] = min(outcomes.get(name, outcome), outcome)
    return outcomes


def by_test(outcomes):
    """Outcomes by the name of the test: of one with parameters or types, all of its instances."""
    tests = collections.defaultdict(set)
    for name, outcome in outcomes.items():
        reported = REPORTED.match(name)
        if reported:
            tests[".".join(reported.groups())].add(outcome)
    return tests


def marks_of(tests, outcomes, ended_so):
    got = by_test(outcomes)
    return {mark for test in tests if ended_so(got[test.name]) for mark in test.marks}


def shown_marks(tests, outcomes):
    return marks_of(tests, outcomes, lambda got: got == {"passed"})


def waiting_marks(tests, outcomes):
    return marks_of(tests, outcomes, lambda got: got - {"passed"} == {WAITS})


def in_order(marks):
    return " ".join(sorted(marks, key=number)) or "none"


def tell_under(sanitizer, folder, tests, faults, problems):
    """Each fault is to be shown in the build with this sanitizer as well."""
    excepted = NOT_UNDER.get(sanitizer, set())
    reports = sorted(pathlib.Path(folder).glob("*.xml"))
    shown = shown_marks(tests, read_outcomes(reports)) & faults
    missing = faults - shown - excepted
    print(f"faults under {sanitizer}: {len(shown)} of 32 shown, not asked for: {in_order(excepted)}")
    if missing:
        problems.append(f"shown by no test that passed under {sanitizer}: {in_order(missing)}")


def tell_promises(outcomes, problems):
    """Each promise of docs/security.md is to be shown. Not every machine can: one is root, say."""
    got = by_test(outcomes)
    named = set(PROMISED_TEST.findall((ROOT / "docs/security.md").read_text()))
    not_shown = sorted(name for name in named if got[name] - {WAITS} != {"passed"})
    print(f"promises of docs/security.md: {len(named) - len(not_shown)} of {len(named)} tests passed")
    for name in not_shown:
        if got[name] == {"skipped"} and os.environ.get("CI") != "true":
            print(f"skipped here: {name}")
        elif got[name] != {WAITS}:
            problems.append(f"docs/security.md: not shown by {name}")


def tell(tests, applicable, arguments, problems):
    """The counts. What had to be shown and was not is a problem."""
    outcomes = read_outcomes(arguments.reports)
    shown = shown_marks(tests, outcomes)
    waiting = waiting_marks(tests, outcomes) - shown
    missing = applicable - shown - waiting
    if arguments.missing:
        print(f"not shown: {in_order(missing)}")
    if waiting:
        print(f"not shown, because only the real CLI can: {in_order(waiting)}")
    if arguments.all and missing:
        problems.append(f"shown by no test that passed: {in_order(missing)}")
    if arguments.all:
        tell_promises(outcomes, problems)
    faults = {mark for mark in applicable if mark[0] == "F"}
    print(f"faults: {len(shown & faults)} of 32 shown: {in_order(shown & faults)}")
    for sanitizer, folder in arguments.under:
        tell_under(sanitizer, folder, tests, faults, problems)
    count = collections.Counter(outcomes.values())
    skipped = count["skipped"] + count[WAITS]
    print(f"{count['passed']} passed, {count['failed']} failed, {skipped} skipped")
    required, not_applicable = len(shown - faults), 191 - len(applicable - faults)
    print(f"requirements: {required} shown, {not_applicable} not applicable, of 191")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("reports", nargs="*", metavar="REPORT.xml")
    parser.add_argument("--missing", action="store_true", help="say what is not shown yet")
    parser.add_argument("--all", action="store_true", help="fail unless all is shown")
    parser.add_argument("--under", nargs=2, action="append", default=[],
                        metavar=("SANITIZER", "FOLDER"), help="and each fault in its shards")
    parser.add_argument("--list", action="store_true", help="say which tests name what")
    arguments = parser.parse_args()

    problems = []
    known, not_applicable = read_requirements(problems)
    tests = read_marks(known - not_applicable, problems)
    if arguments.list:
        for mark in sorted(known, key=number):
            named_by = [f"{test.name} ({test.place})" for test in tests if mark in test.marks]
            print(f"{mark}: {', '.join(named_by) or 'no test'}")
    else:
        tell(tests, known - not_applicable, arguments, problems)

    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
