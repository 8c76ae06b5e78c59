"""What the processes that measure other libraries have in common."""

import importlib.metadata
import json
import os


def open_answers():
    """A function that answers the process that asks: a line of JSON after ANSWER. What
    libraries print must not come between the answers, and goes where errors go."""
    output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def answer(value):
        print("ANSWER", json.dumps(value), file=output, flush=True)

    return answer


def describe_error(error):
    lines = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {lines[0]}"[:300]


def get_versions(peer):
    versions = {}
    for package in peer.packages:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            versions[package] = "unknown"
    return versions
