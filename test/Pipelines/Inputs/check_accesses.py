# Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How kernels access memory, by the text of their PTX.

    check_accesses.py RUDNN_OPT TOOLS

Where buffers are aligned and the length of a row allows it, elements of rows come and
go 16 bytes at a time. Kernels for any buffer have no such access. None has local memory.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

ACCESS = re.compile(r"\b(ld|st)\.global\S*?(\.v4)?\.b(16|32)\b|\b(cp\.async\.c[ga])\.shared\.global")
# An rstd or two that a thread reads; one that it writes.
MOST_SINGLE = {"ld": 2, "st": 1}


def count(ptx):
    """Accesses of 16 bytes and of single elements: {(ld or st, whether wide): how many}."""
    counts = {(kind, wide): 0 for kind in ("ld", "st") for wide in (False, True)}
    for access, vector, _, copy in ACCESS.findall(ptx):
        counts[access or "ld", bool(vector) or copy == "cp.async.cg"] += 1
    return counts


def check(name, ptx, is_aligned):
    counts = count(ptx)
    if ".local" in ptx:
        yield f"{name}: expected no local memory"
    for kind in ("ld", "st"):
        wide, single = counts[kind, True], counts[kind, False]
        if is_aligned and (not wide or single > MOST_SINGLE[kind]):
            yield f"{name}: expected {kind} of 16 bytes and at most {MOST_SINGLE[kind]} others, got {wide} and {single}"
        if not is_aligned and wide:
            yield f"{name}: expected no {kind} of 16 bytes, got {wide}"


def compile_all(opt, operations, make_module, dtype, columns):
    """{kernel: PTX} of all operations."""
    text = "".join(make_module(operation, dtype, "?", columns) for operation in operations)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([opt, "-", "--norm-to-nvvm", f"--norm-export-kernels=directory={folder}", "-o", "/dev/null"],
                       input=text, text=True, check=True)
        return {path.stem: path.read_text() for path in pathlib.Path(folder).glob("*.ptx")}


def main():
    opt, tools = sys.argv[1:]
    sys.path.insert(0, tools)
    from benchmark.modules import ELEMENT_BYTES, OPERATIONS, make_module

    wrong, looked_at = [], 0
    for dtype in ELEMENT_BYTES:
        for columns, is_even in ((1024, True), (65536, True), (1025, False)):
            kernels = compile_all(opt, OPERATIONS, make_module, dtype, columns)
            for operation in OPERATIONS:
                # The first is for aligned buffers, the one after those that they need
                # for any. Where rows are odd there is one for all.
                fallback = 2 if operation in ("backward", "dgamma") else 1
                for number, is_aligned in ((0, True), (fallback, False)) if is_even else ((0, False),):
                    name = f"{operation}_kernel_{number}"
                    wrong += check(f"{name} {dtype} N={columns}", kernels[name], is_aligned)
                    looked_at += 1
    print("\n".join(wrong) or f"{looked_at} kernels: ok")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
