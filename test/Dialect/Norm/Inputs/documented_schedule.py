"""Prints what the description of #norm.schedule says about its fields.

usage: documented_schedule.py SOURCE_DIRECTORY (--names | --defaults)
  --names     the names, separated by commas
  --defaults  an op with a schedule that gives every field its default
"""

import pathlib
import re
import sys

ROW = re.compile(r"^ *\| `(\w+)` \| `?(\w+)`? \| \S.*\|$", re.MULTILINE)


def main():
    path = pathlib.Path(sys.argv[1], "include/rudnn/Dialect/Norm/IR/NormAttrs.td")
    fields = ROW.findall(path.read_text())
    if sys.argv[2] == "--names":
        print(", ".join(name for name, _ in fields))
    else:
        values = ", ".join(f"{name} = {value}" for name, value in fields)
        print(f'"test.op"() {{schedule = #norm.schedule<{values}>}} : () -> ()')


main()
