#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace ergon::service {

// The log of `ergon cap` (CSV with a header) as JSON objects, line by line: numbers as numbers, empty cells
// as null, everything else as texts.
class DecisionLines {
 public:
  // Nothing for the header, and for a line that has not as many cells.
  std::optional<nlohmann::ordered_json> read(const std::string& line);

 private:
  std::vector<std::string> names_;
};

}  // namespace ergon::service
