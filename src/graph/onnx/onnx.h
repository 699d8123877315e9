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

// A network with the numbers its file holds.
//
// Attributes of a node are in its content under their own names; a list of words is joined with commas, a
// list of floats is left out. numbers["opset"] is the version of the standard that the node is written in. A
// function outside the standard has its domain in front: "com.microsoft.FusedMatMul". Inputs whose numbers
// the operation holds (the shape of a Reshape, the axes of a Reduce) are left out of the operands. A constant
// has an extent of 1 where the batch is: it is the same for every sample.
struct Filled {
  Network network;
  // Nothing when some of its weights are not in the file or beside it.
  std::optional<Content> content;
  std::string missing;  // why there is no content: the first weight whose data is not there
};

// The network is the one that import_onnx gives. Here files beside the model are read as a whole.
Result<Filled> import_onnx_filled(std::string_view bytes, const std::string& name,
                                  const ImportOptions& options);
Result<Filled> import_onnx_filled(const std::string& path, const ImportOptions& options);

// A model's file without the numbers of its initialisers and without notes: as small as it can be and still
// be the same network.
Result<std::string> bare_onnx_file(const std::string& path);

// A network as ONNX, opset 17, without weights: initialisers have shapes and point to data that is not there.
// Operations that ONNX does not have are functions of the model, in the domain "ergon". Importing it gives
// the same costs.
Result<std::string> export_onnx(const Network& network);

}  // namespace ergon::graph::onnx
