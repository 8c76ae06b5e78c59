# Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""f32, f16 and bf16 arrays in .npy files, with the standard library alone.

The tests run wherever Python runs, so they cannot ask for numpy. bf16 is stored
as ml_dtypes stores it: type <V2.
"""

import ast
import collections
import math
import struct

DESCR = {"f32": "<f4", "f16": "<f2", "bf16": "<V2"}
SIZE = {"f32": 4, "f16": 2, "bf16": 2}

Array = collections.namedtuple("Array", "dtype shape data")


def count(shape):
    return math.prod(shape)


def bf16_bits(value):
    """Bits of `value` (a Python float) rounded once to bf16, ties to even.

    Rounding a double to f32 first could break a tie the wrong way, so bits are
    dropped from the double; bf16 has the exponents of f32.
    """
    if math.isnan(value):
        return 0x7FC0
    sign = 0x8000 if math.copysign(1.0, value) < 0 else 0
    value = abs(value)
    if value == 0 or math.isinf(value):
        return sign | (0x7F80 if value else 0)
    exponent = max(math.frexp(value)[1] - 1, -126)
    units = round(math.ldexp(value, 7 - exponent))  # Python rounds ties to even
    # A carry out of the significand moves into the exponent by itself.
    return sign | min(((exponent + 126) << 7) + units, 0x7F80)


def pack(values, dtype):
    """Little-endian bytes of an iterable of floats, rounded once to `dtype`."""
    values = list(values)
    if dtype == "bf16":
        return struct.pack(f"<{len(values)}H", *map(bf16_bits, values))
    return struct.pack(f"<{len(values)}{'f' if dtype == 'f32' else 'e'}", *values)


def unpack(array):
    """The values of an Array as a flat list of floats."""
    size = len(array.data) // SIZE[array.dtype]
    if array.dtype == "bf16":
        bits = struct.unpack(f"<{size}H", array.data)
        wide = struct.pack(f"<{size}I", *(b << 16 for b in bits))
        return list(struct.unpack(f"<{size}f", wide))
    code = "f" if array.dtype == "f32" else "e"
    return list(struct.unpack(f"<{size}{code}", array.data))


def make(values, dtype, shape):
    """An Array of `shape` from flat values; a single value fills it."""
    if isinstance(values, (int, float)):
        return Array(dtype, tuple(shape), pack([values], dtype) * count(shape))
    array = Array(dtype, tuple(shape), pack(values, dtype))
    assert len(array.data) == count(shape) * SIZE[dtype], (shape, len(array.data))
    return array


def rows(array, start, stop):
    """Rows [start, stop) of an Array, as an Array."""
    step = len(array.data) // array.shape[0]
    shape = (stop - start,) + array.shape[1:]
    return Array(array.dtype, shape, array.data[start * step : stop * step])


def save(path, array):
    header = repr(
        {"descr": DESCR[array.dtype], "fortran_order": False, "shape": tuple(array.shape)}
    )
    header = header.ljust(-(len(header) + 11) % 64 + len(header)) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)))
        file.write(header.encode("latin1") + array.data)


def load(path):
    with open(path, "rb") as file:
        content = file.read()
    if content[:8] != b"\x93NUMPY\x01\x00":
        raise ValueError(f"{path}: not a .npy file of version 1.0")
    start = 10 + struct.unpack("<H", content[8:10])[0]
    header = ast.literal_eval(content[10:start].decode("latin1"))
    dtype = next((d for d, s in DESCR.items() if s == header["descr"]), None)
    if dtype is None or header["fortran_order"]:
        raise ValueError(f"{path}: unexpected header {header}")
    data = content[start:]
    if len(data) != count(header["shape"]) * SIZE[dtype]:
        raise ValueError(f"{path}: {len(data)} bytes of data for {header}")
    return Array(dtype, header["shape"], data)
