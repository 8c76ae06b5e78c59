"""torch on the CPU, eager and compiled; the backward is autograd's."""

import torch
import torch.nn.functional

from benchmark.cpu_peers.data import EPSILON


def _make_tensor(array):
    tensor = torch.from_numpy(array)
    return tensor if tensor.dtype == torch.float32 else tensor.view(torch.bfloat16)


class Eager:
    packages = ["torch"]

    def __init__(self, variant, threads):
        torch.set_num_threads(threads)

    def apply(self, x, gamma):
        return torch.nn.functional.rms_norm(x, gamma.shape, gamma, EPSILON)

    def prepare(self, operation, data):
        """A function that runs the operation and gives its results."""
        x, gamma = (_make_tensor(array).requires_grad_() for array in (data.x, data.gamma))
        if operation == "forward":
            return lambda: (self.apply(x, gamma),)
        y, dy = self.apply(x, gamma), _make_tensor(data.dy)
        return lambda: torch.autograd.grad(y, (x, gamma), dy, retain_graph=True)

    def get_array(self, tensor):
        return tensor.detach().float().numpy()


class Compiled(Eager):
    def __init__(self, variant, threads):
        super().__init__(variant, threads)
        self.compiled = torch.compile(super().apply, dynamic=False)

    def apply(self, x, gamma):
        return self.compiled(x, gamma)
