#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/timestamp.h"
#include "table/table.h"

namespace ergon::report {

// Origin of a document's numbers.
struct Provenance {
  std::vector<std::string> command;  // as it was typed
  Timestamp created;
  std::vector<std::string> inputs;  // files that were read
  bool simulated = false;           // at least one number comes from a twin or a simulator
};

// The JSON document that a command prints: "schema", "ergon" and "provenance", then the members of `body`.
// `schema` is a name and a version, "ergon.table.describe/1"; the version increases when a field is renamed,
// removed or changes its meaning.
std::string document(std::string_view schema, const Provenance& provenance,
                     const nlohmann::ordered_json& body);

// A value of a column: a number, a text, an ISO 8601 time; null if missing.
nlohmann::ordered_json cell_json(const table::Column& column, std::size_t row);

// {"columns": [names], "rows": [[...], ...]}
nlohmann::ordered_json table_json(const table::Table& table);

}  // namespace ergon::report
