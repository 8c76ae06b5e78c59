# Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What must hold for results beyond the runner's comparison with its reference.

Each function takes `variants`, a list of (inputs, results) of one call each:
inputs {argument index: Array} as given, results a list of Arrays. The other
parameters come with the case. A Wrong says what does not hold.
"""

import math

import npy


class Wrong(Exception):
    """A result breaks the case; the message says which and how."""


def _expect(condition, message):
    if not condition:
        raise Wrong(message)


def _values(array):
    values = npy.unpack(array)
    bad = next((i for i, v in enumerate(values) if not math.isfinite(v)), None)
    _expect(bad is None, f"element {bad} is {values[bad] if bad is not None else ''}")
    return values


def _ulp(value, dtype):
    digits, lowest = {"f32": (23, -126), "f16": (10, -14), "bf16": (7, -126)}[dtype]
    exponent = math.frexp(value)[1] - 1 if value else lowest
    return math.ldexp(1.0, max(exponent, lowest) - digits)


def unit_rows(variants, result, gamma):
    """Rows of +-c give y = +-gamma, up to rounding."""
    inputs, results = variants[0]
    dtype = results[result].dtype
    weights = npy.unpack(inputs[gamma])
    for i, v in enumerate(_values(results[result])):
        w = weights[i % len(weights)]
        slack = _ulp(w, dtype) + 4e-6 * abs(w)
        _expect(abs(abs(v) - abs(w)) <= slack, f"y[{i}] is {v}, gamma is {w}")


def zero_row(variants, row, epsilon):
    """A zero row gives y = 0 and rstd = 1 / sqrt(epsilon); all is finite."""
    for inputs, (y, rstd, dx, dgamma) in variants:
        for array in (y, rstd, dx, dgamma):
            _values(array)
        line = npy.unpack(npy.rows(y, row, row + 1))
        _expect(not any(line), f"y of the zero row holds {max(line, key=abs)}")
        got, want = npy.unpack(rstd)[row], epsilon**-0.5
        _expect(abs(got / want - 1) <= 2e-6, f"rstd of the zero row is {got}, not {want}")
        if not any(npy.unpack(inputs[1])):
            _expect(not any(npy.unpack(y)), "y is not zero where gamma is")


def constant(variants, result, value, relative):
    """Every element is `value`, up to a relative error."""
    for i, v in enumerate(_values(variants[0][1][result])):
        _expect(abs(v / value - 1) <= relative, f"element {i} is {v}, not {value}")


def only_row_differs(variants, row, results):
    """Results are bitwise those of the clean input but for one row."""
    (_, clean), (_, dirty) = variants
    for r in results:
        count = clean[r].shape[0]
        for start, stop in ((0, row), (row + 1, count)):
            same = npy.rows(clean[r], start, stop).data == npy.rows(dirty[r], start, stop).data
            _expect(same, f"result {r}: rows {start}..{stop} differ, not row {row} alone")
        line = npy.unpack(npy.rows(dirty[r], row, row + 1))
        spoilt = any(not math.isfinite(v) or v == 0 for v in line)
        _expect(spoilt, f"result {r}: row {row} does not show the bad element")


def rounded_gamma(variants, result, rstd):
    """With x = +-1 and rstd = 1, y is +-gamma rounded to nearest even, by bits."""
    inputs, results = variants[0]
    ones = npy.unpack(results[rstd])
    _expect(all(v == 1.0 for v in ones), f"rstd of ones is {ones}")
    x, gamma = npy.unpack(inputs[0]), npy.unpack(inputs[1])
    products = [v * gamma[i % len(gamma)] for i, v in enumerate(x)]
    want = npy.unpack(npy.make(products, results[result].dtype, results[result].shape))
    for i, (got, expected) in enumerate(zip(npy.unpack(results[result]), want)):
        _expect(got == expected, f"{products[i]!r} became {got!r}, not {expected!r}")


def signs(variants, result, x, gamma, dx):
    """N = 1: y is sign(x) * gamma to rounding, and dx cancels."""
    inputs, results = variants[0]
    weight = npy.unpack(inputs[gamma])[0]
    dtype = results[result].dtype
    for v, y in zip(npy.unpack(inputs[x]), npy.unpack(results[result])):
        error = abs(y - math.copysign(weight, v * weight))
        _expect(error <= _ulp(weight, dtype) + 4e-6 * abs(weight), f"x {v} gave y {y}, gamma {weight}")
    largest = max(map(abs, npy.unpack(results[dx])))
    _expect(largest < 1e-6, f"dx should cancel, its largest is {largest}")


def one_row(variants, results, epsilon):
    """Each result is the y, dx or dgamma of a single row, of arguments x, gamma and dy:
    right to a few units in the last place of a number near one."""
    inputs, found = variants[0]
    xs, gamma, dy = (npy.unpack(inputs[i]) for i in range(3))
    n = len(xs)
    rstd = 1 / math.sqrt(math.fsum(x * x for x in xs) / n + epsilon)
    unit = [x * rstd for x in xs]
    grads = [a * g for a, g in zip(dy, gamma)]
    mean = math.fsum(a * u for a, u in zip(grads, unit)) / n
    right = {
        "y": [u * g for u, g in zip(unit, gamma)],
        "dx": [rstd * (a - u * mean) for a, u in zip(grads, unit)],
        "dgamma": [a * u for a, u in zip(dy, unit)],
    }
    for r, (kind, array) in enumerate(zip(results, found)):
        for i, (got, exact) in enumerate(zip(_values(array), right[kind])):
            limit = 2 * _ulp(max(abs(exact), 1), array.dtype)
            _expect(abs(got - exact) <= limit, f"result {r} ({kind}), element {i} is {got}, not {exact}")


def same_results(variants):
    """All variants give the same bits."""
    for results in (v[1] for v in variants[1:]):
        for i, (a, b) in enumerate(zip(variants[0][1], results)):
            _expect(a.data == b.data, f"result {i} differs between two runs")


def same_rows(variants, result):
    """All rows of one result are the same bits."""
    array = variants[0][1][result]
    first = npy.rows(array, 0, 1).data
    for i in range(1, array.shape[0]):
        _expect(npy.rows(array, i, i + 1).data == first, f"row {i} differs from row 0")


def same_row(variants, picks, results):
    """Row picks[v] of variant v is the same bits in every variant."""
    for r in results:
        rows = [npy.rows(v[1][r], k, k + 1).data for v, k in zip(variants, picks)]
        for i, row in enumerate(rows):
            _expect(row == rows[0], f"result {r}: the row differs between variants 0 and {i}")


def unbiased(variants, result, x, gamma, epsilon):
    """Rounding errors of a row average out: a rounded rstd would show."""
    inputs, results = variants[0]
    y = results[result]
    n = y.shape[-1]
    xs, weights, ys = npy.unpack(inputs[x]), npy.unpack(inputs[gamma]), npy.unpack(y)
    # The mean of n errors, each uniform in half an ulp, times six sigmas.
    limit = 6 * 0.2887 / math.sqrt(n)
    for start in range(0, len(xs), n):
        row = xs[start : start + n]
        rstd = 1 / math.sqrt(math.fsum(v * v for v in row) / n + epsilon)
        total = 0.0
        for v, w, got in zip(row, weights, ys[start : start + n]):
            exact = v * rstd * w
            total += math.copysign(1, exact) * (got - exact) / _ulp(exact, y.dtype)
        _expect(abs(total / n) <= limit, f"row {start // n}: mean error {total / n:.4f} ulp, at most {limit:.4f}")
