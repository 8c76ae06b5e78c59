"""Measures one peer in a process of its own: `python3 -m benchmark.peers.worker PEER`.

Reads cases from the input, a JSON object a line, and answers each with a line that
starts with ANSWER. The first answer is the versions, or why the peer cannot be used.
With --prepare it only runs each case once, which fills the caches of peers that
compile; several such processes may run at a time.
"""

import json
import sys
import traceback

from benchmark.answers import describe_error, get_versions, open_answers


def make_peer(name):
    """The peer of a name, `family` or `family/variant`; raises if it is not there."""
    from benchmark.peers import adapters

    family, _, variant = name.partition("/")
    if family == "cudnn":
        from benchmark.peers.cudnn_graph import CuDNN
        return CuDNN(variant)
    classes = {"eager": adapters.Eager, "compile": adapters.Compiled, "liger": adapters.Liger,
               "quack": adapters.Quack}
    return classes[family](variant)


class Bench:
    """A peer, and the data of one shape at a time."""

    def __init__(self, peer):
        self.peer = peer
        self.shape, self.data, self.copies = None, None, {}

    def take_shape(self, *shape):
        import torch
        from benchmark.peers.data import Data

        if self.shape == shape:
            return
        self.peer.reset()
        self.shape, self.data, self.copies = None, None, {}
        torch.cuda.empty_cache()
        self.data = Data(*shape)
        self.shape = shape

    def check(self, operation, call):
        """Runs a pass on the first set and compares; gives the errors."""
        from benchmark.peers import check

        data = self.data
        if operation == "forward":
            return check.check_forward(data.x[0], data.gamma, call(0))
        dy = data.dy[0].clone()  # Some peers write dx over it.
        return check.check_backward(data.x[0], data.gamma, dy, *call(0))

    def measure(self, operation):
        from benchmark.peers.timing import time_passes

        call, count = self.peer.prepare(operation, self.data), self.data.count_bytes(operation)
        errors = self.check(operation, call)
        copy = self.time_copy(count)
        return {"bytes": count, "buffer_sets": self.data.sets, "errors": errors, "copy": copy,
                "function": time_passes(call, count, self.data.sets)}

    def prepare(self, operation):
        return {"errors": self.check(operation, self.peer.prepare(operation, self.data))}

    def time_copy(self, count):
        from benchmark.peers.timing import time_copies

        if count not in self.copies:
            timing = time_copies(self.data.make_copy(count), count)
            self.copies[count] = {"bytes": count, **timing}
        return self.copies[count]


def answer_cases(bench, work, answer):
    """Answers until the input ends, or the device is lost to this process."""
    goes_on = True
    while goes_on and (line := sys.stdin.readline()):
        case = json.loads(line)
        try:
            bench.take_shape(case["dtype"], case["rows"], case["columns"])
            result = work(case["operation"])
        except Exception as error:
            traceback.print_exc()
            result = {"error": describe_error(error)}
        goes_on = is_device_usable()
        answer({**result, "goes_on": goes_on})


def is_device_usable():
    import torch

    try:
        torch.cuda.synchronize()
        return True
    except RuntimeError:
        return False


def main(name, preparing):
    answer = open_answers()
    try:
        import torch

        torch.cuda.set_stream(torch.cuda.Stream())
        peer = make_peer(name)
        answer({"versions": get_versions(peer)})
    except Exception as error:
        traceback.print_exc()
        answer({"error": describe_error(error)})
        return
    bench = Bench(peer)
    answer_cases(bench, bench.prepare if preparing else bench.measure, answer)


if __name__ == "__main__":
    main(sys.argv[1], "--prepare" in sys.argv[2:])
