#pragma once

#include <initializer_list>
#include <onnx/onnx_pb.h>
#include <set>
#include <string>
#include <vector>

#include "graph/network.h"

namespace ergon::graph::onnx {

// Builds a model: nodes, initializers without data, small constants with data.
class Writer {
 public:
  explicit Writer(const Network& network);

  static std::string value_name(ValueId id) { return "t" + std::to_string(id); }

  // A standard node, or a node of the domain "ergon", whose function is then added to the model.
  ::onnx::NodeProto& node(const std::string& type, const std::vector<std::string>& inputs,
                          const std::string& output);
  ::onnx::NodeProto& ergon_node(const std::string& type, const std::vector<std::string>& inputs,
                                const std::string& output);

  // A weight without data.
  std::string absent(const std::string& name, const Shape& shape, ElementType type);
  std::string integers(const std::vector<std::int64_t>& values);
  std::string index(std::int64_t value);  // a scalar
  std::string reals(const std::vector<float>& values);
  std::string real(float value);
  std::string matrix(std::int64_t rows, std::int64_t columns, const std::vector<float>& values);

  void input(ValueId id, const std::string& doc_string);
  void output(ValueId id);

  // All following nodes belong to this layer.
  void set_layer(const std::string& name, const std::string& doc_string);

  const std::string& first_input() const { return first_input_; }
  std::string take();

 private:
  ::onnx::TensorProto& tensor(const std::string& name, ElementType type,
                              std::initializer_list<std::int64_t> dims);
  std::string next_name();
  void describe(::onnx::ValueInfoProto& info, ValueId id) const;

  const Network& network_;
  ::onnx::ModelProto model_;
  std::set<std::string> functions_;
  std::string layer_;
  std::string doc_string_;
  std::string first_input_;
  int constants_ = 0;
};

void set_attribute(::onnx::NodeProto& node, const std::string& name, std::int64_t value);
void set_attribute(::onnx::NodeProto& node, const std::string& name, const std::vector<std::int64_t>& values);
void set_attribute(::onnx::NodeProto& node, const std::string& name, const std::string& value);

}  // namespace ergon::graph::onnx
