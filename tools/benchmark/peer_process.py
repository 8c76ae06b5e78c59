"""Other libraries, each measured by a process of its own (peers/worker.py)."""

import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
import threading
import time

from benchmark.commands import SOURCE
from benchmark.modules import describe

PEERS = ["eager", "compile", "liger/llama", "liger/gemma", "quack", "cudnn"]
MORE_PEERS = ["compile/max-autotune", "cudnn/best-plan"]
FAMILIES = {"eager": "torch eager", "compile": "torch.compile", "liger": "Liger",
            "quack": "QuACK", "cudnn": "cuDNN"}

# Those whose first call takes seconds and leaves something for the next process.
_COMPILES = {"compile", "liger", "quack"}
_START_SECONDS, _CASE_SECONDS = 120, 240


def get_family(peer):
    return peer.split("/")[0]


class PeerError(Exception):
    """A process that ended before it answered."""


class PeerProcess:
    """A peer that answers cases, one after the other."""

    def __init__(self, *arguments, worker="benchmark.peers.worker", environment=None):
        path = [str(SOURCE / "tools"), os.environ.get("PYTHONPATH", "")]
        # Inductor starts as many compilers as there are cores, in each process.
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path)),
                       "TORCHINDUCTOR_COMPILE_THREADS": "2", **(environment or {})}
        self.log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [sys.executable, "-m", worker, *arguments], env=environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.versions = self._read(_START_SECONDS)
        self.goes_on = True

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()
        self.log.close()

    def ask(self, case):
        try:
            print(json.dumps(case), file=self.process.stdin, flush=True)
        except BrokenPipeError:
            pass  # It ended: reading says how.
        answer = self._read(_CASE_SECONDS)
        self.goes_on = answer.pop("goes_on", True)
        return answer

    def _read(self, seconds):
        start = time.monotonic()
        timer = threading.Timer(seconds, self.process.kill)
        timer.start()
        try:
            for line in self.process.stdout:
                if line.startswith("ANSWER "):
                    return json.loads(line.removeprefix("ANSWER "))
        finally:
            timer.cancel()
        late = time.monotonic() - start >= seconds
        raise PeerError(f"no answer in {seconds} s" if late else self._describe_end())

    def _describe_end(self):
        code = self.process.wait()
        self.log.seek(0)
        lines = self.log.read().strip().splitlines() or ["no output"]
        return f"exit code {code}: {lines[-1][:300]}"


def measure(peer, cases, add_peer, add, is_time_left):
    """Hands each case's answer to `add`. A process that ends, or that a failure has cost
    its device, takes only its case along: the next one has a process of its own."""
    left = list(cases)
    while left and is_time_left():
        case = None
        try:
            with PeerProcess(peer) as process:
                add_peer(process.versions)
                if "error" in process.versions:
                    return
                while process.goes_on and left and is_time_left():
                    case = left.pop(0)
                    add(case, process.ask(case))
        except PeerError as error:
            if case is None:
                add_peer({"error": str(error)})
                return
            add(case, {"error": str(error)})


def prepare(peer, cases, jobs, is_time_left):
    """Has a peer that compiles do so for all cases, in several processes at a time."""
    if get_family(peer) not in _COMPILES:
        return
    shapes = list(dict.fromkeys((c["dtype"], c["rows"], c["columns"]) for c in cases))
    shares = [shapes[i::jobs] for i in range(min(jobs, len(shapes)))]

    def run(share):
        mine = [c for c in cases if (c["dtype"], c["rows"], c["columns"]) in share]
        try:
            with PeerProcess(peer, "--prepare") as process:
                for case in mine:
                    if "error" in process.versions or not process.goes_on or not is_time_left():
                        return
                    answer = process.ask(case)
                    print(f"{describe(case)}: {peer}: {answer.get('error', 'ready')}", flush=True)
        except PeerError:
            pass  # What is wrong will be said when the case is measured.

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(run, shares))
