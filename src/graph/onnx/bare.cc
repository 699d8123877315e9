#include <algorithm>

#include "graph/onnx/model.h"
#include "graph/onnx/onnx.h"
#include "graph/onnx/own_operations.h"

namespace ergon::graph::onnx {
namespace {

// Constants that shapes are computed from are whole numbers, or few.
constexpr std::size_t kFewBytes = 256, kManyBytes = 65536;

bool is_whole(const ::onnx::TensorProto& tensor) {
  return tensor.data_type() == ::onnx::TensorProto::INT64 ||
         tensor.data_type() == ::onnx::TensorProto::INT32 || tensor.data_type() == ::onnx::TensorProto::BOOL;
}

std::size_t bytes_in(const ::onnx::TensorProto& tensor) {
  const int numbers = tensor.float_data_size() + tensor.int32_data_size() + tensor.int64_data_size() +
                      tensor.double_data_size() + tensor.uint64_data_size();
  return tensor.raw_data().size() + 4 * static_cast<std::size_t>(numbers);
}

void leave_out_numbers(::onnx::TensorProto& tensor) {
  const std::size_t size = bytes_in(tensor);
  if (size <= kFewBytes || (is_whole(tensor) && size <= kManyBytes)) return;
  tensor.clear_float_data();
  tensor.clear_int32_data();
  tensor.clear_int64_data();
  tensor.clear_double_data();
  tensor.clear_uint64_data();
  tensor.clear_raw_data();
  tensor.clear_external_data();
  auto* place = tensor.add_external_data();
  place->set_key("location");
  place->set_value("left_out");
  tensor.set_data_location(::onnx::TensorProto::EXTERNAL);
}

void leave_out_notes(::onnx::ModelProto& proto, const std::string& modules) {
  // What this version of the format does not know: notes of exporters, where in a program a node comes from.
  proto.DiscardUnknownFields();
  proto.clear_doc_string();
  proto.clear_metadata_props();
  proto.clear_training_info();
  if (!modules.empty()) {
    auto* note = proto.add_metadata_props();
    note->set_key(kModulesNote);
    note->set_value(modules);
  }
  auto& graph = *proto.mutable_graph();
  if (graph.doc_string() != kIndependentLayers) graph.clear_doc_string();
  for (auto& node : *graph.mutable_node()) {
    if (!layer_written_in(node.doc_string())) node.clear_doc_string();
  }
}

bool is_same(const Result<Network>& whole, const std::string& bare) {
  const auto other = import_onnx(bare, "", {});
  if (!whole || !other) return false;
  const auto values = [](const Value& a, const Value& b) { return a.shape == b.shape && a.type == b.type; };
  const auto nodes = [&](const Node& a, const Node& b) {
    return kind_of(a.operation, whole->input_shapes(a)) == kind_of(b.operation, other->input_shapes(b));
  };
  const auto layers = [](const Layer& a, const Layer& b) {
    return a.type == b.type && a.training_only == b.training_only;
  };
  const auto equal = [](const auto& a, const auto& b, auto same) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
  };
  return whole->independent_layers == other->independent_layers && whole->modules == other->modules &&
         equal(whole->nodes, other->nodes, nodes) && equal(whole->values, other->values, values) &&
         equal(whole->layers, other->layers, layers);
}

}  // namespace

Result<std::string> bare_onnx_file(const std::string& path) {
  auto model = read_model(path);
  if (!model) return model.error();
  const auto whole = import_onnx_file(path, {});
  ::onnx::ModelProto& proto = model->proto;
  for (auto& tensor : *proto.mutable_graph()->mutable_initializer()) leave_out_numbers(tensor);
  const std::string noted = proto.SerializeAsString();
  leave_out_notes(proto, model->modules);
  const std::string declared = proto.SerializeAsString();
  // Shapes that the file declares are most of the rest, and mostly follow from the others.
  proto.mutable_graph()->clear_value_info();
  std::string undeclared = proto.SerializeAsString();
  if (is_same(whole, undeclared)) return undeclared;
  return is_same(whole, declared) ? declared : noted;
}

}  // namespace ergon::graph::onnx
