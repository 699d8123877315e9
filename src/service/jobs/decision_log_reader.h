#pragma once

#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace ergon::service {

// Converts the decision log of `ergon cap` (CSV with a header) to JSON objects, line by line. Numbers become
// numbers, empty cells null, other cells strings.
class DecisionLogReader {
 public:
  // Empty for the header and for a line with another number of cells.
  std::optional<nlohmann::ordered_json> read(const std::string& line);
  // Whether read() would return a decision.
  bool skip(const std::string& line);

 private:
  // The cells of a decision.
  std::optional<std::vector<std::string>> decision_cells(const std::string& line);

  std::vector<std::string> names_;
};

}  // namespace ergon::service
