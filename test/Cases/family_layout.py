# Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layout: strided rows, views, pitches, odd addresses, expanded gradients.

Inputs keep their values: the functions on memrefs have every operand as an
argument, and with --guard the runner looks at all memory that no op should have
written, inputs and the gaps between rows included.
"""

import family
from family import DTYPES, Run
from module import Function, Text, tensor


def sliced_rows(d, gamma_type):
    """x is the left 512 columns of a wider tensor with two leading axes."""
    f = Function(f"sliced_{d}_{gamma_type}")
    wide = f.arg("wide", d, (3, 70, 576))
    gamma, dy = f.arg("gamma", gamma_type, (512,)), f.arg("dy", "f32", (3, 70, 512))
    x = f.slice_of(wide, (0, 0, 0), (3, 70, 512))
    y, rstd = f.forward(x, gamma)
    dx, dgamma = f.backward(x, dy, rstd, gamma, dgamma=gamma_type)
    for label, value in (("y", y), ("rstd", rstd), ("dx", dx), ("dgamma", dgamma)):
        f.give(label, value)
    return f


def heads(d):
    """q and k as views of one buffer of 16 + 4 + 4 heads."""
    f = Function(f"heads_{d}")
    qkv = f.arg("qkv", d, (None, 24, 128))
    tokens = f.dim(qkv, 0)
    gamma = f.arg("gamma", d, (128,))
    for name, first, count in (("q", 0, 16), ("k", 16, 4)):
        view = f.slice_of(qkv, (0, first, 0), (tokens, count, 128))
        y, rstd = f.forward(view, gamma)
        f.give(f"{name} normalised", y)
        dx, dgamma = f.backward(view, f.arg("dy", d, (None, count, 128)), rstd, gamma, dgamma=d)
        f.give(f"{name} gradient", dx)
        f.give(f"{name} weight gradient", dgamma)
    return f


def pitched(d, columns, pitch):
    """y and dx into rows that lie `pitch` elements apart; the gap stays."""
    f = Function(f"pitched_{d}_{columns}")
    x, dy = f.arg("x", d, (19, columns)), f.arg("dy", d, (19, columns))
    gamma = f.arg("gamma", d, (columns,))
    y_wide, dx_wide = f.arg("wide", d, (19, pitch)), f.arg("wide", d, (19, pitch))
    y0 = f.slice_of(y_wide, (0, 0), (19, columns))
    y, rstd = f.forward(x, gamma, y=y0)
    dx0 = f.slice_of(dx_wide, (0, 0), (19, columns))
    dx, dgamma = f.backward(x, dy, rstd, gamma, dx=dx0, dgamma=d)
    f.give("y with its gaps", f.insert(y, y_wide, (0, 0)))
    f.give("dx with its gaps", f.insert(dx, dx_wide, (0, 0)))
    f.give("dgamma", dgamma)
    return f


MEMREF_CALLS = """\
  norm.rms_norm epsilon(1.0e-05)
      ins({x}, {gamma} : {xt}, {gt}) outs({y}, {rstd} : {xt}, {rt})
  norm.rms_norm_backward
      ins({x}, {dy}, {rstd}, {gamma} : {xt}, {dyt}, {rt}, {gt})
      input_grad({dx} : {xt}) weight_grad({dgamma} : {gt})
"""

ARGUMENTS = ("x", "gamma", "dy", "y", "rstd", "dx", "dgamma")
WRITTEN = ARGUMENTS[3:]


def memref_function(name, d, m, n):
    """Everything is an argument, the results too."""
    xt, gt, rt = f"memref<{m}x{n}x{d}>", f"memref<{n}x{d}>", f"memref<{m}xf32>"
    types = (xt, gt, xt, xt, rt, xt, gt)
    names = {a: f"%{a}" for a in ARGUMENTS}
    args = ", ".join(f"%{a}: {t}" for a, t in zip(ARGUMENTS, types))
    calls = MEMREF_CALLS.format(xt=xt, gt=gt, rt=rt, dyt=xt, **names)
    return Text(name, f"func.func @{name}({args}) {{\n{calls}  return\n}}\n", WRITTEN)


def moved(d, m, n, shift):
    """Each operand `shift` elements into a buffer of its own, which makes it a
    view with an offset; `shift` is an argument of the view, not of its type."""
    name = f"moved_{d}_{m}x{n}_{shift}"
    view = f"memref<{m}x{n}x{d}, strided<[{n}, 1], offset: ?>>"
    row, rstd_view = (f"memref<{s}x{t}, strided<[1], offset: ?>>" for s, t in ((n, d), (m, "f32")))
    shapes = {"x": (m, n), "gamma": (n,), "dy": (m, n), "y": (m, n), "rstd": (m,), "dx": (m, n), "dgamma": (n,)}
    lines, args = [f"  %shift = arith.constant {shift} : index"], []
    for a, shape in shapes.items():
        size = m * n + shift if len(shape) == 2 else shape[0] + shift
        t = "f32" if a == "rstd" else d
        args.append(f"%{a}_all: memref<{size}x{t}>")
        strides = f"[{n}, 1]" if len(shape) == 2 else "[1]"
        target = view if len(shape) == 2 else rstd_view if a == "rstd" else row
        lines.append(
            f"  %{a} = memref.reinterpret_cast %{a}_all to offset: [%shift], sizes: {list(shape)}, "
            f"strides: {strides} : memref<{size}x{t}> to {target}"
        )
    names = {a: f"%{a}" for a in ARGUMENTS}
    calls = MEMREF_CALLS.format(xt=view, gt=row, rt=rstd_view, dyt=view, **names)
    body = "\n".join(lines) + "\n" + calls
    return Text(name, f"func.func @{name}({', '.join(args)}) {{\n{body}  return\n}}\n", WRITTEN)


def windowed(d):
    """A window of a matrix: static sizes, row and column offset at run time."""
    name = f"windowed_{d}"
    big, view = f"memref<30x200x{d}>", f"memref<11x96x{d}, strided<[200, 1], offset: ?>>"
    windows = "".join(
        f"  %{a} = memref.subview %{a}_all[%i, %i] [11, 96] [1, 1] : {big} to {view}\n"
        for a in ("x", "dy", "y", "dx")
    )
    names = {a: f"%{a}" for a in ARGUMENTS}
    gt, rt = f"memref<96x{d}>", "memref<11xf32>"
    calls = MEMREF_CALLS.format(xt=view, gt=gt, rt=rt, dyt=view, **names)
    args = (
        f"%x_all: {big}, %gamma: {gt}, %dy_all: {big}, %y_all: {big}, "
        f"%rstd: {rt}, %dx_all: {big}, %dgamma: {gt}"
    )
    index = "  %rows = memref.dim %rstd, %c0 : memref<11xf32>\n  %i = arith.subi %rows, %c4 : index\n"
    constants = "  %c0 = arith.constant 0 : index\n  %c4 = arith.constant 4 : index\n"
    text = f"func.func @{name}({args}) {{\n{constants}{index}{windows}{calls}  return\n}}\n"
    return Text(name, text, WRITTEN)


def expanded(d, x_type, stride):
    """dy as sum().backward() gives it: one row, or one number, for all rows."""
    name = f"expanded_{d}_{x_type}_{stride}"
    m, n = 45, 130
    source = f"memref<{n if stride else 1}x{d}>"
    dyt = f"memref<{m}x{n}x{d}, strided<[0, {stride}]>>"
    xt, gt, rt = f"memref<{m}x{n}x{x_type}>", f"memref<{n}xf32>", f"memref<{m}xf32>"
    names = {a: f"%{a}" for a in ARGUMENTS}
    calls = MEMREF_CALLS.format(xt=xt, gt=gt, rt=rt, dyt=dyt, **names)
    types = (xt, gt, source, xt, rt, xt, gt)
    args = ", ".join(f"%{a}{'_one' if a == 'dy' else ''}: {t}" for a, t in zip(ARGUMENTS, types))
    cast = (
        f"  %dy = memref.reinterpret_cast %dy_one to offset: [0], sizes: [{m}, {n}], "
        f"strides: [0, {stride}] : {source} to {dyt}\n"
    )
    return Text(name, f"func.func @{name}({args}) {{\n{cast}{calls}  return\n}}\n", WRITTEN)


def onto_inputs(d):
    """Destinations that are inputs: as values the inputs stay what they are."""
    f = Function(f"onto_inputs_{d}")
    x, dy, gamma = f.arg("x", d, (None, 67)), f.arg("dy", d, (None, 67)), f.arg("gamma", d, (67,))
    y, rstd = f.forward(x, gamma, y=x)
    dx, dgamma = f.backward(x, dy, rstd, gamma, dx=dy, dgamma=gamma)
    again, _ = f.backward(x, x, rstd, gamma, dx=x)
    for label, value in (("y", y), ("dx", dx), ("dgamma", dgamma), ("dx with dy = x", again), ("x", x)):
        f.give(label, value)
    return f


def transposed(d):
    """On tensors a transposed x is a value like any other."""
    f = Function(f"transposed_{d}")
    turned, gamma = f.arg("turned", d, (130, 21)), f.arg("gamma", d, (130,))
    dy, t = f.arg("dy", d, (21, 130)), tensor(d, (21, 130))
    empty = f.op("e", d, (21, 130), f"tensor.empty() : {t}")
    f.emit(
        f"%x = linalg.transpose ins({turned.name} : {tensor(d, (130, 21))}) "
        f"outs({empty.name} : {t}) permutation = [1, 0]"
    )
    x = empty._replace(name="%x")
    y, rstd = f.forward(x, gamma)
    dx, dgamma = f.backward(x, dy, rstd, gamma, dgamma=d)
    for label, value in (("y", y), ("dx", dx), ("dgamma", dgamma)):
        f.give(label, value)
    return f


def runs(options):
    for d, gamma_type in (("bf16", "f32"), ("f16", "f16"), ("f32", "bf16")):
        yield Run(11, f"strided rows, {d}", sliced_rows(d, gamma_type), sweep="few")
    for d in DTYPES:
        yield Run(12, f"heads of one buffer, {d}", heads(d), rows=9, sweep="few")
        f = memref_function(f"plain_{d}", d, 17, 136)
        for i, a in enumerate(ARGUMENTS):
            yield Run(13, f"{a} off by one element, {d}", f, flags=["--guard", f"--misalign={i}"])
        for shift in (0, 1, 3):
            what = f"operands {shift} elements into their buffers, {d}"
            yield Run(13, what, moved(d, 17, 128, shift), flags=["--guard"], sweep="few")
        for columns, pitch in ((40, 46), (46, 46), (129, 136)):
            what = f"rows of {columns} at a pitch of {pitch}, {d}"
            yield Run(14, what, pitched(d, columns, pitch), flags=["--guard"], sweep="few")
        for x_type, stride in (("bf16", 1), ("f32", 0), ("f16", 0)):
            what = f"dy with strides (0, {stride}) in {d}, x in {x_type}"
            yield Run(15, what, expanded(d, x_type, stride), flags=["--guard"], sweep="few")
        if options.device != "cuda":  # The host would transpose it.
            yield Run(16, f"a transposed x, {d}", transposed(d))
        yield Run(17, f"offset at run time, {d}", windowed(d), flags=["--guard"], sweep="few")
        yield Run(18, f"destinations that are inputs, {d}", onto_inputs(d), rows=50, sweep="few")
        f = memref_function(f"inputs_{d}", d, 33, 300)
        yield Run(18, f"inputs unchanged, {d}", f, flags=["--guard"], sweep="few")
