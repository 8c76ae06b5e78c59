# Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs of conversions between f32 and 16-bit floats, and what must come out.

  conversions.py make DIRECTORY NAME     writes NAME.npy
  conversions.py check DIRECTORY NAME    checks result-0.npy against NAME.npy
  conversions.py check DIRECTORY NAME flushed    f32 denormals may count as zero

NAME is to_bf16, to_f16, from_bf16 or from_f16. Numbers to be rounded are all values of the
narrow type, what lies half-way to their neighbours, and the f32 beside both.
"""

import pathlib
import struct
import sys

COLUMNS = 8


def to_float(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def to_bits(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def f16_value(bits):
    return struct.unpack("<e", struct.pack("<H", bits))[0]


def round_to_f16(bits):
    try:
        return struct.unpack("<H", struct.pack("<e", to_float(bits)))[0]
    except OverflowError:
        return 0xFC00 if bits >> 31 else 0x7C00


def round_to_bf16(bits):
    """The nearer of the two neighbours, the even one of two as near."""
    below, rest = bits >> 16, bits & 0xFFFF
    up = rest > 0x8000 or (rest == 0x8000 and below % 2)
    return below + (1 if up else 0)


def wide_inputs_of_bf16():
    return [h << 16 | low for h in range(1 << 16) for low in (0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF)]


def wide_inputs_of_f16():
    inputs = []
    for magnitude in range(0x7C01):
        value = f16_value(magnitude) if magnitude < 0x7C00 else 65536.0
        below = f16_value(magnitude - 1) if magnitude else 0.0
        for x in (value, (value + below) / 2):
            bits = to_bits(x)
            inputs += [b | sign for b in (bits, bits + 1, max(bits - 1, 0)) for sign in (0, 1 << 31)]
    special = [0x7F800000, 0x7F800001, 0x7FC00000, 0x7FFFFFFF, 0x7F7FFFFF, 0x00000001, 0x007FFFFF]
    return inputs + [b | sign for b in special for sign in (0, 1 << 31)]


CASES = {
    # name: inputs, descr of the input, struct code of input and result, conversion
    "to_bf16": (wide_inputs_of_bf16, "<f4", "I", "H", round_to_bf16),
    "to_f16": (wide_inputs_of_f16, "<f4", "I", "H", round_to_f16),
    "from_bf16": (lambda: list(range(1 << 16)), "<V2", "H", "I", lambda bits: bits << 16),
    "from_f16": (lambda: list(range(1 << 16)), "<f2", "H", "I", lambda bits: to_bits(f16_value(bits))),
}


def get_inputs(name):
    inputs = CASES[name][0]()
    return inputs + [0] * (-len(inputs) % COLUMNS)


def make(path, name):
    _, descr, code, _, _ = CASES[name]
    inputs = get_inputs(name)
    header = repr({"descr": descr, "fortran_order": False, "shape": (len(inputs) // COLUMNS, COLUMNS)})
    header = header.ljust(-(len(header) + 11) % 64 + len(header)) + "\n"
    data = struct.pack(f"<{len(inputs)}{code}", *inputs)
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


def is_nan(bits, code, name):
    if code == "I":
        return bits & 0x7FFFFFFF > 0x7F800000
    return bits & 0x7FFF > (0x7F80 if name.endswith("bf16") else 0x7C00)


def check(path, name, flushed):
    _, _, source, code, convert = CASES[name]
    inputs = get_inputs(name)
    size = len(inputs) * struct.calcsize(f"<{code}")
    results = struct.unpack(f"<{len(inputs)}{code}", path.read_bytes()[-size:])
    wrong = 0
    for bits, result in zip(inputs, results):
        nan = is_nan(bits, source, name)
        if is_nan(result, code, name) if nan else result == convert(bits):
            continue
        if flushed and bits & 0x7FFFFFFF < 0x00800000 and result == bits >> 16 & 0x8000:
            continue
        wrong += 1
        if wrong <= 10:
            print(f"{name}({bits:#x}): expected {'NaN' if nan else hex(convert(bits))}, got {result:#x}")
    print(f"{name}: {len(inputs)} conversions, {wrong} wrong")
    return 1 if wrong else 0


def main(action, directory, name, flushed=None):
    directory = pathlib.Path(directory)
    if action == "make":
        return make(directory / f"{name}.npy", name)
    return check(directory / "result-0.npy", name, flushed == "flushed")


sys.exit(main(*sys.argv[1:]))
