"""A model under construction: it grows node by node, and every value is computed as it is added."""

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper

import operators

BATCH = 2


class Network:
    def __init__(self, name, seed, open_batch=True):
        self.name = name
        self.random = np.random.default_rng(seed)
        self.open_batch = open_batch
        self.nodes, self.weights, self.inputs, self.outputs = [], [], [], []
        self.values = {}

    def input(self, name, shape, batch_axis=0):
        """Normal numbers, as many samples as the batch has."""
        return self.given(name, self.random.normal(size=shape), batch_axis)

    def indices(self, name, shape, below):
        return self.given(name, self.random.integers(0, below, shape), 0)

    def given(self, name, value, batch_axis):
        assert value.shape[batch_axis] == BATCH
        if value.dtype == float:
            value = rounded(value)
        declared = list(value.shape)
        if self.open_batch:
            declared[batch_axis] = "batch"
        self.inputs.append((name, value, declared))
        self.values[name] = value
        return name

    def weight(self, *shape, scale=None, around=0.0):
        """Normal numbers, small enough that what flows keeps its size."""
        scale = scale or 1 / np.sqrt(np.prod(shape[1:]) or 1)
        return self.constant(self.random.normal(around, scale, shape))

    def positive(self, *shape, low=0.5, high=1.5):
        return self.constant(self.random.uniform(low, high, shape))

    def constant(self, value, dtype=None):
        value = np.asarray(value)
        name = f"w{len(self.weights)}"
        stored = value.astype(dtype or (np.float32 if value.dtype == float else value.dtype))
        self.weights.append(numpy_helper.from_array(stored, name))
        self.values[name] = stored.astype(float) if stored.dtype == np.float32 else stored
        return name

    def integers(self, *values):
        return self.constant(np.array(values, np.int64))

    def add(self, kind, *inputs, outputs=1, **attributes):
        """Names of the node's outputs; None among the inputs is one that is left out."""
        names = [f"{kind.lower()}{len(self.nodes)}" + (f"_{i}" if outputs > 1 else "") for i in range(outputs)]
        node = helper.make_node(kind, [name or "" for name in inputs], names, name=names[0], **attributes)
        self.nodes.append(node)
        values = [None if name is None else self.values[name] for name in inputs]
        # As the file stores them: attributes are singles.
        stored = {a.name: helper.get_attribute_value(a) for a in node.attribute}
        stored = {k: v.decode() if isinstance(v, bytes) else v for k, v in stored.items()}
        for name, value in zip(names, operators.apply(kind, values, stored, outputs)):
            self.values[name] = value
        return names[0] if outputs == 1 else names

    def output(self, *names):
        self.outputs.extend(names)

    def declared(self, name):
        """An extent that may be the batch gets a name of its own instead of a number."""
        return [f"{name}_{axis}" if self.open_batch and size == BATCH else size
                for axis, size in enumerate(self.values[name].shape)]

    def model(self):
        def info(name, shape):
            integer = self.values[name].dtype.kind == "i"
            return helper.make_tensor_value_info(name, TensorProto.INT64 if integer else TensorProto.FLOAT, shape)

        graph = helper.make_graph(
            self.nodes, self.name, [info(name, shape) for name, _, shape in self.inputs],
            [info(name, self.declared(name)) for name in self.outputs], self.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], producer_name="ergon")
        model.ir_version = 8
        checker.check_model(model)
        return model

    def expectation(self):
        def tensor(name):
            value = self.values[name]
            integer = value.dtype.kind == "i"
            numbers = [int(v) if integer else float(v) for v in np.ravel(value if integer else rounded(value))]
            return {"name": name, "type": "int64" if integer else "float32", "shape": list(value.shape),
                    "data": numbers}

        return {"inputs": [tensor(name) for name, _, _ in self.inputs],
                "outputs": [tensor(name) for name in self.outputs]}


def rounded(values):
    """Seven significant digits, which is what a single holds."""
    return np.vectorize(lambda v: float(f"{v:.7g}"), otypes=[float])(values)
