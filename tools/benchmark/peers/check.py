"""Whether a peer computes what we compute: sampled rows and columns against f64."""

import torch

from benchmark.peers.data import EPSILON

_ROWS, _COLUMNS = 64, 16

# Relative to the size of what is compared. Wide enough for peers that round on the
# way; a wrong formula or a row left out is far beyond.
_LIMITS = {torch.float32: 1e-4, torch.float16: 2e-3, torch.bfloat16: 1e-2}


def check_forward(x, gamma, y):
    rows = _sample(x.shape[0], _ROWS, x.device)
    some = x[rows].double()
    return _judge({"y": _get_error(y[rows], some * _make_rstd(some) * gamma.double())}, x.dtype)


def check_backward(x, gamma, dy, dx, dgamma):
    rows = _sample(x.shape[0], _ROWS, x.device)
    some, grad = x[rows].double(), dy[rows].double() * gamma.double()
    rstd = _make_rstd(some)
    mean = (grad * some * rstd).mean(dim=1, keepdim=True)
    columns = _sample(x.shape[1], _COLUMNS, x.device)
    sums = (dy[:, columns].double() * x[:, columns].double() * _make_rstd(x)).sum(dim=0)
    return _judge({"dx": _get_error(dx[rows], rstd * (grad - some * rstd * mean)),
                   "dgamma": _get_error(dgamma[columns], sums)}, x.dtype)


def _sample(count, most, device):
    return torch.linspace(0, count - 1, min(count, most), device=device).long()


def _make_rstd(x):
    norms = torch.linalg.vector_norm(x, dim=1, keepdim=True, dtype=torch.float64)
    return (norms.square() / x.shape[1] + EPSILON).rsqrt()


def _get_error(got, expected):
    return ((got.double() - expected).norm() / expected.norm()).item()


def _judge(errors, dtype):
    """The errors; raises where one is too large or not a number."""
    for name, error in errors.items():
        if not error <= _LIMITS[dtype]:
            raise ValueError(f"wrong {name}: expected an error <= {_LIMITS[dtype]:g}, got {error:g}")
    return errors
