"""Inputs of a norm on the GPU, in more sets than its cache holds."""

import torch

DTYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}
EPSILON = 1e-6

# What a pass reads is not to be in the cache when its turn comes again: the sets of x
# alone are as large as that many caches, unless that takes too many.
_CACHES, _MOST_SETS = 8, 20


class Data:
    """x and dy in `sets` sets, which passes take in turn, and one gamma."""

    def __init__(self, dtype, rows, columns):
        self.rows, self.columns = rows, columns
        torch.manual_seed(0)
        self.one = rows * columns * DTYPES[dtype].itemsize
        cache = torch.cuda.get_device_properties(0).L2_cache_size
        self.sets = max(1, min(_MOST_SETS, _CACHES * cache // self.one))
        make = {"dtype": DTYPES[dtype], "device": "cuda"}
        self.x = [torch.randn(rows, columns, **make) for _ in range(self.sets)]
        self.dy = [torch.randn(rows, columns, **make) for _ in range(self.sets)]
        self.gamma = torch.rand(columns, **make) + 0.5

    def count_bytes(self, operation):
        """Bytes of x, dy, y and dx that a pass must read or write."""
        return (2 if operation == "forward" else 3) * self.one

    def make_copy(self, count):
        """A pass that moves `count` bytes, half of them read, half written."""
        source = [torch.randint(0, 255, (count // 2,), dtype=torch.uint8, device="cuda")
                  for _ in range(self.sets)]
        target = [torch.empty_like(one) for one in source]
        return lambda i: target[i % self.sets].copy_(source[i % self.sets])
