#pragma once

#include <nlohmann/json.hpp>

namespace ergon::service {

// OpenAPI 3.0 description of the API, generated from the tables that handle requests. docs/openapi.json is a
// copy; tests compare both, and compare the description with a running server.
nlohmann::ordered_json openapi();

}  // namespace ergon::service
