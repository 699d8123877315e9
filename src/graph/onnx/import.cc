// From an ONNX graph to a network.
//
// The graph is walked once, in order. For every value there is a note of what is known about it (known.h). A
// node whose inputs are all constants is computed away; a node of the standard becomes an operation by its
// rule (rules.h); anything else is an operation of unknown cost, whose shapes come from the file or from the
// onnx library's own inference.
//
// The batch is kept open (batch_reading.h). A file that fixes it is first read as if it did not; when that
// does not work (a number where the batch should be, samples that meet each other), it is walked again with
// the number.

#include <algorithm>
#include <filesystem>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "base/text.h"
#include "graph/infer.h"
#include "graph/onnx/absent_weights.h"
#include "graph/onnx/batch_reading.h"
#include "graph/onnx/constants.h"
#include "graph/onnx/declared.h"
#include "graph/onnx/model.h"
#include "graph/onnx/onnx.h"
#include "graph/onnx/origins.h"
#include "graph/onnx/own_operations.h"
#include "graph/onnx/rules.h"

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

// The name a model goes by, and the folder its data may lie in.
struct Source {
  std::string name;
  std::string folder;
};

class Importer {
 public:
  Importer(const Model& model, const std::vector<::onnx::NodeProto>& nodes, const ImportOptions& options,
           const Source& where, const BatchReading& batch, const std::set<std::string>& absent)
      : model_(model),
        nodes_(nodes),
        options_(options),
        where_(where),
        batch_(batch),
        absent_(absent),
        build_("onnx", where.name) {
    for (const auto& value : model.proto.graph().value_info()) declare(value);
    for (const auto& value : model.proto.graph().output()) declare(value);
  }

  Result<Network> run() {
    if (const auto done = take_initialisers(); !done) return done.error();
    if (const auto done = take_inputs(); !done) return done.error();
    for (const auto& node : nodes_) {
      if (const auto done = take_node(node); !done) return done.error().in(describe(node));
    }
    return finish();
  }

 private:
  void declare(const ::onnx::ValueInfoProto& value) {
    if (auto shape = declared_shape(value)) declared_.emplace(value.name(), std::move(*shape));
  }

  Result<> take_initialisers() {
    const auto& graph = model_.proto.graph();
    for (const auto& tensor : graph.initializer()) {
      if (auto done = take_initialiser(tensor.name(), known_tensor(tensor, where_.folder)); !done)
        return done;
    }
    for (const auto& tensor : graph.sparse_initializer()) {
      if (auto done = take_initialiser(tensor.values().name(), known_sparse(tensor)); !done) return done;
    }
    return {};
  }

  Result<> take_initialiser(const std::string& name, Result<Known> known) {
    if (!known) return known.error().in(fmt::format("initialiser \"{}\"", printable(name)));
    known->origin = origins_.root(*known->shape, known->type);
    if (!values_.emplace(name, std::move(*known)).second) {
      return fail(Errc::invalid_input, "a second initialiser \"{}\"", printable(name));
    }
    return {};
  }

  Result<> take_inputs() {
    std::set<std::string> seen;
    for (const auto& input : model_.proto.graph().input()) {
      if (!seen.insert(input.name()).second) {
        return fail(Errc::invalid_input, "a second input \"{}\"", printable(input.name()));
      }
      if (const auto weight = values_.find(input.name()); weight != values_.end()) {
        declare(input);  // a weight with a default
        if (const auto good = check_declared(input.name(), *weight->second.shape); !good) {
          return good.error().in(fmt::format("initialiser \"{}\"", printable(input.name())));
        }
        continue;
      }
      const auto in_input = [&](const Error& error) {
        return error.in(fmt::format("input \"{}\"", printable(input.name())));
      };
      const auto declared = declared_shape(input);
      if (!declared) return in_input(fail(Errc::unsupported, "it is no tensor with a shape"));
      const auto shape = input_shape(*declared, absent_.contains(input.name()));
      if (!shape) return in_input(shape.error());
      if (const auto good = check_shape(*shape); !good) return in_input(good.error());
      if (absent_.contains(input.name())) {
        Known weight;
        weight.shape = *shape;
        weight.type = declared->type;
        if (auto done = take_initialiser(input.name(), std::move(weight)); !done) return done;
        continue;
      }
      Known known;
      known.shape = *shape;
      known.type = declared->type;
      known.waiting_input = true;
      values_[input.name()] = std::move(known);
      waiting_inputs_[input.name()] = layer_written_in(input.doc_string());
    }
    return {};
  }

  Result<Shape> input_shape(const DeclaredShape& declared, bool weight) const {
    if (declared.extents.size() > Shape::kMaxRank)
      return fail(Errc::unsupported, "{} axes", declared.extents.size());
    Shape shape;
    for (std::size_t axis = 0; axis < declared.extents.size(); ++axis) {
      const auto& extent = declared.extents[axis];
      if (extent.size && *extent.size < 1) {
        return fail(Errc::invalid_input, "axis {} has an extent of {}", axis, *extent.size);
      }
      const auto given = options_.dimensions.find(extent.name);
      if (!weight && batch_.is_batch(extent, axis)) {
        shape.push_back(Dim::batch());
      } else if (extent.size) {
        shape.push_back({*extent.size});
      } else if (!extent.name.empty() && given != options_.dimensions.end()) {
        shape.push_back({given->second});
      } else {
        const std::string name = extent.name.empty()
                                     ? fmt::format("axis {} without a name", axis)
                                     : fmt::format("the dimension \"{}\"", printable(extent.name));
        return fail(Errc::invalid_input, "{} is open; {}", name,
                    extent.name.empty()
                        ? "export it with a number"
                        : fmt::format("say how large it is with --dim {}=N", printable(extent.name)));
      }
    }
    // One, three or four channels in front of two longer axes: a picture.
    const auto few = [](const Dim& dim) { return dim.size == 1 || dim.size == 3 || dim.size == 4; };
    const bool picture = shape.rank() == 4 && few(shape[1]) && !few(shape[3]);
    return picture ? shape.as_image() : shape;
  }

  // What is known about a node's inputs. Every name has been provided for: the order was checked.
  std::vector<const Known*> inputs_of(const ::onnx::NodeProto& node) {
    std::vector<const Known*> inputs;
    for (const std::string& name : node.input()) {
      const auto found = values_.find(name);
      inputs.push_back(name.empty() || found == values_.end() ? nullptr : &found->second);
    }
    while (!inputs.empty() && inputs.back() == nullptr) inputs.pop_back();
    return inputs;
  }

  Result<> take_node(const ::onnx::NodeProto& node) {
    const bool standard = node.domain().empty() || node.domain() == "ai.onnx";
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g() || attribute.graphs_size() > 0) {
        return fail(Errc::unsupported,
                    "what it runs is decided while the network runs; Ergon needs a static graph");
      }
    }
    if (standard && node.op_type() == "Constant") return take_constant(node);
    const Call call(node, inputs_of(node), model_.opset);
    if (standard && (node.op_type() == "Shape" || node.op_type() == "Size" || node.op_type() == "Range")) {
      return take_shape(call);
    }
    const bool own = node.domain() == kOwnDomain;
    const Rule rule = own ? find_own_rule(node.op_type()) : standard ? find_rule(node.op_type()) : nullptr;
    const bool reshapes = standard && (node.op_type() == "Reshape" || node.op_type() == "Flatten" ||
                                       node.op_type() == "Squeeze" || node.op_type() == "Unsqueeze");
    if (rule == nullptr && !reshapes) return take_unknown(call);
    for (std::size_t i = 0; i < call.size(); ++i) {
      // What an operation of unknown cost gives is unknown, and so is whatever reads it.
      if (!call.has(i) || call.in(i).shape) continue;
      if (options_.strict || call.in(i).constant()) return call.shape(i).error();
      return take_unknown(call);
    }
    const ReshapeReading reading{batch_.open ? batch_.number : std::nullopt};
    auto lowered = reshapes ? lower_reshape(call, reading) : rule(call);
    if (!lowered) return lowered.error();
    return flows(call) ? place(call, std::move(*lowered)) : fold(call, *lowered);
  }

  static bool flows(const Call& call) {
    for (std::size_t i = 0; i < call.size(); ++i) {
      if (call.has(i) && !call.in(i).constant()) return true;
    }
    return false;
  }

  Result<> take_constant(const ::onnx::NodeProto& node) {
    auto known = known_constant(node);
    if (!known) return known.error();
    if (node.output_size() != 1)
      return fail(Errc::invalid_input, "a constant with {} outputs", node.output_size());
    const std::string& name = node.output(0);
    known->origin = origins_.root(*known->shape, known->type);
    values_[name] = std::move(*known);
    return {};
  }

  // Shapes are known before the network runs, whatever flows.
  Result<> take_shape(const Call& call) {
    auto numbers = evaluate(call);
    Known known;
    known.type = ElementType::int64;
    if (numbers) {
      known.shape = call.type() == "Size" ? Shape() : Shape{{static_cast<std::int64_t>(numbers->size())}};
    } else if (const auto length = call.type() == "Range" ? range_length(call) : std::nullopt) {
      known.shape = Shape{{*length}};
      known.type = call.in(0).type;
    } else {
      return fail(Errc::unsupported, "its result depends on data or on more than the batch");
    }
    known.integers = std::move(numbers);
    return set_output(call.node(), 0, std::move(known));
  }

  Result<> set_output(const ::onnx::NodeProto& node, int i, Known known) {
    if (i >= node.output_size() || node.output(i).empty()) return {};
    if (known.shape) {
      if (auto good = check_declared(node.output(i), *known.shape); !good) return good;
    }
    values_[node.output(i)] = std::move(known);
    return {};
  }

  // A file that declares another shape than follows from its operations contradicts itself.
  Result<> check_declared(const std::string& name, const Shape& shape) const {
    const auto found = declared_.find(name);
    if (found == declared_.end()) return {};
    const auto& extents = found->second.extents;
    bool agrees = extents.size() == shape.rank();
    for (std::size_t axis = 0; agrees && axis < shape.rank(); ++axis) {
      const auto real = shape[axis].batched ? batch_.number : std::optional(std::int64_t{1});
      agrees = !extents[axis].size || !real ||
               (Count(shape[axis].size) * *real).value().value_or(-1) == *extents[axis].size;
    }
    if (agrees) return {};
    std::string declared;
    for (const auto& extent : extents) {
      declared += (declared.empty() ? "" : ", ") + (extent.size           ? std::to_string(*extent.size)
                                                    : extent.name.empty() ? std::string("?")
                                                                          : printable(extent.name));
    }
    return fail(Errc::invalid_input, "it gives {} for \"{}\", but the file declares ({})", to_text(shape),
                printable(name), declared);
  }

  // A node of constants: its results are constants.
  Result<> fold(const Call& call, const Lowered& lowered) {
    std::vector<Shape> shapes;
    for (const std::size_t i : lowered.operands) shapes.push_back(*call.in(i).shape);
    auto numbers = evaluate(call);
    std::vector<Shape> results;
    if (auto inferred = infer(lowered.operation, shapes)) {
      results = std::move(*inferred);
    } else if (numbers) {
      results = {
          Shape{{static_cast<std::int64_t>(numbers->size())}}};  // an empty or symbolic list of extents
    } else {
      return inferred.error();
    }
    std::vector<Origin> from;
    for (const std::size_t i : lowered.operands) from.push_back(call.in(i).origin);
    const Origin origin = origins_.together(std::move(from));
    std::size_t taken = 0;  // of the numbers, when a list is split
    for (int i = 0; i < call.node().output_size(); ++i) {
      Known known;
      known.origin = origin;
      if (static_cast<std::size_t>(i) < results.size()) {
        known.shape = results[static_cast<std::size_t>(i)];
        known.type = lowered.types.empty() ? call.in(lowered.operands.front()).type : lowered.types.front();
        if (call.type() == "Split") {
          take_part(known, call, taken);
        } else if (i == 0) {
          known.integers = numbers;
          known.reals = evaluate_reals(call);
        }
      }
      if (auto done = set_output(call.node(), i, std::move(known)); !done) return done;
    }
    return {};
  }

  // One part of a list that is split.
  static void take_part(Known& part, const Call& call, std::size_t& taken) {
    const auto& whole = call.in(0).integers;
    if (!whole || part.shape->rank() != 1) return;
    const auto size = static_cast<std::size_t>((*part.shape)[0].size);
    if (taken + size > whole->size()) return;
    const auto first = whole->begin() + static_cast<std::ptrdiff_t>(taken);
    part.integers.emplace(first, first + static_cast<std::ptrdiff_t>(size));
    taken += size;
  }

  // The weights that a constant stands for: the initialisers it was computed from.
  void add_weights(std::vector<Weight>& weights, const Known& known, WeightRole role) {
    for (Origins::Root* root : origins_.roots(known.origin)) {
      if (!is_parameter(root->type, role)) continue;
      weights.push_back({role, root->shape, root->type, root->credited});
      root->credited = true;
    }
  }

  // A constant where a tensor is wanted becomes a learned tensor, inside the layer that wants it.
  Result<Tensor> tensor_of(const Known& known) {
    if (known.tensor) return *known.tensor;
    if (const auto good = check_shape(*known.shape); !good) return good.error();
    std::vector<Weight> weights;
    add_weights(weights, known, WeightRole::other);
    const Shape shape = *known.shape;
    auto placed = build_.place(Parameter{shape, shape}, {}, {std::move(weights), {known.type}});
    if (!placed) return placed.error();
    return placed->front();
  }

  // An input enters the network where it is first read, in a layer of its own unless we wrote it into
  // another.
  void enter_input(const std::string& name) {
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

  // Inputs come before the layer that reads them, or inside it.
  void enter_inputs_of(const ::onnx::NodeProto& node, bool inside) {
    const auto layer = layer_written_in(node.doc_string());
    for (const std::string& name : node.input()) {
      const auto found = values_.find(name);
      if (name.empty() || found == values_.end() || !found->second.waiting_input) continue;
      const auto home = waiting_inputs_[name];
      const bool same = layer && home && layer->number == home->number;
      if (same == inside) enter_input(name);
    }
  }

  void open_layer(const ::onnx::NodeProto& node) {
    enter_inputs_of(node, false);
    start_layer(node);
    enter_inputs_of(node, true);
  }

  void start_layer(const ::onnx::NodeProto& node) {
    const auto layer = layer_written_in(node.doc_string());
    if (layer && continues_layer(*layer)) return;
    const std::string fallback = node.output_size() > 0 ? node.output(0) : node.op_type();
    const std::string& name = node.name().empty() ? fallback : node.name();
    build_.open(layer ? layer->name : name, layer ? layer->type : node.op_type());
    if (layer) build_.network().layers.back().training_only = layer->training_only;
    our_layer_ = layer ? layer->number : -1;
  }

  bool continues_layer(const OwnLayer& layer) const { return our_layer_ == layer.number; }

  Result<> place(const Call& call, Lowered lowered) {
    const auto& node = call.node();
    if (options_.strict && std::holds_alternative<Unknown>(lowered.operation)) return refused();
    open_layer(node);
    std::vector<Tensor> operands;
    for (const std::size_t i : lowered.operands) {
      auto tensor = tensor_of(call.in(i));
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
      known.shape = alike ? build_.shape(outputs->front()) : declared_elsewhere(node.output(i));
      known.tensor = known.shape ? alias(outputs->front(), *known.shape, known.type) : outputs->front();
      values_[node.output(i)] = std::move(known);
    }
    return {};
  }

  // Another output of the node that gave `source`.
  Tensor alias(Tensor source, const Shape& shape, ElementType type) {
    Network& network = build_.network();
    const NodeId producer = network.values[source].producer;
    const auto id = static_cast<Tensor>(network.values.size());
    network.values.push_back({shape, type, producer});
    network.nodes[producer].outputs.push_back(id);
    return id;
  }

  // A shape that the file declares, as far as the open batch allows.
  std::optional<Shape> declared_elsewhere(const std::string& name) const {
    const auto found = declared_.find(name);
    return found == declared_.end() ? std::nullopt : settled(found->second);
  }

  std::optional<Shape> settled(const DeclaredShape& declared) const {
    if (declared.extents.size() > Shape::kMaxRank) return std::nullopt;
    Shape shape;
    for (std::size_t axis = 0; axis < declared.extents.size(); ++axis) {
      const auto& extent = declared.extents[axis];
      const auto given = options_.dimensions.find(extent.name);
      const bool hole = !extent.size && extent.name.empty();
      if (extent.name == kLibraryBatch || (!hole && batch_.is_batch(extent, axis))) {
        shape.push_back(Dim::batch());
      } else if (extent.size && *extent.size > 0) {
        shape.push_back({*extent.size});
      } else if (!extent.name.empty() && given != options_.dimensions.end()) {
        shape.push_back({given->second});
      } else {
        return std::nullopt;
      }
    }
    return shape;
  }

  // What the onnx library says about a node of the standard.
  std::map<std::string, DeclaredShape> library_opinion(const Call& call) const {
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

  static Error refused() {
    return fail(Errc::unsupported, "its cost is not known, and --strict asks for certainty");
  }

  Result<> take_unknown(const Call& call) {
    const auto& node = call.node();
    if (options_.strict) return refused();
    if (node.output_size() == 0) return fail(Errc::invalid_input, "a node without outputs");
    Unknown unknown{node.domain(), node.op_type(), {}, true};
    const auto opinion = library_opinion(call);
    std::vector<std::optional<Shape>> shapes;
    for (const std::string& name : node.output()) {
      auto shape = declared_elsewhere(name);
      if (const auto found = opinion.find(name); !shape && found != opinion.end())
        shape = settled(found->second);
      if (shape && !check_shape(*shape)) shape.reset();
      unknown.results.push_back(shape.value_or(Shape{{1}}));
      shapes.push_back(shape);
    }
    unknown.shapes_known = shapes.front().has_value();
    open_layer(node);
    std::vector<Tensor> operands;
    std::vector<Weight> weights;
    for (std::size_t i = 0; i < call.size(); ++i) {
      if (!call.has(i)) continue;
      if (call.in(i).tensor) {
        operands.push_back(*call.in(i).tensor);
      } else {
        add_weights(weights, call.in(i), WeightRole::other);
      }
    }
    auto outputs = build_.place(std::move(unknown), std::move(operands), {std::move(weights), {}});
    if (!outputs) return outputs.error();
    for (int i = 0; i < node.output_size(); ++i) {
      if (node.output(i).empty()) continue;
      Known known;
      known.shape = shapes[static_cast<std::size_t>(i)];
      known.tensor = (*outputs)[static_cast<std::size_t>(i)];
      values_[node.output(i)] = std::move(known);
    }
    return {};
  }

  Result<Network> finish() {
    for (const auto& input : model_.proto.graph().input()) {
      if (waiting_inputs_.contains(input.name())) enter_input(input.name());  // nobody read it
    }
    std::vector<Tensor> outputs;
    for (const auto& output : model_.proto.graph().output()) {
      const auto found = values_.find(output.name());
      if (found == values_.end()) {
        return fail(Errc::invalid_input, "nothing gives the output \"{}\"", printable(output.name()));
      }
      if (found->second.tensor) outputs.push_back(*found->second.tensor);
    }
    if (build_.network().nodes.empty()) return fail(Errc::invalid_input, "nothing in it depends on an input");
    build_.network().independent_layers = model_.proto.graph().doc_string() == kIndependentLayers;
    build_.network().usual_batch = batch_.number;
    build_.network().batch_is_fixed = !batch_.open;
    return build_.finish(std::move(outputs));
  }

  const Model& model_;
  const std::vector<::onnx::NodeProto>& nodes_;
  const ImportOptions& options_;
  const Source& where_;
  BatchReading batch_;
  const std::set<std::string>& absent_;  // weights that the graph lists as inputs
  Builder build_;
  std::unordered_map<std::string, Known> values_;
  Origins origins_;
  std::unordered_map<std::string, std::optional<OwnLayer>> waiting_inputs_;
  std::map<std::string, DeclaredShape> declared_;
  std::int64_t our_layer_ = -1;
};

// A dimension that was given and is nowhere would be a typing mistake that goes unnoticed.
Result<> check_dimensions(const Model& model, const ImportOptions& options) {
  std::vector<std::string> names;
  for (const auto& input : model.proto.graph().input()) {
    const auto shape = declared_shape(input);
    if (!shape) continue;
    for (const auto& extent : shape->extents) {
      if (!extent.size && !extent.name.empty()) names.push_back(extent.name);
    }
  }
  for (const auto& [name, size] : options.dimensions) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      return fail(Errc::invalid_input, "no input has an open dimension \"{}\"{}", printable(name),
                  suggestion(name, names));
    }
  }
  return {};
}

Result<Network> import_model(const Model& model, const Source& where, const ImportOptions& options) {
  if (const auto good = check_dimensions(model, options); !good) return good.error();
  const auto nodes = ordered_nodes(model);
  if (!nodes) return nodes.error();
  const auto absent = absent_weights(model.proto.graph(), *nodes);
  BatchReading batch = declared_batch(model, options, absent);
  auto network = Importer(model, *nodes, options, where, batch, absent).run();
  if (network || !batch.reopened()) return network;
  batch.open = false;
  return Importer(model, *nodes, options, where, batch, absent).run();
}

}  // namespace

Result<Network> import_onnx(std::string_view bytes, const std::string& name, const ImportOptions& options) {
  const auto model = parse_model(bytes);
  if (!model) return model.error().in(name);
  auto network = import_model(*model, {name, ""}, options);
  if (!network) return network.error().in(name);
  return network;
}

Result<Network> import_onnx_file(const std::string& path, const ImportOptions& options) {
  const auto model = read_model(path);
  if (!model) return model.error();
  const std::filesystem::path file(path);
  const std::string folder = file.parent_path().empty() ? "." : file.parent_path().string();
  auto network = import_model(*model, {file.stem().string(), folder}, options);
  if (!network) return network.error().in(path);
  return network;
}

}  // namespace ergon::graph::onnx
