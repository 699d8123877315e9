// Arithmetic and memory traffic of one operation.
//
// Forward pass: an operation reads its inputs and weights and writes its outputs. Views (reshape, identity,
// dropout in inference) move no bytes. Backward pass: one kernel for the gradient of the weights, and one for
// the gradient of the inputs if an earlier operation is trainable. Each kernel reads the gradient of the
// output and the other factor of the product, and writes the gradient it computes.

#include "graph/cost.h"

#include <algorithm>

#include "graph/einsum.h"
#include "graph/infer.h"
#include "graph/overloaded.h"

namespace ergon::graph {

std::string_view name_of(Mode mode) { return mode == Mode::inference ? "inference" : "training"; }
namespace {

// Costs with overflow flags.
struct CostTally {
  Count macs, flops, weight_moved, read, written;
};

// A node with its input shapes and the batch.
struct NodeContext {
  const Network& network;
  const Node& node;
  std::int64_t batch;
  std::vector<Shape> inputs;

  Count input_elements(std::size_t i = 0) const { return inputs[i].elements(batch); }
  Count output_elements() const {
    Count sum = 0;
    for (const ValueId id : node.outputs) sum += network.values[id].shape.elements(batch);
    return sum;
  }
  Count input_bytes() const { return bytes(node.inputs); }
  Count output_bytes() const { return bytes(node.outputs); }
  Count weight_bytes() const {
    Count sum = 0;
    for (const Weight& weight : node.weights) sum += bytes_of(weight.elements(), weight.type);
    return sum;
  }
  Count trainable_bytes() const {
    Count sum = 0;
    for (const Weight& weight : node.weights) {
      if (weight.trainable()) sum += bytes_of(weight.elements(), weight.type);
    }
    return sum;
  }

 private:
  Count bytes(const std::vector<ValueId>& ids) const {
    Count sum = 0;
    for (const ValueId id : ids) {
      const Value& value = network.values[id];
      sum += bytes_of(value.shape.elements(batch), value.type);
    }
    return sum;
  }
};

Count product(const Extent& extent) {
  Count result = 1;
  for (const std::int64_t size : extent.sizes()) result *= size;
  return result;
}

// MACs of the forward pass.
Count macs_of(const NodeContext& at) {
  return std::visit(
      Overloaded{
          [&](const Convolution& op) {
            return at.output_elements() * (at.inputs[0][1].size / op.groups) * product(op.window.kernel);
          },
          [&](const TransposedConvolution& op) {
            return at.input_elements() * (op.out_channels / op.groups) * product(op.window.kernel);
          },
          [&](const Dense&) { return at.output_elements() * at.inputs[0][at.inputs[0].rank() - 1].size; },
          [&](const MatrixProduct& op) {
            const auto shape = infer_product(op, at.inputs);
            return shape ? at.output_elements() * shape->inner.at(at.batch) : Count(0);
          },
          [&](const Einsum& op) {
            const auto shape = infer_einsum(op.equation, at.inputs);
            if (!shape || at.inputs.size() < 2) return Count(0);
            Count macs = static_cast<std::int64_t>(at.inputs.size()) - 1;
            for (const Dim& dim : shape->label_extents) macs *= dim.at(at.batch);
            return macs;
          },
          [&](const Recurrent& op) {
            // Every weight is used once per step and sample.
            const Shape& x = at.inputs[0];
            const Count rows = Count(gates_of(op.cell)) * op.hidden * op.directions;
            return rows * (Count(x[2].size) + op.hidden) * x[0].at(at.batch) * x[1].at(at.batch);
          },
          [](const auto&) { return Count(0); },
      },
      at.node.operation);
}

// FLOPs per element of a function: one for a comparison or a single call, more for functions that combine
// exponentials and divisions.
std::int64_t flops_of(Function function) {
  switch (function) {
    case Function::cast:
    case Function::abs:
    case Function::negative:
    case Function::floor:
    case Function::ceil:
    case Function::round:
    case Function::sign:
    case Function::logical_not:
    case Function::relu:
    case Function::sqrt:
    case Function::exp:
    case Function::log:
    case Function::reciprocal:
    case Function::trigonometric:
    case Function::erf:
    case Function::other:
      return 1;
    case Function::relu6:
    case Function::clip:
    case Function::leaky_relu:
    case Function::prelu:
    case Function::quantize:
      return 2;
    case Function::hard_sigmoid:
    case Function::softplus:
    case Function::softsign:
    case Function::elu:
    case Function::selu:
    case Function::celu:
      return 3;
    case Function::sigmoid:
    case Function::hard_swish:
      return 4;
    case Function::swish:
    case Function::tanh:
    case Function::gelu:
      return 5;
    case Function::mish:
      return 7;
  }
  return 1;
}

// FLOPs that are not part of a MAC, such as additions and comparisons.
Count other_flops(const NodeContext& at, Mode mode) {
  const auto bias_adds = [&](bool bias) { return bias ? at.output_elements() : Count(0); };
  return std::visit(
      Overloaded{
          [&](const Convolution& op) {
            // A standardized kernel is normalized before every use: mean, variance, shift, scale.
            const bool standardized = op.standardized && !at.node.weights.empty();
            const Count kernel = standardized ? at.node.weights[0].elements() * 5 : Count(0);
            return bias_adds(op.bias) + kernel;
          },
          [&](const TransposedConvolution& op) { return bias_adds(op.bias); },
          [&](const Dense& op) { return bias_adds(op.bias); },
          [&](const Recurrent&) { return at.output_elements() * 10; },
          // Training also computes the mean and the variance of the batch.
          [&](const BatchNorm&) { return at.output_elements() * (mode == Mode::training ? 7 : 2); },
          [&](const Dropout&) { return mode == Mode::training ? at.output_elements() : Count(0); },
          [&](const Normalization&) { return at.output_elements() * 2; },
          [&](const GroupNorm&) { return at.output_elements() * 7; },
          [&](const LayerNorm&) { return at.output_elements() * 7; },
          [&](const LocalResponseNorm& op) { return at.output_elements() * (Count(2) * op.size + 3); },
          [&](const Elementwise& op) { return at.output_elements() * flops_of(op.function); },
          [&](const Arithmetic& op) {
            const auto operands =
                static_cast<std::int64_t>(at.inputs.size()) + (op.weight || op.scalar ? 1 : 0);
            return at.output_elements() * std::max<std::int64_t>(operands - 1, 1);
          },
          [&](const Softmax&) { return at.output_elements() * 5; },
          [&](const Pool& op) { return at.output_elements() * product(op.window.kernel); },
          [&](const AdaptivePool&) { return at.input_elements(); },
          [&](const Reduce&) { return at.input_elements(); },
          [&](const Resize&) { return at.output_elements(); },
          [](const auto&) { return Count(0); },
      },
      at.node.operation);
}

enum class Traffic : std::uint8_t { none, full };

Traffic traffic_of(const Operation& operation, Mode mode) {
  if (std::holds_alternative<Input>(operation) || std::holds_alternative<Reshape>(operation) ||
      std::holds_alternative<Identity>(operation) || std::holds_alternative<Unknown>(operation)) {
    return Traffic::none;
  }
  if (std::holds_alternative<Dropout>(operation) && mode == Mode::inference) return Traffic::none;
  return Traffic::full;
}

// Operations that select a part of their input read only that part.
bool reads_output_size(const Operation& operation) {
  return std::holds_alternative<Slice>(operation) || std::holds_alternative<Gather>(operation);
}

// Operations that read selected rows of their weights.
bool indexes_weights(const Operation& operation) {
  return std::holds_alternative<Embedding>(operation) || std::holds_alternative<Parameter>(operation);
}

// An embedding reads the rows it looks up; all other weights are read in full.
Count weight_bytes_read(const NodeContext& at) {
  const Count all = at.weight_bytes();
  if (!indexes_weights(at.node.operation)) return all;
  const Count selected = at.output_bytes();
  if (std::holds_alternative<Embedding>(at.node.operation) || all.overflowed() || selected.overflowed())
    return selected;
  return std::min(all.exact(), selected.exact());
}

// Batch norm in training computes the statistics of the batch first, then normalizes.
bool reads_twice(const Operation& operation, Mode mode) {
  return mode == Mode::training && std::holds_alternative<BatchNorm>(operation);
}

CostTally forward(const NodeContext& at, Mode mode) {
  CostTally tally;
  tally.macs = macs_of(at);
  tally.flops = tally.macs * 2 + other_flops(at, mode);
  if (traffic_of(at.node.operation, mode) == Traffic::none) return tally;
  tally.read = reads_output_size(at.node.operation) ? at.output_bytes() : at.input_bytes();
  tally.written = at.output_bytes();
  tally.weight_moved = weight_bytes_read(at);
  if (std::holds_alternative<Dropout>(at.node.operation)) tally.written += at.output_elements();  // the mask
  if (reads_twice(at.node.operation, mode)) tally.read += at.input_bytes();
  return tally;
}

// Each gradient of a product is a product of the same size.
void add_product_backward(CostTally& tally, const NodeContext& at, bool to_inputs) {
  const Count macs = macs_of(at);
  const Count gradient = at.output_bytes();
  const bool has_weights = !at.node.weights.empty();
  if (has_weights) {
    tally.macs += macs;
    tally.read += gradient + at.input_bytes();
    tally.weight_moved += at.trainable_bytes();
  }
  if (to_inputs) {
    const auto factors = std::min<std::int64_t>(static_cast<std::int64_t>(at.inputs.size()), 2);
    const std::int64_t kernels = has_weights ? 1 : factors;
    tally.macs += macs * kernels;
    tally.read += gradient * kernels;
    if (!has_weights) tally.read += at.input_bytes();
    tally.weight_moved += at.weight_bytes();
    tally.written += at.input_bytes();
  }
}

bool is_product(const Operation& operation) {
  return std::holds_alternative<Convolution>(operation) ||
         std::holds_alternative<TransposedConvolution>(operation) ||
         std::holds_alternative<Dense>(operation) || std::holds_alternative<MatrixProduct>(operation) ||
         std::holds_alternative<Einsum>(operation) || std::holds_alternative<Recurrent>(operation);
}

// Operations whose derivative depends on their input, which the backward pass reads again.
bool gradient_reads_input(const Operation& operation) {
  return std::visit(Overloaded{
                        [](const BatchNorm&) { return true; },
                        [](const GroupNorm&) { return true; },
                        [](const LayerNorm&) { return true; },
                        [](const LocalResponseNorm&) { return true; },
                        [](const Elementwise&) { return true; },
                        [](const Softmax&) { return true; },
                        [](const Arithmetic& op) {
                          if (op.combine == Combine::multiply) return !op.scalar;
                          return op.combine != Combine::add && op.combine != Combine::subtract;
                        },
                        [](const Pool& op) { return op.kind == PoolKind::max; },
                        [](const auto&) { return false; },
                    },
                    operation);
}

void add_backward(CostTally& tally, const NodeContext& at, bool to_inputs) {
  constexpr Mode mode = Mode::training;
  if (traffic_of(at.node.operation, Mode::training) == Traffic::none) return;
  if (is_product(at.node.operation)) {
    const Count before = tally.macs;
    add_product_backward(tally, at, to_inputs);
    tally.flops += (tally.macs - before) * 2;
    if (!at.node.weights.empty())
      tally.flops += other_flops(at, mode);  // the bias gradient is a sum over outputs
    return;
  }
  const bool learns = at.trainable_bytes().overflowed() || at.trainable_bytes().exact() > 0;
  if (!learns && !to_inputs) return;
  tally.read += at.output_bytes();
  if (gradient_reads_input(at.node.operation)) tally.read += at.input_bytes();
  if (reads_twice(at.node.operation, mode)) tally.read += at.output_bytes() + at.input_bytes();
  if (std::holds_alternative<Dropout>(at.node.operation)) tally.read += at.output_elements();  // the mask
  tally.flops += other_flops(at, mode) * (gradient_reads_input(at.node.operation) ? 2 : 1);
  if (to_inputs) tally.written += at.input_bytes();
  if (learns)
    tally.weight_moved += indexes_weights(at.node.operation) ? weight_bytes_read(at) : at.trainable_bytes();
}

Result<Costs> numbers(const CostTally& tally, const NodeContext& at) {
  Count parameters = 0;
  Count weight_bytes = 0;
  for (const Weight& weight : at.node.weights) {
    if (weight.shared) continue;
    parameters += weight.elements();
    weight_bytes += bytes_of(weight.elements(), weight.type);
  }
  Costs costs;
  const std::pair<Count, std::int64_t*> fields[] = {
      {tally.macs, &costs.macs},
      {tally.flops, &costs.flops},
      {parameters, &costs.parameters},
      {weight_bytes, &costs.weight_bytes},
      {tally.weight_moved, &costs.weight_bytes_moved},
      {tally.read, &costs.activation_bytes_read},
      {tally.written, &costs.activation_bytes_written},
      {at.output_elements(), &costs.output_elements},
  };
  for (const auto& [count, field] : fields) {
    const auto value = count.value();
    if (!value) return value.error();
    *field = *value;
  }
  // Costs::bytes_moved() must not overflow either.
  const Count moved = tally.read + tally.written + tally.weight_moved;
  if (moved.overflowed()) return moved.value().error();
  return costs;
}

}  // namespace

double Costs::intensity() const {
  return bytes_moved() == 0 ? 0.0 : static_cast<double>(flops) / static_cast<double>(bytes_moved());
}

MacType mac_type(const Operation& operation, const Shape& first_input) {
  return std::visit(Overloaded{
                        [&](const Convolution& op) {
                          return is_depthwise(op, first_input) ? MacType::depthwise : MacType::conv;
                        },
                        [](const TransposedConvolution&) { return MacType::conv; },
                        [](const Dense&) { return MacType::dense; },
                        [](const Recurrent&) { return MacType::dense; },
                        [](const MatrixProduct& op) { return op.weight ? MacType::dense : MacType::matmul; },
                        [](const Einsum&) { return MacType::matmul; },
                        [](const auto&) { return MacType::none; },
                    },
                    operation);
}

Result<Costs> cost_of(const Network& network, const Node& node, const CostOptions& options) {
  ERGON_EXPECTS(options.batch > 0);
  const NodeContext at{network, node, options.batch, network.input_shapes(node)};
  CostTally tally = forward(at, options.mode);
  if (options.mode == Mode::training) add_backward(tally, at, options.needs_input_gradient);
  return numbers(tally, at);
}

}  // namespace ergon::graph
