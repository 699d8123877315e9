#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "graph/content.h"
#include "graph/network.h"

namespace ergon::graph::onnx {

struct ImportOptions {
  // Extents of named dimensions, "height" -> 224. Not needed for the batch.
  std::map<std::string, std::int64_t, std::less<>> dimensions;
  // Fail on operations of unknown cost instead of listing them.
  bool strict = false;
};

// Reads a model of opset 7 to 21. Weights may be embedded, external (the files are not opened) or absent;
// only their shapes are used. The batch is symbolic if the graph allows it, even if the file fixes it. Errors
// name the node and the reason.
Result<Network> import_onnx(std::string_view bytes, const std::string& name, const ImportOptions& options);
Result<Network> import_onnx_file(const std::string& path, const ImportOptions& options);

// A network with the weights and attributes of its file.
//
// NodeContent holds the attributes under their ONNX names; lists of strings are joined with commas, lists of
// floats are omitted. numbers["opset"] is the opset. Functions outside the standard are prefixed with their
// domain: "com.microsoft.FusedMatMul". Inputs that the operation already stores (the shape of a Reshape, the
// axes of a Reduce) are not operands. A constant has extent 1 on the batch axis, because it is equal for all
// samples.
struct ImportedModel {
  Network network;
  // Empty if the data of a weight is missing.
  std::optional<Content> content;
  std::string missing;  // the first weight without data, if there is no content
};

// The network equals that of import_onnx. External data files are read completely.
Result<ImportedModel> import_onnx_with_weights(std::string_view bytes, const std::string& name,
                                               const ImportOptions& options);
Result<ImportedModel> import_onnx_with_weights(const std::string& path, const ImportOptions& options);

// The model's file without weight data and metadata: the smallest file that imports as the same network.
Result<std::string> structure_only_onnx(const std::string& path);

// A network as ONNX, opset 17, without weights: initializers have shapes and refer to external data that does
// not exist. Operations that ONNX lacks become functions in the domain "ergon". Importing the file gives the
// same costs.
Result<std::string> export_onnx(const Network& network);

}  // namespace ergon::graph::onnx
