# Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Values: large, tiny, zero, not finite, halfway between two numbers."""

import math
import random

import family
import npy
from family import DTYPES, Run, forward_function, noise, training_function


def signs(dtype, shape, magnitude):
    values = [random.choice((-magnitude, magnitude)) for _ in range(npy.count(shape))]
    return npy.make(values, dtype, shape)


def large():
    """Magnitudes whose squares leave f16, or whose sum is large in f32."""
    for d, magnitude, n in (("f16", 1000, 4096), ("f16", 60000, 4096), ("f32", 7e9, 2560)):
        f = training_function(f"large_{d}_{n}", (d, d, d), (4, n))
        x = signs(d, (4, n), magnitude)
        verify = ["unit_rows", {"result": 0, "gamma": 1}]
        gamma = noise(d, (n,))
        case = 19 if d == "f16" else 20
        yield Run(case, f"{d} +-{magnitude:g}", f, variants=[{0: x, 1: gamma}], sweep="few", verify=verify)


def long_row():
    """Equal magnitudes, where each addition rounds to the same side."""
    f = forward_function("long_row", "f32", "f32", (None, 262144))
    variants = [{0: signs("f32", (1, 262144), 1 + random.random())}]
    return Run(20, "a long row of one magnitude", f, variants=variants, sweep="few")


def ordinary():
    f = training_function("small_bf16", ("bf16", "bf16", "bf16"), (16, 2560))
    x = npy.make([random.gauss(0, 0.05) for _ in range(16 * 2560)], "bf16", (16, 2560))
    return Run(20, "bf16 of deviation 0.05", f, variants=[{0: x}], sweep="few")


def zeros(d):
    """A row of zeros among others; gamma with some zeros, and all zero."""
    f = training_function(f"zeros_{d}", (d, d, d), (3, 100))
    x = poke_row(noise(d, (3, 100)), 1, 0.0)
    gamma = family.poke(noise(d, (100,)), {i: 0.0 for i in range(0, 100, 7)})
    variants = [{0: x, 1: gamma}, {0: x, 1: npy.make(0.0, d, (100,))}]
    return Run(21, f"zeros, {d}", f, variants=variants, verify=["zero_row", {"row": 1, "epsilon": 1e-5}])


def poke_row(array, row, value):
    n = array.shape[-1]
    return family.poke(array, {i: value for i in range(row * n, row * n + n)})


def epsilon_inside():
    """Outside the root, epsilon = 1e-5 would give 0.909 instead of 0.0316."""
    f = forward_function("epsilon", "f32", "f32", (2, 500))
    variant = {0: npy.make(1e-4, "f32", (2, 500)), 1: npy.make(1.0, "f32", (500,))}
    value = 1e-4 / math.sqrt(1e-8 + 1e-5)
    verify = ["constant", {"result": 0, "value": value, "relative": 4e-6}]
    return Run(22, "epsilon inside the root", f, variants=[variant], sweep="few", verify=verify)


def denormals(d, magnitude, sweep):
    """Rows of denormals: the squares vanish, epsilon is all that is left."""
    f = training_function(f"denormals_{d}", (d, d, d), (3, 130))
    x = noise(d, (3, 130), lambda _: magnitude)
    return Run(19, f"{d} denormals", f, variants=[{0: x}], sweep=sweep)


def denormal_inputs():
    """Denormals in, normal numbers out: right also where bf16 ones are flushed."""
    f = training_function("denormal_inputs", ("bf16", "f32", "f32"), (3, 130))
    variant = {0: noise("bf16", (3, 130), lambda _: 1e-39), 1: noise("f32", (130,))}
    return Run(19, "bf16 denormals as inputs", f, variants=[variant], sweep="few")


def spike(d):
    f = training_function(f"spike_{d}", (d, d, d), (5, 1000))
    x = noise(d, (5, 1000), lambda _: 1e-3)
    x = family.poke(x, {row * 1000 + random.randrange(1000): 1000.0 for row in range(5)})
    return Run(23, f"a spike of 1000 in rows of 1e-3, {d}", f, variants=[{0: x}], sweep="few")


def poison(d, value):
    """One bad element must not reach another row."""
    f = training_function(f"poison_{d}", (d, d, d), (37, 131))
    row, column = random.randrange(37), random.randrange(131)
    clean = {0: noise(d, (37, 131)), 1: noise(d, (131,)), 2: noise(d, (37, 131))}
    dirty = dict(clean)
    dirty[0] = family.poke(clean[0], {row * 131 + column: value})
    verify = ["only_row_differs", {"row": row, "results": [0, 1, 2]}]
    what = f"{value} at [{row}, {column}], {d}"
    return Run(24, what, f, variants=[clean, dirty], sweep="few", verify=verify)


def ties(d, bits):
    """x = 1 and a tiny epsilon make rstd 1, so y is gamma rounded: all ties."""
    n = 64
    f = forward_function(f"ties_{d}", d, "f32", (3, n), epsilon=1e-12)
    half = 2.0 ** -(bits + 1)
    tiny = 2.0**-23
    gamma = [(1 + (2 * (i // 4) + 1) * half) + (0, tiny, -tiny, 0)[i % 4] for i in range(n)]
    variant = {0: signs(d, (3, n), 1.0), 1: npy.make(gamma, "f32", (n,))}
    verify = ["rounded_gamma", {"result": 0, "rstd": 1}]
    return Run(25, f"ties of {d}", f, variants=[variant], sweep="few", verify=verify)


def ones(rows, gamma_type):
    """A sum that 16 bits could not hold: 1 + ... + 1, `rows` times."""
    n = 8
    f = training_function(f"ones_{gamma_type}", ("bf16", gamma_type, "bf16"), (None, n))
    one = npy.make(1.0, "bf16", (rows, n))
    variant = {0: one, 1: npy.make(1.0, gamma_type, (n,)), 2: one}
    # What the contract allows a sum of f32 partial sums, and one rounding.
    relative = 2e-6 * math.log2(rows) + 1e-6 + {"f32": 0, "bf16": 2.0**-8}[gamma_type]
    verify = ["constant", {"result": 3, "value": rows / math.sqrt(1 + 1e-5), "relative": relative}]
    what = f"a weight gradient of {rows} ones, {gamma_type}"
    return Run(26, what, f, variants=[variant], sweep="few", verify=verify)


def one_column(d):
    f = training_function(f"one_column_{d}", (d, d, d), (50, 1))
    # Away from zero, where epsilon would not be negligible.
    variant = {0: noise(d, (50, 1), lambda _: 100.0)}
    variant[1] = noise(d, (1,))
    verify = ["signs", {"result": 0, "x": 0, "gamma": 1, "dx": 2}]
    return Run(27, f"N=1, {d}", f, variants=[variant], sweep="few", verify=verify)


def bias(d):
    f = forward_function(f"bias_{d}", d, "f32", (16, 4096))
    variant = {0: noise(d, (16, 4096)), 1: noise("f32", (4096,))}
    verify = ["unbiased", {"result": 0, "x": 0, "gamma": 1, "epsilon": 1e-5}]
    return Run(28, f"rounding errors of {d} average out", f, variants=[variant], sweep="few", verify=verify)


def runs(options):
    yield from large()
    for d, magnitude, sweep in (("f32", 1e-40, "few"), ("f16", 3e-7, "few"), ("bf16", 1e-39, "denormals")):
        yield denormals(d, magnitude, sweep)
    yield denormal_inputs()
    yield ordinary()
    yield long_row()
    yield epsilon_inside()
    for d in DTYPES:
        yield zeros(d)
        yield spike(d)
        yield poison(d, math.nan)
        yield poison(d, random.choice((math.inf, -math.inf)))
        yield one_column(d)
    for rows in (4096, 65536):
        for d in ("f32", "bf16"):
            yield ones(rows, d)
    for d, bits in (("bf16", 7), ("f16", 10)):
        yield ties(d, bits)
        yield bias(d)
