# Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sizes: no rows, few rows, odd widths, ranks, tiny rows."""

import family
from family import DTYPES, Run, training
from module import Function, schedule

WIDTHS = (1, 3, 5, 255, 257, 513, 625, 767, 769, 1023, 3584)
MASKS = ((True, False), (False, True), (True, True))


def no_rows():
    """Every dtype and mask without rows, then a call with rows."""
    f = Function("no_rows")
    for d in DTYPES:
        x, dy = (f.arg(s, d, (None, 7168)) for s in ("x", "dy"))
        gamma = f.arg("gamma", d, (7168,))
        y, rstd = f.forward(x, gamma)
        f.give(f"y {d}", y)
        f.give(f"rstd {d}", rstd)
        for input_grad, weight_grad in MASKS:
            into = f.arg("dgamma", d, (7168,)) if weight_grad else None
            results = f.backward(x, dy, rstd, gamma, dx=input_grad, dgamma=into)
            for label, value in zip(("dx", "dgamma"), results):
                if value:
                    f.give(f"{label} {d} mask {input_grad:d}{weight_grad:d}", value)
    training(f, DTYPES, (3, 7168), "of the call after it")
    return f


def parts(machine, rows=None):
    """Weight gradients with more, as many and fewer partials than rows."""
    f = Function(f"parts_{rows or 'dynamic'}")
    shape = (rows, 70)
    x, dy = f.arg("x", "bf16", shape), f.arg("dy", "f16", shape)
    gamma = f.arg("gamma", "f32", (70,))
    _, rstd = f.forward(x, gamma)
    for count in (1, 8, 32, 128, 132, 264):
        sched = schedule(parts=count, **family.MACHINE_FIELDS[machine])
        into = f.arg("dgamma", "f32", (70,))
        dx, dgamma = f.backward(x, dy, rstd, gamma, dgamma=into, sched=sched)
        f.give(f"dx parts={count}", dx)
        f.give(f"dgamma parts={count}", dgamma)
        _, alone = f.backward(x, dy, rstd, dx=False, dgamma="f32", sched=sched)
        f.give(f"dgamma alone parts={count}", alone)
    return f


def width(columns, name):
    """One width (None: dynamic), each dtype, ending where a page ends."""
    f = Function(name)
    for d in DTYPES:
        training(f, (d, d, d), (5, columns), d)
    return f


# Schedule fields, each with the columns of one step of the loop over a row or of
# what all threads take at once.
TILES = {
    "cpu": [({"vector": v, "unroll": u}, v * u) for v in (4, 8, 16) for u in (1, 2, 4)],
    "gpu": [
        ({"vector": 4, "threads": 32}, 128),
        ({"vector": 2, "threads": 96}, 192),
        ({"vector": 4, "threads": 8, "rows": 8}, 32),
        ({"vector": 1, "threads": 256, "stage": "reload"}, 256),
        ({"vector": 2, "threads": 32, "stage": "loop", "unroll": 1}, 64),
        ({"vector": 4, "threads": 64, "stage": "loop", "unroll": 2}, 512),
    ],
}


def around_tile(fields, tile):
    """Widths just around a tile, and below it."""
    f = Function("_".join(["tile", *map(str, fields.values())]))
    vector = fields["vector"]
    sched = schedule(**fields)
    widths = sorted({tile + 1, tile - 1, 2 * tile - 1, 2 * tile + 1, vector - 1, vector + 1, 2})
    for i, columns in enumerate(w for w in widths if w > 0):
        training(f, family.mixed(i * 5), (3, columns), f"N={columns}", sched)
    return f


def ranks():
    f = Function("ranks")
    static = ((4, 33, 257), (2, 3, 5, 64), (64,), (1, 1, 1))
    dynamic = ((None, 33, 257), (2, None, 65), (None, 5, None, 65), (None,) * 3)
    for i, shape in enumerate(static + dynamic):
        training(f, family.mixed(i), shape, "of " + "x".join(str(d or "?") for d in shape))
    return f


def unlike_rows(rows, columns):
    """Small and large rows side by side: a sum that strays is seen at once."""
    f = family.training_function(f"rows_{rows}x{columns}", ("bf16", "f32", "f32"), (rows, columns))
    scales = (1e-3, 1e3, 1.0)
    x = family.noise("bf16", (rows, columns), lambda row: scales[row % 3])
    return Run(9, f"{rows} rows of {columns}, scales {scales}", f, variants=[{0: x}], sweep="few")


def runs(options):
    yield Run(1, "no rows, then some", no_rows(), rows=0, sweep="few")
    for rows in (1, 2, 7, 131, 133):
        yield Run(2, f"{rows} rows in parts", parts(options.machine), rows=rows)
    yield Run(2, "parts of a static number of rows", parts(options.machine, 131))
    for columns in WIDTHS:
        what = f"N={columns} before a guard page"
        yield Run(3, what, width(columns, f"width_{columns}"), flags=["--guard"], sweep="few")
        yield Run(3, f"{what}, dynamic", width(None, "width_dynamic"), cols=columns, flags=["--guard"])
    for fields, tile in TILES[options.machine]:
        what = f"widths around a tile of {schedule(**fields)}"
        yield Run(4, what, around_tile(fields, tile), flags=["--guard"])
    yield Run(8, "ranks 1 to 4", ranks(), rows=4, cols=35, sweep="few")
    for rows, columns in ((2048, 2), (8096, 32), (12288, 1), (1021, 6)):
        yield unlike_rows(rows, columns)
