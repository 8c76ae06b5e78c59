"""Commands that are run, and what is read from their output, files and options."""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def fail(message, code=1):
    print(f"error: {message}", file=sys.stderr)
    sys.exit(code)


def run(command):
    """The output of a command, both streams; ends the benchmark if it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        fail(f"exit code {done.returncode} of {' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def read_text(path):
    try:
        return pathlib.Path(path).read_text()
    except OSError:
        return ""


def find(pattern, text, default="unknown"):
    match = re.search(pattern, text, re.MULTILINE)
    return match.group(1).strip() if match else default


def check_tools(folder, tools):
    for tool in tools:
        if not (folder / tool).is_file():
            fail(f"--bin: no {tool} in {folder}", 2)


def describe_build(folder):
    """LLVM as the tools say it, compiler and build type as CMake recorded them."""
    version = run([folder / "rudnn-runner", "--version"])
    cache = read_text(folder.parent / "CMakeCache.txt")
    compiler = find(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache)
    shown = run([compiler, "--version"]).splitlines()[0] if compiler != "unknown" else compiler
    return {
        "llvm": find(r"LLVM version (\S+)", version),
        "compiler": shown,
        "build_type": find(r"^CMAKE_BUILD_TYPE:\w+=(.*)$", cache),
        **describe_commit(),
    }


def describe_commit():
    def git(*arguments):
        if shutil.which("git") is None:
            return None
        done = subprocess.run(["git", "-C", SOURCE, *arguments], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True)
        return done.stdout.strip() if done.returncode == 0 else None

    changed = git("status", "--porcelain", "--untracked-files=no", "--", "include", "lib")
    return {"commit": git("rev-parse", "HEAD") or "unknown", "modified": bool(changed)}


def format_commit(build):
    return build["commit"][:12] + (" with changes" if build["modified"] else "")


def parse_shape(text):
    match = re.fullmatch(r"([1-9]\d*)x([1-9]\d*)", text)
    if not match:
        raise argparse.ArgumentTypeError(f"expected MxN with M, N >= 1, got '{text}'")
    return int(match[1]), int(match[2])


def parse_count(text):
    if not re.fullmatch(r"[1-9]\d*", text):
        raise argparse.ArgumentTypeError(f"expected a number >= 1, got '{text}'")
    return int(text)
