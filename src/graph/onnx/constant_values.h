#pragma once

#include <memory>
#include <onnx/onnx_pb.h>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "graph/content.h"
#include "graph/onnx/model.h"
#include "graph/onnx/value_info.h"

namespace ergon::graph::onnx {

// Data of a file's constants: read from the file, or computed from other constants. Lazy and cached. All
// constructor arguments must outlive the object.
class ConstantValues {
 public:
  using Stored = std::shared_ptr<const StoredTensor>;
  using Values = std::unordered_map<std::string, ValueInfo>;

  // `bytes`: the model with its weights; `values`: result of the import for each value.
  ConstantValues(std::string_view bytes, std::string folder, const OnnxModel& model,
                 const std::vector<::onnx::NodeProto>& nodes, const Values& values);

  // A batch axis has extent 1. Errors say why there is no data.
  Result<Stored> find(const std::string& name);

 private:
  Result<Stored> read(const std::string& name) const;
  // Null if inputs must be computed first; `wanted` then holds their names.
  Result<Stored> compute(const std::string& name, const ::onnx::NodeProto& node,
                         std::vector<std::string>& wanted) const;

  std::string folder_;
  std::int64_t opset_;
  const Values& values_;
  std::unordered_map<std::string, std::string_view> initializers_;
  std::unordered_map<std::string, const ::onnx::NodeProto*> producers_;
  std::unordered_map<std::string, Stored> found_;
};

}  // namespace ergon::graph::onnx
