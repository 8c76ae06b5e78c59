# Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The harness itself: .npy files and each function of verify.py.

Every function must accept a right result and refuse one that is a little wrong.
"""

import math
import pathlib
import random
import tempfile
import unittest

import family
import npy
import verify

EPSILON = 1e-5


def norm(x, gamma, dtype, bias=1.0):
    """(y, rstd) as npy Arrays, `bias` times too large in rstd."""
    n = x.shape[-1]
    xs, weights = npy.unpack(x), npy.unpack(gamma)
    scales = []
    for start in range(0, len(xs), n):
        mean = math.fsum(v * v for v in xs[start : start + n]) / n
        scales.append(bias / math.sqrt(mean + EPSILON))
    y = [v * scales[i // n] * weights[i % n] for i, v in enumerate(xs)]
    return npy.make(y, dtype, x.shape), npy.make(scales, "f32", x.shape[:1])


class Npy(unittest.TestCase):
    def test_round_trip(self):
        for dtype in npy.SIZE:
            array = npy.make([0.5, -2, 3, math.inf, 0, 1], dtype, (2, 3))
            with tempfile.TemporaryDirectory() as directory:
                path = pathlib.Path(directory) / "a.npy"
                npy.save(path, array)
                self.assertEqual(path.read_bytes().index(b"\n") % 64, 63)
                self.assertEqual(npy.load(path), array)
            self.assertEqual(npy.unpack(array), [0.5, -2, 3, math.inf, 0, 1])

    def test_bf16_rounds_once_to_even(self):
        half, f32_step = 2.0**-8, 2.0**-24
        pairs = {
            1 + half: 1.0, 1 + 3 * half: 1 + 4 * half, 1 + half + f32_step / 8: 1 + 2 * half,
            -1 - half: -1.0, 2.0**-134: 0.0, 3 * 2.0**-134: 2.0**-132, 3.4e38: math.inf,
        }
        got = npy.unpack(npy.make(pairs.keys(), "bf16", (len(pairs),)))
        self.assertEqual(got, list(pairs.values()))
        self.assertTrue(math.isnan(npy.unpack(npy.make(math.nan, "bf16", (1,)))[0]))


class Verify(unittest.TestCase):
    def refuse(self, function, variants, **options):
        with self.assertRaises(verify.Wrong):
            function(variants, **options)

    def test_unit_rows(self):
        x, gamma = npy.make([1000, -1000] * 8, "f16", (2, 8)), family.noise("f16", (8,))
        y, _ = norm(x, gamma, "f16")
        off = family.poke(y, {3: npy.unpack(y)[3] * 1.01})
        inf = family.poke(y, {3: math.inf})
        verify.unit_rows([({0: x, 1: gamma}, [y])], result=0, gamma=1)
        for bad in (off, inf):
            self.refuse(verify.unit_rows, [({0: x, 1: gamma}, [bad])], result=0, gamma=1)

    def test_zero_row(self):
        x = family.poke(family.noise("f32", (3, 4)), {i: 0.0 for i in range(4, 8)})
        gamma = family.noise("f32", (4,))
        y, rstd = norm(x, gamma, "f32")
        options = {"row": 1, "epsilon": EPSILON}
        verify.zero_row([({1: gamma}, [y, rstd, x, gamma])], **options)
        for place, array in ((0, family.poke(y, {5: 1e-30})), (1, family.poke(rstd, {1: 316.0})), (2, family.poke(x, {0: math.nan}))):
            results = [y, rstd, x, gamma]
            results[place] = array
            self.refuse(verify.zero_row, [({1: gamma}, results)], **options)

    def test_constant(self):
        good, bad = npy.make(3.0, "f32", (5,)), npy.make([3, 3, 3.001, 3, 3], "f32", (5,))
        verify.constant([({}, [good])], result=0, value=3.0, relative=1e-6)
        self.refuse(verify.constant, [({}, [bad])], result=0, value=3.0, relative=1e-6)

    def test_only_row_differs(self):
        clean = family.noise("f16", (5, 3))
        dirty = family.poke(clean, {6: math.nan, 7: math.nan, 8: math.nan})
        strayed = family.poke(dirty, {9: 9.0})
        options = {"row": 2, "results": [0]}
        verify.only_row_differs([({}, [clean]), ({}, [dirty])], **options)
        for bad in (strayed, clean):
            self.refuse(verify.only_row_differs, [({}, [clean]), ({}, [bad])], **options)

    def test_rounded_gamma(self):
        x, gamma = npy.make([1, -1], "bf16", (1, 2)), npy.make([1 + 2.0**-8] * 2, "f32", (2,))
        one, even, odd = (npy.make(v, d, s) for v, d, s in (
            ([1], "f32", (1,)), ([1, -1], "bf16", (1, 2)), ([1 + 2.0**-7, -1], "bf16", (1, 2))))
        options = {"result": 0, "rstd": 1}
        verify.rounded_gamma([({0: x, 1: gamma}, [even, one])], **options)
        self.refuse(verify.rounded_gamma, [({0: x, 1: gamma}, [odd, one])], **options)

    def test_signs(self):
        x, gamma = npy.make([100, -90], "f32", (2, 1)), npy.make([-2], "f32", (1,))
        y, zero, big = (npy.make(v, "f32", (2, 1)) for v in ([-2, 2], [0, 0], [0, 1e-3]))
        options = {"result": 0, "x": 0, "gamma": 1, "dx": 1}
        verify.signs([({0: x, 1: gamma}, [y, zero])], **options)
        self.refuse(verify.signs, [({0: x, 1: gamma}, [y, big])], **options)
        self.refuse(verify.signs, [({0: x, 1: gamma}, [zero, zero])], **options)

    def test_one_row(self):
        x, gamma, dy = (family.noise("f16", shape) for shape in ((1, 8), (8,), (8,)))
        (y, _), sums = norm(x, gamma, "f16"), norm(x, dy, "f16")[0]
        inputs, options = dict(enumerate((x, gamma, dy))), {"results": ["y", "dgamma"], "epsilon": EPSILON}
        verify.one_row([(inputs, [y, sums])], **options)
        for bad in (family.poke(y, {7: 0.0}), family.poke(y, {7: math.nan}), sums):
            self.refuse(verify.one_row, [(inputs, [bad, sums])], **options)
        # One column: the input gradient is what epsilon leaves of it.
        one = {i: npy.make([3.0], "f16", (1,)) for i in range(3)}
        zero, three = npy.make([0.0], "f16", (1,)), npy.make([3.0], "f16", (1,))
        verify.one_row([(one, [zero])], results=["dx"], epsilon=EPSILON)
        self.refuse(verify.one_row, [(one, [three])], results=["dx"], epsilon=EPSILON)

    def test_same_bits(self):
        a = family.noise("f32", (4, 3))
        b = family.poke(a, {4: 7.0})
        same = a._replace(data=npy.rows(a, 0, 1).data * 4)
        verify.same_results([({}, [a]), ({}, [a])])
        self.refuse(verify.same_results, [({}, [a]), ({}, [b])])
        verify.same_rows([({}, [same])], result=0)
        self.refuse(verify.same_rows, [({}, [a])], result=0)
        variants = [({}, [a]), ({}, [npy.rows(a, 1, 2)])]
        verify.same_row(variants, picks=[1, 0], results=[0])
        self.refuse(verify.same_row, variants, picks=[2, 0], results=[0])

    def test_unbiased(self):
        x, gamma = family.noise("bf16", (4, 2048)), family.noise("f32", (2048,))
        options = {"result": 0, "x": 0, "gamma": 1, "epsilon": EPSILON}
        verify.unbiased([({0: x, 1: gamma}, [norm(x, gamma, "bf16")[0]])], **options)
        # What rstd rounded to bf16 would do: up to 1 part in 512.
        biased = norm(x, gamma, "bf16", bias=1 + 2.0**-10)[0]
        self.refuse(verify.unbiased, [({0: x, 1: gamma}, [biased])], **options)


if __name__ == "__main__":
    random.seed()
    unittest.main()
