#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "graph/network.h"

namespace ergon::graph::onnx {

struct ImportOptions {
  // Extents for the file's named dimensions, "height" -> 224. The batch needs none.
  std::map<std::string, std::int64_t, std::less<>> dimensions;
  // Refuse operations whose cost is not known, instead of naming them.
  bool strict = false;
};

// Reads a model of opset 7 to 21. Weights may be inside, in files beside it (which are not opened) or absent;
// only their shapes matter. The batch stays open wherever the graph allows it, even if the file fixes it, and
// is fixed otherwise. Errors name the node and the reason.
Result<Network> import_onnx(std::string_view bytes, const std::string& name, const ImportOptions& options);
Result<Network> import_onnx_file(const std::string& path, const ImportOptions& options);

// A network as ONNX, opset 17, without weights: initialisers have shapes and point to data that is not there.
// Operations that ONNX does not have are functions of the model, in the domain "ergon". Importing it gives
// the same costs.
Result<std::string> export_onnx(const Network& network);

}  // namespace ergon::graph::onnx
