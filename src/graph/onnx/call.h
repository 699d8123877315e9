#pragma once

#include <onnx/onnx_pb.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/onnx/value_info.h"

namespace ergon::graph::onnx {

// One node of an ONNX graph, with the ValueInfo of its inputs.
class NodeCall {
 public:
  NodeCall(const ::onnx::NodeProto& node, std::vector<const ValueInfo*> inputs, std::int64_t opset)
      : node_(node), inputs_(std::move(inputs)), opset_(opset) {}

  const ::onnx::NodeProto& node() const { return node_; }
  const std::string& type() const { return node_.op_type(); }
  std::int64_t opset() const { return opset_; }
  std::size_t outputs() const { return static_cast<std::size_t>(node_.output_size()); }

  // Optional inputs may be empty; trailing ones may be missing.
  std::size_t size() const { return inputs_.size(); }
  bool has(std::size_t i) const { return i < inputs_.size() && inputs_[i] != nullptr; }
  const ValueInfo& in(std::size_t i) const { return ERGON_EXPECTS(has(i)), *inputs_[i]; }
  Result<Shape> shape(std::size_t i) const;

  // Attributes; a wrong type reads as absent.
  std::optional<std::int64_t> integer(std::string_view name) const;
  std::int64_t integer(std::string_view name, std::int64_t otherwise) const;
  std::optional<std::vector<std::int64_t>> integers(std::string_view name) const;
  std::optional<std::vector<double>> reals(std::string_view name) const;
  std::string text(std::string_view name, std::string_view otherwise) const;
  const ::onnx::AttributeProto* attribute(std::string_view name) const;

  // Contents of an integer input that must be known at import.
  Result<std::vector<Dim>> contents(std::size_t i, std::string_view what) const;
  // The same for contents that cannot depend on the batch.
  Result<std::vector<std::int64_t>> fixed_contents(std::size_t i, std::string_view what) const;
  // From an attribute in old opsets, from an input in new ones; empty if neither exists.
  Result<std::optional<std::vector<std::int64_t>>> attribute_or_input(std::string_view name,
                                                                      std::size_t i) const;

 private:
  const ::onnx::NodeProto& node_;
  std::vector<const ValueInfo*> inputs_;
  std::int64_t opset_;
};

}  // namespace ergon::graph::onnx
