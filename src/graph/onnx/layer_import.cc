// Adds nodes with run-time inputs to the network: a layer with an operation.

#include "graph/infer.h"
#include "graph/onnx/importer.h"

namespace ergon::graph::onnx {
namespace {

// Whether a constant is a trained weight: floating point, or quantized integers. Shapes, indices and masks
// are not.
bool is_parameter(ElementType type, WeightRole role) {
  if (is_floating(type)) return true;
  switch (type) {
    case ElementType::int4:
    case ElementType::uint4:
    case ElementType::int8:
    case ElementType::uint8:
    case ElementType::int16:
      return role != WeightRole::other;
    case ElementType::int32:
      return role == WeightRole::bias;
    default:
      return false;
  }
}

}  // namespace

void Importer::add_weights(std::vector<Weight>& weights, const ValueInfo& known, WeightRole role) {
  for (InitializerSets::Initializer* initializer : initializer_sets_.members(known.initializers)) {
    if (!is_parameter(initializer->type, role)) continue;
    weights.push_back({role, initializer->shape, initializer->type, initializer->counted});
    initializer->counted = true;
  }
}

Result<Tensor> Importer::tensor_of(const NodeCall& call, std::size_t i) {
  const ValueInfo& known = call.in(i);
  if (known.tensor) return *known.tensor;
  if (const auto good = check_shape(*known.shape); !good) return good.error();
  std::vector<Weight> weights;
  add_weights(weights, known, WeightRole::other);
  const Shape shape = *known.shape;
  auto placed = build_.try_put(Parameter{shape, shape}, {}, {std::move(weights), {known.type}});
  if (!placed) return placed.error();
  if (record_ != nullptr) {
    record_->node_sources.resize(build_.network().nodes.size());
    record_->node_sources.back().constant = call.node().input(static_cast<int>(i));
  }
  return placed->front();
}

void Importer::enter_input(const std::string& name) {
  ValueInfo& known = values_[name];
  if (!known.unread_input) return;
  const auto layer = unread_inputs_[name];
  if (layer && ergon_layer_ == layer->number) {
    known.tensor = build_.put_input(*known.shape, known.type);
  } else {
    ergon_layer_ = -1;
    known.tensor =
        build_.input(layer ? layer->name : name, layer ? layer->type : "Input", *known.shape, known.type);
  }
  known.unread_input = false;
}

void Importer::enter_inputs_of(const ::onnx::NodeProto& node, bool inside) {
  const auto layer = parse_layer_tag(node.doc_string());
  for (const std::string& name : node.input()) {
    const auto found = values_.find(name);
    if (name.empty() || found == values_.end() || !found->second.unread_input) continue;
    const auto home = unread_inputs_[name];
    const bool same = layer && home && layer->number == home->number;
    if (same == inside) enter_input(name);
  }
}

void Importer::open_layer(const ::onnx::NodeProto& node) {
  enter_inputs_of(node, false);
  start_layer(node);
  enter_inputs_of(node, true);
}

void Importer::start_layer(const ::onnx::NodeProto& node) {
  const auto layer = parse_layer_tag(node.doc_string());
  if (layer && ergon_layer_ == layer->number) return;
  const std::string fallback = node.output_size() > 0 ? node.output(0) : node.op_type();
  const std::string& name = node.name().empty() ? fallback : node.name();
  build_.open(layer ? layer->name : name, layer ? layer->type : node.op_type());
  if (layer) build_.network().layers.back().training_only = layer->training_only;
  ergon_layer_ = layer ? layer->number : -1;
}

Result<> Importer::add_operation(const NodeCall& call, Lowered lowered) {
  const auto& node = call.node();
  if (options_.strict && std::holds_alternative<Unknown>(lowered.operation)) return unknown_cost_error();
  open_layer(node);
  std::vector<Tensor> operands;
  for (const std::size_t i : lowered.operands) {
    auto tensor = tensor_of(call, i);
    if (!tensor) return tensor.error();
    operands.push_back(*tensor);
  }
  std::vector<Weight> weights;
  for (const auto& use : lowered.weights) {
    if (!call.has(use.input)) continue;
    if (call.in(use.input).constant()) {
      add_weights(weights, call.in(use.input), use.role);
    } else {
      operands.push_back(*call.in(use.input).tensor);  // a weight that is computed at run time
    }
  }
  auto outputs =
      build_.try_put(std::move(lowered.operation), std::move(operands), {std::move(weights), lowered.types});
  if (!outputs) return outputs.error();
  if (record_ != nullptr) {
    std::vector<std::size_t> read = lowered.operands;
    for (const auto& use : lowered.weights) {
      if (call.has(use.input) && !call.in(use.input).constant()) read.push_back(use.input);
    }
    note(call, read);
  }
  if (batch_.made_symbolic()) {
    Network& network = build_.network();
    if (auto trouble = check_samples_independent(network, network.nodes.back())) return *trouble;
  }
  for (std::size_t i = 0; i < outputs->size(); ++i) {
    ValueInfo known;
    known.shape = build_.shape((*outputs)[i]);
    known.type = build_.element((*outputs)[i]);
    known.tensor = (*outputs)[i];
    if (auto done = set_output(node, static_cast<int>(i), std::move(known)); !done) return done;
  }
  // Further outputs (a mask, indices, a mean) have the shape of the first one or the declared shape.
  for (int i = static_cast<int>(outputs->size()); i < node.output_size(); ++i) {
    if (node.output(i).empty()) continue;
    ValueInfo known;
    const bool alike = node.op_type() == "MaxPool" || node.op_type() == "Dropout";
    known.type = node.op_type() == "MaxPool"   ? ElementType::int64
                 : node.op_type() == "Dropout" ? ElementType::boolean
                                               : build_.element(outputs->front());
    known.shape = alike ? build_.shape(outputs->front()) : declarations_.find(node.output(i));
    known.tensor = known.shape ? alias(outputs->front(), *known.shape, known.type) : outputs->front();
    if (record_ != nullptr && !known.shape) record_->unsized_outputs.insert(node.output(i));
    values_[node.output(i)] = std::move(known);
  }
  return {};
}

void Importer::note(const NodeCall& call, const std::vector<std::size_t>& read) {
  record_->node_sources.resize(build_.network().nodes.size());
  NodeSource& source = record_->node_sources.back();
  source.node = &call.node();
  source.input_index.resize(static_cast<std::size_t>(call.node().input_size()));
  for (std::size_t i = 0; i < read.size(); ++i) source.input_index[read[i]] = i;
}

Tensor Importer::alias(Tensor source, const Shape& shape, ElementType type) {
  Network& network = build_.network();
  const NodeId producer = network.values[source].producer;
  const auto id = static_cast<Tensor>(network.values.size());
  network.values.push_back({shape, type, producer});
  network.nodes[producer].outputs.push_back(id);
  return id;
}

std::map<std::string, DeclaredShape> Importer::infer_with_library(const NodeCall& call) const {
  const auto& node = call.node();
  if (!node.domain().empty() && node.domain() != "ai.onnx") return {};
  std::map<std::string, DeclaredShape> inputs;
  for (std::size_t i = 0; i < call.size(); ++i) {
    if (!call.has(i) || !call.in(i).shape) continue;
    DeclaredShape shape;
    shape.type = call.in(i).type;
    for (const Dim& dim : call.in(i).shape->dims()) {
      DeclaredShape::Extent extent;
      if (!dim.batched) {
        extent.size = dim.size;
      } else if (dim.size == 1) {
        extent.name = kLibraryBatch;
      }
      shape.extents.push_back(std::move(extent));
    }
    inputs.emplace(node.input(static_cast<int>(i)), std::move(shape));
  }
  return library_shapes(node, inputs, model_.opset);
}

Error Importer::unknown_cost_error() {
  return fail(Errc::unsupported, "operation of unknown cost, which --strict rejects");
}

Result<> Importer::take_unknown(const NodeCall& call) {
  const auto& node = call.node();
  if (options_.strict) return unknown_cost_error();
  if (node.output_size() == 0) return fail(Errc::invalid_input, "the node has no outputs");
  Unknown unknown{node.domain(), node.op_type(), {}, true};
  const auto inferred = infer_with_library(call);
  std::vector<std::optional<Shape>> shapes;
  for (const std::string& name : node.output()) {
    auto shape = declarations_.find(name);
    if (const auto found = inferred.find(name); !shape && found != inferred.end())
      shape = declarations_.settled(found->second);
    if (shape && !check_shape(*shape)) shape.reset();
    unknown.results.push_back(shape.value_or(Shape{{1}}));
    shapes.push_back(shape);
  }
  unknown.shapes_known = shapes.front().has_value();
  open_layer(node);
  std::vector<Tensor> operands;
  std::vector<std::size_t> read;
  std::vector<Weight> weights;
  for (std::size_t i = 0; i < call.size(); ++i) {
    if (!call.has(i)) continue;
    if (call.in(i).tensor) {
      operands.push_back(*call.in(i).tensor);
      read.push_back(i);
    } else {
      add_weights(weights, call.in(i), WeightRole::other);
    }
  }
  auto outputs = build_.try_put(std::move(unknown), std::move(operands), {std::move(weights), {}});
  if (!outputs) return outputs.error();
  if (record_ != nullptr) note(call, read);
  for (int i = 0; i < node.output_size(); ++i) {
    if (node.output(i).empty()) continue;
    ValueInfo known;
    known.shape = shapes[static_cast<std::size_t>(i)];
    known.tensor = (*outputs)[static_cast<std::size_t>(i)];
    values_[node.output(i)] = std::move(known);
  }
  return {};
}

}  // namespace ergon::graph::onnx
