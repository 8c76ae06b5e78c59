"""Checks that every example of a description is run by a test.

An example is a block between ```mlir and ``` in a .td file under include/. It
has to stand in a test, line breaks and FileCheck's lines aside; "..." in an
example stands for anything. Prints how many there are, and the missing ones.

usage: check_examples.py SOURCE_DIRECTORY
"""

import pathlib
import re
import sys

BLOCK = re.compile(r"^ *```mlir\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
CHECK_LINE = re.compile(r"^ *// [A-Z0-9_-]+: .*$", re.MULTILINE)


def normalize(text):
    return " ".join(CHECK_LINE.sub("", text).split())


def main():
    source = pathlib.Path(sys.argv[1])
    tests = [normalize(p.read_text()) for p in sorted(source.glob("test/**/*.mlir"))]
    found = missing = 0
    for path in sorted(source.glob("include/**/*.td")):
        for block in BLOCK.findall(path.read_text()):
            pattern = re.escape(normalize(block)).replace(r"\.\.\.", ".*?")
            if any(re.search(pattern, test) for test in tests):
                found += 1
            else:
                missing += 1
                print(f"{path.relative_to(source)}: no test has this example:\n{block}")
    print(f"{found} examples are tested, {missing} are not")
    return 1 if missing or not found else 0


sys.exit(main())
