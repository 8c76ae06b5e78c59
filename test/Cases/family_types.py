# Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types, masks and determinism."""

import itertools
import math
import random

import family
import npy
from family import DTYPES, Run
from module import Function, schedule


def mixes(x_type):
    """The nine mixes of gamma and dy for one dtype of x."""
    f = Function(f"mixes_{x_type}")
    for gamma_type, dy_type in itertools.product(DTYPES, DTYPES):
        dtypes = (x_type, gamma_type, dy_type)
        family.training(f, dtypes, (9, 135), "x {} gamma {} dy {}".format(*dtypes))
    return f


def masks():
    """What is asked for, in each combination; no mask at all does no work."""
    f = Function("masks")
    for i, (gamma, offset) in enumerate(((True, None), (True, 1.0), (False, None))):
        x_type, gamma_type, dy_type = family.mixed(i * 7 + 1)
        x, dy = f.arg("x", x_type, (None, 200)), f.arg("dy", dy_type, (None, 200))
        g = f.arg("gamma", gamma_type, (200,)) if gamma else None
        tag = f"gamma={gamma} offset={offset}"
        y, rstd = f.forward(x, g, offset=offset)
        alone, _ = f.forward(x, g, offset=offset, rstd=False)
        f.give(f"y {tag}", y)
        f.give(f"rstd {tag}", rstd)
        f.give(f"y without rstd {tag}", alone)
        for dx, weight in itertools.product((False, True), (None, gamma_type)):
            results = f.backward(x, dy, rstd, g, dx=dx, dgamma=weight, offset=offset)
            for label, value in zip(("dx", "dgamma"), results):
                if value:
                    f.give(f"{label} of mask {dx:d}{weight is not None:d} {tag}", value)
    return f


def poisoned(fill):
    """Gradients into destinations that hold `fill` before the call."""
    f = Function("poisoned")
    variant = {}
    for d in DTYPES:
        x = f.arg("x", d, (40, 96))
        y, rstd = f.forward(x, f.arg("gamma", d, (96,)))
        dx, dgamma = f.backward(
            x, f.arg("dy", d, (40, 96)), rstd, f.arg("gamma", d, (96,)),
            dx=f.arg("dx", d, (40, 96)), dgamma=f.arg("dgamma", d, (96,)),
        )
        variant[len(f.args) - 2] = npy.make(fill, d, (40, 96))
        variant[len(f.args) - 1] = npy.make(fill, d, (96,))
        f.give(f"dx {d}", dx)
        f.give(f"dgamma {d}", dgamma)
    return Run(31, f"gradients overwrite {fill}", f, variants=[variant], sweep="few")


def repeated(rows, count=20):
    """`count` calls in a loop, each into its own row of one result."""
    f = Function("repeated")
    m, n = rows, 512
    x, dy = f.arg("x", "bf16", (m, n)), f.arg("dy", "bf16", (m, n))
    gamma, rows = f.arg("gamma", "f32", (n,)), f.arg("all", "f32", (count, n))
    _, rstd = f.forward(x, gamma)
    big, row = f"tensor<{count}x{n}xf32>", f"tensor<{n}xf32>"
    f.emit("%zero = arith.constant 0 : index")
    f.emit("%one = arith.constant 1 : index")
    f.emit(f"%count = arith.constant {count} : index")
    f.emit(f"%out = scf.for %i = %zero to %count step %one iter_args(%into = {rows.name}) -> ({big}) {{")
    f.emit(f"  %row = tensor.extract_slice %into[%i, 0] [1, {n}] [1, 1] : {big} to {row}")
    f.emit(
        f"  %sum = norm.rms_norm_backward ins({x.name}, {dy.name}, {rstd.name} : "
        f"tensor<{m}x{n}xbf16>, tensor<{m}x{n}xbf16>, tensor<{m}xf32>) "
        f"weight_grad(%row : {row}) -> {row}"
    )
    f.emit(f"  %next = tensor.insert_slice %sum into %into[%i, 0] [1, {n}] [1, 1] : {row} into {big}")
    f.emit(f"  scf.yield %next : {big}")
    f.emit("}")
    f.give("dgamma of each call", rows._replace(name="%out"))
    return f


def large(rows):
    """A fused backward big enough for several threads and many partials."""
    shape = (rows, 1024)
    x = [family.noise(d, (64, 1024)) for d in ("bf16", "bf16")]
    x = [a._replace(shape=shape, data=a.data * (rows // 64)) for a in x]
    f = family.training_function("large", ("bf16", "bf16", "bf16"), shape)
    # The same input twice: two processes, the same bits.
    gamma = family.noise("bf16", shape[1:])
    variant = {0: x[0], 1: gamma, 2: x[1]}
    return Run(
        32, "two processes, the same bits", f, variants=[variant, variant], sweep="few",
        check=False, verify=["same_results", {}],
    )


def row_alone(d, most):
    """One row by itself and among others."""
    f = family.training_function(f"row_alone_{d}", (d, "f32", d), (None, 300))
    sizes = (most, 255, 256)
    k = random.randrange(min(sizes))
    x, dy = family.noise(d, (most, 300)), family.noise(d, (most, 300))
    gamma = family.noise("f32", (300,))
    spans = [(0, m) for m in sizes] + [(k, k + 1)]
    variants = [{0: npy.rows(x, *s), 1: gamma, 2: npy.rows(dy, *s)} for s in spans]
    picks = [k - start for start, _ in spans]
    return Run(
        33, f"row {k} alone and in {sizes} rows, {d}", f, variants=variants, sweep="few",
        check=False, verify=["same_row", {"picks": picks, "results": [0, 1, 2]}],
    )


def runs(options):
    for d in DTYPES:
        yield Run(29, f"all mixes with x in {d}", mixes(d), sweep="few")
    yield Run(30, "every mask", masks(), rows=21, sweep="few")
    for fill in (math.nan, 1e4):
        yield poisoned(fill)
    many = 512 if options.device == "emulate" else 4096
    f = repeated(many // 4)
    yield Run(32, "20 calls, the same bits", f, sweep="few", verify=["same_rows", {"result": 0}])
    yield large(many)
    for d in DTYPES:
        yield row_alone(d, many)
