"""cuDNN through its Python frontend: one graph for each operation and shape."""

import cudnn
import torch

from benchmark.peers.data import EPSILON
from benchmark.peers.timing import time_passes


class CuDNN:
    """`variant` "" takes the plan that cuDNN's heuristic names first, "best-plan" the
    fastest of those that it lists."""

    packages = ["nvidia-cudnn-frontend", "nvidia-cudnn-cu13"]

    def __init__(self, variant):
        self.try_all = variant == "best-plan"
        self.handle = cudnn.create_handle()
        cudnn.set_stream(handle=self.handle, stream=torch.cuda.current_stream().cuda_stream)

    def reset(self):
        """Keeps nothing of a shape."""

    def prepare(self, operation, data):
        make = self._make_forward if operation == "forward" else self._make_backward
        graph, bind = make(data)
        graph.validate()
        graph.build_operation_graph()
        graph.create_execution_plans([cudnn.heur_mode.A, cudnn.heur_mode.FALLBACK])
        graph.check_support()
        bound = [bind(i) for i in range(data.sets)]
        if self.try_all:
            return self._choose(graph, bound, data.count_bytes(operation))
        graph.build_plans()
        space = self._make_workspace(graph.get_workspace_size())

        def run(i):
            tensors, results = bound[i % data.sets]
            graph.execute(tensors, space, handle=self.handle)
            return results

        return run

    def _choose(self, graph, bound, count):
        runs = {}
        for index in range(graph.get_execution_plan_count()):
            try:
                run = self._prepare_plan(graph, bound, index)
                runs[time_passes(run, count, len(bound))["median_us"]] = run
            except (cudnn.cudnnGraphNotSupportedError, RuntimeError):
                continue  # A plan that is listed need not be supported.
        return runs[min(runs)]

    def _prepare_plan(self, graph, bound, index):
        graph.build_plan_at_index(index)
        space = self._make_workspace(graph.get_workspace_size_plan_at_index(index))

        def run(i):
            tensors, results = bound[i % len(bound)]
            graph.execute_plan_at_index(tensors, space, index, handle=self.handle)
            return results

        return run

    def _make_workspace(self, size):
        return torch.empty(max(size, 1), dtype=torch.uint8, device="cuda")

    def _make_graph(self):
        return cudnn.pygraph(intermediate_data_type=cudnn.data_type.FLOAT,
                             compute_data_type=cudnn.data_type.FLOAT, handle=self.handle)

    def _make_forward(self, data):
        graph = self._make_graph()
        x, gamma = _as_rows(data.x), data.gamma.view(1, -1, 1, 1)
        epsilon = torch.full((1, 1, 1, 1), EPSILON)
        inputs = [graph.tensor_like(t) for t in (x[0], gamma, epsilon)]
        y, rstd = graph.rmsnorm(norm_forward_phase=cudnn.norm_forward_phase.TRAINING,
                                input=inputs[0], scale=inputs[1], epsilon=inputs[2])
        y.set_output(True).set_data_type(data.gamma.dtype)
        rstd.set_output(True).set_data_type(torch.float32)

        def bind(i):
            results = [torch.empty_like(x[i]), _make_statistic(data)]
            tensors = dict(zip([*inputs, y, rstd], [x[i], gamma, epsilon, *results]))
            return tensors, results[0].view(data.rows, data.columns)

        return graph, bind

    def _make_backward(self, data):
        graph = self._make_graph()
        x, dy, gamma = _as_rows(data.x), _as_rows(data.dy), data.gamma.view(1, -1, 1, 1)
        rstd = [_make_statistic(data, one) for one in data.x]
        inputs = [graph.tensor_like(t) for t in (dy[0], x[0], gamma, rstd[0])]
        dx, dgamma, _ = graph.rmsnorm_backward(grad=inputs[0], input=inputs[1], scale=inputs[2],
                                               inv_variance=inputs[3], has_dbias=False)
        for result in (dx, dgamma):
            result.set_output(True).set_data_type(data.gamma.dtype)

        def bind(i):
            results = [torch.empty_like(x[i]), torch.empty_like(gamma)]
            tensors = dict(zip([*inputs, dx, dgamma], [dy[i], x[i], gamma, rstd[i], *results]))
            return tensors, (results[0].view(data.rows, data.columns), results[1].view(-1))

        return graph, bind


def _as_rows(tensors):
    return [t.view(*t.shape, 1, 1) for t in tensors]


def _make_statistic(data, x=None):
    """rstd of x, or room for it."""
    shape = (data.rows, 1, 1, 1)
    if x is None:
        return torch.empty(shape, device="cuda")
    norms = torch.linalg.vector_norm(x, dim=1, dtype=torch.float32)
    return (norms.square() / data.columns + EPSILON).rsqrt().view(shape)
