"""onnxruntime on the CPU: a model of one node. There is no backward."""

import numpy
import onnx
import onnxruntime
from onnx import helper

from benchmark.cpu_peers.data import EPSILON

_TYPES = {"f32": onnx.TensorProto.FLOAT, "bf16": onnx.TensorProto.BFLOAT16}


class OnnxRuntime:
    """`variant` "" has the node of ONNX, which gives y, "simplified" the one that
    onnxruntime had before it, which gives rstd too."""

    packages = ["onnxruntime", "onnx"]

    def __init__(self, variant, threads):
        self.is_simplified = variant == "simplified"
        self.options = onnxruntime.SessionOptions()
        self.options.intra_op_num_threads = threads

    def prepare(self, operation, data):
        """A function that runs the model and gives its results, in the same buffers."""
        values = [("x", _TYPES[data.dtype], data.x), ("gamma", _TYPES[data.dtype], data.gamma)]
        results = [("y", _TYPES[data.dtype], numpy.zeros_like(data.x))]
        if self.is_simplified:
            rstd = numpy.zeros((data.rows, 1), numpy.float32)
            results.append(("rstd", onnx.TensorProto.FLOAT, rstd))
        session = onnxruntime.InferenceSession(self._make_model(values, results), self.options,
                                               providers=["CPUExecutionProvider"])
        binding = session.io_binding()
        for bind, arrays in ((binding.bind_input, values), (binding.bind_output, results)):
            for name, type, array in arrays:
                bind(name, "cpu", 0, type, array.shape, array.ctypes.data)
        arrays = [array for _, _, array in results]

        def run():
            session.run_with_iobinding(binding)
            return arrays

        # The binding holds addresses alone.
        run.inputs = values
        return run

    def get_array(self, array):
        return array

    def _make_model(self, values, results):
        def declare(arrays):
            return [helper.make_tensor_value_info(name, type, array.shape)
                    for name, type, array in arrays]

        name = "SimplifiedLayerNormalization" if self.is_simplified else "RMSNormalization"
        node = helper.make_node(name, [name for name, _, _ in values],
                                [name for name, _, _ in results], axis=-1, epsilon=EPSILON)
        graph = helper.make_graph([node], "norm", declare(values), declare(results))
        # Opset 23 is the first with RMSNormalization, and 11 the format that it needs.
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)],
                                 ir_version=11).SerializeToString()
