#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "table/table.h"

namespace ergon::table {

enum class Aggregate { count, sum, mean, min, max, deviation, median, first, last, distinct };

std::string_view name_of(Aggregate aggregate);
std::optional<Aggregate> aggregate_named(std::string_view name);
std::vector<std::string> aggregate_names();

// One column of the result. Without a column name, `count` counts rows; with one, the values that are not
// missing.
struct Aggregation {
  Aggregate what = Aggregate::count;
  std::string column;
  std::string name;  // of the result
};

// "mean:power" (the column "power_mean") or "count". Errors: an unknown aggregate, with the nearest name; a
// missing column.
Result<Aggregation> parse_aggregation(std::string_view text);

// One row per distinct combination of the keys, in the order of first appearance; missing values are left out
// of every aggregate, and an aggregate of nothing is missing. sum of whole numbers is whole; one that
// does not fit its type is an error. sum, mean, deviation and median need numbers; the others take any type.
Result<Table> group_by(const Table& table, std::span<const std::string> keys,
                       std::span<const Aggregation> aggregations);

}  // namespace ergon::table
