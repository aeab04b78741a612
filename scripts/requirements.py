#!/usr/bin/env python3
"""Tells which requirements the tests showed.

A test shows a requirement when a comment line directly above it names it, `// S14 S16`, and when
it ran and passed. Names and meanings are in docs/requirements.md; the outcomes come from the
JUnit reports that ctest wrote.

    requirements.py REPORT.xml ...             the counts: how ./check ends
    requirements.py REPORT.xml ... --missing   and what is not shown yet
    requirements.py --list                     each requirement with the tests that name it

A test that ran in several builds is counted once: it failed if it failed in any of them, and it
passed if it passed in one and failed in none.
"""
import argparse
import collections
import pathlib
import re
import sys
import xml.etree.ElementTree

ROOT = pathlib.Path(__file__).resolve().parent.parent
MARKS_A_TEST = 3
MARK = re.compile(r"[SF]\d+")
MARK_LINE = re.compile(r"^//\s*[SF]\d+\b")
TEST = re.compile(r"^(?:TYPED_)?TEST(?:_[FP])?\(\s*(\w+)\s*,\s*(\w+)\s*\)")
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


def read_outcomes(reports):
    """Outcome by the runner's name of the test, over all reports."""
    outcomes = {}
    for report in reports:
        for case in xml.etree.ElementTree.parse(report).iter("testcase"):
            if case.find("failure") is not None or case.get("status") == "fail":
                outcome = "failed"
            elif case.get("status") == "run":
                outcome = "passed"
            else:
                outcome = "skipped"
            before = outcomes.get(case.get("name"), outcome)
            outcomes[case.get("name")] = min(before, outcome)  # failed < passed < skipped
    return outcomes


def shown_marks(tests, outcomes):
    """Marks of the tests that passed: with parameters or types, every instance that ran."""
    by_test = collections.defaultdict(set)
    for name, outcome in outcomes.items():
        reported = REPORTED.match(name)
        if reported:
            by_test[".".join(reported.groups())].add(outcome)
    passed = {name for name, got in by_test.items() if "passed" in got and "failed" not in got}
    return {mark for test in tests if test.name in passed for mark in test.marks}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("reports", nargs="*", metavar="REPORT.xml")
    parser.add_argument("--missing", action="store_true", help="say what is not shown yet")
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
        outcomes = read_outcomes(arguments.reports)
        count = collections.Counter(outcomes.values())
        shown = shown_marks(tests, outcomes)
        if arguments.missing:
            missing = sorted(known - shown - not_applicable, key=number)
            print("not shown:", " ".join(missing) or "nothing")
        faults = sorted((mark for mark in shown if mark[0] == "F"), key=number)
        print(f"faults: {len(faults)} of 32 shown: {' '.join(faults) or 'none'}")
        print(f"{count['passed']} passed, {count['failed']} failed, {count['skipped']} skipped")
        required = sum(mark[0] == "S" for mark in shown)
        print(f"requirements: {required} shown, {len(not_applicable)} not applicable, of 191")

    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
