#!/usr/bin/env python3
"""Makes a source file of each C++ snippet of a page, so that the build says whether it is true.

    snippets.py PAGE.md OUTPUT.cpp

A snippet that includes something is taken as it is; any other is the body of a function.
"""
import pathlib
import re
import sys

page, output = map(pathlib.Path, sys.argv[1:])
sources = ["#include <claude/claude.h>", "#include <claude/coro.h>", "#include <claude/sim.h>",
           "#include <gmock/gmock.h>", "#include <iostream>",
           "void render(const claude::Message&);"]
for number, match in enumerate(re.finditer(r"```cpp\n(.*?)```", page.read_text(), re.DOTALL)):
    code = match[1]
    if "#include" not in code:
        code = f"void body() {{\n{code}}}\n"
    code = re.sub(r"^#include.*$", "", code, flags=re.MULTILINE).replace("int main()", "void main_()")
    sources.append(f"namespace snippet_{number} {{\n{code}}}")
output.write_text("\n".join(sources) + "\n")
