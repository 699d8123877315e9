#include "report/document.h"

#include <nlohmann/json.hpp>

#include "base/version.h"

namespace ergon::report {
namespace {

using Json = nlohmann::ordered_json;

Timestamp whole_milliseconds(Timestamp t) { return {t.ns / 1'000'000 * 1'000'000}; }

}  // namespace

std::string document(std::string_view schema, const Provenance& provenance, const Json& body) {
  const BuildFacts build = build_facts();
  Json whole;
  whole["schema"] = schema;
  whole["ergon"] = build.version;
  whole["provenance"] = {{"command", provenance.command},
                         {"created", to_text(whole_milliseconds(provenance.created))},
                         {"commit", build.commit},
                         {"inputs", provenance.inputs},
                         {"simulated", provenance.simulated}};
  for (const auto& [key, value] : body.items()) whole[key] = value;
  // Texts from files may contain invalid UTF-8; replaced, so that the document is valid.
  return whole.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json cell_json(const table::Column& column, std::size_t row) {
  if (column.missing(row)) return nullptr;
  switch (column.type()) {
    case table::Type::int64:
      return column.int64s()[row];
    case table::Type::float64:
      return column.float64s()[row];
    case table::Type::timestamp:
    case table::Type::text:
      return column.cell(row);
  }
  return nullptr;
}

Json table_json(const table::Table& table) {
  Json rows = Json::array();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    Json cells = Json::array();
    for (const table::Column& column : table.columns()) cells.push_back(cell_json(column, row));
    rows.push_back(std::move(cells));
  }
  Json names = Json::array();
  for (const std::string& name : table.names()) names.push_back(name);
  return {{"columns", names}, {"rows", rows}};
}

}  // namespace ergon::report
