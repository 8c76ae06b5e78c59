"""How long a pass on the GPU takes: events round batches of passes."""

import math
import statistics

import torch

_BATCH_US = 2000
_WARM_UP_BATCHES, _BATCHES = 20, 60
_BYTES_PER_US, _LEAST_PASS_US = 4.0e6, 2  # What a good pass takes, at least.
_MOST_REPLAYED_BYTES = 600e6


def time_passes(call, count, sets):
    """Times `call(i)`, which works on set i modulo `sets` and moves `count` bytes.

    A batch is a graph that is replayed, so the host's work is not in the numbers.
    What passes return is kept for a turn of the sets: results lie in as many places
    as inputs do.
    """
    passes = _count_passes(count, sets)
    kept = [None] * sets

    def run_batch():
        for i in range(passes):
            kept[i % sets] = call(i)

    run_batch()
    kept[:] = [None] * sets
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=torch.cuda.current_stream()):
        run_batch()
    return _time_batches(graph.replay, passes)


def time_copies(call, count):
    """The same for copies. Long ones are not replayed: in a graph, a copy of a multiple
    of 512 MiB takes half as long again as the same copy in a stream."""
    if count < _MOST_REPLAYED_BYTES:
        return time_passes(call, count, 1)
    passes = _count_passes(count, 1)

    def run_batch():
        for i in range(passes):
            call(i)

    return _time_batches(run_batch, passes)


def _count_passes(count, sets):
    """How many passes make a batch: whole turns of the sets, and long enough for the
    events round it not to count."""
    passes = _BATCH_US / max(_LEAST_PASS_US, count / _BYTES_PER_US)
    return math.ceil(passes / sets) * sets


def _time_batches(run_batch, passes):
    events = [[torch.cuda.Event(enable_timing=True) for _ in range(2)] for _ in range(_BATCHES)]
    for _ in range(_WARM_UP_BATCHES):
        run_batch()
    for start, end in events:
        start.record()
        run_batch()
        end.record()
    torch.cuda.synchronize()
    times = sorted(start.elapsed_time(end) * 1e3 / passes for start, end in events)
    return {
        "median_us": statistics.median(times),
        "p10_us": times[len(times) // 10],
        "p90_us": times[len(times) * 9 // 10],
        "repetitions": len(times),
        "calls_per_batch": passes,
    }
