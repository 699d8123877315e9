#include <algorithm>

#include "graph/onnx/ergon_functions.h"
#include "graph/onnx/model.h"
#include "graph/onnx/onnx.h"

namespace ergon::graph::onnx {
namespace {

// Data of small integer constants stays, because shapes may depend on it.
constexpr std::size_t kSmallConstantBytes = 256, kMaxIntegerBytes = 65536;

bool is_integer(const ::onnx::TensorProto& tensor) {
  return tensor.data_type() == ::onnx::TensorProto::INT64 ||
         tensor.data_type() == ::onnx::TensorProto::INT32 || tensor.data_type() == ::onnx::TensorProto::BOOL;
}

std::size_t bytes_in(const ::onnx::TensorProto& tensor) {
  const int numbers = tensor.float_data_size() + tensor.int32_data_size() + tensor.int64_data_size() +
                      tensor.double_data_size() + tensor.uint64_data_size();
  return tensor.raw_data().size() + 4 * static_cast<std::size_t>(numbers);
}

void clear_data(::onnx::TensorProto& tensor) {
  const std::size_t size = bytes_in(tensor);
  if (size <= kSmallConstantBytes || (is_integer(tensor) && size <= kMaxIntegerBytes)) return;
  tensor.clear_float_data();
  tensor.clear_int32_data();
  tensor.clear_int64_data();
  tensor.clear_double_data();
  tensor.clear_uint64_data();
  tensor.clear_raw_data();
  tensor.clear_external_data();
  auto* entry = tensor.add_external_data();
  entry->set_key("location");
  entry->set_value("left_out");
  tensor.set_data_location(::onnx::TensorProto::EXTERNAL);
}

void clear_metadata(::onnx::ModelProto& proto, const std::string& modules) {
  // Unknown fields: exporter metadata such as the source location of a node.
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
    if (!parse_layer_tag(node.doc_string())) node.clear_doc_string();
  }
}

bool is_same(const Result<Network>& whole, const std::string& stripped) {
  const auto other = import_onnx(stripped, "", {});
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

Result<std::string> structure_only_onnx(const std::string& path) {
  auto model = read_model(path);
  if (!model) return model.error();
  const auto whole = import_onnx_file(path, {});
  ::onnx::ModelProto& proto = model->proto;
  for (auto& tensor : *proto.mutable_graph()->mutable_initializer()) clear_data(tensor);
  const std::string noted = proto.SerializeAsString();
  clear_metadata(proto, model->modules);
  const std::string declared = proto.SerializeAsString();
  // Declared shapes of intermediate values are most of the remaining bytes, and most can be inferred.
  proto.mutable_graph()->clear_value_info();
  std::string undeclared = proto.SerializeAsString();
  if (is_same(whole, undeclared)) return undeclared;
  return is_same(whole, declared) ? declared : noted;
}

}  // namespace ergon::graph::onnx
