#!/usr/bin/env python3
# Part of RuDNN, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run what generate.py wrote, and say which case fails and how to see it again.

    run_cases.py DIR [--runner PATH] [--seed S] [--only CASE] [--jobs N]

Every run goes through rudnn-runner under each of its schedules, is compared
with the runner's reference, and by verify.py where the case asks for more.
Random inputs differ from run to run; the seed is printed. Exit code 1 if a case
fails, and all failures are shown.
"""

import argparse
import concurrent.futures
import json
import pathlib
import random
import re
import shlex
import subprocess
import sys
import tempfile

import npy
import verify


def command(args, run, variant, schedule, seed, outputs):
    """The rudnn-runner call for one variant of a run."""
    parts = [*shlex.split(args.runner), str(args.dir / run["module"]), f"--entry={run['entry']}"]
    parts += [f"--{o}={run[o]}" for o in ("rows", "cols") if run[o] is not None]
    parts += [f"--input={i}={args.dir / name}" for i, name in variant.items()]
    parts += run["flags"] + [f"--seed={seed}"]
    parts += ["--check"] if run["check"] else []
    parts += schedule
    parts += [f"--output-dir={outputs}"] if outputs else []
    return parts


def results(directory):
    """The arrays of a run's output directory, in the order of the results."""
    files = sorted(directory.glob("*.npy"), key=lambda p: (len(p.name), p.name))
    return [npy.load(f) for f in files]


class Failure(Exception):
    pass


def call(parts):
    done = subprocess.run(parts, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        lines = [l for l in done.stdout.splitlines() if not l.startswith("argument") and ": ok," not in l]
        raise Failure("\n  ".join([f"exit code {done.returncode}"] + lines[-40:]))


def try_run(args, run, schedule, seed, scratch, said):
    """All variants of a run under one schedule; appends commands to `said`.

    Each variant has another seed: results that are compared come from files, and
    the emulator takes the order of threads from it."""
    variants = []
    for number, variant in enumerate(run["variants"]):
        outputs = scratch / str(number) if run["verify"] else None
        if outputs:
            outputs.mkdir()
        parts = command(args, run, variant, schedule, seed + number, outputs)
        said.append(shlex.join(parts))
        call(parts)
        inputs = {int(i): npy.load(args.dir / name) for i, name in variant.items()}
        if outputs:
            variants.append((inputs, results(outputs)))
    if run["verify"]:
        name, options = run["verify"]
        try:
            getattr(verify, name)(variants, **options)
        except verify.Wrong as wrong:
            raise Failure(f"{name}: {wrong}")


def report(run, schedule, said, failure):
    print(f"FAILED case {run['case']}: {run['what']}; schedule: {' '.join(schedule) or 'default'}")
    print(f"  {failure}")
    for i in sorted(set(map(int, re.findall(r"^  result (\d+)", str(failure), re.MULTILINE)))):
        print(f"  result {i} is {run['labels'][i]}")
    for line in said:
        print(f"  run again: {line}")
    sys.stdout.flush()


def attempt(args, run, schedule, seed):
    """One call of a run: (run, schedule, commands, failure or None)."""
    said = []
    with tempfile.TemporaryDirectory() as scratch:
        try:
            try_run(args, run, schedule, seed, pathlib.Path(scratch), said)
        except Failure as failure:
            return run, schedule, said, failure
    return run, schedule, said, None


def run_all(args, runs):
    """Runs everything; reports in order. (runs, failures)"""
    seeds = random.Random(args.seed)
    calls = [(args, run, s, seeds.randrange(2**31)) for run in runs for s in run["schedules"]]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for run, schedule, said, failure in pool.map(lambda call: attempt(*call), calls):
            if failure:
                failed += 1
                report(run, schedule, said, failure)
    return len(calls), failed


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("dir", type=pathlib.Path)
    parser.add_argument("--runner", default="rudnn-runner")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**31))
    parser.add_argument("--only", type=int, help="run one case number only")
    parser.add_argument("--jobs", type=int, default=1, help="runs at the same time")
    args = parser.parse_args()
    content = json.loads((args.dir / "runs.json").read_text())
    runs = [r for r in content["runs"] if args.only in (None, r["case"])]
    if not runs:
        parser.error(f"no case {args.only} in {args.dir}")
    print(f"{content['family']}: --seed={args.seed}, inputs --seed={content['seed']}", flush=True)
    total, failed = run_all(args, runs)
    print(f"{total} runs, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
