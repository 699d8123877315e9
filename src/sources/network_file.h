#pragma once

#include <string_view>

#include "base/text.h"

namespace ergon::sources {

// Whether the name of a network is an ONNX file or a topology file. Ignores case.
inline bool is_onnx_file(std::string_view name) { return lower(name).ends_with(".onnx"); }
inline bool is_topology_file(std::string_view name) { return lower(name).ends_with(".csv"); }

}  // namespace ergon::sources
