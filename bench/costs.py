"""Reads what callgrind has written: how many instructions were run, and in which part of the code.

Code that was inlined belongs to the file it was written in, so that the rooms of the library can be
told apart.
"""
import collections
import re

# The first that is found in the path of a file names its part.
PARTS = (
    (r"/src/(\w+)/", "room {}"),
    (r"/include/claude/", "public headers"),
    (r"/bench/", "the client"),
    (r"simdjson", "simdjson"),
    (r"/c\+\+/", "standard library"),
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
    library, part, after_call = "", "", False
    with open(path) as lines:
        for line in lines:
            # A name is written once, with its number; later the number stands for it.
            if named := re.match(r"(c?)(ob|f[lie])=\((\d+)\)(?: (.*))?", line):
                called, kind, number, name = named.groups()
                key = kind == "ob", number
                name = names.setdefault(key, name)
                if not called and kind == "ob":
                    library = name
                elif not called:
                    part = part_of(library if name == "???" else name)
            elif line.startswith("calls="):
                after_call = True
            elif re.match(r"[-+*\d]", line):
                # The line behind a call is what the callee has spent: counted there.
                if not after_call:
                    spent[part] += int(line.split()[1])
                    spent["all"] += int(line.split()[1])
                after_call = False
    return spent
