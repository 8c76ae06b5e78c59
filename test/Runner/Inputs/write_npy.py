# Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write a .npy file, right or wrong, with the standard library alone.

    write_npy.py FILE DESCR SHAPE VALUES [OPTION...]

DESCR is the element type as NumPy writes it ('<V2' is bf16); SHAPE and VALUES
are separated by commas, V*K stands for K times V, a single value fills the
array. bf16 values must be exact. Options change the file after that:
  --version=K   format version 1, 2 or 3
  --header=TEXT use this header
  --fortran     say so in the header
  --drop=K      leave out the last K bytes
  --extra=K     append K bytes
"""

import math
import struct
import sys

CODES = {"<f4": "f", "<f2": "e", "<f8": "d", "|i1": "b", "<i2": "h", "<i4": "i", "<i8": "q"}


def pack(descr, values):
    if descr in ("<V2", "|V2"):
        wide = struct.pack(f"<{len(values)}f", *values)
        words = struct.unpack(f"<{2 * len(values)}H", wide)
        assert not any(words[::2]), f"{values} are not all bf16"
        return struct.pack(f"<{len(values)}H", *words[1::2])
    code = CODES.get(descr, "f")
    if code in "bhiq":
        values = [int(v) for v in values]
    return struct.pack(f"<{len(values)}{code}", *values)


def main(path, descr, shape, values, *options):
    shape = tuple(int(s) for s in shape.split(",") if s)
    parts = [(v + "*1").split("*")[:2] for v in values.split(",") if v]
    values = [float(v) for v, count in parts for _ in range(int(count))]
    if len(values) == 1:
        values *= math.prod(shape)
    options = dict((o.split("=", 1) + [""])[:2] for o in options)
    order = "--fortran" in options
    text = f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}"
    text = options.get("--header", text)
    version = int(options.get("--version", "1"))
    length = "<H" if version == 1 else "<I"
    prefix = 8 + struct.calcsize(length)
    text += " " * (-(prefix + len(text) + 1) % 64) + "\n"
    content = b"\x93NUMPY" + bytes([version, 0]) + struct.pack(length, len(text))
    content += text.encode() + pack(descr, values) + b"x" * int(options.get("--extra", "0"))
    content = content[: len(content) - int(options.get("--drop", "0"))]
    with open(path, "wb") as file:
        file.write(content)


main(*sys.argv[1:])
