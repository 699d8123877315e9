// Converts a network to an ONNX graph. Every operation becomes one node, so that importing the file gives the
// same operations with the same costs.

#include <map>

#include <fmt/format.h>

#include "base/text.h"
#include "graph/onnx/ergon_functions.h"
#include "graph/onnx/onnx.h"
#include "graph/onnx/writer.h"
#include "graph/overloaded.h"

namespace ergon::graph::onnx {
namespace {

using Integers = std::vector<std::int64_t>;

Integers list(const Extent& extent) { return {extent.sizes().begin(), extent.sizes().end()}; }

Integers pads_of(const Window& window) {
  Integers pads = list(window.pad_begin);
  for (const std::int64_t end : window.pad_end.sizes()) pads.push_back(end);
  return pads;
}

Error not_in_onnx(std::string_view what) {
  return fail(Errc::unsupported, "{} cannot be written as ONNX", what);
}

const char* standard_name(Function function) {
  switch (function) {
    case Function::relu:
      return "Relu";
    case Function::leaky_relu:
      return "LeakyRelu";
    case Function::sigmoid:
      return "Sigmoid";
    case Function::hard_sigmoid:
      return "HardSigmoid";
    case Function::hard_swish:
      return "HardSwish";
    case Function::tanh:
      return "Tanh";
    case Function::softplus:
      return "Softplus";
    case Function::softsign:
      return "Softsign";
    case Function::elu:
      return "Elu";
    case Function::selu:
      return "Selu";
    case Function::celu:
      return "Celu";
    case Function::exp:
      return "Exp";
    case Function::log:
      return "Log";
    case Function::sqrt:
      return "Sqrt";
    case Function::reciprocal:
      return "Reciprocal";
    case Function::erf:
      return "Erf";
    case Function::abs:
      return "Abs";
    case Function::negative:
      return "Neg";
    case Function::floor:
      return "Floor";
    case Function::ceil:
      return "Ceil";
    case Function::round:
      return "Round";
    case Function::sign:
      return "Sign";
    case Function::clip:
      return "Clip";
    default:
      return nullptr;
  }
}

const char* standard_name(Combine combine) {
  switch (combine) {
    case Combine::add:
      return "Add";
    case Combine::subtract:
      return "Sub";
    case Combine::multiply:
      return "Mul";
    case Combine::divide:
      return "Div";
    case Combine::power:
      return "Pow";
    case Combine::minimum:
      return "Min";
    case Combine::maximum:
      return "Max";
    default:
      return nullptr;
  }
}

const char* standard_name(ReduceKind kind) {
  switch (kind) {
    case ReduceKind::mean:
      return "ReduceMean";
    case ReduceKind::max:
      return "ReduceMax";
    case ReduceKind::min:
      return "ReduceMin";
    case ReduceKind::product:
      return "ReduceProd";
    case ReduceKind::norm:
      return "ReduceL2";
    case ReduceKind::square_sum:
      return "ReduceSumSquare";
    default:
      return nullptr;
  }
}

class Exporter {
 public:
  explicit Exporter(const Network& network) : network_(network), write_(network) {}

  Result<std::string> run() {
    for (std::size_t i = 0; i < network_.nodes.size(); ++i) {
      const Node& node = network_.nodes[i];
      const Layer& layer = network_.layers[node.layer];
      const std::string doc = to_doc_string({node.layer, layer.type, layer.name, layer.training_only});
      write_.set_layer(layer.name, doc);
      if (std::holds_alternative<Input>(node.operation)) {
        write_.input(node.outputs[0], doc);
        continue;
      }
      node_ = static_cast<NodeId>(i);
      if (const auto done = add(node); !done)
        return done.error().in(fmt::format("layer \"{}\"", printable(layer.name)));
    }
    std::vector<ValueId> outputs = network_.outputs;
    if (outputs.empty()) outputs = loose_ends();
    for (const ValueId id : outputs) write_.output(id);
    return write_.take();
  }

 private:
  // Values without readers.
  std::vector<ValueId> loose_ends() const {
    std::vector<bool> read(network_.values.size(), false);
    for (const Node& node : network_.nodes) {
      for (const ValueId id : node.inputs) read[id] = true;
    }
    std::vector<ValueId> ends;
    for (const Node& node : network_.nodes) {
      for (const ValueId id : node.outputs) {
        if (!read[id]) ends.push_back(id);
      }
    }
    return ends;
  }

  Result<> add(const Node& node) {
    const bool learned = !std::holds_alternative<Parameter>(node.operation);
    if (learned && node.weights.empty() && !wanted_weights(node).empty()) {
      return not_in_onnx("an operation with weights computed at run time");
    }
    return std::visit([&](const auto& operation) { return write(operation, node); }, node.operation);
  }

  std::string in(const Node& node, std::size_t i = 0) const { return Writer::value_name(node.inputs[i]); }
  std::string out(const Node& node) const { return Writer::value_name(node.outputs[0]); }
  const Shape& shape(const Node& node, std::size_t i = 0) const {
    return network_.values[node.inputs[i]].shape;
  }

  // Names of the operation's inputs, followed by its weights.
  std::vector<std::string> with_weights(const Node& node) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) names.push_back(in(node, i));
    const std::size_t count = wanted_weights(node).size();
    for (std::size_t i = 0; i < count; ++i) names.push_back(weight(node, i));
    return names;
  }

  // Weights according to the operation's attributes. An imported operation may list other tensors, from which
  // its weights were computed.
  std::vector<Weight> wanted_weights(const Node& node) const {
    const auto wanted =
        weights_of(node.operation, network_.input_shapes(node), network_.values[node.outputs[0]].type);
    return wanted.size() == node.weights.size() ? node.weights : wanted;
  }

  std::string weight(const Node& node, std::size_t i) {
    const Weight stored = wanted_weights(node)[i];
    if (stored.shared) {
      // The transposed matrix: a head that is tied to an embedding.
      if (const auto found = tables_.find(stored.shape.elements(1).exact()); found != tables_.end()) {
        std::string transposed = fmt::format("{}_transposed", found->second);
        set_attribute(write_.node("Transpose", {found->second}, transposed), "perm", Integers{1, 0});
        return transposed;
      }
    }
    std::string name = fmt::format("w{}_{}", node_, i);
    write_.absent(name, stored.shape, stored.type);
    if (stored.role == WeightRole::table) tables_[stored.shape.elements(1).exact()] = name;
    return name;
  }

  Result<> one(const std::string& type, const Node& node) {
    write_.node(type, with_weights(node), out(node));
    return {};
  }

  void set_window(::onnx::NodeProto& made, const Window& window) {
    set_attribute(made, "kernel_shape", list(window.kernel));
    set_attribute(made, "strides", list(window.stride));
    set_attribute(made, "pads", pads_of(window));
    if (window.dilation != Extent::same(window.rank(), 1))
      set_attribute(made, "dilations", list(window.dilation));
  }

  Result<> write(const Input&, const Node&) { return {}; }

  Result<> write(const Convolution& op, const Node& node) {
    if (op.standardized) {
      auto& made = write_.ergon_node("StandardizedConv", with_weights(node), out(node));
      set_attribute(made, "strides", list(op.window.stride));
      set_attribute(made, "pads", pads_of(op.window));
      return {};
    }
    auto& made = write_.node("Conv", with_weights(node), out(node));
    set_window(made, op.window);
    set_attribute(made, "group", op.groups);
    return {};
  }

  Result<> write(const TransposedConvolution& op, const Node& node) {
    auto& made = write_.node("ConvTranspose", with_weights(node), out(node));
    set_window(made, op.window);
    set_attribute(made, "group", op.groups);
    set_attribute(made, "output_padding", list(op.output_padding));
    return {};
  }

  Result<> write(const Dense& op, const Node& node) {
    if (!op.bias) return one("MatMul", node);
    if (shape(node).rank() == 2) return one("Gemm", node);
    write_.ergon_node("Dense", with_weights(node), out(node));
    return {};
  }

  Result<> write(const MatrixProduct& op, const Node& node) {
    auto names = with_weights(node);
    if (op.weight && op.weight_on_left) std::swap(names[0], names[1]);
    write_.node("MatMul", names, out(node));
    return {};
  }

  Result<> write(const Einsum& op, const Node& node) {
    set_attribute(write_.node("Einsum", with_weights(node), out(node)), "equation", op.equation);
    return {};
  }

  Result<> write(const Recurrent&, const Node&) { return not_in_onnx("a recurrent layer"); }

  Result<> write(const BatchNorm& op, const Node& node) {
    if (op.scale && op.center) return one("BatchNormalization", node);
    if (!op.center) return not_in_onnx("a batch norm without bias");
    write_.ergon_node("CentredBatchNorm", with_weights(node), out(node));
    return {};
  }

  Result<> write(const GroupNorm& op, const Node& node) {
    if (op.groups == 0) return one("InstanceNormalization", node);
    set_attribute(write_.ergon_node("GroupNorm", with_weights(node), out(node)), "groups", op.groups);
    return {};
  }

  Result<> write(const LayerNorm& op, const Node& node) {
    if (!op.scale) return not_in_onnx("a layer norm without scale");
    if (!op.center) {
      if (op.axes != 1) return not_in_onnx("a norm over several axes without bias");
      write_.ergon_node("RmsNorm", with_weights(node), out(node));
      return {};
    }
    auto& made = write_.node("LayerNormalization", with_weights(node), out(node));
    set_attribute(made, "axis", -static_cast<std::int64_t>(op.axes));
    return {};
  }

  Result<> write(const LocalResponseNorm& op, const Node& node) {
    set_attribute(write_.node("LRN", with_weights(node), out(node)), "size", op.size);
    return {};
  }

  Result<> write(const Normalization&, const Node& node) {
    write_.ergon_node("Normalization", with_weights(node), out(node));
    return {};
  }

  Result<> write(const Elementwise& op, const Node& node) {
    if (op.function == Function::relu6) {
      write_.node("Clip", {in(node), write_.real(0), write_.real(6)}, out(node));
      return {};
    }
    if (op.function == Function::swish || op.function == Function::gelu) {
      write_.ergon_node(op.function == Function::swish ? "Swish" : "Gelu", with_weights(node), out(node));
      return {};
    }
    const char* name = standard_name(op.function);
    if (name == nullptr) return not_in_onnx(name_of(op.function));
    return one(name, node);
  }

  Result<> write(const Arithmetic& op, const Node& node) {
    const char* name = standard_name(op.combine);
    if (name == nullptr) return not_in_onnx(name_of(op.combine));
    auto names = with_weights(node);
    if (op.scalar) names.push_back(write_.real(1));
    if (names.size() > 2 && op.combine != Combine::add) return not_in_onnx("an operation of three operands");
    write_.node(names.size() > 2 ? "Sum" : name, names, out(node));
    return {};
  }

  Result<> write(const Softmax& op, const Node& node) {
    set_attribute(write_.node("Softmax", {in(node)}, out(node)), "axis", op.axis);
    return {};
  }

  Result<> write(const Pool& op, const Node& node) {
    if (op.kind == PoolKind::norm) return not_in_onnx("a norm pooling");
    auto& made = write_.node(op.kind == PoolKind::max ? "MaxPool" : "AveragePool", {in(node)}, out(node));
    set_attribute(made, "kernel_shape", list(op.window.kernel));
    set_attribute(made, "strides", list(op.window.stride));
    set_attribute(made, "pads", pads_of(op.window));
    if (op.round_up) set_attribute(made, "ceil_mode", std::int64_t{1});
    return {};
  }

  Result<> write(const AdaptivePool& op, const Node& node) {
    if (op.kind != PoolKind::average) return not_in_onnx("an adaptive max pooling");
    if (op.output == Extent::same(op.output.rank(), 1)) return one("GlobalAveragePool", node);
    const Shape& from = shape(node);
    Integers kernel;
    bool divides = true;
    for (std::size_t axis = 0; axis < op.output.rank(); ++axis) {
      divides = divides && from[axis + 2].size % op.output[axis] == 0;
      kernel.push_back(from[axis + 2].size / op.output[axis]);
    }
    if (divides) {
      auto& made = write_.node("AveragePool", {in(node)}, out(node));
      set_attribute(made, "kernel_shape", kernel);
      set_attribute(made, "strides", kernel);
      return {};
    }
    if (op.output.rank() != 2) return not_in_onnx("a pooling to a size that does not divide its input");
    const std::string rows = averages(from[2].size, op.output[0], false);
    const std::string columns = averages(from[3].size, op.output[1], true);
    auto& made = write_.ergon_node("AdaptiveAveragePool", {in(node), rows, columns}, out(node));
    set_attribute(made, "output", list(op.output));
    return {};
  }

  // The matrix that averages `size` elements into `parts` overlapping windows as PyTorch does: window i is
  // from floor(i * size / parts) to ceil((i + 1) * size / parts).
  std::string averages(std::int64_t size, std::int64_t parts, bool transposed) {
    std::vector<float> values(static_cast<std::size_t>(size * parts), 0.0F);
    for (std::int64_t i = 0; i < parts; ++i) {
      const std::int64_t first = i * size / parts;
      const std::int64_t last = ((i + 1) * size + parts - 1) / parts;
      for (std::int64_t k = first; k < last; ++k) {
        values[static_cast<std::size_t>(transposed ? k * parts + i : i * size + k)] =
            1.0F / static_cast<float>(last - first);
      }
    }
    return transposed ? write_.matrix(size, parts, values) : write_.matrix(parts, size, values);
  }

  Result<> write(const Reduce& op, const Node& node) {
    const char* name = standard_name(op.kind);
    if (name == nullptr) return not_in_onnx("this reduction");
    auto& made = write_.node(name, {in(node)}, out(node));
    if (!op.axes.empty()) set_attribute(made, "axes", op.axes);
    set_attribute(made, "keepdims", std::int64_t{op.keep ? 1 : 0});
    return {};
  }

  Result<> write(const Concat& op, const Node& node) {
    set_attribute(write_.node("Concat", with_weights(node), out(node)), "axis", op.axis);
    return {};
  }

  Result<> write(const Split& op, const Node& node) {
    auto& made = write_.node("Split", {in(node), write_.integers(op.sizes)}, out(node));
    for (std::size_t i = 1; i < node.outputs.size(); ++i)
      made.add_output(Writer::value_name(node.outputs[i]));
    set_attribute(made, "axis", op.axis);
    return {};
  }

  Result<> write(const Slice& op, const Node& node) {
    write_.node("Slice",
                {in(node), write_.integers(op.starts), write_.integers(op.ends), write_.integers(op.axes),
                 write_.integers(op.steps)},
                out(node));
    return {};
  }

  Result<> write(const Pad& op, const Node& node) {
    Integers pads = op.begin;
    pads.insert(pads.end(), op.end.begin(), op.end.end());
    write_.node("Pad", {in(node), write_.integers(pads)}, out(node));
    return {};
  }

  Result<> write(const Reshape& op, const Node& node) {
    Integers target;
    for (const Dim& dim : op.result.dims()) target.push_back(dim.batched ? -1 : dim.size);
    write_.node("Reshape", {in(node), write_.integers(target)}, out(node));
    return {};
  }

  Result<> write(const Transpose& op, const Node& node) {
    set_attribute(write_.node("Transpose", {in(node)}, out(node)), "perm", op.order);
    return {};
  }

  Result<> write(const Resize& op, const Node& node) {
    std::vector<float> scales;
    for (std::size_t axis = 0; axis < op.result.rank(); ++axis) {
      scales.push_back(static_cast<float>(op.result[axis].size) / static_cast<float>(shape(node)[axis].size));
    }
    write_.node("Resize", {in(node), "", write_.reals(scales)}, out(node));
    return {};
  }

  Result<> write(const Expand& op, const Node& node) {
    Integers target;
    for (std::size_t axis = 0; axis < op.result.rank(); ++axis) {
      const bool unchanged = op.result.rank() == shape(node).rank() && op.result[axis] == shape(node)[axis];
      if (!unchanged && op.result[axis].batched) return not_in_onnx("a broadcast over the batch");
      target.push_back(unchanged ? 1 : op.result[axis].size);
    }
    write_.node("Expand", {in(node), write_.integers(target)}, out(node));
    return {};
  }

  Result<> write(const Parameter& op, const Node& node) {
    if (write_.first_input().empty()) return not_in_onnx("a learned tensor without an input");
    Integers result;
    for (const Dim& dim : op.result.dims()) result.push_back(dim.is_batch() ? -1 : dim.size);
    const bool rows = !op.result.batched();
    auto& made =
        write_.ergon_node(rows ? "Rows" : "Token", {weight(node, 0), write_.first_input()}, out(node));
    set_attribute(made, "result", result);
    set_attribute(made, "learned", std::int64_t{wanted_weights(node)[0].trainable() ? 1 : 0});
    return {};
  }

  Result<> write(const Embedding&, const Node& node) {
    write_.node("Gather", {weight(node, 0), in(node)}, out(node));
    return {};
  }

  // One index of an axis, or a list of indices of the first axis.
  Result<> write(const Gather& op, const Node& node) {
    const Shape& from = shape(node);
    if (op.result.rank() + 1 == from.rank()) {
      std::int64_t axis = static_cast<std::int64_t>(from.rank()) - 1;
      for (std::size_t i = 0; i < op.result.rank(); ++i) {
        if (op.result[i] != from[i]) {
          axis = static_cast<std::int64_t>(i);
          break;
        }
      }
      set_attribute(write_.node("Gather", {in(node), write_.index(0)}, out(node)), "axis", axis);
      return {};
    }
    if (op.result.rank() != from.rank() || op.result.batched()) return not_in_onnx("this gather");
    const std::string indices = fmt::format("indices{}", node_);
    write_.absent(indices, Shape{op.result[0]}, ElementType::int64);
    set_attribute(write_.node("Gather", {in(node), indices}, out(node)), "axis", std::int64_t{0});
    return {};
  }

  Result<> write(const Dropout&, const Node& node) { return one("Dropout", node); }
  Result<> write(const Identity&, const Node& node) { return one("Identity", node); }
  Result<> write(const Unknown& op, const Node&) { return not_in_onnx(op.type); }

  const Network& network_;
  Writer write_;
  NodeId node_ = 0;
  std::map<std::int64_t, std::string> tables_;  // by element count
};

}  // namespace

Result<std::string> export_onnx(const Network& network) {
  auto written = Exporter(network).run();
  if (!written) return written.error().in(network.name);
  return written;
}

}  // namespace ergon::graph::onnx
