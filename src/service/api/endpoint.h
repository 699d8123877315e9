#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "service/api/parameter.h"

namespace ergon::service {

// A document of the command line, under /api/v1: GET runs the command with --json.
struct Endpoint {
  std::string_view path;             // "/predict"
  std::vector<std::string> command;  // {"predict"}
  std::string_view schema;           // of the document
  std::string_view about;
  Parameters parameters;
  bool lasting = true;  // the same question has the same answer, so that it may be kept
};

const std::vector<Endpoint>& endpoints();

inline constexpr std::string_view kApi = "/api/v1";

}  // namespace ergon::service
