"""Checks that the files that pages name are there.

A path is the target of a link, or code such as `lib/CPU/Target.cpp`: something
with a slash that begins in a folder of the repository and has no blank, pattern
or variable in it. `{a,b}` stands for each of them.

usage: check_paths.py SOURCE_DIRECTORY PAGE...
"""

import pathlib
import re
import sys

ROOMS = "docs|include|lib|test|tools|python"
CODE = re.compile(rf"`((?:{ROOMS})/[\w./{{}},-]+)`")
LINK = re.compile(r"\]\((?!\w+:|#)([^)#]+)")


def expand(path):
    braces = re.search(r"{(.*?)}", path)
    if not braces:
        return [path]
    return [p for choice in braces[1].split(",")
            for p in expand(path[:braces.start()] + choice + path[braces.end():])]


def main():
    source = pathlib.Path(sys.argv[1])
    found = missing = 0
    for page in map(pathlib.Path, sys.argv[2:]):
        text = (source / page).read_text()
        paths = [(p, source / p) for name in CODE.findall(text) for p in expand(name)]
        paths += [(p, source / page.parent / p) for p in LINK.findall(text)]
        for name, path in paths:
            if path.exists():
                found += 1
            else:
                missing += 1
                print(f"{page}: no {name}")
    print(f"{found} paths are there, {missing} are not")
    return 1 if missing or not found else 0


sys.exit(main())
