// What becomes of a node that flows: a layer, with an operation in it.

#include "graph/infer.h"
#include "graph/onnx/importer.h"

namespace ergon::graph::onnx {
namespace {

// Numbers are weights when they are learned: floating, or small integers that stand for floating ones.
// Shapes, indices and masks are not.
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

void Importer::add_weights(std::vector<Weight>& weights, const Known& known, WeightRole role) {
  for (Origins::Root* root : origins_.roots(known.origin)) {
    if (!is_parameter(root->type, role)) continue;
    weights.push_back({role, root->shape, root->type, root->credited});
    root->credited = true;
  }
}

Result<Tensor> Importer::tensor_of(const Call& call, std::size_t i) {
  const Known& known = call.in(i);
  if (known.tensor) return *known.tensor;
  if (const auto good = check_shape(*known.shape); !good) return good.error();
  std::vector<Weight> weights;
  add_weights(weights, known, WeightRole::other);
  const Shape shape = *known.shape;
  auto placed = build_.place(Parameter{shape, shape}, {}, {std::move(weights), {known.type}});
  if (!placed) return placed.error();
  if (notes_ != nullptr) {
    notes_->placements.resize(build_.network().nodes.size());
    notes_->placements.back().constant = call.node().input(static_cast<int>(i));
  }
  return placed->front();
}

void Importer::enter_input(const std::string& name) {
  Known& known = values_[name];
  if (!known.waiting_input) return;
  const auto layer = waiting_inputs_[name];
  if (layer && our_layer_ == layer->number) {
    known.tensor = build_.put_input(*known.shape, known.type);
  } else {
    our_layer_ = -1;
    known.tensor =
        build_.input(layer ? layer->name : name, layer ? layer->type : "Input", *known.shape, known.type);
  }
  known.waiting_input = false;
}

void Importer::enter_inputs_of(const ::onnx::NodeProto& node, bool inside) {
  const auto layer = layer_written_in(node.doc_string());
  for (const std::string& name : node.input()) {
    const auto found = values_.find(name);
    if (name.empty() || found == values_.end() || !found->second.waiting_input) continue;
    const auto home = waiting_inputs_[name];
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
  const auto layer = layer_written_in(node.doc_string());
  if (layer && our_layer_ == layer->number) return;
  const std::string fallback = node.output_size() > 0 ? node.output(0) : node.op_type();
  const std::string& name = node.name().empty() ? fallback : node.name();
  build_.open(layer ? layer->name : name, layer ? layer->type : node.op_type());
  if (layer) build_.network().layers.back().training_only = layer->training_only;
  our_layer_ = layer ? layer->number : -1;
}

Result<> Importer::place(const Call& call, Lowered lowered) {
  const auto& node = call.node();
  if (options_.strict && std::holds_alternative<Unknown>(lowered.operation)) return refused();
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
      operands.push_back(*call.in(use.input).tensor);  // computed while the network runs
    }
  }
  auto outputs =
      build_.place(std::move(lowered.operation), std::move(operands), {std::move(weights), lowered.types});
  if (!outputs) return outputs.error();
  if (notes_ != nullptr) {
    std::vector<std::size_t> read = lowered.operands;
    for (const auto& use : lowered.weights) {
      if (call.has(use.input) && !call.in(use.input).constant()) read.push_back(use.input);
    }
    note(call, read);
  }
  if (batch_.reopened()) {
    Network& network = build_.network();
    if (auto trouble = samples_meet(network, network.nodes.back())) return *trouble;
  }
  for (std::size_t i = 0; i < outputs->size(); ++i) {
    Known known;
    known.shape = build_.shape((*outputs)[i]);
    known.type = build_.element((*outputs)[i]);
    known.tensor = (*outputs)[i];
    if (auto done = set_output(node, static_cast<int>(i), std::move(known)); !done) return done;
  }
  // Further outputs (a mask, indices, a mean) have the first one's shape, or the one that the file
  // declares.
  for (int i = static_cast<int>(outputs->size()); i < node.output_size(); ++i) {
    if (node.output(i).empty()) continue;
    Known known;
    const bool alike = node.op_type() == "MaxPool" || node.op_type() == "Dropout";
    known.type = node.op_type() == "MaxPool"   ? ElementType::int64
                 : node.op_type() == "Dropout" ? ElementType::boolean
                                               : build_.element(outputs->front());
    known.shape = alike ? build_.shape(outputs->front()) : declarations_.find(node.output(i));
    known.tensor = known.shape ? alias(outputs->front(), *known.shape, known.type) : outputs->front();
    if (notes_ != nullptr && !known.shape) notes_->stand_ins.insert(node.output(i));
    values_[node.output(i)] = std::move(known);
  }
  return {};
}

void Importer::note(const Call& call, const std::vector<std::size_t>& read) {
  notes_->placements.resize(build_.network().nodes.size());
  Placement& placement = notes_->placements.back();
  placement.node = &call.node();
  placement.flows.resize(static_cast<std::size_t>(call.node().input_size()));
  for (std::size_t place = 0; place < read.size(); ++place) placement.flows[read[place]] = place;
}

Tensor Importer::alias(Tensor source, const Shape& shape, ElementType type) {
  Network& network = build_.network();
  const NodeId producer = network.values[source].producer;
  const auto id = static_cast<Tensor>(network.values.size());
  network.values.push_back({shape, type, producer});
  network.nodes[producer].outputs.push_back(id);
  return id;
}

std::map<std::string, DeclaredShape> Importer::library_opinion(const Call& call) const {
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

Error Importer::refused() {
  return fail(Errc::unsupported, "its cost is not known, and --strict asks for certainty");
}

Result<> Importer::take_unknown(const Call& call) {
  const auto& node = call.node();
  if (options_.strict) return refused();
  if (node.output_size() == 0) return fail(Errc::invalid_input, "a node without outputs");
  Unknown unknown{node.domain(), node.op_type(), {}, true};
  const auto opinion = library_opinion(call);
  std::vector<std::optional<Shape>> shapes;
  for (const std::string& name : node.output()) {
    auto shape = declarations_.find(name);
    if (const auto found = opinion.find(name); !shape && found != opinion.end())
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
  auto outputs = build_.place(std::move(unknown), std::move(operands), {std::move(weights), {}});
  if (!outputs) return outputs.error();
  if (notes_ != nullptr) note(call, read);
  for (int i = 0; i < node.output_size(); ++i) {
    if (node.output(i).empty()) continue;
    Known known;
    known.shape = shapes[static_cast<std::size_t>(i)];
    known.tensor = (*outputs)[static_cast<std::size_t>(i)];
    values_[node.output(i)] = std::move(known);
  }
  return {};
}

}  // namespace ergon::graph::onnx
