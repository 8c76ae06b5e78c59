"""Measures one peer on the CPU: `python3 -m benchmark.cpu_peers.worker PEER THREADS SECONDS`.

Answers first with the versions, or why the peer cannot be used, and then each case,
a JSON object on a line of the input, with times or an error.
"""

import json
import sys
import traceback

from benchmark.answers import describe_error, get_versions, open_answers


def make_peer(name, threads):
    """The peer of a name, `family` or `family/variant`; raises if it is not there."""
    family, _, variant = name.partition("/")
    if family == "onnxruntime":
        from benchmark.cpu_peers.onnx_peer import OnnxRuntime
        return OnnxRuntime(variant, threads)
    if family == "xla":
        from benchmark.cpu_peers.xla_peer import XLA
        return XLA(variant, threads)
    from benchmark.cpu_peers import torch_peers
    return {"eager": torch_peers.Eager, "compile": torch_peers.Compiled}[family](variant, threads)


def measure(peer, case, threads, seconds):
    from benchmark.cpu_peers import check
    from benchmark.cpu_peers.data import Data
    from benchmark.cpu_peers.timing import time_in_turn

    data = Data(case["dtype"], case["rows"], case["columns"])
    run = peer.prepare(case["operation"], data)
    judge = check.check_forward if case["operation"] == "forward" else check.check_backward
    errors = judge(data, *map(peer.get_array, run()))
    return {"errors": errors, **time_in_turn(run, case["bytes"], threads, seconds)}


def main(name, threads, seconds):
    answer = open_answers()
    try:
        import numpy  # Whatever the peer is, the data needs it.
        peer = make_peer(name, threads)
        answer({"versions": {**get_versions(peer), "numpy": numpy.__version__}})
    except Exception as error:
        traceback.print_exc()
        answer({"error": describe_error(error)})
        return
    while line := sys.stdin.readline():
        try:
            answer(measure(peer, json.loads(line), threads, seconds))
        except Exception as error:
            traceback.print_exc()
            answer({"error": describe_error(error)})


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
