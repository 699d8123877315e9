#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "graph/element_type.h"
#include "graph/shape.h"
#include "graph/window.h"

namespace ergon::graph {

// The operations of a network. Each is a plain struct with the attributes that its shape rule (infer.h), its
// weights (weights.h) and its cost (cost.h) need. Weights are not inputs; attributes declare them.

struct Input {};

struct Convolution {
  Window window;
  std::int64_t out_channels = 0;
  std::int64_t groups = 1;
  bool bias = false;
  bool standardized = false;  // weight standardization: the kernel is normalized before each use (BiT)
};

struct TransposedConvolution {
  Window window;
  Extent output_padding;
  std::int64_t out_channels = 0;
  std::int64_t groups = 1;
  bool bias = false;
};

// The last axis times a weight matrix.
struct Dense {
  std::int64_t out_features = 0;
  bool bias = false;
};

// Product of two activations, or of an activation and a weight that Dense cannot represent (on the left, or a
// batch of matrices). Leading axes broadcast as in NumPy.
struct MatrixProduct {
  std::optional<Shape> weight;
  bool weight_on_left = false;
};

// Einstein summation, "bij,bjk->bik".
struct Einsum {
  std::string equation;
};

enum class RecurrentCell : std::uint8_t { simple, gru, lstm };

// A recurrent layer over (steps, batch, features), or batch first, as in ONNX. Outputs: all steps, the last
// hidden state and, for an LSTM, the last cell state.
struct Recurrent {
  RecurrentCell cell = RecurrentCell::lstm;
  std::int64_t hidden = 0;
  std::int64_t directions = 1;
  bool bias = true;
  bool batch_first = false;
};

struct BatchNorm {
  bool scale = true;
  bool center = true;
};

// Over the channels of one group; groups = 0 is instance normalization (every channel separately).
struct GroupNorm {
  std::int64_t groups = 32;
};

// Over the last axes. Without `center` it is an RMS norm.
struct LayerNorm {
  std::size_t axes = 1;
  bool scale = true;
  bool center = true;
};

struct LocalResponseNorm {
  std::int64_t size = 5;
};

// Subtracts a stored mean and divides by a stored deviation, as Keras preprocesses images.
struct Normalization {};

enum class Function : std::uint8_t {
  relu,
  relu6,
  leaky_relu,
  prelu,
  elu,
  selu,
  celu,
  sigmoid,
  hard_sigmoid,
  swish,
  hard_swish,
  gelu,
  mish,
  tanh,
  softplus,
  softsign,
  clip,
  exp,
  log,
  sqrt,
  reciprocal,
  erf,
  abs,
  negative,
  floor,
  ceil,
  round,
  sign,
  trigonometric,
  logical_not,
  cast,
  quantize,
  other,
};

// Elementwise function of one input.
struct Elementwise {
  Function function = Function::relu;
  std::optional<ElementType> to;  // a cast changes the element type
  std::optional<Shape> weight;    // prelu
};

enum class Combine : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,
  power,
  modulo,
  minimum,
  maximum,
  mean,
  compare,
  logical,
  where,
  shift,
};

// Elementwise operation of several inputs, with broadcasting. `weight` is a learned operand, `scalar` a
// constant.
struct Arithmetic {
  Combine combine = Combine::add;
  std::optional<Shape> weight;
  bool scalar = false;
};

struct Softmax {
  std::int64_t axis = -1;
};

enum class PoolKind : std::uint8_t { max, average, norm };

struct Pool {
  PoolKind kind = PoolKind::max;
  Window window;
  bool round_up = false;
};

// Pools an image of any size to a fixed output size.
struct AdaptivePool {
  PoolKind kind = PoolKind::average;
  Extent output;
};

enum class ReduceKind : std::uint8_t { mean, sum, max, min, product, norm, log_sum, square_sum, arg };

struct Reduce {
  ReduceKind kind = ReduceKind::mean;
  std::vector<std::int64_t> axes;  // empty: all
  bool keep = false;
};

struct Concat {
  std::int64_t axis = 1;
};

struct Split {
  std::int64_t axis = 1;
  std::vector<std::int64_t> sizes;  // one output each
};

// A slice of shape `result`; its start does not affect the cost.
struct Slice {
  Shape result;
  std::vector<std::int64_t> axes, starts, ends, steps;  // for export and display
};

// Elements to add (or, if negative, to remove) at both ends of every axis.
struct Pad {
  std::vector<std::int64_t> begin, end;
};

// The same elements in another shape; a view without cost.
struct Reshape {
  Shape result;
};

struct Transpose {
  std::vector<std::int64_t> order;
};

// Scales an image to `result`.
struct Resize {
  Shape result;
};

// Broadcasts a tensor to `result`.
struct Expand {
  Shape result;
};

// A learned tensor, such as a class token, repeated for every sample.
struct Parameter {
  Shape weight;
  Shape result;
};

// One row of a learned table for every index.
struct Embedding {
  std::int64_t rows = 0;
  std::int64_t width = 0;
};

// Selects elements by index.
struct Gather {
  Shape result;
};

struct Dropout {};
struct Identity {};

// An operation of unknown cost. Its output shapes come from the importer, if it knows them.
struct Unknown {
  std::string domain;
  std::string type;
  std::vector<Shape> results;
  bool shapes_known = true;
};

using Operation =
    std::variant<Input, Convolution, TransposedConvolution, Dense, MatrixProduct, Einsum, Recurrent,
                 BatchNorm, GroupNorm, LayerNorm, LocalResponseNorm, Normalization, Elementwise, Arithmetic,
                 Softmax, Pool, AdaptivePool, Reduce, Concat, Split, Slice, Pad, Reshape, Transpose, Resize,
                 Expand, Parameter, Embedding, Gather, Dropout, Identity, Unknown>;

// Operation type in tables and JSON: "conv", "dense", "batch_norm", "relu", "add". A convolution with one
// group per input channel is a "depthwise_conv".
std::string kind_of(const Operation& operation, std::span<const Shape> inputs);

std::string_view name_of(Function function);
std::string_view name_of(Combine combine);
std::string_view name_of(PoolKind kind);
std::string_view name_of(ReduceKind kind);

bool is_depthwise(const Convolution& convolution, const Shape& input);

// Attributes that distinguish two operations of one type, in a fixed order.
struct Attribute {
  using Value = std::variant<bool, std::int64_t, std::string, std::vector<std::int64_t>>;
  std::string_view name;
  Value value;
};
std::vector<Attribute> attributes_of(const Operation& operation, std::span<const Shape> inputs);

std::string to_text(const Attribute::Value& value);

}  // namespace ergon::graph
