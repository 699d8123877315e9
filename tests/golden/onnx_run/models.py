"""Eight small networks that look like real ones."""

import numpy as np

from network import BATCH, Network


def conv(net, x, channels_in, channels_out, kernel, bias=True, groups=1, **attributes):
    attributes.setdefault("pads", [kernel // 2] * 4)
    w = net.weight(channels_out, channels_in // groups, kernel, kernel)
    inputs = [x, w] + ([net.weight(channels_out, scale=0.1)] if bias else [])
    return net.add("Conv", *inputs, kernel_shape=[kernel, kernel], group=groups, **attributes)


def batch_norm(net, x, channels, epsilon=1e-3):
    return net.add("BatchNormalization", x, net.positive(channels), net.weight(channels, scale=0.2),
                   net.weight(channels, scale=0.3), net.positive(channels, low=0.3, high=2.0), epsilon=epsilon)


def residual():
    net = Network("residual", 1)
    x = net.input("image", (BATCH, 3, 32, 32))
    x = conv(net, x, 3, 8, 7, bias=False, strides=[2, 2])
    x = net.add("Relu", batch_norm(net, x, 8))
    x = net.add("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    for channels_in, channels, stride in ((8, 8, 1), (8, 12, 2)):
        y = net.add("Relu", batch_norm(net, conv(net, x, channels_in, channels, 3, bias=False,
                                                 strides=[stride, stride]), channels))
        y = batch_norm(net, conv(net, y, channels, channels, 3, bias=False), channels)
        if channels_in != channels:
            x = batch_norm(net, conv(net, x, channels_in, channels, 1, bias=False, strides=[stride, stride]), channels)
        x = net.add("Relu", net.add("Add", y, x))
    x = net.add("Flatten", net.add("GlobalAveragePool", x), axis=1)
    net.output(net.add("Gemm", x, net.weight(10, 12), net.weight(10, scale=0.1), transB=1))
    return net


def hard_swish(net, x):
    """As it is exported: x * clip(x + 3, 0, 6) / 6."""
    clipped = net.add("Clip", net.add("Add", x, net.constant(3.0)), net.constant(0.0), net.constant(6.0))
    return net.add("Mul", x, net.add("Div", clipped, net.constant(6.0)))


def squeeze_and_excitation(net, x, channels, squeezed, gate, **attributes):
    s = net.add("GlobalAveragePool", x)
    s = net.add("Relu", conv(net, s, channels, squeezed, 1))
    return net.add("Mul", x, net.add(gate, conv(net, s, squeezed, channels, 1), **attributes))


def separable():
    net = Network("separable", 2)
    x = net.input("image", (BATCH, 3, 16, 16))
    x = hard_swish(net, conv(net, x, 3, 8, 3, strides=[2, 2]))
    y = conv(net, x, 8, 16, 1)
    y = net.add("Clip", y, net.constant(0.0), net.constant(6.0))
    y = conv(net, y, 16, 16, 3, groups=16)
    y = net.add("Clip", y, net.constant(0.0), net.constant(6.0))
    y = squeeze_and_excitation(net, y, 16, 4, "HardSigmoid", alpha=1 / 6, beta=0.5)
    x = net.add("Add", x, conv(net, y, 16, 8, 1))
    y = net.add("HardSwish", conv(net, x, 8, 8, 5, groups=8, strides=[2, 2]))
    y = squeeze_and_excitation(net, y, 8, 2, "Sigmoid")
    y = net.add("Clip", conv(net, y, 8, 12, 1), None, net.constant(1.5))  # no lower bound
    net.output(net.add("Flatten", net.add("GlobalAveragePool", y)), y)
    return net


def dense_concat():
    net = Network("dense_concat", 3)
    x = net.input("image", (BATCH, 3, 15, 15))
    x = conv(net, x, 3, 8, 3, pads=[0, 1, 2, 1])  # top, left, bottom, right
    x = net.add("LRN", x, size=4, alpha=0.3, beta=0.6, bias=1.5)
    window = {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1]}
    a = net.add("AveragePool", x, count_include_pad=0, **window)
    b = net.add("AveragePool", x, count_include_pad=1, **window)
    c = net.add("LeakyRelu", conv(net, x, 8, 4, 3, strides=[2, 2]), alpha=0.2)
    d = net.add("Elu", conv(net, x, 8, 4, 3, strides=[2, 2], dilations=[2, 2], pads=[2, 2, 2, 2]), alpha=0.7)
    x = net.add("Concat", a, b, c, d, axis=1)
    x = net.add("PRelu", conv(net, x, 24, 6, 1), net.positive(6, 1, 1, low=0.05, high=0.4))
    y = net.add("MaxPool", x, kernel_shape=[3, 2], strides=[2, 3], ceil_mode=1)
    z = net.add("MaxPool", x, kernel_shape=[2, 2], strides=[1, 1], dilations=[2, 2], pads=[1, 0, 0, 1])
    s = net.add("AveragePool", x, kernel_shape=[4, 4], strides=[3, 3], auto_pad="SAME_UPPER")
    net.output(y, z, s, net.add("PRelu", net.add("GlobalMaxPool", x), net.constant(np.array([0.25]))))
    return net


def decomposed_layer_norm(net, x, width):
    """As exporters write it below opset 17."""
    centred = net.add("Sub", x, net.add("ReduceMean", x, axes=[-1]))
    variance = net.add("ReduceMean", net.add("Pow", centred, net.constant(2.0)), axes=[-1])
    deviation = net.add("Sqrt", net.add("Add", variance, net.constant(1e-5)))
    scaled = net.add("Mul", net.add("Div", centred, deviation), net.positive(width))
    return net.add("Add", scaled, net.weight(width, scale=0.2))


def linear(net, x, channels_in, channels_out):
    return net.add("Add", net.add("MatMul", x, net.weight(channels_in, channels_out)),
                   net.weight(channels_out, scale=0.1))


def gelu(net, x):
    half = net.add("Add", net.add("Erf", net.add("Div", x, net.constant(np.sqrt(2.0)))), net.constant(1.0))
    return net.add("Mul", net.add("Mul", x, half), net.constant(0.5))


def attention():
    steps, width, heads, words = 7, 16, 4, 32
    net = Network("attention", 4)
    tokens = net.indices("tokens", (BATCH, steps), words)
    x = net.add("Gather", net.weight(words, width, scale=1.0), tokens)
    x = net.add("Add", x, net.weight(1, steps, width, scale=0.3))
    visible = np.tril(np.ones((1, 1, steps, steps), bool))
    for block in range(2):
        if block == 0:
            y = net.add("LayerNormalization", x, net.positive(width), net.weight(width, scale=0.2), axis=-1,
                        epsilon=1e-5)
        else:
            y = decomposed_layer_norm(net, x, width)
        query, key, value = (
            net.add("Reshape", linear(net, y, width, width), net.integers(0, 0, heads, width // heads))
            for _ in range(3))
        query, value = (net.add("Transpose", t, perm=[0, 2, 1, 3]) for t in (query, value))
        key = net.add("Transpose", key, perm=[0, 2, 3, 1])
        scores = net.add("Mul", net.add("MatMul", query, key), net.constant(1 / np.sqrt(width / heads)))
        if block == 0:
            scores = net.add("Add", scores, net.constant(np.where(visible, 0.0, -1e4)))
        else:
            scores = net.add("Where", net.constant(visible), scores, net.constant(-1e4))
        mixed = net.add("MatMul", net.add("Softmax", scores, axis=-1), value)
        mixed = net.add("Reshape", net.add("Transpose", mixed, perm=[0, 2, 1, 3]), net.integers(0, 0, width))
        x = net.add("Add", x, linear(net, mixed, width, width))
        y = net.add("LayerNormalization", x, net.positive(width), None if block else net.weight(width, scale=0.2))
        x = net.add("Add", x, linear(net, gelu(net, linear(net, y, width, 2 * width)), 2 * width, width))
    net.output(net.add("MatMul", x, net.weight(width, words)))
    return net


def group_norm(net, x, channels, size, groups):
    """As exporters write it: every group as one channel of an instance norm."""
    y = net.add("Reshape", x, net.integers(0, groups, -1))
    y = net.add("InstanceNormalization", y, net.constant(np.ones(groups)), net.constant(np.zeros(groups)),
                epsilon=1e-5)
    y = net.add("Reshape", y, net.integers(0, channels, size, size))
    return net.add("Add", net.add("Mul", y, net.positive(channels, 1, 1)), net.weight(channels, 1, 1, scale=0.2))


def norms():
    net = Network("norms", 5)
    x = net.input("image", (BATCH, 4, 8, 8))
    y = group_norm(net, conv(net, x, 4, 8, 3), 8, 8, 2)
    y = net.add("Mul", y, net.add("Tanh", net.add("Softplus", y)))  # mish
    y = net.add("InstanceNormalization", conv(net, y, 8, 6, 3), net.positive(6), net.weight(6, scale=0.2),
                epsilon=1e-3)
    mean = net.add("ReduceMean", y, axes=[2, 3], keepdims=0)
    most = net.add("ReduceMax", y, axes=[-2, -1], keepdims=0)
    total = net.add("ReduceSum", y, net.integers(2, 3), keepdims=0)
    length = net.add("ReduceL2", y, axes=[2, 3], keepdims=0)
    lower = net.add("Min", net.add("Sigmoid", mean), net.add("Tanh", most), net.constant(0.6))
    upper = net.add("Max", mean, net.add("Mul", total, net.constant(0.05)))
    picked = net.add("Where", net.add("Greater", most, net.constant(2.0)), lower, upper)
    power = net.add("Pow", length, net.constant(1.5))
    net.output(net.add("LogSoftmax", picked, axis=1), net.add("Softmax", y, axis=1), power,
               net.add("ReduceSum", net.add("Abs", y), net.integers(1), keepdims=1),
               net.add("Div", mean, net.add("Add", net.add("Exp", lower), net.constant(1.0))))
    return net


def shapes():
    net = Network("shapes", 6)
    x = net.input("image", (BATCH, 8, 6, 5))
    first, second, third = net.add("Split", x, net.integers(2, 3, 3), outputs=3, axis=1)
    turned = net.add("Slice", second, net.integers(-1, 0), net.integers(-100, 5), net.integers(2, 3),
                     net.integers(-2, 2))  # rows 5, 3, 1; columns 0, 2, 4
    padded = net.add("Pad", first, net.integers(0, 0, 1, 2, 0, 0, 0, 1), net.constant(1.5), mode="constant")
    mirrored = net.add("Pad", third, net.integers(0, 0, 2, 1, 0, 0, 1, 2), mode="reflect")
    stretched = net.add("Pad", third, net.integers(0, 0, 2, 1, 0, 0, 1, 2), mode="edge")
    joined = net.add("Concat", mirrored, stretched, axis=1)
    picked = net.add("Gather", joined, net.integers(5, 0, -2), axis=1)
    net.output(turned, padded, picked)
    net.output(net.add("Transpose", turned, perm=[0, 3, 1, 2]))
    net.output(net.add("Tile", turned, net.integers(1, 2, 1, 3)))
    rows = net.add("ReduceMean", first, axes=[2])
    net.output(net.add("Expand", rows, net.integers(1, 2, 4, 5)))
    scales = net.constant(np.array([1.0, 1.0, 2.0, 1.6]))
    sizes = net.integers(BATCH, 2, 9, 10)
    roi = None
    for inputs, mode, where, rule in (
            ((scales,), "nearest", "asymmetric", "floor"),
            ((scales,), "linear", "half_pixel", None),
            ((scales,), "linear", "asymmetric", None),
            ((None, sizes), "linear", "align_corners", None),
            ((None, sizes), "linear", "pytorch_half_pixel", None),
            ((scales,), "nearest", "half_pixel", "round_prefer_floor")):
        attributes = {"nearest_mode": rule} if rule else {}
        net.output(net.add("Resize", first, roi, *inputs, mode=mode, coordinate_transformation_mode=where,
                           **attributes))
    net.output(net.add("DepthToSpace", x, blocksize=2), net.add("DepthToSpace", x, blocksize=2, mode="CRD"))
    y = net.add("ConvTranspose", x, net.weight(8, 3, 3, 3), net.weight(6, scale=0.1), group=2, strides=[2, 3],
                pads=[1, 0, 1, 1], output_padding=[1, 2])
    net.output(y, net.add("ConvTranspose", y, net.weight(6, 2, 2, 2), dilations=[2, 1]))
    return net


def recurrent():
    steps, features, hidden = 6, 5, 4
    net = Network("recurrent", 7)

    def layer(kind, x, width, gates, directions=1, bias=True, **attributes):
        inputs = [x, net.weight(directions, gates * hidden, width, scale=0.5),
                  net.weight(directions, gates * hidden, hidden, scale=0.5)]
        if bias:
            inputs.append(net.weight(directions, 2 * gates * hidden, scale=0.3))
        return net.add(kind, *inputs, outputs=3 if kind == "LSTM" else 2, hidden_size=hidden, **attributes)

    x = net.input("sequence", (steps, BATCH, features), batch_axis=1)
    all_steps, last, cell = layer("LSTM", x, features, 4, directions=2, direction="bidirectional")
    y = net.add("Reshape", net.add("Transpose", all_steps, perm=[0, 2, 1, 3]), net.integers(0, 0, 2 * hidden))
    first, first_last = layer("GRU", y, 2 * hidden, 3, linear_before_reset=0)
    second, second_last = layer("GRU", y, 2 * hidden, 3, linear_before_reset=1)
    both = net.add("Add", first, second)
    third, third_last = layer("RNN", net.add("Squeeze", both, net.integers(1)), hidden, 1)
    back, back_last = layer("LSTM", net.add("Squeeze", both, net.integers(1)), hidden, 4, bias=False,
                            direction="reverse")[:2]
    net.output(all_steps, last, cell, first, first_last, second_last, third, third_last, back, back_last)
    return net


def shuffle():
    net = Network("shuffle", 8, open_batch=False)
    x = net.input("image", (BATCH, 6, 7, 7))
    x = net.add("Relu", conv(net, x, 6, 12, 1, groups=3))
    y = net.add("Reshape", x, net.integers(BATCH, 3, 4, 7, 7))
    y = net.add("Reshape", net.add("Transpose", y, perm=[0, 2, 1, 3, 4]), net.integers(BATCH, 12, 7, 7))
    y = conv(net, y, 12, 12, 3, groups=12)
    y = conv(net, y, 12, 6, 1, groups=3)
    net.output(y)
    flat = net.add("Reshape", y, net.integers(BATCH, 6, 49))
    net.output(net.add("Einsum", flat, flat, equation="bik,bjk->bij"))
    net.output(net.add("Einsum", flat, net.weight(49, 5), equation="bck,kd->bcd"))
    left = net.add("MatMul", net.weight(4, 6), flat)
    net.output(left)
    pooled = net.add("ReduceMean", left, axes=[2], keepdims=0)
    net.output(net.add("Gemm", pooled, net.weight(4, 3), net.weight(3, scale=1.0), alpha=0.5, beta=2.0))
    turned = net.add("Transpose", pooled, perm=[1, 0])
    net.output(net.add("Gemm", turned, net.weight(4, 3), net.weight(1, 3, scale=1.0), transA=1, alpha=1.5, beta=0.25))
    net.output(net.add("Gemm", turned, net.weight(3, 4), transA=1, transB=1))
    return net


ALL = [residual, separable, dense_concat, attention, norms, shapes, recurrent, shuffle]
