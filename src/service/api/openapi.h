#pragma once

#include <nlohmann/json.hpp>

namespace ergon::service {

// The description of the API (OpenAPI 3.0), made from the tables that answer requests. docs/openapi.json is
// this, and a test holds it against a running server.
nlohmann::ordered_json openapi();

}  // namespace ergon::service
