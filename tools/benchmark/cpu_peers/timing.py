"""How long a call takes, in turn with a copy of as many bytes."""

import concurrent.futures
import ctypes
import statistics
import time

import numpy

# As rudnn-runner has them.
_WARM_UP_SECONDS, _LEAST = 0.2, 10


class Copy:
    """memcpy from one buffer to another on several threads, of which the caller is one."""

    def __init__(self, count, threads):
        size = count // 2
        self.source = numpy.full(size, 1, numpy.uint8)
        self.target = numpy.full(size, 2, numpy.uint8)
        self.bounds = [size * i // threads for i in range(threads + 1)]
        self.pool = concurrent.futures.ThreadPoolExecutor(max(threads - 1, 1))
        # A function that is called through CDLL lets other threads of Python run.
        self.memcpy = ctypes.CDLL(None).memcpy
        self.memcpy.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]
        self.memcpy.restype = ctypes.c_void_p

    def __call__(self):
        parts = list(zip(self.bounds, self.bounds[1:]))
        others = [self.pool.submit(self._copy, *part) for part in parts[1:]]
        self._copy(*parts[0])
        concurrent.futures.wait(others)

    def _copy(self, begin, end):
        self.memcpy(self.target.ctypes.data + begin, self.source.ctypes.data + begin,
                    end - begin)


def time_in_turn(function, count, threads, seconds):
    """Times the function and a copy of `count` bytes by turns, as rudnn-runner does."""
    calls = {"function": function, "memcpy": Copy(count, threads)}
    times = {name: [] for name in calls}
    _repeat(lambda: [_time(call) for call in calls.values()], _WARM_UP_SECONDS, 1)
    repetitions = _repeat(lambda: [times[name].append(_time(call))
                                   for name, call in calls.items()], seconds, _LEAST)
    timed = {name: _summarize(times[name], count) for name in calls}
    return {"bytes": count, "repetitions": repetitions, **timed,
            "ratio": timed["memcpy"]["median_us"] / timed["function"]["median_us"]}


def _repeat(turn, seconds, least):
    """How often it did so."""
    count, end = 0, time.monotonic() + seconds
    while count < least or time.monotonic() < end:
        turn()
        count += 1
    return count


def _time(call):
    start = time.perf_counter()
    result = call()
    elapsed = time.perf_counter() - start
    del result  # Kept till here: to free it is not part of the call.
    return elapsed * 1e6


def _summarize(times, count):
    times.sort()
    median = statistics.median(times)
    return {"median_us": median, "p10_us": times[len(times) // 10],
            "p90_us": times[len(times) * 9 // 10], "gb_per_s": count / median / 1e3}
