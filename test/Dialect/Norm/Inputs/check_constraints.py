"""Checks that each numbered constraint of an op's description has a test.

A constraint is a line "- NAME: ..." of a .td file under include/, NAME ending in
_c and a number. A test has it if a diagnostic that it expects starts with it.

usage: check_constraints.py SOURCE_DIRECTORY
"""

import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
described = [
    name
    for path in sorted(source.glob("include/**/*.td"))
    for name in re.findall(r"^ *- (\w+_c\d+):", path.read_text(), re.MULTILINE)
]
tests = "".join(p.read_text() for p in source.glob("test/Dialect/**/*.mlir"))
tested = set(re.findall(r"expected-error.*?\b(\w+_c\d+):", tests))
for name in described:
    if name not in tested:
        print(f"{name} has no test")
for name in sorted(tested - set(described)):
    print(f"{name} is tested but not described")
print(f"{len(described)} constraints")
sys.exit(not described or tested != set(described))
