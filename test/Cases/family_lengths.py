# Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows of every length that models have, and far longer ones, under the schedules
that are chosen for them; each case runs several times, and gives the same bits.

`few` is a part with few rows, for checkers that slow a kernel down.
"""

from family import DTYPES, Run, training
from module import Function

POWERS = [2**k for k in range(7, 19)]
OF_MODELS = [576, 768, 1152, 2304, 3584, 5120, 11008, 12288]
ODD = [131073]
FEW = (256, 2304, 4096, 16384, 65536, 131072)
MOST_ELEMENTS = 2**24


def all_masks(columns, dtype):
    """Forward, and backward with both gradients and with each alone."""
    f = Function(f"length_{columns}_{dtype}")
    x = training(f, (dtype,) * 3, (None, columns))
    _, gamma, dy = f.args
    rstd = f.arg("rstd", "f32", (None,))
    dx, _ = f.backward(x, dy, rstd, gamma)
    _, dgamma = f.backward(x, dy, rstd, dx=False, dgamma=dtype)
    f.give("dx alone", dx)
    f.give("dgamma alone", dgamma)
    return f


def runs(options):
    few = options.part == "few"
    for columns in FEW if few else POWERS + OF_MODELS + ODD:
        rows = 7 if few else max(37, min(300, MOST_ELEMENTS // columns))
        for dtype in DTYPES:
            yield Run(39, f"rows of {columns} {dtype}", all_masks(columns, dtype), rows=rows,
                      flags=[f"--repeat={2 if few else 20}"])
