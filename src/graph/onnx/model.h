#pragma once

#include <memory>
#include <onnx/onnx_pb.h>
#include <string>
#include <string_view>
#include <vector>

#include "base/input_limits.h"
#include "base/result.h"

namespace ergon::graph::onnx {

inline constexpr std::int64_t kOldestOpset = 7;
inline constexpr std::int64_t kNewestOpset = 21;
inline constexpr std::int64_t kWrittenOpset = 17;

// A parsed model. Guaranteed: a graph with nodes and a supported opset.
struct OnnxModel {
  ::onnx::ModelProto proto;
  std::int64_t opset = 0;
  // Library of the modules in the exporter's metadata: "transformers", or empty.
  std::string modules;
};
inline constexpr const char* kModulesNote = "ergon.modules";

// Errors: not a model; more than limits.parts parts.
Result<OnnxModel> parse_model(std::string_view bytes, const InputLimits& limits = input_limits());
Result<OnnxModel> read_model(const std::string& path);

// Nodes of the graph in topological order, with the model's functions inlined, except those of the domain
// "ergon". Errors: cycles, duplicate values, undefined values; functions whose inlined nodes are larger than
// limits.file_bytes.
Result<std::vector<::onnx::NodeProto>> ordered_nodes(const OnnxModel& model,
                                                     const InputLimits& limits = input_limits());

// "node \"conv1\" (Conv)", for messages.
std::string describe(const ::onnx::NodeProto& node);

inline constexpr std::string_view kErgonDomain = "ergon";

}  // namespace ergon::graph::onnx
