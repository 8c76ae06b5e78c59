# Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR: static and dynamic sizes, control flow around norm ops, tails."""

import family
from family import DTYPES, Run
from module import Text, schedule

SQUARE = "tensor<8x100xf32>"
SLAB = "tensor<2x100xf32>"

NORM = """\
  {y} = norm.rms_norm epsilon(1.0e-05) ins({x}, %gamma : {t}, tensor<100xf32>)
      outs({into} : {t}) -> {t}
"""

SIGNATURE = f"(%x: {SQUARE}, %gamma: tensor<100xf32>)"

CONSTANTS = """\
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
"""


def norm(y, x, into, t=SQUARE):
    return NORM.format(y=y, x=x, into=into, t=t)


def slabs():
    """scf.for over two rows at a time."""
    place = f"[%i, 0] [2, 100] [1, 1] : {SQUARE} to {SLAB}"
    return (
        f"  %all = tensor.empty() : {SQUARE}\n"
        f"  %looped = scf.for %i = %c0 to %c8 step %c2 iter_args(%it = %all) -> ({SQUARE}) {{\n"
        f"  %xi = tensor.extract_slice %x{place}\n"
        f"  %yi0 = tensor.extract_slice %it{place}\n"
        + norm("%yi", "%xi", "%yi0", SLAB)
        + f"  %next = tensor.insert_slice %yi into %it[%i, 0] [2, 100] [1, 1] : {SLAB} into {SQUARE}\n"
        f"  scf.yield %next : {SQUARE}\n  }}\n"
    )


def branch():
    """scf.if on the data: a norm, or what the loop made."""
    return (
        f"  %first = tensor.extract %x[%c0, %c0] : {SQUARE}\n"
        "  %zero = arith.constant 0.0 : f32\n"
        "  %sign = arith.cmpf ogt, %first, %zero : f32\n"
        f"  %either = scf.if %sign -> ({SQUARE}) {{\n  %e = tensor.empty() : {SQUARE}\n"
        + norm("%normed", "%x", "%e")
        + f"  scf.yield %normed : {SQUARE}\n  }} else {{\n  scf.yield %looped : {SQUARE}\n  }}\n"
    )


def control_flow():
    """A loop, a branch, a called function, a norm of a norm; one gamma for all."""
    helper = (
        f"func.func private @helper{SIGNATURE} -> {SQUARE} {{\n  %e = tensor.empty() : {SQUARE}\n"
        + norm("%y", "%x", "%e")
        + f"  return %y : {SQUARE}\n}}\n"
    )
    rest = (
        f"  %called = call @helper(%either, %gamma) : ({SQUARE}, tensor<100xf32>) -> {SQUARE}\n"
        f"  %out = tensor.empty() : {SQUARE}\n" + norm("%last", "%called", "%out")
    )
    types = ", ".join([SQUARE] * 4)
    tail = f"  return %looped, %either, %called, %last : {types}\n}}\n"
    main = f"func.func @control_flow{SIGNATURE} -> ({types}) {{\n{CONSTANTS}"
    text = helper + main + slabs() + branch() + rest + tail
    return Text("control_flow", text, ("loop", "branch", "call", "chain"))


def carried():
    """A loop whose value is a new tensor each time."""
    text = (
        f"func.func @carried{SIGNATURE} -> {SQUARE} {{\n{CONSTANTS}"
        f"  %y = scf.for %i = %c0 to %c8 step %c2 iter_args(%it = %x) -> ({SQUARE}) {{\n"
        f"  %e = tensor.empty() : {SQUARE}\n"
        + norm("%again", "%it", "%e")
        + f"  scf.yield %again : {SQUARE}\n  }}\n  return %y : {SQUARE}\n}}\n"
    )
    return Text("carried", text, ("the value of the loop",))


TAIL_FIELDS = {"cpu": {"vector": 8, "unroll": 1}, "gpu": {"vector": 4, "threads": 32}}


def tail(columns, d, machine):
    """Widths with a tail for vectors of several lanes."""
    return family.training_function(
        f"tail_{columns}_{d}", (d, d, d), (6, columns), sched=schedule(**TAIL_FIELDS[machine])
    )


def runs(options):
    shapes = (("static", (13, 203)), ("rows", (None, 203)), ("columns", (13, None)), ("both", (None, None)))
    for i, (name, shape) in enumerate(shapes):
        f = family.training_function(f"dynamic_{name}", family.mixed(i * 11 + 2), shape)
        yield Run(35, f"dynamic: {name}", f, rows=13, cols=203, flags=["--guard"], sweep="all")
    for _ in range(2):  # The data choose the branch: more than one seed.
        yield Run(36, "loop, branch, call, chain", control_flow(), sweep="few")
    yield Run(36, "a loop that carries a norm", carried())
    for columns, d in ((30, "bf16"), (625, "f32"), (625, "f16"), (625, "bf16")):
        yield Run(38, f"tail of N={columns}, {d}", tail(columns, d, options.machine), flags=["--guard"])
