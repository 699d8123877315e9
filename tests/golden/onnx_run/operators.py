"""ONNX operators in plain numpy, written from the standard's text and for clarity alone.

Each takes its inputs (None where left out) and its attributes, and gives a list of outputs. Floating point is computed
in doubles. Loops run over output positions, so every formula stands there as the standard has it.
"""

import itertools
import math

import numpy as np


# One input, element by element.

def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softplus(x):
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


def elementwise(function):
    return lambda inputs, attributes: [function(inputs[0], attributes)]


UNARY = {
    "Relu": lambda x, a: np.maximum(x, 0),
    "LeakyRelu": lambda x, a: np.where(x < 0, a.get("alpha", 0.01) * x, x),
    "Elu": lambda x, a: np.where(x < 0, a.get("alpha", 1.0) * np.expm1(x), x),
    "Selu": lambda x, a: a.get("gamma", 1.0507009873554805) * np.where(
        x > 0, x, a.get("alpha", 1.6732632423543772) * np.expm1(x)),
    "Sigmoid": lambda x, a: sigmoid(x),
    "HardSigmoid": lambda x, a: np.clip(a.get("alpha", 0.2) * x + a.get("beta", 0.5), 0, 1),
    "HardSwish": lambda x, a: x * np.clip(x / 6 + 0.5, 0, 1),
    "Tanh": lambda x, a: np.tanh(x),
    "Softplus": lambda x, a: softplus(x),
    "Exp": lambda x, a: np.exp(x),
    "Log": lambda x, a: np.log(x),
    "Sqrt": lambda x, a: np.sqrt(x),
    "Reciprocal": lambda x, a: 1 / x,
    "Abs": lambda x, a: np.abs(x),
    "Neg": lambda x, a: -x,
    "Erf": lambda x, a: np.vectorize(math.erf, otypes=[float])(x),
    "Not": lambda x, a: ~x,
    "Identity": lambda x, a: x,
}


# Several inputs, element by element, stretched as numpy does it.

BINARY = {
    "Add": np.add,
    "Sub": np.subtract,
    "Mul": np.multiply,
    "Div": np.divide,
    "Pow": np.power,
    "Greater": np.greater,
    "Less": np.less,
    "Equal": np.equal,
}


def clip(inputs, attributes):
    x = inputs[0]
    low = inputs[1] if len(inputs) > 1 else None
    high = inputs[2] if len(inputs) > 2 else None
    x = x if low is None else np.maximum(x, low)
    return [x if high is None else np.minimum(x, high)]


def prelu(inputs, attributes):
    x, slope = inputs
    return [np.where(x < 0, slope * x, x)]


def fold(function):
    def apply(inputs, attributes):
        result = inputs[0]
        for other in inputs[1:]:
            result = function(result, other)
        return [result]
    return apply


# Windows over images of any rank.

def pads_of(attributes, spatial, kernel, strides, dilations):
    rank = len(spatial)
    automatic = attributes.get("auto_pad", "NOTSET")
    if automatic in ("SAME_UPPER", "SAME_LOWER"):
        begin, end = [], []
        for size, k, s, d in zip(spatial, kernel, strides, dilations):
            total = max(0, (-(-size // s) - 1) * s + (k - 1) * d + 1 - size)
            small, large = total // 2, total - total // 2
            begin.append(small if automatic == "SAME_UPPER" else large)
            end.append(large if automatic == "SAME_UPPER" else small)
        return begin, end
    pads = attributes.get("pads", [0] * 2 * rank)
    return list(pads[:rank]), list(pads[rank:])


def window_of(attributes, spatial, kernel):
    rank = len(spatial)
    strides = attributes.get("strides", [1] * rank)
    dilations = attributes.get("dilations", [1] * rank)
    begin, end = pads_of(attributes, spatial, kernel, strides, dilations)
    sizes = []
    for axis in range(rank):
        room = spatial[axis] + begin[axis] + end[axis] - ((kernel[axis] - 1) * dilations[axis] + 1)
        steps = room / strides[axis]
        sizes.append((math.ceil(steps) if attributes.get("ceil_mode", 0) else math.floor(steps)) + 1)
    return strides, dilations, begin, end, sizes


def conv(inputs, attributes):
    x, w = inputs[0], inputs[1]
    bias = inputs[2] if len(inputs) > 2 else None
    groups = attributes.get("group", 1)
    kernel = w.shape[2:]
    strides, dilations, begin, end, sizes = window_of(attributes, x.shape[2:], kernel)
    padded = np.pad(x, [(0, 0), (0, 0)] + list(zip(begin, end)))
    out = w.shape[0]
    y = np.zeros([x.shape[0], out] + sizes)
    for place in itertools.product(*map(range, sizes)):
        cut = tuple(slice(p * s, p * s + (k - 1) * d + 1, d)
                    for p, s, k, d in zip(place, strides, kernel, dilations))
        patch = padded[(slice(None), slice(None)) + cut]
        for group in range(groups):
            ins = slice(group * w.shape[1], (group + 1) * w.shape[1])
            outs = slice(group * out // groups, (group + 1) * out // groups)
            axes = list(range(1, x.ndim))
            y[(slice(None), outs) + place] = np.tensordot(patch[:, ins], w[outs], axes=(axes, axes))
    if bias is not None:
        y += bias.reshape([1, -1] + [1] * len(kernel))
    return [y]


def conv_transpose(inputs, attributes):
    x, w = inputs[0], inputs[1]
    bias = inputs[2] if len(inputs) > 2 else None
    rank = x.ndim - 2
    groups = attributes.get("group", 1)
    kernel = w.shape[2:]
    strides = attributes.get("strides", [1] * rank)
    dilations = attributes.get("dilations", [1] * rank)
    pads = attributes.get("pads", [0] * 2 * rank)
    more = attributes.get("output_padding", [0] * rank)
    sizes = [strides[a] * (x.shape[2 + a] - 1) + more[a] + (kernel[a] - 1) * dilations[a] + 1 for a in range(rank)]
    y = np.zeros([x.shape[0], w.shape[1] * groups] + sizes)
    each = x.shape[1] // groups
    for place in itertools.product(*map(range, x.shape[2:])):
        for tap in itertools.product(*map(range, kernel)):
            to = tuple(p * s + t * d for p, s, t, d in zip(place, strides, tap, dilations))
            for group in range(groups):
                ins = slice(group * each, (group + 1) * each)
                outs = slice(group * w.shape[1], (group + 1) * w.shape[1])
                y[(slice(None), outs) + to] += x[(slice(None), ins) + place] @ w[(ins, slice(None)) + tap]
    cut = tuple(slice(pads[a], sizes[a] - pads[rank + a]) for a in range(rank))
    y = y[(slice(None), slice(None)) + cut]
    if bias is not None:
        y = y + bias.reshape([1, -1] + [1] * rank)
    return [y]


def pool(average):
    def apply(inputs, attributes):
        x = inputs[0]
        spatial, kernel = x.shape[2:], attributes["kernel_shape"]
        strides, dilations, begin, end, sizes = window_of(attributes, spatial, kernel)
        y = np.zeros(list(x.shape[:2]) + sizes)
        for place in itertools.product(*map(range, sizes)):
            inside, counted = [], 0
            for tap in itertools.product(*map(range, kernel)):
                at = [p * s + t * d - b for p, s, t, d, b in zip(place, strides, tap, dilations, begin)]
                if all(0 <= i < size for i, size in zip(at, spatial)):
                    inside.append(x[(slice(None), slice(None)) + tuple(at)])
                # A window that hangs over because sizes were rounded up counts only what the padding covers.
                counted += all(-b <= i < size + e for i, size, b, e in zip(at, spatial, begin, end))
            if average:
                count = counted if attributes.get("count_include_pad", 0) else len(inside)
                y[(slice(None), slice(None)) + place] = sum(inside) / count
            else:
                y[(slice(None), slice(None)) + place] = np.max(inside, axis=0)
        return [y]
    return apply


# Normalisations.

def per_channel(vector, x):
    return vector.reshape([1, -1] + [1] * (x.ndim - 2))


def batch_norm(inputs, attributes):
    x, scale, bias, mean, variance = inputs
    factor = per_channel(scale / np.sqrt(variance + attributes.get("epsilon", 1e-5)), x)
    return [(x - per_channel(mean, x)) * factor + per_channel(bias, x)]


def instance_norm(inputs, attributes):
    x, scale, bias = inputs
    axes = tuple(range(2, x.ndim))
    mean, variance = x.mean(axes, keepdims=True), x.var(axes, keepdims=True)
    normed = (x - mean) / np.sqrt(variance + attributes.get("epsilon", 1e-5))
    return [normed * per_channel(scale, x) + per_channel(bias, x)]


def layer_norm(inputs, attributes):
    x, scale = inputs[0], inputs[1]
    axes = tuple(range(attributes.get("axis", -1) % x.ndim, x.ndim))
    mean, variance = x.mean(axes, keepdims=True), x.var(axes, keepdims=True)
    y = (x - mean) / np.sqrt(variance + attributes.get("epsilon", 1e-5)) * scale
    return [y + inputs[2] if len(inputs) > 2 and inputs[2] is not None else y]


def local_response_norm(inputs, attributes):
    x, size = inputs[0], attributes["size"]
    squares = np.zeros_like(x)
    for c in range(x.shape[1]):
        first = max(0, c - math.floor((size - 1) / 2))
        last = min(x.shape[1] - 1, c + math.ceil((size - 1) / 2))
        squares[:, c] = (x[:, first:last + 1] ** 2).sum(axis=1)
    alpha, beta, bias = attributes.get("alpha", 1e-4), attributes.get("beta", 0.75), attributes.get("bias", 1.0)
    return [x / (bias + alpha / size * squares) ** beta]


def softmax(logarithm):
    def apply(inputs, attributes):
        x, axis = inputs[0], attributes.get("axis", -1)
        shifted = x - x.max(axis, keepdims=True)
        logs = shifted - np.log(np.exp(shifted).sum(axis, keepdims=True))
        return [logs if logarithm else np.exp(logs)]
    return apply


def reduce(function):
    def apply(inputs, attributes):
        axes = attributes.get("axes")
        if len(inputs) > 1 and inputs[1] is not None:
            axes = inputs[1].tolist()
        return [function(inputs[0], tuple(axes) if axes else None, bool(attributes.get("keepdims", 1)))]
    return apply


# Matrices.

def gemm(inputs, attributes):
    a = inputs[0].T if attributes.get("transA", 0) else inputs[0]
    b = inputs[1].T if attributes.get("transB", 0) else inputs[1]
    y = attributes.get("alpha", 1.0) * (a @ b)
    if len(inputs) > 2 and inputs[2] is not None:
        y = y + attributes.get("beta", 1.0) * inputs[2]
    return [y]


# Elements that move.

def slice_(inputs, attributes):
    x, starts, ends = inputs[0], inputs[1], inputs[2]
    axes = inputs[3] if len(inputs) > 3 and inputs[3] is not None else range(len(starts))
    steps = inputs[4] if len(inputs) > 4 else [1] * len(starts)
    cut = [slice(None)] * x.ndim
    for start, end, axis, step in zip(starts, ends, axes, steps):
        size = x.shape[axis]
        end = None if step < 0 and end < -size else int(end)
        cut[axis] = slice(int(start), end, int(step))
    return [x[tuple(cut)]]


def split(inputs, attributes, outputs):
    x, axis = inputs[0], attributes.get("axis", 0)
    if len(inputs) > 1:
        return np.split(x, np.cumsum(inputs[1])[:-1], axis)
    return np.split(x, outputs, axis)


def pad(inputs, attributes):
    x, pads = inputs[0], inputs[1]
    mode = attributes.get("mode", "constant")
    widths = list(zip(pads[:x.ndim], pads[x.ndim:]))
    if mode == "constant":
        value = float(inputs[2]) if len(inputs) > 2 and inputs[2] is not None else 0.0
        return [np.pad(x, widths, constant_values=value)]
    return [np.pad(x, widths, mode=mode)]


def reshape(inputs, attributes):
    x, shape = inputs
    return [x.reshape([x.shape[i] if size == 0 else int(size) for i, size in enumerate(shape)])]


def flatten(inputs, attributes):
    x, axis = inputs[0], attributes.get("axis", 1)
    return [x.reshape(int(np.prod(x.shape[:axis])), -1)]


def unsqueeze(inputs, attributes):
    rank = inputs[0].ndim + len(inputs[1])
    return [np.expand_dims(inputs[0], tuple(sorted(int(axis) % rank for axis in inputs[1])))]


def squeeze(inputs, attributes):
    return [np.squeeze(inputs[0], tuple(int(axis) for axis in inputs[1]))]


def depth_to_space(inputs, attributes):
    x, block = inputs[0], attributes["blocksize"]
    n, c, h, w = x.shape
    if attributes.get("mode", "DCR") == "DCR":
        y = x.reshape(n, block, block, c // block ** 2, h, w).transpose(0, 3, 4, 1, 5, 2)
    else:
        y = x.reshape(n, c // block ** 2, block, block, h, w).transpose(0, 1, 4, 2, 5, 3)
    return [y.reshape(n, c // block ** 2, h * block, w * block)]


def resize(inputs, attributes):
    """One axis at a time: nearest and linear are products of what happens along the axes."""
    y = inputs[0]
    if len(inputs) > 3 and inputs[3] is not None:
        sizes = [int(size) for size in inputs[3]]
        scales = [size / old for size, old in zip(sizes, y.shape)]
    else:
        scales = [float(scale) for scale in inputs[2]]
        sizes = [math.floor(old * scale) for old, scale in zip(y.shape, scales)]
    where = attributes.get("coordinate_transformation_mode", "half_pixel")
    for axis, (size, scale) in enumerate(zip(sizes, scales)):
        old = y.shape[axis]
        if size == old and scale == 1:
            continue
        parts = []
        for i in range(size):
            if where == "asymmetric":
                at = i / scale
            elif where == "align_corners":
                at = i * (old - 1) / (size - 1) if size > 1 else 0.0
            elif where == "pytorch_half_pixel":
                at = (i + 0.5) / scale - 0.5 if size > 1 else 0.0
            else:
                at = (i + 0.5) / scale - 0.5
            if attributes.get("mode", "nearest") == "nearest":
                rule = attributes.get("nearest_mode", "round_prefer_floor")
                index = {"floor": math.floor(at), "ceil": math.ceil(at), "round_prefer_ceil": math.floor(at + 0.5),
                         "round_prefer_floor": math.ceil(at - 0.5)}[rule]
                parts.append(y.take(min(max(index, 0), old - 1), axis))
            else:
                low = math.floor(at)
                share = at - low
                left, right = (min(max(j, 0), old - 1) for j in (low, low + 1))
                parts.append((1 - share) * y.take(left, axis) + share * y.take(right, axis))
        y = np.stack(parts, axis)
    return [y]


# Recurrent layers. Gates as ONNX orders them: LSTM i o f c, GRU z r h.

def lstm_step(x, h, c, w, r, wb, rb, attributes):
    i, o, f, g = np.split(x @ w.T + h @ r.T + wb + rb, 4, axis=1)
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    return sigmoid(o) * np.tanh(c), c


def gru_step(x, h, c, w, r, wb, rb, attributes):
    wz, wr, wh = np.split(w, 3)
    rz, rr, rh = np.split(r, 3)
    bz, br, bh = np.split(wb, 3)
    cz, cr, ch = np.split(rb, 3)
    z = sigmoid(x @ wz.T + h @ rz.T + bz + cz)
    reset = sigmoid(x @ wr.T + h @ rr.T + br + cr)
    if attributes.get("linear_before_reset", 0):
        new = np.tanh(x @ wh.T + bh + reset * (h @ rh.T + ch))
    else:
        new = np.tanh(x @ wh.T + bh + (reset * h) @ rh.T + ch)
    return (1 - z) * new + z * h, c


def rnn_step(x, h, c, w, r, wb, rb, attributes):
    return np.tanh(x @ w.T + h @ r.T + wb + rb), c


def recurrent(step, cells):
    def apply(inputs, attributes):
        inputs = list(inputs) + [None] * (7 - len(inputs))
        x, w, r, b, _, h0, c0 = inputs[:7]
        direction = attributes.get("direction", "forward")
        hidden = attributes["hidden_size"]
        steps, batch = x.shape[:2]
        everything, last_h, last_c = [], [], []
        for d in range(w.shape[0]):
            backward = direction == "reverse" or d == 1
            wb, rb = np.split(b[d], 2) if b is not None else (np.zeros(w.shape[1]), np.zeros(w.shape[1]))
            h = h0[d] if h0 is not None else np.zeros((batch, hidden))
            c = c0[d] if c0 is not None else np.zeros((batch, hidden))
            outputs = [None] * steps
            for t in reversed(range(steps)) if backward else range(steps):
                h, c = step(x[t], h, c, w[d], r[d], wb, rb, attributes)
                outputs[t] = h
            everything.append(np.stack(outputs))
            last_h.append(h)
            last_c.append(c)
        results = [np.stack(everything, axis=1), np.stack(last_h)]
        return results + [np.stack(last_c)] if cells else results
    return apply


OPERATORS = {name: elementwise(function) for name, function in UNARY.items()}
OPERATORS.update({name: fold(function) for name, function in BINARY.items()})
OPERATORS.update({
    "Min": fold(np.minimum),
    "Max": fold(np.maximum),
    "Where": lambda i, a: [np.where(*i)],
    "Clip": clip,
    "PRelu": prelu,
    "Conv": conv,
    "ConvTranspose": conv_transpose,
    "MaxPool": pool(average=False),
    "AveragePool": pool(average=True),
    "GlobalAveragePool": lambda i, a: [i[0].mean(tuple(range(2, i[0].ndim)), keepdims=True)],
    "GlobalMaxPool": lambda i, a: [i[0].max(tuple(range(2, i[0].ndim)), keepdims=True)],
    "BatchNormalization": batch_norm,
    "InstanceNormalization": instance_norm,
    "LayerNormalization": layer_norm,
    "LRN": local_response_norm,
    "Softmax": softmax(logarithm=False),
    "LogSoftmax": softmax(logarithm=True),
    "ReduceMean": reduce(lambda x, axes, keep: x.mean(axes, keepdims=keep)),
    "ReduceSum": reduce(lambda x, axes, keep: x.sum(axes, keepdims=keep)),
    "ReduceMax": reduce(lambda x, axes, keep: x.max(axes, keepdims=keep)),
    "ReduceL2": reduce(lambda x, axes, keep: np.sqrt((x * x).sum(axes, keepdims=keep))),
    "MatMul": lambda i, a: [np.matmul(*i)],
    "Gemm": gemm,
    "Einsum": lambda i, a: [np.einsum(a["equation"], *i)],
    "Transpose": lambda i, a: [np.transpose(i[0], a.get("perm"))],
    "Concat": lambda i, a: [np.concatenate(i, a["axis"])],
    "Slice": slice_,
    "Pad": pad,
    "Tile": lambda i, a: [np.tile(*i)],
    "Expand": lambda i, a: [i[0] * np.ones([int(size) for size in i[1]])],
    "Gather": lambda i, a: [np.take(i[0], i[1], a.get("axis", 0))],
    "Reshape": reshape,
    "Flatten": flatten,
    "Unsqueeze": unsqueeze,
    "Squeeze": squeeze,
    "DepthToSpace": depth_to_space,
    "Resize": resize,
    "LSTM": recurrent(lstm_step, cells=True),
    "GRU": recurrent(gru_step, cells=False),
    "RNN": recurrent(rnn_step, cells=False),
})


def apply(node_type, inputs, attributes, outputs):
    if node_type == "Split":
        return split(inputs, attributes, outputs)
    return OPERATORS[node_type](inputs, attributes)
