#include "graph/onnx/writer.h"

#include "base/version.h"
#include "graph/onnx/element_types.h"
#include "graph/onnx/ergon_functions.h"
#include "graph/onnx/model.h"

namespace ergon::graph::onnx {
namespace {

constexpr std::int64_t kIrVersion = 8;  // first version with functions

template <typename T>
std::string raw_bytes(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

::onnx::AttributeProto& add_attribute(::onnx::NodeProto& node, const std::string& name,
                                      ::onnx::AttributeProto::AttributeType type) {
  auto* attribute = node.add_attribute();
  attribute->set_name(name);
  attribute->set_type(type);
  return *attribute;
}

}  // namespace

Writer::Writer(const Network& network) : network_(network) {
  model_.set_ir_version(kIrVersion);
  model_.set_producer_name("ergon");
  model_.mutable_graph()->set_name(network.family + "/" + network.name);
  if (!network.modules.empty()) {
    auto* note = model_.add_metadata_props();
    note->set_key(kModulesNote);
    note->set_value(network.modules);
  }
  if (network.independent_layers) model_.mutable_graph()->set_doc_string(std::string(kIndependentLayers));
  auto* opset = model_.add_opset_import();
  opset->set_domain("");
  opset->set_version(kWrittenOpset);
}

::onnx::NodeProto& Writer::node(const std::string& type, const std::vector<std::string>& inputs,
                                const std::string& output) {
  auto* added = model_.mutable_graph()->add_node();
  added->set_op_type(type);
  added->set_name(layer_);
  added->set_doc_string(doc_string_);
  for (const std::string& input : inputs) added->add_input(input);
  added->add_output(output);
  return *added;
}

::onnx::NodeProto& Writer::ergon_node(const std::string& type, const std::vector<std::string>& inputs,
                                      const std::string& output) {
  if (functions_.empty()) {
    auto* opset = model_.add_opset_import();
    opset->set_domain(std::string(kErgonDomain));
    opset->set_version(1);
  }
  if (functions_.insert(type).second) add_ergon_function(model_, type);
  auto& added = node(type, inputs, output);
  added.set_domain(std::string(kErgonDomain));
  return added;
}

std::string Writer::next_name() { return "c" + std::to_string(constants_++); }

::onnx::TensorProto& Writer::tensor(const std::string& name, ElementType type,
                                    std::initializer_list<std::int64_t> dims) {
  auto* added = model_.mutable_graph()->add_initializer();
  added->set_name(name);
  added->set_data_type(data_type_of(type));
  for (const std::int64_t size : dims) added->add_dims(size);
  return *added;
}

std::string Writer::absent(const std::string& name, const Shape& shape, ElementType type) {
  auto& added = tensor(name, type, {});
  for (const Dim& dim : shape.dims()) added.add_dims(dim.size);
  added.set_data_location(::onnx::TensorProto::EXTERNAL);
  auto* where = added.add_external_data();
  where->set_key("location");
  where->set_value("weights.bin");
  return name;
}

std::string Writer::integers(const std::vector<std::int64_t>& values) {
  std::string name = next_name();
  tensor(name, ElementType::int64, {static_cast<std::int64_t>(values.size())})
      .set_raw_data(raw_bytes(values));
  return name;
}

std::string Writer::index(std::int64_t value) {
  std::string name = next_name();
  tensor(name, ElementType::int64, {}).set_raw_data(raw_bytes(std::vector<std::int64_t>{value}));
  return name;
}

std::string Writer::reals(const std::vector<float>& values) {
  std::string name = next_name();
  tensor(name, ElementType::float32, {static_cast<std::int64_t>(values.size())})
      .set_raw_data(raw_bytes(values));
  return name;
}

std::string Writer::real(float value) {
  std::string name = next_name();
  tensor(name, ElementType::float32, {}).set_raw_data(raw_bytes(std::vector<float>{value}));
  return name;
}

std::string Writer::matrix(std::int64_t rows, std::int64_t columns, const std::vector<float>& values) {
  std::string name = next_name();
  tensor(name, ElementType::float32, {rows, columns}).set_raw_data(raw_bytes(values));
  return name;
}

void Writer::describe(::onnx::ValueInfoProto& info, ValueId id) const {
  const Value& value = network_.values[id];
  info.set_name(value_name(id));
  auto* tensor_type = info.mutable_type()->mutable_tensor_type();
  tensor_type->set_elem_type(data_type_of(value.type));
  auto* shape = tensor_type->mutable_shape();
  for (const Dim& dim : value.shape.dims()) {
    auto* extent = shape->add_dim();
    if (!dim.batched) {
      extent->set_dim_value(dim.size);
    } else {
      extent->set_dim_param(dim.size == 1 ? "batch" : std::to_string(dim.size) + "*batch");
    }
  }
}

void Writer::input(ValueId id, const std::string& doc_string) {
  auto* info = model_.mutable_graph()->add_input();
  describe(*info, id);
  info->set_doc_string(doc_string);
  if (first_input_.empty()) first_input_ = value_name(id);
}

void Writer::output(ValueId id) { describe(*model_.mutable_graph()->add_output(), id); }

void Writer::set_layer(const std::string& name, const std::string& doc_string) {
  layer_ = name;
  doc_string_ = doc_string;
}

std::string Writer::take() {
  model_.set_producer_version(std::string(build_facts().version));
  return model_.SerializeAsString();
}

void set_attribute(::onnx::NodeProto& node, const std::string& name, std::int64_t value) {
  add_attribute(node, name, ::onnx::AttributeProto::INT).set_i(value);
}

void set_attribute(::onnx::NodeProto& node, const std::string& name,
                   const std::vector<std::int64_t>& values) {
  auto& attribute = add_attribute(node, name, ::onnx::AttributeProto::INTS);
  for (const std::int64_t value : values) attribute.add_ints(value);
}

void set_attribute(::onnx::NodeProto& node, const std::string& name, const std::string& value) {
  add_attribute(node, name, ::onnx::AttributeProto::STRING).set_s(value);
}

}  // namespace ergon::graph::onnx
