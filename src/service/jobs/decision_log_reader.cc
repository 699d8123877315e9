#include "service/jobs/decision_log_reader.h"

#include <utility>

#include "base/text.h"

namespace ergon::service {
namespace {

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quoted && line[i] == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += line[i++];
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += line[i];
    }
  }
  return cells;
}

nlohmann::ordered_json decision_cell(const std::string& name, const std::string& cell) {
  if (name == "reason") return cell;
  if (cell.empty()) return nullptr;
  const auto number = parse_double(cell);
  return number ? nlohmann::ordered_json(*number) : nlohmann::ordered_json(cell);
}

}  // namespace

std::optional<std::vector<std::string>> DecisionLogReader::decision_cells(const std::string& line) {
  auto cells = cells_of(line);
  if (names_.empty()) {
    names_ = std::move(cells);
    return std::nullopt;
  }
  return cells.size() == names_.size() ? std::optional(std::move(cells)) : std::nullopt;
}

std::optional<nlohmann::ordered_json> DecisionLogReader::read(const std::string& line) {
  const auto cells = decision_cells(line);
  if (!cells) return std::nullopt;
  nlohmann::ordered_json decision = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < cells->size(); ++i) decision[names_[i]] = decision_cell(names_[i], (*cells)[i]);
  return decision;
}

bool DecisionLogReader::skip(const std::string& line) { return decision_cells(line).has_value(); }

}  // namespace ergon::service
