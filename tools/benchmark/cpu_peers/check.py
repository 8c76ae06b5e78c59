"""Whether a peer computes what we compute: sampled rows and columns against f64."""

import numpy

from benchmark.cpu_peers.data import EPSILON, widen

_ROWS, _COLUMNS = 64, 16

# Relative to the size of what is compared. Wide enough for peers that round on the
# way; a wrong formula or a row left out is far beyond.
_LIMITS = {"f32": 1e-4, "bf16": 1e-2}
_RSTD_LIMIT = 1e-4


def check_forward(data, y, rstd=None):
    """The errors of y, and of rstd where the peer gives it; raises if they are large."""
    rows = _sample(data.rows, _ROWS)
    x = widen(data.x[rows])
    expected = _make_rstd(x)
    _expect_shape("y", y, data.x.shape)
    errors = {"y": _judge("y", widen(y[rows]), x * expected * widen(data.gamma),
                          _LIMITS[data.dtype])}
    if rstd is not None:
        _expect_shape("rstd", rstd, (data.rows, 1))
        errors["rstd"] = _judge("rstd", widen(rstd[rows]), expected, _RSTD_LIMIT)
    return errors


def check_backward(data, dx, dgamma):
    """The errors of both gradients; raises if they are large."""
    rows, columns = _sample(data.rows, _ROWS), _sample(data.columns, _COLUMNS)
    _expect_shape("dx", dx, data.x.shape)
    _expect_shape("dgamma", dgamma, data.gamma.shape)
    x, grad = widen(data.x[rows]), widen(data.dy[rows]) * widen(data.gamma)
    rstd = _make_rstd(x)
    mean = (grad * x * rstd).mean(axis=1, keepdims=True)
    sums = (widen(data.dy[:, columns]) * widen(data.x[:, columns]) * _make_all_rstd(data)).sum(0)
    limit = _LIMITS[data.dtype]
    return {"dx": _judge("dx", widen(dx[rows]), rstd * (grad - x * rstd * mean), limit),
            "dgamma": _judge("dgamma", widen(dgamma[columns]), sums, limit)}


def _sample(count, most):
    return numpy.linspace(0, count - 1, min(count, most)).astype(int)


def _make_rstd(x):
    return 1 / numpy.sqrt((x * x).mean(axis=1, keepdims=True) + EPSILON)


def _make_all_rstd(data):
    """Of every row, some at a time: all in f64 at once would take much memory."""
    parts = numpy.array_split(data.x, -(-data.rows // 256))
    return numpy.concatenate([_make_rstd(widen(part)) for part in parts])


def _expect_shape(name, got, shape):
    if got.shape != shape:
        raise ValueError(f"wrong shape of {name}: expected {shape}, got {got.shape}")


def _judge(name, got, expected, limit):
    error = float(numpy.linalg.norm(got - expected) / numpy.linalg.norm(expected))
    if not error <= limit:
        raise ValueError(f"wrong {name}: expected an error <= {limit:g}, got {error:g}")
    return error
