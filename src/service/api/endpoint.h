#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "service/api/parameter.h"

namespace ergon::service {

// A path below /api/v1: GET runs the command with --json and returns its document.
struct Endpoint {
  std::string_view path;             // "/predict"
  std::vector<std::string> command;  // {"predict"}
  std::string_view schema;           // of the document
  std::string_view about;
  Parameters parameters;
  bool cacheable = true;  // the same request always has the same response
  bool costly = true;     // may take seconds to compute
};

const std::vector<Endpoint>& endpoints();

inline constexpr std::string_view kApi = "/api/v1";

}  // namespace ergon::service
