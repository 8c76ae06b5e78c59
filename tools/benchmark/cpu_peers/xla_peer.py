"""XLA on the CPU, through jax: the formula, and the backward that jax derives of it."""

import jax
import jax.numpy
import numpy

from benchmark.cpu_peers.data import EPSILON


def _make_array(array):
    made = jax.numpy.asarray(array)
    return made if made.dtype == jax.numpy.float32 else made.view(jax.numpy.bfloat16)


def _normalize(x, gamma):
    wide = x.astype(jax.numpy.float32)
    mean = jax.numpy.mean(wide * wide, axis=-1, keepdims=True)
    rstd = jax.lax.rsqrt(mean + EPSILON)
    return (wide * rstd * gamma.astype(jax.numpy.float32)).astype(x.dtype), rstd


class XLA:
    """The number of threads is up to the environment."""

    packages = ["jax", "jaxlib"]

    def __init__(self, variant, threads):
        """There are no variants."""

    def prepare(self, operation, data):
        """A function that runs the operation and gives its results."""
        x, gamma, dy = (_make_array(array) for array in (data.x, data.gamma, data.dy))
        if operation == "forward":
            forward = jax.jit(_normalize)
            return lambda: jax.block_until_ready(forward(x, gamma))
        # What the forward leaves for the backward is made once, as by autograd.
        pull = jax.jit(lambda *inputs: jax.vjp(lambda *i: _normalize(*i)[0], *inputs)[1])(x, gamma)
        backward = jax.jit(lambda pull, dy: pull(dy))
        return lambda: jax.block_until_ready(backward(pull, dy))

    def get_array(self, array):
        return numpy.asarray(array.astype(jax.numpy.float32))
