#include "table/describe.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/statistics/moments.h"
#include "base/statistics/quantile.h"

namespace ergon::table {
namespace {

template <typename Values>
void find_extremes(const Column& column, const Values& values, ColumnFacts& facts) {
  for (std::size_t row = 0; row < column.size(); ++row) {
    if (column.missing(row)) continue;
    if (!facts.min_row || values[row] < values[*facts.min_row]) facts.min_row = row;
    if (!facts.max_row || values[*facts.max_row] < values[row]) facts.max_row = row;
  }
}

// Squares of very large numbers overflow.
std::optional<double> finite(std::optional<double> number) {
  return number && std::isfinite(*number) ? number : std::nullopt;
}

void describe_numbers(std::vector<double> numbers, ColumnFacts& facts) {
  statistics::Moments moments;
  for (const double number : numbers) moments.add(number);
  facts.mean = finite(moments.mean());
  facts.standard_deviation = finite(moments.standard_deviation());
  facts.coefficient_of_variation = finite(moments.coefficient_of_variation());
  std::sort(numbers.begin(), numbers.end());
  facts.median = finite(statistics::quantile_of_sorted(numbers, 0.5));
}

}  // namespace

ColumnFacts describe(const Column& column) {
  ColumnFacts facts;
  facts.missing = column.missing_rows().count();
  switch (column.type()) {
    case Type::text:
      facts.distinct = column.text().dictionary->size();
      return facts;
    case Type::timestamp:
      find_extremes(column, column.timestamps(), facts);
      return facts;
    case Type::int64:
      find_extremes(column, column.int64s(), facts);
      break;
    case Type::float64:
      find_extremes(column, column.float64s(), facts);
      break;
  }
  describe_numbers(column.numbers(), facts);
  return facts;
}

}  // namespace ergon::table
