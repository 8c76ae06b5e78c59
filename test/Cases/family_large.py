# Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What only a GPU has time for: more blocks than 16 bits count, buffers of more
elements than 31 and 32 bits do, and the same bits in 20 runs of a large norm.
"""

import random

import family
import family_schedules
import schedules
from family import DTYPES, Run, training_function
from family_lengths import all_masks
from family_schedules import Case, Problem
from module import Function, tensor

TYPE = "f16"
OPS = ("forward", "dx", "dgamma", "both")


def kinds(opt, op, rows, columns):
    """None, for the schedule that is chosen, and of each kind of schedule that the
    enumeration has for a static shape a random one."""
    problem = Problem(op, op != "dgamma", op == "forward" or None, (TYPE,) * 3, columns)
    function = family_schedules.function_of(Case(problem, (), rows, "static"), scheduled=False)
    found = {}
    for fields in schedules.enumerated(opt, function):
        several = [int(fields.get(name, least)) > least for name, least in (("rows", 1), ("cluster", 1), ("strips", 0))]
        found.setdefault((fields.get("stage"), *several), []).append(fields)
    return [None] + [schedules.text(random.choice(some)) for some in found.values()]


def copy_row(f, source, target, at, columns):
    """`target` with the row `source` copied into it, element by element, which the
    host can do. `at` says where a column is, in either of them."""
    where = {v.name: f"{at}, %j" if len(v.shape) == 2 else "%j" for v in (source, target)}
    types = [tensor(v.dtype, v.shape) for v in (source, target)]
    copied = f"%copied_{len(f.body)}"
    f.emit(f"{copied} = scf.for %j = %zero to %columns step %one iter_args(%to = {target.name}) -> ({types[1]}) {{")
    f.emit(f"  %element = tensor.extract {source.name}[{where[source.name]}] : {types[0]}")
    f.emit(f"  %next = tensor.insert %element into %to[{where[target.name]}] : {types[1]}")
    f.emit(f"  scf.yield %next : {types[1]}")
    f.emit("}")
    return target._replace(name=copied)


class LastRow:
    """A function of one op, under each of several schedules, on zeros but for the last
    row; gives the last row of what it makes, and the weight gradient, to which other
    rows add nothing. Nothing large comes from the host or goes there."""

    def __init__(self, op, rows, columns):
        self.op, self.shape = op, (rows, columns)
        self.f = f = Function(f"last_{op}_{rows}x{columns}")
        x, self.gamma, dy = (f.arg(name, TYPE, (columns,)) for name in ("x", "gamma", "dy"))
        for name, value in (("zero", 0), ("one", 1), ("last", rows - 1), ("columns", columns)):
            f.emit(f"%{name} = arith.constant {value} : index")
        f.emit(f"%nothing = arith.constant 0.0 : {TYPE}")
        self.x = self.make(x)
        # The large result of all schedules.
        self.result, self.rstd = f.forward(self.x, self.gamma)
        self.dy = None if op == "forward" else self.make(dy)

    def empty(self, shape):
        return self.f.op("e", TYPE, shape, f"tensor.empty() : {tensor(TYPE, shape)}")

    def clear(self, value):
        t = tensor(TYPE, value.shape)
        return self.f.op("z", TYPE, value.shape, f"linalg.fill ins(%nothing : {TYPE}) outs({value.name} : {t}) -> {t}")

    def make(self, row):
        return copy_row(self.f, row, self.clear(self.empty(self.shape)), "%last", self.shape[1])

    def run(self, sched):
        """What a schedule does not write is zero, not what the one before it wrote."""
        into = self.clear(self.result)
        if self.op == "forward":
            made = {"y": self.f.forward(self.x, self.gamma, y=into, sched=sched)[0]}
        else:
            into = into if self.op != "dgamma" else False
            weight = TYPE if self.op != "dx" else None
            results = self.f.backward(self.x, self.dy, self.rstd, self.gamma, dx=into, dgamma=weight, sched=sched)
            made = dict(zip(("dx", "dgamma"), results))
        for kind, value in made.items():
            if value and kind != "dgamma":
                self.result = value
                value = copy_row(self.f, value, self.empty(self.shape[1:]), "%last", self.shape[1])
            if value:
                self.f.give(f"{kind} {sched}", value)


def offsets(options, rows, columns):
    for op in OPS:
        case = LastRow(op, rows, columns)
        for sched in kinds(options.opt, op, rows, columns):
            case.run(sched)
        variant = {i: family.noise(TYPE, (columns,)) for i in range(3)}
        results = [label.split()[0] for label in case.f.labels]
        yield Run(6, f"{op}, the last of {rows} rows of {columns} {TYPE}", case.f, variants=[variant], check=False,
                  verify=["one_row", {"results": results, "epsilon": 1e-5}])


def runs(options):
    for d in DTYPES:
        f = training_function(f"blocks_{d}", (d,) * 3, (None, 64))
        for rows in (65535, 65536, 65537):
            yield Run(5, f"{rows} rows of 64 {d}", f, rows=rows, sweep="few")
        for rows in (57345, 131072):
            yield Run(10, f"{rows} rows of 128 {d}, each mask", all_masks(128, d), rows=rows)
    yield Run(32, "16384 rows of 4096, the same bits", all_masks(4096, "bf16"), rows=16384, flags=["--repeat=20"])
    yield from offsets(options, 4194305, 512)
    yield from offsets(options, 1048577, 4096)
