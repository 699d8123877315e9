// From an ONNX graph to a network.
//
// The graph is walked once, in order. For every value there is a note of what is known about it (known.h). A
// node whose inputs are all constants is computed away; a node of the standard becomes an operation by its
// rule (rules.h); anything else is an operation of unknown cost, whose shapes come from the file or from the
// onnx library's own inference.
//
// The batch is kept open: the first axis of the inputs when it has a name, or when all inputs agree on a
// number there. A graph that does not work with an open batch (a number where the batch should be) is walked
// again with the number.

#include <algorithm>
#include <filesystem>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "base/text.h"
#include "graph/infer.h"
#include "graph/onnx/constants.h"
#include "graph/onnx/declared.h"
#include "graph/onnx/model.h"
#include "graph/onnx/onnx.h"
#include "graph/onnx/own_operations.h"
#include "graph/onnx/rules.h"

namespace ergon::graph::onnx {
namespace {

// Where the inputs hold the batch, and how it is read.
struct BatchReading {
  bool open = false;
  std::set<std::string> names;         // dimensions that are the batch; an unnamed first axis always is
  std::optional<std::int64_t> number;  // what the file fixes, if it does

  bool is_batch(const DeclaredShape::Extent& extent, std::size_t axis) const {
    if (!open) return false;
    if (extent.size) return axis == 0 && extent.size == number;
    return extent.name.empty() ? axis == 0 : names.contains(extent.name);
  }
};

class Importer {
 public:
  Importer(const Model& model, const std::vector<::onnx::NodeProto>& nodes, const ImportOptions& options,
           const std::string& name, const BatchReading& batch)
      : model_(model), nodes_(nodes), options_(options), batch_(batch), build_("onnx", name) {
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
    for (const auto& tensor : model_.proto.graph().initializer()) {
      auto known = known_tensor(tensor);
      if (!known) return known.error().in(fmt::format("initialiser \"{}\"", printable(tensor.name())));
      known->roots = {tensor.name()};
      roots_[tensor.name()] = {*known->shape, known->type};
      if (!values_.emplace(tensor.name(), std::move(*known)).second) {
        return fail(Errc::invalid_input, "a second initialiser \"{}\"", printable(tensor.name()));
      }
    }
    return {};
  }

  Result<> take_inputs() {
    std::set<std::string> seen;
    for (const auto& input : model_.proto.graph().input()) {
      if (!seen.insert(input.name()).second) {
        return fail(Errc::invalid_input, "a second input \"{}\"", printable(input.name()));
      }
      if (values_.contains(input.name())) continue;  // a weight with a default
      const auto in_input = [&](const Error& error) {
        return error.in(fmt::format("input \"{}\"", printable(input.name())));
      };
      const auto declared = declared_shape(input);
      if (!declared) return in_input(fail(Errc::unsupported, "it is no tensor with a shape"));
      const auto shape = input_shape(*declared);
      if (!shape) return in_input(shape.error());
      if (const auto good = check_shape(*shape); !good) return in_input(good.error());
      Known known;
      known.shape = *shape;
      known.type = declared->type;
      known.waiting_input = true;
      values_[input.name()] = std::move(known);
      waiting_inputs_[input.name()] = layer_written_in(input.doc_string());
    }
    return {};
  }

  Result<Shape> input_shape(const DeclaredShape& declared) const {
    if (declared.extents.size() > Shape::kMaxRank)
      return fail(Errc::unsupported, "{} axes", declared.extents.size());
    Shape shape;
    for (std::size_t axis = 0; axis < declared.extents.size(); ++axis) {
      const auto& extent = declared.extents[axis];
      if (extent.size && *extent.size < 1) {
        return fail(Errc::invalid_input, "axis {} has an extent of {}", axis, *extent.size);
      }
      const auto given = options_.dimensions.find(extent.name);
      if (batch_.is_batch(extent, axis)) {
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
    // Three or one channels in front of two large axes: a picture.
    const bool picture = shape.rank() == 4;
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
    known->roots = {name};
    roots_[name] = {*known->shape, known->type};
    values_[name] = std::move(*known);
    return {};
  }

  // Shapes are known before the network runs, whatever flows.
  Result<> take_shape(const Call& call) {
    auto numbers = evaluate(call);
    if (!numbers) return fail(Errc::unsupported, "its result depends on data or on more than the batch");
    Known known;
    known.type = ElementType::int64;
    known.shape = call.type() == "Size" ? Shape() : Shape{{static_cast<std::int64_t>(numbers->size())}};
    known.integers = std::move(numbers);
    return set_output(call.node(), 0, std::move(known));
  }

  Result<> set_output(const ::onnx::NodeProto& node, int i, Known known) {
    if (i >= node.output_size() || node.output(i).empty()) return {};
    if (known.shape) {
      if (const auto good = check_declared(node.output(i), *known.shape); !good) return good;
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
      agrees = !extents[axis].size || shape[axis].batched || *extents[axis].size == shape[axis].size;
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
    for (int i = 0; i < call.node().output_size(); ++i) {
      if (static_cast<std::size_t>(i) >= results.size()) break;
      Known known;
      known.shape = results[static_cast<std::size_t>(i)];
      known.type = lowered.types.empty() ? call.in(lowered.operands.front()).type : lowered.types.front();
      if (i == 0) known.integers = numbers;
      for (std::size_t k = 0; k < call.size(); ++k) {
        if (!call.has(k)) continue;
        for (const std::string& root : call.in(k).roots) {
          if (std::find(known.roots.begin(), known.roots.end(), root) == known.roots.end())
            known.roots.push_back(root);
        }
      }
      if (const auto done = set_output(call.node(), i, std::move(known)); !done) return done;
    }
    return {};
  }

  // The weights that a constant stands for: the initialisers it was computed from.
  void add_weights(std::vector<Weight>& weights, const Known& known, WeightRole role) {
    for (const std::string& root : known.roots) {
      const auto& [shape, type] = roots_[root];
      const bool one = shape.elements(1).value().value_or(0) <= 1 && known.roots.size() > 1;
      if (one || (!is_floating(type) && role != WeightRole::kernel && role != WeightRole::table)) continue;
      weights.push_back({role, shape, type, !credited_.insert(root).second});
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
    open_layer(node);
    std::vector<Tensor> operands;
    for (const std::size_t i : lowered.operands) {
      auto tensor = tensor_of(call.in(i));
      if (!tensor) return tensor.error();
      operands.push_back(*tensor);
    }
    std::vector<Weight> weights;
    for (const auto& use : lowered.weights) {
      if (call.has(use.input) && call.in(use.input).constant())
        add_weights(weights, call.in(use.input), use.role);
    }
    auto outputs =
        build_.place(std::move(lowered.operation), std::move(operands), {std::move(weights), lowered.types});
    if (!outputs) return outputs.error();
    for (std::size_t i = 0; i < outputs->size(); ++i) {
      Known known;
      known.shape = build_.shape((*outputs)[i]);
      known.type = build_.element((*outputs)[i]);
      known.tensor = (*outputs)[i];
      if (const auto done = set_output(node, static_cast<int>(i), std::move(known)); !done) return done;
    }
    // Further outputs (a mask, the last state) are not followed; they can be declared or stay unknown.
    for (int i = static_cast<int>(outputs->size()); i < node.output_size(); ++i) {
      if (const auto done = take_extra_output(node, i, outputs->front()); !done) return done;
    }
    return {};
  }

  Result<> take_extra_output(const ::onnx::NodeProto& node, int i, Tensor source) {
    if (node.output(i).empty()) return {};
    Known known;
    known.shape = shape_elsewhere(node.output(i));
    known.tensor = source;
    if (known.shape) known.tensor = alias(source, *known.shape);
    values_[node.output(i)] = std::move(known);
    return {};
  }

  // Another output of the node that gave `source`.
  Tensor alias(Tensor source, const Shape& shape) {
    Network& network = build_.network();
    const NodeId producer = network.values[source].producer;
    const auto id = static_cast<Tensor>(network.values.size());
    network.values.push_back({shape, network.values[source].type, producer});
    network.nodes[producer].outputs.push_back(id);
    return id;
  }

  // A shape that the file declares, or that the library infers, as far as the open batch allows.
  std::optional<Shape> shape_elsewhere(const std::string& name) {
    const auto found = declared_.find(name);
    if (found != declared_.end()) {
      if (auto shape = settled(found->second)) return shape;
    }
    if (!asked_library_) {
      asked_library_ = true;
      library_ = library_shapes(model_.proto);
    }
    const auto inferred = library_.find(name);
    return inferred == library_.end() ? std::nullopt : settled(inferred->second);
  }

  std::optional<Shape> settled(const DeclaredShape& declared) const {
    if (declared.extents.size() > Shape::kMaxRank) return std::nullopt;
    Shape shape;
    for (std::size_t axis = 0; axis < declared.extents.size(); ++axis) {
      const auto& extent = declared.extents[axis];
      const auto given = options_.dimensions.find(extent.name);
      if (batch_.is_batch(extent, axis)) {
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

  Result<> take_unknown(const Call& call) {
    const auto& node = call.node();
    if (options_.strict)
      return fail(Errc::unsupported, "its cost is not known, and --strict asks for certainty");
    Unknown unknown{node.domain(), node.op_type(), {}};
    std::vector<std::optional<Shape>> shapes;
    for (const std::string& name : node.output()) {
      shapes.push_back(name.empty() ? std::nullopt : shape_elsewhere(name));
      if (shapes.back() && !check_shape(*shapes.back())) shapes.back().reset();
      unknown.results.push_back(shapes.back().value_or(Shape{{1}}));
    }
    open_layer(node);
    std::vector<Tensor> operands;
    for (std::size_t i = 0; i < call.size(); ++i) {
      if (call.has(i) && call.in(i).tensor) operands.push_back(*call.in(i).tensor);
    }
    if (node.output_size() == 0) return fail(Errc::invalid_input, "a node without outputs");
    auto outputs = build_.place(std::move(unknown), std::move(operands), {std::vector<Weight>(), {}});
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
    if (!batch_.open) build_.network().fixed_batch = batch_.number.value_or(1);
    return build_.finish(std::move(outputs));
  }

  const Model& model_;
  const std::vector<::onnx::NodeProto>& nodes_;
  const ImportOptions& options_;
  BatchReading batch_;
  Builder build_;
  std::unordered_map<std::string, Known> values_;
  std::unordered_map<std::string, std::pair<Shape, ElementType>> roots_;
  std::unordered_map<std::string, std::optional<OwnLayer>> waiting_inputs_;
  std::set<std::string> credited_;
  std::map<std::string, DeclaredShape> declared_;
  std::map<std::string, DeclaredShape> library_;
  bool asked_library_ = false;
  std::int64_t our_layer_ = -1;
};

bool sounds_like_a_batch(const std::string& name) {
  const std::string small = lower(name);
  return small.find("batch") != std::string::npos || small == "n" || small == "b";
}

// The batch is what is called so; without such a name, the open first axes; without those, the number that
// all first axes share.
BatchReading declared_batch(const Model& model, const ImportOptions& options) {
  std::set<std::string> weights;
  for (const auto& tensor : model.proto.graph().initializer()) weights.insert(tensor.name());
  BatchReading reading;
  std::set<std::string> called_so;
  std::set<std::string> first_names;
  std::vector<std::int64_t> first_numbers;
  bool hole = false;
  bool all_have_one = true;
  for (const auto& input : model.proto.graph().input()) {
    if (weights.contains(input.name())) continue;
    const auto shape = declared_shape(input);
    if (!shape || shape->extents.empty()) {
      all_have_one = false;
      continue;
    }
    for (const auto& extent : shape->extents) {
      if (extent.size || extent.name.empty()) continue;
      if (const auto given = options.dimensions.find(extent.name); given != options.dimensions.end()) {
        if (sounds_like_a_batch(extent.name)) reading.number = given->second;  // the caller fixes it
      } else if (sounds_like_a_batch(extent.name)) {
        called_so.insert(extent.name);
      }
    }
    const auto& first = shape->extents.front();
    if (first.size)
      first_numbers.push_back(*first.size);
    else if (first.name.empty())
      hole = true;
    else if (!options.dimensions.contains(first.name))
      first_names.insert(first.name);
  }
  if (!called_so.empty() || !first_names.empty() || hole) {
    reading.open = true;
    reading.number.reset();
    reading.names = called_so.empty() ? first_names : called_so;
    return reading;
  }
  if (reading.number || first_numbers.empty()) return reading;
  reading.number = first_numbers.front();
  const bool agree = std::all_of(first_numbers.begin(), first_numbers.end(),
                                 [&](std::int64_t number) { return number == first_numbers.front(); });
  reading.open = all_have_one && agree && first_numbers.front() > 0;
  return reading;
}

Result<Network> import_model(const Model& model, const std::string& name, const ImportOptions& options) {
  const auto nodes = ordered_nodes(model);
  if (!nodes) return nodes.error();
  BatchReading batch = declared_batch(model, options);
  auto network = Importer(model, *nodes, options, name, batch).run();
  if (network || !batch.open || !batch.number) return network;
  batch.open = false;
  auto fixed = Importer(model, *nodes, options, name, batch).run();
  return fixed;
}

}  // namespace

Result<Network> import_onnx(std::string_view bytes, const std::string& name, const ImportOptions& options) {
  const auto model = parse_model(bytes);
  if (!model) return model.error().in(name);
  auto network = import_model(*model, name, options);
  if (!network) return network.error().in(name);
  return network;
}

Result<Network> import_onnx_file(const std::string& path, const ImportOptions& options) {
  const auto model = read_model(path);
  if (!model) return model.error();
  auto network = import_model(*model, std::filesystem::path(path).stem().string(), options);
  if (!network) return network.error().in(path);
  return network;
}

}  // namespace ergon::graph::onnx
