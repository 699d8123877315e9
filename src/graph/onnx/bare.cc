#include <algorithm>

#include "graph/onnx/model.h"
#include "graph/onnx/onnx.h"

namespace ergon::graph::onnx {
namespace {

// Constants that shapes are computed from are whole numbers, or few.
constexpr std::size_t kFewBytes = 256, kManyBytes = 65536;

bool is_whole(const ::onnx::TensorProto& tensor) {
  return tensor.data_type() == ::onnx::TensorProto::INT64 ||
         tensor.data_type() == ::onnx::TensorProto::INT32 || tensor.data_type() == ::onnx::TensorProto::BOOL;
}

void leave_out_numbers(::onnx::TensorProto& tensor) {
  const std::size_t size = tensor.ByteSizeLong();
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

bool are_same(const std::string& one, const std::string& other) {
  const auto a = import_onnx(one, "", {}), b = import_onnx(other, "", {});
  if (!a || !b || a->nodes.size() != b->nodes.size()) return false;
  const auto is_same = [](const Value& x, const Value& y) { return x.shape == y.shape && x.type == y.type; };
  return std::equal(a->values.begin(), a->values.end(), b->values.begin(), b->values.end(), is_same);
}

}  // namespace

Result<std::string> bare_onnx_file(const std::string& path) {
  auto model = read_model(path);
  if (!model) return model.error();
  ::onnx::ModelProto& proto = model->proto;
  // What this version of the format does not know: notes of exporters, where in a program a node comes from.
  proto.DiscardUnknownFields();
  proto.clear_doc_string();
  proto.clear_metadata_props();
  if (!model->modules.empty()) {
    auto* note = proto.add_metadata_props();
    note->set_key(kModulesNote);
    note->set_value(model->modules);
  }
  auto& graph = *proto.mutable_graph();
  graph.clear_doc_string();
  for (auto& node : *graph.mutable_node()) node.clear_doc_string();
  for (auto& tensor : *graph.mutable_initializer()) leave_out_numbers(tensor);
  const std::string declared = proto.SerializeAsString();
  // Shapes that the file declares are most of the rest, and mostly follow from the others.
  graph.clear_value_info();
  std::string undeclared = proto.SerializeAsString();
  return are_same(declared, undeclared) ? undeclared : declared;
}

}  // namespace ergon::graph::onnx
