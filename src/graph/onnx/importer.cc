// Converts an ONNX graph to a network.
//
// One pass in topological order, with a ValueInfo per value (value_info.h). A node of constants is folded; a
// standard node becomes an operation by its rule (rules.h); any other node becomes an operation of unknown
// cost, with shapes from the file or from the onnx library's inference.

#include "graph/onnx/importer.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "graph/infer.h"
#include "graph/onnx/batch_norm_folding.h"
#include "graph/onnx/constants.h"
#include "graph/onnx/rules.h"

namespace ergon::graph::onnx {

Importer::Importer(const OnnxModel& model, const std::vector<::onnx::NodeProto>& nodes,
                   const ImportOptions& options, const ModelLocation& where, const BatchDetection& batch,
                   const std::set<std::string>& weight_inputs)
    : model_(model),
      nodes_(nodes),
      options_(options),
      where_(where),
      batch_(batch),
      weight_inputs_(weight_inputs),
      declarations_(model, options, batch),
      build_("onnx", where.name) {}

Result<Network> Importer::run(ImportRecord* record) {
  record_ = record;
  if (record_ != nullptr) *record_ = {};
  if (const auto done = take_initializers(); !done) return done.error();
  if (const auto done = take_inputs(); !done) return done.error();
  for (const auto& node : nodes_) {
    if (const auto done = take_node(node); !done) return done.error().in(describe(node));
  }
  return finish();
}

Result<> Importer::take_initializers() {
  const auto& graph = model_.proto.graph();
  for (const auto& tensor : graph.initializer()) {
    if (auto done = take_initializer(tensor.name(), tensor_info(tensor, where_.folder)); !done) return done;
  }
  for (const auto& tensor : graph.sparse_initializer()) {
    if (auto done = take_initializer(tensor.values().name(), sparse_tensor_info(tensor)); !done) return done;
  }
  return {};
}

Result<> Importer::take_initializer(const std::string& name, Result<ValueInfo> known) {
  if (!known) return known.error().in(fmt::format("initializer \"{}\"", printable(name)));
  known->initializers = initializer_sets_.add_initializer(*known->shape, known->type);
  if (!values_.emplace(name, std::move(*known)).second) {
    return fail(Errc::invalid_input, "duplicate initializer \"{}\"", printable(name));
  }
  return {};
}

Result<> Importer::take_inputs() {
  std::set<std::string> seen;
  for (const auto& input : model_.proto.graph().input()) {
    if (!seen.insert(input.name()).second) {
      return fail(Errc::invalid_input, "duplicate input \"{}\"", printable(input.name()));
    }
    if (const auto weight = values_.find(input.name()); weight != values_.end()) {
      declarations_.declare(input);  // an initializer that is also listed as input
      if (const auto good = declarations_.check(input.name(), *weight->second.shape); !good) {
        return good.error().in(fmt::format("initializer \"{}\"", printable(input.name())));
      }
      continue;
    }
    const auto in_input = [&](const Error& error) {
      return error.in(fmt::format("input \"{}\"", printable(input.name())));
    };
    const auto declared = declared_shape(input);
    if (!declared) return in_input(fail(Errc::unsupported, "it is not a tensor with a declared shape"));
    const auto shape = declarations_.input_shape(*declared, weight_inputs_.contains(input.name()));
    if (!shape) return in_input(shape.error());
    if (const auto good = check_shape(*shape); !good) return in_input(good.error());
    if (weight_inputs_.contains(input.name())) {
      ValueInfo weight;
      weight.shape = *shape;
      weight.type = declared->type;
      if (auto done = take_initializer(input.name(), std::move(weight)); !done) return done;
      continue;
    }
    ValueInfo known;
    known.shape = *shape;
    known.type = declared->type;
    known.unread_input = true;
    values_[input.name()] = std::move(known);
    unread_inputs_[input.name()] = parse_layer_tag(input.doc_string());
  }
  return {};
}

std::vector<const ValueInfo*> Importer::inputs_of(const ::onnx::NodeProto& node) {
  std::vector<const ValueInfo*> inputs;
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
      return fail(Errc::unsupported, "control flow (If, Loop, Scan) is not supported");
    }
  }
  if (standard && node.op_type() == "Constant") return take_constant(node);
  const NodeCall call(node, inputs_of(node), model_.opset);
  if (standard && (node.op_type() == "Shape" || node.op_type() == "Size" || node.op_type() == "Range")) {
    return take_shape(call);
  }
  const bool ergon_domain = node.domain() == kErgonDomain;
  const Rule rule = ergon_domain ? find_ergon_rule(node.op_type())
                    : standard   ? find_rule(node.op_type())
                                 : nullptr;
  const bool reshapes = standard && (node.op_type() == "Reshape" || node.op_type() == "Flatten" ||
                                     node.op_type() == "Squeeze" || node.op_type() == "Unsqueeze");
  if (rule == nullptr && !reshapes) return take_unknown(call);
  for (std::size_t i = 0; i < call.size(); ++i) {
    // An unknown input shape makes the operation unknown too.
    if (!call.has(i) || call.in(i).shape) continue;
    if (options_.strict || call.in(i).constant()) return call.shape(i).error();
    return take_unknown(call);
  }
  const ReshapeOptions reading{batch_.symbolic ? batch_.number : std::nullopt};
  auto lowered = reshapes ? lower_reshape(call, reading) : rule(call);
  if (!lowered) return lowered.error();
  return is_runtime(call) ? add_operation(call, std::move(*lowered)) : fold(call, *lowered);
}

bool Importer::is_runtime(const NodeCall& call) {
  // CastLike reads only the type of its second input.
  const std::size_t read = call.type() == "CastLike" ? std::min<std::size_t>(1, call.size()) : call.size();
  for (std::size_t i = 0; i < read; ++i) {
    if (call.has(i) && !call.in(i).constant()) return true;
  }
  return false;
}

Result<> Importer::take_constant(const ::onnx::NodeProto& node) {
  auto known = constant_info(node);
  if (!known) return known.error();
  if (node.output_size() != 1)
    return fail(Errc::invalid_input, "a Constant with {} outputs", node.output_size());
  const std::string& name = node.output(0);
  known->initializers = initializer_sets_.add_initializer(*known->shape, known->type);
  values_[name] = std::move(*known);
  return {};
}

Result<> Importer::take_shape(const NodeCall& call) {
  auto numbers = evaluate(call);
  ValueInfo known;
  known.type = ElementType::int64;
  if (numbers) {
    known.shape = call.type() == "Size" ? Shape() : Shape{{static_cast<std::int64_t>(numbers->size())}};
  } else if (const auto length = call.type() == "Range" ? range_length(call) : std::nullopt) {
    known.shape = Shape{*length};
    known.type = call.in(0).type;
  } else {
    return fail(Errc::unsupported, "its result depends on data or is not a multiple of the batch");
  }
  known.integers = std::move(numbers);
  return set_output(call.node(), 0, std::move(known));
}

Result<> Importer::set_output(const ::onnx::NodeProto& node, int i, ValueInfo known) {
  if (i >= node.output_size() || node.output(i).empty()) return {};
  if (known.shape) {
    if (auto good = declarations_.check(node.output(i), *known.shape); !good) return good;
  }
  values_[node.output(i)] = std::move(known);
  return {};
}

Result<> Importer::fold(const NodeCall& call, const Lowered& lowered) {
  std::vector<Shape> shapes;
  for (const std::size_t i : lowered.operands) shapes.push_back(*call.in(i).shape);
  auto numbers = evaluate(call);
  std::vector<Shape> results;
  if (auto inferred = infer(lowered.operation, shapes)) {
    results = std::move(*inferred);
  } else if (numbers) {
    results = {Shape{
        {static_cast<std::int64_t>(numbers->size())}}};  // an empty list, or extents with a symbolic batch
  } else {
    return inferred.error();
  }
  std::vector<InitializerSetId> from;
  for (const std::size_t i : lowered.operands) from.push_back(call.in(i).initializers);
  const InitializerSetId initializers = initializer_sets_.unite(std::move(from));
  std::size_t taken = 0;  // elements used so far by the outputs of a Split
  for (int i = 0; i < call.node().output_size(); ++i) {
    ValueInfo known;
    known.initializers = initializers;
    if (static_cast<std::size_t>(i) < results.size()) {
      known.shape = results[static_cast<std::size_t>(i)];
      known.type = lowered.types.empty() ? call.in(lowered.operands.front()).type : lowered.types.front();
      if (call.type() == "Split") {
        take_part(known, call, taken);
      } else if (i == 0) {
        known.integers = numbers;
        known.reals = evaluate_reals(call);
        known.all_zeros = produces_zeros(call);
      }
    }
    if (auto done = set_output(call.node(), i, std::move(known)); !done) return done;
  }
  return {};
}

void Importer::take_part(ValueInfo& part, const NodeCall& call, std::size_t& taken) {
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
    if (unread_inputs_.contains(input.name())) enter_input(input.name());  // no node reads it
  }
  std::vector<Tensor> outputs;
  for (const auto& output : model_.proto.graph().output()) {
    const auto found = values_.find(output.name());
    if (found == values_.end()) {
      return fail(Errc::invalid_input, "output \"{}\" is undefined", printable(output.name()));
    }
    if (found->second.tensor) outputs.push_back(*found->second.tensor);
  }
  if (build_.network().nodes.empty()) return fail(Errc::invalid_input, "no node depends on an input");
  build_.network().independent_layers = model_.proto.graph().doc_string() == kIndependentLayers;
  build_.network().default_batch = batch_.number;
  build_.network().modules = model_.modules;
  build_.network().batch_is_fixed = !batch_.symbolic;
  build_.network().folded_batch_norms = folded_batch_norms(nodes_);
  if (record_ != nullptr) {
    record_->node_sources.resize(build_.network().nodes.size());
    record_->values = std::move(values_);
  }
  return build_.finish(std::move(outputs));
}

}  // namespace ergon::graph::onnx
