# Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whatever comes: random shapes, dtypes, operands and schedules together.

The other families look where faults were found; this one looks elsewhere, and
somewhere else each time.
"""

import random

from family import DTYPES, Run
from module import Function, schedule

SIZES = (1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 192, 255, 256, 300)


def random_schedule(machine):
    """A schedule attribute, or none for the pipeline to choose. Which ones of a
    GPU are legal depends on the op: they have a family of their own."""
    if machine != "cpu" or random.random() < 0.3:
        return None
    return schedule(
        vector=random.choice((4, 8, 16)),
        unroll=random.choice((1, 2, 3, 4, 8)),
        parts=random.choice((0, 0, 1, 2, 5, 64)),
        prefetch=random.choice((0, 0, 1, 4)),
        nontemporal=random.choice((0, 0, 1, 4096)),
    )


def random_shape(columns):
    """Leading axes of up to 400 rows, each perhaps dynamic, and the columns."""
    rank = random.choice((0, 1, 1, 1, 2, 3))
    axes = [random.choice((1, 2, 3, 5, 20 if rank < 3 else 6)) for _ in range(rank)]
    leading = [None if random.random() < 0.3 else d for d in axes]
    return (*leading, columns if random.random() < 0.7 else None)


def member(f, tag, columns, machine):
    """One forward and one backward with whatever operands and gradients."""
    shape, sched = random_shape(columns), random_schedule(machine)
    x_type, gamma_type, dy_type = (random.choice(DTYPES) for _ in range(3))
    x = f.arg("x", x_type, shape)
    gamma = f.arg("gamma", gamma_type, shape[-1:]) if random.random() < 0.8 else None
    offset = random.choice((None, 1.0, -0.5)) if gamma else None
    epsilon = random.choice((1e-5, 1e-6, 1e-12, 0.1))
    y, rstd = f.forward(x, gamma, epsilon=epsilon, offset=offset, sched=sched)
    f.give(f"y {tag}", y)
    dx = random.random() < 0.7
    dgamma = gamma_type if not dx or random.random() < 0.6 else None
    dy = f.arg("dy", dy_type, shape)
    grads = f.backward(x, dy, rstd, gamma, dx=dx, dgamma=dgamma, offset=offset, sched=random_schedule(machine))
    for label, value in zip(("dx", "dgamma"), grads):
        if value:
            f.give(f"{label} {tag}", value)


def runs(options, count=25):
    for i in range(count):
        f, columns = Function(f"random_{i}"), random.choice(SIZES)
        for k in range(3):
            member(f, f"of member {k}", columns, options.machine)
        rows = random.choice((1, 2, 3, 17, 40))
        yield Run(0, f"random {i}", f, rows=rows, cols=columns, flags=["--guard"], sweep="few")
