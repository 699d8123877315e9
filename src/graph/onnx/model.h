#pragma once

#include <memory>
#include <onnx/onnx_pb.h>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ergon::graph::onnx {

inline constexpr std::int64_t kOldestOpset = 7;
inline constexpr std::int64_t kNewestOpset = 21;
inline constexpr std::int64_t kWrittenOpset = 17;

// A model as the library reads it, checked as far as a model without a graph, a version or a name for each
// value would be no model.
struct Model {
  ::onnx::ModelProto proto;
  std::int64_t opset = 0;
  // Whose modules PyTorch's exporter notes that nodes come from: "transformers", or nothing.
  std::string modules;
};
inline constexpr const char* kModulesNote = "ergon.modules";

Result<Model> parse_model(std::string_view bytes);
Result<Model> read_model(const std::string& path);

// The nodes of the graph in an order in which each follows its inputs. Functions that the model brings with
// it are opened up, except those of our own domain. Errors: cycles, values that two nodes give, values that
// nobody gives.
Result<std::vector<::onnx::NodeProto>> ordered_nodes(const Model& model);

// "node \"conv1\" (Conv)", for messages.
std::string describe(const ::onnx::NodeProto& node);

inline constexpr std::string_view kOwnDomain = "ergon";

}  // namespace ergon::graph::onnx
