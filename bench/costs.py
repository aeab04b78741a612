"""Reads what callgrind has written: how many instructions were run, and in which part of the code.

Code that was inlined belongs to the file it was written in, so that the rooms of the library can be
told apart; but what was inlined of the standard library belongs to whoever uses it.
"""
import collections
import re

STANDARD = "standard library"
# The first that is found in the path of a file names its part.
PARTS = (
    (r"/src/(\w+)/", "room {}"),
    (r"/include/claude/", "public headers"),
    (r"/bench/", "the client"),
    (r"simdjson", "simdjson"),
    (r"/c\+\+/", STANDARD),
    (r"malloc", "malloc and free"),
    (r"/string/|/multiarch/|memcpy|memmove|memchr|memcmp", "copying and searching memory"),
)


def part_of(path):
    for pattern, name in PARTS:
        if found := re.search(pattern, path):
            return name.format(*found.groups())
    return "libc and the rest"


def by_part(path):
    """Instructions of each part, and of "all"."""
    names, spent = {}, collections.Counter()
    library = part = user = ""
    after_call = False
    with open(path) as lines:
        for line in lines:
            # A name is written once, with its number; later the number stands for it.
            if named := re.match(r"(c?)(ob|f[lie])=\((\d+)\)(?: (.*))?", line):
                called, kind, number, name = named.groups()
                name = names.setdefault((kind == "ob", number), name)
                if called:
                    continue
                if kind == "ob":
                    library = name
                    continue
                part = part_of(library if name == "???" else name)
                if kind == "fl":  # a function begins; fi and fe are what is inlined into it
                    user = part
                elif part == STANDARD:
                    part = user
            elif line.startswith("calls="):
                after_call = True
            elif re.match(r"[-+*\d]", line):
                # The line behind a call is what the callee has spent: counted there.
                if not after_call:
                    spent[part] += int(line.split()[1])
                    spent["all"] += int(line.split()[1])
                after_call = False
    return spent


def by_page(path):
    """How often the instruction ran that ran most, of each page of 4 KB in each program or library.
    For what was written with --dump-instr=yes --compress-pos=no."""
    names, often = {}, collections.Counter()
    library = ""
    after_call = False
    with open(path) as lines:
        for line in lines:
            if named := re.match(r"(c?)ob=\((\d+)\)(?: (.*))?", line):
                called, number, name = named.groups()
                name = names.setdefault(number, name)
                library = library if called else name
            elif line.startswith("calls="):
                after_call = True
            elif line.startswith("0x"):
                if not after_call:
                    address, *_, times = line.split()
                    page = library, int(address, 16) >> 12
                    often[page] = max(often[page], int(times))
                after_call = False
    return often
