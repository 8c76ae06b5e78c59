# Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""MLIR text of functions that hold norm ops, built value by value.

Shapes are sequences of ints and None (dynamic). A Value knows its SSA name and
type; Function collects arguments, operations and labelled results.
"""

import collections

Value = collections.namedtuple("Value", "name dtype shape")


def tensor(dtype, shape):
    dims = "".join(("?" if d is None else str(d)) + "x" for d in shape)
    return f"tensor<{dims}{dtype}>"


def type_of(value):
    return tensor(value.dtype, value.shape)


def schedule(**fields):
    """The text of a schedule attribute, for the ops below."""
    return f"#norm.schedule<{', '.join(f'{k} = {v}' for k, v in fields.items())}>"


def _group(values):
    """`%a, %b : type, type` of the operands that are there."""
    values = [v for v in values if v is not None]
    return f"{', '.join(v.name for v in values)} : {', '.join(map(type_of, values))}"


def _list(entries):
    return "[" + ", ".join(map(str, entries)) + "]"


class Function:
    """One public function; `tag` tells its members apart in reports."""

    def __init__(self, name):
        self.name = name
        self.args, self.labels, self.body, self.returned = [], [], [], []
        self._count = 0
        self._dims = {}

    def _fresh(self, stem):
        self._count += 1
        return f"%{stem}{self._count}"

    def emit(self, text):
        self.body.append(text)

    def arg(self, stem, dtype, shape):
        value = Value(self._fresh(stem), dtype, tuple(shape))
        self.args.append(value)
        return value

    def op(self, stem, dtype, shape, text):
        """Appends `%new = text` and returns the new tensor value."""
        value = Value(self._fresh(stem), dtype, tuple(shape))
        self.emit(f"{value.name} = {text}")
        return value

    def give(self, label, value):
        """Returns `value` from the function; reports call it `label`."""
        self.labels.append(label)
        self.returned.append(value)

    def dim(self, value, axis):
        """SSA name of the size of `axis`, as an index."""
        key = (value.name, axis)
        if key not in self._dims:
            index, size = self._fresh("c"), self._fresh("dim")
            self.emit(f"{index} = arith.constant {axis} : index")
            self.emit(f"{size} = tensor.dim {value.name}, {index} : {type_of(value)}")
            self._dims[key] = size
        return self._dims[key]

    def empty(self, dtype, like, axes=slice(None)):
        """A tensor.empty with the sizes of `axes` of `like`."""
        kept = range(len(like.shape))[axes]
        sizes = ", ".join(self.dim(like, i) for i in kept if like.shape[i] is None)
        shape = like.shape[axes]
        return self.op("e", dtype, shape, f"tensor.empty({sizes}) : {tensor(dtype, shape)}")

    def slice_of(self, value, offsets, sizes):
        """tensor.extract_slice with unit strides; a size may be an SSA name."""
        shape = [None if isinstance(s, str) else s for s in sizes]
        place = f"{_list(offsets)} {_list(sizes)} {[1] * len(sizes)}"
        types = f"{type_of(value)} to {tensor(value.dtype, shape)}"
        return self.op("s", value.dtype, shape, f"tensor.extract_slice {value.name}{place} : {types}")

    def insert(self, value, into, offsets):
        """tensor.insert_slice with unit strides; static sizes."""
        place = f"{_list(offsets)} {_list(value.shape)} {[1] * len(value.shape)}"
        types = f"{type_of(value)} into {type_of(into)}"
        text = f"tensor.insert_slice {value.name} into {into.name}{place} : {types}"
        return self.op("i", into.dtype, into.shape, text)

    def forward(self, x, gamma=None, rstd=True, epsilon=1e-5, offset=None, sched=None, y=None, rstd0=None):
        """norm.rms_norm; returns (y, rstd), rstd None if not asked for."""
        y0 = y or self.empty(x.dtype, x)
        r0 = rstd0 or (self.empty("f32", x, slice(-1)) if rstd else None)
        text = f"norm.rms_norm epsilon({epsilon:e})"
        text += f" gamma_offset({offset:e})" if offset is not None else ""
        text += f" ins({_group([x, gamma])}) outs({_group([y0, r0])})"
        return self._norm(text, [("y", y0), ("rstd", r0)], sched)

    def backward(self, x, dy, rstd, gamma=None, dx=True, dgamma=None, offset=None, sched=None):
        """norm.rms_norm_backward; returns (dx, dgamma), None if not asked for.

        `dx` is True, False or a destination; `dgamma` is None, a dtype or a
        destination. `gamma` is dropped where no input gradient reads it."""
        dx0 = self.empty(x.dtype, x) if dx is True else dx or None
        dg0 = dgamma
        if isinstance(dgamma, str):
            dg0 = self.empty(dgamma, x, slice(-1, None))
        gamma = gamma if dx0 else None
        text = "norm.rms_norm_backward"
        text += f" gamma_offset({offset:e})" if offset is not None and gamma else ""
        text += f" ins({_group([x, dy, rstd, gamma])})"
        text += f" input_grad({_group([dx0])})" if dx0 else ""
        text += f" weight_grad({_group([dg0])})" if dg0 else ""
        return self._norm(text, [("dx", dx0), ("dgamma", dg0)], sched)

    def _norm(self, text, outs, sched):
        results = [Value(self._fresh(s), v.dtype, v.shape) if v else None for s, v in outs]
        there = [r for r in results if r]
        text += f" {{schedule = {sched}}}" if sched else ""
        if there:
            text = f"{', '.join(r.name for r in there)} = {text} -> {', '.join(map(type_of, there))}"
        self.emit(text)
        return results

    def __str__(self):
        args = ",\n    ".join(f"{a.name}: {type_of(a)}" for a in self.args)
        types = ", ".join(map(type_of, self.returned))
        names = ", ".join(v.name for v in self.returned)
        body = "".join(f"  {line}\n" for line in self.body)
        tail = f"  return {names} : {types}\n" if self.returned else "  return\n"
        return f"func.func @{self.name}(\n    {args})\n    -> ({types}) {{\n{body}{tail}}}\n"


class Text:
    """A function written out, for what Function has no words for."""

    def __init__(self, name, text, labels=()):
        self.name, self.text, self.labels = name, text, list(labels)

    def __str__(self):
        return self.text
