#!/usr/bin/env python3
# Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write the modules and inputs of one family of cases into a directory.

    generate.py sizes --out DIR [--seed S] [--device emulate|cuda] [--sample COUNT]
    generate.py schedules --out DIR [--seed S] --device emulate|cuda [--part PART] [--opt PATH]
    generate.py large --out DIR [--seed S] --device cuda [--opt PATH]

DIR gets one .mlir file for each function, the .npy inputs that must be special,
and runs.json, which run_cases.py reads: what to run, how, and what must hold.
Without --seed inputs differ from run to run; the seed is printed.
"""

import argparse
import importlib
import json
import pathlib
import random

import npy
from family import MACHINES, sweeps

FAMILIES = ("sizes", "layout", "values", "types", "mlir", "random", "lengths", "large", "schedules")


def write_inputs(run, number, directory):
    """Files of the variants, as [{argument index: file name}, ...]."""
    written = []
    for v, variant in enumerate(run.variants):
        names = {}
        for index, array in variant.items():
            names[index] = f"{number:03}.{v}.{index}.npy"
            npy.save(directory / names[index], array)
        written.append(names)
    return written


def write_run(run, number, directory, schedules):
    """Writes what one run needs; returns its entry of runs.json."""
    module = f"{run.function.name}.mlir"
    (directory / module).write_text(str(run.function))
    return {
        "case": run.case,
        "what": run.what,
        "module": module,
        "entry": run.function.name,
        "labels": run.function.labels,
        "rows": run.rows,
        "cols": run.cols,
        "flags": run.flags,
        "check": run.check,
        "verify": run.verify,
        "variants": write_inputs(run, number, directory),
        "schedules": schedules[run.sweep],
    }


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("family", choices=FAMILIES)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**31))
    parser.add_argument("--device", choices=MACHINES, default="cpu", help="what the cases run on")
    parser.add_argument("--sample", type=int, help="so many runs, taken at random")
    parser.add_argument("--part", choices=("pairs", "random", "each", "few", "all"), default="all", help="of a family that has parts")
    parser.add_argument("--opt", default="rudnn-opt", help="lists the schedules")
    parser.add_argument("--batch", type=int, default=12, help="schedules in one module")
    args = parser.parse_args()
    if args.family == "schedules" and args.device == "cpu":
        parser.error("the schedules are those of a GPU: --device=emulate is missing")
    if args.family == "large" and args.device != "cuda":
        parser.error("the shapes are for a GPU: --device=cuda is missing")
    args.machine = MACHINES[args.device]
    return args


def main():
    args = parse_arguments()
    random.seed(args.seed)
    args.out.mkdir(parents=True, exist_ok=True)
    runs = list(importlib.import_module(f"family_{args.family}").runs(args))
    if args.sample is not None and args.sample < len(runs):
        runs = random.sample(runs, args.sample)
    schedules = sweeps(args.device)
    entries = [write_run(run, i, args.out, schedules) for i, run in enumerate(runs)]
    content = {"family": args.family, "seed": args.seed, "runs": entries}
    (args.out / "runs.json").write_text(json.dumps(content, indent=1))
    calls = sum(len(r["schedules"]) * len(r["variants"]) for r in entries)
    print(f"{args.family}: {len(runs)} runs, {calls} calls, --seed={args.seed}")


if __name__ == "__main__":
    main()
