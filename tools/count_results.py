#!/usr/bin/env python3
"""Prints `N passed, N failed, N skipped` for the JSON that `lit --output` wrote.

The exit status is 0 only if at least one test passed and none failed. A result
that lit could not determine counts as failed, and so does no result at all.
"""

import json
import sys

PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
SKIPPED = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def main(path):
    try:
        with open(path, encoding="utf-8") as file:
            codes = [test["code"] for test in json.load(file)["tests"]]
    except (OSError, ValueError, KeyError) as error:
        print(f"error: expected lit's results in {path}: {error}", file=sys.stderr)
        codes = []
    passed = sum(code in PASSED for code in codes)
    skipped = sum(code in SKIPPED for code in codes)
    failed = len(codes) - passed - skipped
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 0 if passed > 0 and failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
