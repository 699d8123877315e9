#include "table/group_by.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "base/statistics/moments.h"
#include "base/statistics/quantile.h"
#include "base/text.h"
#include "table/grouping.h"

namespace ergon::table {
namespace {

constexpr std::array<std::string_view, 10> kNames{"count",     "sum",    "mean",  "min",  "max",
                                                  "deviation", "median", "first", "last", "distinct"};

// The rows of each group that have a value, group after group, in table order.
struct RowsByGroup {
  std::vector<std::size_t> begin;  // of each group in `rows`, and the end of the last
  std::vector<std::size_t> rows;

  RowsByGroup(const Grouping& grouping, const Column* column) : begin(grouping.first_row.size() + 1, 0) {
    const auto counts = [&](std::size_t row) { return column == nullptr || !column->missing(row); };
    for (std::size_t row = 0; row < grouping.group_of_row.size(); ++row) {
      if (counts(row)) ++begin[grouping.group_of_row[row] + 1];
    }
    for (std::size_t group = 1; group < begin.size(); ++group) begin[group] += begin[group - 1];
    rows.resize(begin.back());
    std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
    for (std::size_t row = 0; row < grouping.group_of_row.size(); ++row) {
      if (counts(row)) rows[next[grouping.group_of_row[row]]++] = row;
    }
  }

  std::size_t groups() const { return begin.size() - 1; }
  std::span<const std::size_t> of(std::size_t group) const {
    return std::span(rows).subspan(begin[group], begin[group + 1] - begin[group]);
  }
};

// Orders two rows of one column by value.
bool less(const Column& column, std::size_t a, std::size_t b) {
  switch (column.type()) {
    case Type::int64:
      return column.int64s()[a] < column.int64s()[b];
    case Type::float64:
      return column.float64s()[a] < column.float64s()[b];
    case Type::timestamp:
      return column.timestamps()[a] < column.timestamps()[b];
    case Type::text:
      return column.text_at(a) < column.text_at(b);
  }
  return false;
}

// The representative row of each group; kNoRow for a group without values.
template <typename Choose>
Column one_row_each(const Column& column, const RowsByGroup& groups, Choose choose) {
  std::vector<std::size_t> chosen;
  for (std::size_t group = 0; group < groups.groups(); ++group) {
    const auto rows = groups.of(group);
    chosen.push_back(rows.empty() ? kNoRow : choose(rows));
  }
  return column.gather(chosen);
}

Column counts(const RowsByGroup& groups) {
  Values<std::int64_t> result;
  for (std::size_t group = 0; group < groups.groups(); ++group) {
    result.push_back(static_cast<std::int64_t>(groups.of(group).size()));
  }
  return Column(std::move(result));
}

Column distinct(const Column& column, const RowsByGroup& groups) {
  Values<std::int64_t> result;
  for (std::size_t group = 0; group < groups.groups(); ++group) {
    std::vector<std::size_t> rows(groups.of(group).begin(), groups.of(group).end());
    std::sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return less(column, a, b); });
    const auto end = std::unique(rows.begin(), rows.end(),
                                 [&](std::size_t a, std::size_t b) { return !less(column, a, b); });
    result.push_back(end - rows.begin());
  }
  return Column(std::move(result));
}

Result<Column> whole_sum(const Column& column, const std::string& name, const RowsByGroup& groups) {
  __extension__ using Wide = __int128;  // holds any sum of 64-bit numbers, so that only the result must fit
  std::vector<std::optional<std::int64_t>> sums;
  for (std::size_t group = 0; group < groups.groups(); ++group) {
    Wide sum = 0;
    for (const std::size_t row : groups.of(group)) sum += column.int64s()[row];
    if (sum < INT64_MIN || sum > INT64_MAX) {
      return fail(Errc::invalid_input, "a sum of column \"{}\" does not fit 64 bits", name);
    }
    const auto fitting = static_cast<std::int64_t>(sum);
    sums.push_back(groups.of(group).empty() ? std::nullopt : std::optional(fitting));
  }
  return Column::of(sums);
}

// Compensated summation (Neumaier 1974): the error of a long sum stays at the rounding of its result.
double exact_sum(const Column& column, std::span<const std::size_t> rows) {
  double sum = 0, lost = 0;
  for (const std::size_t row : rows) {
    const double x = column.number_at(row);
    const double next = sum + x;
    lost += std::abs(sum) >= std::abs(x) ? (sum - next) + x : (x - next) + sum;
    sum = next;
  }
  return sum + lost;
}

// The same for any order of the rows. `running` replaces it where the sum is beyond the range of numbers.
double exact_mean(const Column& column, std::span<const std::size_t> rows, double running) {
  const double mean = exact_sum(column, rows) / static_cast<double>(rows.size());
  return std::isfinite(mean) ? mean : running;
}

Result<Column> number_aggregate(Aggregate what, const Column& column, const std::string& name,
                                const RowsByGroup& groups) {
  std::vector<std::optional<double>> results;
  for (std::size_t group = 0; group < groups.groups(); ++group) {
    statistics::Moments moments;
    std::vector<double> numbers;
    for (const std::size_t row : groups.of(group)) {
      moments.add(column.number_at(row));
      if (what == Aggregate::median) numbers.push_back(column.number_at(row));
    }
    const auto mean = moments.mean();
    switch (what) {
      case Aggregate::sum:
        results.push_back(mean ? std::optional(exact_sum(column, groups.of(group))) : mean);
        break;
      case Aggregate::mean:
        results.push_back(mean ? std::optional(exact_mean(column, groups.of(group), *mean)) : mean);
        break;
      case Aggregate::deviation:
        results.push_back(moments.standard_deviation());
        break;
      case Aggregate::median:
        results.push_back(statistics::median(numbers));
        break;
      default:
        results.push_back(mean);
        break;
    }
    if (results.back() && !std::isfinite(*results.back())) {
      return fail(Errc::invalid_input, "the {} of column \"{}\" is beyond the range of numbers",
                  name_of(what), name);
    }
  }
  return Column::of(results);
}

Result<Column> aggregate(const Table& table, const Grouping& grouping, const Aggregation& wanted) {
  if (wanted.column.empty()) {
    if (wanted.what == Aggregate::count) return counts(RowsByGroup(grouping, nullptr));
    return fail(Errc::invalid_input, "{} needs a column", name_of(wanted.what));
  }
  const auto found = table.column(wanted.column);
  if (!found) return found.error();
  const Column& column = **found;
  const RowsByGroup groups(grouping, &column);
  const auto by_value = [&](std::size_t a, std::size_t b) { return less(column, a, b); };
  switch (wanted.what) {
    case Aggregate::count:
      return counts(groups);
    case Aggregate::distinct:
      return distinct(column, groups);
    case Aggregate::first:
      return one_row_each(column, groups, [](auto rows) { return rows.front(); });
    case Aggregate::last:
      return one_row_each(column, groups, [](auto rows) { return rows.back(); });
    case Aggregate::min:
      return one_row_each(column, groups,
                          [&](auto rows) { return *std::min_element(rows.begin(), rows.end(), by_value); });
    case Aggregate::max:
      return one_row_each(column, groups,
                          [&](auto rows) { return *std::max_element(rows.begin(), rows.end(), by_value); });
    default:
      break;
  }
  if (const auto numbers = table.number_column(wanted.column); !numbers) return numbers.error();
  if (wanted.what == Aggregate::sum && column.type() == Type::int64)
    return whole_sum(column, wanted.column, groups);
  return number_aggregate(wanted.what, column, wanted.column, groups);
}

}  // namespace

std::string_view name_of(Aggregate aggregate) { return kNames[static_cast<std::size_t>(aggregate)]; }

std::optional<Aggregate> aggregate_named(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Aggregate>(found - kNames.begin());
}

std::vector<std::string> aggregate_names() { return {kNames.begin(), kNames.end()}; }

Result<Aggregation> parse_aggregation(std::string_view text) {
  const auto colon = text.find(':');
  const std::string what(text.substr(0, colon));
  const auto aggregate = aggregate_named(what);
  if (!aggregate) {
    const auto known = aggregate_names();
    return fail(Errc::invalid_input, "\"{}\" is not one of {}{}", what,
                fmt::format("{}", fmt::join(known, ", ")), suggestion(what, known));
  }
  const std::string column(colon == std::string_view::npos ? "" : text.substr(colon + 1));
  if (column.empty() && *aggregate != Aggregate::count)
    return fail(Errc::invalid_input, "{} needs a column (example: {}:power)", what, what);
  return Aggregation{*aggregate, column, column.empty() ? what : column + "_" + what};
}

Result<Table> group_by(const Table& table, std::span<const std::string> keys,
                       std::span<const Aggregation> aggregations) {
  const auto grouping = group_rows(table, keys);
  if (!grouping) return grouping.error();
  const auto selected = table.select(keys);
  if (!selected) return selected.error();
  Table result = selected->gather(grouping->first_row);
  for (const Aggregation& wanted : aggregations) {
    auto column = aggregate(table, *grouping, wanted);
    if (!column) return column.error();
    if (result.has(wanted.name))
      return fail(Errc::invalid_input, "two result columns are called \"{}\"", wanted.name);
    result.add(wanted.name, std::move(*column));
  }
  return result;
}

}  // namespace ergon::table
