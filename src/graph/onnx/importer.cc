// From an ONNX graph to a network.
//
// The graph is walked once, in order. For every value there is a note of what is known about it (known.h). A
// node whose inputs are all constants is computed away; a node of the standard becomes an operation by its
// rule (rules.h); anything else is an operation of unknown cost, whose shapes come from the file or from the
// onnx library's own inference.

#include "graph/onnx/importer.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "graph/infer.h"
#include "graph/onnx/constants.h"
#include "graph/onnx/rules.h"

namespace ergon::graph::onnx {

Importer::Importer(const Model& model, const std::vector<::onnx::NodeProto>& nodes,
                   const ImportOptions& options, const Source& where, const BatchReading& batch,
                   const std::set<std::string>& absent)
    : model_(model),
      nodes_(nodes),
      options_(options),
      where_(where),
      batch_(batch),
      absent_(absent),
      declarations_(model, options, batch),
      build_("onnx", where.name) {}

Result<Network> Importer::run(Notes* notes) {
  notes_ = notes;
  if (notes_ != nullptr) *notes_ = {};
  if (const auto done = take_initialisers(); !done) return done.error();
  if (const auto done = take_inputs(); !done) return done.error();
  for (const auto& node : nodes_) {
    if (const auto done = take_node(node); !done) return done.error().in(describe(node));
  }
  return finish();
}

Result<> Importer::take_initialisers() {
  const auto& graph = model_.proto.graph();
  for (const auto& tensor : graph.initializer()) {
    if (auto done = take_initialiser(tensor.name(), known_tensor(tensor, where_.folder)); !done) return done;
  }
  for (const auto& tensor : graph.sparse_initializer()) {
    if (auto done = take_initialiser(tensor.values().name(), known_sparse(tensor)); !done) return done;
  }
  return {};
}

Result<> Importer::take_initialiser(const std::string& name, Result<Known> known) {
  if (!known) return known.error().in(fmt::format("initialiser \"{}\"", printable(name)));
  known->origin = origins_.root(*known->shape, known->type);
  if (!values_.emplace(name, std::move(*known)).second) {
    return fail(Errc::invalid_input, "a second initialiser \"{}\"", printable(name));
  }
  return {};
}

Result<> Importer::take_inputs() {
  std::set<std::string> seen;
  for (const auto& input : model_.proto.graph().input()) {
    if (!seen.insert(input.name()).second) {
      return fail(Errc::invalid_input, "a second input \"{}\"", printable(input.name()));
    }
    if (const auto weight = values_.find(input.name()); weight != values_.end()) {
      declarations_.declare(input);  // a weight with a default
      if (const auto good = declarations_.check(input.name(), *weight->second.shape); !good) {
        return good.error().in(fmt::format("initialiser \"{}\"", printable(input.name())));
      }
      continue;
    }
    const auto in_input = [&](const Error& error) {
      return error.in(fmt::format("input \"{}\"", printable(input.name())));
    };
    const auto declared = declared_shape(input);
    if (!declared) return in_input(fail(Errc::unsupported, "it is no tensor with a shape"));
    const auto shape = declarations_.input_shape(*declared, absent_.contains(input.name()));
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

std::vector<const Known*> Importer::inputs_of(const ::onnx::NodeProto& node) {
  std::vector<const Known*> inputs;
  for (const std::string& name : node.input()) {
    const auto found = values_.find(name);
    inputs.push_back(name.empty() || found == values_.end() ? nullptr : &found->second);
  }
  while (!inputs.empty() && inputs.back() == nullptr) inputs.pop_back();
  return inputs;
}

Result<> Importer::take_node(const ::onnx::NodeProto& node) {
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

bool Importer::flows(const Call& call) {
  // Of the second input of CastLike nothing but its type is read.
  const std::size_t read = call.type() == "CastLike" ? std::min<std::size_t>(1, call.size()) : call.size();
  for (std::size_t i = 0; i < read; ++i) {
    if (call.has(i) && !call.in(i).constant()) return true;
  }
  return false;
}

Result<> Importer::take_constant(const ::onnx::NodeProto& node) {
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
Result<> Importer::take_shape(const Call& call) {
  auto numbers = evaluate(call);
  Known known;
  known.type = ElementType::int64;
  if (numbers) {
    known.shape = call.type() == "Size" ? Shape() : Shape{{static_cast<std::int64_t>(numbers->size())}};
  } else if (const auto length = call.type() == "Range" ? range_length(call) : std::nullopt) {
    known.shape = Shape{*length};
    known.type = call.in(0).type;
  } else {
    return fail(Errc::unsupported, "its result depends on data or on more than the batch");
  }
  known.integers = std::move(numbers);
  return set_output(call.node(), 0, std::move(known));
}

Result<> Importer::set_output(const ::onnx::NodeProto& node, int i, Known known) {
  if (i >= node.output_size() || node.output(i).empty()) return {};
  if (known.shape) {
    if (auto good = declarations_.check(node.output(i), *known.shape); !good) return good;
  }
  values_[node.output(i)] = std::move(known);
  return {};
}

// A node of constants: its results are constants.
Result<> Importer::fold(const Call& call, const Lowered& lowered) {
  std::vector<Shape> shapes;
  for (const std::size_t i : lowered.operands) shapes.push_back(*call.in(i).shape);
  auto numbers = evaluate(call);
  std::vector<Shape> results;
  if (auto inferred = infer(lowered.operation, shapes)) {
    results = std::move(*inferred);
  } else if (numbers) {
    results = {Shape{{static_cast<std::int64_t>(numbers->size())}}};  // an empty or symbolic list of extents
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
        known.noughts = gives_noughts(call);
      }
    }
    if (auto done = set_output(call.node(), i, std::move(known)); !done) return done;
  }
  return {};
}

// One part of a list that is split.
void Importer::take_part(Known& part, const Call& call, std::size_t& taken) {
  const auto& whole = call.in(0).integers;
  if (!whole || part.shape->rank() != 1) return;
  const auto size = static_cast<std::size_t>((*part.shape)[0].size);
  if (taken + size > whole->size()) return;
  const auto first = whole->begin() + static_cast<std::ptrdiff_t>(taken);
  part.integers.emplace(first, first + static_cast<std::ptrdiff_t>(size));
  taken += size;
}

Result<Network> Importer::finish() {
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
  build_.network().modules = model_.modules;
  build_.network().batch_is_fixed = !batch_.open;
  if (notes_ != nullptr) {
    notes_->placements.resize(build_.network().nodes.size());
    notes_->values = std::move(values_);
  }
  return build_.finish(std::move(outputs));
}

}  // namespace ergon::graph::onnx
