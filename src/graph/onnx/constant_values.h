#pragma once

#include <memory>
#include <onnx/onnx_pb.h>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "graph/content.h"
#include "graph/onnx/known.h"
#include "graph/onnx/model.h"

namespace ergon::graph::onnx {

// The numbers of a file's constants: read from it, or computed from what is read there. Each is read or
// computed when it is first asked for, and once. What it is given must outlive it.
class ConstantValues {
 public:
  using Stored = std::shared_ptr<const StoredTensor>;
  using Values = std::unordered_map<std::string, Known>;

  // `bytes` are those of the model, with its weights; `values` what the import found out about each value.
  ConstantValues(std::string_view bytes, std::string folder, const Model& model,
                 const std::vector<::onnx::NodeProto>& nodes, const Values& values);

  // An axis that holds the batch has an extent of 1. Errors say why there are no numbers.
  Result<Stored> find(const std::string& name);

 private:
  Result<Stored> read(const std::string& name) const;
  // Nothing when inputs have to be computed first; their names are then in `wanted`.
  Result<Stored> compute(const std::string& name, const ::onnx::NodeProto& node,
                         std::vector<std::string>& wanted) const;

  std::string folder_;
  std::int64_t opset_;
  const Values& values_;
  std::unordered_map<std::string, std::string_view> initialisers_;
  std::unordered_map<std::string, const ::onnx::NodeProto*> producers_;
  std::unordered_map<std::string, Stored> found_;
};

}  // namespace ergon::graph::onnx
