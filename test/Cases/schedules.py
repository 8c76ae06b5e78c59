# Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The GPU schedules of an op, and few of many cases that show all pairs.

What is legal is asked of rudnn-opt; nothing here knows the rules.
"""

import itertools
import random
import re
import subprocess

import module

POLICIES = ("normal", "evict_first", "evict_last", "no_allocate", "streaming")

# Values from which a schedule is drawn that need not be in the enumeration.
# Those that are legal in most places are there more than once.
WILD = {
    "vector": (1, 2, 4, 4, 8, 8),
    "unroll": (1, 2, 3, 4, 7, 16),
    "parts": (0, 1, 2, 3, 7, 40),
    "cluster": (1, 1, 1, 2, 4, 8),
    "widen": ("convert", "shift", "mixed"),
    "product": ("late", "early"),
    "prefetch": (0, 0, 1, 2, 4),
    "threads": (1, 2, 4, 8, 16, 32, 32, 64, 64, 96, 128, 160, 224, 256, 352, 512, 736, 1024),
    "rows": (1, 1, 1, 1, 2, 2, 3, 4, 5, 7, 8, 10, 16, 24, 31, 32, 64, 96, 128, 512),
    "stage": ("registers", "registers", "shared", "reload", "loop"),
    "stages": (1, 2, 3, 4, 5, 8),
    "extra": (0, 0, 1, 2, 3, 5),
    "gamma": ("registers", "registers", "reload", "shared"),
    "blocks": (0, 0, 0, 1, 2, 4),
    "first_read": POLICIES,
    "second_read": POLICIES,
    "store": POLICIES,
    "merge_columns": (1, 2, 16, 32, 32, 128, 1024),
    "strips": (0, 0, 0, 1, 2, 3, 7, 16, 64),
}


def call(opt, text, *flags):
    """rudnn-opt on a module; (standard output, standard error)."""
    done = subprocess.run([opt, "-", *flags], input=text, capture_output=True, text=True)
    return done.stdout, done.stderr


def parse(text):
    """{field: value as text} of `#norm.schedule<...>`."""
    inside = re.fullmatch(r"#norm\.schedule<(.*)>", text.strip()).group(1)
    return dict(pair.split(" = ") for pair in inside.split(", "))


def enumerated(opt, function):
    """The schedules that norm-enumerate-schedules has for the op of `function`."""
    flags = ("--norm-enumerate-schedules=print", "-o", "/dev/null")
    lines, errors = call(opt, str(function), *flags)
    found = [parse(line) for line in lines.splitlines()]
    if not found:
        raise RuntimeError(f"{opt} has no schedules for\n{function}\n{errors}")
    return found


def draw():
    """Fields as they come; most of these are not legal."""
    return {name: random.choice(values) for name, values in WILD.items()}


def legal(opt, functions):
    """The indices of those functions that the verifier accepts. Function i is
    called wild_i."""
    text = "\n// -----\n".join(map(str, functions))
    output, _ = call(opt, text, "--split-input-file")
    return sorted(map(int, re.findall(r"func\.func @wild_(\d+)\(", output)))


def text(fields):
    return module.schedule(**fields)


def cost(fields, columns, is_backward):
    """How much code a kernel is, about: accesses of a thread to a row."""
    vector, threads, unroll, rows = (int(fields.get(n, d)) for n, d in (("vector", 16), ("threads", 0), ("unroll", 4), ("rows", 1)))
    if fields.get("stage") == "loop":
        pieces = unroll
    else:
        pieces = -(-columns // (vector * threads))
    if not is_backward:
        return 2 + pieces
    # Rows of the same warp are summed element by element.
    steps = (32 // threads).bit_length() - 1 if threads < 32 and rows > 1 else 0
    return 6 + pieces * (3 + steps * vector)


# What these have to do with is little; all else has to do with all else.
_ONLY = {
    "M": {"op", "rows", "parts", "stage", "stages", "extra", "prefetch", "layout", "cluster", "strips"},
    "layout": {"op", "x", "vector", "stage", "N", "gamma", "cluster", "strips"},
    "parts": {"op", "rows", "stage", "stages", "prefetch", "cluster", "strips"},
    "strips": {"op", "M", "N", "layout", "parts", "prefetch", "rows", "stage", "threads", "vector"},
    "merge_columns": {"op", "N", "parts", "gamma type"},
    "blocks": {"op", "stage"},
    "extra": {"op", "stage", "stages", "rows", "x", "N", "M", "gamma", "cluster"},
    "first_read": {"op", "stage", "vector", "prefetch"},
    "second_read": {"op", "stage", "vector"},
    "store": {"op", "stage", "vector"},
    "widen": {"op", "x", "stage", "vector"},
    "product": {"op", "has gamma", "stage", "gamma"},
}


def pairs(features):
    """The pairs of features that may have to do with each other."""
    for (a, value), (b, other) in itertools.combinations(sorted(features.items()), 2):
        if b in _ONLY.get(a, (b,)) and a in _ONLY.get(b, (a,)):
            yield a, value, b, other


def cover(candidates, features, cost, tries=20):
    """Some of `candidates` in which every pair of features occurs that occurs in
    all of them. `features` makes {name: value} of a candidate.

    Takes the pairs that fewest candidates have first, and for each that one of
    `tries` candidates that adds most for its `cost`."""
    holders = {}
    for i, candidate in enumerate(candidates):
        for pair in pairs(features(candidate)):
            holders.setdefault(pair, []).append(i)
    missing, chosen = set(holders), []
    for pair in sorted(holders, key=lambda p: (len(holders[p]), str(p))):
        if pair not in missing:
            continue
        some = [candidates[i] for i in random.sample(holders[pair], min(tries, len(holders[pair])))]
        gains = [missing.intersection(pairs(features(c))) for c in some]
        best = max(range(len(some)), key=lambda k: len(gains[k]) / cost(some[k]))
        missing -= gains[best]
        chosen.append(some[best])
    return chosen
