"""How long a pass on the GPU takes: events round batches of passes."""

import math
import statistics

import torch

_BATCH_US = 1500
_MOST_PASSES = 20
_LEAST_BATCHES, _MOST_BATCHES = 50, 100
_SECONDS = 0.12
_SLOWEST_BYTES_PER_US = 4.0e6
_LEAST_PASS_US = 3
_MOST_REPLAYED_BYTES = 600e6


def time_passes(call, count, sets):
    """Times `call(i)`, which works on set i modulo `sets` and moves `count` bytes.

    A batch is a graph that is replayed, so the host's work is not in the numbers.
    What passes return is kept for a turn of the sets: results lie in as many places
    as inputs do.
    """
    passes, batches = _plan(count)
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
    return _summarize(_time_batches(graph.replay, batches), passes)


def time_copies(call, count):
    """The same for copies. Long ones are not replayed: in a graph, a copy of a multiple
    of 512 MiB takes half as long again as the same copy in a stream."""
    if count < _MOST_REPLAYED_BYTES:
        return time_passes(call, count, 1)
    passes, batches = _plan(count)

    def run_batch():
        for i in range(passes):
            call(i)

    return _summarize(_time_batches(run_batch, batches), passes)


def _plan(count):
    """How many passes make a batch, and how many batches are timed."""
    expected_us = max(_LEAST_PASS_US, count / _SLOWEST_BYTES_PER_US)
    passes = max(1, min(_MOST_PASSES, math.ceil(_BATCH_US / expected_us)))
    batches = int(_SECONDS * 1e6 / (expected_us * passes))
    return passes, max(_LEAST_BATCHES, min(_MOST_BATCHES, batches))


def _summarize(times, passes):
    times = sorted(us / passes for us in times)
    return {
        "median_us": statistics.median(times),
        "p10_us": times[len(times) // 10],
        "p90_us": times[len(times) * 9 // 10],
        "batches": len(times),
        "passes": passes,
    }


def _time_batches(run_batch, batches):
    events = [[torch.cuda.Event(enable_timing=True) for _ in range(2)] for _ in range(batches)]
    for _ in range(4):
        run_batch()
    for start, end in events:
        start.record()
        run_batch()
        end.record()
    torch.cuda.synchronize()
    return [start.elapsed_time(end) * 1e3 for start, end in events]
