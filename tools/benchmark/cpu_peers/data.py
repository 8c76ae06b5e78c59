"""Inputs of a norm on the CPU. numpy has no bf16: such arrays hold its bits."""

import numpy

# That of the modules that are measured beside.
EPSILON = 1e-5


class Data:
    def __init__(self, dtype, rows, columns):
        self.dtype, self.rows, self.columns = dtype, rows, columns
        random = numpy.random.default_rng(0)

        def make(*shape):
            values = random.standard_normal(shape, dtype=numpy.float32)
            return values if dtype == "f32" else _round_to_bits(values)

        self.x, self.dy, self.gamma = make(rows, columns), make(rows, columns), make(columns)


def _round_to_bits(values):
    """To the nearest bf16, to the even one of two."""
    bits = values.view(numpy.uint32)
    bits = bits + 0x7FFF + (bits >> 16 & 1)
    return (bits >> 16).astype(numpy.uint16)


def widen(array):
    """The values in f64, of floating-point numbers or of the bits of bf16."""
    if array.dtype == numpy.uint16:
        array = (array.astype(numpy.uint32) << 16).view(numpy.float32)
    return array.astype(numpy.float64)
