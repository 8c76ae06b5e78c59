# Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GPU schedules, run thread by thread on the CPU: no block has a whole number of
rows or of columns, few rows meet many blocks and many rows few.

Four parts. `pairs`: few cases in which each pair occurs of values of fields, ops,
widths, dtypes, layouts and numbers of rows that may have to do with each other, where
the kernels are not too long. `random`: some from the enumeration,
and some of whatever the verifier accepts. `each`: each schedule of the enumeration, for
each op at each width. `all`: for each op with and without gamma, and more of the
verifier's.
"""

import dataclasses
import random

import family
import npy
import schedules
from family import Run
from module import Function

WIDTHS = (1, 8, 30, 64, 96, 100, 257, 625, 768, 1000, 2048, None)
ROWS = (0, 1, 2, 7, 33, 131)
# What one kernel of the tests may cost (see schedules.cost); `all` has no limit.
MOST = 18
# (op, whether it has gamma, whether the forward gives rstd)
OPS = (
    ("forward", True, True), ("forward", True, False), ("forward", False, True), ("forward", False, False),
    ("dx", True, None), ("dx", False, None), ("dgamma", False, None), ("both", True, None), ("both", False, None),
)


@dataclasses.dataclass(frozen=True)
class Problem:
    """An op and the types of its operands, which decide what is legal."""

    op: str
    gamma: bool
    rstd: bool
    dtypes: tuple
    columns: int = None

    def __str__(self):
        gamma = "" if self.gamma else " without gamma"
        rstd = "" if self.rstd in (None, True) else " without rstd"
        return f"{self.op}{gamma}{rstd} N={self.columns or '?'} of {'/'.join(self.dtypes)}"


@dataclasses.dataclass(frozen=True)
class Case:
    """A problem under a schedule, and where its rows are."""

    problem: Problem
    fields: tuple
    rows: int
    layout: str = "plain"

    def features(self):
        p = self.problem
        names = {"op": p.op, "has gamma": p.gamma, "x": p.dtypes[0], "gamma type": p.dtypes[1], "N": p.columns, "M": self.rows}
        fields = dict(self.fields)
        # None, all columns or some of them; how many is in other features.
        strips = min(int(fields.get("strips", 0)), 2)
        # A field that is not there has its default, which is a value too.
        return {**dict.fromkeys(schedules.WILD), **fields, **names, "strips": strips, "layout": self.layout}

    def cost(self):
        columns = self.problem.columns or 1
        return schedules.cost(dict(self.fields), columns, self.problem.op != "forward")

    def __str__(self):
        return f"{self.problem}, {self.layout}, {schedules.text(dict(self.fields))}"


def row_argument(f, name, dtype, case):
    """An argument of the case's shape, or a slice of a wider one: rows that lie
    further apart and begin anywhere."""
    rows = case.rows if case.layout == "static" else None
    columns = case.problem.columns
    if case.layout != "strided" or columns is None:
        return f.arg(name, dtype, (rows, columns))
    wide = f.arg("wide", dtype, (rows, columns + 11))
    return f.slice_of(wide, (0, 3), (f.dim(wide, 0), columns))


def add_op(f, case, scheduled=True):
    """Appends the op with its arguments; returns its labelled results."""
    p = case.problem
    x_type, gamma_type, dy_type = p.dtypes
    sched = schedules.text(dict(case.fields)) if scheduled else None
    x = row_argument(f, "x", x_type, case)
    gamma = f.arg("gamma", gamma_type, (p.columns,)) if p.gamma else None
    if p.op == "forward":
        return zip(("y", "rstd"), f.forward(x, gamma, rstd=p.rstd, sched=sched))
    dy = row_argument(f, "dy", dy_type, case)
    rstd = f.arg("rstd", "f32", x.shape[:1])
    into = f.arg("dgamma", gamma_type, (p.columns,)) if p.op != "dx" else None
    results = f.backward(x, dy, rstd, gamma, dx=p.op != "dgamma", dgamma=into, sched=sched)
    return zip(("dx", "dgamma"), results)


def function_of(case, name="alone", scheduled=True):
    f = Function(name)
    for label, value in add_op(f, case, scheduled):
        if value:
            f.give(label, value)
    return f


# Fields that no rule restricts: in a few cases they meet each other and all else.
FREE = {
    "parts": (1, 2, 3, 5),
    "first_read": schedules.POLICIES,
    "second_read": schedules.POLICIES,
    "store": schedules.POLICIES,
    "merge_columns": (8, 16, 32, 64, 128),
}


def place(problem, fields, free=()):
    """A case with a number of rows, a layout and the `free` fields drawn for it."""
    fields = {**fields, **{name: random.choice(FREE[name]) for name in free}}
    layout = random.choices(("plain", "static", "strided", "shifted"), (4, 1, 1, 2))[0]
    return Case(problem, tuple(sorted(fields.items())), random.choice(ROWS), layout)


def problems(full):
    """Each op at each width, in all its forms (`full`) or in one of them."""
    index = 0
    for columns in WIDTHS:
        for op in ("forward", "dx", "dgamma", "both"):
            forms = [form for form in OPS if form[0] == op]
            for form in forms if full else [forms[index % len(forms)]]:
                yield Problem(*form, family.mixed(index * 7 + 1), columns)
                index += 1


def enumeration(opt, full=False):
    """All schedules of the problems. Few parts, so that blocks walk over several
    rows; those that the enumeration has where that is all it varies."""
    for problem in problems(full):
        for fields in schedules.enumerated(opt, function_of(Case(problem, (), 1), scheduled=False)):
            yield place(problem, fields, ["parts"] if full else FREE)


def wild(opt, count):
    """Schedules that the verifier accepts, in the enumeration or not."""
    drawn = []
    for _ in range(count):
        columns = random.choice(WIDTHS + (random.randrange(1, 3000),) * 4)
        dtypes = family.mixed(random.randrange(27))
        drawn.append(place(Problem(*random.choice(OPS), dtypes, columns), schedules.draw()))
    return [drawn[i] for i in schedules.legal(opt, [function_of(c, f"wild_{i}") for i, c in enumerate(drawn)])]


def batches(cases, size):
    """Cases with the same number of rows, `size` to a function."""
    for rows in ROWS:
        same = [c for c in cases if c.rows == rows]
        for i in range(0, len(same), size):
            yield rows, same[i : i + size]


def batch(what, number, rows, cases):
    """A function with the ops of all `cases`: starting up costs more than one."""
    f = Function(f"{what}_{number}")
    flags = ["--guard"]
    for case in cases:
        first = len(f.args)
        for label, value in add_op(f, case):
            if value:
                f.give(f"{label} of {case}", value)
        if case.layout == "shifted":
            flags.append(f"--misalign={random.randrange(first, len(f.args))}")
    columns = random.choice((1, 77, 500, 1025))
    return Run(4, f"{what} {number}: {len(cases)} schedules", f, rows=rows, cols=columns, flags=flags)


def same_bits(number, cases, rows=19):
    """The same inputs twice, where threads run in another order, and one row of
    them by itself."""
    f = Function(f"bits_{number}")
    for case in cases:
        for label, value in add_op(f, case):
            if value:
                f.give(f"{label} of {case}", value)
    k = random.randrange(rows)
    whole = {i: family.noise(a.dtype, [d or rows for d in a.shape]) for i, a in enumerate(f.args)}
    alone = {i: npy.rows(a, k, k + 1) if f.args[i].shape[0] is None else a for i, a in whole.items()}
    by_row = [i for i, v in enumerate(f.returned) if v.shape[0] is None]
    picks = {"picks": [k, 0], "results": by_row}
    what = f"bits {number}: {len(cases)} schedules"
    yield Run(32, what, f, variants=[whole, whole], check=False, verify=["same_results", {}])
    yield Run(33, f"{what}, row {k} alone", f, variants=[whole, alone], check=False, verify=["same_row", picks])


def covered(opt):
    """The same cases each time; only their inputs differ."""
    state = random.getstate()
    random.seed(0)
    cheap = [c for c in enumeration(opt) if c.cost() <= MOST]
    chosen = schedules.cover(cheap, Case.features, Case.cost)
    random.setstate(state)
    return chosen


def random_part(options):
    every = [c for c in enumeration(options.opt) if c.cost() <= MOST]
    others = [c for c in wild(options.opt, 1000) if c.cost() <= MOST]
    yield from in_batches("some", random.sample(every, 25), options.batch)
    yield from in_batches("wild", others[:45], options.batch)
    plain = [c for c in every if c.layout == "plain" and c.problem.columns]
    yield from same_bits(0, random.sample(plain, options.batch // 2))


def in_batches(what, cases, size):
    for number, (rows, some) in enumerate(batches(cases, size)):
        yield batch(what, number, rows, some)


def runs(options):
    if options.part in ("pairs", "all"):
        yield from in_batches("pairs", covered(options.opt), options.batch)
    if options.part in ("random", "all"):
        yield from random_part(options)
    if options.part == "each":
        some_rows = [c if c.rows else dataclasses.replace(c, rows=33) for c in enumeration(options.opt)]
        yield from in_batches("each", some_rows, options.batch)
    if options.part == "all":
        yield from in_batches("all", list(enumeration(options.opt, full=True)), options.batch)
        yield from in_batches("accepted", wild(options.opt, 20000), options.batch)
