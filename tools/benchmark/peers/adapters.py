"""The libraries that we compare with, each behind the same few calls.

A peer is made with its variant's name; `prepare(operation, data)` gives a function of
the number of a pass that runs it and returns y, or dx and dgamma.
"""

import torch
import torch._inductor.config
import torch.nn.functional

from benchmark.peers.data import EPSILON


class AutogradPeer:
    """A differentiable function of x and gamma, called as its users call it."""

    packages = ["torch"]

    def __init__(self, variant):
        """Variants are up to the peer."""

    def apply(self, x, gamma):
        raise NotImplementedError

    def reset(self):
        """Forgets what belongs to the last shape."""

    def prepare(self, operation, data):
        inputs = [x.detach().requires_grad_() for x in data.x]
        gamma = data.gamma.detach().requires_grad_()
        if operation == "forward":
            return lambda i: self.apply(inputs[i % data.sets], gamma)
        outputs = [self.apply(x, gamma) for x in inputs]

        def run(i):
            i %= data.sets
            return torch.autograd.grad(outputs[i], (inputs[i], gamma), data.dy[i],
                                       retain_graph=True)

        return run


class Eager(AutogradPeer):
    def apply(self, x, gamma):
        return torch.nn.functional.rms_norm(x, gamma.shape, gamma, EPSILON)


class Compiled(Eager):
    def __init__(self, variant):
        mode = {"": None, "max-autotune": "max-autotune-no-cudagraphs"}[variant]
        # Kernels are compiled while others run, but are to be chosen while none does.
        torch._inductor.config.autotune_local_cache = False
        self.compiled = torch.compile(super().apply, mode=mode, dynamic=False)

    def reset(self):
        torch._dynamo.reset()

    def apply(self, x, gamma):
        return self.compiled(x, gamma)


class Liger(AutogradPeer):
    packages = ["liger_kernel", "triton"]

    def __init__(self, variant):
        from liger_kernel.ops.rms_norm import LigerRMSNormFunction
        self.function, self.casting = LigerRMSNormFunction, variant

    def apply(self, x, gamma):
        return self.function.apply(x, gamma, EPSILON, 0.0, self.casting)


class Quack(AutogradPeer):
    packages = ["quack-kernels", "nvidia-cutlass-dsl"]

    def __init__(self, variant):
        import quack
        self.function = quack.rmsnorm

    def apply(self, x, gamma):
        return self.function(x, gamma, eps=EPSILON)
