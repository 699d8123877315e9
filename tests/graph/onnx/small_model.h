#pragma once

#include <initializer_list>
#include <onnx/onnx_pb.h>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "graph/onnx/onnx.h"

namespace ergon::test {

// Builds ONNX models, valid or invalid.
class SmallModel {
 public:
  using Sizes = std::vector<std::int64_t>;

  explicit SmallModel(std::int64_t opset = 17) {
    proto.set_ir_version(8);
    auto* import = proto.add_opset_import();
    import->set_version(opset);
    proto.mutable_graph()->set_name("test");
  }

  // A size of -1 is the dimension "N", a size of -2 is "S".
  SmallModel& input(const std::string& name, const Sizes& sizes, int type = 1) {
    describe(*graph().add_input(), name, sizes, type);
    return *this;
  }
  SmallModel& output(const std::string& name) {
    graph().add_output()->set_name(name);
    return *this;
  }
  SmallModel& output(const std::string& name, const Sizes& sizes) {
    describe(*graph().add_output(), name, sizes, 1);
    return *this;
  }
  SmallModel& declare(const std::string& name, const Sizes& sizes) {
    describe(*graph().add_value_info(), name, sizes, 1);
    return *this;
  }
  // A weight with external data.
  SmallModel& weight(const std::string& name, const Sizes& sizes, int type = 1) {
    auto* tensor = graph().add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(type);
    for (const std::int64_t size : sizes) tensor->add_dims(size);
    tensor->set_data_location(::onnx::TensorProto::EXTERNAL);
    return *this;
  }
  SmallModel& integers(const std::string& name, const Sizes& values, bool scalar = false) {
    auto* tensor = graph().add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(7);
    if (!scalar) tensor->add_dims(static_cast<std::int64_t>(values.size()));
    for (const std::int64_t value : values) tensor->add_int64_data(value);
    return *this;
  }
  SmallModel& reals(const std::string& name, const std::vector<float>& values) {
    auto* tensor = graph().add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(1);
    tensor->add_dims(static_cast<std::int64_t>(values.size()));
    for (const float value : values) tensor->add_float_data(value);
    return *this;
  }
  SmallModel& node(const std::string& type, std::initializer_list<std::string> inputs,
                   std::initializer_list<std::string> outputs, const std::string& domain = "") {
    auto* added = graph().add_node();
    added->set_op_type(type);
    added->set_domain(domain);
    added->set_name("my_" + *outputs.begin());
    for (const auto& name : inputs) added->add_input(name);
    for (const auto& name : outputs) added->add_output(name);
    return *this;
  }
  // Attributes of the last node.
  SmallModel& with(const std::string& name, std::int64_t value) {
    auto* attribute = add_attribute(name, ::onnx::AttributeProto::INT);
    attribute->set_i(value);
    return *this;
  }
  SmallModel& list(const std::string& name, const Sizes& values) {
    auto* attribute = add_attribute(name, ::onnx::AttributeProto::INTS);
    for (const std::int64_t value : values) attribute->add_ints(value);
    return *this;
  }
  SmallModel& text(const std::string& name, const std::string& value) {
    add_attribute(name, ::onnx::AttributeProto::STRING)->set_s(value);
    return *this;
  }

  Result<graph::Network> import(const graph::onnx::ImportOptions& options = {}) const {
    return graph::onnx::import_onnx(proto.SerializeAsString(), "test", options);
  }
  std::string error(const graph::onnx::ImportOptions& options = {}) const {
    const auto network = import(options);
    EXPECT_FALSE(network) << "it was imported";
    return network ? "" : network.error().message;
  }

  ::onnx::GraphProto& graph() { return *proto.mutable_graph(); }
  ::onnx::ModelProto proto;

 private:
  ::onnx::AttributeProto* add_attribute(const std::string& name, ::onnx::AttributeProto::AttributeType type) {
    auto* attribute = graph().mutable_node(graph().node_size() - 1)->add_attribute();
    attribute->set_name(name);
    attribute->set_type(type);
    return attribute;
  }

  static void describe(::onnx::ValueInfoProto& info, const std::string& name, const Sizes& sizes, int type) {
    info.set_name(name);
    auto* tensor = info.mutable_type()->mutable_tensor_type();
    tensor->set_elem_type(type);
    tensor->mutable_shape();
    for (const std::int64_t size : sizes) {
      auto* dim = tensor->mutable_shape()->add_dim();
      if (size == -1) {
        dim->set_dim_param("N");
      } else if (size == -2) {
        dim->set_dim_param("S");
      } else {
        dim->set_dim_value(size);
      }
    }
  }
};

}  // namespace ergon::test
