# Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a family of cases is made of: runs, and the pieces that families share."""

import dataclasses
import itertools
import platform
import random

import npy
from module import Function

DTYPES = ("f32", "f16", "bf16")



def lowering(threads=0, mcpu=None, **options):
    """Runner flags: threads (0: all), CPU (None: this one), pipeline options."""
    text = " ".join(f"{k.replace('_', '-')}={v}" for k, v in options.items())
    flags = [f"--threads={threads}"] if threads else []
    # CPU names are those of one architecture; elsewhere the host's is kept.
    flags += [f"--mcpu={mcpu}"] if mcpu and platform.machine() == "x86_64" else []
    return flags + ([f"--pipeline-options={text}"] if text else [])


def few(**options):
    """Three ways that differ in everything. The old CPUs have no 16-bit
    conversions, or none of bf16."""
    return [
        lowering(**options),
        lowering(1, "x86-64-v2", vector_bits=128, unroll=1, prefetch=2, **options),
        lowering(2, "x86-64-v3", vector_bits=256, unroll=2, nontemporal=1, parts=3, **options),
    ]


# How a run is lowered each time it is repeated. The default chooses for itself;
# `nontemporal` is in bytes: from one on, every call stores past the cache. CPUs
# that convert to bf16 take denormals for zeros, unless told otherwise.
CPU_SWEEPS = {
    "one": [[]],
    "few": few(),
    "denormals": few(bf16_denormals="true"),
    "all": [
        lowering(threads, vector_bits=bits, unroll=unroll, nontemporal=stores, prefetch=stores * 3)
        for bits, unroll, threads, stores in itertools.product((128, 256, 512), (1, 2, 4), (1, 2), (0, 1))
    ],
}


def kernels(**fields):
    """Runner flags: kernels with these schedule fields."""
    text = ",".join(f"{k}={v}" for k, v in fields.items())
    return [f"--pipeline-options=set={text}"] if text else []


# Fields that are legal for all ops. The pipeline chooses what is left out, so all
# is given on which that depends.
STEPS = {"vector": 1, "threads": 64, "rows": 1, "stage": "loop", "unroll": 3, "prefetch": 0, "gamma": "registers", "strips": 0}

# What an explicit schedule needs besides to be one of the machine.
MACHINE_FIELDS = {"cpu": {}, "gpu": {"vector": 4, "threads": 32}}

# The same names for kernels.
GPU_SWEEPS = {
    "one": [kernels()],
    "few": [kernels(), kernels(**STEPS, parts=3)],
    "denormals": [kernels(), kernels(**STEPS, parts=3)],
    "all": [kernels(), kernels(parts=2), kernels(**STEPS), kernels(**{**STEPS, "threads": 96, "unroll": 1})],
}

SWEEPS = {"cpu": CPU_SWEEPS, "gpu": GPU_SWEEPS}
MACHINES = {"cpu": "cpu", "emulate": "gpu", "cuda": "gpu"}


def sweeps(device):
    """The runner flags of each sweep on a device."""
    choice = [] if device == "cpu" else [f"--device={device}"]
    return {name: [choice + flags for flags in sweep] for name, sweep in SWEEPS[MACHINES[device]].items()}


@dataclasses.dataclass
class Run:
    """One call of one function, under each schedule of a sweep.

    `variants` are alternative sets of input files, {argument index: Array};
    the function runs once with each. `verify` names a function of verify.py that
    looks at the results of all variants, and holds its keyword arguments.
    With `check` every result is also compared with the runner's reference.
    """

    case: int
    what: str
    function: object
    rows: int = None
    cols: int = None
    variants: list = dataclasses.field(default_factory=lambda: [{}])
    flags: list = dataclasses.field(default_factory=list)
    sweep: str = "one"
    check: bool = True
    verify: list = None


def mixed(index):
    """A (x, gamma, dy) mix of dtypes; consecutive indices go through all 27."""
    return DTYPES[index % 3], DTYPES[index // 3 % 3], DTYPES[index // 9 % 3]


def training(f, dtypes, shape, tag="", sched=None, poisoned=False, **forward):
    """Forward with rstd and backward with both gradients on fresh arguments.

    With `poisoned` the weight gradient goes into an argument, which holds
    something else before. Returns the argument x."""
    x_type, gamma_type, dy_type = dtypes
    x = f.arg("x", x_type, shape)
    gamma = f.arg("gamma", gamma_type, shape[-1:])
    dy = f.arg("dy", dy_type, shape)
    y, rstd = f.forward(x, gamma, sched=sched, **forward)
    into = f.arg("dgamma", gamma_type, shape[-1:]) if poisoned else gamma_type
    offset = forward.get("offset")
    dx, dgamma = f.backward(x, dy, rstd, gamma, dgamma=into, sched=sched, offset=offset)
    for label, value in (("y", y), ("rstd", rstd), ("dx", dx), ("dgamma", dgamma)):
        f.give(f"{label} {tag}".strip(), value)
    return x


def training_function(name, dtypes, shape, **options):
    f = Function(name)
    training(f, dtypes, shape, **options)
    return f


def forward_function(name, x_type, gamma_type, shape, epsilon=1e-5):
    """(x, gamma) -> (y, rstd)."""
    f = Function(name)
    x = f.arg("x", x_type, shape)
    y, rstd = f.forward(x, f.arg("gamma", gamma_type, shape[-1:]), epsilon=epsilon)
    f.give("y", y)
    f.give("rstd", rstd)
    return f


def noise(dtype, shape, scale=lambda row: 1.0):
    """Random values of either sign with magnitudes in [0.5, 1.5) * scale(row)."""
    columns = shape[-1]
    values = []
    for row in range(npy.count(shape) // columns):
        s = scale(row)
        values += [random.choice((-s, s)) * (0.5 + random.random()) for _ in range(columns)]
    return npy.make(values, dtype, shape)


def poke(array, changes):
    """`array` with {flat index: value} written over it."""
    size = npy.SIZE[array.dtype]
    data = bytearray(array.data)
    for index, value in changes.items():
        data[index * size : (index + 1) * size] = npy.pack([value], array.dtype)
    return array._replace(data=bytes(data))
